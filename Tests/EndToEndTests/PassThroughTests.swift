import PseudoTerminal
import Testing

/// Pictures through tmux, which drops what it should pass on while it redraws or is out of sight.
@Suite(.waiting) struct PassThroughTests {
  private static let kitty = TerminalModel.tmux(in: .kittyWithPlaceholders)

  @Test(arguments: ["auto", "kitty"])
  func `pictures appear after the start, in another size, and in another terminal`(
    pictures: String
  ) throws {
    let window = try opened("--protocol", pictures)
    try window.waitForPixels(of: 6)
    #expect(window.terminal.pane.dropCount == 0, "nothing was sent too early")

    window.resize(columns: 100, rows: 30)
    try window.waitForPixels(of: 6)
    window.type("\r")
    try window.waitForPixels(of: 1)
    window.terminal.pane.attach()
    try window.waitForPixels(of: 1)
    window.type("\u{1B}")
    try window.waitForPixels(of: 6)
    try window.quit()
    #expect(window.terminal.unreadInput.isEmpty)
    #expect(window.terminal.pane.images.isEmpty)
  }

  @Test func `pictures appear once a pane that was out of sight is shown`() throws {
    let window = try opened(isHidden: true)
    try window.waitForGrid(of: 6)
    try window.wait(for: "the pane to be out of sight") { _ in
      window.terminal.pane.dropCount >= 12
    }
    #expect(window.placeholderCount == 0)

    window.terminal.pane.isHidden = false
    try window.waitForPixels(of: 6)
    window.terminal.pane.isHidden = true
    window.type("gg\r")
    try window.wait(for: "the photo by cells") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }
    window.terminal.pane.isHidden = false
    try window.waitForPixels(of: 1)
    try window.quit()
  }

  @Test func `pictures appear when tmux is told to pass them on, and cells in a terminal without`()
    throws
  {
    let window = try opened(model: .tmux(in: nil))
    try window.waitForGrid(of: 6)

    window.terminal.model = Self.kitty
    try window.waitForPixels(of: 6)
    window.terminal.model = .tmux(in: .xterm)
    try window.waitTyping(for: "the grid by cells") { screen in
      window.placeholderCount == 0 && screen.showsGrid(of: 6)
    }
    window.terminal.pane.attach()
    window.terminal.model = Self.kitty
    try window.waitForPixels(of: 6)
    try window.quit()
  }

  @Test func `pictures that were dropped appear by themselves`() throws {
    let window = try opened()
    try window.waitForPixels(of: 6)

    // Nothing tells the program that it has the input again, so it asks for no responses. On a slow
    // machine, it may have sent everything for the last time before the pane is shown.
    let appear = (0..<5).contains { attempt in
      window.terminal.pane.isHidden = true
      let count = window.terminal.pane.dropCount
      // An image and its placement: tiles of the new size.
      window.resize(columns: attempt.isMultiple(of: 2) ? 60 : 100, rows: 30)
      let areDropped = window.watch { _ in window.terminal.pane.dropCount >= count + 2 }
      window.terminal.pane.isHidden = false
      return areDropped
        && window.watch(seconds: 10) { _ in
          window.shownImages.count >= 6
            && window.shownImages.isSubset(of: window.terminal.pane.images)
        }
    }
    #expect(appear, "\(window.picture)")
  }

  private func opened(
    _ options: String..., isHidden: Bool = false, model: TerminalModel = Self.kitty
  ) throws -> Window {
    let folder = try PhotoFolder(count: 6)
    let window = try Window(
      [PhotoGrid.path, "--symbols", "half"] + options + [folder.path],
      environment: ["TMUX": "/tmp/tmux-0/default,1,0", "TERM": "tmux-256color"], model: model,
      folder: folder)
    window.terminal.countsImages = true
    window.terminal.pane.isHidden = isHidden
    return window
  }
}

/// Pictures shown by placeholder characters, whose color is the number of an image.
extension Window {
  private func isPlaceholder(_ cell: ScreenReader.Cell) -> Bool {
    cell.glyph.unicodeScalars.first == "\u{10EEEE}"
  }

  /// The number of cells in which the terminal shows a part of an image.
  var placeholderCount: Int { screen.cells.count(where: isPlaceholder) }

  /// The images of all placeholders on the screen.
  var shownImages: Set<UInt32> {
    Set(screen.cells.filter(isPlaceholder).compactMap(\.foreground))
  }

  /// Waits until the screen satisfies a condition, and goes back and forth by a photo now and then: keys
  /// make the program look at the terminal around tmux.
  func waitTyping(
    for what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    until condition: (ScreenReader) -> Bool
  ) throws {
    let pause: Int64 = 1_500_000_000
    var next = terminal.elapsed + pause
    var goesBack = false
    try wait(for: what, sourceLocation: sourceLocation) { screen in
      if condition(screen) { return true }
      if terminal.elapsed > next {
        type(goesBack ? "h" : "l")
        goesBack.toggle()
        next = terminal.elapsed + pause
      }
      return false
    }
  }

  /// Waits until the screen shows images, all of which the terminal has.
  func waitForPixels(of count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try waitTyping(for: "\(count) images", sourceLocation: sourceLocation) { screen in
      let shown = shownImages
      return shown.count >= count && shown.isSubset(of: terminal.pane.images)
        && placeholderCount > 500
    }
  }
}
