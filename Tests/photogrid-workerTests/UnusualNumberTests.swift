import Geometry
import Glibc
import PhotoLibrary
import Photos
import TestSupport
import Testing

/// Pictures whose numbers are neither bytes of red, green and blue nor of gray.
@Suite(.serialized) struct UnusualNumberTests {
  let folder = TemporaryFolder()

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var file: String
    var bytes: [UInt8]
    var expected: [[Int]]
    var tolerance = 2

    var testDescription: String { name }
  }

  private func check(_ shown: Case) throws {
    for side in [1000.0, 16] {
      let path = folder.write(shown.bytes, to: "\(Int(side))-\(shown.file)")
      let store = try PhotoStore.of([path])
      store.fetchAll(side: side)
      let failure = store.failure(of: Photo.ID(0)) ?? ""
      let picture = try #require(store.picture(0), "\(shown.name): \(failure)")
      #expect(
        areAlike(
          picture.quarters, shown.expected, tolerance: side == 1000 ? shown.tolerance : 14),
        "\(shown.name) at \(side): \(picture.quarters) instead of \(shown.expected)")
      #expect(
        store.info(of: Photo.ID(0))?.size == PixelSize(width: 64, height: 32), "\(shown.name)")
    }
  }

  private static let card = DecodingTests.card
  private static let grays = [30, 90, 160, 220].map { [$0, $0, $0, 255] }

  /// The quarters of pixels, each made by the number of its quarter.
  private static func quarters(_ pixel: (Int) -> [UInt8]) -> [UInt8] {
    let pixels = (0..<4).map(pixel)
    return (0..<32).flatMap { row in
      (0..<64).flatMap { column in pixels[(row < 16 ? 0 : 2) + (column < 32 ? 0 : 1)] }
    }
  }

  // MARK: Inks

  /// Photos whose inks are scaled down before they are mixed.
  ///
  /// The right values are those of the card, as
  /// the inks were made from it, and as ImageMagick shows them.
  private static let inkCases: [Case] = {
    var unmarked = image("card-inks.jpg")
    if let adobe = unmarked.firstRange(of: Array("Adobe".utf8))?.lowerBound {
      // Without the marker the numbers are inks, where they were light and color before.
      unmarked[adobe] = 0x58
    }
    let other = segment(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1] + image("same.icc"))
    let light = [
      [0, 255, 255, 255], [255, 0, 255, 255], [255, 255, 0, 255], [127, 127, 127, 255],
    ]
    return [
      Case(
        name: "black ink", file: "a.jpg", bytes: image("card-inks.jpg"), expected: card,
        tolerance: 4),
      // As ImageMagick and Pillow show it.
      Case(
        name: "no marker", file: "a.jpg", bytes: unmarked,
        expected: [
          [127, 141, 20, 255], [56, 127, 150, 255], [133, 35, 137, 255], [40, 211, 91, 255],
        ], tolerance: 4),
      Case(
        name: "a profile for RGB", file: "a.jpg", bytes: image("card-inks.jpg").inserting(other),
        expected: card, tolerance: 4),
      Case(
        name: "light inks", file: "a.jpg", bytes: image("inks.jpg"), expected: light, tolerance: 4),
      Case(
        name: "YCCK", file: "a.jpg", bytes: image("inks-ycck.jpg"), expected: light, tolerance: 4),
    ]
  }()

  @Test(arguments: inkCases)
  func `inks that are scaled down keep their colors`(shown: Case) throws { try check(shown) }

  /// Cyan, magenta, yellow and black as amounts of ink: how ImageMagick divides the card's colors.
  private static let inks = card.map { color in
    let most = max(color[0], color[1], color[2])
    return color.prefix(3).map { (most - $0) * 255 / most } + [255 - most]
  }

  /// A Photoshop document of the card in CMYK; the numbers are 255 for no ink.
  private static func psd(bits: Int = 8, isPacked: Bool = false, extra: Int = 0) -> [UInt8] {
    func big(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> ((width - 1 - $0) * 8)) }
    }
    let channels = 4 + extra
    var bytes = Array("8BPS".utf8) + [0, 1] + [UInt8](repeating: 0, count: 6)
    bytes += big(channels, 2) + big(32, 4) + big(64, 4) + big(bits, 2) + big(4, 2)
    bytes += big(0, 4) + big(0, 4) + big(0, 4) + big(isPacked ? 1 : 0, 2)
    var (lengths, rows): ([UInt8], [UInt8]) = ([], [])
    for channel in 0..<channels {
      for row in 0..<32 {
        var coded: [UInt8] = []
        for half in 0..<2 {
          let number = UInt8(channel < 4 ? 255 - inks[(row < 16 ? 0 : 2) + half][channel] : 255)
          if isPacked, bits == 8 {
            // A run of 30, a literal of 2, and nothing.
            coded += [UInt8(bitPattern: -29), number, 1, number, number, 128]
          } else {
            coded += (0..<32).flatMap { _ in [UInt8](repeating: number, count: bits / 8) }
          }
        }
        lengths += big(coded.count, 2)
        rows += coded
      }
    }
    return bytes + (isPacked ? lengths : []) + rows
  }

  /// The right values are those of the card: ImageMagick's too, except that libvips loses its black.
  private static let documentCases: [Case] = [
    Case(name: "plain", file: "a.psd", bytes: psd(), expected: card),
    Case(name: "packed", file: "a.psd", bytes: psd(isPacked: true), expected: card),
    Case(name: "16 bits", file: "a.psd", bytes: psd(bits: 16), expected: card),
    Case(name: "a spot color", file: "a.psd", bytes: psd(extra: 1), expected: card),
    Case(name: "RGB", file: "a.psd", bytes: image("card.psd"), expected: card),
  ]

  @Test(arguments: documentCases)
  func `a Photoshop document in CMYK is not inverted`(shown: Case) throws { try check(shown) }

  @Test func `a truncated Photoshop document in CMYK is shown as far as it goes`() throws {
    let path = folder.write(Array(psd().dropLast(200)), to: "cut.psd")
    let store = try PhotoStore.of([path])
    store.fetchAll()
    #expect(store.info(of: Photo.ID(0))?.isIncomplete == true)
    #expect(store.picture(0) != nil)
  }

  private func psd() -> [UInt8] { Self.psd() }

  // MARK: TIFF

  /// A TIFF of the card, or of grays, with samples of a kind (TIFF 6.0, section 8 and "SampleFormat").
  private static func tiff(
    _ bits: Int, format: Int, samples: Int = 1, photometry: Int? = nil, _ pixel: (Int) -> [UInt8]
  ) -> [UInt8] {
    let data = quarters(pixel)
    return TIFFBuilder().file(
      TIFFBuilder.Directory([
        (256, 4, .numbers([64])), (257, 4, .numbers([32])),
        (258, 3, .numbers([Int](repeating: bits, count: samples))), (259, 3, .numbers([1])),
        (262, 3, .numbers([photometry ?? (samples == 1 ? 1 : 2)])), (273, 4, .pieces([data])),
        (277, 3, .numbers([samples])), (278, 4, .numbers([32])), (279, 4, .numbers([data.count])),
        (339, 3, .numbers([Int](repeating: format, count: samples))),
      ]))
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private static func floats(_ values: [Double]) -> [UInt8] {
    values.flatMap { little(Float($0).bitPattern) }
  }

  private static func light(_ number: Int) -> Double {
    // The curve of sRGB (IEC 61966-2-1).
    let value = Double(number) / 255
    return value <= 0.04045 ? value / 12.92 : exp(2.4 * log((value + 0.055) / 1.055))
  }

  /// Grays of floating-point numbers are those of ImageMagick and GIMP, colors those of libvips.
  ///
  /// 0 is black, 1 white; between them, grays are as sRGB has them, and colors are linear.
  private static let tiffCases: [Case] = [
    Case(
      name: "gray of 32-bit floats", file: "a.tif",
      bytes: tiff(32, format: 3) { floats([Double(grays[$0][0]) / 255]) }, expected: grays),
    Case(
      name: "floats beyond black and white", file: "a.tif",
      bytes: tiff(32, format: 3) { floats([[-1, 7, Double.infinity, 0.5][$0]]) },
      expected: [0, 255, 255, 128].map { [$0, $0, $0, 255] }),
    Case(
      name: "no numbers", file: "a.tif",
      bytes: tiff(32, format: 3) { floats([[Double.nan, 0.2, -Double.infinity, 1][$0]]) },
      expected: [0, 51, 0, 255].map { [$0, $0, $0, 255] }),
    Case(
      name: "linear colors of floats", file: "a.tif",
      bytes: tiff(32, format: 3, samples: 3) { quarter in
        floats(card[quarter].prefix(3).map { light($0) })
      }, expected: card),
    Case(
      name: "gray of 16 bits", file: "a.tif",
      bytes: tiff(16, format: 1) { little(UInt16(grays[$0][0] * 257)) }, expected: grays),
    Case(
      name: "gray of 32 bits", file: "a.tif",
      bytes: tiff(32, format: 1) { little(UInt32(grays[$0][0]) * 16_843_009) }, expected: grays),
    Case(
      name: "colors of 32 bits", file: "a.tif",
      bytes: tiff(32, format: 1, samples: 3) { quarter in
        card[quarter].prefix(3).flatMap { little(UInt32($0) * 16_843_009) }
      }, expected: card),
    // The greatest number is white, and none below 0 has light.
    Case(
      name: "gray of signed 16 bits", file: "a.tif",
      bytes: tiff(16, format: 2) { little(Int16([0, 12_850, 32_767, -5000][$0])) },
      expected: [0, 100, 255, 0].map { [$0, $0, $0, 255] }),
    Case(
      name: "gray of signed 32 bits", file: "a.tif",
      bytes: tiff(32, format: 2) { little(Int32([0, 842_150_450, 2_147_483_647, -5000][$0])) },
      expected: [0, 100, 255, 0].map { [$0, $0, $0, 255] }),
    // White is 0.
    Case(
      name: "inverted gray of 32-bit floats", file: "a.tif",
      bytes: tiff(32, format: 3, photometry: 0) { floats([1 - Double(grays[$0][0]) / 255]) },
      expected: grays),
    Case(
      name: "inverted gray of 64-bit floats", file: "a.tif",
      bytes: tiff(64, format: 3, photometry: 0) {
        little((1 - Double(grays[$0][0]) / 255).bitPattern)
      }, expected: grays),
    Case(
      name: "inverted gray of signed 16 bits", file: "a.tif",
      bytes: tiff(16, format: 2, photometry: 0) {
        little(Int16([32_767, 19_917, 0, -5000][$0]))
      }, expected: [0, 100, 255, 255].map { [$0, $0, $0, 255] }),
    Case(
      name: "inverted gray of 16 bits", file: "a.tif",
      bytes: tiff(16, format: 1, photometry: 0) { little(65535 - UInt16(grays[$0][0] * 257)) },
      expected: grays),
    Case(
      name: "inks", file: "a.tif",
      bytes: tiff(8, format: 1, samples: 4, photometry: 5) { quarter in
        // Through libvips's own profile, in which ink is never quite black.
        [[0, 0, 0, 0], [0, 0, 0, 255], [255, 255, 255, 255], [0, 0, 0, 0]][quarter]
      },
      expected: [255, 36, 36, 255].map { [$0, $0, $0, 255] }, tolerance: 12),
  ]

  @Test(arguments: tiffCases)
  func `the numbers of a TIFF have the ends of their range as black and white`(shown: Case) throws {
    try check(shown)
  }

  /// The upper half follows the lower one ("The PFM format", by Paul Debevec).
  private static func pfm(_ head: String, _ pixel: (Int) -> [UInt8]) -> [UInt8] {
    Array(head.utf8) + quarters { pixel(($0 + 2) % 4) }
  }

  private static let pfmCases: [Case] = [
    Case(
      name: "gray", file: "a.pfm",
      bytes: pfm("Pf\n64 32\n-1.0\n") { floats([Double(grays[$0][0]) / 255]) }, expected: grays),
    Case(
      name: "linear colors", file: "a.pfm",
      bytes: pfm("PF\n64 32\n-1.0\n") { floats(card[$0].prefix(3).map { light($0) }) },
      expected: card),
    Case(
      name: "big-endian", file: "a.pfm",
      bytes: pfm("Pf\n64 32\n1.0\n") { floats([Double(grays[$0][0]) / 255]).reversed() },
      expected: grays),
  ]

  @Test(arguments: pfmCases) func `the rows of a PFM go from the bottom to the top`(
    shown: Case
  ) throws { try check(shown) }

  // MARK: PAM

  private static func pam(
    _ kind: String?, depth: Int, most: Int = 255, _ pixel: (Int) -> [Int]
  ) -> [UInt8] {
    let head =
      "P7\n# by hand\nWIDTH 64\nHEIGHT 32\nDEPTH \(depth)\nMAXVAL \(most)\n"
      + (kind.map { "TUPLTYPE \($0)\n" } ?? "") + "ENDHDR\n"
    return Array(head.utf8)
      + quarters { quarter in
        pixel(quarter).flatMap { most > 255 ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0)] }
      }
  }

  private static let halves = [255, 128, 0, 255]
  private static let clearGrays: [[Int]] = (0..<4).map { (quarter: Int) -> [Int] in
    [Int](repeating: (grays[quarter][0] * halves[quarter] + 127) / 255, count: 3) + [
      halves[quarter]
    ]
  }
  private static let clearCard: [[Int]] = (0..<4).map { (quarter: Int) -> [Int] in
    let alpha = halves[quarter]
    return card[quarter].prefix(3).map { (channel: Int) -> Int in (channel * alpha + 127) / 255 }
      + [alpha]
  }

  /// The types of tuples of netpbm's manual ("pam"), whose colors are not multiplied by their alpha.
  private static let pamCases: [Case] = [
    Case(
      name: "BLACKANDWHITE", file: "a.pam",
      bytes: pam("BLACKANDWHITE", depth: 1, most: 1) { [[0, 1, 1, 0][$0]] },
      expected: [0, 255, 255, 0].map { [$0, $0, $0, 255] }),
    Case(
      name: "BLACKANDWHITE_ALPHA", file: "a.pam",
      bytes: pam("BLACKANDWHITE_ALPHA", depth: 2, most: 1) {
        [[0, 1], [1, 1], [1, 0], [0, 0]][$0]
      },
      expected: [[0, 0, 0, 255], [255, 255, 255, 255], [0, 0, 0, 0], [0, 0, 0, 0]]),
    Case(
      name: "GRAYSCALE", file: "a.pam",
      bytes: pam("GRAYSCALE", depth: 1) { [grays[$0][0]] }, expected: grays),
    Case(
      name: "GRAYSCALE of 16 bits", file: "a.pam",
      bytes: pam("GRAYSCALE", depth: 1, most: 65_535) { [grays[$0][0] * 257] }, expected: grays),
    Case(
      name: "GRAYSCALE up to 1000", file: "a.pam",
      bytes: pam("GRAYSCALE", depth: 1, most: 1000) { [[0, 200, 500, 1000][$0]] },
      expected: [0, 51, 128, 255].map { [$0, $0, $0, 255] }),
    Case(
      name: "GRAYSCALE_ALPHA", file: "a.pam",
      bytes: pam("GRAYSCALE_ALPHA", depth: 2) { [grays[$0][0], halves[$0]] }, expected: clearGrays),
    Case(
      name: "RGB", file: "a.pam",
      bytes: pam("RGB", depth: 3) { Array(card[$0].prefix(3)) }, expected: card),
    Case(
      name: "RGB of 16 bits", file: "a.pam",
      bytes: pam("RGB", depth: 3, most: 65_535) { card[$0].prefix(3).map { $0 * 257 } },
      expected: card),
    Case(
      name: "RGB_ALPHA", file: "a.pam",
      bytes: pam("RGB_ALPHA", depth: 4) { card[$0].prefix(3) + [halves[$0]] }, expected: clearCard),
    Case(
      name: "no type", file: "a.pam",
      bytes: pam(nil, depth: 3) { Array(card[$0].prefix(3)) }, expected: card),
    Case(
      name: "CMYK", file: "a.pam", bytes: pam("CMYK", depth: 4) { inks[$0] }, expected: card),
  ]

  @Test(arguments: pamCases)
  func `each type of PAM is shown with its size`(shown: Case) throws { try check(shown) }

  @Test func `a truncated PAM is shown as far as it goes, and one without pixels is not`() throws {
    let file = Self.pam("RGB", depth: 3) { Array(Self.card[$0].prefix(3)) }
    let store = try PhotoStore.of([
      folder.write(Array(file.dropLast(64 * 3 * 16)), to: "half.pam"),
      folder.write(
        Array("P7\nWIDTH 9\nHEIGHT 0\nDEPTH 3\nMAXVAL 255\nENDHDR\n".utf8), to: "none.pam"),
    ])
    store.fetchAll()
    #expect(store.info(of: Photo.ID(0))?.isIncomplete == true)
    #expect(store.picture(0).map { Array($0.quarters[..<2]) } == Array(Self.card[..<2]))
    #expect(store.failure(of: Photo.ID(1)) != nil)
  }
}
