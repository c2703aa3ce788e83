import Foundation
import PseudoTerminal
import Testing

/// The mouse: clicks and drags.
@Suite(.waiting) struct DragEndToEndTests {
  @Test func `a click opens the photo under the pointer, and another one closes it`() throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)
    try window.waitUntilQuiet()

    window.click(65, 5)
    try window.wait(for: "the fourth photo on the whole screen") {
      $0.isAt("4/6") && $0.box(of: TestPhoto.yellow) == ZoomTests.wholeScreen
    }
    window.click(10, 12)
    try window.wait(for: "the grid") {
      $0.showsGrid(of: 6) && $0.box(of: ScreenReader.ringColor) == .ring(3)
    }
    try window.quit()
  }

  @Test func `a click in the gap does nothing`() throws {
    let window = try PhotoFolder(count: 6).open()
    try window.waitForGrid(of: 6)
    let before = window.screen

    window.click(39, 5)
    window.click(70, 20)
    try window.waitUntilQuiet()

    #expect(window.screen.looksLike(before), "\(window.picture)")
    try window.quit()
  }

  @Test func `a photo dragged down follows, shrinks, and uncovers the grid`() throws {
    let window = try openedWindow()

    window.press(40, 12)
    window.drag(40, 15)
    window.drag(40, 18)

    // Six rows are 120 points: scale 0.88, the center 120 pixels lower. That is x from 48 to 752
    // and y from 174 to 526 pixels, cut at the bar.
    try window.wait(for: "the photo in the hand") { screen in
      guard let box = screen.box(of: TestPhoto.red) else { return false }
      return (4...5).contains(box.x) && (70...71).contains(box.width)
        && (17...18).contains(box.y) && box.y + box.height == 46
    }
    // A yellow tile at 0.12 × 1.3 of its brightness.
    let red = try #require(window.screen.color(70, 5), "\(window.picture)") >> 16
    #expect((25...45).contains(red), "\(red)\(window.picture)")
    window.release(40, 18)
    try window.quit()
  }

  @Test func `a photo released while moving down closes`() throws {
    let window = try openedWindow()

    window.press(40, 8)
    window.drag(40, 10)
    try window.wait(for: "the photo in the hand") { ($0.box(of: TestPhoto.red)?.y ?? 0) > 5 }
    window.terminal.send("\u{1B}[<32;41;16M\u{1B}[<0;41;17m")

    try window.wait(for: "the grid") {
      $0.showsGrid(of: 6) && $0.box(of: ScreenReader.ringColor) == .ring(0)
    }
    try window.quit()
  }

  @Test func `a photo released at rest returns to the whole screen`() throws {
    let window = try openedWindow()

    window.press(40, 8)
    window.drag(40, 14)
    try window.wait(for: "the photo in the hand") { ($0.box(of: TestPhoto.red)?.y ?? 0) > 8 }
    window.rest()
    window.release(40, 14)

    try window.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }
    try window.waitUntilQuiet()
    #expect(window.screen.box(of: TestPhoto.red) == ZoomTests.wholeScreen, "\(window.picture)")
    try window.quit()
  }

  @Test func `a photo released while moving up returns to the whole screen`() throws {
    let window = try openedWindow()

    window.press(40, 6)
    window.drag(40, 16)
    try window.wait(for: "the photo in the hand") { ($0.box(of: TestPhoto.red)?.y ?? 0) > 8 }
    window.rest()
    window.terminal.send("\u{1B}[<32;41;9M\u{1B}[<0;41;9m")

    try window.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }
    try window.quit()
  }

  @Test func `a swipe to the left shows the next photo`() throws {
    let window = try openedWindow()

    window.press(70, 12)
    window.drag(60, 12)
    window.drag(30, 12)
    // Moved by 40 columns; the next photo is two columns beyond this one.
    try window.wait(for: "both photos side by side") {
      $0.box(of: TestPhoto.red) == Box(x: 0, y: 3, width: 40, height: 40)
        && $0.box(of: TestPhoto.green) == Box(x: 42, y: 3, width: 38, height: 40)
    }
    window.release(29, 12)

    try window.wait(for: "the second photo on the whole screen") {
      $0.isAt("2/6") && $0.box(of: TestPhoto.green) == ZoomTests.wholeScreen
    }
    try window.quit()
  }

  @Test func `a swipe to the right on the first photo returns`() throws {
    let window = try openedWindow()

    window.press(10, 12)
    window.drag(20, 12)
    window.drag(60, 12)
    try window.wait(for: "the photo, moved less than the pointer") {
      $0.box(of: TestPhoto.red) == Box(x: 15, y: 3, width: 65, height: 40)
    }
    window.release(60, 12)

    try window.wait(for: "the first photo on the whole screen") {
      $0.isAt("1/6") && $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }
    try window.quit()
  }

  @Test func `a press catches a moving photo, and a release lets it continue`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "slow")
    try window.waitForGrid(of: 6)
    window.type("\r")
    try window.waitForFlight(widerThan: 30)

    window.press(10, 8)
    try window.waitUntilQuiet(seconds: 0.6)
    let held = try #require(window.screen.box(of: TestPhoto.red), "\(window.picture)")
    #expect(held.width > 18 && held.width < 80, "\(window.picture)")

    window.startFilm()
    window.release(10, 8)
    try window.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }
    let boxes = window.film.compactMap { $0.box(of: TestPhoto.red) }
    #expect(boxes.contains { $0.width > held.width && $0.width < 80 }, "\(boxes)")
    try window.quit()
  }

  @Test func `a caught photo can be dragged from its position`() throws {
    let window = try PhotoFolder(count: 6).open("--motion", "slow")
    try window.waitForGrid(of: 6)
    window.type("\r")
    try window.waitForFlight(widerThan: 30)
    window.press(20, 8)
    try window.waitUntilQuiet(seconds: 0.6)
    let held = try #require(window.screen.box(of: TestPhoto.red), "\(window.picture)")

    window.drag(30, 10)
    try window.wait(for: "the photo, moved along") {
      guard let box = $0.box(of: TestPhoto.red) else { return false }
      return box.x > held.x + 7 && box.y > held.y + 2
    }
    window.drag(30, 11)
    window.release(30, 12)
    try window.wait(for: "the grid") { $0.showsGrid(of: 6) }
    try window.quit()
  }

  @Test func `a drag whose release is lost ends with the next movement`() throws {
    let window = try openedWindow()

    window.press(40, 8)
    window.drag(40, 14)
    try window.wait(for: "the photo in the hand") { ($0.box(of: TestPhoto.red)?.y ?? 0) > 8 }
    window.mouse(35, 40, 15)

    try window.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }
    try window.quit()
  }

  @Test func `without the mouse no reports are requested, and reports do nothing`() throws {
    let window = try PhotoFolder(count: 6).open("--mouse", "off")
    try window.waitForGrid(of: 6)

    #expect(window.screen.modes.isDisjoint(with: [1000, 1002, 1003, 1006, 1016]))
    try window.quit()
  }

  /// A window with the first photo on the whole screen, at full speed and at rest.
  private func openedWindow() throws -> Window {
    let window = try PhotoFolder(count: 6).open(environment: PhotoGrid.blackBackground)
    try window.waitForGrid(of: 6)
    window.type("\r")
    try window.wait(for: "the photo on the whole screen") {
      $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen
    }
    try window.waitUntilQuiet()
    return window
  }
}

extension Window {
  /// Keeps the pointer still for longer than the tenth of a second that the velocity is measured
  /// over.
  fileprivate func rest() { _ = watch(seconds: 0.4) { _ in false } }
}
