import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// The open photo by itself, without a grid around it.
struct ViewerTests {
  /// The context of a photo of 1600×1200 pixels in a terminal of 80×24 cells.
  private static func context(
    at seconds: Double = 0, motion: MotionSetting = .full, hasNext: Bool = true
  ) -> Viewer.Context {
    Viewer.Context(
      viewport: Viewport(cells: CellSize(columns: 80, rows: 24)), motion: motion,
      now: Instant(seconds: seconds), size: PixelSize(width: 1600, height: 1200),
      tile: PixelRect(x: 100, y: -500, width: 80, height: 60),
      tileAfterScrolling: PixelRect(x: 100, y: 20, width: 80, height: 60), previous: Photo.ID(4),
      next: hasNext ? Photo.ID(6) : nil)
  }

  private static let middle = PixelPoint(x: 320, y: 180)

  @Test func `a click at fit closes the photo into its tile, which is scrolled into view`() {
    var viewer = Viewer(photo: Photo.ID(5), phase: .resting)
    let context = Self.context()
    let isPressed = viewer.press(at: Self.middle, in: context)
    #expect(isPressed)
    let outcome = viewer.release(isDoubleClick: false, in: context)
    #expect(outcome == .closing(isGridHidden: true))
    guard case .flying(let flight, to: .tile) = viewer.phase else {
      Issue.record("it does not fly to its tile but is \(viewer.phase)")
      return
    }
    #expect(flight.target.frame == context.tileAfterScrolling)
  }

  @Test(arguments: [true, false]) func `a swipe shows the next photo, if there is one`(
    hasNext: Bool
  ) {
    var viewer = Viewer(photo: Photo.ID(5), phase: .resting)
    let isPressed = viewer.press(at: Self.middle, in: Self.context(hasNext: hasNext))
    #expect(isPressed)
    let left = PixelPoint(x: Self.middle.x - 300, y: Self.middle.y)
    viewer.drag(to: left, in: Self.context(at: 1, hasNext: hasNext))
    viewer.drag(to: left, in: Self.context(at: 2, hasNext: hasNext))
    let outcome = viewer.release(isDoubleClick: false, in: Self.context(at: 2, hasNext: hasNext))
    #expect(outcome == (hasNext ? .changed(to: Photo.ID(6)) : nil))
    #expect(viewer.photo == Photo.ID(hasNext ? 6 : 5))
    guard case .snapping = viewer.phase else {
      Issue.record("it does not snap but is \(viewer.phase)")
      return
    }
  }

  @Test func `a press beside a closing photo is left to the grid, and one on it catches it`() {
    var viewer = Viewer(photo: Photo.ID(5), phase: .resting)
    _ = viewer.close(MotionSetting.full.tap, in: Self.context())
    let later = Self.context(at: 0.3)
    let isOnPhoto = viewer.press(at: PixelPoint(x: 630, y: 350), in: later)
    #expect(!isOnPhoto && viewer.isClosing)
    let isPressed = viewer.press(at: viewer.pose(in: later).frame.center, in: later)
    #expect(isPressed)
    #expect(viewer.isGrabbed && !viewer.isClosing)
  }

  @Test func `a closing photo is in its tile when the flight is over, and not before`() {
    var viewer = Viewer(photo: Photo.ID(5), phase: .resting)
    _ = viewer.close(MotionSetting.full.tap, in: Self.context())
    let isOverSoon = viewer.settle(in: Self.context(at: 0.2))
    let isOver = viewer.settle(in: Self.context(at: 1))
    #expect(!isOverSoon && isOver)
  }

  @Test func `without motion a photo opens, zooms and closes at once`() {
    let context = Self.context(motion: .none)
    var viewer = Viewer(
      opening: Photo.ID(5), from: Pose(frame: context.tile, backdrop: 1), in: context)
    #expect(viewer.phase == .resting)
    viewer.zoom(.actualSize, 1, in: context)
    #expect(viewer.phase == .resting && viewer.isMagnified(on: context.stage))
    _ = viewer.close(context.motion.tap, in: context)
    let isOver = viewer.settle(in: context)
    #expect(isOver)
  }
}
