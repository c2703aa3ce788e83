/// A Huffman table of a JPEG (ITU-T T.81, annex C).
struct HuffmanTable {
  /// The codes with their symbols in the order of the codes; lengths are in bits.
  private var codes: [(code: Int, length: Int, symbol: UInt8)] = []

  /// Reads the tables of a segment.
  ///
  /// - Parameters:
  ///   - contents: The contents of a DHT segment, without marker and length.
  ///   - tables: Receives the tables by their class, 0x00 for DC and 0x10 for AC, and number.
  /// - Returns: Whether the segment is valid.
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

  /// The steps of a table for DC coefficients; the value of a step is the size of a difference.
  var dcSteps: [HuffmanStep] {
    codes.filter { $0.symbol <= 15 }.map {
      HuffmanStep(code: $0.code, length: $0.length, value: $0.symbol, numberBits: $0.symbol)
    }
  }

  /// The steps of a table for AC coefficients; the value of a step is the number that it skips.
  ///
  /// A symbol stands for a run of zeros and one coefficient, for sixteen zeros (15 and 0), or for
  /// the end of the block (0).
  var acSteps: [HuffmanStep] {
    codes.map {
      HuffmanStep(
        code: $0.code, length: $0.length,
        value: $0.symbol == 0 ? HuffmanStep.endOfBlock : $0.symbol >> 4 + 1,
        numberBits: $0.symbol & 15)
    }
  }
}

/// A Huffman code together with the number that follows it, which are read in one step.
struct HuffmanStep {
  var code: Int
  var length: Int
  /// The size in bits of a DC difference, or the number of AC coefficients that are skipped.
  var value: UInt8
  /// The length of the number after the code, in bits.
  var numberBits: UInt8

  /// The value at the end of a block: more coefficients than any block has left.
  static let endOfBlock: UInt8 = 64

  /// The entry of a lookup table: the bits in the low byte, the value in the high one.
  var entry: UInt16 { UInt16(value) << 8 | UInt16(length) + UInt16(numberBits) }
}

/// The lookup tables of a Huffman table.
///
/// The properties are the tables' first indices in one array, which all Huffman tables share.
struct HuffmanLookup {
  /// The table of short codes: for each group of `width` bits, the entry of its first step.
  ///
  /// 0 stands for a longer code, or none.
  private var short = 0
  /// The table of strides: for each group of `width` bits, the sum of all complete steps in it that
  /// belong to the same block.
  ///
  /// Bits 0 to 7 are the number of bits to skip. Bits 8 to 15 are the number of coefficients to skip,
  /// plus `end` if the block ends after them. Subtract them from the number of coefficients that are
  /// left: as a signed byte, the difference is above 0 until the block ends. It has the bit
  /// `impossible` if the bits hold no complete step, or if the stride goes past the end of the block.
  private(set) var strides = 0
  /// The table of long codes: for each group of 16 bits from `firstLong` on, the entry of its first
  /// step; 0 stands for no code.
  private var long = 0
  /// The first group of 16 bits that begins with a long code; all later ones do, too.
  private var firstLong = 1 << 16

  /// The bits of a group in the tables of short codes and strides; the fastest width, as measured.
  static let width = 13
  static let impossible: UInt64 = 64
  /// One more than 128: a block with no coefficients left has no end code.
  private static let end: UInt16 = 129
  /// A stride without a complete step.
  private static let none = UInt16(impossible) << 8

  init() {}

  /// Creates the lookup tables of some steps, and appends them to an array.
  ///
  /// A DC coefficient is a stride of its own, before which no coefficients count as left.
  init(_ steps: [HuffmanStep], isDC: Bool, in tables: inout [UInt16]) {
    short = tables.count
    tables += Self.table(steps.filter { $0.length <= Self.width }, first: 0, width: Self.width)
    let entries = Array(tables[short...])
    let longSteps = steps.filter { $0.length > Self.width }
    firstLong = longSteps.map { $0.code << (16 - $0.length) }.min() ?? 1 << 16
    long = tables.count
    tables += Self.table(longSteps, first: firstLong, width: 16)
    strides = tables.count
    guard !isDC else {
      tables += entries.map { $0 == 0 ? Self.none : $0 & 255 }
      return
    }
    var lengths = [Int](repeating: 0, count: 1 << Self.width)
    for step in steps where step.length <= Self.width {
      let first = step.code << (Self.width - step.length)
      for index in first..<(first + 1 << (Self.width - step.length)) {
        lengths[index] = step.length
      }
    }
    tables += (0..<(1 << Self.width)).map { Self.stride($0, entries, lengths) }
  }

  private static func table(_ steps: [HuffmanStep], first: Int, width: Int) -> [UInt16] {
    var table = [UInt16](repeating: 0, count: 1 << width - first)
    for step in steps {
      let position = step.code << (width - step.length) - first
      for index in position..<(position + 1 << (width - step.length)) { table[index] = step.entry }
    }
    return table
  }

  private static func stride(_ group: Int, _ entries: [UInt16], _ lengths: [Int]) -> UInt16 {
    var (bits, passed) = (0, UInt16(0))
    while bits < width {
      let rest = group << bits & (1 << width - 1)
      // A longer code depends on the bits after the group, which are unknown.
      guard lengths[rest] > 0, lengths[rest] <= width - bits else { break }
      bits += Int(entries[rest] & 255)
      guard entries[rest] >> 8 != UInt16(HuffmanStep.endOfBlock) else {
        passed += end
        break
      }
      passed += entries[rest] >> 8
    }
    return bits == 0 ? none : passed << 8 | UInt16(bits)
  }

  /// Returns the entry of the code that some bits begin with; nil if they are not a code.
  @inline(__always)
  func entry(_ bits: UInt64, _ lookups: UnsafePointer<UInt16>) -> UInt16? {
    let entry = lookups[short &+ Int(bits &>> UInt64(64 - Self.width))]
    if entry != 0 { return entry }
    let group = Int(bits &>> 48)
    guard group >= firstLong else { return nil }
    let long = lookups[long &+ group &- firstLong]
    return long == 0 ? nil : long
  }

  /// Decodes the DC difference at the start of `bits`; nil if no code matches.
  @inline(__always)
  func difference(_ bits: UInt64, _ lookups: UnsafePointer<UInt16>) -> Int? {
    guard let entry = entry(bits, lookups) else { return nil }
    let (size, length) = (UInt64(entry &>> 8), UInt64(entry & 255))
    let number = Int(((bits &<< (length &- size)) &>> 1) &>> (63 &- size))
    // The lower half of the numbers with that many bits stands for negative ones.
    let isNegative = number < (1 &<< Int(size)) &>> 1
    return isNegative ? number &- (1 &<< Int(size)) &+ 1 : number
  }
}
