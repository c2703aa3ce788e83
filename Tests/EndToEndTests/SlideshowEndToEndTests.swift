import PseudoTerminal
import Testing

/// Slideshows in the whole program.
@Suite(.waiting) struct SlideshowEndToEndTests {
  /// The middle of the screen of 80 by 24, in half rows.
  static let middle = (x: 40, y: 22)

  private func colors(of film: [ScreenReader]) -> [UInt32] {
    film.compactMap { $0.color(Self.middle.x, Self.middle.y) }.reduce(into: []) { seen, color in
      if seen.last != color { seen.append(color) }
    }
  }

  @Test func `photos fade into each other, and start again after the last`() throws {
    // Longer than the fade, so that a slow machine draws a frame of each photo alone.
    let window = try PhotoFolder(count: 3).open("-S", "1.5")
    window.startFilm()
    var seen: [UInt32] = []
    try window.wait(for: "five photos") { _ in
      seen = colors(of: window.film)
      let pure = seen.filter { TestPhoto.palette.contains($0) }
      return pure.count >= 6
    }
    let pure = seen.filter { TestPhoto.palette.contains($0) }
    #expect(
      Array(pure.suffix(5)).allSatisfy(TestPhoto.palette.prefix(3).contains), "\(pure)")
    // Before the first photo opens, the grid may show another one in the middle.
    let shown = pure.drop { $0 != TestPhoto.palette[0] }
    for (color, next) in zip(shown, shown.dropFirst()) {
      let index = try #require(TestPhoto.palette.firstIndex(of: color))
      #expect(next == TestPhoto.palette[(index + 1) % 3] || next == color, "\(pure)")
    }
    // Between two photos there are mixed colors.
    #expect(seen.contains { !TestPhoto.palette.contains($0) }, "\(seen)")
    try window.wait(for: "an empty bar") { $0.bar.allSatisfy { $0 == " " } }
    try window.quit()
  }

  @Test func `without motion photos change at once`() throws {
    let window = try PhotoFolder(count: 3).open("--motion", "none", "-S", "0.3")
    try window.wait(for: "the first photo") {
      $0.color(Self.middle.x, Self.middle.y) == TestPhoto.red
    }
    window.startFilm()
    try window.wait(for: "a round") { _ in colors(of: window.film).count >= 4 }
    #expect(colors(of: window.film).allSatisfy(TestPhoto.palette.contains))
    try window.quit()
  }

  @Test func `Space pauses, and any other key leaves the photo on the screen`() throws {
    let window = try PhotoFolder(count: 4).open("--slideshow", "0.4", "-n", "2")
    try window.wait(for: "the third photo") {
      $0.color(Self.middle.x, Self.middle.y) == TestPhoto.blue
    }
    window.type(" ")
    try window.wait(for: "the words") { $0.bar.contains("paused · Space resumes") }
    try window.waitUntilQuiet(seconds: 1)
    let still = window.screen
    window.terminal.run(forSeconds: 1.5)
    #expect(window.screen.looksLike(still), "\(window.picture)")

    window.type(" ")
    try window.wait(for: "another photo") {
      $0.color(Self.middle.x, Self.middle.y).map {
        TestPhoto.palette.contains($0) && $0 != TestPhoto.blue
      } ?? false
    }
    window.type("x")
    try window.wait(for: "its end") { $0.bar.contains(".png") }
    try window.waitUntilQuiet(seconds: 1)
    let left = window.screen
    window.terminal.run(forSeconds: 1.5)
    #expect(window.screen.looksLike(left), "\(window.picture)")
    let color = try #require(window.screen.color(Self.middle.x, Self.middle.y))
    #expect(TestPhoto.palette.contains(color) && window.screen.color(4, 22) == color)
    try window.quit()
  }

  @Test func `photos that cannot be shown are skipped, and only if all fail there is a message`()
    throws
  {
    let folder = try PhotoFolder(count: 1)
    try folder.add(Array("no picture".utf8), as: "1 broken.jpg")
    try folder.add(.flat(TestPhoto.cyan), as: "2.png")
    let window = try folder.open("--motion", "none", "-S", "0.3")
    window.startFilm()
    try window.wait(for: "some rounds") { _ in colors(of: window.film).count >= 5 }
    #expect(!window.film.contains { $0.shows("not an image") && !$0.bar.contains("broken.jpg") })
    try window.quit()

    let broken = try PhotoFolder()
    try broken.add(Array("no picture".utf8), as: "1.jpg")
    try broken.add(Array("nor this".utf8), as: "2.jpg")
    let other = try broken.open("-S", "1")
    try other.wait(for: "words") { $0.bar.contains("None of these photos can be shown") }
    try other.quit()
  }

  @Test func `the slideshow follows sorting and filter`() throws {
    let folder = try PhotoFolder(count: 6)
    let window = try folder.open(
      "--motion", "none", "-S", "0.3", "--sort", "name", "--reverse", "--filter", "not 04")
    window.startFilm()
    var seen: [UInt32] = []
    try window.wait(for: "a round from the last photo on") { _ in
      seen = Array(colors(of: window.film).drop { $0 != TestPhoto.cyan })
      return seen.count >= 6
    }
    let order = [5, 3, 2, 1, 0, 5].map { TestPhoto.palette[$0] }
    #expect(Array(seen.prefix(6)) == order)
    try window.quit()
  }

  @Test(arguments: ["0", "-1", "nan", "", "x", "100000"])
  func `invalid seconds are an error`(seconds: String) throws {
    let run = try PhotoFolder(count: 1).run("--slideshow=\(seconds)")
    #expect(run.status == 2)
    #expect(run.errorText.hasPrefix("photogrid: --slideshow: "), "\(run)")
  }
}
