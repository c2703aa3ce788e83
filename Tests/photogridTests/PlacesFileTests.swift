import Foundation
import TestSupport
import Testing

@testable import photogrid

/// The file of the folders to which the user may want to go back.
struct PlacesFileTests {
  private let folder = TemporaryFolder()

  private var environment: [String: String] { ["XDG_STATE_HOME": folder.path] }

  private var path: String { "\(folder.path)/photogrid/places" }

  @Test func `folders and bookmarks are kept, and those of another session are not lost`() throws {
    var (one, other) = (PlacesFile(environment), PlacesFile(environment))
    one.change { $0.visit("/a") }
    other.change { $0.setBookmark("~/b", true) }
    one.change { $0.visit("/c") }
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text == "bookmark\t~/b\nvisited\t/a\nvisited\t/c\n")
    #expect(PlacesFile(environment).places.others.map(\.folder) == ["~/b", "/c", "/a"])
    #expect(PlacesFile(nil).places.others.isEmpty, "nothing is stored or read")
  }

  @Test func `a file that is too large, is none, or has other lines is as on a first start`() throws
  {
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/photogrid", withIntermediateDirectories: true)
    try Data(repeating: UInt8(ascii: "x"), count: 10 << 20).write(to: URL(filePath: path))
    var places = PlacesFile(environment)
    #expect(places.places.others.isEmpty)
    places.change { $0.visit("/a") }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "visited\t/a\n")

    try Data("\u{0}\nvisited\t\u{1B}[2J\nvisited\t/a\u{1B}[2J\nvisited\t/b".utf8)
      .write(to: URL(filePath: path))
    #expect(PlacesFile(environment).places.others.map(\.folder) == ["/b"])
    unlink(path)
    mkfifo(path, 0o600)
    #expect(PlacesFile(environment).places.others.isEmpty, "and nothing waits")
  }
}
