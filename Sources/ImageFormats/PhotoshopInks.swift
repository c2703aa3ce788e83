/// The merged picture of a Photoshop document in CMYK (Adobe Photoshop File Formats Specification,
/// "Image Data Section").
///
/// ImageMagick's loader in libvips loses the black ink of these.
package struct PhotoshopInks {
  package let width: Int
  package let height: Int
  /// Cyan, magenta, yellow and black, 255 for no ink, rows top to bottom, no padding.
  package let pixels: [UInt8]
  /// The embedded ICC profile; empty if there is none.
  package let profile: [UInt8]
  /// Whether the file is truncated; the missing pixels have no ink.
  package let isIncomplete: Bool

  /// Returns whether a file's first bytes are those of a document in CMYK with 8 or 16 bits.
  package static func isSigned(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 26, bytes.starts(with: "8BPS\0\u{01}".utf8) else { return false }
    // The channels, the bits of a sample, and the mode of color.
    return bytes[12] == 0 && bytes[13] >= 4 && bytes[22] == 0 && [8, 16].contains(bytes[23])
      && bytes[24] == 0 && bytes[25] == 4
  }

  /// Decodes a document; nil if its picture is too large, or coded otherwise than usual.
  package init?(_ file: [UInt8], maxPixels: Int) {
    guard Self.isSigned(file) else { return nil }
    let source = ByteSource(file)
    func number(_ at: Int, _ width: Int = 4) -> Int? { source.bigEndian(at: at, bytes: width) }
    guard let height = number(14), let width = number(18), width > 0, height > 0,
      case let (count, isTooMany) = width.multipliedReportingOverflow(by: height), !isTooMany,
      count <= maxPixels
    else { return nil }
    // Color table, resources, and layers precede the picture, each after its length.
    var offset = 26
    var resources = 0..<0
    for section in 0..<3 {
      guard let length = number(offset) else { return nil }
      if section == 1 { resources = (offset + 4)..<(offset + 4 + length) }
      offset += 4 + length
    }
    guard let coding = number(offset, 2), coding <= 1 else { return nil }
    var planes = Planes(
      file: file, offset: offset + 2, isPacked: coding == 1, channels: Int(file[13]), width: width,
      height: height, sampleBytes: Int(file[23]) / 8)
    var isIncomplete = false
    pixels = [UInt8](unsafeUninitializedCapacity: count * 4) { buffer, initialized in
      buffer.initialize(repeating: 255)
      initialized = count * 4
      for ink in 0..<4 {
        for row in 0..<height {
          guard
            planes.readRow(into: { column, value in
              buffer[(row * width + column) * 4 + ink] = value
            })
          else {
            isIncomplete = true
            return
          }
        }
      }
    }
    self.width = width
    self.height = height
    self.isIncomplete = isIncomplete
    profile = Self.profile(in: source, resources) ?? []
  }

  /// Returns the ICC profile among the resources.
  private static func profile(in file: ByteSource, _ resources: Range<Int>) -> [UInt8]? {
    var offset = resources.lowerBound
    while offset < resources.upperBound {
      guard let head = file.bytes(at: offset, count: 7), head.starts(with: "8BIM".utf8) else {
        return nil
      }
      // The name and the contents are padded to an even number of bytes.
      let start = offset + 6 + (Int(head[6]) + 2) / 2 * 2
      guard let length = file.bigEndian(at: start, bytes: 4) else { return nil }
      if head[4] == 0x04, head[5] == 0x0f { return file.bytes(at: start + 4, count: length) }
      offset = start + 4 + (length + 1) / 2 * 2
    }
    return nil
  }

  /// The rows of one plane after the other.
  private struct Planes {
    private let file: [UInt8]
    private var offset: Int
    private let isPacked: Bool
    private let width: Int
    private let sampleBytes: Int

    init(
      file: [UInt8], offset: Int, isPacked: Bool, channels: Int, width: Int, height: Int,
      sampleBytes: Int
    ) {
      self.file = file
      // Packed rows follow their lengths, which are not needed: a row ends with its last sample.
      self.offset = offset + (isPacked ? channels * height * 2 : 0)
      (self.isPacked, self.width, self.sampleBytes) = (isPacked, width, sampleBytes)
    }

    /// Reads the next row, of which the first byte of each sample is passed on.
    ///
    /// - Returns: Whether the file has all of it.
    mutating func readRow(into body: (_ column: Int, _ value: UInt8) -> Void) -> Bool {
      let count = width * sampleBytes
      func put(_ byte: UInt8, at index: Int) {
        if sampleBytes == 1 {
          body(index, byte)
        } else if index & 1 == 0 {
          body(index / 2, byte)
        }
      }
      guard isPacked else {
        guard offset <= file.count, count <= file.count - offset else { return false }
        for index in 0..<count { put(file[offset + index], at: index) }
        offset += count
        return true
      }
      // PackBits (TIFF 6.0, section 9).
      var index = 0
      while index < count {
        guard offset < file.count else { return false }
        let code = Int(Int8(bitPattern: file[offset]))
        offset += 1
        if code == -128 { continue }
        let length = min(code < 0 ? 1 - code : code + 1, count - index)
        guard offset + (code < 0 ? 1 : length) <= file.count else { return false }
        for step in 0..<length { put(file[offset + (code < 0 ? 0 : step)], at: index + step) }
        offset += code < 0 ? 1 : length
        index += length
      }
      return true
    }
  }
}
