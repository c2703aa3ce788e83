import Testing

@testable import PhotoGridCore
@testable import SceneModel

/// Ways into folders and out of them.
extension FolderStoryTests {
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
    #expect(world.browser.panel?.title == "No photos here")
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
    #expect(world.place.isEmpty && world.browser.items.isEmpty)
    world.story.wait(0.1)
    world.list()
    #expect(world.browser.currentFolder == FolderStory.r)
    world.story.wait(1)
    #expect(world.story.scene.ring?.tile == world.story.tile(0))
    world.press(.backspace)
    #expect(world.place.isEmpty, "there is nothing above")
    world.press(.enter)
    #expect(world.place == "r/" && world.browser.items.count == 7)
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
    #expect(world.story.bar.left == "Cannot read the folder: permission denied")
  }

  @Test func `a renamed folder is previewed again, and can be entered`() {
    var world = FolderStory()
    world.send(.folderPreviewed(FolderStory.a, FolderPreview(samples: [], failure: "no such file")))
    #expect(!world.story.browser.missingPreviews.contains(FolderStory.a))
    world.send(.filesChanged([FolderStory.a]))
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
}
