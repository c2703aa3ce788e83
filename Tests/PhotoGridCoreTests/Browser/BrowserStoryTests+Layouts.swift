import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// Layouts of the tiles, and changes from one to the next.
extension BrowserStoryTests {
  @Test func `Tab flies every photo from its old frame to its new one`() throws {
    var story = Story(photos: 60)
    story.keys("ljj")
    story.wait(0.5)
    let before = story.scene.placements

    story.send(.key(.tab))

    #expect(story.browser.grid.style.kind == .mosaic)
    for placement in before {
      let now = try #require(story.scene.placements.first { $0.photo == placement.photo })
      #expect(abs(now.frame.minX - placement.frame.minX) < 1e-6)
      #expect(abs(now.frame.maxY - placement.frame.maxY) < 1e-6)
    }
    story.wait(0.175)
    #expect(story.scene.isMoving)
    story.wait(0.2)
    #expect(!story.browser.isAnimating(at: story.now))
    for placement in story.scene.placements {
      #expect(placement.frame == story.tile(placement.photo.index))
    }
    let ring = try #require(story.scene.ring).tile
    #expect(story.browser.viewport.pictureArea.intersects(ring))
  }

  @Test func `a second Tab during the first animation continues without a jump`() throws {
    var story = Story(photos: 60)
    story.send(.key(.tab))
    story.wait(0.15)
    let before = story.scene.placements

    story.send(.key(.tab))

    for placement in before {
      let now = try #require(story.scene.placements.first { $0.photo == placement.photo })
      #expect(abs(now.frame.minX - placement.frame.minX) < 1e-6)
      #expect(abs(now.frame.minY - placement.frame.minY) < 1e-6)
    }
    story.send(.key(.backTab))
    story.send(.key(.backTab))
    story.wait(1)
    #expect(story.browser.grid.style.kind == .grid)
  }

  @Test func `a click during a change of layout opens the photo under the pointer`() throws {
    var story = Story(photos: 60)
    story.send(.key(.tab))
    story.wait(0.12)
    let seen = try #require(story.scene.placements.last)

    story.click(seen.frame.center)

    #expect(story.browser.viewerIndex == seen.photo.index)
  }

  @Test func `a photo closes into its own tile in every layout`() throws {
    for (tabs, kind) in LayoutStyle.Kind.allCases.enumerated() {
      var story = Story(photos: 60)
      for _ in 0..<tabs { story.send(.key(.tab)) }
      #expect(story.browser.grid.style.kind == kind)
      story.wait(0.5)
      story.keys("12G")
      story.wait(0.3)
      let home = story.tile(11)

      story.send(.key(.enter))
      #expect(story.out?.frame == home)
      story.wait(0.5)
      story.send(.key(.escape))
      story.wait(0.5)

      #expect(story.browser.viewer == nil)
      #expect(story.scene.placements.first { $0.photo == Photo.ID(11) }?.frame == home)
    }
  }

  @Test func `plus and minus resize the tiles, and 0 resets them`() {
    var story = Story(photos: 60)
    let normal = story.tile(0).width

    story.keys("+")
    story.wait(0.5)
    let larger = story.tile(0).width
    story.keys("0-")
    story.wait(0.5)
    let smaller = story.tile(0).width
    story.keys("0")

    #expect(larger > normal && smaller < normal)
    #expect(story.tile(0).width == normal)
    story.keys(String(repeating: "+", count: 40))
    story.keys(String(repeating: "-", count: 80))
    story.wait(1)
    #expect(!story.scene.placements.isEmpty)
  }

  @Test func `uncropped photos stay inside their tiles and keep their aspect ratio`() throws {
    var story = Story(photos: 20)
    let tile = story.tile(3)

    story.keys("c")
    #expect(story.scene.placements[3].frame == tile)
    story.wait(0.5)

    let whole = story.scene.placements[3]
    #expect(whole.crop.width > 0.95 && whole.crop.height > 0.95)
    #expect(whole.frame.minX >= tile.minX && whole.frame.maxY <= tile.maxY)
    #expect(abs(whole.frame.size.aspectRatio - 4.0 / 3) < 0.1)
    story.keys("c")
    story.wait(0.5)
    #expect(story.scene.placements[3].frame == tile)
  }
}
