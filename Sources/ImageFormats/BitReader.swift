/// Reads codes out of a scan's data.
///
/// It never reads outside: past the end of a segment it reads what follows, zeros in the end, and
/// says so. It must not outlive the data's bytes.
struct BitReader {
  /// The last mean of each component, from which the next one is a difference.
  var predictions = Predictions()
  /// The next bits, the first one highest.
  private var bits: UInt64 = 0
  /// How many of them there are; below 0 after the end of the data.
  private var count = 0
  /// Where the next byte comes from.
  private var place = 0
  private var end = 0
  private var segment = 0
  /// The end of all data.
  private let limit: Int
  private let bytes: UnsafePointer<UInt8>

  /// Three numbers in registers.
  struct Predictions {
    private var first = 0
    private var second = 0
    private var third = 0

    @inline(__always)
    subscript(component: Int) -> Int {
      get { component == 0 ? first : component == 1 ? second : third }
      set {
        if component == 0 {
          first = newValue
        } else if component == 1 {
          second = newValue
        } else {
          third = newValue
        }
      }
    }
  }

  /// A reader before the first segment of data whose bytes are at an address.
  init(_ data: EntropyCodedData, _ bytes: UnsafePointer<UInt8>) {
    limit = data.bytes.count - EntropyCodedData.padding
    self.bytes = bytes
  }

  /// Goes to the next segment; false where there is none, or the last one was too short.
  mutating func beginSegment(_ data: EntropyCodedData) -> Bool {
    guard segment < data.ends.count, !isPastEnd else { return false }
    place = segment == 0 ? 0 : data.ends[segment - 1]
    end = data.ends[segment]
    segment += 1
    (bits, count) = (0, 0)
    predictions = Predictions()
    return true
  }

  /// Whether bits were used that are not in the segment.
  var isPastEnd: Bool { place * 8 - count > end * 8 }

  /// The next bit.
  @inline(__always)
  mutating func bit() -> Bool {
    if count < 1 { fill() }
    defer { skip(1) }
    return bits &>> 63 == 1
  }

  /// The difference of a mean from the last one, in steps; nil where no code is that of the next
  /// bits.
  @inline(__always)
  mutating func difference(
    _ code: HuffmanLookup, _ lookups: UnsafePointer<UInt16>
  ) -> Int? {
    fill()
    guard let entry = step(code, lookups) else { return nil }
    let size = UInt64(entry &>> 8)
    var difference = 0
    if size > 0 {
      difference = Int((bits &<< (UInt64(entry & 255) &- size)) &>> (64 &- size))
      // The lower half of what so many bits can be is negative.
      if difference &>> Int(size &- 1) == 0 { difference &-= (1 &<< Int(size)) &- 1 }
    }
    skip(entry)
    return difference
  }

  /// Passes over the 63 coefficients of a block that are not its mean.
  ///
  /// - Returns: whether all were there.
  @inline(__always)
  mutating func passDetails(
    _ code: HuffmanLookup, _ lookups: UnsafePointer<UInt16>
  ) -> Bool {
    let strides = lookups + code.strides
    var left: UInt16 = 63
    while true {
      // At least 56 bits, which is enough for two strides of at most 28.
      fill()
      for _ in 0..<2 {
        let stride = strides[Int(bits &>> UInt64(64 - HuffmanLookup.width))]
        let passed = stride &>> 8
        if passed < left, stride != 0 {
          skip(stride)
          left &-= passed
        } else if passed & ~HuffmanLookup.end < left &+ (passed &>> 7 ^ 1), passed > 0 {
          // The block ends here: by saying so, or because all coefficients were there.
          skip(stride)
          return true
        } else {
          // A long code, or a stride that would lead into the next block.
          guard let entry = step(code, lookups) else { return false }
          skip(entry)
          guard entry &>> 8 < left else { return true }
          left &-= entry &>> 8
          fill()
        }
      }
    }
  }

  /// The entry of the code that is next.
  @inline(__always)
  private func step(_ code: HuffmanLookup, _ lookups: UnsafePointer<UInt16>) -> UInt16? {
    let entry = lookups[code.short &+ Int(bits &>> UInt64(64 - HuffmanLookup.width))]
    if entry != 0 { return entry }
    let group = Int(bits &>> 48)
    guard group >= code.firstLong else { return nil }
    let long = lookups[code.long &+ group &- code.firstLong]
    return long == 0 ? nil : long
  }

  /// Passes so many bits as an entry of a table has in its low byte.
  @inline(__always)
  private mutating func skip(_ entry: UInt16) {
    bits &<<= UInt64(entry & 255)
    count &-= Int(entry & 255)
  }

  /// Takes whole bytes as long as there is room: at least 56 bits are there then.
  @inline(__always)
  private mutating func fill() {
    guard place <= limit else { return }
    let next = UnsafeRawPointer(bytes + place).loadUnaligned(as: UInt64.self)
    // As long as data is left the count is from 0 to 63.
    bits |= next.bigEndian &>> UInt64(truncatingIfNeeded: count)
    let taken = (63 &- count) &>> 3
    place &+= taken
    count &+= taken &* 8
  }
}
