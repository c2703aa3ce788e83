/// Finds where the blocks of a scan start.
///
/// Where a code ends is known only after it was looked up, so a processor spends most of the time
/// waiting for the next entry of a table. Two lanes therefore read two parts of the data in turn.
/// Where the second part starts is a guess, from which Huffman codes soon fall in step (Klein and
/// Wiseman, "Parallel Huffman decoding with applications to JPEG files", 2003). Once the first lane
/// reaches a position where the second one also began an MCU, the rest of the second part is right.
struct BlockScan {
  /// The Huffman tables of an MCU's codes in order: of the DC coefficient of each block, and of its
  /// AC coefficients if the scan has them.
  private let codes: [HuffmanLookup]
  /// The state before each of `codes`, and at the end the first one again.
  private let states: [UInt64]
  /// The positions at which the codes in both lanes begin.
  private var starts = [UInt32](repeating: 0, count: 2 * Self.capacity)
  private let hasSecondLane: Bool
  private let lookups: [UInt16]

  /// The most positions of a lane.
  private static let capacity = 1 << 14
  /// The most bits of a scan, whose positions must fit in 32 bits.
  static let maxBits = 1 << 31
  /// The fewest MCUs that are worth a second lane.
  private static let minSplit = 32

  init(
    _ frame: JPEGFrame, _ codes: [(dc: HuffmanLookup, ac: HuffmanLookup)], _ lookups: [UInt16],
    laneCount: Int
  ) {
    let hasAC = !frame.isProgressive
    var (all, states): ([HuffmanLookup], [UInt64]) = ([], [])
    for block in frame.blocks {
      let (dc, ac) = codes[block.component]
      all.append(dc)
      states.append(Lane.state(at: states.count, dc, left: 0))
      guard hasAC else { continue }
      all.append(ac)
      states.append(Lane.state(at: states.count, ac, left: 63))
    }
    self.codes = all
    self.states = states + states.prefix(1)
    // Among DC coefficients alone, nothing would bring a guess in step with the blocks of an MCU.
    hasSecondLane = hasAC && laneCount > 1
    self.lookups = lookups
  }

  /// The data that both lanes read.
  private struct Source {
    let bytes: UnsafePointer<UInt8>
    let lookups: UnsafePointer<UInt16>
    let states: UnsafePointer<UInt64>

    @inline(__always)
    func bits(at position: Int) -> UInt64 { BlockScan.bits(at: position, of: bytes) }
  }

  /// Returns 57 bits or more from a position on; the first one is the most significant.
  @inline(__always)
  static func bits(at position: Int, of bytes: UnsafePointer<UInt8>) -> UInt64 {
    UnsafeRawPointer(bytes + position &>> 3).loadUnaligned(as: UInt64.self).bigEndian
      &<< UInt64(position & 7)
  }

  /// A place in the data, and where the positions of codes are written.
  private struct Lane {
    /// The index of the next bit.
    var position: Int
    var start: UnsafeMutablePointer<UInt32>
    /// The next code, in one number, because two lanes need all registers.
    ///
    /// Bits 0 to 7 are the number of AC coefficients that the block still has, 0 before its DC
    /// coefficient; bits 8 to 31 the index of the table of strides; bits 32 to 63 the index of the
    /// code in an MCU.
    var state: UInt64

    static func state(at index: Int, _ code: HuffmanLookup, left: UInt64) -> UInt64 {
      UInt64(index) << 32 | UInt64(code.strides) << 8 | left
    }

    /// Skips the codes in a group of bits; false if these need `stepOverCode`.
    ///
    /// Without branches on the bits, which no processor can predict.
    @inline(__always)
    mutating func stride(_ bits: inout UInt64, _ source: Source) -> Bool {
      let next = source.states[Int(state &>> 32) &+ 1]
      let table = source.lookups + Int(UInt32(truncatingIfNeeded: state) &>> 8)
      let stride = table[Int(bits &>> UInt64(64 - HuffmanLookup.width))]
      start.pointee = UInt32(truncatingIfNeeded: position)
      let after = state &- UInt64(stride &>> 8)
      guard after & HuffmanLookup.impossible == 0 else { return false }
      bits &<<= UInt64(stride & 255)
      position &+= Int(stride & 255)
      let hasEnded = Int8(truncatingIfNeeded: after) <= 0
      start += hasEnded ? 1 : 0
      state = hasEnded ? next : after
      return true
    }

    /// Skips one code of any length; false if the bits are not a code.
    @inline(never)
    mutating func stepOverCode(_ source: Source, _ codes: [HuffmanLookup]) -> Bool {
      start.pointee = UInt32(truncatingIfNeeded: position)
      let index = Int(state &>> 32)
      guard let entry = codes[index].entry(source.bits(at: position), source.lookups) else {
        return false
      }
      position &+= Int(entry & 255)
      let left = state & 255
      if left > UInt64(entry &>> 8) {
        state &-= UInt64(entry &>> 8)
      } else {
        state = source.states[index + 1]
        start += 1
      }
      return true
    }
  }

  /// Why lanes stopped.
  private enum Stop {
    case atEnd
    /// A lane is at a code that no stride contains.
    case first, second
  }

  /// Advances two lanes until one is at the end of its part, or of the memory for its positions.
  @inline(never)
  private static func advance(
    _ first: Lane, to end: Int, _ endStart: UnsafeMutablePointer<UInt32>,
    _ second: Lane, to secondEnd: Int, _ secondEndStart: UnsafeMutablePointer<UInt32>,
    _ source: Source
  ) -> (Lane, Lane, Stop) {
    var (first, second) = (first, second)
    while first.position < end, second.position < secondEnd, first.start < endStart,
      second.start < secondEndStart
    {
      // 56 bits suffice for two strides.
      var (bits, others) = (source.bits(at: first.position), source.bits(at: second.position))
      guard first.stride(&bits, source) else { return (first, second, .first) }
      guard second.stride(&others, source) else { return (first, second, .second) }
      guard first.start < endStart, second.start < secondEndStart else { break }
      guard first.stride(&bits, source) else { return (first, second, .first) }
      guard second.stride(&others, source) else { return (first, second, .second) }
    }
    return (first, second, .atEnd)
  }

  /// Advances a lane to a code, or past the end of the data.
  @inline(never)
  private static func advance(
    _ lane: Lane, to start: UnsafeMutablePointer<UInt32>, before end: Int, _ source: Source
  ) -> (Lane, Stop) {
    var lane = lane
    while lane.start < start, lane.position <= end {
      var bits = source.bits(at: lane.position)
      guard lane.stride(&bits, source) else { return (lane, .first) }
    }
    return (lane, .atEnd)
  }

  /// Calls a function with the positions of all codes of each MCU, in order.
  ///
  /// - Parameters:
  ///   - part: The range of a segment's bits.
  ///   - bytes: The data of a scan, with `EntropyCodedData.padding` after it.
  ///   - count: The number of MCUs.
  ///   - body: Receives the positions, and returns false to stop.
  /// - Returns: False if the data has other bits than codes, or ends before.
  mutating func forEachMCU(
    _ part: Range<Int>, of bytes: UnsafePointer<UInt8>, count: Int,
    _ body: (UnsafePointer<UInt32>) -> Bool
  ) -> Bool {
    let (codes, hasSecondLane) = (codes, hasSecondLane)
    return starts.withUnsafeMutableBufferPointer { starts in
      lookups.withUnsafeBufferPointer { lookups in
        states.withUnsafeBufferPointer { states in
          guard let starts = starts.baseAddress, let lookups = lookups.baseAddress,
            let states = states.baseAddress
          else { return false }
          let pair = LanePair(
            source: Source(bytes: bytes, lookups: lookups, states: states), codes: codes,
            starts: starts, end: part.upperBound)
          var (left, position) = (count, part.lowerBound)

          func take(_ mcus: Range<Int>, from starts: UnsafePointer<UInt32>) -> Bool {
            for mcu in mcus {
              guard body(starts + mcu * codes.count) else { return false }
            }
            left -= mcus.count
            return true
          }

          while left > 0 {
            guard position < part.upperBound else { return false }
            var first = pair.first(at: position)
            let most = min(left, pair.capacity)
            // Half of the memory, as the average so far may be less than what follows needs.
            let split = min(left, pair.capacity) / 2
            let guess = position + (part.upperBound - position) / left * split
            // Damaged data may have fewer bits than MCUs.
            guard hasSecondLane, split >= Self.minSplit, guess > position else {
              guard pair.follow(&first, to: most), take(0..<most, from: starts) else {
                return false
              }
              position = first.position
              continue
            }
            guard let second = pair.advance(&first, to: guess, most),
              let (done, same) = pair.join(&first, second, most), take(0..<done, from: starts)
            else { return false }
            position = first.position
            if let same {
              let taken = same..<min(pair.count(of: second), same + left)
              guard take(taken, from: pair.guessed) else { return false }
              position = pair.position(of: taken.upperBound, in: second)
            }
          }
          return position <= part.upperBound
        }
      }
    }
  }

  /// The two lanes of a segment.
  ///
  /// MCUs are numbered from the start of their lane.
  private struct LanePair {
    let source: Source
    let codes: [HuffmanLookup]
    /// The positions of the first lane; those of the second follow.
    let starts: UnsafeMutablePointer<UInt32>
    /// The end of the segment, in bits.
    let end: Int

    var guessed: UnsafeMutablePointer<UInt32> { starts + BlockScan.capacity }

    /// The most MCUs of a lane.
    var capacity: Int { BlockScan.capacity / codes.count }

    func first(at position: Int) -> Lane {
      Lane(position: position, start: starts, state: source.states[0])
    }

    /// The number of whole MCUs that the second lane has read.
    func count(of second: Lane) -> Int { (second.start - guessed) / codes.count }

    /// The position of an MCU, at most the one after the last whole one.
    func position(of mcu: Int, in second: Lane) -> Int {
      let start = guessed + mcu * codes.count
      return start < second.start ? Int(start.pointee) : second.position
    }

    /// Advances the first lane to an MCU; false if it cannot.
    func follow(_ first: inout Lane, to mcu: Int) -> Bool {
      let start = starts + mcu * codes.count
      while true {
        let stop: Stop
        (first, stop) = BlockScan.advance(first, to: start, before: end, source)
        guard stop == .first else { return first.start == start }
        guard first.stepOverCode(source, codes) else { return false }
      }
    }

    /// Advances the first lane to a position, by at most `most` MCUs, and a second lane beside it
    /// from there.
    ///
    /// - Returns: The second lane, or nil if the first one comes to bits that are not a code.
    func advance(_ first: inout Lane, to guess: Int, _ most: Int) -> Lane? {
      var second = Lane(position: guess, start: guessed, state: source.states[0])
      var begin = guess
      while true {
        let stop: Stop
        (first, second, stop) = BlockScan.advance(
          first, to: guess, starts + most * codes.count,
          second, to: end, guessed + capacity * codes.count, source)
        switch stop {
        case .atEnd: return second
        case .first:
          guard first.stepOverCode(source, codes) else { return nil }
        case .second:
          guard !second.stepOverCode(source, codes) else { break }
          // The guess was wrong.
          begin += 1
          second = Lane(position: begin, start: guessed, state: source.states[0])
        }
      }
    }

    /// Advances the first lane to an MCU that the second one has read too, or past those.
    ///
    /// - Returns: How many MCUs the first lane has read, and the index of the next MCU in the second
    ///   lane, which is nil if the lanes have not met; or nil if the data is damaged.
    func join(_ first: inout Lane, _ second: Lane, _ most: Int) -> (done: Int, same: Int?)? {
      var done = (first.start - starts + codes.count - 1) / codes.count
      var mcu = 0
      while true {
        guard follow(&first, to: done) else { return nil }
        while mcu < count(of: second), position(of: mcu, in: second) < first.position { mcu += 1 }
        guard mcu < count(of: second) else { return (done, nil) }
        if position(of: mcu, in: second) == first.position { return (done, mcu) }
        guard done < most else { return (done, nil) }
        done += 1
      }
    }
  }
}
