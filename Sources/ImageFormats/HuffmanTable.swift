/// A code of a JPEG, which says what bits stand for (ITU-T T.81, annex C), made for passing over
/// coefficients quickly.
struct HuffmanTable {
  /// The symbols in the order of their codes, with the number of bits of each.
  private var codes: [(code: Int, length: Int, symbol: UInt8)] = []

  /// Reads the tables of a segment under their class (0x00 for means, 0x10 for the rest) and
  /// number.
  ///
  /// - Returns: whether they can be.
  static func read(
    _ contents: ArraySlice<UInt8>, into tables: inout [UInt8: HuffmanTable]
  ) -> Bool {
    var rest = contents
    while let head = rest.popFirst() {
      guard head >> 4 < 2, head & 15 < 4, rest.count >= 16 else { return false }
      let counts = rest.prefix(16).map(Int.init)
      rest = rest.dropFirst(16)
      var table = HuffmanTable()
      var code = 0
      for (index, count) in counts.enumerated() {
        guard rest.count >= count, code + count <= 1 << (index + 1) else { return false }
        for symbol in rest.prefix(count) {
          table.codes.append((code, index + 1, symbol))
          code += 1
        }
        rest = rest.dropFirst(count)
        code <<= 1
      }
      tables[head] = table
    }
    return true
  }

  /// The steps of a code for means, whose value is the number of bits of a difference.
  var means: [HuffmanStep] {
    codes.filter { $0.symbol <= 15 }.map {
      HuffmanStep(code: $0.code, length: $0.length, value: $0.symbol, numberBits: $0.symbol)
    }
  }

  /// The steps of a code for the other coefficients, whose value is how many of them are passed: the
  /// zeros and one after them, sixteen zeros (15 and 0), or all (0).
  var details: [HuffmanStep] {
    codes.map {
      HuffmanStep(
        code: $0.code, length: $0.length,
        value: $0.symbol == 0 ? HuffmanStep.endOfBlock : $0.symbol >> 4 + 1,
        numberBits: $0.symbol & 15)
    }
  }
}

/// What one code stands for: some bits are passed, its own and those of a number after it.
struct HuffmanStep {
  var code: Int
  /// Of the code alone.
  var length: Int
  var value: UInt8
  var numberBits: UInt8

  /// The value of the last code of a block: more than is left of any block.
  static let endOfBlock: UInt8 = 64

  /// The bits in the low byte, the value in the high one.
  var entry: UInt16 { UInt16(value) << 8 | UInt16(length) + UInt16(numberBits) }
}

/// Where the lookup tables of a code are in a piece of memory that holds those of all.
struct HuffmanLookup {
  /// For each group of `width` bits the entry of the step that it begins with; 0 where the code is
  /// longer, or there is none.
  var short = 0
  /// For each group of `width` bits several steps at once, as many as can be told from it; 0 where
  /// not even one can.
  ///
  /// Bits 0 to 7: the bits that are passed. 8 to 15: the coefficients that are passed before the
  /// end of the block, if that is among them, and `end`.
  var strides = 0
  /// For groups of 16 bits from `firstLong` on the entry of the step that they begin with; 0 where
  /// there is none.
  ///
  /// The longer codes are the last.
  var long = 0
  var firstLong = 1 << 16

  /// How many bits are looked at: with one more or less it takes longer.
  static let width = 13
  /// Added to what is passed where the last step is the end of the block.
  static let end: UInt16 = 128

  /// Of no code.
  init() {}

  /// Adds the tables of a code to those in a piece of memory.
  init(_ steps: [HuffmanStep], hasStrides: Bool, in memory: inout [UInt16]) {
    short = memory.count
    memory += Self.table(steps.filter { $0.length <= Self.width }, first: 0, width: Self.width)
    let longSteps = steps.filter { $0.length > Self.width }
    firstLong = longSteps.map { $0.code << (16 - $0.length) }.min() ?? 1 << 16
    long = memory.count
    memory += Self.table(longSteps, first: firstLong, width: 16)
    guard hasStrides else { return }
    strides = memory.count
    var lengths = [Int](repeating: 0, count: 1 << Self.width)
    for step in steps where step.length <= Self.width {
      let first = step.code << (Self.width - step.length)
      for index in first..<(first + 1 << (Self.width - step.length)) {
        lengths[index] = step.length
      }
    }
    let entries = Array(memory[short..<(short + 1 << Self.width)])
    memory += (0..<(1 << Self.width)).map { Self.stride($0, entries, lengths) }
  }

  private static func table(_ steps: [HuffmanStep], first: Int, width: Int) -> [UInt16] {
    var table = [UInt16](repeating: 0, count: 1 << width - first)
    for step in steps {
      let place = step.code << (width - step.length) - first
      for index in place..<(place + 1 << (width - step.length)) { table[index] = step.entry }
    }
    return table
  }

  private static func stride(_ group: Int, _ entries: [UInt16], _ lengths: [Int]) -> UInt16 {
    var (bits, passed) = (0, UInt16(0))
    while bits < width {
      let rest = group << bits & (1 << width - 1)
      // The bits after those that are known could make it another code.
      guard lengths[rest] > 0, lengths[rest] <= width - bits else { break }
      bits += Int(entries[rest] & 255)
      guard entries[rest] >> 8 != UInt16(HuffmanStep.endOfBlock) else {
        passed += end
        break
      }
      passed += entries[rest] >> 8
    }
    return passed << 8 | UInt16(bits)
  }
}
