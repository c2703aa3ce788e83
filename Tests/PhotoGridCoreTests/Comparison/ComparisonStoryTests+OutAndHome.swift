import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// The way of photos out of their tiles and home.
extension ComparisonStoryTests {
  @Test func `each marked photo zooms out of its tile, and Esc lands each in its own`() throws {
    var story = Story(photos: 20)
    story.keys("mllmllm")
    let tiles = story.scene.placements
    let photos = story.browser.album.markedInOrder
    #expect(photos.count > 2)
    story.keys("=")
    #expect(story.panes.map(\.photo) == photos)
    for photo in photos {
      let before = try #require(tiles.first { $0.photo == photo })
      #expect(story.shown(photo)?.frame.isClose(to: before.frame) == true)
      #expect(story.shown(photo)?.crop.isClose(to: before.crop, within: 0.01) == true)
      #expect(story.scene.placements.filter { $0.photo == photo }.count == 1)
    }
    story.wait(0.175)
    #expect(story.scene.isMoving && story.scene.placements[0].opacity < 0.6)
    story.wait(0.2)
    #expect(story.scene.placements.count == photos.count && !story.scene.isMoving)
    for pane in story.panes {
      let shown = try #require(story.shown(pane.photo))
      #expect(shown.crop.isClose(to: .unit, within: 0.05))
      #expect(shown.frame.isInside(pane.frame))
    }
    story.send(.key(.escape))
    #expect(story.browser.keyView == .grid)
    story.wait(0.34)
    for photo in photos {
      let before = try #require(tiles.first { $0.photo == photo })
      #expect(story.shown(photo)?.frame.isClose(to: before.frame, within: 6) == true)
    }
    story.wait(0.2)
    #expect(story.browser.comparison == nil && story.scene.placements.count == 20)
    #expect(story.browser.album.marks.count == photos.count)
  }

  @Test func `without marks it is the selected photo and the next, at the end the one before`() {
    var story = Story(photos: 5)
    story.keys("l=")
    #expect(story.panes.map(\.photo.index) == [1, 2])
    story.send(.key(.escape))
    story.wait(1)
    story.keys("G=")
    #expect(story.panes.map(\.photo.index) == [3, 4])
    #expect(story.current == 4)
  }

  @Test func `one photo, a folder or ten photos are not compared, and the bar says why`() {
    var story = Story(photos: 1)
    story.keys("=")
    #expect(story.browser.comparison == nil)
    #expect(story.bar.left == "No other photo to compare with")
    story = Story(photos: 20)
    story.send(.key(.control("a")))
    story.keys("=")
    #expect(story.browser.comparison == nil)
    #expect(story.bar.left == "Cannot compare 20 photos; the limit is 9")
  }

  @Test func `the way out can be reversed at every moment without a jump`() throws {
    var story = comparing(3)
    for step in 0..<30 {
      let before = story.scene.placements.filter { $0.photo.index < 3 }
      if story.browser.keyView == .grid {
        story.keys("=")
      } else {
        story.send(.key(.escape))
      }
      let after = story.scene.placements.filter { $0.photo.index < 3 }
      for (old, new) in zip(before, after) {
        #expect(old.frame.isClose(to: new.frame, within: 3), "step \(step)")
      }
      story.wait(0.03 + Double(step % 5) * 0.04)
    }
  }

  @Test func `Enter opens the focused photo alone from its pane, and Esc leads to the grid`() throws
  {
    var story = comparing(4)
    story.send(.key(.tab))
    let pane = try #require(story.shown(Photo.ID(1)))
    story.send(.key(.enter))
    #expect(story.browser.viewer?.photo == Photo.ID(1) && story.browser.comparison == nil)
    #expect(story.out?.frame.isClose(to: pane.frame) == true)
    story.wait(1)
    story.send(.key(.escape))
    story.wait(1)
    #expect(story.browser.viewer == nil && story.current == 1)
  }

  @Test func `a zoomed photo that is opened alone shows the same place`() throws {
    var story = comparing(4)
    story.keys("z")
    story.wait(1)
    story.keys("jjl")
    story.wait(1)
    let center = try #require(story.shown(Photo.ID(0))?.crop.center)
    story.send(.key(.enter))
    for _ in 0..<20 {
      let crop = try #require(story.out?.crop)
      #expect(crop.center.distance(to: center) < 0.15)
      story.wait(0.03)
    }
    #expect(story.out?.crop.center.distance(to: center) ?? 1 < 0.001)
    #expect(story.bar.right.contains("100%"))
  }

  @Test(arguments: MotionSetting.allCases)
  func `every motion setting leads out and home`(motion: MotionSetting) {
    var story = comparing(3, motion: motion)
    story.wait(2)
    #expect(!story.browser.isAnimating(at: story.now) && story.scene.placements.count == 3)
    story.keys("xx")
    story.wait(3)
    #expect(story.browser.comparison == nil && story.browser.viewer?.photo == Photo.ID(2))
    story.send(.key(.escape))
    story.wait(3)
    #expect(story.browser.viewer == nil && story.scene.placements.count == 20)
  }
}
