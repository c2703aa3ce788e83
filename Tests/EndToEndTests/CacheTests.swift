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

  @Test func `thumbnails that were not used for half a year are removed, and no others`() throws {
    let library = try Library(count: 4)
    let large = "cache/thumbnails/large/"
    try library.folder.addFolder("cache/thumbnails/large")
    let names = ["a", "b", "c"].map { String(repeating: $0, count: 32) + ".png" }
    let files: [(name: String, days: Double)] = [
      (names[0], 200), (names[1], 170), (names[2], 0), ("other.png", 200),
      (".photogrid-1-x.png", 1), (".photogrid-2-x.png", 0),
    ]
    for (name, days) in files {
      try library.folder.add(TestPhoto.flat(TestPhoto.red).png, as: large + name)
      var time = timespec()
      time.tv_sec = Glibc.time(nil) - Int(days * 86_400)
      try #require(utimensat(AT_FDCWD, library.folder[large + name], [time, time], 0) == 0)
    }

    #expect(library.run("--update-cache", library.photos).status == 0)

    let left = Set(library.thumbnails())
    #expect(left.isSuperset(of: [names[1], names[2], "other.png", ".photogrid-2-x.png"]))
    #expect(left.count == 8, "\(left)")
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
