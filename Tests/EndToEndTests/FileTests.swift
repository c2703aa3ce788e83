import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// File operations, checked with trash-cli.
@Suite(.waiting) struct FileTests {
  /// The variables that put the trash into the folder.
  static func data(_ folder: PhotoFolder) -> [String: String] {
    ["XDG_DATA_HOME": folder[".data"]]
  }

  /// The paths that trash-cli lists, without their dates.
  static func listed(_ folder: PhotoFolder) -> [String] {
    let run = ProgramRun.of(["trash-list"], environment: data(folder))
    return run.outputText.split(separator: "\n").map { String($0.dropFirst(20)) }
      .filter { $0.hasPrefix(folder.path) }.sorted()
  }

  /// The bytes of a file; nil if it cannot be read.
  static func contents(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { [UInt8]($0) }
  }

  @Test func `with --read-only no file is changed`() throws {
    let folder = try PhotoFolder(count: 2)
    let window = try folder.open("--read-only", "--open-with", "rm", environment: Self.data(folder))
    try window.waitForGrid(of: 2)
    for (key, words) in [
      ("d", "the trash"), ("r", "renaming"), ("u", "undoing"), ("o", "other programs"),
      ("!", "running commands"),
    ] {
      window.type(key)
      try window.wait(for: "\(key)") {
        $0.bar.contains("--read-only turns off \(words)")
      }
    }
    // Copying the path changes no file.
    window.type("yy")
    try window.wait(for: "a copied path") { $0.bar.contains("Copied /") }
    #expect(Self.contents(folder["00.png"]) != nil && Self.contents(folder["01.png"]) != nil)
    try window.quit()
  }

  // MARK: - Trash

  @Test func `a photo trashed in another folder is restored there, not here`() throws {
    let folder = try PhotoFolder(count: 3)
    try folder.addFolder("sub")
    for name in ["a.png", "b.png"] {
      try folder.add(TestPhoto.flat(TestPhoto.red), as: "sub/" + name)
    }
    let window = try folder.open("--motion", "none", environment: Self.data(folder))
    try window.wait(for: "the photos beside the folder") { $0.isAt("1/3") }
    window.type("gg\r")
    try window.wait(for: "its photos") { $0.isAt("1/2") }
    window.type("rc\u{1B}d")
    try window.wait(for: "one photo left") { $0.bar.hasPrefix("'a.png' is in the trash") }
    window.type("\u{7F}")
    try window.wait(for: "the folder above") { $0.bar.contains("folder 1 of 1 · 3 photos") }

    window.type("u")
    try window.wait(for: "the question") {
      $0.bar.contains("Restore 'a.png', which you trashed in 'sub'")
    }
    window.type("y")
    try window.wait(for: "it is back") { $0.bar.hasPrefix("'a.png' is back") }
    #expect(Self.contents(folder["sub/a.png"]) != nil)
    window.type("G")
    try window.wait(for: "three photos, as before") { $0.isAt("3/3") }
    window.type("gg\r")
    try window.wait(for: "both photos, listed anew") { $0.isAt("1/2") }
    window.type("\u{7F}")
    try window.wait(for: "the folder above") { $0.bar.contains("folder 1 of 1 · 3 photos") }
    try window.quit()
  }

  @Test func `a trashed photo shrinks away, other tools list it, and undo restores it`()
    throws
  {
    let folder = try PhotoFolder(count: 6)
    let bytes = try #require(Self.contents(folder["01.png"]))
    // Slowly, so that a busy machine draws several frames on the way.
    let window = try folder.open("--motion", "slow", environment: Self.data(folder))
    try window.waitForGrid(of: 6)
    window.type("l")
    try window.wait(for: "the second") { $0.isAt("2/6") }
    try window.waitUntilQuiet()

    window.startFilm()
    window.type("d")
    try window.wait(for: "five photos, the next one selected") { screen in
      screen.isAt("2/5") && screen.bar.hasPrefix("'01.png' is in the trash; u restores it")
        && screen.isFilled(.tile(1), with: TestPhoto.palette[2])
        && screen.isFilled(.tile(4), with: TestPhoto.palette[5]) && screen.color(61, 25) == nil
    }
    let ways = Set(window.film.compactMap { $0.box(of: TestPhoto.palette[2])?.x })
    #expect(ways.count > 3, "it goes to its place by motion: \(ways.sorted())")
    #expect(Self.listed(folder) == [folder["01.png"]])
    #expect(Self.contents(folder[".data/Trash/files/01.png"]) == bytes)

    window.type("Gu")
    try window.wait(for: "six photos, the one that is back selected") { screen in
      screen.isAt("2/6") && screen.bar.hasPrefix("'01.png' is back")
        && screen.isFilled(.tile(1), with: TestPhoto.palette[1])
        && screen.isFilled(.tile(5), with: TestPhoto.palette[5])
    }
    #expect(Self.contents(folder["01.png"]) == bytes)
    #expect(Self.listed(folder) == [])
    // The folder's watcher reports it later, which changes nothing.
    try window.waitUntilQuiet(seconds: 0.7)
    try window.wait(for: "the same") { $0.isAt("2/6") }
    try window.quit()
  }

  @Test func `keys typed at once act one after the other`() throws {
    let folder = try PhotoFolder(count: 6)
    let window = try folder.open("--motion", "none", environment: Self.data(folder))
    try window.waitForGrid(of: 6)
    window.type(" lmddu")
    try window.wait(for: "both back, and marked") {
      $0.isAt("1/6") && $0.bar.contains("2 marked") && $0.bar.hasPrefix("2 photos are back")
    }
    try window.waitUntilQuiet(seconds: 0.7)
    try window.wait(for: "the same") { $0.isAt("1/6") && $0.bar.contains("2 marked") }
    try window.quit()
  }

  @Test func `a photo restored by trash-restore appears`() throws {
    let folder = try PhotoFolder(count: 4)
    let window = try folder.open("--motion", "none", environment: Self.data(folder))
    try window.waitForGrid(of: 4)
    window.type("llll dd")
    try window.wait(for: "three") { $0.isAt("3/3") }

    let run = ProgramRun.of(
      ["trash-restore", folder.path], input: Array("0\n".utf8), environment: Self.data(folder))
    #expect(run.status == 0, "\(run)")
    try window.wait(for: "four") { $0.bar.contains("/4") }
    #expect(Self.contents(folder["03.png"]) != nil)
    window.type("u")
    try window.wait(for: "that it is not there to be undone") {
      $0.bar.contains("it is no longer in the trash")
    }
    try window.quit()
  }

  @Test func `unusual names are trashed and restored`() throws {
    let folder = try PhotoFolder()
    let names =
      [
        "-n dash.png", "a space.png", "b\nnewline.png", "d%20.png", "e\u{1B}]52;c;eA==\u{07}.png",
        "é日本.png", String(repeating: "x", count: 251) + ".png",
      ].map { Array($0.utf8) } + [[0x7A, 0xFF, 0xFE] + Array(".png".utf8)]
    for (index, name) in names.enumerated() {
      try folder.add(TestPhoto.flat(TestPhoto.palette[index % 6]).png, asBytes: name)
    }
    func present() -> Set<[UInt8]> {
      var found: Set<[UInt8]> = []
      guard let stream = opendir(folder.path) else { return [] }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let name = entryName(entry)
        if name.suffix(4) == Array(".png".utf8)[...] { found.insert(name) }
      }
      return found
    }
    let window = try folder.open("--motion", "none", environment: Self.data(folder))
    try window.wait(for: "the folder") { $0.bar.contains("/8") && !$0.bar.contains("loading") }
    window.type("\u{01}dd")
    try window.wait(for: "an empty folder") { $0.shows("No photos here") }
    #expect(present() == [])
    let listed = ProgramRun.of(["trash-list"], environment: Self.data(folder))
    #expect(listed.output.count { $0 == 0x0A } >= 8, "\(listed)")
    window.type("u")
    try window.wait(for: "all of them") { $0.bar.contains("/8") && $0.bar.contains("8 marked") }
    #expect(present() == Set(names))
    try window.quit()
    #expect(OutputInspection.faults(in: window.output(), allowing: .screen) == [])
  }

  @Test func `a photo that was given by its path is trashed without leaving a tile`() throws {
    let folder = try PhotoFolder(count: 3)
    let window = try folder.open(
      "--motion", "none", paths: (0..<3).map { folder[PhotoFolder.name($0)] },
      environment: Self.data(folder))
    try window.wait(for: "three") { $0.isAt("1/3") && !$0.bar.contains("loading") }
    window.type("d")
    try window.wait(for: "two") { $0.isAt("1/2") }
    try window.waitUntilQuiet(seconds: 0.8)
    try window.wait(for: "two still") { $0.isAt("1/2") && !$0.bar.contains("no such file") }
    window.type("u")
    try window.wait(for: "three") { screen in
      screen.isAt("1/3") && screen.isFilled(.tile(0, of: 3), with: TestPhoto.palette[0])
    }
    try window.quit()
  }

  @Test func `photos of a list are removed and restored at their indices`() throws {
    let folder = try PhotoFolder(count: 4)
    try folder.add(
      Array([3, 0, 2].map { folder[PhotoFolder.name($0)] + "\n" }.joined().utf8), as: "list")
    let window = try folder.open(
      "--motion", "none", "--files-from", folder["list"], paths: [],
      environment: Self.data(folder))
    try window.wait(for: "three") { $0.isAt("1/3") && !$0.bar.contains("loading") }
    window.type("ld")
    try window.wait(for: "two") { screen in
      screen.isAt("2/2") && screen.isFilled(.tile(1, of: 2), with: TestPhoto.palette[2])
    }
    window.type("u")
    try window.wait(for: "three") { screen in
      screen.isAt("2/3") && screen.isFilled(.tile(1, of: 3), with: TestPhoto.palette[0])
    }
    window.type("r-x\r")
    try window.wait(for: "its new name") { $0.bar.contains("is now '00-x.png'") && $0.isAt("2/3") }
    #expect(Self.contents(folder["00-x.png"]) != nil)
    try window.quit()
  }

  @Test func `d on an open photo shows the next one`() throws {
    let folder = try PhotoFolder(count: 3)
    let window = try folder.open("--motion", "none", environment: Self.data(folder))
    try window.waitForGrid(of: 3)
    window.type("\r")
    try window.wait(for: "red") { $0.box(of: TestPhoto.red) == ZoomTests.wholeScreen }
    window.type("d")
    try window.wait(for: "green") { screen in
      screen.box(of: TestPhoto.green) == ZoomTests.wholeScreen && screen.isAt("1/2")
    }
    window.type("u")
    try window.wait(for: "red again") { screen in
      screen.box(of: TestPhoto.red) == ZoomTests.wholeScreen && screen.isAt("1/3")
    }
    try window.quit()
  }

  @Test func `u after W and u leaves the photo alone, here, elsewhere and after a restart`() throws
  {
    let folder = try PhotoFolder(count: 0)
    try folder.addFolder("other")
    try folder.addFolder("photos")
    for name in ["b.png", "c.png"] {
      try folder.add(TestPhoto.flat(TestPhoto.red), as: "photos/" + name)
    }
    try folder.add(image("card.jpg").insertingExif(thumbnail: []), as: "photos/a.jpg")
    let before = Self.contents(folder["photos/a.jpg"])
    func open(_ name: String) throws -> Window {
      try folder.open(
        "--motion", "none", paths: [folder[name]],
        environment: Self.data(folder).merging(["XDG_STATE_HOME": folder[".state"]]) { $1 })
    }
    var window = try open("photos")
    try window.wait(for: "the photos") { $0.isAt("1/3") }
    window.type("Gd")
    try window.wait(for: "a photo in the trash") { $0.bar.hasPrefix("'c.png' is in the trash") }
    window.type("gg\r>W")
    try window.wait(for: "the turn in the file") { $0.bar.contains("Saved the rotation of") }
    #expect(Self.contents(folder["photos/a.jpg"]) != before)
    window.type("u")
    try window.wait(for: "its end") { $0.bar.contains("Undid the rotation of 'a.jpg'") }
    #expect(Self.contents(folder["photos/a.jpg"]) == before)
    try window.quit()

    window = try open("other")
    try window.wait(for: "an empty folder") { $0.shows("No photos here") }
    window.type("u")
    try window.wait(for: "the question") {
      $0.bar.contains("Restore 'c.png', which you trashed in 'photos'")
    }
    window.type("y")
    try window.wait(for: "it is back") { $0.bar.contains("'c.png' is back in ") }
    for _ in 0..<3 {
      window.type("u")
      try window.wait(for: "nothing more") { $0.bar.contains("Nothing to undo") }
      window.type("l")
    }
    #expect(Self.contents(folder["photos/a.jpg"]) == before)
    try window.quit()
  }

  // MARK: - Names

  @Test func `r renames, never over another file, and u undoes it`() throws {
    let folder = try PhotoFolder(count: 3)
    let bytes = (0..<3).map { Self.contents(folder[PhotoFolder.name($0)]) }
    let window = try folder.open("--motion", "none", environment: Self.data(folder))
    try window.waitForGrid(of: 3)

    window.type("r")
    try window.wait(for: "the name") { $0.bar.hasPrefix("name: 00.png") }
    window.type("\u{15}01\r")
    try window.wait(for: "that it is taken") {
      $0.bar.contains("was not renamed: a file with that name exists")
    }
    #expect(
      Self.contents(folder["00.png"]) == bytes[0] && Self.contents(folder["01.png"]) == bytes[1])

    window.type("r\u{15}\u{1B}[F\u{15}\r")
    try window.wait(for: "that a name is missing") { $0.bar.contains("a file needs a name") }
    window.type("a/b")
    try window.wait(for: "that it is no name") { $0.bar.contains("a name cannot contain /") }
    window.type("\u{15}日本.png\r")
    try window.wait(for: "it at the end, still selected") { screen in
      screen.isAt("3/3") && screen.bar.contains("'00.png' is now '日本.png'")
        && screen.isFilled(.tile(2, of: 3), with: TestPhoto.palette[0])
    }
    #expect(Self.contents(folder["日本.png"]) == bytes[0])
    window.type("u")
    try window.wait(for: "it at the start") { screen in
      screen.isAt("1/3") && screen.isFilled(.tile(0, of: 3), with: TestPhoto.palette[0])
    }
    #expect(Self.contents(folder["00.png"]) == bytes[0])
    try window.quit()
  }
}
