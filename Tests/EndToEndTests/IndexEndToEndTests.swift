import FactIndex
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Facts that a session reads from photos' files are known to the next one.
@Suite struct IndexEndToEndTests {
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
        lock(name)
      }
    }

    /// Leaves the permission to read a file to root; otherwise does nothing.
    ///
    /// It must be done before the file's facts are recorded, which a change of permissions makes outdated.
    func lock(_ name: String) {
      if geteuid() == 0 { #expect(chmod("\(photos)/\(name)", 0) == 0) }
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

    /// Opens the folder, sorted by date, in a program that may or may not read the files.
    func window(_ options: String..., isLocked: Bool = false) throws -> Window {
      let program = isLocked ? PhotoGrid.heldToPermissions : [PhotoGrid.path]
      return try Window(
        program + options + ["--motion", "none", "--sort", "date", photos],
        environment: environment)
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
    let first = try library.window()
    try first.wait(for: "the first name in the order of the dates") {
      $0.text(ofRow: 23).contains("a.jpg") && $0.text(ofRow: 23).contains("2/3 · date taken · 64")
    }
    library.waitUntilKnown()
    #expect(library.known == 3)
    first.type("q")
    #expect(try first.waitForEnd() == 0)

    let second = try library.window(isLocked: true)
    try second.wait(for: "the first photo by date") { $0.text(ofRow: 23).contains("c.jpg") }
    second.type("ll")
    try second.wait(for: "the last one") { $0.text(ofRow: 23).contains("b.jpg") }
    second.type("q")
    #expect(try second.waitForEnd() == 0)
    #expect(library.order() == Library.names)
    // Without the index no date is known.
    if geteuid() == 0 { #expect(library.order("--private") == Library.names.sorted()) }
  }

  @Test func `a list of names is sorted by date without opening a file`() throws {
    let library = try Library()
    #expect(
      ProgramRun.of(
        [PhotoGrid.path, "--update-cache", library.photos],
        environment: PhotoGrid.environment.merging(library.environment) { $1 }
      ).status == 0)
    library.waitUntilKnown()
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

  @Test func `--update-cache records facts`() throws {
    let library = try Library()
    let run = ProgramRun.of(
      [PhotoGrid.path, "--update-cache", library.photos],
      environment: PhotoGrid.environment.merging(library.environment) { $1 })
    #expect(run.status == 0)
    library.waitUntilKnown()
    #expect(library.known == 3)
  }

  /// A photo with everything that is printed of a photo.
  private static func photo(_ date: String, degrees: Int?, exposure: (Int, Int)) -> [UInt8] {
    typealias Directory = TIFFBuilder.Directory
    let builder = TIFFBuilder(isBigEndian: true)
    func text(_ text: String) -> TIFFBuilder.Values { .bytes(Array(text.utf8) + [0]) }
    func ratios(_ parts: (Int, Int)...) -> TIFFBuilder.Values {
      .bytes(
        parts.flatMap { [$0.0, $0.1] }.flatMap { number in
          [24, 16, 8, 0].map { UInt8(number >> $0 & 255) }
        })
    }
    let photo = Directory([
      (0x829a, 5, ratios(exposure)), (0x829d, 5, ratios((28, 10))), (0x8827, 3, .numbers([400])),
      (0x9003, 2, text(date)), (0x920a, 5, ratios((35, 3))), (0xa434, 2, text("RF 35mm")),
    ])
    let place = Directory([
      (1, 2, text("N")), (2, 5, ratios((48, 1), (30, 1), (36, 7))), (3, 2, text("W")),
      (4, 5, ratios((degrees ?? 0, 1), (15, 1), (0, 1))),
    ])
    let main = Directory([
      (0x110, 2, text("Box 7")), (0x112, 3, .numbers([6])), (0x8769, 4, .directories([photo])),
    ])
    if degrees != nil { main.fields.append((0x8825, 4, .directories([place]))) }
    let contents = Array("Exif\0\0".utf8) + builder.file(main)
    let count = contents.count + 2
    let jpeg = TestPhoto.jpeg
    return jpeg[..<2] + [0xff, 0xe1, UInt8(count >> 8), UInt8(count & 255)] + contents + jpeg[2...]
  }

  /// The facts that are printed of all photos; those of files that must not be read come from the
  /// index.
  private func facts(_ library: Library, _ options: String..., isLocked: Bool = false) -> [UInt8] {
    let program = isLocked ? PhotoGrid.heldToPermissions : [PhotoGrid.path]
    return ProgramRun.of(
      program + ["--print", "--json", "--sort", "date"] + options + [library.photos],
      environment: PhotoGrid.environment.merging(library.environment) { $1 }
    ).output
  }

  @Test func `the same facts are printed with and without an index, to the byte`() throws {
    let library = try Library()
    for (place, name) in ["d.jpg", "e.jpg", "f.jpg", "g.jpg"].enumerated() {
      let photo = Self.photo(
        "2021:01:0\(place + 1) 10:00:00", degrees: place == 3 ? nil : place,
        exposure: [(1, 3), (1, 250), (30, 1), (10, 8000)][place])
      try library.folder.add(photo, as: "photos/\(name)")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
        ofItemAtPath: "\(library.photos)/\(name)")
    }
    let sidecar = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
      """
    try library.folder.add(Array(sidecar.utf8), as: "photos/e.jpg.xmp")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
      ofItemAtPath: "\(library.photos)/e.jpg.xmp")
    // Neither photos nor sidecars are opened once their facts are known.
    for name in try FileManager.default.contentsOfDirectory(atPath: library.photos) {
      library.lock(name)
    }
    let expected = facts(library, "--private")
    let text = String(decoding: expected, as: UTF8.self)
    for part in [
      "\"exposure\":0.33333334", "\"exposure\":0.00125", "\"exposure\":30,", "\"aperture\":2.8,",
      "\"focal_length\":11.666667", "\"iso\":400", "\"lens\":\"RF 35mm\"", "\"orientation\":6",
      "\"longitude\":-2.25", "\"longitude\":null", "\"rating\":4",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    #expect(facts(library) == expected, "nothing is in the index")

    let filled = ProgramRun.of(
      [PhotoGrid.path, "--update-cache", library.photos],
      environment: PhotoGrid.environment.merging(library.environment) { $1 })
    #expect(filled.status == 0)
    #expect(facts(library) == expected)
    #expect(facts(library, isLocked: true) == expected)
    if geteuid() == 0 { #expect(facts(library, "--private", isLocked: true) != expected) }
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `a pipe in place of a file beside the index does not keep photos from being shown`(
    end: String
  ) throws {
    let library = try Library()
    #expect(
      ProgramRun.of(
        [PhotoGrid.path, "--update-cache", library.photos],
        environment: PhotoGrid.environment.merging(library.environment) { $1 }
      ).status == 0)
    library.waitUntilKnown()
    let pipe = "\(library.folder["cache"])/photogrid/index.sqlite\(end)"
    unlink(pipe)
    #expect(mkfifo(pipe, 0o600) == 0)

    let window = try library.window()
    try window.wait(for: "all photos in the order of their dates") {
      $0.text(ofRow: 23).contains("a.jpg") && $0.text(ofRow: 23).contains("2/3 · date taken")
    }
    // What was read is recorded in a new index.
    library.waitUntilKnown()
    #expect(library.known == 3)
    window.type("q")
    #expect(try window.waitForEnd() == 0)
  }

  @Test func `an index on a disk that does not respond does not keep photos from being shown`()
    throws
  {
    let library = try Library()
    try library.folder.addFolder("cache/photogrid")
    let window = try Window(
      PhotoGrid.hanging("\(library.folder["cache"])/photogrid")
        + [PhotoGrid.path, "--motion", "none", library.photos], environment: library.environment)
    try window.wait(for: "the photos") { $0.text(ofRow: 23).contains("1/3") }
    window.type("q")
    #expect(try window.waitForEnd() == 0)
  }

  @Test func `a private session leaves no trace`() throws {
    let library = try Library()
    let window = try library.window("-p")
    try window.wait(for: "the first name in the order of the dates") {
      $0.text(ofRow: 23).contains("a.jpg") && $0.text(ofRow: 23).contains("2/3 · date taken · 64")
    }
    window.type("q")
    #expect(try window.waitForEnd() == 0)

    #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder["cache"]).isEmpty)
  }

  @Test func `a file that changed under the same size and time is read again`() throws {
    let library = try Library()
    func update() -> String {
      ProgramRun.of(
        [PhotoGrid.path, "--update-cache", library.photos],
        environment: PhotoGrid.environment.merging(library.environment) { $1 }
      ).outputText
    }
    #expect(update().hasPrefix("3 of 3 photos: 3 created"))
    #expect(library.order() == Library.names)
    // As `exiftool -P` does.
    let path = "\(library.photos)/\(Library.names[0])"
    try library.folder.add(TestPhoto.jpeg(taken: "2020:01:09 10:00:00"), as: "new.jpg")
    #expect(rename(library.folder["new.jpg"], path) == 0)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: path)
    let changed = Library.names.dropFirst() + Library.names.prefix(1)
    #expect(library.order() == Array(changed))
    #expect(update().hasPrefix("3 of 3 photos: 1 created, 2 existed"))
    #expect(library.order() == Array(changed))
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

    let window = try library.window()
    try window.wait(for: "the new order") {
      $0.text(ofRow: 23).contains("c.jpg") && $0.text(ofRow: 23).contains("3/3")
    }
    window.type("q")
    #expect(try window.waitForEnd() == 0)
  }
}
