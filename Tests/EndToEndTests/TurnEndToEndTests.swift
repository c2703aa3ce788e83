import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Rotations that are saved, in photos and in sidecars.
@Suite(.waiting) struct TurnEndToEndTests {
  /// The orientation that exiftool reads in a file.
  private func orientation(_ path: String) -> String {
    ProgramRun.of(["exiftool", "-s3", "-n", "-Orientation", path]).outputText
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The sizes of the photos in a folder as `--json` prints them.
  private func sizes(_ folder: PhotoFolder) throws -> [[Double?]] {
    let run = ProgramRun.of(
      [PhotoGrid.path, "--print", "--json", folder.path], environment: PhotoGrid.environment)
    return try run.outputText.split(separator: "\n").map {
      let facts = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      return ["width", "height", "orientation"].map { facts?[$0] as? Double }
    }
  }

  @Test func `a PNG and a HEIC are turned in the grid, saved, shown so, and undone at once`() throws
  {
    let folder = try PhotoFolder(count: 0)
    try folder.add(TestPhoto.quadrants(), as: "a.png")
    try folder.add(image("card.heic"), as: "b.heic")
    let before = ["a.png", "b.heic"].map { FileTests.contents(folder[$0]) }
    func open() throws -> Window {
      try folder.open(
        "--motion", "none",
        environment: FileTests.data(folder).merging(["XDG_STATE_HOME": folder[".state"]]) { $1 })
    }
    /// Whether the tile of the PNG begins with two colors.
    func begins(_ screen: ScreenReader, _ left: UInt32, _ right: UInt32) -> Bool {
      let tile = Box.tile(0, of: 2)
      return screen.color(tile.x + 3, tile.y + 3) == left
        && screen.color(tile.x + 14, tile.y + 3) == right
    }
    var window = try open()
    try window.wait(for: "upright tiles") {
      $0.isAt("1/2") && begins($0, TestPhoto.red, TestPhoto.green)
    }
    window.type("\u{1}>")
    try window.wait(for: "a turned tile") { begins($0, TestPhoto.blue, TestPhoto.red) }
    window.type("W")
    try window.wait(for: "both saved") {
      $0.bar.contains("Saved the rotation of 2 photos, 1 of them in sidecars; u undoes it")
    }
    try window.wait(for: "the turned file") { begins($0, TestPhoto.blue, TestPhoto.red) }
    #expect(orientation(folder["a.png"]) == "6" && orientation(folder["b.heic.xmp"]) == "6")
    #expect(FileTests.contents(folder["b.heic"]) == before[1])
    try window.quit()
    #expect(try sizes(folder) == [[40, 80, 6], [32, 64, 6]])

    window = try open()
    try window.wait(for: "tiles as they were saved") {
      $0.isAt("1/2") && begins($0, TestPhoto.blue, TestPhoto.red)
    }
    window.type("u")
    try window.wait(for: "the question") { $0.bar.contains("Undo the rotation of 2 photos") }
    window.type("y")
    try window.wait(for: "its end") { $0.bar.contains("Undid the rotation of 2 photos") }
    try window.wait(for: "upright tiles") { begins($0, TestPhoto.red, TestPhoto.green) }
    #expect(["a.png", "b.heic"].map { FileTests.contents(folder[$0]) } == before)
    #expect(FileTests.contents(folder["b.heic.xmp"]) == nil)
    #expect(try sizes(folder) == [[80, 40, 1], [64, 32, 1]])
    try window.quit()
  }

  @Test func `an orientation that another program writes into a sidecar is shown at once`() throws {
    let folder = try PhotoFolder(count: 0)
    try folder.add(TestPhoto.quadrants(), as: "a.png")
    let window = try folder.open("--motion", "none")
    let tile = Box.tile(0, of: 1)
    try window.wait(for: "an upright tile") {
      $0.color(tile.x + 3, tile.y + 3) == TestPhoto.red
    }
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
      xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="3"/></rdf:RDF></x:xmpmeta>
      """
    try folder.add(Array(text.utf8), as: "a.xmp")
    try window.wait(for: "a turned tile") {
      $0.color(tile.x + 3, tile.y + 3) == TestPhoto.yellow
    }
    try window.quit()
  }
}
