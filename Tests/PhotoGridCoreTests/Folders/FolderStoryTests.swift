import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

@Suite(.traced) struct FolderStoryTests {
  // MARK: - Tiles

  @Test func `folders come first and are not counted as photos`() {
    var world = FolderStory()
    #expect(world.browser.items == [FolderStory.a, FolderStory.b] + (0..<5).map { Photo.ID($0) })
    #expect(world.story.bar.right.hasPrefix("folder 1 of 2 · 5 photos"))
    #expect(world.browser.current == nil && world.browser.currentFolder == FolderStory.a)
    world.keys("lll")
    #expect(world.story.bar.right.hasPrefix("2/5"))
    world.keys("3G")
    #expect(world.story.current == 2, "numbers are those of photos")
    world.keys("gg")
    #expect(world.browser.currentFolder == FolderStory.a)
    world.keys("G")
    #expect(world.story.current == 4)
  }

  @Test(arguments: ["d", "r", "o", "yy"])
  func `d, r, o and yy are refused on a folder`(keys: String) {
    var world = FolderStory()
    world.keys(keys)
    #expect(world.story.bar.left == "This works on photos, not folders")
    #expect(world.story.effects.isEmpty && world.browser.prompt == nil)
    // Of a range that begins on a folder, only the photos are trashed.
    world.keys("vllld")
    #expect(world.story.bar.left.hasPrefix("Trash 2 photos?"))
    world.keys("d")
    #expect(
      world.browser.files.running?.operations == [.trash([Photo.ID(0)]), .trash([Photo.ID(1)])])
  }

  @Test func `a folder's tile shows its first photos on a plate, and its name under them`() throws {
    let world = FolderStory()
    let scene = world.browser.scene(at: world.story.now) { photo in
      FolderStory.folders[photo] ?? ""
    }
    let tile = world.story.tile(0)
    let plates = scene.placements.filter { $0.photo == FolderStory.a }.map(\.frame)
    try #require(plates.count == 1, "a message of the folder is shown once")
    let plate = plates[0]
    let label = try #require(scene.labels.first)
    #expect(scene.labels.map(\.text) == ["r/a/", "r/b/"], "photos have none")
    let tab = try #require(scene.placements.first?.frame)
    #expect(tab.origin == tile.origin && tab.width < tile.width / 2)
    #expect(plate.minX == tile.minX && plate.minY == tab.maxY && plate.width == tile.width)
    #expect(plate.maxY <= label.frame.minY && label.frame.maxY <= tile.maxY)
    let cell = CellMetrics.standard.cell
    #expect(label.frame.minY.truncatingRemainder(dividingBy: cell.height) == 0)
    let samples = (10..<14).flatMap { world.frames(of: $0) }
    try #require(samples.count == 4)
    for (number, frame) in samples.enumerated() {
      #expect(frame.minX > plate.minX && frame.maxX < plate.maxX)
      #expect(frame.minY > plate.minY && frame.maxY < plate.maxY)
      for other in samples[(number + 1)...] { #expect(!frame.intersects(other)) }
    }
    // An empty folder has only its tab and its plate.
    #expect(scene.placements.filter { world.story.tile(1).contains($0.frame.center) }.count == 2)
  }

  @Test(arguments: 1...4) func `photos on a plate fill it and are aligned to quanta`(count: Int) {
    let placementStep = PixelSize(width: 10, height: 10)
    let frames = FolderTile.sampleFrames(
      count, on: PixelSize(width: 180, height: 150), placementStep: placementStep,
      gap: placementStep)
    #expect(frames.count == count)
    for frame in frames {
      for edge in [frame.minX, frame.minY, frame.maxX, frame.maxY] {
        #expect(edge.truncatingRemainder(dividingBy: 10) == 0)
      }
    }
    #expect(frames.map(\.minX).min() == 10 && frames.map(\.maxX).max() == 170)
    #expect(frames.map(\.minY).min() == 10 && frames.map(\.maxY).max() == 140)
  }

  @Test func `only visible folders are previewed, starting at the selection`() {
    var story = Story(photos: 0, columns: 80, rows: 25)
    let names = (0..<100_000).map { "\($0)/" }
    story.send(.named(NameBatch(first: Photo.ID(0), folder: [], names: nameBlock(names))))
    story.send(.found(names.indices.map { Photo.ID($0) }))
    let first = story.browser.missingPreviews
    #expect(first.first == Photo.ID(0) && first.count <= 16)
    story.send(.folderPreviewed(Photo.ID(0), FolderPreview(samples: [])))
    #expect(!story.browser.missingPreviews.contains(Photo.ID(0)))
    story.keys("G")
    #expect(story.browser.missingPreviews.first == Photo.ID(99_999))
    #expect(story.browser.missingPreviews.count <= 16)
    story.keys("ggR")
    #expect(story.browser.missingPreviews.contains(Photo.ID(0)), "a reload looks again")
  }

  @Test func `the photos of a folder's tile are requested at their size on the tile`() throws {
    let world = FolderStory()
    let wanted = world.browser.demands.filter { (10..<14).contains($0.photo.index) }
    #expect(wanted.count == 4 && !world.browser.demands.contains { $0.photo.index >= 100 })
    let tile = try #require(world.browser.demands.first { $0.photo.index == 0 }).size
    #expect(wanted.allSatisfy { $0.size.width < tile.width / 2 && $0.proximity == .visible })
    #expect(world.browser.distanceFromViewport(Photo.ID(10)) == 0)
  }

  // MARK: - Marks, order, filter

  @Test func `no key marks a folder`() {
    var world = FolderStory()
    world.keys("m")
    #expect(world.story.bar.left == "Folders cannot be marked" && world.story.marked.isEmpty)
    world.press(.control("a"))
    #expect(world.story.marked == [0, 1, 2, 3, 4])
    world.press(.control("r"))
    #expect(world.story.marked.isEmpty)
    world.keys("ggvllv")
    #expect(world.story.marked == [0])
    #expect(world.story.scene.marks.map(\.tile) == [world.story.tile(2)])
    world.keys("Ugg   ")
    #expect(world.story.marked == [0], "Space goes on over folders")
  }

  @Test func `marks survive a change of folder, and those of the current folder come first`() {
    var world = FolderStory()
    world.keys(",N")
    world.keys("2Gm4Gm")
    world.keys("gg")
    world.press(.enter)
    world.list()
    #expect(world.story.marked == [1, 3] && world.story.bar.right.contains("2 marked"))
    world.keys("5Gm7Gm")
    #expect(world.story.marked == [35, 33, 1, 3])
    world.press(.backspace)
    #expect(world.story.marked == [3, 1, 33, 35], "here by the grid's order, there by name")
    world.keys("!wc")
    world.story.effects = []
    world.story.send(.key(.enter))
    guard case .run(let command)? = world.story.effects.first else {
      Issue.record("no command")
      return
    }
    #expect(command.photos.map(\.index) == [3, 1, 33, 35])
    // A removed photo loses its mark, and photos in other folders keep theirs.
    world.send(.listingReplaced([FolderStory.a, Photo.ID(1)]))
    #expect(world.story.marked == [1, 33, 35])
  }

  @Test func `marked only, a folder without marked photos says that, and Esc shows its photos`() {
    var world = FolderStory()
    world.keys("Gmgg")
    world.press(.enter)
    world.list()
    world.story.wait(1)
    world.keys("F")
    #expect(world.story.shown.isEmpty)
    #expect(
      world.browser.panel?.lines == ["No photos here are marked.", "Esc shows all photos."])
    world.press(.escape)
    #expect(world.story.shown.count == 31 && world.browser.panel == nil)

    world.keys("F")
    world.keys("f3")
    #expect(world.browser.panel?.lines.first == "None of the marked photos match '3'.")
  }

  @Test func `order and filter stay in the next folder, and the filter also hides folders`() {
    var world = FolderStory()
    world.keys(",Nfa")
    world.press(.enter)
    #expect(world.story.shown == [100], "a folder whose name passes")
    world.press(.enter)
    world.list()
    #expect(world.story.shown.isEmpty)
    world.press(.escape)
    #expect(world.browser.items.count == 31 && world.story.shown[1] == 39)
    world.keys("f1")
    world.press(.enter)
    #expect(world.story.shown == [31, 21] + (10..<20).reversed(), "no folder's name passes")
  }

  @Test func `a search finds folders by name`() {
    var world = FolderStory()
    world.keys("G/b")
    world.press(.enter)
    #expect(world.browser.currentFolder == FolderStory.b)
    world.keys("G/camera:x")
    world.press(.enter)
    #expect(world.story.current == 4 && world.browser.collection.search?.matches == [])
    #expect(world.browser.collection.missingFacts.allSatisfy { $0.index < 100 })
  }

  @Test func `adding or removing a folder moves the tiles, and the selection keeps its photo`() {
    var world = FolderStory()
    world.keys("2G")
    world.send(.listingReplaced([FolderStory.b] + (0..<5).map { Photo.ID($0) }))
    #expect(world.story.current == 1 && world.browser.folderCount == 1)
    #expect(world.browser.isAnimating(at: world.story.now))
    world.story.wait(1)
    #expect(world.frames(of: 1) == [world.story.tile(2)])
    world.send(.listingReplaced([FolderStory.a, FolderStory.b] + (0..<5).map { Photo.ID($0) }))
    #expect(world.story.current == 1 && world.browser.folderCount == 2)
  }
}
