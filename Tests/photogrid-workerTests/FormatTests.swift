import Glibc
import PhotoLibrary
import Photos
import TestSupport
import Testing
import WorkerProtocol

/// The formats that are decoded only inside the sandbox.
@Suite(.serialized) struct FormatTests {
  let folder = TemporaryFolder()

  private static let formats: [ImageFormat] = [
    .bmp, .tga, .pcx, .psd, .ico, .dds, .pnm, .hdr, .exr, .fits, .jp2, .jxl, .xcf, .ras, .xpm,
  ]

  private func fileName(_ format: ImageFormat) -> String {
    "card.\(format == .pnm ? "ppm" : format.rawValue)"
  }

  private func store(_ files: [(name: String, bytes: [UInt8])]) throws -> PhotoStore {
    let store = try PhotoStore.of(files.map { folder.write($0.bytes, to: $0.name) })
    store.fetchAll()
    return store
  }

  @Test func `every format is decoded with its quarters in the right places and colours`() throws {
    let store = try store(Self.formats.map { (fileName($0), image(fileName($0))) })
    for (number, format) in Self.formats.enumerated() {
      let failure = store.failure(of: Photo.ID(number)) ?? ""
      let picture = try #require(store.picture(number), "\(format): \(failure)")
      #expect([picture.width, picture.height] == [64, 32], "\(format)")
      // DXT compression has 16 bits a pixel, and FITS files are measurements without colors.
      let tolerance = format == .dds ? 12 : format == .fits ? 60 : 6
      #expect(
        areAlike(picture.quarters, DecodingTests.card, tolerance: tolerance),
        "\(format): \(picture.quarters)")
      let info = try #require(store.info(of: Photo.ID(number)))
      #expect(info.format == format && !info.isIncomplete, "\(format)")
    }
  }

  /// ImageMagick counts its limit of time from the first file that a process loads, and ends the
  /// process: with a limit of ten seconds this fails.
  @Test func `a decoder loads files by ImageMagick for as long as it lives`() throws {
    let path = folder.write(image("card.psd"), to: "card.psd")
    let worker = try AskedWorker()
    #expect(worker.whole(path) != nil)
    sleep(11)
    #expect(worker.whole(path) != nil)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `one worker decodes photos of all formats in any order, with and without thumbnails`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let names = (Self.formats.map { fileName($0) } + ["card.jpg", "card.avif", "card.heic"])
      .shuffled(using: &random)
    let paths = names.map { folder.write(image($0), to: $0) }
    for path in paths { ThumbnailTests.touch(path, ThumbnailTests.modified) }
    var limits = StoreLimits()
    limits.workerCount = 1
    let cache = ThumbnailAccess(folder: Array((folder.path + "/cache").utf8), mayWrite: true)
    for side in [64.0, 40] {
      let store = PhotoStore(worker: try .find(), limits: limits, thumbnails: cache)
      store.index.append(paths)
      store.fetchAll(side: side)
      store.finish()
      for number in names.indices {
        let failure = store.failure(of: Photo.ID(number)) ?? ""
        #expect(store.picture(number) != nil, "seed \(seed): \(names[number]): \(failure)")
      }
    }
  }

  @Test func `a TIFF whose profile cannot be linked is shown without it`() throws {
    var bytes = image("swapped.tif")
    // A profile that links two devices describes no picture.
    let signature = try #require(bytes.firstRange(of: Array("mntrRGB XYZ ".utf8)))
    bytes.replaceSubrange(signature.prefix(4), with: "link".utf8)

    let store = try store([("linked.tif", bytes)])

    #expect(store.picture(0) != nil, "\(store.failure(of: Photo.ID(0)) ?? "")")
  }

  /// A TIFF of the card with 4 bits a sample, which libvips does not load.
  private static let packedTIFF: [UInt8] = {
    func field(_ tag: Int, _ kind: Int, _ count: Int, _ value: Int) -> [UInt8] {
      [tag, kind].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        + [count, value].flatMap { number in (0..<4).map { UInt8(number >> (8 * $0) & 0xFF) } }
    }
    let fields = [
      field(256, 3, 1, 64), field(257, 3, 1, 32), field(258, 3, 3, 122), field(259, 3, 1, 1),
      field(262, 3, 1, 2), field(273, 4, 1, 128), field(277, 3, 1, 3), field(278, 3, 1, 32),
      field(279, 4, 1, 64 * 32 * 3 / 2),
    ]
    var file: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, UInt8(fields.count), 0]
    file += fields.flatMap(\.self) + [0, 0, 0, 0]
    // The bits of the three samples, then the rows.
    file += [4, 0, 4, 0, 4, 0]
    for row in 0..<32 {
      let samples = (0..<64).flatMap { column in
        DecodingTests.card[(row < 16 ? 0 : 2) + (column < 32 ? 0 : 1)].prefix(3).map {
          UInt8(min(($0 + 8) / 17, 15))
        }
      }
      file += stride(from: 0, to: samples.count, by: 2).map { samples[$0] << 4 | samples[$0 + 1] }
    }
    return file
  }()

  @Test func `what libvips does not load of TIFF is shown by ImageMagick`() throws {
    let store = try store([("packed.tif", Self.packedTIFF), ("card.tif", image("card.tif"))])

    for number in 0..<2 {
      let failure = store.failure(of: Photo.ID(number)) ?? ""
      let picture = try #require(store.picture(number), "\(failure)")
      #expect([picture.width, picture.height] == [64, 32])
      #expect(
        areAlike(picture.quarters, DecodingTests.card, tolerance: 12), "\(picture.quarters)")
      let info = try #require(store.info(of: Photo.ID(number)))
      #expect(info.format == .tiff && !info.isIncomplete)
    }
  }

  @Test func `a region of a photo that ImageMagick shows is decoded`() throws {
    let store = try store([("packed.tif", Self.packedTIFF)])
    let region = PhotoRegion(x: 32, y: 16, width: 32, height: 16)
    store.setDemands([.region(region)], at: now())
    store.finish()
    #expect(store.closeUp(of: Photo.ID(0))?.region.satisfies(region) == true)
  }

  @Test(arguments: ["card.tif", "card.jp2"])
  func `a broken photo is tried by ImageMagick too, and says what was wrong at first`(
    name: String
  ) throws {
    let bytes = image(name)
    let cut = Array(bytes.prefix(bytes.count / 8))
    let store = try store([(name, cut), ("other." + name, Array(bytes.prefix(16)))])

    for number in 0..<2 {
      let failure = try #require(store.failure(of: Photo.ID(number)), "\(number)")
      let isKnown = ["truncated", "damaged", "unsupported"].contains { failure.hasPrefix($0) }
      #expect(isKnown, "\(failure)")
    }
  }

  @Test func `JPEG 2000 is decoded at the smallest of its sizes that is large enough`() throws {
    for side in [8.0, 16, 20, 40, 64] {
      let store = try PhotoStore.of([folder.write(image("card.jp2"), to: "card.jp2")])
      store.fetchAll(side: side)
      let picture = try #require(store.picture(0), "\(store.failure(of: Photo.ID(0)) ?? "")")
      #expect([picture.width, picture.height] == [Int(side), Int(side / 2)], "\(side)")
      #expect(areAlike(picture.quarters, DecodingTests.card, tolerance: 30), "\(side)")
    }
  }

  @Test func `a truncated uncompressed file gives a marked picture or a failure`() throws {
    let files = ["card.bmp", "card.tga"].map { name in
      ("cut-" + name, Array(image(name).dropLast(2000)))
    }
    let store = try store(files)
    for number in files.indices {
      #expect(store.info(of: Photo.ID(number))?.isIncomplete != false, "\(files[number].0)")
      let isEither = store.picture(number) != nil || store.failure(of: Photo.ID(number)) != nil
      #expect(isEither)
    }
  }

  @Test func `an SVG is recognized only by its extension, and files it refers to are not shown`()
    throws
  {
    let other = folder.write(image("card.bmp"), to: "secret.bmp")
    let path = String(decoding: other, as: UTF8.self)
    func drawing(_ inside: String) -> [UInt8] {
      Array(
        """
        <?xml version="1.0"?>
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
          width="64" height="32"><rect width="64" height="32" fill="#28b43c"/>\(inside)</svg>
        """.utf8)
    }
    let reference = "<image width=\"64\" height=\"32\" xlink:href=\"file://\(path)\"/>"
    let store = try store([
      ("a.svg", drawing("")), ("b.svg", drawing(reference)), ("c.jpg", drawing("")),
    ])
    let green = Array(repeating: DecodingTests.green, count: 4)
    for number in 0..<2 {
      let failure = store.failure(of: Photo.ID(number)) ?? ""
      let picture = try #require(store.picture(number), "\(failure)")
      #expect(areAlike(picture.quarters, green, tolerance: 2), "\(number) \(picture.quarters)")
    }
    #expect(store.failure(of: Photo.ID(2)) == "not an image")
  }

  @Test(.enabled(if: access("/usr/share/fonts/truetype", F_OK) == 0))
  func `the text of an SVG is drawn`() throws {
    let text = """
      <?xml version="1.0"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="64" height="32"><rect width="64" height="32"
        fill="#28b43c"/><text x="0" y="30" font-size="40">MMM</text></svg>
      """
    let store = try store([("a.svg", Array(text.utf8))])
    let picture = try #require(store.picture(0), "\(store.failure(of: Photo.ID(0)) ?? "")")
    #expect((0..<64).contains { (picture.pixel($0, 16).prefix(3).max() ?? 255) < 30 })
  }

  @Test func `headers of these formats that declare too large a size are refused`() throws {
    func little(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> ($0 * 8) & 255) } }
    func big(_ number: UInt32) -> [UInt8] { little(number).reversed() }
    let side: UInt32 = 60_000
    let bmp =
      Array("BM".utf8) + little(100) + little(0) + little(54) + little(40) + little(side)
      + little(side) + [1, 0, 24, 0] + [UInt8](repeating: 0, count: 24)
    let tga =
      [0, 0, 2] + [UInt8](repeating: 0, count: 9) + [0x60, 0xEA, 0x60, 0xEA, 24, 0]
      + [UInt8](repeating: 0, count: 30)
    let psd =
      Array("8BPS\0\u{01}".utf8) + [UInt8](repeating: 0, count: 6) + [0, 3] + big(30_000)
      + big(30_000) + [0, 8, 0, 3] + [UInt8](repeating: 0, count: 20)
    let dds =
      Array("DDS ".utf8) + little(124) + little(7) + little(side) + little(side)
      + [UInt8](repeating: 0, count: 108)
    let store = try store([
      ("a.bmp", bmp), ("b.tga", tga), ("c.psd", psd), ("d.dds", dds),
    ])
    for number in 0..<4 {
      #expect(store.failure(of: Photo.ID(number))?.hasPrefix("too large: ") == true, "\(number)")
    }
  }
}
