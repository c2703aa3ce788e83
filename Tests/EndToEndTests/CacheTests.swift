import Foundation
import Testing

/// The thumbnail cache on the command line.
@Suite(.serialized, .waiting) struct CacheTests {
  /// A folder of photos that were changed long ago, with a cache beside them.
  private struct Library {
    let folder: PhotoFolder
    let photos: String
    let environment: [String: String]

    init(count: Int, _ photo: (Int) -> [UInt8] = { TestPhoto.flat(TestPhoto.palette[$0 % 6]).png })
      throws
    {
      folder = try PhotoFolder()
      try folder.addFolder("photos")
      photos = folder["photos"]
      environment = ["XDG_CACHE_HOME": folder["cache"]]
      for index in 0..<count { try add(photo(index), as: PhotoFolder.name(index)) }
    }

    func add(_ bytes: [UInt8], as name: String) throws {
      try folder.add(bytes, as: "photos/" + name)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
        ofItemAtPath: "\(photos)/\(name)")
    }

    func run(_ arguments: String...) -> ProgramRun {
      ProgramRun.of(
        [PhotoGrid.path] + arguments,
        environment: PhotoGrid.environment.merging(environment) { $1 })
    }

    /// The names of all thumbnails of a size.
    func thumbnails(_ size: String = "large") -> [String] {
      let path = folder["cache/thumbnails/\(size)"]
      return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
  }

  @Test func `the thumbnails of a folder are created once`() throws {
    let library = try Library(count: 3)
    try library.folder.addFolder("photos/inner")
    try library.add(TestPhoto.flat(TestPhoto.red).png, as: "inner/deep.png")

    let first = library.run("--update-cache", library.photos)
    #expect(first.status == 0 && first.errors.isEmpty, "\(first)")
    #expect(first.outputText == "3 of 3 photos: 3 created, 0 existed\n")
    #expect(library.thumbnails().count == 3)

    let second = library.run("--update-cache", library.photos)
    #expect(second.outputText == "3 of 3 photos: 0 created, 3 existed\n", "\(second)")
    let deeper = library.run("-r", "--update-cache", library.photos)
    #expect(deeper.outputText == "4 of 4 photos: 1 created, 3 existed\n", "\(deeper)")
  }

  @Test func `photos that cannot be shown are reported, and their failures cached`() throws {
    let library = try Library(count: 1)
    try library.add(Array("\u{1B}]0;evil".utf8), as: "bad\u{1B}.png")

    for _ in 0..<2 {
      let run = library.run("--update-cache", library.photos)
      #expect(run.status == 0, "\(run)")
      #expect(run.outputText.hasSuffix("1 cannot be decoded\n"))
      #expect(run.errorText.hasSuffix("/bad?.png: not an image\n"), "\(run)")
      #expect(!run.errors.contains(0x1B))
    }
    let quiet = library.run("-q", "--update-cache", library.photos)
    #expect(quiet.errors.isEmpty && quiet.outputText.hasSuffix("1 cannot be decoded\n"))
    let alone = library.run("--update-cache", "\(library.photos)/bad\u{1B}.png")
    #expect(alone.status == 1, "\(alone)")
  }

  @Test(arguments: [
    ("/dev/null/none", "Not a directory"), ("", "neither XDG_CACHE_HOME nor HOME is set"),
  ])
  func `a cache that cannot be written gives one line of error`(home: String, words: String) throws
  {
    let library = try Library(count: 2)

    let run = ProgramRun.of(
      [PhotoGrid.path, "--update-cache", library.photos],
      environment: PhotoGrid.environment.merging(["XDG_CACHE_HOME": home, "HOME": ""]) { $1 })

    #expect(run.status == 1 && run.output.isEmpty, "\(run)")
    #expect(run.errorText == "photogrid: thumbnail cache: \(words)\n", "\(run)")
  }

  @Test func `options that exclude each other are errors`() throws {
    let library = try Library(count: 1)

    #expect(library.run("--update-cache", "-p", library.photos).status == 2)
    #expect(library.run("--clean-cache", library.photos).status == 2)
    #expect(library.run("--update-cache", "/no/such/folder").status == 1)
  }

  @Test func `an update shows its progress, and continues after Ctrl-C where it stopped`()
    throws
  {
    let slow = TestPhoto.black(width: 1500, height: 1500)
    let library = try Library(count: 60) { _ in slow }
    let window = try Window(
      [PhotoGrid.path, "--update-cache", library.photos], environment: library.environment,
      folder: library.folder)

    try window.wait(for: "progress") { screen in
      (0..<24).contains { row in
        let text = screen.text(ofRow: row)
        return text.contains("/60") && text.contains("[#") && text.contains("left")
      }
    }
    window.type("\u{3}")
    #expect(try window.waitForEnd() == 130)
    let done = library.thumbnails().filter { !$0.hasPrefix(".") }.count
    #expect(done > 0 && done < 60)
    let rest = library.run("--update-cache", library.photos)

    #expect(
      rest.outputText == "60 of 60 photos: \(60 - done) created, \(done) existed\n", "\(rest)")
  }

  @Test func `thumbnails of deleted files are removed, and no others`() throws {
    let library = try Library(count: 4)
    for folder in ["gone", "disk"] {
      try library.folder.addFolder("photos/\(folder)")
      try library.add(TestPhoto.flat(TestPhoto.red).png, as: "\(folder)/photo.png")
    }
    #expect(library.run("-r", "--update-cache", library.photos).status == 0)
    #expect(library.thumbnails().count == 6)
    let manager = FileManager.default
    try manager.removeItem(atPath: "\(library.photos)/00.png")
    try manager.removeItem(atPath: "\(library.photos)/gone")
    // A disk that is not mounted.
    try manager.removeItem(atPath: "\(library.photos)/disk/photo.png")
    // A thumbnail of another program, a damaged one, and the remains of a killed worker's.
    let large = "cache/thumbnails/large/"
    let other = String(repeating: "a", count: 32) + ".png"
    try library.folder.add(TestPhoto.flat(TestPhoto.red).png, as: large + other)
    try library.folder.add([1, 2, 3], as: large + ".photogrid-1-x.png")
    try manager.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
      ofItemAtPath: library.folder[large + ".photogrid-1-x.png"])
    try library.folder.add([1, 2, 3], as: large + ".photogrid-2-x.png")

    let run = library.run("--clean-cache")

    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    #expect(run.outputText.hasPrefix("3 of 7 thumbnails removed ("), "\(run)")
    let left = Set(library.thumbnails())
    #expect(left.count == 6 && left.contains(other) && left.contains(".photogrid-2-x.png"))
    let again = library.run("--clean-cache")
    #expect(again.outputText == "0 of 5 thumbnails removed (0 B)\n", "\(again)")
    // The remaining photos have their thumbnails.
    let rest = library.run("--update-cache", library.photos)
    #expect(rest.outputText == "3 of 3 photos: 0 created, 3 existed\n", "\(rest)")
  }

  @Test func `cleaning an empty or missing cache removes nothing`() throws {
    let library = try Library(count: 0)

    let run = library.run("--clean-cache")

    #expect(run.status == 0, "\(run)")
    #expect(run.outputText == "0 of 0 thumbnails removed (0 B)\n", "\(run)")
  }

  @Test func `cleaning ends by Ctrl-C too while the index of facts is in use`() throws {
    let library = try Library(count: 0)
    try library.folder.addFolder("cache")
    try library.folder.addFolder("cache/photogrid")
    try library.folder.add([], as: "cache/photogrid/index.sqlite")
    // Other programs that open the index wait for this.
    let lock = open(
      library.folder["cache/photogrid/index.lock"], O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX) == 0)
    let window = try Window(
      [PhotoGrid.path, "--clean-cache"], environment: library.environment, folder: library.folder)
    let isWaiting = Polling.until {
      Processes.children(of: window.terminal.process).contains {
        let name = try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)
        return name == "photogrid-index\n"
      }
    }
    try #require(isWaiting)

    window.type("\u{3}")

    #expect(try window.waitForEnd() == 130)
    #expect(!window.picture.contains("removed"), "\(window.picture)")
  }

  @Test func `browsing stores thumbnails, but not with --private`() throws {
    for (options, count) in [([], 3), (["-p"], 0)] {
      let library = try Library(count: 3)
      let window = try Window(
        [PhotoGrid.path, "--symbols", "half"] + options + [library.photos],
        environment: library.environment, folder: library.folder)
      try window.wait(for: "three photos") { $0.showsGrid(of: 3) }
      let isKept = Polling.until {
        library.thumbnails("normal").filter { $0.hasSuffix(".png") && !$0.hasPrefix(".") }.count
          == count
      }
      #expect(isKept, "\(options)")
      try window.quit()
      #expect(library.thumbnails("normal").count == count)
    }
  }
}
