import TestSupport
import Testing

@testable import PhotoGridCore

@Suite(.traced) struct FolderStoryTests {
  // MARK: - Tiles

  @Test func `folders come first and are not counted as photos`() {
    var world = FolderStory()
    #expect(world.browser.photos == [FolderStory.a, FolderStory.b] + (0..<5).map { Photo.ID($0) })
    #expect(world.story.bar.right.hasPrefix("folder 1/2 · 5 photos"))
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
    #expect(world.story.bar.left.hasSuffix("is for photos, not for folders"))
    #expect(world.story.effects.isEmpty && world.browser.prompt == nil)
    // Of a range that begins on a folder, only the photos are trashed.
    world.keys("vllld")
    #expect(world.story.bar.left.hasPrefix("trash 2 photos?"))
    world.keys("d")
    #expect(
      world.browser.files.running?.tasks == [.trash([Photo.ID(0)]), .trash([Photo.ID(1)])])
  }

  @Test func `a folder's tile shows its first photos on a plate, and its name under them`() throws {
    let world = FolderStory()
    let scene = world.browser.scene(at: world.story.now) { photo in
      FolderStory.folders[photo] ?? ""
    }
    let tile = world.story.tile(0)
    let plate = try #require(scene.placements.last { $0.photo == FolderStory.a }?.frame)
    let label = try #require(scene.labels.first)
    #expect(scene.labels.map(\.text) == ["r/a/", "r/b/"], "photos have none")
    let tab = try #require(scene.placements.first { $0.photo == FolderStory.a }?.frame)
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
    let quantum = PixelSize(width: 10, height: 10)
    let frames = FolderTile.sampleFrames(
      count, on: PixelSize(width: 180, height: 150), quantum: quantum, gap: quantum)
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
    #expect(wanted.allSatisfy { $0.size.width < tile.width / 2 && $0.place == .visible })
    #expect(world.browser.distanceFromViewport(Photo.ID(10)) == 0)
  }

  // MARK: - Going in and out

  @Test func `Enter enlarges the folder's tile to the screen while its grid fades in`() throws {
    var world = FolderStory()
    let before = world.story.scene.placements
    let tile = world.story.tile(0)
    world.press(.enter)
    world.list()
    #expect(world.place == "r/a/")
    // At first nothing has changed.
    let start = world.story.scene.placements.filter { $0.opacity > 0 }
    #expect(start == before)

    world.story.wait(0.175)
    let middle = world.story.scene
    let (old, new) = (middle.placements[1], world.story.tile(1))
    #expect(old.photo == FolderStory.a && old.frame.width > 2 * tile.width && old.opacity < 0.7)
    let coming = try #require(middle.placements.last { $0.photo.index == 10 })
    #expect(coming.frame.width < new.width && coming.frame.width > tile.width / 4)
    #expect(coming.opacity > 0.3 && coming.opacity < 0.7 && middle.isMoving)

    world.story.wait(0.3)
    #expect(world.frames(of: 10) == [new] && world.frames(of: 0).isEmpty)
    #expect(!world.browser.isAnimating(at: world.story.now))
    #expect(world.story.current == 10, "the first photo")
  }

  @Test func `placeholder tiles are shown until a slow listing arrives`() {
    var world = FolderStory()
    world.press(.enter)
    world.story.wait(1)
    #expect(world.story.scene.placements.allSatisfy { $0.photo == .unlisted })
    #expect(world.story.bar.right.contains("listing…"))
    world.press(.backspace)
    #expect(world.place == "r/" && world.browser.currentFolder == FolderStory.a)
  }

  @Test func `BackSpace selects the folder that was left, and entering it again restores its view`()
    throws
  {
    var world = FolderStory(rows: 12)
    world.keys("l")
    world.press(.enter)
    world.list()
    world.story.wait(1)
    #expect(world.browser.panel?.title == "no photos here")
    world.press(.backspace)
    #expect(world.browser.currentFolder == FolderStory.b)
    world.story.wait(0.175)
    let tile = world.story.tile(1)
    let present = try #require(world.story.scene.ring).tile
    #expect(present.width > tile.width, "it shrinks to its place")
    world.story.wait(0.5)
    #expect(world.story.scene.ring?.tile == tile)

    // Entering the folder again restores its selection and scroll position.
    world.keys("h")
    world.press(.enter)
    world.list()
    world.keys("20G")
    let scroll = world.browser.grid.scroll.target
    world.press(.backspace, .enter)
    #expect(world.story.current == 29 && world.browser.grid.scroll.target == scroll && scroll > 0)
  }

  @Test func `BackSpace leaves the start folder too, and selects its tile once that is listed`()
    throws
  {
    var world = FolderStory()
    world.press(.backspace)
    #expect(world.place.isEmpty && world.browser.photos.isEmpty)
    world.story.wait(0.1)
    world.list()
    #expect(world.browser.currentFolder == FolderStory.r)
    world.story.wait(1)
    #expect(world.story.scene.ring?.tile == world.story.tile(0))
    world.press(.backspace)
    #expect(world.place.isEmpty, "there is nothing above")
    world.press(.enter)
    #expect(world.place == "r/" && world.browser.photos.count == 7)
  }

  @Test func `BackSpace and Enter reverse a folder's animation without a jump`() throws {
    var world = FolderStory()
    world.press(.enter)
    world.list()
    world.story.wait(0.15)
    for key in [Key.backspace, .enter, .backspace] {
      let (coming, going) = (world.frames(of: 20), world.frames(of: 3))
      world.press(key)
      let (after, still) = (world.frames(of: 20), world.frames(of: 3))
      try #require(coming.count == 1 && after.count == 1 && going.count == still.count)
      for (before, now) in zip(coming + going, after + still) {
        #expect(abs(before.minX - now.minX) < 1 && abs(before.maxY - now.maxY) < 1)
      }
      world.story.wait(0.06)
    }
    world.story.wait(1)
    #expect(world.frames(of: 0) == [world.story.tile(2)] && world.frames(of: 20).isEmpty)
  }

  @Test func `a folder entered during the animation of another starts from the current frames`()
    throws
  {
    var world = FolderStory()
    world.press(.enter)
    world.list()
    world.story.wait(0.2)
    let before = world.story.scene.placements.filter { $0.opacity > 1 / 128 }
    world.keys("gg")
    world.press(.enter)
    #expect(world.place == "r/a/deep/")
    let after = world.story.scene.placements.filter { $0.opacity > 1 / 128 }
    #expect(after.map(\.photo) == before.map(\.photo))
    for (left, right) in zip(before, after) {
      #expect(abs(left.frame.minX - right.frame.minX) < 1)
      #expect(abs(left.opacity - right.opacity) < 0.01)
    }
  }

  @Test func `with reduced motion folders fade, and without motion they change at once`() {
    var world = FolderStory(motion: .reduced)
    world.press(.enter)
    world.list()
    world.story.wait(0.175)
    #expect(world.frames(of: 20) == [world.story.tile(11)])
    #expect(world.frames(of: 3) == [FolderStory().story.tile(5)], "nothing moves")
    let opacity = world.story.scene.placements.last?.opacity ?? 0
    #expect(opacity > 0.3 && opacity < 0.7)

    world = FolderStory(motion: .none)
    world.press(.enter)
    world.list()
    #expect(!world.browser.isAnimating(at: world.story.now))
    #expect(world.frames(of: 20) == [world.story.tile(11)] && world.frames(of: 3).isEmpty)
  }

  @Test func `a click opens a folder as it opens a photo`() {
    var world = FolderStory()
    let center = world.story.tile(0).center
    world.send(.mouse(MouseEvent(.pressed(.left), at: center)))
    world.send(.mouse(MouseEvent(.released(.left), at: center)))
    #expect(world.place == "r/a/")
  }

  @Test func `a photo opened while its folder grows starts from its current frame`() throws {
    var world = FolderStory()
    world.press(.enter)
    world.list()
    world.story.wait(0.2)
    world.keys("l")
    let seen = try #require(world.frames(of: 11).last)
    world.press(.enter)
    let out = try #require(world.story.out?.frame)
    #expect(abs(seen.minX - out.minX) < 1 && abs(seen.maxY - out.maxY) < 1)
    world.story.wait(1)
    #expect(world.story.out?.frame.width ?? 0 > world.story.tile(2).width)
  }

  @Test func `Q on a folder's tile prints the folder's path, and q only quits`() {
    var world = FolderStory()
    #expect(
      world.story.browser.handle(.key(.character("Q")), at: world.story.now) == [
        .quitPrinting(FolderStory.a)
      ])
    #expect(world.story.browser.handle(.key(.character("q")), at: world.story.now) == [.quit])
  }

  @Test func `a folder that cannot be read says why and is not entered`() {
    var world = FolderStory()
    world.send(
      .folderPreviewed(FolderStory.a, FolderPreview(samples: [], failure: "permission denied")))
    world.press(.enter)
    #expect(world.place == "r/")
    #expect(world.story.bar.left == "the folder cannot be read: permission denied")
  }

  @Test func `a renamed folder is previewed again, and can be entered`() {
    var world = FolderStory()
    world.send(.folderPreviewed(FolderStory.a, FolderPreview(samples: [], failure: "no such file")))
    #expect(!world.story.browser.missingPreviews.contains(FolderStory.a))
    world.send(.factsUpdated([FactUpdate(FolderStory.a, nil)]))
    #expect(world.story.browser.missingPreviews.contains(FolderStory.a))
    world.press(.enter)
    #expect(world.place != "r/")
  }

  @Test func `keys in an open photo lead to photos, never to folders`() {
    var world = FolderStory()
    world.keys("ll")
    world.press(.enter)
    world.story.wait(1)
    world.press(.character("p"), .character("h"))
    #expect(world.story.current == 0)
    world.keys("9h")
    #expect(world.story.current == 0)
    world.press(.backspace)
    #expect(world.place == "r/", "BackSpace is the photo before there")
    world.keys("gg")
    #expect(world.story.current == 0)
  }

  // MARK: - Marks, order, filter

  @Test func `no key marks a folder`() {
    var world = FolderStory()
    world.keys("m")
    #expect(world.story.bar.left == "folders have no marks" && world.story.marked.isEmpty)
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
    world.send(.arranged([FolderStory.a, Photo.ID(1)]))
    #expect(world.story.marked == [1, 33, 35])
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
    #expect(world.browser.photos.count == 31 && world.story.shown[1] == 39)
    world.keys("f1")
    world.press(.enter)
    #expect(world.story.shown == [31, 21] + (10..<20).reversed(), "no folder's name passes")
  }

  @Test func `a search finds folders by name`() {
    var world = FolderStory()
    world.keys("G/b")
    world.press(.enter)
    #expect(world.browser.currentFolder == FolderStory.b)
    world.keys("G/landscape")
    world.press(.enter)
    #expect(world.story.current == 4 && world.browser.collection.search?.matches == [])
    #expect(world.browser.collection.missingFacts.allSatisfy { $0.index < 100 })
  }

  @Test func `adding or removing a folder moves the tiles, and the selection keeps its photo`() {
    var world = FolderStory()
    world.keys("2G")
    world.send(.arranged([FolderStory.b] + (0..<5).map { Photo.ID($0) }))
    #expect(world.story.current == 1 && world.browser.folderCount == 1)
    #expect(world.browser.isAnimating(at: world.story.now))
    world.story.wait(1)
    #expect(world.frames(of: 1) == [world.story.tile(2)])
    world.send(.arranged([FolderStory.a, FolderStory.b] + (0..<5).map { Photo.ID($0) }))
    #expect(world.story.current == 1 && world.browser.folderCount == 2)
  }

  @Test(arguments: [LayoutStyle.Kind.grid, .mosaic, .bento, .rows], seeds(1...12))
  func `random events among folders keep the state consistent`(
    kind: LayoutStyle.Kind, seed: Int
  ) {
    var random = FolderEvents(seed: UInt64(seed))
    var world = FolderStory(
      columns: [80, 20, 200][seed % 3], rows: [25, 9, 50][seed % 3],
      motion: MotionSetting.allCases[seed % MotionSetting.allCases.count])
    world.remembers = seed % 2 == 0
    while world.browser.grid.style.kind != kind { world.press(.tab) }
    var trace: [String] = []
    var marks: Set<Int> = []
    for _ in 0..<250 {
      let step = random.step(in: world)
      trace.append("\(step)")
      let place = world.place
      switch step {
      case .event(let event): world.send(event)
      case .list: world.list()
      }
      if let complaint = BrowserInvariantTests.complaint(about: world.story)
        ?? complaint(about: world)
      {
        Issue.record("seed \(seed): \(complaint) after \(trace.suffix(4))")
        return
      }
      let now = Set(world.story.marked)
      if place != world.place, now != marks {
        Issue.record("seed \(seed): marks were lost on the way after \(trace.suffix(4))")
        return
      }
      marks = now
      world.story.now = world.story.now.advanced(bySeconds: random.pause())
    }
    world.story.wait(30)
    #expect(!world.browser.isAnimating(at: world.story.now), "seed \(seed): never comes to rest")
  }

  private func complaint(about world: FolderStory) -> String? {
    let browser = world.browser
    let folders = browser.photos.prefix(browser.folderCount)
    if folders.contains(where: { $0.index < 100 })
      || browser.album.shown.contains(where: { $0.index >= 100 })
    {
      return "folders are not before the photos"
    }
    if browser.album.marks.photos.contains(where: { $0.index >= 100 }) { return "a marked folder" }
    if let viewer = browser.viewer, browser.album.isFolder(viewer.photo) {
      return "a folder is out"
    }
    if browser.mode.periods == nil, !browser.photos.isEmpty,
      (browser.current == nil) == (browser.currentFolder == nil)
    {
      return "neither a photo nor a folder is selected, or both"
    }
    if browser.demands.contains(where: { $0.photo.index >= 100 }) {
      return "a picture of a folder is wanted"
    }
    if browser.folders.transition != nil, browser.options.motion == .none { return "motion" }
    return nil
  }
}
