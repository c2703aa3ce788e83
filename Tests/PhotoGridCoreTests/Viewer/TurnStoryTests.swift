@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import TestSupport
import Testing

/// Rotating and flipping photos, in their tiles and open, and saving that in their files.
@Suite(.traced) struct TurnStoryTests {
  init() { UTF8Locale.use() }

  private static let names = (0..<12).map { "photo \($0).jpg" }

  private func story(_ names: [String] = Self.names) -> Story {
    var story = Story(names: names)
    for number in names.indices {
      story.send(.measured(Photo.ID(number), PixelSize(width: 4000, height: 3000)))
    }
    story.wait(1)
    return story
  }

  private func tasks(_ story: Story) -> [FileOperation] {
    story.effects.flatMap { effect -> [FileOperation] in
      if case .file(let tasks) = effect { tasks } else { [] }
    }
  }

  private func orientations(_ story: Story) -> [Int] {
    story.browser.collection.album.listing.map { story.browser.orientation(of: $0).number }
  }

  private static func file(_ number: Int, isSidecar: Bool = false) -> FileStep {
    let photo = Array("/photo \(number).jpg".utf8)
    return FileStep(
      from: photo, to: photo + (isSidecar ? ".xmp" : "").utf8, record: [UInt8(number)])
  }

  /// Answers the tasks that were requested, as if the photos from `firstInSidecar` on had no place for an
  /// orientation.
  private func finish(_ story: inout Story, firstInSidecar: Int = .max) {
    let results = tasks(story).map { task -> FileOperation in
      let first = task.photos[0].index
      let name = Array("photo \(first).jpg".utf8)
      guard !task.isUndo else { return task.performed(.done([]), name: name) }
      let files = task.photos.map { Self.file($0.index, isSidecar: $0.index >= firstInSidecar) }
      return task.performed(.done(files), name: name)
    }
    story.effects = []
    story.send(.fileOperationsFinished(results))
  }

  // MARK: - In the grid

  @Test func `the selected tile is turned, and laid out as its photo is now`() throws {
    var story = story()
    story.keys("c>")
    #expect(orientations(story) == [6] + [Int](repeating: 1, count: 11))
    #expect(story.bar.left == "Rotated 90°; W saves it")
    story.wait(1)
    let tile = try #require(story.scene.placements.first { $0.photo == Photo.ID(0) })
    #expect(tile.orientation == .quarterTurn)
    #expect(tile.frame.height > tile.frame.width)
    story.keys("3>")
    #expect(orientations(story)[0] == 1)
    #expect(story.bar.left == "Not rotated")
    story.keys("l<|l_")
    #expect(orientations(story)[..<3] == [1, 7, 4])
  }

  @Test func `rows make room for a tile that is turned`() throws {
    var story = story()
    while story.browser.gallery.grid.style.kind != .rows { story.press(.tab) }
    story.wait(1)
    let before = try #require(story.scene.placements.first { $0.photo == Photo.ID(0) }).frame
    story.keys(">")
    story.wait(1)
    let after = try #require(story.scene.placements.first { $0.photo == Photo.ID(0) }).frame
    #expect(before.size.aspectRatio > 1 && after.size.aspectRatio < 1)
  }

  @Test func `a range is turned and saved, and ends then`() {
    var story = story()
    story.keys("lvll>")
    #expect(orientations(story)[..<5] == [1, 6, 6, 6, 1])
    #expect(story.bar.left == "3 photos: rotated 90°; W saves it")
    story.keys("W")
    #expect(tasks(story) == (1...3).map { .turn([Photo.ID($0)], by: .quarterTurn) })
    #expect(story.browser.gallery.range == nil)
    finish(&story)
    #expect(orientations(story).allSatisfy { $0 == 1 })
    #expect(story.bar.left == "Saved the rotation of 3 photos; u undoes it")
  }

  @Test func `all marked photos are turned, not the selected one, and saved as one operation`() {
    var story = story()
    story.keys("m|lmll>")
    // The mark came before the first turn.
    #expect(orientations(story)[..<4] == [7, 6, 1, 1])
    story.keys("W")
    #expect(
      tasks(story) == [
        .turn([Photo.ID(0)], by: Orientation(number: 7)), .turn([Photo.ID(1)], by: .quarterTurn),
      ])
    finish(&story, firstInSidecar: 1)
    #expect(story.bar.left == "Saved the rotation of 2 photos, 1 of them in sidecars; u undoes it")

    story.keys("u")
    #expect(
      tasks(story) == [
        FileOperation(.rotation, [Photo.ID(0)], [Self.file(0)], isUndo: true),
        FileOperation(
          .rotation, [Photo.ID(1)], [Self.file(1, isSidecar: true)], isUndo: true),
      ])
    finish(&story)
    #expect(story.bar.left == "Undid the rotation of 2 photos")
    #expect(orientations(story).allSatisfy { $0 == 1 })

    story.press(.control("y"))
    #expect(
      tasks(story) == [
        .turn([Photo.ID(0)], by: Orientation(number: 7)), .turn([Photo.ID(1)], by: .quarterTurn),
      ])
    finish(&story, firstInSidecar: 0)
    #expect(story.bar.left == "Saved the rotation of 2 photos in their sidecars; u undoes it")
    #expect(orientations(story).allSatisfy { $0 == 1 }, "the files are turned, not the view")
  }

  @Test func `photos that are not turned are not saved, and a busy one is not saved again`() {
    var story = story()
    story.keys("W")
    #expect(tasks(story) == [] && story.bar.left.hasPrefix("Nothing to save."))
    story.keys(">mlm")
    story.keys("W")
    #expect(tasks(story) == [.turn([Photo.ID(0)], by: .quarterTurn)])
    story.effects = []
    story.keys("W")
    #expect(tasks(story) == [] && story.bar.left == "Still working on that file")
  }

  @Test func `the progress of many photos is shown`() {
    var story = story()
    story.press(.control("a"))
    story.keys(">W")
    let requested = tasks(story)
    #expect(requested.count == 12)
    let done = requested.prefix(5).map {
      $0.performed(.done([Self.file($0.photos[0].index)]), name: Array("p".utf8))
    }
    story.send(.fileOperationsFinished(done))
    story.wait(6)
    #expect(story.bar.right.contains("saving the rotation 5 of 12…"), "\(story.bar.right)")
    #expect(orientations(story) == [Int](repeating: 1, count: 5) + [Int](repeating: 6, count: 7))
  }

  @Test func `the files of a pair are turned together`() {
    var story = story(["a.jpg", "b.CR2", "b.jpg", "c.jpg"])
    story.keys("l>W")
    #expect(tasks(story) == [.turn([Photo.ID(2), Photo.ID(1)], by: .quarterTurn)])
    finish(&story)
    #expect(story.bar.left == "Saved the rotation of 'photo 2.jpg'; u undoes it")
    #expect(orientations(story).allSatisfy { $0 == 1 })
  }

  @Test func `a folder is not turned`() {
    var story = Story(names: Self.names)
    story.send(.named(NameBatch(first: Photo.ID(100), folder: [], names: nameBlock(["a/"]))))
    story.send(.listingReplaced([Photo.ID(100)] + (0..<12).map { Photo.ID($0) }))
    story.keys("gg>")
    #expect(story.bar.left == "Only photos can be rotated")
    story.keys("W")
    #expect(tasks(story) == [])
  }

  // MARK: - In an open photo

  @Test func `W saves the view's turn, which is the file's after that, and u turns it back`() {
    var story = story()
    story.press(.enter)
    story.wait(1)
    story.keys("W")
    #expect(tasks(story) == [] && story.bar.left.hasPrefix("Nothing to save."))
    story.keys(">W")
    #expect(tasks(story) == [.turn([Photo.ID(0)], by: .quarterTurn)])
    finish(&story, firstInSidecar: 0)
    #expect(story.browser.orientation(of: Photo.ID(0)) == .upright)
    #expect(story.bar.left == "Saved the rotation of 'photo 0.jpg' in its sidecar; u undoes it")

    story.keys("u")
    #expect(
      tasks(story) == [
        FileOperation(.rotation, [Photo.ID(0)], [Self.file(0, isSidecar: true)], isUndo: true)
      ])
    finish(&story)
    #expect(story.browser.orientation(of: Photo.ID(0)) == .upright)
    #expect(story.bar.left == "Undid the rotation of 'photo 0.jpg'")
  }

  @Test func `an open photo is turned and saved alone, whatever is marked`() {
    var story = story()
    story.keys("lmlmgg")
    story.press(.enter)
    story.wait(1)
    story.keys(">W")
    #expect(orientations(story) == [6] + [Int](repeating: 1, count: 11))
    #expect(tasks(story) == [.turn([Photo.ID(0)], by: .quarterTurn)])
  }

  @Test func `a turn that is refused stays in the view`() {
    var story = story()
    story.press(.enter)
    story.wait(1)
    story.keys("|W")
    let turn = FileOperation.turn([Photo.ID(0)], by: .mirrored)
    #expect(tasks(story) == [turn])
    story.send(
      .fileOperationsFinished([
        turn.performed(.refused("the disk is read-only"), name: Array("photo 0.jpg".utf8))
      ]))
    #expect(story.browser.orientation(of: Photo.ID(0)) == .mirrored)
    #expect(
      story.bar.left == "Could not save the rotation of 'photo 0.jpg': the disk is read-only")
  }
}
