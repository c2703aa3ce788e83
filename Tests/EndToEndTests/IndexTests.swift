import FactIndex
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Facts that a session reads from photos' files are known to the next one.
@Suite struct IndexTests {
  /// Photos whose names are not in the order of their dates, and a cache.
  private struct Library {
    let folder: PhotoFolder
    var photos: String { folder["photos"] }
    var environment: [String: String] { ["XDG_CACHE_HOME": folder["cache"]] }
    /// The names in the order of the dates.
    static let names = ["c.jpg", "a.jpg", "b.jpg"]

    init() throws {
      folder = try PhotoFolder()
      try folder.addFolder("photos")
      try folder.addFolder("cache")
      for (place, name) in Self.names.enumerated() {
        try folder.add(
          TestPhoto.jpeg(taken: "2020:01:0\(place + 1) 10:00:00"), as: "photos/\(name)")
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
          ofItemAtPath: "\(photos)/\(name)")
      }
    }

    /// Removes the permission to read the photos' files.
    func lock() throws {
      for name in Self.names { #expect(chmod("\(photos)/\(name)", 0) == 0) }
    }

    /// The names whose facts are in the index.
    var known: Int {
      IndexReader(IndexFile(folder: Array("\(folder["cache"])/photogrid".utf8)))?
        .contents(ofFolder: Array("\(photos)/".utf8))?.count ?? 0
    }

    func waitUntilKnown() {
      let end = Date().addingTimeInterval(Window.patience)
      while known < Self.names.count, Date() < end { usleep(2000) }
    }

    /// The names in the order printed by a program that has no permission to read the files.
    func order(_ options: String...) -> [String] {
      let run = ProgramRun.of(
        PhotoGrid.heldToPermissions + ["--json", "--sort", "date"] + options + [photos],
        environment: PhotoGrid.environment.merging(environment) { $1 })
      return run.outputText.split(separator: "\n").compactMap { line in
        Self.names.first { line.contains("/\($0)\"") }
      }
    }
  }

  @Test func `the second start sorts by date without opening a file`() throws {
    let library = try Library()
    let first = try Window(
      [PhotoGrid.path, "--motion", "none", "--sort", "date", library.photos],
      environment: library.environment)
    try first.wait(for: "the first name in the order of the dates") {
      $0.text(ofRow: 23).contains("a.jpg") && $0.text(ofRow: 23).contains("2/3 · date taken · 64")
    }
    library.waitUntilKnown()
    #expect(library.known == 3)
    first.type("q")
    #expect(try first.waitForEnd() == 0)

    try library.lock()

    let second = try Window(
      PhotoGrid.heldToPermissions + ["--motion", "none", "--sort", "date", library.photos],
      environment: library.environment)
    try second.wait(for: "the first photo by date") { $0.text(ofRow: 23).contains("c.jpg") }
    second.type("ll")
    try second.wait(for: "the last one") { $0.text(ofRow: 23).contains("b.jpg") }
    second.type("q")
    #expect(try second.waitForEnd() == 0)
    #expect(library.order() == Library.names)
    // Without the index no date is known.
    #expect(library.order("--private") == Library.names.sorted())
  }

  @Test func `a list of names is sorted by date without opening a file`() throws {
    let library = try Library()
    #expect(
      ProgramRun.of(
        [PhotoGrid.path, "--update-cache", library.photos],
        environment: PhotoGrid.environment.merging(library.environment) { $1 }
      ).status == 0)
    library.waitUntilKnown()
    try library.lock()
    // More names than fit into a request, of files that do not exist, and one that is no path.
    let others = (0..<1200).map { "\(library.photos)/none\($0).jpg" }
    let long = String(repeating: "long", count: 3000)
    let sorted = Library.names.sorted().map { "\(library.photos)/\($0)" }
    let list = (others[..<700] + sorted + [long] + others[700...]).joined(separator: "\n") + "\n"

    let run = ProgramRun.of(
      PhotoGrid.heldToPermissions + ["--json", "--sort", "date", "-i"], input: Array(list.utf8),
      environment: PhotoGrid.environment.merging(library.environment) { $1 })
    let lines = run.outputText.split(separator: "\n")
    #expect(lines.count == 1204)
    let found = lines.prefix(3).compactMap { line in
      Library.names.first { line.contains("/\($0)\"") }
    }
    #expect(found == Library.names, "\(lines.prefix(3))")

    let window = try Window(
      ["sh", "-c", "printf '%s\\n' \"$0\"/*.jpg | \"$@\"", library.photos]
        + PhotoGrid.heldToPermissions + ["-i", "--motion", "none", "--sort", "date"],
      environment: library.environment)
    try window.wait(for: "the first name in the order of the dates") {
      $0.text(ofRow: 23).contains("a.jpg") && $0.text(ofRow: 23).contains("2/3 · date taken")
    }
    window.type("q")
    #expect(try window.waitForEnd() == 0)
  }

  @Test func `--update-cache records facts, and --clean-cache removes them`() throws {
    let library = try Library()
    let run = { (option: String, paths: [String]) in
      ProgramRun.of(
        [PhotoGrid.path, option] + paths,
        environment: PhotoGrid.environment.merging(library.environment) { $1 })
    }
    #expect(run("--update-cache", [library.photos]).status == 0)
    library.waitUntilKnown()
    #expect(library.known == 3)

    let cleaned = run("--clean-cache", [])
    #expect(cleaned.outputText.hasSuffix("; facts of 3 photos removed\n"), "\(cleaned)")
    #expect(library.known == 0)
    #expect(!run("--clean-cache", []).outputText.contains("facts"))
  }

  @Test func `a private session leaves no trace`() throws {
    let library = try Library()
    let window = try Window(
      [PhotoGrid.path, "-p", "--motion", "none", "--sort", "date", library.photos],
      environment: library.environment)
    try window.wait(for: "the first name in the order of the dates") {
      $0.text(ofRow: 23).contains("a.jpg") && $0.text(ofRow: 23).contains("2/3 · date taken · 64")
    }
    window.type("q")
    #expect(try window.waitForEnd() == 0)

    #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder["cache"]).isEmpty)
  }

  @Test func `a file that was edited between two sessions is read again`() throws {
    let library = try Library()
    #expect(
      ProgramRun.of(
        [PhotoGrid.path, "--update-cache", library.photos],
        environment: PhotoGrid.environment.merging(library.environment) { $1 }
      ).status == 0)
    library.waitUntilKnown()
    // Its date is the last one now.
    try library.folder.add(TestPhoto.jpeg(taken: "2021:01:01 10:00:00"), as: "photos/c.jpg")

    let window = try Window(
      [PhotoGrid.path, "--motion", "none", "--sort", "date", library.photos],
      environment: library.environment)
    try window.wait(for: "the new order") {
      $0.text(ofRow: 23).contains("c.jpg") && $0.text(ofRow: 23).contains("3/3")
    }
    window.type("q")
    #expect(try window.waitForEnd() == 0)
  }
}
