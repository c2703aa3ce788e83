/// A picture with known colors, and its PNG file.
struct TestPhoto {
  var width: Int
  var height: Int
  /// The color 0xRRGGBB at a column and a row.
  var color: (Int, Int) -> UInt32

  static let red: UInt32 = 0xE02020
  static let green: UInt32 = 0x20C040
  static let blue: UInt32 = 0x3050F0
  static let yellow: UInt32 = 0xE0D020
  static let magenta: UInt32 = 0xD030C0
  static let cyan: UInt32 = 0x20C0D0
  /// The colors of numbered photos, repeated.
  static let palette = [red, green, blue, yellow, magenta, cyan]

  /// A photo in one color, by default two by one pixels.
  static func flat(_ color: UInt32, width: Int = 80, height: Int = 40) -> TestPhoto {
    TestPhoto(width: width, height: height) { _, _ in color }
  }

  /// Red and green above blue and yellow.
  static func quadrants(width: Int = 80, height: Int = 40) -> TestPhoto {
    TestPhoto(width: width, height: height) { x, y in
      switch (x < width / 2, y < height / 2) {
      case (true, true): red
      case (false, true): green
      case (true, false): blue
      case (false, false): yellow
      }
    }
  }

  /// The bytes of a PNG file: 8 bits a channel, no filters, nothing compressed.
  var png: [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity((width * 3 + 1) * height)
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width {
        let color = color(x, y)
        rows += [UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255)]
      }
    }
    return PNGFile.bytes(
      width: width, height: height, bitDepth: 8, colorType: 2, data: Deflate.stored(rows))
  }

  /// The bytes of a black PNG of 16 bits a channel that takes a decoder seconds, but no memory.
  static func black(width: Int, height: Int) -> [UInt8] {
    PNGFile.bytes(
      width: width, height: height, bitDepth: 16, colorType: 6,
      data: Deflate.zeros((width * 8 + 1) * height))
  }

  /// A JPEG of 64 by 48 pixels, all of them gray.
  static let jpeg: [UInt8] = {
    let table = (0..<64).map { _ in UInt8(1) }
    // Each block is a difference of 0 in brightness (code 0) and an end of block (code 0).
    let codes: [UInt8] = [1] + Array(repeating: 0, count: 15) + [0]
    let scan = Array(repeating: UInt8(0), count: 64 / 8 * 48 / 8 * 2 / 8)
    func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
      [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
    }
    return [0xFF, 0xD8] + segment(0xDB, [0] + table)
      + segment(0xC0, [8, 0, 48, 0, 64, 1, 1, 0x11, 0])
      + segment(0xC4, [0x00] + codes) + segment(0xC4, [0x10] + codes)
      + segment(0xDA, [1, 1, 0x00, 0, 63, 0]) + scan + [0xFF, 0xD9]
  }()
}

/// The PNG container (W3C, "Portable Network Graphics").
private enum PNGFile {
  static func bytes(
    width: Int, height: Int, bitDepth: UInt8, colorType: UInt8, data: [UInt8]
  ) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk(
        "IHDR",
        bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [bitDepth, colorType, 0, 0, 0]
      )
      + chunk("IDAT", data) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + body
    return bigEndian(UInt32(body.count)) + named + bigEndian(checksum(named))
  }

  private static let crcTable: [UInt32] = (0..<256).map { (start: UInt32) in
    (0..<8).reduce(start) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBufferPointer { bytes in
      crcTable.withUnsafeBufferPointer { table in
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 255)] ^ (value >> 8) }
        return value ^ 0xFFFF_FFFF
      }
    }
  }

  fileprivate static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(value >> $0 & 255) }
  }
}

/// The two simplest streams that zlib reads (RFC 1950 and 1951).
private enum Deflate {
  /// Bytes without compression.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(65_535)
      let count = UInt16(block.count)
      result.append(rest.isEmpty ? 1 : 0)
      result += [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
      result += block
    } while !rest.isEmpty
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return result + PNGFile.bigEndian(high << 16 | low)
  }

  /// Zeros: one, then copies of 258 from one before, in the fixed code.
  static func zeros(_ count: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.append(0b011, count: 3)  // the last block, of fixed codes
    let zero: (UInt32, Int) = (0b0000_1100, 8)
    bits.append(zero.0, count: zero.1)
    for _ in 0..<(count - 1) / 258 {
      bits.append(0b1010_0011, count: 8)  // length 258, the code's bits from the last
      bits.append(0, count: 5)  // distance 1
    }
    for _ in 0..<(count - 1) % 258 { bits.append(zero.0, count: zero.1) }
    bits.append(0, count: 7)
    return [0x78, 0x01] + bits.bytes
      + PNGFile.bigEndian(UInt32(count % 65_521) << 16 | 1)
  }

  private struct BitWriter {
    var bytes: [UInt8] = []
    private var used = 8

    /// Appends bits, the lowest first.
    mutating func append(_ value: UInt32, count: Int) {
      for bit in 0..<count {
        if used == 8 {
          bytes.append(0)
          used = 0
        }
        bytes[bytes.count - 1] |= UInt8(value >> UInt32(bit) & 1) << UInt8(used)
        used += 1
      }
    }
  }
}

extension TestPhoto {
  /// The gray JPEG with the date on which it was taken, as EXIF writes it, by a camera of the model
  /// "Box".
  static func jpeg(taken date: String) -> [UInt8] {
    func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    func long(_ value: Int) -> [UInt8] { short(value >> 16) + short(value & 0xFFFF) }
    func entry(_ tag: Int, type: Int, count: Int, _ value: [UInt8]) -> [UInt8] {
      short(tag) + short(type) + long(count) + value
    }
    // The directories have 30 and 18 bytes; four bytes of text are in the entry itself.
    let block =
      Array("MM\0*".utf8) + long(8)
      + short(2) + entry(0x0110, type: 2, count: 4, Array("Box\0".utf8))
      + entry(0x8769, type: 4, count: 1, long(38)) + long(0)
      + short(1) + entry(0x9003, type: 2, count: 20, long(56)) + long(0)
      + Array(date.utf8) + [0]
    let contents = Array("Exif\0\0".utf8) + block
    return jpeg[..<2] + [0xFF, 0xE1] + short(contents.count + 2) + contents + jpeg[2...]
  }
}
