import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// Zooming and panning of photos side by side.
extension ComparisonStoryTests {
  @Test func `zoom and pan show the same part of photos of different sizes`() throws {
    var story = Story(photos: 3)
    story.send(.measured(Photo.ID(1), PixelSize(width: 8000, height: 6000)))
    story.keys("   gg=")
    story.wait(1)
    story.keys("+++++")
    story.wait(1)
    story.keys("jl")
    story.wait(1)
    let centers = story.panes.compactMap { story.shown($0.photo)?.crop.center }
    #expect(centers.count == 3)
    for center in centers {
      #expect(center.distance(to: centers[0]) < 0.01 && center.x > 0.51 && center.y > 0.51)
    }
  }

  @Test func `capital keys and Shift move one photo alone, and it keeps its distance`() throws {
    var story = comparing(2)
    story.keys("z")
    story.wait(1)
    let before = try #require(story.shown(Photo.ID(1))?.crop)
    story.keys("L")
    story.wait(1)
    #expect(story.shown(Photo.ID(1))?.crop == before)
    let gap = try #require(story.shown(Photo.ID(0))?.crop.minX) - before.minX
    #expect(gap > 0.01)
    story.keys("l")
    story.wait(1)
    let crops = story.panes.compactMap { story.shown($0.photo)?.crop.minX }
    #expect(abs(crops[0] - crops[1] - gap) < 1e-6 && crops[1] > before.minX)
    let center = story.panes[1].frame.center
    story.mouse(.wheel(.up), center.x, center.y, .shift)
    story.wait(1)
    let widths = story.panes.compactMap { story.shown($0.photo)?.crop.width }
    #expect(widths[1] < widths[0] * 0.9)
    story.keys("0")
    story.wait(1)
    #expect(story.panes.allSatisfy { story.shown($0.photo)?.crop.width ?? 0 > 0.95 })
    story.keys("z")
    story.wait(1)
    let together = story.panes.compactMap { story.shown($0.photo)?.crop }
    #expect(together[0].center.distance(to: together[1].center) < 1e-6)
  }

  @Test func `the wheel zooms at the pointer, and a drag pans all with the pointer`() throws {
    var story = comparing(4)
    let pane = story.panes[3].frame
    let point = PixelPoint(x: pane.minX + pane.width * 0.6, y: pane.minY + pane.height * 0.6)
    let before = try #require(story.part(at: point, of: Photo.ID(3)))
    for _ in 0..<8 { story.mouse(.wheel(.up), point.x, point.y) }
    story.wait(1)
    let after = try #require(story.part(at: point, of: Photo.ID(3)))
    #expect(before.distance(to: after) < 0.01)
    story.mouse(.pressed(.left), point.x, point.y)
    for step in 1...10 { story.mouse(.dragged(.left), point.x + Double(step) * 8, point.y) }
    let moved = try #require(
      story.part(at: PixelPoint(x: point.x + 80, y: point.y), of: Photo.ID(3)))
    #expect(moved.distance(to: after) < 0.001, "the photo is under the pointer")
    story.wait(1)
    story.mouse(.released(.left), point.x + 80, point.y)
    story.wait(2)
    let crops = story.panes.compactMap { story.shown($0.photo)?.crop }
    #expect(crops.allSatisfy { $0.center.distance(to: crops[0].center) < 0.001 })
    #expect(!story.browser.isAnimating(at: story.now))
  }

  @Test func `a photo let go in a drag glides on, and so do the others`() throws {
    var story = comparing(2)
    story.keys("z")
    story.wait(1)
    let point = story.panes[0].frame.center
    story.mouse(.pressed(.left), point.x, point.y)
    for step in 1...6 {
      story.now = story.now.advanced(bySeconds: 0.016)
      story.mouse(.dragged(.left), point.x - Double(step) * 20, point.y)
    }
    story.mouse(.released(.left), point.x - 120, point.y)
    let released = story.panes.compactMap { story.shown($0.photo)?.crop.center.x }
    story.wait(5)
    let rested = story.panes.compactMap { story.shown($0.photo)?.crop.center.x }
    for (from, to) in zip(released, rested) { #expect(to - from > 0.03) }
    #expect(abs(rested[0] - rested[1]) < 1e-6)
  }

  @Test func `the last photo, still growing, is zoomed on a screen with no room for it`() {
    var story = comparing(2)
    story.send(.listingReplaced((0..<20).filter { $0 != 1 }.map { Photo.ID($0) }))
    #expect(story.panes.count == 1 && story.browser.isComparing)
    story.send(.resized(CellSize(columns: 80, rows: 1), .standard))
    story.keys("+Z")
    #expect(story.browser.bar(story.facts, at: story.now).entry == nil)
    story.send(.resized(CellSize(columns: 80, rows: 30), .standard))
    story.keys("+")
    story.wait(1)
    #expect(story.browser.viewer?.photo == Photo.ID(0))
    #expect(story.shown(Photo.ID(0))?.frame.isInside(story.browser.viewport.pictureArea) == true)
  }

  @Test func `Esc shows zoomed photos whole before it sends them home`() {
    var story = comparing(2)
    story.keys("z")
    story.wait(1)
    #expect(story.bar.right.contains("100%"))
    story.send(.key(.escape))
    story.wait(1)
    #expect(story.panes.count == 2 && story.browser.isComparing)
    story.send(.key(.escape))
    story.wait(1)
    #expect(story.browser.comparison == nil)
  }
}

extension Story {
  /// The part of a photo that is shown at a point, in fractions of the photo.
  fileprivate func part(at point: PixelPoint, of photo: Photo.ID) -> PixelPoint? {
    guard let shown = shown(photo), shown.frame.contains(point) else { return nil }
    return PixelPoint(
      x: shown.crop.minX + (point.x - shown.frame.minX) / shown.frame.width * shown.crop.width,
      y: shown.crop.minY + (point.y - shown.frame.minY) / shown.frame.height * shown.crop.height)
  }
}
