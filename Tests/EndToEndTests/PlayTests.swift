import PseudoTerminal
import TestSupport
import Testing

/// Animated photos in the whole program.
@Suite(.waiting) struct PlayTests {
  static let colors = [TestPhoto.red, TestPhoto.green, TestPhoto.blue, TestPhoto.yellow]

  /// A folder of an animation and a still after it.
  private func folder(_ film: TestGIF) throws -> PhotoFolder {
    let folder = try PhotoFolder()
    try folder.add(film.bytes, as: "a film.gif")
    try folder.add(.flat(TestPhoto.cyan), as: "b still.png")
    return folder
  }

  /// The animation's colors in the order in which a position showed them, each once while it
  /// stayed.
  private func colors(in film: [ScreenReader], at place: (Int, Int)) -> [UInt32] {
    film.compactMap { $0.color(place.0, place.1) }.reduce(into: []) { seen, color in
      if seen.last != color { seen.append(color) }
    }
  }

  /// Whether colors follow each other as in the animation.
  private func areInOrder(_ seen: [UInt32]) -> Bool {
    zip(seen, seen.dropFirst()).allSatisfy { color, next in
      guard let index = Self.colors.firstIndex(of: color) else { return false }
      return Self.colors[(index + 1) % Self.colors.count] == next
    }
  }

  @Test func `an animation plays under the selection, frame by frame`() throws {
    let window = try folder(.film(Self.colors, delay: 30)).open()
    try window.wait(for: "the film's facts") { $0.bar.contains("4 frames") }
    window.startFilm()

    var seen: [UInt32] = []
    try window.wait(for: "two rounds") { _ in
      seen = colors(in: window.film, at: (30, 22))
      return seen.count >= 9
    }

    #expect(areInOrder(seen), "\(seen)\(window.picture)")
    #expect(window.screen.isFilled(.tile(1, of: 2), with: TestPhoto.cyan), "\(window.picture)")
    try window.quit()
  }

  /// A terminal that reports when its window is hidden and shown.
  private static let reporting = TerminalModel.modest.adding([
    "\u{1B}[?2033$p": "\u{1B}[?2033;2$y", "\u{1B}[?998n": "\u{1B}[?999;1n",
  ])

  @Test func `while the window is hidden, nothing plays and the program sleeps`() throws {
    let folder = try folder(.film(Self.colors, delay: 30))
    let window = try Window(
      [PhotoGrid.path, "--symbols", "half", folder.path], model: Self.reporting, folder: folder)
    try window.wait(for: "a later frame") { $0.isFilled(.tile(0, of: 2), with: TestPhoto.blue) }
    window.type("\u{1B}[?999;2n")
    try window.waitUntilQuiet(seconds: 0.5)
    #expect(try window.isIdle(forSeconds: 1.5), "it is not idle\(window.picture)")

    window.startFilm()
    window.type("\u{1B}[?999;1n")
    var seen: [UInt32] = []
    try window.wait(for: "a round") { _ in
      seen = colors(in: window.film, at: (30, 22))
      return seen.count >= 5
    }
    #expect(areInOrder(seen), "\(seen)\(window.picture)")
    window.type("\u{1B}[?999;2n")
    try window.waitUntilQuiet(seconds: 0.5)
    window.type("l")
    try window.wait(for: "the next photo, as somebody types") { $0.isAt("2/2") }
    try window.quit()
  }

  @Test func `a pauses the animation, a period steps by a frame, and a continues`() throws {
    let window = try folder(.film(Self.colors, delay: 30)).open()
    try window.wait(for: "a later frame") { $0.isFilled(.tile(0, of: 2), with: TestPhoto.blue) }

    window.type("a")
    try window.wait(for: "the frame's number") { $0.bar.contains("frame ") }
    try window.waitUntilQuiet(seconds: 0.5)
    #expect(try window.isIdle(forSeconds: 1.5), "it is not idle\(window.picture)")
    let stopped = try #require(
      Self.colors.first { window.screen.isFilled(.tile(0, of: 2), with: $0) })
    let index = try #require(Self.colors.firstIndex(of: stopped))
    #expect(window.screen.bar.contains("frame \(index + 1) of 4"), "\(window.picture)")

    for step in 1...5 {
      window.type(".")
      let next = (index + step) % 4
      try window.wait(for: "step \(step)") {
        $0.isFilled(.tile(0, of: 2), with: Self.colors[next])
          && $0.bar.contains("frame \(next + 1) of 4")
      }
    }
    try window.waitUntilQuiet(seconds: 0.5)
    #expect(try window.isIdle(forSeconds: 1), "it is not idle\(window.picture)")
    window.startFilm()
    window.type("a")
    try window.wait(for: "three more frames") { _ in
      colors(in: window.film, at: (30, 22)).count >= 3
    }
    #expect(areInOrder(colors(in: window.film, at: (30, 22))))
    try window.quit()
  }

  @Test func `a deselected animation shows its first frame, and the program is idle`() throws {
    let window = try folder(.film(Self.colors, delay: 20)).open()
    try window.wait(for: "a later frame") { $0.isFilled(.tile(0, of: 2), with: TestPhoto.blue) }

    window.type("l")
    try window.wait(for: "the first frame") {
      $0.isAt("2/2") && $0.isFilled(.tile(0, of: 2), with: TestPhoto.red)
    }
    try window.waitUntilQuiet(seconds: 0.5)
    #expect(try window.isIdle(forSeconds: 1.5), "it is not idle\(window.picture)")

    window.type("h")
    try window.wait(for: "a later frame again") {
      $0.isFilled(.tile(0, of: 2), with: TestPhoto.yellow)
    }
    try window.quit()
  }

  @Test func `an animation plays through the zoom and changes of layout without a restart`() throws
  {
    // Long enough for a program that waits beside other processes to show every frame.
    let window = try folder(.film(Self.colors, delay: 50)).open("--motion", "slow")
    try window.wait(for: "a later frame") { $0.isFilled(.tile(0, of: 2), with: TestPhoto.green) }
    window.startFilm()

    // A position inside the tile in every layout, and inside the photo during the zoom; no ring
    // crosses it.
    for key in ["\r", "f", "f", "\u{1B}", "c", "\t", "\t", "c", "\t"] {
      let count = window.film.count
      window.type(key)
      try window.wait(for: "frames after \(key.debugDescription)") { _ in
        colors(in: Array(window.film[count...]), at: (30, 19)).count >= 3
      }
    }

    let seen = colors(in: window.film, at: (30, 19))
    #expect(seen.count > 18 && areInOrder(seen), "\(seen)\(window.picture)")
    try window.quit()
  }

  @Test(arguments: ["reduced", "none"])
  func `with less motion an animation plays on request`(motion: String) throws {
    let window = try folder(.film(Self.colors, delay: 20)).open("--motion", motion)
    try window.wait(for: "the film's first frame") {
      $0.isFilled(.tile(0, of: 2), with: TestPhoto.red) && !$0.bar.contains("loading")
        && $0.isFilled(.tile(1, of: 2), with: TestPhoto.cyan)
    }
    try window.waitUntilQuiet(seconds: 0.5)
    #expect(try window.isIdle(forSeconds: 1.5), "it is not idle\(window.picture)")

    window.type("a")
    try window.wait(for: "a later frame") { $0.isFilled(.tile(0, of: 2), with: TestPhoto.yellow) }
    try window.quit()
  }

  @Test func `an animation without repetition ends at its last frame, and the program is idle`()
    throws
  {
    let window = try folder(.film(Self.colors, delay: 10, repeats: nil)).open()

    try window.wait(for: "the last frame") { $0.isFilled(.tile(0, of: 2), with: TestPhoto.yellow) }
    try window.waitUntilQuiet(seconds: 0.5)
    #expect(try window.isIdle(forSeconds: 1.5), "it is not idle\(window.picture)")
    #expect(window.screen.isFilled(.tile(0, of: 2), with: TestPhoto.yellow), "\(window.picture)")
    window.type("a")
    try window.wait(for: "the first frame again") {
      $0.isFilled(.tile(0, of: 2), with: TestPhoto.red)
    }
    try window.quit()
  }

  @Test func `a truncated animation plays as far as it goes`() throws {
    let film = TestGIF.film(Self.colors, delay: 20).bytes
    let folder = try PhotoFolder()
    try folder.add(Array(film.prefix(film.count * 3 / 5)), as: "cut.gif")
    let window = try folder.open("-t")

    try window.wait(for: "the second frame") { $0.isFilled(.tile(0, of: 1), with: TestPhoto.green) }
    try window.wait(for: "the first frame again") {
      $0.isFilled(.tile(0, of: 1), with: TestPhoto.red)
    }
    try window.quit()
  }

  @Test func `an animation of too many pixels is a tile with a message, beside one that plays`()
    throws
  {
    let dot = TestGIF.Frame(width: 1, height: 1) { _, _ in TestPhoto.red }
    var bomb = TestGIF(width: 1, height: 1, frames: Array(repeating: dot, count: 2000)).bytes
    let first = try #require(bomb.firstIndex(of: UInt8(ascii: ",")))
    // Sides of 4000 for the screen and its first frame.
    bomb.replaceSubrange((first + 5)..<(first + 9), with: [0xA0, 0x0F, 0xA0, 0x0F])
    bomb.replaceSubrange(6..<10, with: [0xA0, 0x0F, 0xA0, 0x0F])
    let folder = try folder(.film(Self.colors, delay: 20))
    try folder.add(bomb, as: "c bomb.gif")
    let window = try folder.open()

    try window.wait(for: "a film that plays and words") {
      $0.isFilled(.tile(0, of: 3), with: TestPhoto.blue)
        && $0.words(in: .tile(2, of: 3)) == "too large: 2000 frames of 4000x4000"
    }
    window.type("2l")
    try window.wait(for: "the words in the bar") {
      $0.bar.contains("too large: 2000 frames of 4000")
    }
    try window.waitUntilQuiet(seconds: 0.5)
    #expect(try window.isIdle(forSeconds: 1), "it is not idle\(window.picture)")
    try window.quit()
  }
}
