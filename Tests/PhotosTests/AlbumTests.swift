import TestSupport
import Testing

@testable import Photos

@Suite struct AlbumTests {
  private static func album(_ paths: [String]) -> Album {
    var album = Album()
    for batch in NameBatch.batches(of: paths.map { Array($0.utf8) }, first: Photo.ID(0)) {
      album.name(batch)
    }
    album.extend(by: paths.indices.map { Photo.ID($0) })
    return album
  }

  private static func shown(_ album: Album, _ paths: [String]) -> [String] {
    album.shown.map { paths[$0.index] }
  }

  @Test func `consecutive paths of one folder share a batch`() {
    let batches = NameBatch.batches(
      of: ["a", "b", "x/c", "x/d", "/e", "x/f"].map { Array($0.utf8) }, first: Photo.ID(7))
    #expect(
      batches == [
        NameBatch(first: Photo.ID(7), folder: [], names: nameBlock(["a", "b"])),
        NameBatch(first: Photo.ID(9), folder: Array("x/".utf8), names: nameBlock(["c", "d"])),
        NameBatch(first: Photo.ID(11), folder: Array("/".utf8), names: nameBlock(["e"])),
        NameBatch(first: Photo.ID(12), folder: Array("x/".utf8), names: nameBlock(["f"])),
      ])
  }

  @Test func `sorting by name goes folder by folder, and orders numbers by value`() {
    let paths = [
      "b/2.jpg", "img10.jpg", "a10/x.jpg", "IMG9.jpg", "a2/z.jpg", "a2/b/y.jpg", "b/1.jpg",
    ]
    var album = Self.album(paths)
    let order = [
      "IMG9.jpg", "img10.jpg", "a2/z.jpg", "a2/b/y.jpg", "a10/x.jpg", "b/1.jpg", "b/2.jpg",
    ]

    album.sort(by: SortOrder(by: .name))
    #expect(Self.shown(album, paths) == order)
    album.sort(by: SortOrder(by: .name, isReversed: true))
    #expect(Self.shown(album, paths) == order.reversed())
    album.sort(by: .listed)
    #expect(Self.shown(album, paths) == paths)
  }

  @Test func `photos are sorted by facts of their files, and those without the fact come last`() {
    var album = Self.album(["a", "b", "c", "d", "e"])
    let known = [
      0: PhotoInfo.made(1, 1, bytes: 30, modified: 300, taken: "2024-03-01T00:00:00"),
      1: PhotoInfo.made(1, 1, bytes: 10, modified: 500),
      2: PhotoInfo.made(1, 1, bytes: 20, modified: 100, taken: "2024-01-01T00:00:00"),
      4: PhotoInfo.made(1, 1, bytes: 20, modified: 400, taken: "2024-02-01T00:00:00"),
    ]
    for (number, info) in known { album.learn(InfoBlock([info]), of: [Photo.ID(number)]) }
    album.learn(InfoBlock([nil]), of: [Photo.ID(3)])
    func order(_ key: SortOrder.Key, _ isReversed: Bool = false) -> [Int] {
      album.sort(by: SortOrder(by: key, isReversed: isReversed))
      return album.shown.map(\.index)
    }
    #expect(order(.taken) == [2, 4, 0, 1, 3])
    #expect(order(.taken, true) == [0, 4, 2, 1, 3])
    #expect(order(.modified) == [2, 0, 4, 1, 3])
    #expect(order(.modified, true) == [1, 4, 0, 2, 3])
    #expect(order(.size) == [1, 2, 4, 0, 3], "what is alike stays as listed")
    #expect(order(.size, true) == [0, 2, 4, 1, 3])
    #expect(order(.listed, true) == [4, 3, 2, 1, 0])
  }

  @Test func `a random order depends on its seed, not on which other photos are present`() {
    var album = Self.album((0..<50).map { "\($0)" })
    album.sort(by: SortOrder(by: .random(seed: 1)))
    let first = album.shown
    #expect(Set(first) == Set(album.listing))
    #expect(first != album.listing)

    album.sort(by: SortOrder(by: .random(seed: 2)))
    #expect(album.shown != first)
    album.sort(by: SortOrder(by: .random(seed: 1), isReversed: true))
    #expect(album.shown == first.reversed())

    album.sort(by: SortOrder(by: .random(seed: 1)))
    album.relist(album.listing.filter { $0.index % 2 == 0 })
    #expect(album.shown == first.filter { $0.index % 2 == 0 })
  }

  @Test func `photos with unknown facts are listed, and a refresh sorts them once they are known`()
  {
    var album = Self.album(["a", "b", "c"])
    album.sort(by: SortOrder(by: .size))
    #expect(album.shown.map(\.index) == [0, 1, 2])
    #expect(album.unknown.map(\.index) == [0, 1, 2])
    #expect(album.progress.map { [$0.known, $0.total] } == [0, 3])

    album.learn(InfoBlock([PhotoInfo.made(1, 1, bytes: 10)]), of: [Photo.ID(2)])
    album.learn(InfoBlock([PhotoInfo.made(1, 1, bytes: 20)]), of: [Photo.ID(0)])
    #expect(album.progress.map { [$0.known, $0.total] } == [2, 3])
    #expect(album.shown.map(\.index) == [0, 1, 2], "nothing moves by itself")
    album.refresh()
    #expect(album.shown.map(\.index) == [2, 0, 1])
    #expect(album.unknown.map(\.index) == [0, 1, 2], "none has been read for its metadata")

    album.extend(by: [Photo.ID(3)])
    #expect(album.shown.map(\.index) == [2, 0, 1, 3])
    album.learn(InfoBlock([PhotoInfo.made(1, 1, bytes: 15)]), of: [Photo.ID(3)])
    album.learn(InfoBlock([PhotoInfo.made(1, 1, bytes: 5)]), of: [Photo.ID(1)])
    album.refresh()
    #expect(album.shown.map(\.index) == [1, 2, 3, 0])
    #expect(album.progress == nil && !album.isStale)
  }

  @Test func `photos that were decoded first are sorted, and still read for their metadata`() {
    var album = Self.album(["a", "b"])
    album.sort(by: SortOrder(by: .size))
    for (index, byteCount) in [20, 10].enumerated() {
      album.learn(InfoBlock([PhotoInfo.made(1, 1, bytes: byteCount)]), of: [Photo.ID(index)])
    }
    #expect(album.progress == nil)
    album.refresh()
    #expect(album.shown.map(\.index) == [1, 0])
    #expect(album.unknown.map(\.index) == [0, 1], "the index does not know them yet")

    for (index, byteCount) in [20, 10].enumerated() {
      var facts = PhotoInfo.made(1, 1, bytes: byteCount)
      facts.metadata = PhotoMetadata()
      album.learn(InfoBlock([facts]), of: [Photo.ID(index)])
    }
    #expect(!album.isStale, "metadata changes no order")
    album.refresh()
    #expect(album.unknown.isEmpty)
  }

  @Test func `marks survive sorting and filtering, and disappear with their photos`() throws {
    var album = Self.album(["cat 1", "dog 2", "cat 3", "dog 4"])
    album.mark([Photo.ID(3), Photo.ID(0)], true)
    album.show(only: try Filter(parsing: "cat"))
    album.sort(by: SortOrder(by: .name, isReversed: true))
    #expect(album.shown.map(\.index) == [2, 0])
    #expect(album.markedInOrder.map(\.index) == [3, 0], "those that are filtered out too")

    album.showMarkedOnly(true)
    #expect(album.shown.map(\.index) == [0])
    album.mark([Photo.ID(2)], true)
    #expect(album.shown.map(\.index) == [2, 0])
    album.mark([Photo.ID(0)], false)
    #expect(album.shown.map(\.index) == [2])
    album.show(only: nil)
    #expect(album.shown.map(\.index) == [3, 2])
    album.relist([Photo.ID(0), Photo.ID(1), Photo.ID(3)])
    #expect(album.shown.map(\.index) == [3])
    album.showMarkedOnly(false)
    #expect(album.shown.map(\.index) == [3, 1, 0])
    #expect(album.marks == PhotoSet([Photo.ID(3)]))
  }

  @Test func `a renamed photo matches by its new name, and not by the old one`() throws {
    var album = Self.album(["cat.jpg", "dog.jpg", "cow.jpg"])
    album.show(only: try Filter(parsing: "c"))
    #expect(album.shown.map(\.index) == [0, 2])
    album.name(NameBatch(first: Photo.ID(1), folder: [], names: nameBlock(["calf.png"])))
    album.name(NameBatch(first: Photo.ID(0), folder: [], names: nameBlock(["x.png"])))
    #expect(album.isStale)
    album.refresh()
    #expect(album.shown.map(\.index) == [1, 2])
    album.sort(by: SortOrder(by: .name))
    album.show(only: nil)
    #expect(album.shown.map(\.index) == [1, 2, 0])
  }

  @Test func `names that are invalid UTF-8, empty or unknown are harmless`() throws {
    var album = Album()
    album.name(
      NameBatch(
        first: Photo.ID(1), folder: [], names: [0xFF, 0x41, 0, 0] + nameBlock(["\u{1B}[31mÄ"])))
    album.extend(by: (0..<5).map { Photo.ID($0) })
    func found(_ text: String) throws -> [Int] {
      album.show(only: try Filter(parsing: text))
      return album.shown.map(\.index)
    }
    #expect(try found("a") == [1])
    #expect(try found("ä") == [3])
    #expect(try found("-a") == [0, 2, 3, 4])
    #expect(try found("\u{FFFD}") == [1])
    #expect(try found("type:png") == [])
    album.show(only: nil)
    album.sort(by: SortOrder(by: .name))
    #expect(album.shown.map(\.index) == [2, 3, 1, 0, 4], "those without a name come last")
  }

  @Test(arguments: seeds(1...30))
  func `after random changes every photo is either shown or filtered out`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let letters = ["a", "B", "é", "1", "10", " ", "日"]
    func name() -> String {
      (0..<Int.random(in: 0...3, using: &random)).map { _ in letters.randomElement(using: &random)!
      }
      .joined()
    }
    func photo() -> Photo.ID { Photo.ID(Int.random(in: 0..<40, using: &random)) }
    var album = Album()
    var present: [Photo.ID] = []
    for _ in 0..<200 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        let more = (0..<3).map { _ in photo() }.filter { !present.contains($0) }
        let new = Array(Set(more)).sorted()
        present += new
        album.extend(by: new)
      case 1:
        present = present.shuffled(using: &random).filter { _ in
          Int.random(in: 0..<10, using: &random) > 0
        }
        album.relist(present)
      case 2:
        album.name(NameBatch(first: photo(), folder: [], names: nameBlock([name(), name()])))
      case 3, 4, 5:
        let info = PhotoInfo.made(
          Double.random(in: 1...3, using: &random).rounded(), 2,
          bytes: Int.random(in: 1...5, using: &random), modified: 1, taken: "2024-05-01T00:00:00")
        let known = photo()
        switch Int.random(in: 0..<3, using: &random) {
        case 0: album.expire(known)
        case 1: album.learn(InfoBlock([nil]), of: [known])
        default: album.learn(InfoBlock([info]), of: [known])
        }
      case 6:
        let keys: [SortOrder.Key] = [.listed, .name, .taken, .modified, .size, .random(seed: 9)]
        album.sort(
          by: SortOrder(
            by: keys.randomElement(using: &random)!, isReversed: Bool.random(using: &random)))
      case 7:
        let texts = [
          "", name(), "-" + name() + "x", "marked", "not marked", "landscape", "size:<3",
          "-date:2024",
        ]
        if let filter = try? Filter(parsing: texts.randomElement(using: &random)!) {
          album.show(only: filter)
        }
      case 8: album.showMarkedOnly(Bool.random(using: &random))
      case 9, 10:
        album.mark(present.filter { _ in Bool.random(using: &random) }, Bool.random(using: &random))
      default: album.refresh()
      }
      #expect(Set(album.shown).count == album.shown.count, "a photo is there twice")
      #expect(Set(album.shown).isSubset(of: Set(present)))
      #expect(album.ordered.sorted() == present.sorted())
      #expect((album.listing.count - album.shown.count) == present.count - album.shown.count)
      #expect(album.markedInOrder.count == album.marks.count, "marks of photos that are not there")
      #expect(album.unknown.allSatisfy { present.contains($0) })
      guard !album.isStale else { continue }
      let shown = Set(album.shown)
      for photo in present {
        let verdict = album.photos(
          among: [photo], passing: album.filter ?? Filter(text: "", expression: .everything))
        let isWanted =
          !verdict.passing.isEmpty && (!album.showsMarkedOnly || album.marks.contains(photo))
        #expect(shown.contains(photo) == isWanted)
      }
    }
  }
}
