import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// Behaviour that users know from other programs.
@Suite(.traced) struct HabitTests {
  init() { UTF8Locale.use() }

  // MARK: - Ctrl-c

  @Test func `in the grid Ctrl-c copies, and the second one quits while the bar says so`() {
    var story = Story(photos: 12)
    story.keys("ll")
    story.press(.control("c"))
    #expect(story.effects == [.copyPath(Photo.ID(2), quitsNext: true)])
    story.wait(4.9)
    story.press(.control("c"))
    #expect(story.effects.last == .interrupt)
  }

  @Test func `a Ctrl-c that comes later, or after another key or a click, copies again`() {
    var story = Story(photos: 12)
    story.press(.control("c"))
    story.wait(5.1)
    story.press(.control("c"))
    story.keys("l")
    story.press(.control("c"))
    story.mouse(.pressed(.right), 500, 10)
    story.mouse(.released(.right), 500, 10)
    story.press(.control("c"))
    let photos = story.effects.compactMap { effect -> Int? in
      if case .copyPath(let photo, quitsNext: true) = effect { photo.index } else { nil }
    }
    #expect(photos == [0, 0, 1, 1] && story.effects.count == 4)
  }

  @Test func `Ctrl-c copies the path of a selected folder, and drops what was typed before it`() {
    var story = FolderStory().story
    story.keys("12")
    story.press(.control("c"))
    #expect(story.effects.last == .copyPath(FolderStory.a, quitsNext: true))
    #expect(!story.browser.keyboard.reader.isPending)
  }

  @Test func `Ctrl-c quits at once where nothing can be copied, and outside of the grid`() {
    var empty = Story(photos: 0)
    empty.press(.control("c"))
    #expect(empty.effects == [.interrupt])
    for keys in ["\r", "f", "?", ":", "zo", "=", "s"] {
      var story = Story(photos: 12)
      story.keys(keys == "\r" ? "" : keys)
      if keys == "\r" { story.press(.enter) }
      story.press(.control("c"))
      #expect(story.effects.last == .interrupt, "after \(keys)")
    }
  }

  // MARK: - Moving

  @Test(arguments: [LayoutStyle.Kind.grid, .mosaic, .bento, .rows])
  func `l steps through all photos, and h steps back`(kind: LayoutStyle.Kind) {
    var story = Story(photos: 23)
    while story.browser.grid.style.kind != kind { story.press(.tab) }
    var seen: [Int] = [0]
    for _ in 0..<60 {
      story.keys("l")
      seen.append(story.browser.selection)
    }
    #expect(seen.last == 22, "it ends at the last one: \(seen)")
    if kind == .grid { #expect(Array(seen.prefix(23)) == Array(0..<23)) }
    for _ in 0..<60 { story.keys("h") }
    #expect(story.browser.selection == 0)
  }

  @Test func `j in the last row goes to the last photo`() {
    var story = Story(photos: 13)
    story.keys("11G")
    #expect(story.browser.selection == 10)
    story.keys("j")
    #expect(story.browser.selection == 12)
  }

  @Test func `at the start the first photo is selected unless there are only folders`() {
    var story = Story(photos: 0)
    story.browser.gallery.collection.listingNotes = nil
    story.send(
      .named(NameBatch(first: Photo.ID(100), folder: [], names: nameBlock(["a/", "b/"]))))
    story.send(.found([Photo.ID(100), Photo.ID(101)]))
    #expect(story.browser.currentFolder == Photo.ID(100))
    story.send(.found([Photo.ID(0), Photo.ID(1)]))
    #expect(story.current == 0)
    story.keys("gg")
    story.send(.found([Photo.ID(2)]))
    #expect(story.browser.currentFolder == Photo.ID(100), "the choice stays")
  }

  @Test func `Esc after a filter without matches restores the selection and the scroll position`() {
    var story = Story(names: (0..<200).map { "photo \($0).jpg" })
    story.keys("120G")
    story.wait(1)
    let scroll = story.browser.grid.scroll.target
    story.keys("fnothing")
    #expect(story.shown.isEmpty)
    story.press(.enter, .escape)
    #expect(story.current == 119 && story.browser.grid.scroll.target == scroll)
    story.keys("fnothing")
    story.press(.escape)
    #expect(story.current == 119 && story.browser.grid.scroll.target == scroll)
  }

  @Test func `Esc in a search returns to the folder tile where it began`() {
    var world = FolderStory()
    world.keys("l/0")
    #expect(world.story.current == 0)
    world.press(.escape)
    #expect(world.browser.currentFolder == FolderStory.b)
  }

  @Test func `i on a folder tile shows information about the folder`() {
    var world = FolderStory()
    world.keys("i")
    #expect(world.browser.inspectedFolder == FolderStory.a && world.browser.inspectedPhoto == nil)
    var information = Information(name: "a", folderPath: "r")
    information.isFolder = true
    information.folder = FolderPreview(samples: [Photo.ID(1), Photo.ID(2)])
    let lines = information.texts(in: CellSize(columns: 40, rows: 9), isPlain: true)
    #expect(lines == ["kind      folder", "photos    2", "", "name      a", "folder    r"])
  }

  // MARK: - Sizes and rotation

  @Test func `tiles grow until one fills the view, with a count too`() {
    var story = Story(photos: 40)
    story.keys("99+")
    let tile = story.tile(story.browser.selection)
    #expect(tile.height <= 600 && tile.height > 300)
    #expect(story.bar.left == "Tiles cannot get any larger")
    let before = story.browser.grid.style.enlargement
    story.keys("+")
    #expect(story.browser.grid.style.enlargement == before)
    story.keys("0")
    let small = story.tile(0).width
    story.keys("2-")
    #expect(story.tile(0).width < small)
  }

  @Test func `Tab does not scroll if the selected tile is already visible`() {
    var story = Story(photos: 14)
    story.keys("7G")
    for _ in 0..<4 {
      story.press(.tab)
      story.wait(1)
      let tile = story.tile(6)
      if story.browser.grid.layout.contentHeight <= 600 {
        #expect(story.browser.grid.scroll.target == 0)
      }
      #expect(tile.minY >= 0 && tile.maxY <= 600)
    }
  }

  @Test func `3s starts a slideshow of three seconds per photo`() {
    var story = Story(photos: 5)
    story.keys("3s")
    #expect(story.browser.slideshow?.seconds == 3)
    story.keys("x")
    story.keys("s")
    #expect(story.browser.slideshow?.seconds == 5)
  }

  @Test func `the bar shows how a photo is rotated and flipped`() {
    var story = Story(photos: 5)
    story.press(.enter)
    story.wait(1)
    for (key, words) in [
      (">", "rotated 90°"), (">", "rotated 180°"), (">", "rotated 270°"),
      ("|", "rotated 90°, flipped"),
      ("|", "rotated 270°"), (">", nil), ("|", "flipped horizontally"), ("|", nil),
      ("_", "flipped vertically"),
    ] {
      story.keys(key)
      #expect(story.browser.rotationLabel == words, "after \(key)")
      if let words { #expect(story.bar.right.contains(words)) }
    }
  }

  // MARK: - Centring

  @Test(arguments: [(200, 60, 14), (100, 31, 3), (80, 24, 6), (80, 24, 1), (57, 21, 5)])
  func `the grid is centred in the window`(columns: Int, rows: Int, count: Int) {
    for hasLabels in [false, true] {
      var story = Story(photos: count, columns: columns, rows: rows)
      if hasLabels { story.keys("t") }
      let area = story.browser.viewport.pictureSize
      let tiles = (0..<count).map { story.tile($0) }
      let labels = (0..<count).compactMap { story.browser.grid.layout.labelFrame(at: $0) }
      let left = tiles.map(\.minX).min() ?? 0
      let right = area.width - (tiles.map(\.maxX).max() ?? 0)
      let top = tiles.map(\.minY).min() ?? 0
      let bottom = area.height - ((labels.isEmpty ? tiles : labels).map(\.maxY).max() ?? 0)
      let cell = story.browser.viewport.metrics.cell
      #expect(abs(left - right) <= cell.width, "\(left) and \(right)")
      guard story.browser.grid.scrollLimit(in: story.browser.viewport) == 0 else { continue }
      #expect(abs(top - bottom) <= 2 * cell.height, "\(top) and \(bottom)")
    }
  }

  @Test func `labels stay visible while the grid scrolls`() {
    var story = Story(photos: 200)
    story.keys("t")
    story.wait(1)
    for _ in 0..<3 {
      story.mouse(.wheel(.down), 300, 300)
      var framesInMotion = 0
      for _ in 0..<30 {
        story.wait(1.0 / 60)
        let scene = story.browser.scene(at: story.now) { "n\($0.index)" }
        if scene.isMoving { framesInMotion += 1 }
        // Every tile whose lower edge is visible has its name under it.
        let seen = scene.placements.filter { $0.frame.maxY <= 560 && $0.frame.minY >= 0 }
        #expect(!seen.isEmpty)
        let names = Set(scene.labels.map(\.text))
        #expect(seen.allSatisfy { names.contains("n\($0.photo.index)") })
      }
      #expect(framesInMotion > 5)
    }
  }

  // MARK: - Releasing a drag

  @Test(arguments: [(0.30, false), (0.36, true)])
  func `a photo released at rest closes if it was dragged by a third of the height`(
    share: Double, goesHome: Bool
  ) {
    var story = Story(photos: 20)
    story.press(.enter)
    story.wait(1)
    story.mouse(.pressed(.left), 500, 100)
    story.mouse(.dragged(.left), 500, 130)
    story.mouse(.dragged(.left), 500, 100 + 600 * share)
    story.wait(0.5)
    story.mouse(.released(.left), 500, 100 + 600 * share)
    #expect(story.browser.viewer?.isClosing == goesHome)
  }

  @Test func `a photo released while moving up stays open however far down it is`() {
    var story = Story(photos: 20)
    story.press(.enter)
    story.wait(1)
    story.mouse(.pressed(.left), 500, 100)
    story.mouse(.dragged(.left), 500, 500)
    story.wait(0.5)
    story.mouse(.dragged(.left), 500, 460)
    story.mouse(.released(.left), 500, 450)
    #expect(story.browser.viewer?.isClosing == false)
  }

  @Test func `a click after a swipe closes the photo as soon as it appears to be at rest`() {
    var story = Story(photos: 20)
    story.press(.enter)
    story.wait(1)
    story.mouse(.pressed(.left), 700, 300)
    story.mouse(.dragged(.left), 300, 300)
    story.wait(0.02)
    story.mouse(.released(.left), 200, 300)
    #expect(story.browser.selection == 1)
    story.wait(2)
    let before = story.out?.frame
    story.mouse(.pressed(.left), 500, 300)
    #expect(story.out?.frame == before, "nothing jumps")
    story.mouse(.released(.left), 500, 300)
    #expect(story.browser.viewer?.isClosing == true)
  }

  @Test func `0.6 s after a photo is released it is in its tile, which was empty until then`()
    throws
  {
    var story = Story(photos: 20)
    story.press(.enter)
    story.wait(1)
    story.mouse(.pressed(.left), 500, 100)
    story.mouse(.dragged(.left), 500, 130)
    story.mouse(.dragged(.left), 560, 400)
    story.wait(0.5)
    story.mouse(.released(.left), 560, 400)
    let release = story.now
    while story.browser.viewer != nil {
      #expect(story.scene.placements.filter { $0.photo == Photo.ID(0) }.count == 1)
      story.wait(0.05)
    }
    #expect(story.now.seconds(since: release) < 0.61)
    let tile = try #require(story.scene.placements.first { $0.photo == Photo.ID(0) })
    let other = try #require(story.scene.placements.first { $0.photo == Photo.ID(1) })
    #expect(tile.frame == story.tile(0) && tile.opacity == other.opacity)
  }

  @Test func `a slideshow continues when the next photo is ready at the current screen size`() {
    var story = Story(photos: 3)
    story.keys("3s")
    story.wait(1)
    story.send(.prepared(Photo.ID(0), isShown: true))
    story.send(.prepared(Photo.ID(1), isShown: true))
    story.send(.resized(CellSize(columns: 150, rows: 50), .standard))
    story.wait(5)
    #expect(story.current == 0, "what is ready was for another size")
    story.send(.prepared(Photo.ID(1), isShown: true))
    #expect(story.current == 1)
  }
}
