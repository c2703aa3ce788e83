import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// An open photo, on its way out of its tile, on the screen and back.
extension BrowserStoryTests {
  @Test func `Enter opens the photo from its tile, and Esc closes it into the tile`() throws {
    var story = Story(photos: 20)
    story.keys("l")
    let tile = story.tile(1)

    story.send(.key(.enter))

    #expect(story.out?.frame == tile)
    #expect(story.out?.crop == PixelRect(x: 0.125, y: 0, width: 0.75, height: 1))
    #expect(story.scene.placements.filter { $0.photo == Photo.ID(1) }.count == 1)

    story.wait(0.175)
    let middle = try #require(story.out)
    #expect(abs(middle.frame.width - (tile.width + 800) / 2) < 2)
    #expect(story.scene.placements.first?.opacity ?? 0 > 0.4)
    #expect(story.scene.isMoving)

    story.wait(0.2)
    #expect(story.browser.viewer?.phase == .resting)
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
    #expect(story.out?.crop == .unit)
    #expect(story.scene.placements.count == 1)
    #expect(!story.browser.isAnimating(at: story.now))

    story.send(.key(.escape))
    story.wait(0.36)
    #expect(story.browser.viewer == nil)
    #expect(story.scene.placements.count == 20)
  }

  @Test func `a photo keeps its proportions while it flies`() throws {
    var story = Story(photos: 20, size: PixelSize(width: 6000, height: 2000))
    story.send(.key(.enter))

    for _ in 0..<20 {
      let out = try #require(story.out)
      let across = out.frame.width / (out.crop.width * 6000)
      let down = out.frame.height / (out.crop.height * 2000)
      #expect(abs(across / down - 1) < 0.01)
      story.wait(0.02)
    }
  }

  @Test func `Esc while a photo opens reverses it without a jump`() throws {
    var story = Story(photos: 20)
    story.send(.key(.enter))
    story.wait(0.2)
    let before = try #require(story.out).frame

    story.send(.key(.escape))

    let after = try #require(story.out).frame
    #expect(after == before)
    #expect(story.browser.viewer?.isClosing == true)
    story.wait(0.4)
    #expect(story.browser.viewer == nil)
  }

  @Test
  func `a click opens the photo under the pointer, and a second one right after does nothing`() {
    var story = Story(photos: 20)
    let center = story.tile(7).center

    story.click(center)
    story.now = story.now.advanced(bySeconds: 0.1)
    story.click(center)

    #expect(story.browser.viewerIndex == 7)
    #expect(story.browser.viewer?.isClosing == false)
    story.wait(1)
    story.click(center)
    #expect(story.browser.viewer?.isClosing == true)
  }

  @Test func `a click in a gap opens nothing`() {
    var story = Story(photos: 20)
    let tile = story.tile(0)

    story.click(PixelPoint(x: tile.maxX + 5, y: tile.minY + 5))

    #expect(story.browser.viewer == nil)
  }

  @Test func `next and previous do not animate, and the new photo closes into its own tile`() throws
  {
    var story = Story(photos: 200)
    story.send(.key(.enter))
    story.wait(0.5)

    story.keys("150n")
    #expect(story.browser.selection == 150)
    #expect(!story.browser.isAnimating(at: story.now))

    story.send(.key(.escape))
    let home = story.tile(150)
    #expect(story.browser.viewport.pictureArea.intersects(home))
    story.wait(0.32)
    let landing = try #require(story.out).frame
    #expect(abs(landing.minX - home.minX) < 20 && abs(landing.minY - home.minY) < 20)
  }

  @Test func `a resize during a flight redirects it to its new target`() {
    var story = Story(photos: 20)
    story.send(.key(.enter))
    story.wait(0.1)

    story.send(.resized(CellSize(columns: 50, rows: 16), .standard))
    story.wait(0.5)

    #expect(story.out?.frame == PixelRect(x: 50, y: 0, width: 400, height: 300))
  }

  @Test func `with reduced motion photos fade and do not move`() throws {
    var story = Story(photos: 20, motion: .reduced)

    story.send(.key(.enter))
    for _ in 0..<12 {
      #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
      story.wait(0.02)
    }
    story.wait(0.3)
    #expect(story.out?.opacity == 1)
    story.send(.key(.escape))
    story.wait(0.175)
    let fading = try #require(story.out)
    #expect(fading.frame.width == 800 && fading.opacity < 0.6 && fading.opacity > 0.4)
  }

  @Test func `f makes a photo fill the screen, and f again fits it`() {
    var story = Story(photos: 20)
    story.send(.key(.enter))
    story.wait(0.5)

    story.keys("f")
    story.wait(0.5)
    #expect(story.out?.frame == story.browser.viewport.pictureArea)
    #expect(story.out?.crop.height ?? 1 < 1)
    story.keys("f")
    story.wait(0.5)
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
  }
}
