import Geometry
import Glibc
import PhotoLibrary
import Photos
import SceneModel
import TestSupport
import Testing
import WorkerProtocol

/// Pixels as the real worker decodes them.
@Suite(.serialized) struct DecodingTests {
  let folder = TemporaryFolder()

  static let red = [220, 40, 40, 255]
  static let green = [40, 180, 60, 255]
  static let blue = [50, 80, 220, 255]
  static let yellow = [240, 210, 40, 255]
  static let card = [red, green, blue, yellow]

  /// Writes files with the given bytes, and returns a store that has fetched them all.
  func store(_ files: [[UInt8]], side: Double = 1000) throws -> PhotoStore {
    let store = try PhotoStore.of(
      files.enumerated().map { folder.write($1, to: "photo-\($0)") })
    store.fetchAll(side: side)
    return store
  }

  @Test func `every format is decoded with its quarters in the right places and colours`() throws {
    let names = [
      "card.jpg", "card-progressive.jpg", "palette.png", "deep.png", "card.gif", "card.webp",
      "card.tif", "big-endian.tif", "card.heic", "card.avif",
    ]
    let formats: [ImageFormat] = [
      .jpeg, .jpeg, .png, .png, .gif, .webp, .tiff, .tiff, .heic, .avif,
    ]

    let store = try store(names.map(image))

    for (number, name) in names.enumerated() {
      let picture = try #require(store.picture(number), "\(name)")
      #expect(areAlike(picture.quarters, Self.card), "\(name): \(picture.quarters)")
      #expect([picture.width, picture.height] == [64, 32], "\(name)")
      #expect(picture.isOpaque, "\(name)")
      let info = try #require(store.info(of: Photo.ID(number)), "\(name)")
      #expect(info.format == formats[number], "\(name)")
      #expect(info.size == PixelSize(width: 64, height: 32), "\(name)")
      #expect(info.orientation == 1 && !info.isIncomplete && info.taken == nil, "\(name)")
      #expect(info.stamp.byteCount == Int64(image(name).count), "\(name)")
      #expect(info.stamp.seconds > 1_700_000_000, "\(name)")
    }
  }

  @Test func `each of the eight orientations is applied to a JPEG`() throws {
    let (r, g, b, y) = (Self.red, Self.green, Self.blue, Self.yellow)
    let expected = [
      [r, g, b, y], [g, r, y, b], [y, b, g, r], [b, y, r, g],
      [r, b, g, y], [b, r, y, g], [y, g, b, r], [g, y, r, b],
    ]

    let small = try store((1...8).map { image("card.jpg").inserting(exif(orientation: $0)) })

    for number in 1...8 {
      let picture = try #require(small.picture(number - 1))
      #expect(areAlike(picture.quarters, expected[number - 1]), "orientation \(number)")
      #expect([picture.width, picture.height] == (number < 5 ? [64, 32] : [32, 64]))
      let info = small.info(of: Photo.ID(number - 1))
      #expect(info?.orientation == number)
      #expect(info?.size.width == (number < 5 ? 64 : 32))
    }
  }

  @Test func `orientations are applied at reduced sizes too`() throws {
    let store = try store(
      [3, 6, 8].map { image("card.jpg").inserting(exif(orientation: $0)) }, side: 8)

    let sizes = (0..<3).map { store.picture($0).map { [$0.width, $0.height] } }
    #expect(sizes == [[8, 4], [4, 8], [4, 8]])
    let (r, g, b, y) = (Self.red, Self.green, Self.blue, Self.yellow)
    for (number, expected) in [[y, b, g, r], [b, r, y, g], [g, y, r, b]].enumerated() {
      let picture = try #require(store.picture(number))
      #expect(areAlike(picture.quarters, expected, tolerance: 20), "\(picture.quarters)")
    }
  }

  @Test func `other formats are rotated by their orientation, exactly once`() throws {
    let names = ["turned.png", "turned.webp", "turned.tif"]
    for side in [1000.0, 16] {
      let store = try store(names.map(image), side: side)
      for (number, name) in names.enumerated() {
        let picture = try #require(store.picture(number), "\(name)")
        let quarters = [Self.blue, Self.red, Self.yellow, Self.green]
        #expect(areAlike(picture.quarters, quarters, tolerance: 20), "\(name) \(picture.quarters)")
        #expect(picture.height == picture.width * 2, "\(name)")
        #expect(store.info(of: Photo.ID(number))?.orientation == 6, "\(name)")
      }
      #expect(store.info(of: Photo.ID(1))?.taken?.iso8601 == "2024-05-01T12:30:00")
    }
  }

  @Test func `the picture's time falls back to EXIF DateTime, and invalid values are ignored`()
    throws
  {
    let store = try store([
      image("card.jpg").inserting(exif(dateTime: "2020:01:02 03:04:05")),
      image("card.jpg").inserting(exif(dateTime: "0000:00:00 00:00:00")),
      image("card.jpg").inserting(exif(orientation: 99)),
    ])

    #expect(store.info(of: Photo.ID(0))?.taken?.iso8601 == "2020-01-02T03:04:05")
    #expect(store.info(of: Photo.ID(1))?.taken == nil)
    #expect(store.info(of: Photo.ID(2))?.orientation == 1)
  }

  @Test func `broken EXIF costs the facts, never the picture`() throws {
    let head = Array("Exif\0\0".utf8)
    let blocks: [[UInt8]] = [
      [], [0x49, 0x49], Array("II*\0".utf8) + [0xff, 0xff, 0xff, 0xff],
      Array("MM\0*\0\0\0\u{08}".utf8) + [0xff, 0xff],
      // An entry of 4 billion shorts.
      Array("MM\0*\0\0\0\u{08}\0\u{01}\u{01}\u{12}\0\u{03}".utf8)
        + [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
    ]

    let store = try store(blocks.map { image("card.jpg").inserting(segment(0xe1, head + $0)) })

    for number in blocks.indices {
      #expect(store.picture(number).map { areAlike($0.quarters, Self.card) } == true, "\(number)")
      #expect(store.info(of: Photo.ID(number))?.orientation == 1)
    }
  }

  @Test func `a picture fits or fills the requested size, and is never enlarged`() throws {
    let path = folder.write(image("card.jpg"), to: "card.jpg")
    let wanted: [(PixelSize, ContentMode, [Int])] = [
      (PixelSize(width: 20, height: 20), .fit, [20, 10]),
      (PixelSize(width: 20, height: 20), .fill, [40, 20]),
      (PixelSize(width: 33, height: 500), .fit, [33, 17]),
      (PixelSize(width: 500, height: 500), .fill, [64, 32]),
      (PixelSize(width: 1, height: 1), .fit, [1, 1]),
    ]
    for (size, mode, sides) in wanted {
      let store = try PhotoStore.of([path])
      store.setDemands([Demand(photo: Photo.ID(0), size: size, mode: mode)], at: now())
      store.run()

      let picture = try #require(store.picture(0))
      #expect([picture.width, picture.height] == sides)
    }
  }

  @Test func `a small picture of a progressive JPEG is the same with and without its late scans`()
    throws
  {
    let file = image("card-progressive.jpg")
    // Without its end marker the file is decoded with all scans.
    let store = try store([file, Array(file.dropLast(2))], side: 8)

    let picture = try #require(store.picture(0))
    #expect(picture.width == 8)
    #expect(picture == store.picture(1))
    #expect(store.info(of: Photo.ID(0))?.isIncomplete == false)
    #expect(store.info(of: Photo.ID(1))?.isIncomplete == true)
  }

  @Test func `the format is determined by the contents of a file, not by its name`() throws {
    let paths = [
      folder.write(image("card.gif"), to: "gif.jpg"), folder.write(image("card.jpg"), to: "x.png"),
      folder.write(image("card.webp"), to: "plain"),
      folder.write(image("card.tif"), to: "a[0].jpg"),
      folder.write(image("alpha.png"), to: [0xff, 0x0a, 0x1b]),
      folder.write(image("card.avif"), to: "photo.jpg[n=-1]"),
    ]

    let store = try PhotoStore.of(paths)
    store.fetchAll()

    #expect(
      store.photos.map { store.info(of: $0)?.format } == [
        .gif, .jpeg, .webp, .tiff, .png, .avif,
      ])
  }

  @Test(.enabled(if: getenv("PHOTOGRID_TEST_PHOTOS") != nil))
  func `every photo of a real folder is shown`() throws {
    let root = Array(String(cString: getenv("PHOTOGRID_TEST_PHOTOS")).utf8)
    let request = ListingRequest(roots: [root], isRecursive: true)
    let lister = try ListingClient(worker: .program(), request)
    var paths: [[UInt8]] = []
    while !lister.pollRequests.isEmpty {
      wait(for: lister.pollRequests, until: nil)
      for case .found(let batch) in lister.service(at: now()) { paths += batch.paths }
    }

    let store = try PhotoStore.of(paths)
    store.fetchAll(side: 256)

    #expect(!paths.isEmpty)
    for photo in store.photos {
      let name = String(decoding: store.index[photo], as: UTF8.self)
      #expect(store.failure(of: photo) == nil, "\(name)")
      #expect(store.info(of: photo)?.isIncomplete == false, "\(name)")
    }
  }

  /// An EXIF segment with one entry.
  private func exif(orientation: Int) -> [UInt8] {
    entry([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0], [])
  }

  /// An EXIF segment with the time of the file's last change.
  private func exif(dateTime: String) -> [UInt8] {
    entry([0x01, 0x32, 0, 2, 0, 0, 0, 20, 0, 0, 0, 26], Array(dateTime.utf8) + [0])
  }

  private func entry(_ entry: [UInt8], _ values: [UInt8]) -> [UInt8] {
    let head = Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1]
    return segment(0xe1, head + entry + [0, 0, 0, 0] + values)
  }
}
