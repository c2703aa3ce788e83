import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

extension Browser {
  /// What the screens say in the status bar.
  private var status: StatusBar.Content {
    var content = StatusBar.Content(
      facts: Bar.Facts(source: "", name: "", info: nil, failure: nil, loading: 0),
      collection: collection, selection: selection, isFolder: false,
      commandPhotoCount: 0, isLeaving: false, isReadOnly: false)
    for screen in screens.all { screen.describe(&content, in: gallery) }
    return content
  }

  /// The scale of the open photo in percent; nil at fit.
  var percentage: Int? { status.percentage }

  /// A label for the open photo's rotation; nil if it is not rotated.
  var rotationLabel: String? { status.rotation }

  var slideshow: Slideshow? { screens.covering as? Slideshow }

  /// The photo that is open alone or in a slideshow, also while it opens or closes; nil in the grid.
  var viewer: Viewer? { screens.covering as? Viewer ?? slideshow?.viewer }

  /// The compared photos, also while they open or close; nil if none are.
  var comparison: Comparison? { screens.covering as? Comparison }

  /// The months or years; nil while photos are shown.
  var periods: PeriodGrid? { activeScreen as? PeriodGrid }

  var prompt: Prompt? { if case .prompt(let prompt)? = modal { prompt } else { nil } }

  /// The open help; nil if it is closed.
  var help: Help? { if case .help(let help)? = modal { help } else { nil } }

  /// The open prompt for commands; nil if it is closed.
  var palette: Palette? { if case .palette(let palette)? = modal { palette } else { nil } }

  var culling: Culling? { keyboard.culling }

  var nextAnimationFrame: Instant? { screens.nextPlaybackChange(in: gallery) }

  /// Whether photos are compared, rather than flying to their tiles.
  var isComparing: Bool { comparison?.isClosing == false }

  /// The demand for a sharper picture of the open photo.
  var closeUpDemand: Demand? { viewer?.closeUpDemand(in: gallery) }

  /// Returns the current pose of the open photo; nil if none is open.
  func currentPose(at now: Instant) -> Pose? {
    viewer.flatMap { viewer in viewer.context(in: gallery, at: now).map(viewer.pose(in:)) }
  }

  func size(of photo: Photo.ID) -> PixelSize? { gallery.size(of: photo) }

  func orientation(of photo: Photo.ID) -> Orientation { gallery.orientation(of: photo) }

  func stage(of index: Int) -> Magnification.PhotoInArea? { gallery.stage(of: index) }

  func restingTileFrame(of index: Int) -> PixelRect { gallery.restingTileFrame(of: index) }
}

/// Screens that exclude each other: each replaces those that it cannot be combined with.
struct ScreenTests {
  @Test func `the help stays open while a photo flies home`() {
    var story = Story(photos: 3, columns: 80, rows: 24)
    story.press(.enter)
    story.wait(2)
    story.press(.escape, .character("?"))
    #expect(story.browser.viewer?.isClosing == true && story.browser.help != nil)
    story.wait(2)
    #expect(story.browser.viewer == nil && story.browser.help != nil)
  }

  @Test func `a slideshow closes the help, and the next key ends it with its photo open`() {
    var story = Story(photos: 3, columns: 80, rows: 24)
    story.press(.character("?"))
    story.send(.slideshowRequested)
    #expect(story.browser.slideshow != nil && story.browser.help == nil)
    story.press(.character("j"))
    #expect(story.browser.slideshow == nil && story.browser.viewer?.isClosing == false)
  }

  @Test func `a photo that flies home can be caught, and is the screen again`() throws {
    var story = Story(photos: 3, columns: 80, rows: 24)
    story.press(.enter)
    story.wait(2)
    story.press(.escape)
    story.wait(0.05)
    #expect(story.browser.keyView == .grid)
    let frame = try #require(story.out?.frame)
    story.mouse(.pressed(.left), frame.center.x, frame.center.y)
    #expect(story.browser.keyView == .viewer && story.browser.viewer?.isClosing == false)
  }

  @Test func `a rename prompt that appears late closes the help or the slideshow`() {
    for key in [Key.character("?"), .character("s")] {
      var story = Story(photos: 3, columns: 80, rows: 24)
      story.press(.character("r"), key)
      story.send(.nameReceived(Photo.ID(0), Array("0.jpg".utf8)))
      #expect(story.browser.prompt != nil, "after \(key)")
      #expect(story.browser.help == nil && story.browser.slideshow == nil, "after \(key)")
      story.press(.escape)
      #expect(story.browser.prompt == nil, "after \(key)")
    }
  }
}
