import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Films in the real program: tiles with a picture and a length.
@Suite(.waiting, .enabled(if: TestFilm.canBeMade, "ffmpeg is not installed"))
struct FilmEndToEndTests {
  private let folder: PhotoFolder

  init() throws {
    folder = try PhotoFolder(count: 0)
    for (name, color, seconds) in [("a.mp4", "red", 2), ("b.webm", "blue", 75)] {
      let codec = name.hasSuffix("mp4") ? ["-c:v", "mpeg4", "-q:v", "2"] : ["-c:v", "libvpx"]
      try TestFilm.make(
        "color=\(color):s=320x180:r=1:d=\(seconds)", at: folder[name],
        codec + ["-metadata", "creation_time=2023-07-08T12:00:00Z"])
    }
    try folder.add(.flat(TestPhoto.green), as: "c.png")
  }

  @Test func `films have tiles with their length, open, and pass filters`() throws {
    let window = try folder.open("--motion", "none", "--symbols", "half")
    try window.wait(for: "three tiles") {
      $0.isAt("1/3") && $0.shows("0:02") && $0.shows("1:15")
    }
    window.type("\r")
    try window.wait(for: "the film's picture") {
      // Half blocks of video red, which is not exactly the color.
      guard let color = $0.color(40, 22) else { return false }
      return $0.isAt("1/3") && color >> 16 > 230 && color & 0xffff < 0x3030
    }
    window.type("\u{1b}")
    window.type("flength:>1m\r")
    try window.wait(for: "one film") { $0.isAt("1/1") && $0.shows("1:15") && !$0.shows("0:02") }
    try window.quit()
  }

  @Test func `their facts are printed`() throws {
    let run = ProgramRun.of(
      [PhotoGrid.path, "--no-config", "--print", "--json", "--sort", "length", folder.path],
      environment: PhotoGrid.environment)
    let lines = run.outputText.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].contains("\"duration\":2,"), "\(run)")
    #expect(lines[1].contains("\"duration\":75,") && lines[1].contains("\"format\":\"film\""))
    #expect(lines[1].contains("\"taken\":\"2023-07-08T"))
    #expect(lines[2].contains("\"duration\":null"))
  }

  @Test func `a photo that holds its film is a live photo`() throws {
    try folder.add(
      MotionPhoto.google(image("card.jpg"), TestFilm.small("short.mp4")), as: "d.jpg")
    let window = try folder.open("--motion", "none")
    try window.wait(for: "the mark") { $0.isAt("1/4") && $0.shows("LIVE") }
    window.type("ftype:film\r")
    try window.wait(for: "three films") { $0.isAt("1/3") && $0.shows("LIVE") }
    window.type("Gi")
    try window.wait(for: "the panel") { $0.shows("inside the photo") && $0.shows("0:02") }
    try window.quit()
  }

  @Test func `a photo and a film of its name are one tile`() throws {
    try FileManager.default.moveItem(atPath: folder["c.png"], toPath: folder["c.jpg"])
    try FileManager.default.copyItem(atPath: folder["a.mp4"], toPath: folder["c.mov"])
    let window = try folder.open("--motion", "none")
    try window.wait(for: "the mark") { $0.isAt("1/3") && $0.shows("LIVE") }
    try window.quit()
  }
}
