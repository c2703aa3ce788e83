import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Facts of photos as lines of JSON, with their frames in the layout.
extension PrintTests {
  @Test(arguments: [
    (["--cell", "10"], 7, 10.0 / 7), (["--columns", "adaptive(30)"], 2, 2),
    (["--cell", "500"], 1, 1), (["--cell", "18"], 4, 4),
  ])
  func `columns have the given widths`(
    options: [String], columns: Int, unused: Double
  ) throws {
    let folder = try PhotoFolder(count: 12)

    let frames = try facts(of: folder, options).map {
      try #require($0["frame"] as? [String: Double])
    }

    #expect(Set(frames.compactMap { $0["x"] }).count == columns, "\(frames)")
  }

  @Test func `facts contain the layout's exact frames`() throws {
    let folder = try PhotoFolder(count: 6)

    let facts = try facts(of: folder, [])

    // 800 pixels, four columns, 10 between them: 192.5 each.
    let places = [(0.0, 0.0), (202.5, 0), (405, 0), (607.5, 0), (0, 202.5), (202.5, 202.5)]
    for (index, (x, y)) in places.enumerated() {
      #expect(facts[index]["path"] as? String == folder[PhotoFolder.name(index)])
      #expect(facts[index]["width"] as? Double == 80 && facts[index]["height"] as? Double == 40)
      #expect(facts[index]["format"] as? String == "png")
      #expect(facts[index]["orientation"] as? Double == 1)
      #expect(facts[index]["taken"] is NSNull)
      let frame = ["x": x, "y": y, "width": 192.5, "height": 192.5]
      #expect(facts[index]["frame"] as? [String: Double] == frame)
    }
  }

  @Test func `facts have the file's size and time, and say where a film is`() throws {
    let folder = try PhotoFolder(count: 0)
    let photo = image("card.jpg")
    try folder.add(photo, as: "a.jpg")
    try folder.add(MotionPhoto.google(photo, TestFilm.small("short.mp4")), as: "b.jpg")
    var times = [
      timespec(tv_sec: 1_600_000_000, tv_nsec: 0), timespec(tv_sec: 1_600_000_000, tv_nsec: 0),
    ]
    utimensat(AT_FDCWD, folder["a.jpg"], &times, 0)

    let facts = try facts(of: folder, [])

    #expect(facts[0]["bytes"] as? Int == photo.count)
    #expect(facts[0]["modified"] as? String == "2020-09-13T12:26:40Z")
    #expect(facts[0]["film"] is NSNull && facts[1]["film"] as? Bool == true)
  }

  @Test func `facts follow the given width`() throws {
    let folder = try PhotoFolder(count: 3)

    let frames = try facts(of: folder, ["-g", "40x10", "--cell", "15"])
      .compactMap { $0["frame"] as? [String: Double] }

    #expect(frames.map { $0["width"] } == [195, 195, 195])
    #expect(frames.map { $0["x"] } == [0, 205, 0])
    #expect(frames.map { $0["y"] } == [0, 0, 205])
  }

  @Test func `the facts of a bad file are an error`() throws {
    let folder = try PhotoFolder(count: 1)
    try folder.add(Array("hello".utf8), as: "bad.png")

    let facts = try facts(of: folder, [])

    #expect(facts.map { $0["error"] as? String } == [nil, "not an image"])
    #expect(facts[1]["frame"] != nil && facts[1]["width"] == nil)
  }

  @Test func `depth and hidden files are as configured`() throws {
    let folder = try PhotoFolder(count: 1)
    try folder.addFolder("a/b/c")
    for name in ["a/1.png", "a/b/2.png", "a/b/c/3.png", "a/.hidden.png"] {
      try folder.add(.flat(TestPhoto.red), as: name)
    }
    func names(_ options: String...) throws -> [String] {
      try facts(of: folder, options).compactMap { $0["path"] as? String }
        .map { String($0.dropFirst(folder.path.count + 1)) }.sorted()
    }

    #expect(try names() == ["00.png"])
    #expect(try names("-r") == ["00.png", "a/1.png", "a/b/2.png", "a/b/c/3.png"])
    #expect(try names("-r", "--max-depth", "2") == ["00.png", "a/1.png"])
    #expect(try names("-rH") == ["00.png", "a/.hidden.png", "a/1.png", "a/b/2.png", "a/b/c/3.png"])
  }

  @Test func `a name that is not UTF-8 is printed as bytes`() throws {
    let folder = try PhotoFolder(count: 2)
    let name = Array("\(folder.path)/caf".utf8) + [0xE9, 0xFF] + Array(".png".utf8)
    #expect(rename(folder["01.png"], name.map { CChar(bitPattern: $0) } + [0]) == 0)

    let facts = try facts(of: folder, [])

    let bytes = facts.compactMap { $0["path_bytes"] as? String }
    #expect(bytes.map { Data(base64Encoded: $0) } == [Data(name)], "\(facts)")
    #expect(facts.count == 2, "\(facts)")
  }

  @Test func `links that form a circle are followed once`() throws {
    let folder = try PhotoFolder(count: 1)
    try folder.addFolder("inner")
    #expect(symlink("..", folder["inner/up"]) == 0)
    #expect(symlink("self", folder["self"]) == 0)
    #expect(symlink(".", folder["here"]) == 0)

    let run = folder.run("-r", "--print", "--json", folder.path)

    #expect(run.status == 0, "\(run)")
    #expect(run.output.count { $0 == 0x0A } == 1, "\(run)")
  }

  @Test func `the terminal is asked for the size of its cells, if the system does not know it`()
    throws
  {
    let folder = try PhotoFolder(count: 2)
    func lines(cell: String) throws -> String {
      let window = try Window(
        [PhotoGrid.path, "--print", "--json", "-g", "80x24", folder.path],
        cell: (0, 0), model: .modest.adding(["\u{1B}[16t": cell]), folder: folder)
      #expect(try window.waitForEnd() == 0)
      return String(decoding: window.output(), as: UTF8.self)
    }

    let wide = try lines(cell: "\u{1B}[6;20;16t")
    let usual = try lines(cell: "\u{1B}[6;20;10t")

    // A tile of 80 columns is as much wider as their cells are.
    let width = try #require(wide.firstMatch(of: /"frame":\{[^}]*\}/)?.output)
    let usualWidth = try #require(usual.firstMatch(of: /"frame":\{[^}]*\}/)?.output)
    #expect(width != usualWidth, "\(wide)\n\(usual)")
  }

  private func facts(of folder: PhotoFolder, _ options: [String]) throws -> [[String: Any]] {
    let run = ProgramRun.of(
      [PhotoGrid.path, "--print", "--json"] + options + [folder.path],
      environment: PhotoGrid.environment)
    #expect(run.errors.isEmpty, "\(run)")
    return try run.outputText.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }
}
