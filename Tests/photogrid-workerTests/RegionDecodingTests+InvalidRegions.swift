import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// Regions that cannot be decoded: outside the photo, malformed, or of damaged files.
extension RegionDecodingTests {
  @Test(arguments: [
    PhotoRegion(x: -1, y: 0, width: 10, height: 10),
    PhotoRegion(x: 0, y: -1, width: 10, height: 10),
    PhotoRegion(x: 91, y: 0, width: 10, height: 10),
    PhotoRegion(x: 0, y: 67, width: 10, height: 10),
    PhotoRegion(x: 100, y: 0, width: 1, height: 1), PhotoRegion(x: 0, y: 0, width: 101, height: 1),
    PhotoRegion(x: 2_000_000_000, y: 0, width: 2_000_000_000, height: 1),
    PhotoRegion(x: .min, y: .min, width: .max, height: .max),
  ])
  func `a region outside the photo is refused, and the photo stays as it is`(
    region: PhotoRegion
  ) throws {
    let store = try PhotoStore.of([folder.write(image("texture-420.jpg"), to: "photo")])
    store.fetchAll()
    let whole = store.picture(0)

    store.setDemands([.region(region)], at: now())
    store.run()

    #expect(store.closeUp(of: Photo.ID(0)) == nil)
    #expect(store.picture(0) == whole)
    #expect(store.failure(of: Photo.ID(0)) == nil)
    #expect(store.remaining == 0 && store.problem == nil)
  }

  @Test(arguments: [
    (0, 0, 0, 1, 1), (0, 0, 1, 0, 1), (0, 0, -1, 1, 1), (0, 0, 1, 1, 0), (0, 0, 1, 1, 3),
    (0, 0, 1, 1, 128),
  ])
  func `a message with an empty or invalid region is malformed`(
    x: Int, y: Int, width: Int, height: Int, reduction: Int
  )
    throws
  {
    let region = PhotoRegion(x: x, y: y, width: width, height: height, reduction: reduction)
    let request = DecodeProtocol.Request.photo(path: [0x61], .decodeRegion(region))
      .encoded()
    let bitmap = Bitmap(width: 1, height: 1, pixels: [0, 0, 0, 0], isOpaque: false)
    let response = DecodeProtocol.Response.decodedRegion(region, bitmap).encoded()

    #expect(throws: ProtocolError.malformed) { try DecodeProtocol.Request(payload: request[4...]) }
    #expect(throws: ProtocolError.malformed) {
      try DecodeProtocol.Response(payload: response[4...])
    }
  }

  @Test func `a region of a file with changed bytes never loses the photo's picture`() throws {
    let seed: UInt64 = 0x9a7
    var random = SeededGenerator(seed: seed)
    let names = Self.jpegs + Self.others
    for number in 0..<44 {
      let name = names[number % names.count]
      let store = try PhotoStore.of([folder.write(image(name), to: "photo")])
      store.fetchAll()
      let whole = store.picture(0)
      var file = image(name)
      for _ in 0..<6 {
        file[Int.random(in: 12..<file.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      // The file changes while the store still has its picture.
      folder.write(file, to: "photo")

      store.setDemands([.region(PhotoRegion(x: 1, y: 2, width: 20, height: 12))], at: now())
      store.run()

      #expect(store.picture(0) == whole)
      #expect(store.problem == nil)
    }
  }
}
