import Foundation
import PseudoTerminal
import Testing

/// Every sequence of two keys, typed into the program in a folder of copies.
struct KeyPairEndToEndTests {
  /// Keys as a terminal sends them.
  ///
  /// Excluded are those that are documented to change files, those that open a prompt in which the
  /// next keys are text (`d u r ! o / f`), `C`, after which digits rate, and `q Q`, which quit.
  private static let keys: [String] =
    Array("abceghijklmnpstvwxyzABDEFGHIJKLMNOPRSTUVXYZ0123456789+-=<>|_[].,?*").map(String.init)
    + [
      " ", "\r", "\t", "\u{7F}", "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}[H",
      "\u{1B}[F",
    ]

  /// Keys that open the prompts of words, and that ask the desktop for something.
  private static let others: Set = ["gk", "gC", "gT", "yi"]

  /// The names of all files below a folder, with their bytes.
  private static func contents(_ path: String) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      contents[name] = FileManager.default.contents(atPath: "\(path)/\(name)").map { [UInt8]($0) }
    }
    return contents
  }

  @Test(arguments: ["y", "g", ","])
  func `exactly the documented two-key sequences change files`(
    prefix: String
  ) throws {
    let folder = try PhotoFolder(count: 4)
    let data = try PhotoFolder()
    let before = try Self.contents(folder.path)
    let window = try folder.open("--motion", "none", environment: ["XDG_DATA_HOME": data.path])
    try window.wait(for: "the photos") { $0.isAt("1/4") }
    // A prefix before the keys that change files: in the grid, with marks, on the screen, and in a
    // slideshow, which its first key ends.
    for (mode, show) in [("", ""), (" m", ""), ("\r", ""), ("", "s")] {
      window.type(mode)
      for key in ["d", "u", "r", "!", "o"] { window.type(show + prefix + key) }
    }
    window.type("G")
    try window.wait(for: "the last photo, on the screen") { $0.isAt("4/4") }
    #expect(try Self.contents(folder.path) == before)
    #expect(try Self.contents(data.path).isEmpty, "nothing is in the trash")
    try window.quit()
  }

  @Test(arguments: 0..<4)
  func `no other two keys change files`(part: Int) throws {
    let folder = try PhotoFolder(count: 4)
    let data = try PhotoFolder()
    let before = try Self.contents(folder.path)
    let window = try folder.open(
      "--motion", "none", environment: ["XDG_DATA_HOME": data.path, "EDITOR": "false"])
    try window.wait(for: "the photos") { $0.isAt("1/4") }
    for (number, first) in Self.keys.enumerated() where number % 4 == part {
      for second in Self.keys
      // The first key follows the second of the pair before.
      where Self.others.isDisjoint(with: [first + second, second + first]) {
        window.type(first + second)
      }
      try window.waitUntilQuiet(seconds: 0.05)
    }
    try window.waitUntilQuiet()
    #expect(window.terminal.status == nil, "it still runs\(window.picture)")
    #expect(try Self.contents(folder.path) == before)
    #expect(try Self.contents(data.path).isEmpty, "nothing is in the trash")
    window.type("\u{3}\u{3}")
    try window.waitForEnd()
  }
}
