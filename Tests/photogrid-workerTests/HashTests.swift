import Foundation
import PhotoLibrary
import Photos
import TestSupport
import Testing
import WorkerProtocol

/// The hashes of real pictures, as real workers find them.
@Suite(.serialized) struct HashTests {
  let folder = TemporaryFolder()

  /// Returns the events of a run that finds the hashes of photos.
  private func events(_ paths: [[UInt8]], thumbnails: String? = nil) throws -> [StoreEvent] {
    let access = thumbnails.map { ThumbnailAccess(folder: Array($0.utf8), mayWrite: true) }
    let store = PhotoStore(worker: try .find(), thumbnails: access)
    store.index.append(paths)
    store.setHashDemands(store.photos, at: now())
    let events = store.runToEnd()
    store.shutDown()
    return events
  }

  /// Returns the hashes of photos, none of which fails.
  private func hashes(_ paths: [[UInt8]], thumbnails: String? = nil) throws -> [DifferenceHash?] {
    var hashes = [DifferenceHash?](repeating: nil, count: paths.count)
    var count = 0
    for case .hashed(let photo, let info) in try events(paths, thumbnails: thumbnails) {
      hashes[photo.index] = info.hash
      count += 1
    }
    #expect(count == paths.count, "each once")
    return hashes
  }

  /// A JPEG of a picture, its colors changed by a function.
  private func jpeg(
    _ picture: Bitmap, quality: Int32 = 90, _ change: (Int) -> Int = { $0 }
  ) -> [UInt8] {
    JPEGFile.of(picture.width, picture.height, sampling: .quarter, quality: quality) { x, y in
      picture.pixel(x, y)[..<3].reduce(0) { $0 << 8 | UInt32(max(0, min(255, change($1)))) }
    }
  }

  @Test
  func `copies of sample photos in other sizes, qualities and lights are similar, others not`()
    throws
  {
    let names = [
      "Alpine Lake.jpg", "Autumn Valley.jpg", "Lighthouse.jpg", "Palm Beach.tif", "Moonrise.webp",
    ]
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Assets/Photos").path
    let samples = names.map { Array("\(root)/\($0)".utf8) }
    let store = try PhotoStore.of(samples)
    defer { store.shutDown() }
    var files = samples
    for side in [420.0, 150] {
      store.setDemands(store.photos.map { .fitting($0, side) }, at: now())
      store.run()
      for number in names.indices {
        let picture = try #require(store.picture(number))
        let copies = [
          jpeg(picture, quality: 50), jpeg(picture) { $0 + 18 }, jpeg(picture) { $0 * 11 / 10 },
        ]
        for (place, copy) in copies.enumerated() {
          files.append(folder.write(copy, to: "\(number) \(Int(side)) \(place).jpg"))
        }
      }
      store.reload(Photo.ID(0), at: now())
    }

    let found = try hashes(files)
    func original(_ place: Int) -> Int {
      place < names.count ? place : (place - names.count) / 3 % names.count
    }
    for left in files.indices {
      for right in files.indices[(left + 1)...] {
        let (one, other) = (try #require(found[left]), try #require(found[right]))
        #expect(
          (one.distance(to: other) <= NearDuplicates.usualDistance)
            == (original(left) == original(right)),
          "\(left) \(right): \(one.distance(to: other))")
      }
    }
  }

  @Test func `a preview, a thumbnail and the decoded photo give the hash`() throws {
    let wave = JPEGFile.of(600, 400) { x, y in UInt32((x / 3 + y / 7) % 256) * 0x010101 }
    let preview = JPEGFile.of(120, 80) { x, y in UInt32((x * 5 / 3 + y * 5 / 7) % 256) * 0x010101 }
    let plain = folder.write(wave, to: "plain.jpg")
    let previewed = folder.write(wave.insertingExif(thumbnail: preview), to: "previewed.jpg")
    for path in [plain, previewed] { ThumbnailTests.touch(path, ThumbnailTests.modified) }
    let cache = "\(folder.path)/cache"

    let first = try hashes([plain, previewed], thumbnails: cache)
    let (one, other) = (try #require(first[0]), try #require(first[1]))
    #expect(one.distance(to: other) <= 3)
    // The photo that was decoded has a thumbnail now, of which alone the hash is taken.
    let cached = try #require(try hashes([plain], thumbnails: cache)[0])
    #expect(one.distance(to: cached) <= 3)
  }

  @Test func `a picture of one colour has no hash, and a broken file fails`() throws {
    let flat = folder.write(JPEGFile.flat(60, 40, 0x808080), to: "flat.jpg")
    let broken = folder.write(Array("no photo".utf8), to: "broken.jpg")
    let events = try events([flat, broken])
    let found = events.compactMap { event -> String? in
      switch event {
      case .hashed(let photo, let info): "\(photo.index) \(info.hash == nil)"
      case .failed(let photo): "\(photo.index) failed"
      default: nil
      }
    }
    #expect(found.sorted() == ["0 true", "1 failed"])
  }

  @Test func `a tile's picture brings the hash, and no further request is needed`() throws {
    let path = folder.write(
      JPEGFile.of(300, 200) { x, y in UInt32((x + y) % 256) * 0x010101 }, to: "a.jpg")
    let store = try PhotoStore.of([path])
    defer { store.shutDown() }
    store.setDemands([.fitting(Photo.ID(0), 90)], at: now())
    let events = store.runToEnd()
    let hashes = events.compactMap { event -> DifferenceHash? in
      if case .hashed(_, let info) = event { info.hash } else { nil }
    }
    #expect(hashes.count == 1)
    // One that is known to have failed is reported again.
    store.setHashDemands([Photo.ID(0), Photo.ID(7)], at: now())
    #expect(store.run().contains(.failed(Photo.ID(7))))
  }
}
