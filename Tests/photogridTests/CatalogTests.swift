import PhotoLibrary
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import photogrid

/// The listing after events: photos in their order, with lasting IDs.
struct CatalogTests {
  /// The path of a photo or folder, of a root.
  func path(_ text: String, root: Int = 0) -> PhotoPath {
    PhotoPath(root: root, path: Array(text.utf8))
  }

  @Test func `photos of an ordered listing are appended, and nothing is rearranged`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg"])
    story.find("p/", ["10.jpg"])
    story.find("p/a/", ["0.jpg"])
    let news = story.catalog.drainUpdates()
    #expect(!news.isRearranged)
    #expect(news.appended == (0..<4).map { Photo.ID($0) })
    #expect(story.paths == ["p/1.jpg", "p/2.jpg", "p/10.jpg", "p/a/0.jpg"])
    #expect(story.catalog.drainUpdates().appended.isEmpty)
  }

  @Test func `names in the order of the disk are sorted`() {
    var story = Story()
    story.find("p/", ["b.jpg", "d.jpg"])
    _ = story.catalog.drainUpdates()
    story.find("p/", ["a.jpg", "c.jpg", "e.jpg"])
    #expect(story.catalog.drainUpdates().isRearranged)
    #expect(story.paths == ["a", "b", "c", "d", "e"].map { "p/\($0).jpg" })
  }

  @Test func `batches in any order are sorted together`() {
    var story = Story()
    story.find("p/", ["d.jpg"])
    _ = story.catalog.drainUpdates()
    story.catalog.insert(
      Story.batch("p/", ["e.jpg", "g.jpg"], 0), Story.batch("p/", ["a.jpg", "f.jpg"], 0),
      Story.batch("p/", ["b.jpg"], 0), Story.batch("p/", ["b.jpg"], 0))

    #expect(story.paths == ["a", "b", "b", "d", "e", "f", "g"].map { "p/\($0).jpg" })
    let news = story.catalog.drainUpdates()
    #expect(news.isRearranged && Set(news.appended) == Set((1..<7).map { Photo.ID($0) }))
  }

  @Test func `names are sent folder by folder, and again for renamed photos`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg"])
    story.find("p/", ["3.jpg"])
    story.find("q/", ["4.jpg"])
    func names(from number: Int, atMost limit: Int = .max) -> NameBatch {
      story.index.table.names(from: Photo.ID(number), atMost: limit)
    }
    func batch(_ number: Int, _ folder: String, _ names: String) -> NameBatch {
      NameBatch(first: Photo.ID(number), folder: Array(folder.utf8), names: Array(names.utf8))
    }
    #expect(names(from: 0) == batch(0, "p/", "1.jpg\02.jpg\03.jpg\0"))
    #expect(names(from: 1, atMost: 1) == batch(1, "p/", "2.jpg\0"))
    #expect(names(from: 3) == batch(3, "q/", "4.jpg\0"))
    #expect(story.catalog.drainUpdates().renamed.isEmpty)

    story.change(.renamed(path("p/2.jpg"), to: path("q/0.jpg")))
    #expect(story.catalog.drainUpdates().renamed == [Photo.ID(1)])
    #expect(names(from: 1) == batch(1, "q/", "0.jpg\0"))
    #expect(names(from: 0) == batch(0, "p/", "1.jpg\0"))
    #expect(names(from: 2) == batch(2, "p/", "3.jpg\0"))
  }

  @Test func `all names of a folder are sent, however many there are`() {
    let index = PathIndex()
    let paths = (0..<60_000).map { Array("p/photo \($0) of a long day.jpg".utf8) }
    for batch in PhotoBatch.batches(of: paths) { index.append(batch) }
    var sent: [UInt8] = []
    var count = 0
    while count < paths.count {
      let batch = index.table.names(from: Photo.ID(count), atMost: 50_000)
      guard batch.count > 0 else { break }
      sent += batch.names
      count += batch.count
    }
    #expect(sent == paths.flatMap { $0.dropFirst(2) + [0] })
  }

  @Test func `a list keeps its own order`() {
    let index = PathIndex()
    var catalog = Catalog(isOrdered: false, index: index)
    let names = ["z/1.jpg", "a.jpg", "z/2.jpg", "a.jpg", "z/0.jpg"]
    for batch in PhotoBatch.batches(of: names.map { Array($0.utf8) }) {
      catalog.insert(batch)
    }
    #expect(catalog.listing.map { String(decoding: index[$0], as: UTF8.self) } == names)
  }

  @Test func `roots are in the order in which they were given`() {
    var story = Story()
    story.find("z/", ["1.jpg"], root: 0)
    story.find("", ["named.jpg"], root: 1)
    story.find("a/", ["1.jpg"], root: 2)
    story.change(.present(path("a/0.jpg", root: 2)), .present(path("z/9.jpg", root: 0)))
    #expect(story.paths == ["z/1.jpg", "z/9.jpg", "named.jpg", "a/0.jpg", "a/1.jpg"])
  }

  @Test func `new photos are inserted and deleted ones are removed`() {
    var story = Story()
    story.find("p/", ["1.jpg", "3.jpg", "5.jpg"])
    let kept = story.photo("p/3.jpg")
    story.change(
      .present(path("p/4.jpg")), .absent(path("p/1.jpg")), .present(path("p/sub/0.jpg")),
      .present(path("p/2.jpg")), .absent(path("p/never.jpg")))
    #expect(story.paths == ["p/2.jpg", "p/3.jpg", "p/4.jpg", "p/5.jpg", "p/sub/0.jpg"])
    #expect(story.photo("p/3.jpg") == kept)
    let news = story.catalog.drainUpdates()
    #expect(news.isRearranged && news.changed.isEmpty)
  }

  @Test func `a known photo that is written again is changed`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg"])
    _ = story.catalog.drainUpdates()
    story.change(.present(path("p/2.jpg")))
    let news = story.catalog.drainUpdates()
    #expect(news.changed == [Photo.ID(1)])
    #expect(!news.isRearranged && news.appended.isEmpty)
  }

  @Test func `a renamed photo keeps its ID, and a photo that it overwrites is removed`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    let (one, three) = (story.photo("p/1.jpg"), story.photo("p/3.jpg"))
    story.change(
      .renamed(path("p/1.jpg"), to: path("p/9.jpg")),
      .renamed(path("p/9.jpg"), to: path("q/8.jpg")),
      .renamed(path("p/3.jpg"), to: path("p/2.jpg")),
      .renamed(path("x.jpg"), to: path("p/0.jpg")))
    #expect(story.paths == ["p/0.jpg", "p/2.jpg", "q/8.jpg"])
    #expect(story.photo("q/8.jpg") == one)
    #expect(story.photo("p/2.jpg") == three)
  }

  @Test func `two photos that exchange their names keep their IDs`() {
    var story = Story()
    story.find("p/", ["a.jpg", "b.jpg"])
    let (a, b) = (story.photo("p/a.jpg"), story.photo("p/b.jpg"))
    story.change(
      .renamed(path("p/a.jpg"), to: path("p/t.jpg")),
      .renamed(path("p/b.jpg"), to: path("p/a.jpg")),
      .renamed(path("p/t.jpg"), to: path("p/b.jpg")))
    #expect(story.paths == ["p/a.jpg", "p/b.jpg"])
    #expect(story.photo("p/a.jpg") == b)
    #expect(story.photo("p/b.jpg") == a)
  }

  @Test func `a photo whose file returns keeps its ID, and is changed`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg"])
    story.change(.absent(path("p/1.jpg")))
    #expect(story.paths == ["p/2.jpg"])
    _ = story.catalog.drainUpdates()
    story.change(.present(path("p/1.jpg")))
    #expect(story.catalog.listing == [Photo.ID(0), Photo.ID(1)])
    #expect(story.catalog.drainUpdates().changed == [Photo.ID(0)])
  }

  // MARK: - Random changes

  @Test(arguments: seeds(1...40))
  func `the listing has the photos of the disk, in order, with unchanged IDs`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let folders = ["", "a/", "a/b/", "a10/", "a2/", "c/"]
    var disk: Set<String> = []
    var story = Story()
    func somePath() -> String {
      (folders.randomElement(using: &random) ?? "")
        + "\(Int.random(in: 0..<12, using: &random)).jpg"
    }
    for step in 0..<80 {
      // The ID of each photo whose name has not changed.
      let before = Dictionary(
        uniqueKeysWithValues: story.catalog.listing.map { (story.index[$0], $0) })
      var renamed: [[UInt8]: [UInt8]] = [:]
      if Int.random(in: 0..<6, using: &random) == 0 {
        let all = folders.map { folder in
          (folder, (0..<12).map { "\($0).jpg" }.filter { disk.contains(folder + $0) })
        }
        if Bool.random(using: &random) { disk = disk.filter { $0.hashValue % 3 != 0 } }
        story.relist(
          "",
          all.sorted { ListingOrder.order(of: Array($0.0.utf8), Array($1.0.utf8)) < 0 }
            .map { folder, names in (folder, names.filter { disk.contains(folder + $0) }) })
      } else {
        var changes: [PhotoChange] = []
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let name = somePath()
          switch Int.random(in: 0..<3, using: &random) {
          case 0:
            disk.insert(name)
            changes.append(.present(path(name)))
          case 1:
            disk.remove(name)
            changes.append(.absent(path(name)))
          default:
            let new = somePath()
            guard disk.contains(name), new != name else { continue }
            disk.remove(name)
            disk.insert(new)
            changes.append(.renamed(path(name), to: path(new)))
            renamed[Array(name.utf8)] = Array(new.utf8)
          }
        }
        story.catalog.apply(changes)
      }

      let trace = "seed \(seed), step \(step)"
      #expect(Set(story.paths) == disk, "\(trace)")
      #expect(story.paths.count == disk.count, "\(trace): a photo is twice in the listing")
      let paths = story.index.table
      let pairs = zip(story.catalog.listing, story.catalog.listing.dropFirst())
      #expect(pairs.allSatisfy { paths.precedes($0, $1) }, "\(trace): out of order")
      if renamed.isEmpty {
        for photo in story.catalog.listing {
          let old = before[paths[photo]]
          #expect(old == nil || old == photo, "\(trace): another photo has the name")
        }
      }
    }
  }
}
