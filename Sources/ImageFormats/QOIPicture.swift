/// A decoded picture in the Quite OK Image format (qoiformat.org, 1.0).
package struct QOIPicture {
  package let width: Int
  package let height: Int
  /// The pixels: RGBA, 8 bits a channel, not premultiplied, rows top to bottom, no padding.
  package let pixels: [UInt8]
  /// Whether the file is truncated; the missing pixels are transparent.
  package let isIncomplete: Bool

  private static let headLength = 14

  /// Decodes a file; nil if its header is invalid or its picture too large.
  package init?(_ file: [UInt8], maxPixels: Int) {
    guard file.count > Self.headLength, file.starts(with: "qoif".utf8) else { return nil }
    func number(_ at: Int) -> Int { file[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
    let (width, height) = (number(4), number(8))
    let (count, isTooMany) = width.multipliedReportingOverflow(by: height)
    guard !isTooMany, count > 0, count <= maxPixels else { return nil }
    var reader = Reader(file[Self.headLength...])
    pixels = [UInt8](unsafeUninitializedCapacity: count * 4) { buffer, initialized in
      buffer.initialize(repeating: 0)
      initialized = count * 4
      for index in 0..<count {
        guard let pixel = reader.next() else { break }
        for band in 0..<4 { buffer[index * 4 + band] = pixel[band] }
      }
    }
    self.width = width
    self.height = height
    isIncomplete = reader.hasEnded
  }

  private struct Reader {
    private(set) var hasEnded = false
    private let bytes: ArraySlice<UInt8>
    private var offset: Int
    private var pixel = SIMD4<UInt8>(0, 0, 0, 255)
    /// The last pixel with each hash.
    private var recent = [SIMD4<UInt8>](repeating: SIMD4(0, 0, 0, 0), count: 64)
    /// The number of times that the last pixel is still to be repeated.
    private var run = 0

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      offset = bytes.startIndex
    }

    private mutating func byte() -> UInt8? {
      guard offset < bytes.endIndex else {
        hasEnded = true
        return nil
      }
      defer { offset += 1 }
      return bytes[offset]
    }

    mutating func next() -> SIMD4<UInt8>? {
      if run > 0 {
        run -= 1
        return pixel
      }
      guard let tag = byte() else { return nil }
      switch (tag >> 6, tag) {
      case (_, 0xFE), (_, 0xFF):
        for band in 0..<(tag == 0xFF ? 4 : 3) {
          guard let value = byte() else { return nil }
          pixel[band] = value
        }
      case (0, _): pixel = recent[Int(tag)]
      case (1, _): add(Int8(tag >> 4 & 3) - 2, Int8(tag >> 2 & 3) - 2, Int8(tag & 3) - 2)
      case (2, _):
        guard let more = byte() else { return nil }
        let green = Int8(tag & 63) - 32
        add(green + Int8(more >> 4) - 8, green, green + Int8(more & 15) - 8)
      default: run = Int(tag & 63)
      }
      let sum = Int(pixel[0]) * 3 + Int(pixel[1]) * 5 + Int(pixel[2]) * 7 + Int(pixel[3]) * 11
      recent[sum % 64] = pixel
      return pixel
    }

    private mutating func add(_ red: Int8, _ green: Int8, _ blue: Int8) {
      pixel[0] &+= UInt8(bitPattern: red)
      pixel[1] &+= UInt8(bitPattern: green)
      pixel[2] &+= UInt8(bitPattern: blue)
    }
  }
}
