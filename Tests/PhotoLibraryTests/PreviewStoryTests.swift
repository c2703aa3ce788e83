import Geometry
import Glibc
import Photos
import SceneModel
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// The order in which a store fetches pictures, and the content of tiles meanwhile.
@Suite(.serialized) struct PreviewStoryTests {
  let folder = TemporaryFolder()

  static let red: UInt32 = 0xe02020
  static let green: UInt32 = 0x20c040

  /// Photos of which those in `previewed` have a green thumbnail of that width.
  func photos(_ count: Int, previewed: [Int: Int] = [:]) -> [[UInt8]] {
    (0..<count).map { number in
      var file = JPEGFile.flat(300, 200, Self.red)
      if let width = previewed[number] {
        file = file.insertingExif(thumbnail: JPEGFile.flat(width, width * 2 / 3, Self.green))
      }
      return folder.write(file, to: "\(number).jpg")
    }
  }

  func store(_ paths: [[UInt8]], budget: Int = 64 << 20) throws -> PhotoStore {
    var limits = StoreLimits()
    limits.workerCount = 1
    limits.memoryBudget = budget
    return try PhotoStore.of(paths, limits: limits)
  }

  static func tile(_ number: Int, _ proximity: Demand.Proximity = .visible, side: Double = 60)
    -> Demand
  {
    Demand(
      photo: Photo.ID(number), size: PixelSize(width: side, height: side), mode: .fill,
      proximity: proximity
    )
  }

  /// The pictures in the order in which they were shown: indices of photos, negative for previews.
  func shown(_ store: PhotoStore, _ demands: [Demand]) -> [String] {
    var shown: [String] = []
    store.setDemands(demands, at: now())
    while !store.isIdle {
      wait(for: store.pollRequests, until: store.nextDeadline)
      for case .pictureReady(let photo) in store.service(at: now()) {
        shown.append("\(photo.index)\(store.isDecoded(photo) ? "" : "?")")
      }
    }
    return shown
  }

  @Test
  func `previews of everything in sight come first, then the smallest pictures, then the rest`()
    throws
  {
    // The thumbnails of 0 and 3 are as large as demanded, that of 1 is not, 2 has none.
    let store = try store(photos(6, previewed: [0: 120, 1: 50, 3: 120, 4: 120, 5: 120]))

    let order = shown(
      store,
      [
        Self.tile(0), Self.tile(1), Self.tile(2), Self.tile(3), Self.tile(4, .neighbor),
        Self.tile(5, .nearby),
      ])

    #expect(
      order == ["0?", "1?", "3?", "1", "2", "4?", "5?", "4", "0", "3", "5"])
  }

  @Test func `a tile that had a picture is never blank again`() throws {
    // Room for three pictures of 90 by 60 with their mipmap levels.
    let store = try store(photos(30), budget: 3 * 90 * 60 * 4 * 4 / 3)
    for number in 0..<30 {
      store.setDemands([Self.tile(number)], at: now())
      store.run { store in
        for past in 0..<number {
          let photo = Photo.ID(past)
          if case .waiting(nil) = store.content(of: photo) { Issue.record("\(past) is blank") }
        }
      }
      #expect(store.heldByteCount <= 3 * 90 * 60 * 4 * 4 / 3)
    }

    // The last ones are cached, some before them have a placeholder, all others their mean color.
    let widths = (0..<30).map { store.picture($0)?.width }
    #expect(widths[29] == 90)
    #expect(widths.contains(22))
    // Scrolling back shows placeholders until pictures arrive.
    let back = try #require(widths.firstIndex(of: 22))
    #expect(!store.isDecoded(Photo.ID(back)))
    #expect(shown(store, [Self.tile(back)]) == ["\(back)"])
    #expect(store.picture(back)?.width == 90)
  }

  @Test func `photos nearby are not fetched if there is no room for them`() throws {
    let store = try store(photos(12), budget: 3 * 90 * 60 * 4 * 4 / 3)
    let demands = (0..<12).map { Self.tile($0, $0 < 2 ? .visible : .nearby) }

    let order = shown(store, demands)

    #expect(order.starts(with: ["0", "1"]))
    #expect(order.count <= 4)
    #expect(store.isIdle && store.remaining == 0)
    // The photos are not fetched again and again.
    #expect(shown(store, Array(demands.reversed())).count <= 4)
  }

  @Test func `a photo that cannot be decoded shows a message, whatever its thumbnail`() throws {
    let whole = JPEGFile.flat(300, 200, Self.red)
    let head = try #require(JPEGHead.end(of: whole))
    let file = Array(whole.prefix(head))
      .insertingExif(thumbnail: JPEGFile.flat(60, 40, Self.green))
    let store = try store([folder.write(file, to: "cut.jpg")])

    let order = shown(store, [Self.tile(0)])

    #expect(order == ["0?"])
    guard case .failed("truncated") = store.content(of: Photo.ID(0)) else {
      Issue.record("\(store.content(of: Photo.ID(0)))")
      return
    }
  }

  @Test func `a photo that has changed keeps its picture until the next one arrives`() throws {
    let paths = photos(1)
    let store = try store(paths)
    #expect(shown(store, [Self.tile(0)]) == ["0"])
    folder.write(
      JPEGFile.flat(300, 200, Self.green), to: String(decoding: paths[0], as: UTF8.self).name)

    store.reload(Photo.ID(0), at: now())
    #expect(store.picture(0) != nil)
    store.run { #expect($0.picture(0) != nil) }

    #expect(store.picture(0).map { areAlike([$0.pixel(1, 1)], [[0x20, 0xc0, 0x40, 255]]) } == true)
  }

  @Test func `a preview is requested for a larger demand only while it can help`() throws {
    let store = try store(photos(1, previewed: [0: 120]))

    #expect(shown(store, [Self.tile(0)]) == ["0?", "0"])
    // No preview is as large as the screen, and the tile's picture stays.
    #expect(shown(store, [.fitting(Photo.ID(0), 1500)]) == ["0"])
    #expect(store.picture(0)?.width == 300)
  }
}

/// The offset of the end of a JPEG's header.
private enum JPEGHead {
  static func end(of file: [UInt8]) -> Int? {
    file.indices.first { file[$0] == 0xff && file[min($0 + 1, file.count - 1)] == 0xda }.map {
      $0 + 14
    }
  }
}

extension String {
  /// The last component of a path.
  fileprivate var name: String { split(separator: "/").last.map(String.init) ?? self }
}
