import Geometry
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

struct DrawnTextTests {
  init() { UTF8Locale.use() }

  private let metrics = CellMetrics.standard

  @Test(arguments: [(4, 1), (6, 2), (9, 4), (12, 3), (2, 5), (1, 1)])
  func `the message of a failed tile is centred in it and does not extend beyond it`(
    columns: Int, rows: Int
  ) throws {
    let words = "cannot be decoded: end of file"
    let area = CellSize(columns: columns + 4, rows: rows + 2)
    // A placement step to the right and half a row down: a row that is only half a tile has no text.
    let tile = PixelRect(
      x: 10, y: 10, width: Double(columns) * 10, height: Double(rows) * 20 + 10)
    let scene = Scene(
      size: metrics.size(of: area),
      placements: [Placement(photo: Photo.ID(0), frame: tile, crop: .unit)])

    let screen = try drawn(scene) { _ in .failed(words) }

    var found = ""
    for row in 0..<area.rows {
      for column in 0..<area.columns where !" █▄▀".contains(screen[column, row].text) {
        found += screen[column, row].text
        #expect((1...columns).contains(column))
        #expect((1...rows).contains(row))
        #expect(screen[column, row].background == .rgb(Appearance().quietTone))
      }
    }
    #expect(!found.isEmpty)
    #expect(words.filter { $0 != " " }.hasPrefix(found))
  }

  @Test func `a message that just fits fills the middle row of its tile`() throws {
    let screen = try drawn(.filled(columns: 9, rows: 5)) { _ in .failed("too large") }

    #expect((0..<9).map { screen[$0, 2].text }.joined() == "too large")
    #expect(screen.cells.filter { $0.text != " " }.count == 8)
  }

  @Test func `a photo in front covers the message behind it`() throws {
    var scene = Scene.filled(columns: 9, rows: 1)
    scene.placements.append(
      Placement(
        photo: Photo.ID(1), frame: PixelRect(x: 40, y: 0, width: 50, height: 20), crop: .unit,
        opacity: 0.5))

    let screen = try drawn(scene) { $0.photo.index == 0 ? .failed("too large") : .waiting(.black) }

    #expect((0..<9).map { screen[$0, 0].text }.joined() == "too      ")
  }

  @Test(arguments: [
    ("plain", 9, ["plain"]), ("one two", 3, ["one", "two"]), ("one two", 7, ["one two"]),
    ("unbreakable", 4, ["unbr", "eaka", "ble"]), ("  a   b ", 5, ["a b"]), ("漢字", 3, ["漢", "字"]),
    ("漢", 1, []), ("", 5, []), ("one two", 0, []), ("a\u{202E}b\u{200D}c", 9, ["abc"]),
    ("é e\u{301}", 9, ["é e\u{301}"]), ("\u{7}\u{9B}", 9, ["??"]),
  ])
  func `a message wraps at spaces, and words that are too long for a line are split`(
    words: String, width: Int, lines: [String]
  ) {
    let wrapped = GlyphLine.wrapped(words, width: width, height: 5, asciiOnly: false)

    let found = wrapped.map { line in
      line.glyphs.flatMap(\.scalars).reduce(into: "") { $0.unicodeScalars.append($1) }
    }
    #expect(found == lines)
    #expect(wrapped.allSatisfy { $0.glyphs.count <= width })
  }

  @Test func `labels are dim on the terminal's background, with wide characters in two cells`()
    throws
  {
    let scene = Scene(
      size: metrics.size(of: CellSize(columns: 8, rows: 2)),
      labels: [
        Scene.Label(
          text: "a漢b\u{301}字c", frame: PixelRect(x: 10, y: 20, width: 60, height: 20), opacity: 1)
      ])

    let screen = try drawn(scene) { _ in .waiting(nil) }

    // The last character does not fit.
    #expect((0..<8).map { screen[$0, 1].text } == [" ", "a", "漢", "", "b\u{301}", "字", "", " "])
    #expect(screen[1, 1].foreground == .rgb(Appearance().labelColor))
    #expect(screen[1, 1].background == .standard)
  }

  @Test func `a label is written over the ring, but not over a photo`() throws {
    let tile = PixelRect(x: 10, y: 0, width: 20, height: 20)
    let scene = Scene(
      size: metrics.size(of: CellSize(columns: 6, rows: 2)),
      placements: [
        Placement(
          photo: Photo.ID(0), frame: PixelRect(x: 40, y: 20, width: 10, height: 20), crop: .unit)
      ],
      ring: Scene.Ring(tile: tile, opacity: 1),
      labels: [
        Scene.Label(
          text: "abcd", frame: PixelRect(x: 10, y: 20, width: 40, height: 20), opacity: 1)
      ])

    let screen = try drawn(scene) { _ in .waiting(nil) }

    #expect((0..<6).map { screen[$0, 1].text }.joined() == "▀abc  ")
  }

  @Test func `a wide character that is half covered by other text disappears`() throws {
    let scene = Scene(
      size: metrics.size(of: CellSize(columns: 6, rows: 1)),
      labels: [
        Scene.Label(
          text: "漢字仮", frame: PixelRect(x: 0, y: 0, width: 60, height: 20), opacity: 1),
        Scene.Label(
          text: "ab", frame: PixelRect(x: 10, y: 0, width: 20, height: 20), opacity: 1),
      ])

    let screen = try drawn(scene) { _ in .waiting(nil) }

    #expect((0..<6).map { screen[$0, 0].text } == [" ", "a", "b", " ", "仮", ""])
  }

  @Test func `with ASCII glyphs, labels are ASCII`() throws {
    let scene = Scene(
      size: metrics.size(of: CellSize(columns: 5, rows: 1)),
      labels: [
        Scene.Label(
          text: "né漢", frame: PixelRect(x: 0, y: 0, width: 50, height: 20), opacity: 1)
      ])

    let screen = try drawn(scene, glyphs: .ascii) { _ in .waiting(nil) }

    #expect((0..<5).map { screen[$0, 0].text }.joined() == "n??  ")
  }

  @Test func `printed rows end at the last cell that is not background`() {
    let scene = Scene(
      size: metrics.size(of: CellSize(columns: 6, rows: 3)),
      placements: [
        Placement(
          photo: Photo.ID(0), frame: PixelRect(x: 10, y: 20, width: 20, height: 30), crop: .unit)
      ])
    var renderer = CellRenderer(glyphs: .half, depth: .full)

    let bytes = renderer.text(of: scene, metrics: metrics) { _ in .waiting(RGB(3, 4, 5)) }

    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "\u{1B}[m\n \u{1B}[48;2;3;4;5m  \u{1B}[m\n \u{1B}[38;2;3;4;5m▀▀\u{1B}[m\n")
  }

  @Test(arguments: GlyphSet.allCases, ColorDepth.allCases)
  func `printed rows show the same as a frame`(glyphs: GlyphSet, depth: ColorDepth) throws {
    var random = SeededGenerator(seed: 12)
    let picture = Mipmap(Bitmap(width: 30, height: 30) { _, _ in random.color() })
    var scene = Scene.filled(columns: 7, rows: 3)
    scene.placements[0].frame = PixelRect(x: 10, y: 10, width: 40, height: 30)
    var renderer = CellRenderer(glyphs: glyphs, depth: depth)

    let bytes = renderer.text(of: scene, metrics: metrics) { _ in .picture(picture) }

    var printed = TerminalScreen(columns: 7, rows: 3)
    try printed.apply(bytes)
    let framed = try drawn(scene, glyphs: glyphs, depth: depth) { _ in .picture(picture) }
    let looks = printed.looks.map { $0.text == "?" ? TerminalScreen.Cell(text: " ") : $0 }
    #expect(looks == framed.looks)
  }
}
