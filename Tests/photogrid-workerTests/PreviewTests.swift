import Geometry
import Glibc
import PhotoLibrary
import Photos
import SceneModel
import TestSupport
import Testing
import WorkerProtocol

/// Previews of photos that are shown before they are decoded, with real workers.
@Suite(.serialized) struct PreviewTests {
  let folder = TemporaryFolder()

  static let red: UInt32 = 0xe02020
  static let green: UInt32 = 0x20c040
  static let photo = JPEGFile.flat(300, 200, red)

  static func rgb(_ color: UInt32) -> [Int] {
    [Int(color >> 16), Int(color >> 8 & 255), Int(color & 255), 255]
  }

  /// The pictures of the first photo, in the order in which they were shown.
  func pictures(
    of bytes: [UInt8], named name: String = "photo.jpg",
    _ demand: Demand = .fitting(Photo.ID(0), 90)
  ) throws -> [Bitmap] {
    let store = try PhotoStore.of([folder.write(bytes, to: name)])
    var pictures: [Bitmap] = []
    store.setDemands([demand], at: now())
    store.run { store in
      guard let picture = store.picture(0), picture != pictures.last else { return }
      pictures.append(picture)
    }
    #expect(store.failure(of: Photo.ID(0)) == nil)
    #expect(store.isDecoded(Photo.ID(0)))
    return pictures
  }

  func expectColors(
    _ pictures: [Bitmap], _ colors: [UInt32], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(pictures.count == colors.count, sourceLocation: sourceLocation)
    for (picture, color) in zip(pictures, colors) {
      #expect(
        areAlike(picture.quarters, Array(repeating: Self.rgb(color), count: 4)),
        "\(picture.quarters)", sourceLocation: sourceLocation)
    }
  }

  @Test func `the thumbnail is shown first, and then the photo`() throws {
    let file = Self.photo.insertingExif(thumbnail: JPEGFile.flat(60, 40, Self.green))

    let pictures = try pictures(of: file)

    expectColors(pictures, [Self.green, Self.red])
    #expect(pictures.map(\.width) == [60, 90])
  }

  @Test func `a thumbnail is scaled down to the requested size`() throws {
    let file = Self.photo.insertingExif(thumbnail: JPEGFile.flat(60, 40, Self.green))

    let pictures = try pictures(of: file, .fitting(Photo.ID(0), 30))

    expectColors(pictures, [Self.green, Self.red])
    #expect(pictures.map { [$0.width, $0.height] } == [[30, 20], [30, 20]])
  }

  @Test func `a thumbnail is rotated like its photo, exactly once`() throws {
    let quarters = { (width: Int, height: Int) in
      JPEGFile.of(width, height) { x, y in
        [0xe02020, 0x20c040, 0x3050f0, 0xe0d020][(y * 2 / height) * 2 + x * 2 / width]
      }
    }
    for (number, order) in [
      (1, [0, 1, 2, 3]), (3, [3, 2, 1, 0]), (6, [2, 0, 3, 1]), (8, [1, 3, 0, 2]),
    ] {
      let file = quarters(300, 200).insertingExif(
        thumbnail: quarters(60, 40), orientation: number)

      let pictures = try pictures(of: file, named: "\(number).jpg")

      let colors: [UInt32] = [0xe02020, 0x20c040, 0x3050f0, 0xe0d020]
      let expected = order.map { Self.rgb(colors[$0]) }
      #expect(pictures.count == 2)
      for picture in pictures {
        #expect((picture.width > picture.height) == (number < 5))
        #expect(areAlike(picture.quarters, expected, tolerance: 30), "orientation \(number)")
      }
    }
  }

  @Test func `black bars are cut off a thumbnail`() throws {
    let barred = JPEGFile.of(80, 60) { _, y in (4..<56).contains(y) ? Self.green : 0 }
    let file = Self.photo.insertingExif(thumbnail: barred)

    let pictures = try pictures(of: file)

    expectColors(pictures, [Self.green, Self.red])
    #expect(pictures[0].width == 80 && (49...53).contains(pictures[0].height))
    for x in [0, 40, 79] {
      #expect(areAlike([pictures[0].pixel(x, 0)], [Self.rgb(Self.green)], tolerance: 30))
    }
  }

  @Test(arguments: [
    // Another aspect ratio without bars, a rotated one, a tiny one, and one larger than the photo.
    JPEGFile.flat(80, 60, green), JPEGFile.flat(40, 60, green), JPEGFile.flat(30, 20, green),
    JPEGFile.flat(400, 266, green),
    // Not pictures.
    Array("\u{1b}[31m no picture".utf8), [], [0xff, 0xd8, 0xff],
    Array(JPEGFile.flat(60, 40, green).prefix(300)),
    // A thumbnail that declares a huge size.
    JPEGFile.flat(60, 40, green).claiming(width: 65_500, height: 43_666),
  ])
  func `a thumbnail that is broken or does not match the photo is not shown`(
    thumbnail: [UInt8]
  ) throws {
    expectColors(
      try pictures(of: Self.photo.insertingExif(thumbnail: thumbnail)), [Self.red])
  }

  @Test func `EXIF cut at any byte loses at most the thumbnail`() throws {
    let whole =
      Array("Exif\0\0".utf8)
      + TIFFBuilder().file(
        TIFFBuilder.Directory(
          [(0x112, 3, .numbers([1]))],
          next: TIFFBuilder.Directory([
            (0x201, 4, .pieces([JPEGFile.flat(60, 40, Self.green)])), (0x202, 4, .numbers([600])),
          ])))
    let cuts =
      Array(stride(from: 0, to: whole.count, by: 41)) + Array(whole.count - 30..<whole.count)
    let paths = cuts.map { count in
      folder.write(
        Self.photo.inserting(segment(0xe1, Array(whole.prefix(count)))), to: "\(count).jpg")
    }
    let store = try PhotoStore.of(paths)

    store.fetchAll(side: 90)

    for number in cuts.indices {
      let picture = try #require(store.picture(number), "cut at \(cuts[number])")
      #expect(store.isDecoded(Photo.ID(number)))
      #expect(areAlike(picture.quarters, Array(repeating: Self.rgb(Self.red), count: 4)))
    }
  }

  // MARK: Raw photos

  @Test(arguments: RawFile.allCases)
  func `a raw photo is shown by its largest preview, rotated`(kind: RawFile) throws {
    let large = JPEGFile.of(300, 200) { x, _ in x < 150 ? Self.red : Self.green }
    let small = JPEGFile.of(60, 40) { x, _ in x < 30 ? Self.red : Self.green }
    let isTold = kind != .raf
    let file = kind.file(
      small: small, large: isTold ? large : large.insertingExif(thumbnail: [], orientation: 6),
      orientation: 6)

    let store = try PhotoStore.of([folder.write(file, to: "photo.\(kind.suffix)")])
    store.fetchAll(side: 100)

    let picture = try #require(store.picture(0), "\(store.failure(of: Photo.ID(0)) ?? "")")
    #expect([picture.width, picture.height] == [67, 100])
    let (red, green) = (Self.rgb(Self.red), Self.rgb(Self.green))
    #expect(areAlike(picture.quarters, [red, red, green, green]))
    let info = store.info(of: Photo.ID(0))
    #expect(info?.format == .raw && info?.orientation == 6)
    #expect(info?.size == PixelSize(width: 200, height: 300))
    #expect(info?.taken?.iso8601 == (isTold ? "2021-03-04T05:06:07" : nil))
    #expect(info?.stamp.byteCount == Int64(file.count))
  }

  @Test func `a raw photo without previews fails with a message, also if it is cut or empty`()
    throws
  {
    let cut = Array(RawFile.raf.file(small: [], large: Self.photo).prefix(120))
    let lone = Array("II*\0".utf8) + [16, 0, 0, 0] + Array("CR".utf8) + [2, 0, 0, 0, 0, 0]
    let store = try PhotoStore.of([
      folder.write(cut, to: "a.raf"), folder.write(lone, to: "b.cr2"),
      folder.write(Array("IIRO".utf8) + [8, 0, 0, 0], to: "c.orf"),
    ])

    store.fetchAll()

    for photo in store.photos {
      #expect(store.failure(of: photo) == "unsupported: raw photo without a preview")
    }
  }

  @Test func `the small preview of a raw photo and of a TIFF comes first`() throws {
    let small = JPEGFile.flat(60, 40, Self.green)

    expectColors(
      try pictures(of: RawFile.arw.file(small: small, large: Self.photo), named: "a.arw"),
      [Self.green, Self.red])
  }
}

extension [UInt8] {
  /// The JPEG file with another size in its header.
  fileprivate func claiming(width: Int, height: Int) -> [UInt8] {
    guard let frame = firstRange(of: [0xff, 0xc0])?.upperBound else { return self }
    var file = self
    file.replaceSubrange(
      (frame + 3)..<(frame + 7),
      with: [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
    return file
  }

  private func firstRange(of bytes: [UInt8]) -> Range<Int>? {
    indices.dropLast(bytes.count - 1).first { self[$0..<($0 + bytes.count)].elementsEqual(bytes) }
      .map { $0..<($0 + bytes.count) }
  }
}
