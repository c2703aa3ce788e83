import FactIndex
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Near duplicates in a folder, by the real program.
@Suite(.waiting) struct SimilarityTests {
  /// A folder in which `b.png` and `e.jpg` show the same, and so do `c.png` and `d.png`.
  private struct Library {
    let folder: PhotoFolder
    var photos: String { folder["photos"] }
    var environment: [String: String] { ["XDG_CACHE_HOME": folder["cache"]] }
    static let names = ["a.png", "b.png", "c.png", "d.png", "e.jpg"]

    init() throws {
      folder = try PhotoFolder()
      try folder.addFolder("photos")
      try folder.addFolder("cache")
      try add(Self.png(96, 64) { x, y in (x * 2 + y * 3) % 97 }, as: "a.png")
      try add(Self.png(96, 64) { x, y in (x * y / 8) % 101 }, as: "b.png")
      try add(Self.png(120, 80) { x, y in (x * x / 40 + y) % 89 }, as: "c.png")
      try add(Self.png(120, 80) { x, y in (x * x / 40 + y) % 89 + 20 }, as: "d.png")
      try add(
        JPEGFile.of(192, 128) { x, y in UInt32((x * y / 32) % 101) * 0x010101 }, as: "e.jpg")
    }

    private static func png(_ width: Int, _ height: Int, _ gray: @escaping (Int, Int) -> Int)
      -> [UInt8]
    {
      TestPhoto(width: width, height: height) { UInt32(gray($0, $1)) * 0x010101 }.png
    }

    private func add(_ bytes: [UInt8], as name: String) throws {
      try folder.add(bytes, as: "photos/\(name)")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
        ofItemAtPath: "\(photos)/\(name)")
      // Only root may read it, as long as it is not held to permissions: a later change of them would
      // make what is recorded outdated.
      if geteuid() == 0 { #expect(chmod("\(photos)/\(name)", 0) == 0) }
    }

    /// The names that the program prints.
    func printed(_ arguments: String..., command: [String] = [PhotoGrid.path]) -> [String] {
      let run = ProgramRun.of(
        command + arguments + [photos],
        environment: PhotoGrid.environment.merging(environment) { $1 })
      #expect(run.status == 0, "\(run)")
      return run.outputText.split(separator: "\n").compactMap { line in
        Self.names.first { line.contains("/\($0)") }
      }
    }

    /// The number of photos whose hashes are in the index.
    var hashCount: Int {
      let index = IndexReader(IndexFile(folder: Array("\(folder["cache"])/photogrid".utf8)))
      guard let contents = index?.contents(ofFolder: Array("\(photos)/".utf8)) else { return 0 }
      return (0..<contents.count).count { contents.facts($0).isHashKnown }
    }

    func waitUntilHashed() {
      let end = Date().addingTimeInterval(Window.patience)
      while hashCount < Self.names.count, Date() < end { usleep(2000) }
    }

    /// Removes the thumbnails.
    func removeThumbnails() {
      try? FileManager.default.removeItem(atPath: "\(folder["cache"])/thumbnails")
    }
  }

  private static let sorted = ["b.png", "e.jpg", "c.png", "d.png", "a.png"]

  @Test func `names and facts are printed with near duplicates next to each other`() throws {
    let library = try Library()
    #expect(library.printed("-o", "--all", "--sort", "similar") == Self.sorted)
    #expect(library.printed("--json", "--sort", "similar") == Self.sorted)
    #expect(
      library.printed("-o", "--all", "--filter", "similar") == ["b.png", "c.png", "d.png", "e.jpg"])
    #expect(library.printed("-o", "--all", "--filter", "-similar type:png") == ["a.png"])
    #expect(library.hashCount == 0, "what only prints records nothing")
  }

  @Test func `the second start sorts them without opening a file`() throws {
    let library = try Library()
    let first = try Window(
      [PhotoGrid.path, "--motion", "none", library.photos], environment: library.environment)
    try first.wait(for: "the first photo") { $0.text(ofRow: 23).contains("a.png") }
    first.type("ga")
    try first.wait(for: "the selected photo at the end of the order") {
      $0.text(ofRow: 23).contains("a.png") && $0.text(ofRow: 23).contains("5/5 · similarity")
    }
    first.type("gg")
    try first.wait(for: "the first one") { $0.text(ofRow: 23).contains("b.png") }
    library.waitUntilHashed()
    #expect(library.hashCount == 5)
    first.type("q")
    #expect(try first.waitForEnd() == 0)

    library.removeThumbnails()
    #expect(
      library.printed("-o", "--all", "--sort", "similar", command: PhotoGrid.heldToPermissions)
        == Self.sorted)
    guard geteuid() == 0 else { return }
    // Without the index nothing is known of any.
    #expect(
      library.printed(
        "-o", "--all", "--private", "--sort", "similar", command: PhotoGrid.heldToPermissions)
        == Library.names)
  }

  @Test func `--update-cache records hashes, also of photos that have thumbnails`() throws {
    let library = try Library()
    let update = {
      ProgramRun.of(
        [PhotoGrid.path, "--update-cache", library.photos],
        environment: PhotoGrid.environment.merging(library.environment) { $1 })
    }
    #expect(update().outputText.hasPrefix("5 of 5 photos: 5 created, 0 existed"))
    library.waitUntilHashed()
    #expect(library.hashCount == 5)
    try FileManager.default.removeItem(atPath: "\(library.folder["cache"])/photogrid")
    #expect(update().outputText.hasPrefix("5 of 5 photos: 0 created, 5 existed"))
    library.waitUntilHashed()
    #expect(library.hashCount == 5)
    library.removeThumbnails()
    #expect(
      library.printed("-o", "--all", "--sort", "similar", command: PhotoGrid.heldToPermissions)
        == Self.sorted)
  }

  @Test func `duplicates have headings, and gs d d trashes all but the largest`() throws {
    let folder = try PhotoFolder()
    let picture = TestPhoto(width: 192, height: 128) { x, y in UInt32((x * y / 32) % 101) * 0x010101
    }
    let small = TestPhoto(width: 96, height: 64) { x, y in UInt32((x * y / 8) % 101) * 0x010101 }
    let other = TestPhoto(width: 96, height: 64) { x, y in UInt32((x * 2 + y * 3) % 97) * 0x010101 }
    try folder.addFolder("photos")
    for (photo, name) in [(small, "a"), (other, "b"), (picture, "c"), (picture, "d")] {
      try folder.add(photo, as: "photos/\(name).png")
    }
    let window = try Window(
      [PhotoGrid.path, "--motion", "none", folder["photos"]],
      environment: ["XDG_DATA_HOME": folder["data"], "XDG_STATE_HOME": folder["state"]],
      folder: folder)
    try window.wait(for: "the photos") { $0.isAt("1/4") }
    window.type("ga")
    try window.wait(for: "the heading of the group") {
      $0.text(ofRow: 0).contains("3 alike, 1 exact copy · ")
        && $0.picture.contains("No near duplicates · 1 photo")
    }
    window.type("gggs")
    try window.wait(for: "the marks") { $0.bar.contains("2 of 3 marked, all except c.png") }
    window.type("dd")
    try window.wait(for: "what is left") { $0.bar.contains("/2") || $0.bar.contains("trash") }
    #expect(
      Polling.until {
        (try? FileManager.default.contentsOfDirectory(atPath: folder["photos"]).sorted())
          == ["b.png", "c.png"]
      })
    try window.quit()
  }

  @Test func `a private session records no hash`() throws {
    let library = try Library()
    let window = try Window(
      [PhotoGrid.path, "-p", "--motion", "none", "--sort", "similar", library.photos],
      environment: library.environment)
    try window.wait(for: "the order") { $0.text(ofRow: 23).contains("similarity") }
    // The photo that is the last at first may move up when its hash arrives.
    try window.typeUntilObeyed("G", number: "5/5")
    window.type("q")
    #expect(try window.waitForEnd() == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder["cache"]).isEmpty)
  }
}
