import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

@Suite struct StackTests {
  // MARK: - Which photos are a stack

  /// The stacks of photos of one camera or several, by the times of their shots.
  private func stacks(
    _ times: [Int64?], cameras: [UInt16] = [], within seconds: Double = 2
  ) -> [[Int]] {
    let table = StackTable(times.indices.map { Photo.ID($0) }, within: seconds) { photo in
      times[photo.index].map {
        StackTable.Shot(
          camera: cameras.isEmpty ? 1 : cameras[photo.index], time: $0)
      }
    }
    return (0..<table.count).map { table.photos(ofStack: $0).map(\.index) }
  }

  @Test func `photos less than two seconds apart are a stack, however many they are`() {
    #expect(stacks([10, 11, 12, 13, 20, 30, 31]) == [[0, 1, 2, 3], [5, 6]])
    #expect(stacks([10, 12, 14]) == [])
    #expect(stacks([10, 12, 14], within: 3) == [[0, 1, 2]])
    #expect(stacks([5, 5, 5]) == [[0, 1, 2]])
    #expect(stacks([]) == [] && stacks([1]) == [] && stacks([nil, nil]) == [])
  }

  @Test func `the listing's order does not matter, but cameras and missing dates do`() {
    #expect(stacks([13, 11, nil, 12]) == [[1, 3, 0]])
    #expect(stacks([10, 10, 11, 11], cameras: [1, 2, 1, 2]) == [[0, 2], [1, 3]])
  }

  @Test func `seconds are counted over midnight, new year and leap days`() throws {
    for (before, after) in [
      ("2023-12-31T23:59:59", "2024-01-01T00:00:00"),
      ("2024-02-28T23:59:59", "2024-02-29T00:00:00"),
      ("2024-02-29T23:59:59", "2024-03-01T00:00:00"),
      ("2023-02-28T23:59:59", "2023-03-01T00:00:00"),
      ("1999-12-31T23:59:59", "2000-01-01T00:00:00"),
      ("2024-05-21T11:59:59", "2024-05-21T12:00:00"),
    ] {
      let times = try [before, after].map { try #require(TakenTime(iso8601: $0)).seconds }
      #expect(times[1] - times[0] == 1, "\(before)")
    }
  }

  // MARK: - Stacks in an album

  /// Facts of a photo by one camera, taken so many seconds after noon.
  static func facts(_ seconds: Int, camera: String? = "Camera") -> PhotoInfo {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    var info = PhotoInfo.plain
    info.taken = TakenTime(iso8601: "2024-05-21T12:\(two(seconds / 60)):\(two(seconds % 60))")
    info.metadata = PhotoMetadata()
    info.metadata?.camera = camera
    return info
  }

  @Test(arguments: seeds(1...40))
  func `every photo is in one tile, and stacks depend on nothing but the photos`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 1...40, using: &random)
    let names = (0..<count).map {
      "\($0 / 2).\($0.isMultiple(of: 3) ? "cr2" : "jpg")" + "\($0 % 2)"
    }
    var collection = PhotoCollection(stackSeconds: 2)
    for batch in NameBatch.batches(of: names.map { Array($0.utf8) }, first: Photo.ID(0)) {
      collection.learn(batch)
    }
    var listing: [Photo.ID] = []
    var known: [Photo.ID: PhotoInfo] = [:]
    for _ in 0..<40 {
      let missing = (0..<count).map { Photo.ID($0) }.filter { !listing.contains($0) }
      let some = missing.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
      let photo = listing.randomElement(using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        listing += some
        collection.extend(by: Array(some))
      case 2:
        listing.removeAll { _ in Int.random(in: 0..<6, using: &random) == 0 }
        collection.relist(listing)
      case 3, 4:
        let new = Photo.ID(Int.random(in: 0..<count, using: &random))
        let facts = Self.facts(
          Int.random(in: 0..<60, using: &random),
          camera: ["A", "B", nil].randomElement(using: &random) ?? nil)
        known[new] = facts
        _ = collection.learn(InfoBlock([facts]), of: [new])
      case 5: if let photo { collection.fanOut(photo, Bool.random(using: &random)) }
      case 6: if let photo { collection.chooseFace(photo) }
      default:
        let word = ["cr2", "1", "taken", ""].randomElement(using: &random)
        collection.show(only: try Filter(parsing: word ?? ""))
      }
      if Bool.random(using: &random) { collection.refresh() }
      Self.check(collection, known)
    }
  }

  private static func check(_ collection: PhotoCollection, _ known: [Photo.ID: PhotoInfo]) {
    let album = collection.album
    guard !album.isStale else { return }
    let passing = album.filtering.result ?? album.ordered
    let files = album.files(ofTiles: album.shown)
    #expect(files.sorted() == album.files(of: passing).sorted(), "every photo is in one tile")
    #expect(album.shown == passing.filter(PhotoSet(album.shown).contains), "the order is kept")
    for photo in passing { #expect(collection.index(ofTileWith: photo) != nil) }
    for (index, item) in collection.items.enumerated() {
      #expect(collection.index(of: item) == index && album.tile(of: item) == item)
    }
    var fresh = Album()
    fresh.stack(within: 2)
    for (photo, facts) in known { fresh.learn(InfoBlock([facts]), of: [photo]) }
    fresh.joinPairs(false)
    fresh.relist(album.photos)
    for photo in album.photos {
      let mates = album.photos.filter { album.stack(of: $0) == album.stack(of: photo) }
      let freshMates = album.photos.filter { fresh.stack(of: $0) == fresh.stack(of: photo) }
      #expect((album.stack(of: photo) == nil) == (fresh.stack(of: photo) == nil))
      if album.stack(of: photo) != nil { #expect(mates == freshMates) }
    }
  }

  // MARK: - Stacks in use

  /// Ten photos: 2 to 5 are a stack, and 7 and 8.
  private func story(_ keys: String = "zs", motion: MotionSetting = .full) -> Story {
    var story = Story(photos: 10, motion: motion)
    let seconds = [0, 10, 20, 21, 22, 23, 30, 40, 41, 50]
    story.send(
      .filesRead(seconds.enumerated().map { (Photo.ID($0), Self.facts($1)) }))
    story.keys(keys)
    story.wait(1)
    return story
  }

  private func badges(_ story: Story) -> [String] {
    story.scene.placements.compactMap(\.badges?.countText).filter { !$0.isEmpty }
  }

  @Test func `zs folds stacks, with the number of their photos, and shows all again`() {
    var story = story()
    #expect(story.shown == [0, 1, 2, 6, 7, 9])
    #expect(badges(story) == ["×4", "×2"])
    story.keys("ll")
    #expect(story.bar.right.contains("3/6") && story.bar.right.contains("stack of 4"))
    story.keys("zs")
    #expect(story.shown == Array(0..<10) && story.current == 2)
  }

  @Test func `Enter fans a stack out of its tile, and zc folds it into its face`() throws {
    var story = story()
    story.keys("ll")
    let tile = story.tile(2)
    story.press(.enter)
    #expect(story.browser.viewer == nil && story.shown == [0, 1, 2, 3, 4, 5, 6, 7, 9])
    for number in 3...5 {
      let placement = try #require(story.scene.placements.last { $0.photo == Photo.ID(number) })
      #expect(placement.frame == tile, "it comes out of the stack")
    }
    story.wait(1)
    #expect(badges(story) == ["×2"])
    story.keys("llzt")
    #expect(story.bar.left == "Now the stack's cover · Esc folds the stack")
    story.keys("hzc")
    #expect(story.current == 4 && story.shown == [0, 1, 4, 6, 7, 9])
    let end = story.tile(2)
    story.wait(0.34)
    let going = try #require(story.scene.placements.first { $0.photo == Photo.ID(2) })
    #expect(abs(going.frame.minX - end.minX) < 20 && going.opacity < 0.2, "it ends in the stack")
    story.wait(1)
    #expect(badges(story) == ["×4", "×2"])
    story.press(.enter)
    story.wait(1)
    story.press(.enter)
    #expect(story.browser.viewer?.photo == Photo.ID(4), "a photo of an open stack opens")
  }

  @Test func `a frame holds the photos of an unfolded stack together, open where it goes on`() {
    for unit in [CellMetrics.PlacementUnit.cells, .pixels] {
      var story = story(motion: .none)
      var metrics = CellMetrics.standard
      metrics.placementUnit = unit
      story.send(.resized(CellSize(columns: 100, rows: 31), metrics))
      #expect(story.scene.outlines.isEmpty)
      story.keys("ll")
      story.press(.enter)
      #expect(story.shown == [0, 1, 2, 3, 4, 5, 6, 7, 9])
      let space = unit == .pixels ? 1.0 : 0
      let row = (2...5).map { story.tile($0) }.filter { $0.minY == story.tile(2).minY }
      let rest = (2...5).map { story.tile($0) }.filter { $0.minY != story.tile(2).minY }
      let outlines = story.scene.outlines.map(\.tile)
      #expect(outlines.count == (rest.isEmpty ? 1 : 2) && !row.isEmpty)
      #expect(outlines.first?.minX == row[0].minX - space)
      #expect(outlines.first?.minY == row[0].minY - space)
      #expect(outlines.first?.height == row[0].height + 2 * space)
      if let last = rest.last {
        #expect(outlines[0].maxX > story.scene.size.width, "it goes on below")
        #expect(outlines[1].minX < 0 && outlines[1].maxX == last.maxX + space)
        #expect(outlines[1].minY == last.minY - space)
      } else {
        #expect(outlines.first?.maxX == row.last.map { $0.maxX + space })
      }
      #expect(story.scene.outlines.allSatisfy { $0.meaning == .stack })
      story.press(.escape)
      #expect(story.scene.outlines.isEmpty)
    }
  }

  @Test func `Esc folds the selected stack that is unfolded, before it removes marks`() {
    var story = story(motion: .none)
    story.keys("mll")
    story.press(.enter)
    story.keys("l")
    #expect(story.shown == [0, 1, 2, 3, 4, 5, 6, 7, 9] && story.current == 3)
    story.press(.escape)
    #expect(story.shown == [0, 1, 2, 6, 7, 9] && story.current == 2 && story.marked == [0])
    story.press(.enter)
    story.keys("h")
    story.press(.escape)
    #expect(story.shown.count == 9 && story.marked.isEmpty, "the selection is outside the stack")
  }

  @Test func `headings count photos, not the tiles of their stacks`() {
    var story = story(motion: .none)
    func heading() -> String {
      let texts = (story.scene.captions + story.scene.labels).map(\.text)
      return texts.first { $0.contains("photos") } ?? "\(texts)"
    }
    story.keys("gd")
    #expect(story.shown.count == 6 && heading().hasSuffix(" · 10 photos"), "\(heading())")
    story.keys("zs")
    #expect(story.shown.count == 10 && heading().hasSuffix(" · 10 photos"), "\(heading())")
  }

  @Test func `a folded stack is marked, rated and trashed as a whole, after a question`() {
    var story = story(motion: .none)
    story.keys("llm")
    #expect(story.marked == [2, 3, 4, 5] && story.bar.right.contains("4 marked"))
    #expect(story.scene.ring?.meaning == .selectedAndMarked)
    story.keys("m")
    #expect(story.marked.isEmpty)
    story.keys(";3")
    #expect(story.bar.left == "4 photos: 3 stars")
    story.keys("d")
    #expect(story.bar.left.hasPrefix("Trash 4 photos?") && story.effects.count == 1)
    story.keys("y")
    #expect(story.effects.last == .file((2...5).map { .trash([Photo.ID($0)]) }))
  }

  @Test func `a filter takes photos out of their stack`() throws {
    var story = Story(names: (0..<4).map { "\($0 % 2 == 0 ? "a" : "b")\($0).jpg" })
    story.send(.filesRead((0..<4).map { (Photo.ID($0), Self.facts($0)) }))
    story.keys("zs")
    story.wait(1)
    #expect(story.shown == [0])
    story.keys("fb")
    story.press(.enter)
    #expect(story.shown == [1] && story.bar.right.contains("stack of 2"))
    story.keys("m")
    #expect(story.marked == [1, 3])
    story.press(.enter)
    #expect(story.shown == [1, 3])
  }

  @Test func `keys for stacks say so where there are none`() {
    var story = story("")
    story.keys("zc")
    #expect(story.bar.left == "Stacks are off. zs folds bursts into stacks.")
    story.keys("zszt")
    #expect(story.bar.left == "Not in a stack")
  }

  @Test(arguments: seeds(1...20))
  func `random events with stacks keep the state consistent`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var story = Story(photos: 60, columns: 80, rows: 24)
    for step in 0..<200 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let photo = Photo.ID(Int.random(in: 0..<60, using: &random))
        let seconds = Int.random(in: 0..<90, using: &random)
        story.send(.filesRead([(photo, Self.facts(seconds))]))
      case 1: story.keys(["zs", "zc", "zt"].randomElement(using: &random) ?? "zs")
      default:
        story.send(BrowserInvariantTests.event(&random, photos: story.browser.items.count))
      }
      if let complaint = BrowserInvariantTests.complaint(about: story) {
        Issue.record("seed \(seed), step \(step): \(complaint)")
        return
      }
      story.now = story.now.advanced(bySeconds: Double.random(in: 0...0.2, using: &random))
    }
    story.send(.mouse(MouseEvent(.released(.left), at: .zero)))
    story.wait(30)
    #expect(!story.browser.isAnimating(at: story.now), "seed \(seed): never comes to rest")
  }
}
