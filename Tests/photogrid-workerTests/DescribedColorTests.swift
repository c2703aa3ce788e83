import Geometry
import PhotoLibrary
import Photos
import TestSupport
import Testing

/// Colors that a file describes without an ICC profile, as they are shown in sRGB.
///
/// The right values are the formulas of the standards, calculated apart from the program: the light of
/// each number by its curve (ITU-T H.273, table 3; ITU-R BT.2100; highlights by ITU-R BT.2390, 5.4.1,
/// from 1,000 to 203 cd/m²), the matrices of both sets of primaries with Bradford's adaptation of white,
/// and the curve of sRGB (IEC 61966-2-1).
@Suite(.serialized) struct DescribedColorTests {
  let folder = TemporaryFolder()

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]
    var expected: [[Int]]
    var tolerance = 2

    var testDescription: String { name }
  }

  /// Tells whether pictures of a file have the right quarters, whole and scaled down.
  private func check(_ shown: Case, sides: [Double] = [1000, 16]) throws {
    for side in sides {
      let store = try PhotoStore.of([folder.write(shown.bytes, to: "photo-\(Int(side))")])
      store.fetchAll(side: side)
      let failure = store.failure(of: Photo.ID(0)) ?? ""
      let picture = try #require(store.picture(0), "\(shown.name): \(failure)")
      let quarters = picture.quarters.map { Array($0.prefix(3)) }
      #expect(
        areAlike(quarters, shown.expected, tolerance: side == 1000 ? shown.tolerance : 14),
        "\(shown.name) at \(side): \(quarters) instead of \(shown.expected)")
    }
  }

  // MARK: PNG

  private static let card = DecodingTests.card.map { Array($0.prefix(3)) }
  private static let displayP3 = [[240, 0, 21], [0, 183, 30], [40, 81, 228], [246, 209, 0]]
  private static let adobe = [[255, 35, 35], [0, 182, 42], [22, 79, 225], [251, 211, 0]]
  private static let linear = [
    [239, 110, 110], [110, 219, 133], [122, 152, 239], [248, 234, 110],
  ]

  /// The card as a PNG with chunks before its pixels.
  private static func png(_ chunks: [(String, [UInt8])], bits: Int = 8, isGray: Bool = false)
    -> [UInt8]
  {
    let rows = (0..<32).flatMap { row -> [UInt8] in
      [0]
        + (0..<64).flatMap { column -> [UInt8] in
          let quarter = (row < 16 ? 0 : 2) + (column < 32 ? 0 : 1)
          let samples = isGray ? [grays[quarter]] : Array(card[quarter])
          return samples.flatMap { bits == 8 ? [UInt8($0)] : [UInt8($0), UInt8($0)] }
        }
    }
    func bigEndian(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
    return PNGFile.signature
      + PNGFile.chunk(
        "IHDR", bigEndian(64) + bigEndian(32) + [UInt8(bits), isGray ? 0 : 2, 0, 0, 0])
      + chunks.flatMap { PNGFile.chunk($0.0, $0.1) } + PNGFile.chunk("IDAT", PNGFile.deflated(rows))
      + PNGFile.chunk("IEND", [])
  }

  private static let grays = [30, 90, 160, 220]

  private static func numbers(_ values: [Int]) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
  }

  private static func cicp(_ primaries: UInt8, _ transfer: UInt8, range: UInt8 = 1) -> (
    String, [UInt8]
  ) {
    ("cICP", [primaries, transfer, 0, range])
  }

  private static func gamma(_ value: Int) -> (String, [UInt8]) { ("gAMA", numbers([value])) }

  /// White, red, green and blue, x and y.
  private static func primaries(_ values: [Int]) -> (String, [UInt8]) { ("cHRM", numbers(values)) }

  private static let primaries709 = primaries([
    31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000,
  ])
  private static let primariesP3 = primaries([
    31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000,
  ])
  private static let primariesAdobe = primaries([
    31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000,
  ])

  /// Which chunk holds: PNG specification, third edition, 4.3.
  private static let pngCases: [Case] = [
    Case(name: "no chunk", bytes: png([]), expected: card),
    Case(name: "cICP of Display P3", bytes: png([cicp(12, 13)]), expected: displayP3),
    Case(
      name: "cICP of Display P3, 16 bits", bytes: png([cicp(12, 13)], bits: 16), expected: displayP3
    ),
    Case(name: "cICP of sRGB", bytes: png([cicp(1, 13)]), expected: card),
    Case(
      name: "cICP of BT.2020", bytes: png([cicp(9, 14)]),
      expected: [[255, 0, 23], [0, 190, 14], [0, 80, 230], [255, 207, 0]]),
    Case(
      name: "cICP of BT.601, 625 lines", bytes: png([cicp(5, 6)]),
      expected: [[224, 40, 40], [7, 180, 63], [48, 80, 219], [241, 210, 47]]),
    Case(
      name: "cICP of BT.601, 525 lines", bytes: png([cicp(6, 6)]),
      expected: [[214, 51, 39], [59, 177, 59], [57, 84, 220], [238, 209, 35]]),
    Case(
      name: "cICP of DCI-P3, white of its own", bytes: png([cicp(11, 13)]),
      expected: [[234, 0, 23], [0, 184, 30], [42, 80, 228], [244, 209, 0]]),
    Case(
      name: "cICP of BT.470 M, gamma 2.2", bytes: png([cicp(4, 4)]),
      expected: [[255, 0, 0], [0, 178, 42], [0, 99, 227], [255, 204, 0]]),
    Case(
      name: "cICP of gamma 2.8", bytes: png([cicp(1, 5)]),
      expected: [[212, 17, 17], [17, 165, 36], [26, 56, 212], [237, 200, 17]]),
    Case(name: "cICP of linear light", bytes: png([cicp(1, 8)]), expected: linear),
    Case(
      name: "cICP of linear BT.2020, 16 bits", bytes: png([cicp(9, 8)], bits: 16),
      expected: [[255, 74, 106], [0, 228, 120], [79, 154, 247], [255, 233, 78]]),
    Case(
      name: "cICP of PQ", bytes: png([cicp(1, 16)]),
      expected: [[255, 17, 17], [17, 254, 39], [27, 68, 255], [255, 255, 17]]),
    Case(
      name: "cICP of BT.2020 with PQ", bytes: png([cicp(9, 16)]),
      expected: [[255, 0, 0], [0, 255, 0], [0, 67, 255], [255, 255, 0]]),
    Case(
      name: "cICP of BT.2020 with HLG", bytes: png([cicp(9, 18)]),
      expected: [[255, 0, 0], [0, 227, 0], [0, 80, 255], [255, 245, 0]]),
    Case(
      name: "cICP of a limited range", bytes: png([cicp(1, 13, range: 0)]),
      expected: [[238, 28, 28], [28, 191, 51], [40, 74, 238], [255, 226, 28]]),
    Case(name: "cICP of nothing known", bytes: png([cicp(2, 2)]), expected: card),
    Case(
      name: "cICP before gAMA", bytes: png([gamma(100_000), cicp(12, 13)]), expected: displayP3),
    Case(
      name: "cICP before iCCP",
      bytes: png([
        ("iCCP", Array("x\0\0".utf8) + PNGFile.deflated(image("swapped.icc"))), cicp(12, 13),
      ]),
      expected: displayP3),
    Case(
      name: "cICP of sRGB before iCCP",
      bytes: png([
        ("iCCP", Array("x\0\0".utf8) + PNGFile.deflated(image("swapped.icc"))), cicp(1, 13),
      ]),
      expected: card),
    Case(
      name: "iCCP before gAMA",
      bytes: png([
        ("iCCP", Array("x\0\0".utf8) + PNGFile.deflated(image("swapped.icc"))), gamma(100_000),
      ]), expected: card.map { [$0[2], $0[1], $0[0]] }),
    Case(
      name: "sRGB before gAMA and cHRM", bytes: png([("sRGB", [0]), gamma(100_000), primariesP3]),
      expected: card),
    Case(name: "gAMA of linear light", bytes: png([gamma(100_000)]), expected: linear),
    Case(
      name: "gAMA of linear light, 16 bits", bytes: png([gamma(100_000)], bits: 16),
      expected: linear),
    Case(
      name: "gAMA of 1/1.8", bytes: png([gamma(55_556)]),
      expected: [[227, 53, 53], [53, 193, 77], [65, 99, 227], [243, 218, 53]]),
    // ImageMagick shows these as sRGB, for which they are written.
    Case(name: "gAMA of 1/2.2", bytes: png([gamma(45_455), primaries709]), expected: card),
    Case(name: "gAMA of 0", bytes: png([gamma(0)]), expected: card),
    Case(name: "cHRM of Display P3", bytes: png([primariesP3]), expected: displayP3),
    Case(
      name: "cHRM and gAMA of Adobe RGB", bytes: png([gamma(45_470), primariesAdobe]),
      expected: adobe),
    Case(
      name: "cHRM of a single point",
      bytes: png([primaries([31270, 32900, 30000, 30000, 30000, 30000, 30000, 30000])]),
      expected: card),
    Case(
      name: "gAMA of a gray picture", bytes: png([gamma(100_000)], isGray: true),
      expected: [96, 160, 208, 239].map { [$0, $0, $0] }),
    Case(
      name: "gAMA of a gray picture, 16 bits", bytes: png([gamma(100_000)], bits: 16, isGray: true),
      expected: [96, 160, 208, 239].map { [$0, $0, $0] }),
  ]

  @Test(arguments: pngCases)
  func `a PNG's chunks say what its numbers are`(shown: Case) throws { try check(shown) }

  // MARK: HEIC and AVIF

  /// The card with other code points for primaries and transfer (ISO/IEC 23008-12, 6.5.5).
  private static func avif(_ primaries: UInt8, _ transfer: UInt8) -> [UInt8] {
    var bytes = image("card.avif")
    guard let place = bytes.firstRange(of: Array("nclx".utf8))?.upperBound else { return [] }
    (bytes[place + 1], bytes[place + 3]) = (primaries, transfer)
    return bytes
  }

  private static let heifCases: [Case] = [
    Case(name: "AVIF, sRGB", bytes: avif(1, 13), expected: card, tolerance: 6),
    Case(name: "AVIF, nothing said", bytes: avif(2, 2), expected: card, tolerance: 6),
    Case(name: "AVIF, BT.709 of films", bytes: avif(1, 1), expected: card, tolerance: 6),
    Case(name: "AVIF, Display P3", bytes: avif(12, 13), expected: displayP3, tolerance: 8),
    Case(
      name: "AVIF, PQ", bytes: avif(1, 16),
      expected: [[255, 17, 17], [17, 254, 39], [27, 68, 255], [255, 255, 17]], tolerance: 10),
    Case(name: "HEIC, Display P3", bytes: image("p3.heic"), expected: displayP3, tolerance: 4),
    Case(
      name: "AVIF, 10 bits, PQ", bytes: image("deep-pq.avif"),
      expected: [[63, 63, 63], [229, 229, 229], [255, 255, 255], [212, 98, 49]], tolerance: 1),
    Case(
      name: "AVIF, 10 bits, HLG", bytes: image("deep-hlg.avif"),
      expected: [[77, 77, 77], [165, 165, 165], [229, 229, 229], [154, 102, 71]], tolerance: 1),
  ]

  @Test(arguments: heifCases)
  func `a HEIC or AVIF says by code points what its numbers are`(shown: Case) throws {
    try check(shown)
  }

  @Test func `the primary picture is shown, though it is not the first`() throws {
    let store = try PhotoStore.of([folder.write(image("second-primary.heic"), to: "a.heic")])
    store.fetchAll()
    let picture = try #require(store.picture(0))
    #expect([picture.width, picture.height] == [64, 32])
    #expect(store.info(of: Photo.ID(0))?.size == PixelSize(width: 64, height: 32))
    #expect(areAlike(picture.quarters, DecodingTests.card), "\(picture.quarters)")
  }

  @Test func `a picture of 20 megapixels with 10 bits takes less than 400 MB`() throws {
    let store = try PhotoStore.of([folder.write(image("large-deep.avif"), to: "a.avif")])
    store.fetchAll()
    #expect(store.info(of: Photo.ID(0))?.size == PixelSize(width: 5000, height: 4000))
    #expect(store.picture(0) != nil)
    #expect((100_000..<400_000).contains(store.peakKilobytes), "\(store.peakKilobytes) kB")
  }

  // MARK: EXIF

  /// A JPEG whose EXIF has a color space and an interoperability index (Exif 2.3, 4.6.7; DCF 2.0).
  private static func jpeg(space: Int, index: String?, name: String = "card.jpg") -> [UInt8] {
    var photo: [(tag: Int, type: Int, values: TIFFBuilder.Values)] = [
      (0xa001, 3, .numbers([space]))
    ]
    if let index {
      let rules = TIFFBuilder.Directory([(1, 2, .bytes(Array(index.utf8) + [0]))])
      photo.append((0xa005, 4, .directories([rules])))
    }
    let main = TIFFBuilder.Directory([(0x8769, 4, .directories([TIFFBuilder.Directory(photo)]))])
    let block = TIFFBuilder(isBigEndian: true).file(main)
    return image(name).inserting(segment(0xe1, Array("Exif\0\0".utf8) + block))
  }

  private static let exifCases: [Case] = [
    Case(name: "R03", bytes: jpeg(space: 0xffff, index: "R03"), expected: adobe, tolerance: 10),
    Case(name: "R98", bytes: jpeg(space: 0xffff, index: "R98"), expected: card, tolerance: 6),
    Case(name: "no index", bytes: jpeg(space: 0xffff, index: nil), expected: card, tolerance: 6),
    Case(name: "sRGB and R03", bytes: jpeg(space: 1, index: "R03"), expected: card, tolerance: 6),
    Case(name: "color space 2", bytes: jpeg(space: 2, index: nil), expected: adobe, tolerance: 10),
    Case(
      name: "R03 and a profile",
      bytes: jpeg(space: 0xffff, index: "R03").inserting(
        segment(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1] + image("same.icc"))),
      expected: card, tolerance: 6),
    Case(
      name: "R03 in gray", bytes: jpeg(space: 0xffff, index: "R03", name: "gray.jpg"),
      expected: grays.map { [$0, $0, $0] }, tolerance: 4),
  ]

  @Test(arguments: exifCases)
  func `a JPEG's EXIF says that its colors are those of Adobe RGB`(shown: Case) throws {
    try check(shown)
  }

  @Test func `the panel names the colors that a file describes`() throws {
    let files = [
      Self.png([Self.cicp(12, 13)]), Self.png([Self.cicp(9, 16)]), Self.avif(12, 13),
      image("p3.heic"), Self.jpeg(space: 0xffff, index: "R03"), Self.png([]), Self.avif(1, 13),
    ]
    let worker = try AskedWorker()
    let names = files.enumerated().map { number, bytes in
      worker.metadata(folder.write(bytes, to: "photo-\(number)"))?.profile
    }
    #expect(
      names == [
        "Display P3", "BT.2020 PQ", "Display P3", "Display P3", "Adobe RGB (1998)", nil, nil,
      ])
  }

  @Test func `a region has the same colors as the whole picture`() throws {
    let worker = try AskedWorker()
    let files = [
      Self.png([Self.cicp(12, 13)]), Self.png([Self.cicp(12, 13)], bits: 16), image("p3.heic"),
      Self.jpeg(space: 2, index: nil),
    ]
    for (number, bytes) in files.enumerated() {
      let path = folder.write(bytes, to: "region-\(number)")
      let whole = try #require(worker.whole(path)).1
      let region = PhotoRegion(x: 32, y: 16, width: 32, height: 16)
      let part = try #require(worker.part(region, of: path)).1
      #expect(
        areAlike(
          [part.pixel(part.width - 8, part.height - 8)], [whole.pixel(56, 24)], tolerance: 1),
        "\(number)")
    }
  }
}
