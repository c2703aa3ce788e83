import Foundation
import PseudoTerminal
import Testing

/// Two sessions in one folder.
@Suite(.waiting) struct TwoProgramsTests {
  private static func open(_ folder: PhotoFolder, _ home: PhotoFolder) throws -> Window {
    try folder.open(
      "--motion", "none",
      environment: [
        "XDG_DATA_HOME": home["data"], "XDG_STATE_HOME": home["state"],
        "XDG_CACHE_HOME": home["cache"],
      ])
  }

  private static func names(_ folder: PhotoFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `a photo that one trashes disappears from the other, which cannot undo it`() throws {
    let (folder, home) = (try PhotoFolder(count: 5), try PhotoFolder())
    let all = try Self.names(folder)
    let one = try Self.open(folder, home)
    let other = try Self.open(folder, home)
    try one.waitForGrid(of: 5)
    try other.waitForGrid(of: 5)

    one.type("d")
    try one.wait(for: "four") { $0.isAt("1/4") }
    try other.wait(for: "four") { $0.isAt("1/4") }
    other.type("u")
    try other.wait(for: "a message") { $0.bar.contains("Nothing to undo") }
    #expect(try Self.names(folder) == Array(all.dropFirst()))

    other.type("2Gd")
    try other.wait(for: "three") { $0.bar.contains("/3") }
    try one.wait(for: "three") { $0.bar.contains("/3") }
    one.type("u")
    try one.wait(for: "its photo back") { $0.bar.contains("/4") }
    #expect(try Self.names(folder) == all.filter { $0 != PhotoFolder.name(2) })
    other.type("u")
    try other.waitForGrid(of: 5)
    try one.waitForGrid(of: 5)
    #expect(try Self.names(folder) == all)
    try one.quit()
    try other.quit()
  }

  @Test func `a photo that both trash at once is trashed once, and comes back once`() throws {
    let (folder, home) = (try PhotoFolder(count: 4), try PhotoFolder())
    let all = try Self.names(folder)
    let one = try Self.open(folder, home)
    let other = try Self.open(folder, home)
    try one.waitForGrid(of: 4)
    try other.waitForGrid(of: 4)
    one.type("d")
    other.type("d")
    for window in [one, other] {
      try window.wait(for: "less") { $0.bar.contains("/3") || $0.bar.contains("/2") }
    }
    // Whichever came second has trashed the next photo, or nothing.
    for window in [one, other] {
      window.type("u")
      try window.wait(for: "a message") {
        $0.bar.contains("is back") || $0.bar.contains("Nothing to undo")
      }
    }
    try one.waitForGrid(of: 4)
    try other.waitForGrid(of: 4)
    #expect(try Self.names(folder) == all)
    try one.quit()
    try other.quit()
  }

  @Test func `ratings of one appear in the other, which cannot undo them`() throws {
    let (folder, home) = (try PhotoFolder(count: 4), try PhotoFolder())
    let one = try Self.open(folder, home)
    let other = try Self.open(folder, home)
    try one.waitForGrid(of: 4)
    try other.waitForGrid(of: 4)
    one.type("C4")
    try other.wait(for: "the stars of the first") { $0.shows("★★★★") }
    other.type("Cl5")
    try one.wait(for: "the stars of the second") { $0.shows("★★★★★") }
    other.type("u")
    try one.wait(for: "them gone") { !$0.shows("★★★★★") && $0.shows("★★★★") }
    other.type("u")
    try other.wait(for: "a message") { $0.bar.contains("Nothing to undo") }
    let sidecar = FileManager.default.contents(atPath: folder["00.png.xmp"]) ?? Data()
    #expect(String(decoding: sidecar, as: UTF8.self).contains("Rating=\"4\""))
    try one.quit()
    try other.quit()
  }
}
