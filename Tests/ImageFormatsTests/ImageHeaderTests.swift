import ImageFormats
import Photos
import TestSupport
import Testing
import WorkerProtocol

@Suite struct ImageHeaderTests {
  @Test(arguments: [
    ("card.jpg", ImageFormat.jpeg), ("alpha.png", .png), ("card.gif", .gif), ("card.webp", .webp),
    ("card.tif", .tiff), ("big-endian.tif", .tiff), ("card.heic", .heic), ("card.avif", .avif),
    ("card.xcf", .xcf), ("card.ras", .ras), ("card.xpm", .xpm),
  ])
  func `the first bytes determine the format`(name: String, format: ImageFormat) {
    #expect(ImageFormat(firstBytes: image(name)) == format)
  }

  @Test func `damaged marks of a JPEG and of a bitmap's header are accepted`() {
    // libjpeg skips what is not a segment.
    let head: [UInt8] = [0xff, 0xd8, 0xfe, 0xdc, 0, 0x6f] + Array("JFIF".utf8)
    #expect(ImageFormat(firstBytes: head, name: Array("a.JPG".utf8)) == .jpeg)
    #expect(ImageFormat(firstBytes: head, name: Array("a.jpeg".utf8)) == .jpeg)
    #expect(ImageFormat(firstBytes: head, name: Array("a.png".utf8)) == nil)
    // Writers of bitmaps disagree about the length of the header.
    var bitmap = Array(image("card.bmp").prefix(64))
    bitmap[14] = 66
    #expect(ImageFormat(firstBytes: bitmap) == .bmp)
    bitmap[14] = 17
    #expect(ImageFormat(firstBytes: bitmap) == nil)
  }

  @Test(arguments: [
    "", "GIF", "%PDF-1.7", "<svg xmlns=", "#!/bin/sh", "8BPS", "RIFF....WAVE", "BM", "II*",
    "....ftyp", "push graphic-context", "%!PS-Adobe-3.0 EPSF-3.0",
  ])
  func `other first bytes are not an image`(text: String) {
    #expect(ImageFormat(firstBytes: Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    ("ftypmif1....mif1heic", ImageFormat.heic), ("ftypmif1....miafavif", .avif),
    ("ftypavis....msf1miaf", .avif), ("ftypheix....mif1miaf", .heic),
    ("ftypmsf1....iso8hevc", .heic),
  ])
  func `the brands of a file type box distinguish HEIC from AVIF`(box: String, format: ImageFormat)
  {
    #expect(ImageFormat(firstBytes: [0, 0, 0, 24] + Array(box.utf8)) == format)
    // A box that ends before its brands do, and one of unlimited length.
    #expect(ImageFormat(firstBytes: [0, 0, 0, 1] + Array("ftyp".utf8)) == nil)
    #expect(ImageFormat(firstBytes: [0xff, 255, 255, 255] + Array(box.utf8)) == format)
  }

  @Test(arguments: [
    ("a.jpg", ImageFileExtension.Kind.image), ("a.JPEG", .image), ("a.b.HeIf", .image),
    ("a.hif", .image),
    ("a.avif", .image), ("a.jpg.txt", .other), ("a.", .other), ("a.jp", .other),
    ("notes", .noExtension),
    (".jpg", .noExtension), ("..jpg", .image), ("", .noExtension), ("a.svg", .image),
    ("a.pdf", .other),
  ])
  func `the extension of a name decides whether it is an image, in upper or lower case`(
    name: String, verdict: ImageFileExtension.Kind
  ) {
    Array(name.utf8).withUnsafeBufferPointer { #expect(ImageFileExtension.kind(of: $0) == verdict) }
  }

  @Test func `a JPEG's header is found between its segments`() throws {
    let header = try #require(JPEGHeader(image("card.jpg")))
    let progressive = try #require(JPEGHeader(image("card-progressive.jpg")))

    #expect([header.width, header.height, header.components] == [64, 32, 3])
    #expect(!header.isProgressive && progressive.isProgressive)
    #expect(header.exif == nil && header.profileParts.isEmpty)
    #expect(JPEGHeader(image("gray.jpg"))?.components == 1)
    #expect(JPEGHeader(image("inks.jpg"))?.components == 4)
  }

  @Test func `a profile in several segments is joined in order, and one with a gap is dropped`()
    throws
  {
    let name = Array("ICC_PROFILE\0".utf8)
    let second = segment(0xe2, name + [2, 2, 0x62, 0x63])
    let first = segment(0xe2, name + [1, 2, 0x61])
    let third = segment(0xe2, name + [3, 3, 0x64])
    let file = image("card.jpg").inserting(segment(0xe1, Array("http://ns.adobe.com/".utf8)))

    let whole = file.inserting(first).inserting(second)
    let parts = try #require(JPEGHeader(whole)).profileParts

    #expect(parts.flatMap { whole[$0] } == Array("abc".utf8))
    #expect(JPEGHeader(file.inserting(second))?.profileParts == [])
    #expect(JPEGHeader(file.inserting(third).inserting(first))?.profileParts == [])
    #expect(JPEGHeader(file.inserting(segment(0xe2, name)))?.profileParts == [])
  }

  @Test func `only the first EXIF segment counts`() throws {
    let exif = Array("Exif\0\0".utf8)
    let file = image("card.jpg").inserting(segment(0xe1, exif + [2]))
      .inserting(segment(0xe1, exif + [1]))

    let header = try #require(JPEGHeader(file))
    let range = try #require(header.exif)

    #expect(file[range] == (exif + [1])[...])
  }

  @Test func `a truncated JPEG has a header or none, and a scan only if its data begins`() throws {
    let file = image("card.jpg")
    let start = try #require(JPEGHeader(file)?.scanStart)
    for count in 0...file.count {
      let header = JPEGHeader(Array(file.prefix(count)))

      #expect((header?.scanStart != nil) == (count >= start), "cut at \(count)")
      if let header { #expect(header.width == 64) }
    }
  }

  @Test func `the late scans of a progressive JPEG are removed, and the rest is unchanged`()
    throws
  {
    let file = image("card-progressive.jpg")

    let reduced = try #require(ProgressiveScans.reduced(file))

    func scans(_ file: [UInt8]) -> [[UInt8]] {
      var walk = JPEGSegments(file)
      var scans: [[UInt8]] = []
      while let segment = walk.next() {
        if segment.marker == 0xda { scans.append(Array(file[segment.contents])) }
      }
      #expect(walk.endOfImage == file.count - 2)
      return scans
    }
    // Of ten scans the late ones of brightness are removed: coefficients 6 to 63, and all
    // refinements.
    #expect(scans(file).count == 10)
    #expect(scans(reduced).count < 10)
    #expect(
      scans(reduced).count { $0[$0.count - 3] == 0 } == scans(file).count { $0[$0.count - 3] == 0 })
    #expect(JPEGHeader(reduced) == JPEGHeader(file))
    #expect(ProgressiveScans.reduced(reduced) == nil)
    #expect(ProgressiveScans.reduced(image("card.jpg")) == nil)
    #expect(ProgressiveScans.reduced(Array(file.dropLast(2))) == nil)
  }

  @Test func `changed bytes in a header never trap`() {
    let seed: UInt64 = 7
    var random = SeededGenerator(seed: seed)
    let names = [
      "card.jpg", "card-progressive.jpg", "card.gif", "card.webp", "alpha.webp", "turned.webp",
      "deep.png",
    ]
    for name in names {
      let file = image(name)
      for _ in 0..<300 {
        var changed = Array(file.prefix(Int.random(in: 0...file.count, using: &random)))
        for _ in 0..<3 where !changed.isEmpty {
          changed[Int.random(in: changed.indices, using: &random)] = .random(
            in: 0...255, using: &random)
        }
        _ = JPEGHeader(changed)
        _ = ProgressiveScans.reduced(changed)
        for format in ImageFormat.allCases { _ = HeaderSize(of: format, firstBytes: changed) }
        _ = ImageFormat(firstBytes: changed)
      }
    }
  }

  @Test(arguments: [
    ("alpha.png", ImageFormat.png), ("card.gif", .gif), ("card.webp", .webp), ("alpha.webp", .webp),
    ("turned.webp", .webp),
  ])
  func `the header contains the size`(name: String, format: ImageFormat) {
    let size = HeaderSize(of: format, firstBytes: image(name))

    #expect(size?.width == 64)
    #expect(size?.height == 32)
    #expect(size?.needsWholePicture == (format != .png))
  }

  @Test func `a GIF's frame that exceeds its screen counts towards the size`() {
    let screen: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [0, 0, 0, 1, 1, 1]
    let comment: [UInt8] = [0x21, 0xfe, 2, 0x61, 0x62, 0]
    let frame: [UInt8] = [0x2c, 2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0]

    let size = HeaderSize(of: .gif, firstBytes: screen + comment + frame)

    #expect(size?.width == 65537)
    #expect(size?.height == 65535)
  }

  @Test(arguments: [
    (20_000, 20_000, ImageFormat.png, false, true), (20_001, 20_000, .png, false, false),
    (14_000, 14_000, .webp, true, true), (15_000, 15_000, .webp, true, false),
    (16_384, 100, .gif, true, true), (16_385, 100, .gif, true, false),
    (Int.max, Int.max, .tiff, false, false),
  ])
  func `pictures above the limits are rejected`(
    width: Int, height: Int, format: ImageFormat, needsWhole: Bool, isAllowed: Bool
  ) {
    let check = {
      try PixelLimits.check(
        width: width, height: height, format: format, needsWholePicture: needsWhole)
    }
    if isAllowed {
      #expect(throws: Never.self) { try check() }
    } else {
      #expect(throws: FailureReason.tooLarge(width: width, height: height)) { try check() }
    }
  }

  @Test(arguments: [
    // Stored size, target size, eighths.
    ((4000, 3000), (256, 192), 1), ((4000, 3000), (500, 150), 1), ((4000, 3000), (501, 150), 2),
    ((4000, 3000), (1001, 750), 4), ((4000, 3000), (2001, 1500), 8), ((64, 32), (64, 32), 8),
    ((8, 8), (1, 1), 2),
    // Of up to 8 megapixels, an eighth has to be half again as large.
    ((3200, 2400), (266, 200), 1), ((3200, 2400), (267, 200), 2), ((1600, 1200), (196, 147), 2),
    ((3600, 2400), (450, 150), 1),
    // A pane of a comparison is half again as large, of up to 4 megapixels.
    ((4000, 3000), (500, 375), 2), ((3200, 2400), (800, 600), 4), ((6000, 4000), (1440, 960), 2),
    ((2000, 1500), (1100, 825), 8),
    // 108 megapixels are above the limit; 6 eighths of each side are not.
    ((12_000, 9000), (8192, 6144), 6),
  ])
  func `a JPEG is decoded at the smallest sufficient scale`(
    size: (Int, Int), target: (Int, Int), eighths: Int
  ) throws {
    var header = try #require(JPEGHeader(image("card.jpg")))
    (header.width, header.height) = size

    #expect(
      try PixelLimits.eighths(of: header, target: (width: target.0, height: target.1)) == eighths)
  }

  @Test func `a JPEG that is too large at its smallest scale is rejected`() throws {
    var header = try #require(JPEGHeader(image("card.jpg")))
    (header.width, header.height) = (65500, 65500)
    #expect(throws: FailureReason.tooLarge(width: 65500, height: 65500)) {
      try PixelLimits.eighths(of: header, target: (1, 1))
    }
    (header.width, header.height) = (16_000, 16_000)
    #expect(throws: Never.self) { try PixelLimits.eighths(of: header, target: (1, 1)) }
    header.isProgressive = true
    #expect(throws: FailureReason.tooLarge(width: 16_000, height: 16_000)) {
      try PixelLimits.eighths(of: header, target: (1, 1))
    }
  }
}
