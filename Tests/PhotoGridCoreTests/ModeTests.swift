import Testing

@testable import PhotoGridCore

/// What excludes what: each mode takes the place of those that cannot go with it.
struct ModeTests {
  private static let viewer = Viewer(photo: Photo.ID(0), phase: .resting)

  /// A photo on its way to its tile.
  private static var closing: Viewer {
    Viewer(photo: Photo.ID(0), phase: .flying(Animated(Pose(frame: .unit, backdrop: 1)), to: .tile))
  }

  private static func show(_ mode: Mode) -> Mode {
    var mode = mode
    mode.show(Slideshow(of: Photo.ID(0), seconds: 5))
    return mode
  }

  @Test func `a photo that closes leaves the keys to the grid, and the help open`() {
    var mode = Mode.viewer(Self.viewer, .help(page: 1))
    mode.viewer = Self.closing
    #expect(mode == .grid(closing: Self.closing, .help(page: 1)))
    mode.viewer = Self.viewer
    #expect(mode == .viewer(Self.viewer, .help(page: 1)))
    mode.viewer = nil
    #expect(mode == .grid(closing: nil, .help(page: 1)))
  }

  @Test func `a slideshow takes the place of the help, and ends with its photo`() {
    var mode = Self.show(.viewer(Self.viewer, .help(page: 0)))
    #expect(mode.slideshow != nil && mode.modal == nil)
    mode.viewer = Self.closing
    #expect(mode == .grid(closing: Self.closing, nil))
  }

  @Test func `a slideshow ends where something is asked, and its photo stays`() {
    var mode = Self.show(.viewer(Self.viewer, nil))
    mode.modal = .help(page: 0)
    #expect(mode == .viewer(Self.viewer, .help(page: 0)))
    mode = Self.show(mode)
    mode.endSlideshow()
    #expect(mode == .viewer(Self.viewer, nil))
  }

  @Test func `there is no slideshow without a photo`() {
    #expect(Self.show(.grid(closing: nil, nil)) == .grid(closing: nil, nil))
  }

  @Test func `a name that arrives late takes the place of the help and of a slideshow`() {
    for key in [Key.character("?"), .character("s")] {
      var story = Story(photos: 3, columns: 80, rows: 24)
      story.press(.character("r"), key)
      story.send(.nameReceived(Photo.ID(0), Array("0.jpg".utf8)))
      #expect(story.browser.prompt != nil, "after \(key)")
      #expect(story.browser.helpPage == nil && story.browser.slideshow == nil, "after \(key)")
      story.press(.escape)
      #expect(story.browser.prompt == nil, "after \(key)")
    }
  }
}
