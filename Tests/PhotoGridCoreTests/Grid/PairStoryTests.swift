import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// Pairs in use: one tile, one mark, one rating, one operation for both files.
@Suite struct PairStoryTests {
  init() { UTF8Locale.use() }

  /// Five photos, of which 1 and 2, and 4 and 5 are pairs.
  private static let names = ["a.jpg", "b.CR2", "b.jpg", "c.jpg", "d.dng", "d.heic", "e.jpg"]

  private func story(_ names: [String] = Self.names) -> Story {
    var story = Story(names: names)
    for number in names.indices {
      story.send(.measured(Photo.ID(number), PixelSize(width: 4000, height: 3000)))
    }
    story.wait(1)
    return story
  }

  private func files(_ tasks: [FileOperation]) -> [[Int]] { tasks.map { $0.photos.map(\.index) } }

  private func tasks(_ story: Story) -> [FileOperation] {
    story.effects.flatMap { effect -> [FileOperation] in
      if case .file(let tasks) = effect { tasks } else { [] }
    }
  }

  /// The texts over tiles.
  private func badges(_ story: Story) -> [String] {
    story.scene.placements.compactMap(\.badges?.note).filter { !$0.isEmpty }
  }

  @Test func `a pair has one tile with a badge, and counts once`() {
    let story = story()
    #expect(story.shown == [0, 2, 3, 5, 6])
    #expect(badges(story) == ["RAW", "RAW"])
    #expect(story.bar.right.hasPrefix("1/5"))
    #expect(!story.browser.demands.contains { [1, 4].contains($0.photo.index) })
  }

  @Test func `a photo that holds its film is a live photo`() {
    var story = story()
    var info = PhotoInfo.made(4, 4)
    info.holdsFilm = true
    story.send(.filesRead([(Photo.ID(3), info)]))
    #expect(badges(story) == ["RAW", "RAW", "LIVE"] || badges(story) == ["RAW", "LIVE", "RAW"])
  }

  @Test func `a mark is of both files, for every other program too`() throws {
    var story = story()
    story.keys("l m")
    #expect(story.bar.right.contains("2 marked"))
    #expect(story.marked == [2, 1, 3])
    story.keys("!wc")
    story.press(.enter)
    guard case .run(let command)? = story.effects.last else {
      Issue.record("no command")
      return
    }
    #expect(command.photos.map(\.index) == [2, 1, 3])
    story.keys("U")
    #expect(story.marked.isEmpty)
  }

  @Test func `both files are rated, and u restores both`() {
    var story = story()
    func rated() -> [[Int]] {
      story.effects.compactMap {
        if case .annotate(let tasks) = $0 { tasks.map(\.photo.index) } else { nil }
      }
    }
    #expect(story.browser.visibleUnrated.map(\.index) == [0, 2, 1, 3, 5, 4, 6])
    story.send(
      .ratingsUpdated((0..<7).map { RatingUpdate(Photo.ID($0), Rating(stars: $0 % 2)) }))
    story.keys("l;4")
    #expect(rated() == [[2, 1]] && story.bar.left == "4 stars")
    #expect((1...2).map { story.browser.album.rating(of: Photo.ID($0))?.stars } == [4, 4])
    story.keys("u")
    #expect(rated() == [[2, 1], [1, 2]], "a common sidecar gets its first rating back last")
    #expect(story.bar.left == "Rating undone")
    #expect((1...2).map { story.browser.album.rating(of: Photo.ID($0))?.stars } == [1, 0])
  }

  @Test func `both files go to the trash in one task, and come back in one`() {
    var story = story()
    story.keys("ld")
    #expect(tasks(story) == [.trash([Photo.ID(2), Photo.ID(1)])])
    let files = ["b.jpg", "b.CR2"].map {
      FileStep(
        trash: Array("/trash".utf8), name: Array($0.utf8), originalPath: Array($0.utf8))
    }
    story.effects = []
    story.send(.listingReplaced([0, 3, 4, 5, 6].map { Photo.ID($0) }))
    story.send(
      .fileOperationsFinished([
        FileOperation.trash([Photo.ID(2), Photo.ID(1)])
          .performed(.done(files), name: Array("b.jpg".utf8))
      ]))
    #expect(story.shown == [0, 3, 5, 6] && story.current == 3)
    #expect(story.bar.left == "'b.jpg' and its raw file are in the trash; u restores them")
    story.keys("u")
    #expect(
      tasks(story) == [FileOperation(.trash, [Photo.ID(2), Photo.ID(1)], files, isUndo: true)])
    let task = tasks(story)[0]
    story.send(.listingReplaced((0..<7).map { Photo.ID($0) }))
    story.send(
      .fileOperationsFinished([task.performed(.done([]), name: Array("b.jpg".utf8))]))
    #expect(story.shown == [0, 2, 3, 5, 6] && story.current == 2)
    #expect(story.bar.left == "'b.jpg' and its raw file are back")
  }

  @Test func `marked pairs are counted as photos before they are trashed`() {
    var story = story()
    story.keys("l  d")
    #expect(story.bar.left.hasPrefix("Trash 2 marked photos, 3 files?"))
    story.keys("y")
    #expect(files(tasks(story)) == [[2, 1], [3]])
    story.keys("Uggld")
    #expect(story.bar.left.hasPrefix("Still working on"), "a pair is busy as a whole")
  }

  @Test func `a new name is one for both files, each with its extension`() {
    var story = story()
    story.keys("lr")
    #expect(story.effects.last == .requestName(Photo.ID(2)))
    story.send(.nameReceived(Photo.ID(2), Array("b.jpg".utf8)))
    story.keys("2")
    story.press(.enter)
    #expect(
      tasks(story) == [
        .rename([
          Renaming(Photo.ID(2), to: Array("b2.jpg".utf8)),
          Renaming(Photo.ID(1), to: Array("b2.CR2".utf8)),
        ])
      ])
  }

  @Test(arguments: ["d", "M/there/\r", "yc/there/\r"])
  func `the report of unfinished operations counts a pair once`(keys: String) throws {
    var story = story()
    for character in "l  " + keys + (keys == "d" ? "y" : "") {
      story.send(.key(character == "\r" ? .enter : .character(character)))
    }
    let tasks = tasks(story)
    #expect(files(tasks) == [[2, 1], [3]])
    // Another operation waits for this one.
    story.keys("UGhd")
    let verb = keys == "d" ? "trashed" : keys.hasPrefix("M") ? "moved" : "copied"
    func lines(_ results: [FileOperation], open: [FileOperation], goesOn: Bool = true) -> [String] {
      story.browser.files.unfinishedReport(results, open: open, goesOn: goesOn) { _ in
        Array("b.jpg".utf8)
      }
    }
    let waiting = "not trashed: 1 photo"
    #expect(
      lines([], open: []) == [
        "\(verb) 0 of 2 photos", "not \(verb): 2 photos, starting at 'b.jpg'", waiting,
      ])
    let done = tasks[0].performed(.done([]), name: Array("b.jpg".utf8))
    #expect(
      lines([done], open: [tasks[1]]) == [
        "\(verb) 1 of 2 photos",
        "will be \(verb) once the disk responds: 1 photo, starting at 'b.jpg'", waiting,
      ])
    #expect(
      lines([done], open: [tasks[1]], goesOn: false)[1]
        == "may have been \(verb); the disk is not responding: 1 photo, starting at 'b.jpg'")
  }

  // MARK: - Files that come and go

  /// Adds a file to the folder.
  private func add(_ name: String, at index: Int, to story: inout Story) {
    let number = story.browser.album.listing.map(\.index).max().map { $0 + 1 } ?? 0
    var order = story.browser.album.listing
    order.insert(Photo.ID(number), at: index)
    story.send(.named(NameBatch(first: Photo.ID(number), folder: [], names: nameBlock([name]))))
    story.send(.listingReplaced(order))
  }

  @Test func `a raw file that arrives later changes nothing but the badge`() {
    var story = story(["a.jpg", "b.jpg", "c.jpg"])
    story.keys("l")
    func frames() -> [PixelRect] { story.scene.placements.map(\.frame) }
    let before = frames()
    add("b.nef", at: 2, to: &story)
    #expect(story.shown == [0, 1, 2] && story.current == 1)
    #expect(frames() == before && !story.browser.isAnimating(at: story.now))
    #expect(badges(story) == ["RAW"])
  }

  @Test(arguments: [true, false])
  func `a picture that arrives later takes the place of its raw file`(isAtEnd: Bool) throws {
    var story = story(["a.jpg", "b.nef", "c.jpg"])
    story.keys("lm")
    let place = story.tile(1)
    if isAtEnd {
      story.send(.named(NameBatch(first: Photo.ID(3), folder: [], names: nameBlock(["b.jpg"]))))
      story.send(.found([Photo.ID(3)]))
    } else {
      add("b.jpg", at: 1, to: &story)
    }
    #expect(story.shown == (isAtEnd ? [0, 2, 3] : [0, 3, 2]) && story.current == 3)
    let pose = try #require(story.scene.placements.last { $0.photo == Photo.ID(3) })
    #expect(pose.frame == place, "it starts where the raw file was")
    story.wait(1)
    #expect(story.marked == [3, 1])
    if !isAtEnd { #expect(story.tile(1) == place) }
  }

  @Test func `when the picture is removed, the raw file stays in its place`() {
    var story = story()
    story.keys("lm")
    let place = story.tile(1)
    story.send(.listingReplaced([0, 1, 3, 4, 5, 6].map { Photo.ID($0) }))
    story.wait(1)
    #expect(story.shown == [0, 1, 3, 5, 6] && story.current == 1 && story.marked == [1])
    #expect(story.tile(1) == place)
  }

  @Test func `an open picture is replaced by its raw file, and an open raw file by its picture`() {
    var story = story(["a.jpg", "b.nef", "c.jpg"])
    story.keys("l")
    story.press(.enter)
    story.wait(1)
    add("b.jpg", at: 1, to: &story)
    #expect(story.browser.viewer?.photo == Photo.ID(3))
    story.wait(1)
    story.send(.listingReplaced([0, 1, 2].map { Photo.ID($0) }))
    #expect(story.browser.viewer?.photo == Photo.ID(1))
    story.wait(1)
    story.press(.escape)
    story.wait(1)
    #expect(story.current == 1)
  }

  // MARK: - Random events

  @Test(arguments: seeds(1...20))
  func `random events with pairs keep the state consistent`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let names = (0..<40).map { number in
      "\(number / 2).\(["jpg", "cr2", "heic", "dng"].randomElement(using: &random) ?? "jpg")"
    }
    var story = Story(names: names)
    var listing = names.indices.map { Photo.ID($0) }
    for step in 0..<200 {
      let event: Event
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        listing = names.indices.map { Photo.ID($0) }
          .filter { _ in Int.random(in: 0..<6, using: &random) > 0 }
        event = .listingReplaced(listing)
      case 1:
        let missing = names.indices.map { Photo.ID($0) }.filter { !listing.contains($0) }
        guard let photo = missing.randomElement(using: &random) else { continue }
        listing.append(photo)
        event = .found([photo])
      default:
        event = BrowserInvariantTests.event(&random, photos: story.browser.items.count)
        switch event {
        case .listingReplaced, .found, .moved: continue
        default: break
        }
      }
      story.send(event)
      if let complaint = BrowserInvariantTests.complaint(about: story) ?? complaint(about: story) {
        Issue.record("seed \(seed), step \(step): \(complaint) after \(event)")
        return
      }
      story.now = story.now.advanced(bySeconds: Double.random(in: 0...0.2, using: &random))
    }
    story.send(.mouse(MouseEvent(.released(.left), at: .zero)))
    story.wait(30)
    #expect(!story.browser.isAnimating(at: story.now), "seed \(seed): never comes to rest")
  }

  private func complaint(about story: Story) -> String? {
    let album = story.browser.album
    if album.files(of: album.photos).sorted() != album.listing.sorted() {
      return "a file without a tile, or with two"
    }
    for effect in story.effects {
      guard case .file(let tasks) = effect else { continue }
      for task in tasks {
        let files = Set(task.photos)
        for file in files where !album.pairedFiles(of: file).allSatisfy(files.contains) {
          return "a pair is torn apart by \(task)"
        }
      }
    }
    return nil
  }
}
