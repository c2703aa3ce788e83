import PhotoGridCore
import PhotoLibrary
import TestSupport
import Testing
import WorkerProtocol

@testable import photogrid

/// What becomes of a listing's events: photos in their order, with identities that last.
struct CatalogTests {
  /// A catalog and the store that has its paths.
  private struct Shelf {
    var catalog = Catalog(isOrdered: true)
    let store = PhotoStore(worker: WorkerExecutable(path: "/nowhere"))

    mutating func find(_ folder: String, _ names: [String], root: Int = 0) {
      catalog.take(Shelf.batch(folder, names, root), into: store)
    }

    mutating func change(_ changes: PhotoChange...) { catalog.take(changes, into: store) }

    mutating func relist(
      _ folder: String, isDeep: Bool = true, isComplete: Bool = true, _ found: [(String, [String])]
    ) {
      let place = ListedPlace(root: 0, folder: Array(folder.utf8), isDeep: isDeep)
      catalog.beginRelisting(place, in: store)
      for (folder, names) in found { find(folder, names) }
      catalog.endRelisting(isComplete: isComplete, in: store)
    }

    static func batch(_ folder: String, _ names: [String], _ root: Int) -> PhotoBatch {
      var batch = PhotoBatch(root: root, folder: Array(folder.utf8))
      for name in names { batch.append(name.utf8) }
      return batch
    }

    /// The paths in their order.
    var paths: [String] {
      catalog.listing.map { String(decoding: store.paths[$0], as: UTF8.self) }
    }

    func photo(_ path: String) -> Photo.ID? {
      catalog.listing.first { store.paths[$0] == Array(path.utf8) }
    }
  }

  private func path(_ text: String, root: Int = 0) -> PhotoPath {
    PhotoPath(root: root, path: Array(text.utf8))
  }

  @Test func `a listing in order is appended, and nothing is moved`() {
    var shelf = Shelf()
    shelf.find("p/", ["1.jpg", "2.jpg"])
    shelf.find("p/", ["10.jpg"])
    shelf.find("p/a/", ["0.jpg"])
    let news = shelf.catalog.takeNews()
    #expect(!news.isRearranged)
    #expect(news.appended == (0..<4).map { Photo.ID($0) })
    #expect(shelf.paths == ["p/1.jpg", "p/2.jpg", "p/10.jpg", "p/a/0.jpg"])
    #expect(shelf.catalog.takeNews().appended.isEmpty)
  }

  @Test func `names that come in the disk's order go to their places`() {
    var shelf = Shelf()
    shelf.find("p/", ["b.jpg", "d.jpg"])
    _ = shelf.catalog.takeNews()
    shelf.find("p/", ["a.jpg", "c.jpg", "e.jpg"])
    #expect(shelf.catalog.takeNews().isRearranged)
    #expect(shelf.paths == ["a", "b", "c", "d", "e"].map { "p/\($0).jpg" })
  }

  @Test func `names are told folder by folder, those of renamed photos anew`() {
    var shelf = Shelf()
    shelf.find("p/", ["1.jpg", "2.jpg"])
    shelf.find("p/", ["3.jpg"])
    shelf.find("q/", ["4.jpg"])
    func names(from number: Int, atMost limit: Int = .max) -> NameBatch {
      shelf.store.paths.names(from: Photo.ID(number), atMost: limit)
    }
    func batch(_ number: Int, _ folder: String, _ names: String) -> NameBatch {
      NameBatch(first: Photo.ID(number), folder: Array(folder.utf8), names: Array(names.utf8))
    }
    #expect(names(from: 0) == batch(0, "p/", "1.jpg\02.jpg\03.jpg\0"))
    #expect(names(from: 1, atMost: 1) == batch(1, "p/", "2.jpg\0"))
    #expect(names(from: 3) == batch(3, "q/", "4.jpg\0"))
    #expect(shelf.catalog.takeNews().renamed.isEmpty)

    shelf.change(.renamed(path("p/2.jpg"), to: path("q/0.jpg")))
    #expect(shelf.catalog.takeNews().renamed == [Photo.ID(1)])
    #expect(names(from: 1) == batch(1, "q/", "0.jpg\0"))
    #expect(names(from: 0) == batch(0, "p/", "1.jpg\0"))
    #expect(names(from: 2) == batch(2, "p/", "3.jpg\0"))
  }

  @Test func `a list keeps its own order`() {
    var catalog = Catalog(isOrdered: false)
    let store = PhotoStore(worker: WorkerExecutable(path: "/nowhere"))
    let names = ["z/1.jpg", "a.jpg", "z/2.jpg", "a.jpg", "z/0.jpg"]
    for batch in PhotoBatch.batches(of: names.map { Array($0.utf8) }) {
      catalog.take(batch, into: store)
    }
    #expect(catalog.listing.map { String(decoding: store.paths[$0], as: UTF8.self) } == names)
  }

  @Test func `roots are in the order in which they were given`() {
    var shelf = Shelf()
    shelf.find("z/", ["1.jpg"], root: 0)
    shelf.find("", ["named.jpg"], root: 1)
    shelf.find("a/", ["1.jpg"], root: 2)
    shelf.change(.present(path("a/0.jpg", root: 2)), .present(path("z/9.jpg", root: 0)))
    #expect(shelf.paths == ["z/1.jpg", "z/9.jpg", "named.jpg", "a/0.jpg", "a/1.jpg"])
  }

  @Test func `new photos come to their places and gone ones leave theirs`() {
    var shelf = Shelf()
    shelf.find("p/", ["1.jpg", "3.jpg", "5.jpg"])
    let kept = shelf.photo("p/3.jpg")
    shelf.change(
      .present(path("p/4.jpg")), .absent(path("p/1.jpg")), .present(path("p/sub/0.jpg")),
      .present(path("p/2.jpg")), .absent(path("p/never.jpg")))
    #expect(shelf.paths == ["p/2.jpg", "p/3.jpg", "p/4.jpg", "p/5.jpg", "p/sub/0.jpg"])
    #expect(shelf.photo("p/3.jpg") == kept)
    let news = shelf.catalog.takeNews()
    #expect(news.isRearranged && news.changed.isEmpty)
  }

  @Test func `a known photo that is written again is looked at again`() {
    var shelf = Shelf()
    shelf.find("p/", ["1.jpg", "2.jpg"])
    _ = shelf.catalog.takeNews()
    shelf.change(.present(path("p/2.jpg")))
    let news = shelf.catalog.takeNews()
    #expect(news.changed == [Photo.ID(1)])
    #expect(!news.isRearranged && news.appended.isEmpty)
  }

  @Test func `a renamed photo stays itself, and what had its name is gone`() {
    var shelf = Shelf()
    shelf.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    let (one, three) = (shelf.photo("p/1.jpg"), shelf.photo("p/3.jpg"))
    shelf.change(
      .renamed(path("p/1.jpg"), to: path("p/9.jpg")),
      .renamed(path("p/9.jpg"), to: path("q/8.jpg")),
      .renamed(path("p/3.jpg"), to: path("p/2.jpg")),
      .renamed(path("x.jpg"), to: path("p/0.jpg")))
    #expect(shelf.paths == ["p/0.jpg", "p/2.jpg", "q/8.jpg"])
    #expect(shelf.photo("q/8.jpg") == one)
    #expect(shelf.photo("p/2.jpg") == three)
  }

  @Test func `two photos that change their names stay themselves`() {
    var shelf = Shelf()
    shelf.find("p/", ["a.jpg", "b.jpg"])
    let (a, b) = (shelf.photo("p/a.jpg"), shelf.photo("p/b.jpg"))
    shelf.change(
      .renamed(path("p/a.jpg"), to: path("p/t.jpg")),
      .renamed(path("p/b.jpg"), to: path("p/a.jpg")),
      .renamed(path("p/t.jpg"), to: path("p/b.jpg")))
    #expect(shelf.paths == ["p/a.jpg", "p/b.jpg"])
    #expect(shelf.photo("p/a.jpg") == b)
    #expect(shelf.photo("p/b.jpg") == a)
  }

  @Test func `a photo that is back is the same as before, and looked at again`() {
    var shelf = Shelf()
    shelf.find("p/", ["1.jpg", "2.jpg"])
    shelf.change(.absent(path("p/1.jpg")))
    #expect(shelf.paths == ["p/2.jpg"])
    _ = shelf.catalog.takeNews()
    shelf.change(.present(path("p/1.jpg")))
    #expect(shelf.catalog.listing == [Photo.ID(0), Photo.ID(1)])
    #expect(shelf.catalog.takeNews().changed == [Photo.ID(0)])
  }

  // MARK: - What is done to files here

  @Test func `a trashed photo is out at once, and told to be gone later changes nothing`() {
    var shelf = Shelf()
    shelf.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    _ = shelf.catalog.takeNews()
    shelf.catalog.withdraw([Photo.ID(1)], in: shelf.store)
    #expect(shelf.paths == ["p/1.jpg", "p/3.jpg"] && shelf.catalog.takeNews().isRearranged)
    shelf.catalog.withdraw([Photo.ID(1)], in: shelf.store)
    shelf.change(.absent(path("p/2.jpg")))
    #expect(shelf.paths == ["p/1.jpg", "p/3.jpg"] && !shelf.catalog.takeNews().isRearranged)

    shelf.catalog.readmit([Photo.ID(1)], in: shelf.store)
    #expect(shelf.catalog.listing == (0..<3).map { Photo.ID($0) })
    #expect(shelf.catalog.takeNews().isRearranged)
    shelf.change(.present(path("p/2.jpg")))
    #expect(shelf.catalog.listing == (0..<3).map { Photo.ID($0) })
    #expect(!shelf.catalog.takeNews().isRearranged)
  }

  @Test func `where the folder tells first, the hand changes nothing more`() {
    var shelf = Shelf()
    shelf.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    shelf.change(.absent(path("p/2.jpg")))
    shelf.catalog.withdraw([Photo.ID(1)], in: shelf.store)
    #expect(shelf.paths == ["p/1.jpg", "p/3.jpg"])
    shelf.change(.present(path("p/2.jpg")))
    #expect(shelf.photo("p/2.jpg") == Photo.ID(3), "it may be another file")
    shelf.catalog.readmit([Photo.ID(1)], in: shelf.store)
    #expect(shelf.catalog.listing == (0..<3).map { Photo.ID($0) })
    shelf.change(.renamed(path("p/2.jpg"), to: path("p/9.jpg")))
    shelf.catalog.rename(Photo.ID(1), to: path("p/9.jpg"), in: shelf.store)
    #expect(shelf.paths == ["p/1.jpg", "p/3.jpg", "p/9.jpg"])
    #expect(shelf.photo("p/9.jpg") == Photo.ID(1))
  }

  @Test func `a photo that gets another name here is itself at its new place`() {
    var shelf = Shelf()
    shelf.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    shelf.catalog.rename(Photo.ID(0), to: path("p/2b.jpg"), in: shelf.store)
    #expect(shelf.paths == ["p/2.jpg", "p/2b.jpg", "p/3.jpg"])
    #expect(shelf.photo("p/2b.jpg") == Photo.ID(0))
    #expect(shelf.catalog.takeNews().renamed == [Photo.ID(0)])
    shelf.change(.renamed(path("p/1.jpg"), to: path("p/2b.jpg")))
    #expect(shelf.paths == ["p/2.jpg", "p/2b.jpg", "p/3.jpg"])
    #expect(shelf.photo("p/2b.jpg") == Photo.ID(0))
  }

  @Test func `what was named itself is not back until the hand brings it`() {
    var shelf = Shelf()
    shelf.find("", ["a.jpg"], root: 0)
    shelf.find("", ["b.jpg"], root: 1)
    shelf.catalog.disown(path("a.jpg"))
    shelf.catalog.withdraw([Photo.ID(0)], in: shelf.store)
    shelf.change(.present(path("a.jpg")))
    #expect(shelf.paths == ["b.jpg"])
    shelf.catalog.readmit([Photo.ID(0)], in: shelf.store)
    #expect(shelf.paths == ["a.jpg", "b.jpg"])
  }

  @Test func `a list's photos go and come at their places too`() {
    var catalog = Catalog(isOrdered: false)
    let store = PhotoStore(worker: WorkerExecutable(path: "/nowhere"))
    for batch in PhotoBatch.batches(of: ["z.jpg", "a.jpg", "m.jpg"].map { Array($0.utf8) }) {
      catalog.take(batch, into: store)
    }
    catalog.withdraw([Photo.ID(0), Photo.ID(1)], in: store)
    #expect(catalog.listing == [Photo.ID(2)])
    catalog.readmit([Photo.ID(1)], in: store)
    catalog.readmit([Photo.ID(0), Photo.ID(1)], in: store)
    #expect(catalog.listing == (0..<3).map { Photo.ID($0) })
    catalog.rename(Photo.ID(0), to: path("0.jpg"), in: store)
    #expect(catalog.listing == (0..<3).map { Photo.ID($0) })
    #expect(store.paths[Photo.ID(0)] == Array("0.jpg".utf8))
  }

  // MARK: - Listing again

  @Test func `a second listing tells what is different`() {
    var shelf = Shelf()
    shelf.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    shelf.find("p/a/", ["4.jpg"])
    shelf.find("p/b/", ["5.jpg"])
    let before = shelf.catalog.listing
    _ = shelf.catalog.takeNews()

    shelf.relist(
      "p/",
      [
        ("p/", ["0.jpg", "2.jpg", "3.jpg", "9.jpg"]), ("p/b/", ["5.jpg"]), ("p/c/", ["6.jpg"]),
      ])

    #expect(
      shelf.paths == ["p/0.jpg", "p/2.jpg", "p/3.jpg", "p/9.jpg", "p/b/5.jpg", "p/c/6.jpg"])
    #expect(shelf.photo("p/3.jpg") == before[2])
    #expect(shelf.photo("p/b/5.jpg") == before[4])
    #expect(shelf.catalog.takeNews().isRearranged)
  }

  @Test func `one that finds the same changes nothing`() {
    var shelf = Shelf()
    shelf.find("p/", ["1.jpg", "2.jpg"])
    _ = shelf.catalog.takeNews()
    shelf.relist("p/", [("p/", ["1.jpg", "2.jpg"])])
    let news = shelf.catalog.takeNews()
    #expect(!news.isRearranged && news.appended.isEmpty && news.changed.isEmpty)
  }

  @Test func `what could not be read is not taken for gone`() {
    var shelf = Shelf()
    shelf.find("p/", ["1.jpg", "2.jpg", "3.jpg"])
    shelf.relist("p/", isComplete: false, [("p/", ["2.jpg", "4.jpg"])])
    #expect(shelf.paths == ["p/1.jpg", "p/2.jpg", "p/3.jpg", "p/4.jpg"])
  }

  @Test func `only the place that is listed again is touched`() {
    var shelf = Shelf()
    shelf.find("p/", ["1.jpg"])
    shelf.find("p/a/", ["2.jpg"])
    shelf.find("p/a/deep/", ["3.jpg"])
    shelf.find("p/ab/", ["4.jpg"])
    shelf.relist("p/a/", isDeep: false, [("p/a/", ["0.jpg"])])
    #expect(shelf.paths == ["p/1.jpg", "p/a/0.jpg", "p/a/deep/3.jpg", "p/ab/4.jpg"])
    shelf.relist("p/a/", [])
    #expect(shelf.paths == ["p/1.jpg", "p/ab/4.jpg"])
    shelf.relist("p/", isDeep: false, [])
    #expect(shelf.paths == ["p/ab/4.jpg"])
  }

  // MARK: - Whatever happens

  @Test(arguments: seeds(1...40))
  func `the photos are those of the disk, in order, each the same as before`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let folders = ["", "a/", "a/b/", "a10/", "a2/", "c/"]
    var disk: Set<String> = []
    var shelf = Shelf()
    func somePath() -> String {
      (folders.randomElement(using: &random) ?? "")
        + "\(Int.random(in: 0..<12, using: &random)).jpg"
    }
    for step in 0..<80 {
      // Who has which number, where the name has not changed.
      let before = Dictionary(
        uniqueKeysWithValues: shelf.catalog.listing.map { (shelf.store.paths[$0], $0) })
      var renamed: [[UInt8]: [UInt8]] = [:]
      if Int.random(in: 0..<6, using: &random) == 0 {
        let all = folders.map { folder in
          (folder, (0..<12).map { "\($0).jpg" }.filter { disk.contains(folder + $0) })
        }
        if Bool.random(using: &random) { disk = disk.filter { $0.hashValue % 3 != 0 } }
        shelf.relist(
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
        shelf.catalog.take(changes, into: shelf.store)
      }

      let trace = "seed \(seed), step \(step)"
      #expect(Set(shelf.paths) == disk, "\(trace)")
      #expect(shelf.paths.count == disk.count, "\(trace): a photo is twice in the listing")
      let paths = shelf.store.paths
      let pairs = zip(shelf.catalog.listing, shelf.catalog.listing.dropFirst())
      #expect(pairs.allSatisfy { paths.precedes($0, $1) }, "\(trace): out of order")
      if renamed.isEmpty {
        for photo in shelf.catalog.listing {
          let old = before[paths[photo]]
          #expect(old == nil || old == photo, "\(trace): another photo has the name")
        }
      }
    }
  }

  // MARK: - Folders

  @Test func `folders come before photos, and keep their identity when renamed`() {
    var shelf = Shelf()
    shelf.find("p/", ["1.jpg", "3.jpg"])
    shelf.find("p/", ["b/", "a/"].sorted())
    #expect(shelf.paths == ["p/a/", "p/b/", "p/1.jpg", "p/3.jpg"])
    let a = shelf.photo("p/a/")
    shelf.change(.renamed(path("p/a/"), to: path("p/c/")), .present(path("p/2.jpg")))
    #expect(shelf.paths == ["p/b/", "p/c/", "p/1.jpg", "p/2.jpg", "p/3.jpg"])
    #expect(shelf.photo("p/c/") == a)
    shelf.relist("p/", [("p/", ["c/", "d/", "1.jpg"])])
    #expect(shelf.paths == ["p/c/", "p/d/", "p/1.jpg"] && shelf.photo("p/c/") == a)
    shelf.change(.absent(path("p/d/")))
    #expect(shelf.paths == ["p/c/", "p/1.jpg"])
  }

  @Test func `a photo is the same one in every listing of its folder`() {
    var shelf = Shelf()
    shelf.find("p/", ["a/", "1.jpg"])
    let sample = shelf.catalog.sample(Array("p/a/2.jpg".utf8), in: shelf.store)
    #expect(sample == shelf.catalog.sample(Array("p/a/2.jpg".utf8), in: shelf.store))
    let before = shelf.catalog.listing

    #expect(!shelf.catalog.isKnown(Array("p/a/".utf8)))
    shelf.catalog.move(from: Array("p/".utf8), to: Array("p/a/".utf8), in: shelf.store)
    #expect(shelf.catalog.listing.isEmpty)
    shelf.find("p/a/", ["1.jpg", "2.jpg", "10.jpg"])
    #expect(shelf.paths == ["p/a/1.jpg", "p/a/2.jpg", "p/a/10.jpg"])
    #expect(shelf.photo("p/a/2.jpg") == sample)

    #expect(shelf.catalog.isKnown(Array("p/".utf8)))
    shelf.catalog.move(from: Array("p/a/".utf8), to: Array("p/".utf8), in: shelf.store)
    #expect(shelf.catalog.listing == before)
    shelf.relist("p/", [("p/", ["a/", "0.jpg"])])
    #expect(shelf.paths == ["p/a/", "p/0.jpg"])
    #expect(Set(shelf.catalog.listing).count == 2)

    // With subfolders looked through, the same photos are listed below another folder.
    shelf.catalog.move(from: Array("p/".utf8), to: [], in: shelf.store)
    shelf.find("p/a/", ["2.jpg"], root: 3)
    #expect(shelf.catalog.listing.first == sample)
    #expect(sample.map { shelf.store.paths.path(of: $0) } == path("p/a/2.jpg", root: 3))
    // Through several roots there is no order to come back to.
    shelf.catalog.move(from: [0], to: Array("p/a/".utf8), in: shelf.store)
    #expect(!shelf.catalog.isKnown([0]))
  }
}
