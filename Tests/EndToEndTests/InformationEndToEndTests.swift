import PseudoTerminal
import Testing

/// The panel about a photo in the whole program.
@Suite(.waiting) struct InformationEndToEndTests {
  @Test func `i shows facts about the selected photo, and closes again`() throws {
    let folder = try PhotoFolder(count: 8)
    let window = try folder.open("--motion", "none")
    try window.waitForGrid(of: 8)
    try window.waitUntilQuiet()
    let before = window.screen

    window.type("i")
    try window.wait(for: "the facts of the first photo") {
      $0.shows("╭ Information ─") && $0.shows("name      00.png")
    }
    try window.wait(for: "all of them") {
      $0.shows("size      80×40") && $0.shows("format    PNG") && $0.shows("sRGB assumed")
        && $0.shows("█")
    }
    // The pictures beside it are unchanged.
    #expect(window.screen.isFilled(.tile(0), with: TestPhoto.red), "\(window.picture)")

    window.type("l")
    try window.wait(for: "the facts of the second photo") { $0.shows("name      01.png") }
    window.type("h")
    try window.wait(for: "the first again") { $0.shows("name      00.png") }
    window.type("i")
    try window.wait(for: "the grid as before") { $0.looksLike(before) }
    try window.quit()
  }

  @Test func `the panel does not cover the selected tile if there is room for both`() throws {
    let window = try PhotoFolder(count: 8).open("--motion", "none")
    try window.waitForGrid(of: 8)
    window.type("i3l")
    try window.wait(for: "the panel at the left") {
      $0.text(ofRow: 0).hasPrefix("╭ Information ─") && $0.shows("name      03.png")
        && $0.isFilled(.tile(3), with: TestPhoto.yellow)
    }
    window.type("h")
    try window.wait(for: "tile and panel side by side") {
      $0.shows("name      02.png") && $0.isFilled(.tile(2), with: TestPhoto.blue)
    }
    try window.quit()
  }

  @Test func `a click on the panel opens nothing, and one beside it does`() throws {
    let window = try PhotoFolder(count: 8).open("--motion", "none")
    try window.waitForGrid(of: 8)
    window.type("i")
    try window.wait(for: "the panel") {
      $0.shows("name      00.png") && $0.shows("size      80×40")
    }
    window.click(70, 4)
    try window.waitUntilQuiet(seconds: 0.6)
    #expect(window.screen.isFilled(.tile(0), with: TestPhoto.red), "\(window.picture)")
    window.click(25, 5)
    try window.wait(for: "the second photo on the screen") {
      $0.shows("name      01.png") && $0.color(4, 18) == TestPhoto.green
    }
    try window.quit()
  }

  @Test func `the panel is shown beside an open photo, with the reason of a failure`() throws {
    let folder = try PhotoFolder(count: 1)
    try folder.add(Array("no picture".utf8), as: "z broken.jpg")
    let window = try folder.open("--motion", "none")
    try window.wait(for: "two files") { $0.isAt("1/2") }
    window.type("\ri")
    try window.wait(for: "the panel") { $0.shows("size      80×40") }
    window.type("n")
    try window.wait(for: "what is wrong") {
      $0.shows("name      z broken.jpg") && $0.shows("error     not an image")
    }
    try window.quit()
  }

  @Test(arguments: [(40, 12), (24, 8), (12, 5), (6, 4), (4, 2)])
  func `the panel is cut in small terminals`(columns: Int, rows: Int) throws {
    let window = try PhotoFolder(count: 3).open(
      "--motion", "none", columns: columns, rows: rows)
    window.type("i")
    if columns >= 12 {
      try window.wait(for: "the panel") { $0.shows("╭ Info") }
    } else {
      try window.waitUntilQuiet()
    }
    #expect(!window.screen.lines.dropLast().contains { $0.contains("1/3") }, "\(window.picture)")
    window.type("i")
    if columns >= 12 { try window.wait(for: "no panel") { !$0.shows("╭") } }
    try window.quit()
  }

  @Test func `with ASCII symbols, and without UTF-8, the panel is ASCII`() throws {
    for environment in [[:], ["LC_ALL": "C"]] {
      let window = try PhotoFolder(count: 2).open(
        "--symbols", "ascii", "--motion", "none", environment: environment)
      window.type("i")
      try window.wait(for: "the panel") { $0.shows("size      80x40") && $0.shows("#") }
      let panel = window.screen.lines.dropLast()
      #expect(!panel.contains { $0.contains("×") || $0.contains("█") }, "\(window.picture)")
      #expect(panel.contains { $0.contains("+ Information -") }, "\(window.picture)")
      try window.quit()
    }
  }

  @Test func `control characters of names are removed`() throws {
    let folder = try PhotoFolder()
    try folder.add(
      TestPhoto.flat(TestPhoto.red).png, asBytes: Array("a\u{1B}[2J\u{9B}31m".utf8) + [0xff])
    let window = try folder.open("--motion", "none", paths: [folder.path])
    window.type("i")
    try window.wait(for: "the panel") { $0.shows("a?[2J?31m") && $0.shows("size      80×40") }
    try window.quit()
  }
}
