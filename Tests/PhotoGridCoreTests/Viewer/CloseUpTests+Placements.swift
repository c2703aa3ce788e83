@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import Testing

/// Placements of the pictures of regions.
extension CloseUpTests {
  // MARK: Placements

  @Test func `a region that covers the visible part replaces the whole picture`() throws {
    var story = ZoomStoryTests.opened()
    story.keys("z")
    story.wait(0.5)
    let region = PhotoRegion(x: 1400, y: 1100, width: 2000, height: 1000)

    let placements = story.scene(with: region).placements

    #expect(placements.count == 1)
    #expect(placements[0].region == region)
    #expect(placements[0].frame == story.browser.viewport.pictureArea)
    #expect(placements[0].crop == PixelRect(x: 0.05, y: 0.1, width: 0.5, height: 0.6))
  }

  @Test func `a region inside the visible part lies over the whole picture, aligned with it`()
    throws
  {
    var story = ZoomStoryTests.opened()
    story.keys("z")
    story.wait(0.5)
    let region = PhotoRegion(x: 1700, y: 1000, width: 400, height: 500)

    let placements = story.scene(with: region).placements

    #expect(placements.map(\.region) == [nil, region])
    #expect(placements[0] == story.out)
    #expect(placements[1].frame == PixelRect(x: 200, y: 0, width: 400, height: 300))
    #expect(placements[1].crop == PixelRect(x: 0, y: 0.4, width: 1, height: 0.6))
  }

  @Test func `a transparent region is shown only if it covers the visible part`() {
    var story = ZoomStoryTests.opened()
    story.keys("z")
    story.wait(0.5)
    let region = PhotoRegion(x: 1700, y: 1000, width: 400, height: 500)

    #expect(story.scene(with: region, isOpaque: false).placements.map(\.region) == [nil])
    let all = PhotoRegion(x: 1400, y: 1100, width: 2000, height: 1000)
    #expect(story.scene(with: all, isOpaque: false).placements.map(\.region) == [all])
  }

  @Test func `a region is not shown at fit, nor if it is outside the visible part`() {
    var story = ZoomStoryTests.opened()
    let region = PhotoRegion(x: 1700, y: 1000, width: 400, height: 500)
    #expect(story.scene(with: region).placements.map(\.region) == [nil])
    story.keys("zHK")
    story.wait(1)
    #expect(story.scene(with: region).placements.map(\.region) == [nil])
  }

  @Test(arguments: 1...8)
  func `the region of a rotated photo is placed where the photo shows it`(number: Int) throws {
    var story = ZoomStoryTests.opened()
    story.browser.gallery.collection.turn(Photo.ID(0), by: Orientation(number: number))
    story.keys("z")
    story.wait(0.5)
    let region = PhotoRegion(x: 1900, y: 1400, width: 200, height: 100)

    let part = try #require(story.scene(with: region).placements.last)

    // Before the rotation the region's center is 50 pixels above the photo's.
    let turned = Orientation(number: number).turned(PixelPoint(x: 0.5, y: 0.5 - 50.0 / 3000))
    let size = try #require(story.browser.size(of: Photo.ID(0)))
    let expected = PixelPoint(
      x: 500 + (turned.x - 0.5) * size.width, y: 300 + (turned.y - 0.5) * size.height)
    #expect(part.frame.center.distance(to: expected) < 1e-6)
    #expect(
      part.frame.size == Orientation(number: number).turned(PixelSize(width: 200, height: 100)))
    #expect(part.crop == .unit)
  }
}

extension Story {
  /// The scene with a decoded region of the first photo.
  func scene(with region: PhotoRegion, isOpaque: Bool = true) -> Scene {
    browser.scene(
      at: now,
      closeUp: { $0 == Photo.ID(0) ? CloseUp(region: region, isOpaque: isOpaque) : nil })
  }
}
