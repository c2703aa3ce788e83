import Foundation
import PseudoTerminal
import Testing

/// The folder of the sample photos.
private let samplePhotos = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()
  .appendingPathComponent("Assets/Photos").path

/// The sample photos, if they exist.
@Suite(.waiting, .enabled(if: FileManager.default.fileExists(atPath: samplePhotos)))
struct SamplePhotoTests {
  @Test func `every sample photo is decoded and shown`() throws {
    let run = ProgramRun.of(
      [PhotoGrid.path, "--print", "--json", samplePhotos], environment: PhotoGrid.environment)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    let lines = run.outputText.split(separator: "\n")
    #expect(!lines.isEmpty && !lines.contains { $0.contains("\"error\"") }, "\(run)")

    let window = try Window(
      [PhotoGrid.path, "--symbols", "half", "--motion", "none", samplePhotos], columns: 120,
      rows: 40)
    try window.wait(for: "no tile without a picture") { screen in
      screen.isAt("1/\(lines.count)") && !screen.bar.contains("loading")
        && screen.box(of: 0x1F1F1F) == nil
    }
    for number in 1...lines.count {
      window.type("\(number)G\r")
      try window.wait(for: "photo \(number) on the whole screen") { screen in
        screen.isAt("\(number)/\(lines.count)") && !screen.bar.contains("loading")
          && screen.box(of: ScreenReader.ringColor) == nil
      }
      window.type("\u{1B}")
      try window.wait(for: "the grid") { $0.box(of: ScreenReader.ringColor) != nil }
    }
    try window.quit()
  }
}
