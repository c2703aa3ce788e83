/// Reads Huffman codes from the data of a scan.
///
/// It never reads outside of the data. After the end of a segment it reads the bytes that follow,
/// or zeros at the end of the data, and `isPastEnd` becomes true. It must not outlive the data.
struct BitReader {
  /// The last DC coefficient of each component, to which the next difference is added.
  var predictions = Predictions()
  /// The next bits; the first one is the most significant.
  private var bits: UInt64 = 0
  /// The number of valid bits in `bits`; negative after the end of the data.
  private var count = 0
  /// The offset of the next byte to read.
  private var offset = 0
  /// The offset of the end of the current segment.
  private var end = 0
  /// The index of the next segment.
  private var segment = 0
  /// The offset of the end of the data.
  private let limit: Int
  private let bytes: UnsafePointer<UInt8>

  /// A number for each of three components: properties, because an array is not kept in registers.
  struct Predictions {
    private var first = 0
    private var second = 0
    private var third = 0

    /// The prediction of a component, from 0 to 2.
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

  /// Creates a reader before the first segment of a scan's data; `bytes` are those of `data`.
  init(_ data: EntropyCodedData, _ bytes: UnsafePointer<UInt8>) {
    limit = data.bytes.count - EntropyCodedData.padding
    self.bytes = bytes
  }

  /// Moves to the start of the next segment.
  ///
  /// - Returns: False if there is none, or if the current one was too short.
  mutating func beginSegment(_ data: EntropyCodedData) -> Bool {
    guard segment < data.ends.count, !isPastEnd else { return false }
    offset = segment == 0 ? 0 : data.ends[segment - 1]
    end = data.ends[segment]
    segment += 1
    (bits, count) = (0, 0)
    predictions = Predictions()
    return true
  }

  /// Whether bits beyond the end of the segment were read.
  var isPastEnd: Bool { offset * 8 - count > end * 8 }

  @inline(__always)
  mutating func bit() -> Bool {
    if count < 1 { fill() }
    defer { skip(1) }
    return bits &>> 63 == 1
  }

  /// Reads the difference of a DC coefficient from the previous one; nil if the bits are not a
  /// code.
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
      // The lower half of the values with that many bits stands for negative numbers.
      if difference &>> Int(size &- 1) == 0 { difference &-= (1 &<< Int(size)) &- 1 }
    }
    skip(entry)
    return difference
  }

  /// Skips the 63 AC coefficients of a block.
  ///
  /// - Returns: False if the bits are not a code.
  @inline(__always)
  mutating func skipAC(
    _ code: HuffmanLookup, _ lookups: UnsafePointer<UInt16>
  ) -> Bool {
    let strides = lookups + code.strides
    var left: UInt16 = 63
    while true {
      // 56 bits suffice for two strides of at most 28 each.
      fill()
      for _ in 0..<2 {
        let stride = strides[Int(bits &>> UInt64(64 - HuffmanLookup.width))]
        let passed = stride &>> 8
        if passed < left, stride != 0 {
          skip(stride)
          left &-= passed
        } else if passed & ~HuffmanLookup.end < left &+ (passed &>> 7 ^ 1), passed > 0 {
          // The block ends here, by its end code or after all coefficients.
          skip(stride)
          return true
        } else {
          // A long code, or a stride that would end in the next block.
          guard let entry = step(code, lookups) else { return false }
          skip(entry)
          guard entry &>> 8 < left else { return true }
          left &-= entry &>> 8
          fill()
        }
      }
    }
  }

  /// Returns the entry of the next code; nil if the bits are not a code.
  @inline(__always)
  private func step(_ code: HuffmanLookup, _ lookups: UnsafePointer<UInt16>) -> UInt16? {
    let entry = lookups[code.short &+ Int(bits &>> UInt64(64 - HuffmanLookup.width))]
    if entry != 0 { return entry }
    let group = Int(bits &>> 48)
    guard group >= code.firstLong else { return nil }
    let long = lookups[code.long &+ group &- code.firstLong]
    return long == 0 ? nil : long
  }

  /// Skips the bits of an entry, whose number is in its low byte.
  @inline(__always)
  private mutating func skip(_ entry: UInt16) {
    bits &<<= UInt64(entry & 255)
    count &-= Int(entry & 255)
  }

  /// Reads whole bytes until `bits` has at least 56 bits.
  @inline(__always)
  private mutating func fill() {
    guard offset <= limit else { return }
    let next = UnsafeRawPointer(bytes + offset).loadUnaligned(as: UInt64.self)
    // The count is from 0 to 63 while data is left.
    bits |= next.bigEndian &>> UInt64(truncatingIfNeeded: count)
    let taken = (63 &- count) &>> 3
    offset &+= taken
    count &+= taken &* 8
  }
}
