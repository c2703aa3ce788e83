import Geometry
import Glibc
import ImageFormats
import Photos
import TestSupport
import Testing
import WorkerProtocol

/// Photos with an orientation in their sidecars, which takes the place of the one in the file.
@Suite struct SidecarTurnTests {
  static let photos: [(name: String, bytes: [UInt8])] =
    [
      "card.jpg", "alpha.png", "turned.png", "turned.webp", "turned.tif", "card.heic", "card.avif",
      "card.gif", "card.bmp", "card.jxl", "card.psd",
    ].map { ($0, image($0)) }
    + [
      ("turned.jpg", image("card.jpg").insertingExif(thumbnail: [], orientation: 8)),
      (
        "raw.nef",
        RawFile.nef.file(small: image("card.jpg"), large: image("card.jpg"), orientation: 3)
      ),
    ]

  @Test(arguments: photos)
  func `facts, pictures and parts have the sidecar's orientation, relative to the stored picture`(
    name: String, bytes: [UInt8]
  ) throws {
    let folder = TemporaryFolder()
    let path = folder.write(bytes, to: name)
    let worker = try AskedWorker()
    let (info, picture) = try #require(worker.whole(path))
    let own = try #require(StoredOrientation(ByteSource(bytes), name: path)?.orientation)
    for number in 1...8 {
      let wanted = Orientation(number: number)
      folder.write(SidecarOrientation.document(wanted), to: name + ".xmp")
      let turn = own.inverse.followed(by: wanted)
      let expected = picture.turned(turn)
      let (turned, whole) = try #require(worker.whole(path))
      #expect(whole == expected, "\(name) \(number)")
      #expect(turned.size == turn.turned(info.size))

      let region = PhotoRegion(
        x: 0, y: 0, width: whole.width / 2, height: whole.height / 2, reduction: 1)
      let (covered, part) = try #require(worker.part(region, of: path))
      #expect(covered.satisfies(region) && covered.sampleSize == (part.width, part.height))
      let middle = (x: whole.width / 4, y: whole.height / 4)
      #expect(
        areAlike(
          [part.pixel(middle.x - covered.x, middle.y - covered.y)],
          [whole.pixel(middle.x, middle.y)]), "\(name) \(number)")
    }
  }

  @Test func `the pictures of a HEIC are turned from how they are stored`() throws {
    // Stored upright, and turned by a property, as phones do it.
    let bytes = TurnedHEIC.file([("irot", 3)])
    #expect(HEIFOrientation.read(ByteSource(bytes)) == .quarterTurn)
    let folder = TemporaryFolder()
    let path = folder.write(bytes, to: "a.heic")
    let worker = try AskedWorker()
    let stored = try #require(worker.whole(folder.write(image("card.heic"), to: "b.heic")))
    #expect(worker.whole(path)?.1 == stored.1.turned(.quarterTurn))
    folder.write(SidecarOrientation.document(.upright), to: "a.heic.xmp")
    #expect(worker.whole(path)?.1 == stored.1)
  }

  @Test func `frames of an animation are turned`() throws {
    let folder = TemporaryFolder()
    let path = folder.write(image("film.webp"), to: "film.webp")
    let worker = try AskedWorker()
    let plain = try #require(worker.frames(of: path))
    folder.write(SidecarOrientation.document(.quarterTurn), to: "film.webp.xmp")
    let turned = try #require(worker.frames(of: path))
    #expect(turned == plain.map { $0.turned(.quarterTurn) })
  }
}

extension ThumbnailTests {
  @Test
  func `a thumbnail in the cache has the photo's own orientation, and is turned for a sidecar`()
    throws
  {
    // Red on the left, green on the right.
    let path = photo(bytes: image("card.jpg"))
    folder.write(SidecarOrientation.document(.quarterTurn), to: "photo.jpg.xmp")
    let first = try show(path)
    #expect(first.info?.size == PixelSize(width: 32, height: 64))
    #expect(first.info?.orientation == 6)
    #expect(PNGFile.sides(of: contents(of: try onlyFile())) == [64, 32])
    try paint(onlyFile(), Self.green)
    for number in [6, 1, 3, nil] {
      if let number {
        folder.write(
          SidecarOrientation.document(Orientation(number: number)), to: "photo.jpg.xmp")
      } else {
        unlink(cString(path[...] + ".xmp".utf8))
      }
      let shown = try show(path)
      #expect(shown.pictures == 1, "from the cache")
      #expect(areAlike([try #require(shown.color)], [PreviewTests.rgb(Self.green)]))
      let isUpright = number != 6
      #expect(
        shown.info?.size
          == (isUpright
            ? PixelSize(width: 64, height: 32) : PixelSize(width: 32, height: 64)))
      #expect(shown.info?.orientation == number ?? 1)
    }
  }
}
