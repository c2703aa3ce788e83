import Glibc
import ImageFormats
import TestSupport
import Testing

@Suite(.serialized) struct JPEGDCDecoderTests {
  static func noise(_ width: Int, _ height: Int, seed: UInt64) -> (Int, Int) -> UInt32 {
    var random = SeededGenerator(seed: seed)
    // Rough and smooth parts, for long and short blocks.
    let values = (0..<width * height).map { _ in UInt32.random(in: 0...0xffffff, using: &random) }
    return { x, y in
      x * 3 < width ? values[y * width + x] : UInt32(x * 255 / width) << 16 | UInt32(y % 256) << 8
    }
  }

  func picture(of file: [UInt8], laneCount: Int = 2) -> [UInt8]? {
    guard let means = JPEGDCDecoder(file, laneCount: laneCount) else { return nil }
    let count = means.width * means.height * 4
    return [UInt8](unsafeUninitializedCapacity: count) { pixels, filled in
      if let base = pixels.baseAddress { means.draw(into: base) }
      filled = count
    }
  }

  static let sizes = [(1, 1), (8, 8), (97, 61), (33, 80)]

  @Test(arguments: [JPEGFile.Sampling.whole, .gray], [false, true])
  func `components at full resolution equal those of the reference decoder`(
    sampling: JPEGFile.Sampling, isProgressive: Bool
  ) throws {
    for (width, height) in Self.sizes {
      for quality: Int32 in [20, 75, 100] {
        let file = JPEGFile.of(
          width, height, sampling: sampling, quality: quality, isProgressive: isProgressive,
          color: Self.noise(width, height, seed: 1))
        #expect(picture(of: file) == JPEGFile.eighth(file), "\(width)x\(height) at \(quality)")
      }
    }
  }

  @Test(arguments: [JPEGFile.Sampling.half, .quarter, .upright, .eighth], [false, true])
  func `brightness equals that of the reference decoder at any resolution of colours`(
    sampling: JPEGFile.Sampling, isProgressive: Bool
  ) throws {
    for (width, height) in Self.sizes {
      let noise = Self.noise(width, height, seed: 2)
      let file = JPEGFile.of(
        width, height, sampling: sampling, isProgressive: isProgressive,
        color: { x, y in (noise(x, y) & 255) * 0x10101 })
      #expect(picture(of: file) == JPEGFile.eighth(file), "\(width)x\(height)")
    }
  }

  @Test(arguments: ["1", "3", "2B", "7B"], [false, true])
  func `restart markers are followed`(interval: String, isProgressive: Bool) throws {
    setenv("TJ_RESTART", interval, 1)
    defer { unsetenv("TJ_RESTART") }
    let file = JPEGFile.of(
      200, 120, isProgressive: isProgressive, color: Self.noise(200, 120, seed: 3))

    #expect(file.indices.dropLast().contains { file[$0] == 0xff && file[$0 + 1] == 0xd3 })
    #expect(picture(of: file) == JPEGFile.eighth(file))
  }

  /// A picture with parts of very different length: rough, smooth, and of a single color.
  static func landscape(_ width: Int, _ height: Int) -> (Int, Int) -> UInt32 {
    let noise = noise(width, height, seed: 6)
    return { x, y in y < height / 3 ? 0x6090c0 : noise(x, y) }
  }

  /// More MCUs than the positions of two lanes can be kept of.
  @Test(arguments: [JPEGFile.Sampling.whole, .gray, .half, .quarter], [nil, "37B"])
  func `large pictures equal those of the reference decoder`(
    sampling: JPEGFile.Sampling, interval: String?
  ) {
    if let interval { setenv("TJ_RESTART", interval, 1) }
    defer { unsetenv("TJ_RESTART") }
    let landscape = Self.landscape(1203, 1601)
    let file = JPEGFile.of(
      1203, 1601, sampling: sampling, quality: 85,
      color: { x, y in
        sampling == .whole ? landscape(x, y) : (landscape(x, y) & 255) * 0x10101
      })

    #expect(picture(of: file) == JPEGFile.eighth(file))
  }

  /// The second lane starts at a guess, which must not change the picture, whatever it reads.
  @Test(arguments: [JPEGFile.Sampling.whole, .gray, .quarter], 1...3)
  func `a second lane changes no picture, nor whether there is one`(
    sampling: JPEGFile.Sampling, seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let file = JPEGFile.of(
      480, 320, sampling: sampling, quality: 60, color: Self.landscape(480, 320))
    var pictures = 0
    for _ in 0..<60 {
      var changed = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: 600..<file.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      let picture = picture(of: changed)
      #expect(picture == self.picture(of: changed, laneCount: 1))
      pictures += picture == nil ? 0 : 1
    }
    #expect(pictures > 0 && pictures < 60)
  }

  @Test(arguments: [false, true])
  func `a truncated file is not decoded, unless only its end is missing`(isProgressive: Bool) throws
  {
    let file = JPEGFile.of(
      40, 16, sampling: .half, quality: 40, isProgressive: isProgressive,
      color: Self.noise(40, 16, seed: 4))
    let whole = try #require(picture(of: file))

    for count in 0..<file.count {
      // The end of a baseline file is not needed.
      if let picture = picture(of: Array(file.prefix(count))) {
        #expect(!isProgressive && picture == whole && count > file.count - 8, "cut at \(count)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `changed bytes give a picture or none, and never trap`(isProgressive: Bool) {
    let seed: UInt64 = 0xbad
    var random = SeededGenerator(seed: seed)
    let file = JPEGFile.of(
      64, 64, sampling: .quarter, quality: 70, isProgressive: isProgressive,
      color: Self.noise(64, 64, seed: 5))
    for _ in 0..<150 {
      var changed = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: 2..<file.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if let means = JPEGDCDecoder(changed) {
        #expect(means.width * means.height <= 1 << 26)
        if means.width * means.height < 1 << 16 { _ = picture(of: changed) }
      }
    }
  }

  @Test func `unsupported kinds are not decoded`() {
    let file = image("card.jpg")
    #expect(JPEGDCDecoder(file) != nil)
    // CMYK, RGB by component names, a missing table, arithmetic coding.
    #expect(JPEGDCDecoder(image("inks.jpg")) == nil)
    #expect(JPEGDCDecoder(image("inks-ycck.jpg")) == nil)
    #expect(JPEGDCDecoder(file.replacing(marker: 0xc0, by: 0xc9)) == nil)
    #expect(JPEGDCDecoder(file.replacing(marker: 0xc4, by: 0xe5)) == nil)
    #expect(JPEGDCDecoder(file.replacing(marker: 0xdb, by: 0xe5)) == nil)
    let adobe = segment(0xee, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0])
    #expect(JPEGDCDecoder(file.inserting(adobe)) == nil)
    #expect(JPEGDCDecoder([]) == nil)
  }

  @Test func `the resolution of colours is known before decoding`() throws {
    func size(_ sampling: JPEGFile.Sampling) -> [Int]? {
      let file = JPEGFile.of(97, 61, sampling: sampling, color: { _, _ in 0 })
      return JPEGDCDecoder.colorSize(of: file).map { [$0.width, $0.height] }
    }

    #expect(size(.whole) == [13, 8])
    #expect(size(.gray) == [13, 8])
    #expect(size(.half) == [6, 8])
    #expect(size(.quarter) == [6, 4])
    #expect(JPEGDCDecoder.colorSize(of: []) == nil)
  }
}

extension [UInt8] {
  /// A JPEG whose segments of one kind before the scan have another marker.
  fileprivate func replacing(marker: UInt8, by other: UInt8) -> [UInt8] {
    var file = self
    var walk = JPEGSegments(self)
    while let segment = walk.next(), segment.marker != 0xda {
      if segment.marker == marker { file[segment.contents.lowerBound - 3] = other }
    }
    return file
  }
}
