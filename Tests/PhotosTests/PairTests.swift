import TestSupport
import Testing

@testable import Photos

@Suite struct PairTests {
  /// An album of files in the order of their names' numbers.
  private static func album(_ names: [String], joinsPairs: Bool = true) -> Album {
    var album = Album()
    album.joinPairs(joinsPairs)
    for batch in NameBatch.batches(of: names.map { Array($0.utf8) }, first: Photo.ID(0)) {
      album.name(batch)
    }
    album.extend(by: names.indices.map { Photo.ID($0) })
    return album
  }

  @Test(arguments: [
    (["a.cr2", "a.jpg"], [["a.jpg", "a.cr2"]]),
    (["a.JPG", "a.NEF"], [["a.JPG", "a.NEF"]]),
    (["a.dng", "a.HEIC"], [["a.HEIC", "a.dng"]]),
    (["a.JPEG", "a.Arw", "b.jpg", "c.raf"], [["a.JPEG", "a.Arw"], ["b.jpg"], ["c.raf"]]),
    // The JPEG is the picture; what is not raw stays a photo of its own.
    (["a.cr2", "a.heic", "a.jpg", "a.png"], [["a.heic"], ["a.jpg", "a.cr2"], ["a.png"]]),
    (["a.cr2", "a.dng", "a.jpg"], [["a.jpg", "a.cr2", "a.dng"]]),
    (["a.jpeg", "a.jpg", "a.orf"], [["a.jpeg", "a.orf"], ["a.jpg"]]),
    // Other folders, other stems, other cases of a stem.
    (["x/a.jpg", "y/a.cr2"], [["x/a.jpg"], ["y/a.cr2"]]),
    (["a.1.cr2", "a.jpg"], [["a.1.cr2"], ["a.jpg"]]),
    (["A.jpg", "a.cr2"], [["A.jpg"], ["a.cr2"]]),
    (["a.jpg.cr2", "a.jpg"], [["a.jpg.cr2"], ["a.jpg"]]),
    ([".cr2", ".jpg"], [[".cr2"], [".jpg"]]),
    (["cr2", "jpg", "", "a."], [["cr2"], ["jpg"], [""], ["a."]]),
    (["ü\u{FF}.cr2", "ü\u{FF}.jpg"], [["ü\u{FF}.jpg", "ü\u{FF}.cr2"]]),
  ])
  func `files of one stem are one photo`(names: [String], tiles: [[String]]) {
    let album = Self.album(names)
    #expect(album.tiles.map { album.files(of: [$0]).map { names[$0.index] } } == tiles)
    #expect(Self.album(names, joinsPairs: false).tiles.count == names.count)
  }

  @Test func `a pair is filtered by both files, and sorted by its picture`() throws {
    var album = Self.album(["a.jpg", "b.cr2", "b.jpg", "c.nef"])
    func shown(_ text: String) throws -> [Int] {
      album.show(only: try Filter(parsing: text))
      return album.shown.map(\.index)
    }
    #expect(try shown("cr2") == [2])
    #expect(try shown("type:raw") == [2, 3])
    #expect(try shown("type:jpeg") == [0, 2])
    #expect(try shown("-type:jpeg") == [2, 3], "the raw file passes")
    #expect(try shown("b") == [2])
    #expect(try shown("x") == [])
    album.show(only: nil)
    album.sort(by: SortOrder(by: .size))
    #expect(album.unknown.map(\.index) == [0, 2, 3], "raw files of pairs are not read")
    for (photo, bytes) in [(0, 5), (2, 1), (3, 3)] {
      var info = PhotoInfo.plain
      info.stamp.byteCount = Int64(bytes)
      album.learn(InfoBlock([info]), of: [Photo.ID(photo)])
    }
    album.refresh()
    #expect(album.shown.map(\.index) == [2, 3, 0])
  }

  @Test func `both files of a pair are marked, also if one arrives later`() {
    var album = Self.album(["a.cr2", "b.jpg"])
    album.mark([Photo.ID(0)], true)
    album.name(NameBatch(first: Photo.ID(2), folder: [], names: Array("a.jpg\0".utf8)))
    #expect(album.hidesTiles([Photo.ID(2)]) && !album.extend(by: [Photo.ID(2)]))
    #expect(album.tiles.map(\.index) == [1, 2])
    #expect(album.markedInOrder.map(\.index) == [2, 0])
    #expect(album.markedCount == 1)
    album.mark([Photo.ID(2)], false)
    #expect(album.marks.isEmpty)
    album.mark([Photo.ID(0)], true)
    album.relist([Photo.ID(0), Photo.ID(1)])
    #expect(album.tiles.map(\.index) == [0, 1] && album.markedInOrder.map(\.index) == [0])
  }

  @Test func `a renamed file leaves its pair, and joins another`() {
    var album = Self.album(["a.cr2", "a.jpg", "b.jpg"])
    album.name(NameBatch(first: Photo.ID(0), folder: [], names: Array("b.cr2\0".utf8)))
    #expect(album.isStale)
    album.refresh()
    #expect(album.tiles.map(\.index) == [1, 2])
    #expect(album.files(of: album.tiles).map(\.index) == [1, 2, 0])
    album.name(NameBatch(first: Photo.ID(0), folder: [], names: Array("c.cr2\0".utf8)))
    album.refresh()
    #expect(album.tiles.map(\.index) == [0, 1, 2])
  }

  @Test func `a new name of a picture gives one to its raw files`() {
    let album = Self.album(["a.CR2", "a.jpg"])
    func names(_ name: String) -> [String] {
      album.renamings(of: Photo.ID(1), to: name).map { String(decoding: $0.name, as: UTF8.self) }
    }
    #expect(names("b.jpg") == ["b.jpg", "b.CR2"])
    #expect(names("b.2.jpg") == ["b.2.jpg", "b.2.CR2"])
    #expect(names("b") == ["b", "b.CR2"])
    #expect(names(".b") == [".b", ".b.CR2"])
  }

  // MARK: - Random files

  private static let extensions = ["jpg", "JPG", "jpeg", "heic", "cr2", "CR2", "dng", "png", ""]

  @Test(arguments: seeds(1...60))
  func `every file is in one tile, however the files come and go`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var names: [String] = []
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      let folder = ["", "x/", "y/"].randomElement(using: &random) ?? ""
      let stem = Int.random(in: 0..<8, using: &random)
      let end = Self.extensions.randomElement(using: &random) ?? ""
      let name = "\(folder)\(stem)" + (end.isEmpty ? "" : ".\(end)")
      if !names.contains(name) { names.append(name) }
    }
    var collection = PhotoCollection()
    for batch in NameBatch.batches(of: names.map { Array($0.utf8) }, first: Photo.ID(0)) {
      collection.learn(batch)
    }
    var listing: [Photo.ID] = []
    for _ in 0..<40 {
      let missing = names.indices.map { Photo.ID($0) }.filter { !listing.contains($0) }
      let some = missing.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1, 2:
        listing += some
        collection.extend(by: Array(some))
      case 3:
        listing.removeAll { _ in Int.random(in: 0..<5, using: &random) == 0 }
        for photo in some {
          listing.insert(photo, at: Int.random(in: 0...listing.count, using: &random))
        }
        collection.relist(listing)
      case 4:
        let isOn = Bool.random(using: &random)
        if let photo = listing.randomElement(using: &random) { collection.mark([photo], isOn) }
      default:
        let word = ["cr2", "1", "type:raw", "-type:jpeg", "marked", ""].randomElement(
          using: &random)
        collection.show(only: try Filter(parsing: word ?? ""))
      }
      Self.check(collection, listing, names)
    }
  }

  private static func check(
    _ collection: PhotoCollection, _ listing: [Photo.ID], _ names: [String]
  ) {
    let album = collection.album
    #expect(album.listing == listing)
    let files = album.files(of: album.photos)
    #expect(files.sorted() == listing.sorted(), "every file is in one tile")
    #expect(album.photos == listing.filter(PhotoSet(album.photos).contains), "the order is kept")
    for photo in album.photos {
      let marks = Set(album.files(of: [photo]).map { album.marks.contains($0) })
      #expect(marks.count == 1, "a pair is marked or not")
    }
    for file in listing {
      let tile = album.picture(of: file)
      #expect(album.photos.contains(tile) && album.files(of: [tile]).contains(file))
    }
    #expect(album.markedInOrder.sorted() == album.marks.photos)
    #expect(album.grouped(album.markedInOrder).count == album.markedCount)
    var fresh = Self.album(names)
    fresh.mark(album.marks.photos, true)
    fresh.relist(listing)
    fresh.show(only: album.filter)
    #expect(fresh.photos == album.photos, "as if all had been there from the start")
    #expect(album.isStale || fresh.shown == album.shown)
    #expect(collection.items == album.tiles)
    for (index, item) in collection.items.enumerated() {
      #expect(collection.index(of: item) == index)
    }
  }
}
