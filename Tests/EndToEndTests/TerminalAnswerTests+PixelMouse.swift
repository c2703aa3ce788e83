import Foundation
import PseudoTerminal
import Testing

/// The mouse in pixels, in terminals that report it so.
extension TerminalAnswerTests {
  @Test func `clicks and drags have the precision of pixels`() throws {
    let window = try PhotoFolder(count: 6).open("--protocol", "cells", model: .xterm)
    try window.waitForGrid(of: 6)
    try window.wait(for: "the mouse in pixels") { $0.modes.contains(1016) }
    try window.waitUntilQuiet()

    // Columns 59 to 76 are the fourth tile's; the gap before it is column 58.
    window.click(589, 60)
    try window.waitUntilQuiet()
    #expect(window.screen.isAt("1/6"), "\(window.picture)")
    // Not at the position of the previous click, which would make it a double click.
    window.click(590, 120)
    try window.wait(for: "the fourth photo on the whole screen") {
      $0.isAt("4/6") && $0.box(of: TestPhoto.yellow) == ZoomTests.wholeScreen
    }
    try window.waitUntilQuiet(seconds: 0.5)

    // 50 points down: scale 0.95, so from 10 to 390 pixels below its top, and 50 lower.
    window.press(400, 230)
    window.drag(400, 255)
    window.drag(400, 280)
    try window.wait(for: "the photo in the hand, at a half of a half row") { screen in
      guard let box = screen.box(of: TestPhoto.yellow) else { return false }
      return (8...9).contains(box.y) && (2...3).contains(box.x)
    }
    window.release(400, 280)
    try quit(window)
  }

  @Test func `mouse reports stay in pixels after a stop and a redraw`() throws {
    let window = try PhotoFolder(count: 6).open("--protocol", "cells", model: .xterm)
    try window.wait(for: "the mouse in pixels") { $0.modes.contains(1016) }
    try window.waitForGrid(of: 6)

    window.terminal.signal(SIGSTOP)
    window.terminal.signal(SIGCONT)
    try window.waitUntilQuiet()
    window.click(600, 60)

    try window.waitForNumber("4/6")
    try quit(window)
  }

  @Test func `without the mouse there are no reports in pixels`() throws {
    let window = try PhotoFolder(count: 6).open(
      "--protocol", "cells", "--mouse", "off", model: .xterm)

    try window.waitForGrid(of: 6)
    try window.waitUntilQuiet()
    #expect(window.screen.modes.isDisjoint(with: [1002, 1006, 1016]))
    try quit(window)
  }
}
