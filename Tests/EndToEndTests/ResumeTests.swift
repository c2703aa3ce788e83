import Foundation
import PseudoTerminal
import Testing

/// A folder opens where it was left.
@Suite(.waiting) struct ResumeTests {
  private let folder: PhotoFolder
  private let state: [String: String]

  init() throws {
    folder = try PhotoFolder(count: 12)
    state = ["XDG_STATE_HOME": folder[".state"]]
  }

  private func open(_ options: String..., paths: [String]? = nil) throws -> Window {
    try Window(
      [PhotoGrid.path, "--symbols", "half"] + options + (paths ?? [folder.path]), columns: 120,
      environment: state, folder: folder)
  }

  /// Leaves the folder at a photo, in another order, in sections and in rows.
  private func leave(at number: Int, after keys: String = "") throws {
    let window = try open("--fresh")
    try window.wait(for: "the photos") { $0.isAt("1/12") }
    window.type("\(keys)\(number)G")
    try window.wait(for: "the photo") { $0.isAt("\(number)/12") }
    try window.quit()
  }

  @Test func `a folder opens at its photo, says so, and gg leaves`() throws {
    try leave(at: 9)
    let window = try open()
    try window.wait(for: "the message") {
      $0.bar.hasPrefix("Back at '08.png' · gg goes to the first photo")
    }
    try window.wait(for: "the photo") { $0.isAt("9/12") }
    window.type("gg")
    try window.wait(for: "the first photo") { $0.isAt("1/12") }
    try window.quit()

    let next = try open()
    next.startFilm()
    try next.wait(for: "the photos") { $0.isAt("1/12") }
    try next.waitUntilQuiet()
    #expect(next.screen.isAt("1/12"))
    #expect(!next.film.contains { $0.bar.contains("Back at") })
    try next.quit()
  }

  @Test func `its order, sections and layout come back, without those of given options`() throws {
    try leave(at: 3, after: ",Ngf\t\t\t")
    let window = try open()
    try window.wait(for: "the sections") {
      $0.bar.hasPrefix("Back at '09.png' · gg goes to the first photo · gn ungroups")
        && $0.bar.contains("3/12 · name, reversed · by folder")
    }
    window.type("\t")
    try window.quit()
    // The layout after rows.
    let left = try String(contentsOfFile: folder[".state/photogrid/resume"], encoding: .utf8)
    #expect(left.hasPrefix("sort=name reverse group=folder layout=grid\t09.png\t"))

    let sorted = try open("--sort", "name", "--reverse")
    try sorted.wait(for: "the photo") {
      $0.isAt("3/12") && $0.bar.contains("name, reversed") && !$0.bar.contains("by folder")
    }
    try sorted.quit()
  }

  @Test(arguments: [["--fresh"], ["--resume", "off"], ["--start-at", "2"], ["--private"]])
  func `it opens elsewhere if that is asked for`(options: [String]) throws {
    try leave(at: 9)
    let window = try Window(
      [PhotoGrid.path, "--symbols", "half"] + options + [folder.path], environment: state,
      folder: folder)
    let number = options[0] == "--start-at" ? 2 : 1
    try window.wait(for: "the photo") { $0.isAt("\(number)/12") }
    window.type("q")
    #expect(try window.waitForEnd() == 0)
  }

  @Test func `a photo that is gone is said, and the folder opens at its start`() throws {
    try leave(at: 9)
    try FileManager.default.removeItem(atPath: folder["08.png"])
    let window = try open()
    try window.wait(for: "the message") {
      $0.bar.hasPrefix("'08.png', where you left, is not among the 11 photos shown")
    }
    try window.quit()
  }

  @Test func `a parent opens at the folder that was entered`() throws {
    // Hints stand in the bar of the first session.
    try leave(at: 1)
    try folder.addFolder("trip")
    try folder.addFolder("zoo")
    try folder.add(.flat(TestPhoto.red), as: "zoo/a.png")
    try folder.add(.flat(TestPhoto.red), as: "zoo/b.png")
    let window = try open()
    try window.wait(for: "the first photo behind two folders") { $0.isAt("1/12") }
    window.type("h\r")
    try window.wait(for: "the second folder") { $0.isAt("1/2") }
    window.type("l")
    try window.wait(for: "its photo") { $0.isAt("2/2") }
    try window.quit()

    let next = try open()
    try next.wait(for: "the message") { $0.bar.hasPrefix("Back at 'zoo/'") }
    try next.quit()
    let below = try open(paths: [folder["zoo"]])
    try below.wait(for: "the photo") { $0.isAt("2/2") && $0.bar.hasPrefix("Back at 'b.png'") }
    try below.quit()
  }

  @Test func `a folder that is entered opens where an earlier session left it`() throws {
    try leave(at: 1)
    try folder.addFolder("trip")
    for name in ["a", "b", "c"] {
      try folder.add(.flat(TestPhoto.red), as: "trip/\(name).png")
    }
    let below = try open(paths: [folder["trip"]])
    try below.wait(for: "the photos") { $0.isAt("1/3") }
    below.type("ll")
    try below.wait(for: "the photo") { $0.isAt("3/3") }
    try below.quit()

    let window = try open()
    try window.wait(for: "the first photo behind a folder") { $0.isAt("1/12") }
    window.type("h\r")
    try window.wait(for: "the photo") { $0.isAt("3/3") && $0.bar.hasPrefix("Back at 'c.png'") }
    // This session's place counts from now on, and is not said.
    window.type("h\u{7F}")
    try window.wait(for: "the folder") { $0.bar.contains("trip/") }
    window.type("\r")
    try window.wait(for: "the photo") { $0.isAt("2/3") }
    try window.quit()
  }

  @Test func `a state file that is broken, too large or not the user's changes nothing`() throws {
    try folder.addFolder(".state")
    try folder.addFolder(".state/photogrid")
    for bytes in [
      Array("sort=nonsense\t08.png\t\(folder.path)\n".utf8),
      Array(repeating: UInt8(ascii: "x"), count: 10_000_000), [0, 0xFF, 0x0A, 0x09],
    ] {
      try folder.add(bytes, as: ".state/photogrid/resume")
      let window = try open()
      try window.wait(for: "the first photo") { $0.isAt("1/12") }
      try window.quit()
    }
  }
}
