import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Photos moved and copied into folders, in the real program.
@Suite(.waiting) struct FolderTransferTests {
  private static func environment(_ folder: PhotoFolder) -> [String: String] {
    ["XDG_DATA_HOME": folder[".data"], "XDG_STATE_HOME": folder[".state"]]
  }

  private static func names(_ path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
  }

  private static func contents(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { [UInt8]($0) }
  }

  @Test func `marked photos move into a new folder with their sidecars, and back`() throws {
    let folder = try PhotoFolder(count: 4)
    let sidecar = Data("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
    try sidecar.write(to: URL(fileURLWithPath: folder["00.png.xmp"]))
    let window = try folder.open(
      "--motion", "none", environment: Self.environment(folder))
    try window.waitForGrid(of: 4)

    window.type("  Mkeep/")
    try window.wait(for: "the prompt") { $0.bar.hasPrefix("move 2 photos to: keep/") }
    window.type("\r")
    try window.wait(for: "two photos left") {
      $0.bar.hasPrefix("2 photos are in 'keep/'; u moves them back")
    }
    #expect(Self.names(folder["keep"]) == ["00.png", "00.png.xmp", "01.png"])
    #expect(Self.names(folder.path).filter { $0.contains("png") } == ["02.png", "03.png"])

    window.type("u")
    try window.wait(for: "all four") { $0.bar.hasPrefix("2 photos are back") }
    try window.wait(for: "both marked") { $0.bar.contains("2 marked") }
    #expect(!FileManager.default.fileExists(atPath: folder["keep"]))
    #expect(Self.contents(folder["00.png.xmp"]) == [UInt8](sidecar))
    try window.waitUntilQuiet(seconds: 0.7)
    try window.wait(for: "the same") { $0.bar.contains("2 marked") && $0.bar.contains("/4") }
    try window.quit()
  }

  @Test func `an undo removes the folders that were made elsewhere, unless something is in them`()
    throws
  {
    let folder = try PhotoFolder(count: 3)
    let elsewhere = TemporaryFolder()
    let window = try folder.open("--motion", "none", environment: Self.environment(folder))
    try window.waitForGrid(of: 3)
    window.type("M\(elsewhere.path)/2024/best\r")
    try window.wait(for: "the question") { $0.bar.contains("? Enter: yes") }
    #expect(Self.names(elsewhere.path) == [])
    window.type("\r")
    try window.wait(for: "the move") { $0.bar.contains("u moves it back") }
    #expect(Self.names("\(elsewhere.path)/2024/best") == ["00.png"])
    window.type("u")
    try window.wait(for: "all three") { $0.bar.contains("'00.png' is back") }
    #expect(Self.names(elsewhere.path) == [])

    window.type("yc\(elsewhere.path)/copies/\r")
    // In a box above the bar, which has no room for the whole path.
    try window.wait(for: "the copy") { $0.wordsInBoxes.contains("u removes the copy") }
    #expect(FileManager.default.createFile(atPath: "\(elsewhere.path)/copies/note", contents: nil))
    window.type("u")
    try window.wait(for: "no copy") { $0.bar.contains("The copy was removed") }
    #expect(Self.names("\(elsewhere.path)/copies") == ["note"])
    try window.quit()
  }

  @Test func `a copy onto another disk is complete, and a second one gets a number`() throws {
    let folder = try PhotoFolder(count: 2)
    guard let memory = TemporaryFolder(in: "/dev/shm") else { return }
    mkdir("\(memory.path)/cards", 0o755)
    let window = try folder.open("--motion", "none", environment: Self.environment(folder))
    try window.waitForGrid(of: 2)

    window.type("yc\(memory.path)/ca\t")
    try window.wait(for: "the completed folder") { $0.bar.contains("/cards/") }
    window.type("\r")
    try window.wait(for: "the copy") { $0.bar.hasPrefix("'00.png' was copied to") }
    #expect(Self.contents("\(memory.path)/cards/00.png") == Self.contents(folder["00.png"]))

    // The folder is offered again.
    window.type("yc\u{1B}[A\r")
    try window.wait(for: "the second copy") { $0.bar.contains("as '00-1.png'") }
    #expect(Self.names("\(memory.path)/cards") == ["00-1.png", "00.png"])
    window.type("u")
    try window.wait(for: "one copy left") { $0.bar.hasPrefix("The copy was removed") }
    #expect(Self.names("\(memory.path)/cards") == ["00.png"])
    try window.quit()
    let recorded = try String(contentsOfFile: folder[".state/photogrid/folders"], encoding: .utf8)
    #expect(recorded == "\(memory.path)/cards/\n")
  }

  @Test func `a folder that does not exist is asked about, and a disk's refusal is shown`() throws {
    let folder = try PhotoFolder(count: 2)
    let window = try folder.open("--motion", "none", environment: Self.environment(folder))
    try window.waitForGrid(of: 2)
    window.type("Mnone")
    try window.wait(for: "the prompt") { $0.bar.hasPrefix("move to: none") }
    try window.waitUntilQuiet()
    window.type("\r")
    try window.wait(for: "the question") { $0.bar.contains("Create 'none'? Enter: yes") }
    window.type("\r")
    try window.wait(for: "one left") { $0.bar.hasPrefix("'00.png' is in 'none'") }
    #expect(Self.names(folder["none"]) == ["00.png"])
    window.type("M01.png\r\r")
    try window.wait(for: "the refusal") { $0.bar.contains("'01.png' was not moved") }
    #expect(Self.names(folder.path).contains("01.png"))
    try window.quit()
  }
}
