import Testing

@testable import PhotoGridCore

/// Modes that exclude each other: each replaces those that it cannot be combined with.
struct ModeTests {
  private static let viewer = Viewer(photo: Photo.ID(0), phase: .resting)

  /// A photo that flies to its tile.
  private static var closing: Viewer {
    Viewer(photo: Photo.ID(0), phase: .flying(Animated(Pose(frame: .unit, backdrop: 1)), to: .tile))
  }

  private static func show(_ mode: Mode) -> Mode {
    var mode = mode
    mode.show(Slideshow(of: Photo.ID(0), seconds: 5))
    return mode
  }

  @Test func `closing a photo returns to the grid, and the help stays open`() {
    var mode = Mode.viewer(Self.viewer, .help(Help(page: 1)))
    mode.viewer = Self.closing
    #expect(mode == .grid(closing: .viewer(Self.closing), .help(Help(page: 1))))
    mode.viewer = Self.viewer
    #expect(mode == .viewer(Self.viewer, .help(Help(page: 1))))
    mode.viewer = nil
    #expect(mode == .grid(closing: nil, .help(Help(page: 1))))
  }

  @Test func `a slideshow closes the help, and ends when its photo closes`() {
    var mode = Self.show(.viewer(Self.viewer, .help(Help())))
    #expect(mode.slideshow != nil && mode.modal == nil)
    mode.viewer = Self.closing
    #expect(mode == .grid(closing: .viewer(Self.closing), nil))
  }

  @Test func `opening the help ends a slideshow, and its photo stays open`() {
    var mode = Self.show(.viewer(Self.viewer, nil))
    mode.modal = .help(Help())
    #expect(mode == .viewer(Self.viewer, .help(Help())))
    mode = Self.show(mode)
    mode.endSlideshow()
    #expect(mode == .viewer(Self.viewer, nil))
  }

  @Test func `a slideshow cannot start without an open photo`() {
    #expect(Self.show(.grid(closing: nil, nil)) == .grid(closing: nil, nil))
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
