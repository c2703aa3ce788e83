import PhotoGridCore
import PhotoLibrary
import TestSupport
import Testing
import WorkerProtocol

@testable import photogrid

/// The listing after events: photos in their order, with lasting IDs.
struct CatalogTests {
  /// A catalog of folders and its paths.
  private struct Story {
    var catalog = Catalog(isOrdered: true, index: PathIndex())
    var index: PathIndex { catalog.index }

    mutating func find(_ folder: String, _ names: [String], root: Int = 0) {
      catalog.add(Story.batch(folder, names, root))
    }

    mutating func change(_ changes: PhotoChange...) { catalog.apply(changes) }

    mutating func relist(
      _ folder: String, isDeep: Bool = true, isComplete: Bool = true, _ found: [(String, [String])]
    ) {
      let place = ListedPlace(root: 0, folder: Array(folder.utf8), isDeep: isDeep)
      catalog.beginRelisting(place)
      for (folder, names) in found { find(folder, names) }
      catalog.endRelisting(isComplete: isComplete)
    }

    static func batch(_ folder: String, _ names: [String], _ root: Int) -> PhotoBatch {
      var batch = PhotoBatch(root: root, folder: Array(folder.utf8))
      for name in names { batch.append(name.utf8) }
      return batch
    }

    /// The paths in their order.
    var paths: [String] {
      catalog.listing.map { String(decoding: index[$0], as: UTF8.self) }
    }

    func photo(_ path: String) -> Photo.ID? {
      catalog.listing.first { index[$0] == Array(path.utf8) }
    }
  }

  private func path(_ text: String, root: Int = 0) -> PhotoPath {
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
    story.catalog.add(
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

  @Test func `a list keeps its own order`() {
    let index = PathIndex()
    var catalog = Catalog(isOrdered: false, index: index)
    let names = ["z/1.jpg", "a.jpg", "z/2.jpg", "a.jpg", "z/0.jpg"]
    for batch in PhotoBatch.batches(of: names.map { Array($0.utf8) }) {
      catalog.add(batch)
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

  // MARK: - File operations of this program

  @Test func `a trashed photo is removed at once, and the report of the lister changes nothing`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    _ = story.catalog.drainUpdates()
    story.catalog.removeMoved([Photo.ID(1)])
    #expect(story.paths == ["p/1.jpg", "p/3.jpg"] && story.catalog.drainUpdates().isRearranged)
    story.catalog.removeMoved([Photo.ID(1)])
    story.change(.absent(path("p/2.jpg")))
    #expect(story.paths == ["p/1.jpg", "p/3.jpg"] && !story.catalog.drainUpdates().isRearranged)

    story.catalog.insertRestored([Photo.ID(1)])
    #expect(story.catalog.listing == (0..<3).map { Photo.ID($0) })
    #expect(story.catalog.drainUpdates().isRearranged)
    story.change(.present(path("p/2.jpg")))
    #expect(story.catalog.listing == (0..<3).map { Photo.ID($0) })
    #expect(!story.catalog.drainUpdates().isRearranged)
  }

  @Test func `if the lister reports an operation first, the operation's result changes nothing`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    story.change(.absent(path("p/2.jpg")))
    story.catalog.removeMoved([Photo.ID(1)])
    #expect(story.paths == ["p/1.jpg", "p/3.jpg"])
    story.change(.present(path("p/2.jpg")))
    #expect(story.photo("p/2.jpg") == Photo.ID(3), "it may be another file")
    story.catalog.insertRestored([Photo.ID(1)])
    #expect(story.catalog.listing == (0..<3).map { Photo.ID($0) })
    story.change(.renamed(path("p/2.jpg"), to: path("p/9.jpg")))
    story.catalog.rename([(Photo.ID(1), path("p/9.jpg"))], listed: [Photo.ID(1)])
    #expect(story.paths == ["p/1.jpg", "p/3.jpg", "p/9.jpg"])
    #expect(story.photo("p/9.jpg") == Photo.ID(1))
  }

  @Test func `a photo renamed by this program keeps its ID at its new index`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    story.catalog.rename([(Photo.ID(0), path("p/2b.jpg"))], listed: [Photo.ID(0)])
    #expect(story.paths == ["p/2.jpg", "p/2b.jpg", "p/3.jpg"])
    #expect(story.photo("p/2b.jpg") == Photo.ID(0))
    #expect(story.catalog.drainUpdates().renamed == [Photo.ID(0)])
    story.change(.renamed(path("p/1.jpg"), to: path("p/2b.jpg")))
    #expect(story.paths == ["p/2.jpg", "p/2b.jpg", "p/3.jpg"])
    #expect(story.photo("p/2b.jpg") == Photo.ID(0))
  }

  @Test func `a renamed photo that the lister had reported as missing is listed again`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    story.change(.absent(path("p/1.jpg")))
    #expect(story.paths == ["p/2.jpg", "p/3.jpg"])
    story.catalog.rename([(Photo.ID(0), path("p/2b.jpg"))], listed: [Photo.ID(0)])
    #expect(story.paths == ["p/2.jpg", "p/2b.jpg", "p/3.jpg"])
    #expect(story.photo("p/2b.jpg") == Photo.ID(0))
    // The second part of the report comes later.
    story.change(.present(path("p/2b.jpg")))
    #expect(story.photo("p/2b.jpg") == Photo.ID(0))
    #expect(story.catalog.listing.count == 3)
  }

  @Test func `a photo that was given by its path and trashed returns only when it is restored`() {
    var story = Story()
    story.find("", ["a.jpg"], root: 0)
    story.find("", ["b.jpg"], root: 1)
    story.catalog.ignore(path("a.jpg"))
    story.catalog.removeMoved([Photo.ID(0)])
    story.change(.present(path("a.jpg")))
    #expect(story.paths == ["b.jpg"])
    story.catalog.insertRestored([Photo.ID(0)])
    #expect(story.paths == ["a.jpg", "b.jpg"])
  }

  @Test func `photos of a list are removed and inserted at their indices too`() {
    let index = PathIndex()
    var catalog = Catalog(isOrdered: false, index: index)
    for batch in PhotoBatch.batches(of: ["z.jpg", "a.jpg", "m.jpg"].map { Array($0.utf8) }) {
      catalog.add(batch)
    }
    catalog.removeMoved([Photo.ID(0), Photo.ID(1)])
    #expect(catalog.listing == [Photo.ID(2)])
    catalog.insertRestored([Photo.ID(1)])
    catalog.insertRestored([Photo.ID(0), Photo.ID(1)])
    #expect(catalog.listing == (0..<3).map { Photo.ID($0) })
    catalog.rename([(Photo.ID(0), path("0.jpg"))], listed: [Photo.ID(0)])
    #expect(catalog.listing == (0..<3).map { Photo.ID($0) })
    #expect(index[Photo.ID(0)] == Array("0.jpg".utf8))
  }

  // MARK: - Listing again

  @Test func `a second listing applies the differences`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    story.find("p/a/", ["4.jpg"])
    story.find("p/b/", ["5.jpg"])
    let before = story.catalog.listing
    _ = story.catalog.drainUpdates()

    story.relist(
      "p/",
      [
        ("p/", ["0.jpg", "2.jpg", "3.jpg", "9.jpg"]), ("p/b/", ["5.jpg"]), ("p/c/", ["6.jpg"]),
      ])

    #expect(
      story.paths == ["p/0.jpg", "p/2.jpg", "p/3.jpg", "p/9.jpg", "p/b/5.jpg", "p/c/6.jpg"])
    #expect(story.photo("p/3.jpg") == before[2])
    #expect(story.photo("p/b/5.jpg") == before[4])
    #expect(story.catalog.drainUpdates().isRearranged)
  }

  @Test func `a second listing without differences changes nothing`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg"])
    _ = story.catalog.drainUpdates()
    story.relist("p/", [("p/", ["1.jpg", "2.jpg"])])
    let news = story.catalog.drainUpdates()
    #expect(!news.isRearranged && news.appended.isEmpty && news.changed.isEmpty)
  }

  @Test func `photos of an unreadable folder are not removed`() {
    var story = Story()
    story.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    story.relist("p/", isComplete: false, [("p/", ["2.jpg", "4.jpg"])])
    #expect(story.paths == ["p/1.jpg", "p/2.jpg", "p/3.jpg", "p/4.jpg"])
  }

  @Test func `a second listing changes only its own folder`() {
    var story = Story()
    story.find("p/", ["1.jpg"])
    story.find("p/a/", ["2.jpg"])
    story.find("p/a/deep/", ["3.jpg"])
    story.find("p/ab/", ["4.jpg"])
    story.relist("p/a/", isDeep: false, [("p/a/", ["0.jpg"])])
    #expect(story.paths == ["p/1.jpg", "p/a/0.jpg", "p/a/deep/3.jpg", "p/ab/4.jpg"])
    story.relist("p/a/", [])
    #expect(story.paths == ["p/1.jpg", "p/ab/4.jpg"])
    story.relist("p/", isDeep: false, [])
    #expect(story.paths == ["p/ab/4.jpg"])
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

  // MARK: - Folders

  @Test func `folders come before photos, and keep their IDs when renamed`() {
    var story = Story()
    story.find("p/", ["1.jpg", "3.jpg"])
    story.find("p/", ["b/", "a/"].sorted())
    #expect(story.paths == ["p/a/", "p/b/", "p/1.jpg", "p/3.jpg"])
    let a = story.photo("p/a/")
    story.change(.renamed(path("p/a/"), to: path("p/c/")), .present(path("p/2.jpg")))
    #expect(story.paths == ["p/b/", "p/c/", "p/1.jpg", "p/2.jpg", "p/3.jpg"])
    #expect(story.photo("p/c/") == a)
    story.relist("p/", [("p/", ["c/", "d/", "1.jpg"])])
    #expect(story.paths == ["p/c/", "p/d/", "p/1.jpg"] && story.photo("p/c/") == a)
    story.change(.absent(path("p/d/")))
    #expect(story.paths == ["p/c/", "p/1.jpg"])
  }

  @Test func `a photo has the same ID in every listing of its folder`() {
    var story = Story()
    story.find("p/", ["a/", "1.jpg"])
    let sample = story.catalog.previewedPhoto(at: Array("p/a/2.jpg".utf8))
    #expect(sample == story.catalog.previewedPhoto(at: Array("p/a/2.jpg".utf8)))
    let before = story.catalog.listing

    #expect(!story.catalog.isKnown(Array("p/a/".utf8)))
    story.catalog.move(from: Array("p/".utf8), to: Array("p/a/".utf8))
    #expect(story.catalog.listing.isEmpty)
    story.find("p/a/", ["1.jpg", "2.jpg", "10.jpg"])
    #expect(story.paths == ["p/a/1.jpg", "p/a/2.jpg", "p/a/10.jpg"])
    #expect(story.photo("p/a/2.jpg") == sample)

    #expect(story.catalog.isKnown(Array("p/".utf8)))
    story.catalog.move(from: Array("p/a/".utf8), to: Array("p/".utf8))
    #expect(story.catalog.listing == before)
    story.relist("p/", [("p/", ["a/", "0.jpg"])])
    #expect(story.paths == ["p/a/", "p/0.jpg"])
    #expect(Set(story.catalog.listing).count == 2)

    // With subfolders, the same photos are listed below another folder.
    story.catalog.move(from: Array("p/".utf8), to: [])
    story.find("p/a/", ["2.jpg"], root: 3)
    #expect(story.catalog.listing.first == sample)
    #expect(sample.map { story.index.table.path(of: $0) } == path("p/a/2.jpg", root: 3))
    // The listing of several roots is not remembered.
    story.catalog.move(from: [0], to: Array("p/a/".utf8))
    #expect(!story.catalog.isKnown([0]))
  }
}
