import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// A film in the real program whose color tells how far it has played.
@Suite(.waiting, .enabled(if: TestFilm.canBeMade, "ffmpeg is not installed"))
struct FilmPlayEndToEndTests {
  private let folder: PhotoFolder

  /// A film of twenty seconds, black at first, that is a little brighter each second.
  init() throws {
    folder = try PhotoFolder(count: 0)
    try TestFilm.make(
      "color=black:s=320x180:r=10:d=20,geq=lum='20+10*floor(N/10)':cb=128:cr=128",
      at: folder["a.mp4"], ["-c:v", "mpeg4", "-q:v", "2", "-g", "10"])
    try folder.add(.flat(TestPhoto.green), as: "b.png")
  }

  /// The second that a screen shows in its middle; nil if it shows something else.
  private func second(in screen: ScreenReader) -> Int? {
    guard let color = screen.color(50, 14) else { return nil }
    let (red, green) = (Int(color >> 16), Int(color >> 8 & 0xff))
    guard abs(red - green) < 8 else { return nil }
    // From the range of a picture to the narrow one of video.
    let brightness = Double(green) * 219 / 255 + 16
    return Int(((brightness - 20) / 10).rounded())
  }

  @Test func `a film plays in order, and steps, seeks, and stops by keys`() throws {
    let window = try folder.open("--symbols", "half", "--layout", "rows")
    try window.wait(for: "two tiles") { $0.isAt("1/2") && $0.shows("0:20") }
    window.startFilm()
    window.type("\r")
    try window.wait(for: "three seconds") { _ in
      window.film.last.map { second(in: $0) == 3 && $0.bar.contains(" of 0:20") } ?? false
    }
    let seen = window.film.compactMap(second).reduce(into: [Int]()) {
      if $0.last != $1 { $0.append($1) }
    }
    // The flight began with the tile's own picture, of a later second.
    let played = seen.suffix(3)
    #expect(Array(played) == [1, 2, 3], "\(seen)")

    window.type("a")
    try window.wait(for: "a pause at the second that is shown") { screen in
      screen.shows("━")
        && second(in: screen).map { screen.bar.contains("paused at 0:0\($0) of 0:20") } ?? false
    }
    try window.waitUntilQuiet(seconds: 0.5)
    #expect(try window.isIdle(forSeconds: 1), "it is not idle\(window.picture)")

    window.type("a")
    window.type("ll")
    try window.wait(for: "ten seconds later") { (second(in: $0) ?? 0) >= 13 }
    let later = try #require(second(in: window.screen))
    window.type("h")
    try window.wait(for: "five seconds earlier") {
      second(in: $0).map { $0 < later && $0 >= later - 5 } ?? false
    }

    window.type("a")
    try window.wait(for: "another pause") { $0.bar.contains("paused at") }
    let before = window.screen.bar
    window.type(String(repeating: ",", count: 11))
    try window.wait(for: "an earlier second") { $0.bar.contains("paused at") && $0.bar != before }

    window.type("\u{1b}")
    try window.wait(for: "the grid") { $0.shows("b.png") || !$0.shows("━") }
    try window.quit()
  }

  @Test func `a film plays under the selection, and no process is left`() throws {
    let window = try folder.open("--symbols", "half", "--layout", "rows")
    func playedSecond(_ screen: ScreenReader) -> Int {
      (1..<20).first { screen.bar.contains(String(format: "0:%02d of 0:20", $0)) } ?? 0
    }
    try window.wait(for: "a second") { playedSecond($0) > 0 }
    let first = playedSecond(window.screen)
    try window.wait(for: "a later one") { playedSecond($0) > first }
    window.type("l")
    try window.wait(for: "the photo") { $0.isAt("2/2") && !$0.bar.contains(" of 0:20") }
    try window.quit()
  }
}
