import Geometry
import SceneModel
import TestSupport
import Testing

@testable import TerminalIO

struct ScreenTextTests {
  init() { UTF8Locale.use() }

  @Test(arguments: [
    ("abc", "abc", 3), ("写真", "写真", 4), ("é", "é", 1), ("e\u{301}", "e\u{301}", 1),
    ("🏖\u{FE0F}", "🏖", 1), ("👩\u{200D}👩", "👩👩", 4), ("👍🏽", "👍", 2),
    ("a\u{1B}[31mb", "a?[31mb", 7), ("a\u{9B}b", "a?b", 3), ("\u{202E}abc\u{2066}", "abc", 3),
    ("a\r\nb\tc", "a?b?c", 5), ("\u{301}", "", 0), ("", "", 0),
  ])
  func `text is measured and drawn without control characters`(
    text: String, drawn: String, width: Int
  ) {
    let cells = CellText(text)

    #expect(cells.string.unicodeScalars.elementsEqual(drawn.unicodeScalars))
    #expect(cells.width == width)
  }

  @Test
  func `combining marks are limited to what a cell holds`() {
    let cells = CellText("a" + String(repeating: "\u{301}", count: 100))

    #expect(cells.string.unicodeScalars.count == 5)
    #expect(cells.width == 1)
  }

  @Test(arguments: [
    (8, "IMG_0001"), (7, "IMG…001"), (6, "IM…001"), (3, "I…1"), (2, "…1"), (1, "…"), (0, ""),
    (-5, ""),
  ])
  func `a cut in the middle keeps both ends`(limit: Int, cut: String) {
    #expect(CellText("IMG_0001").truncatedMiddle(to: limit).string == cut)
  }

  @Test(arguments: [(8, "写真写真"), (7, "写…写真"), (6, "写…真"), (4, "…真"), (2, "…"), (1, "…")])
  func `a cut never splits a wide character`(limit: Int, cut: String) {
    let cells = CellText("写真写真").truncatedMiddle(to: limit)

    #expect(cells.string == cut)
    #expect(cells.width <= limit)
  }

  @Test(arguments: 0...100)
  func `text that is being typed fits in its row, with its caret`(width: Int) {
    for text in ["", "cat", "日本の写真", String(repeating: "e\u{301}x ", count: 50)] {
      var line = LineEditor(text)
      for moves in 0..<4 {
        let bar = Bar(
          left: "", right: "3/17", entry: Bar.Entry(label: "filter: ", line: line))
        let runs = bar.runs(width: width)
        var end = 0
        for run in runs {
          #expect(run.column >= end, "\(width): \(text) after \(moves) moves")
          end = run.column + run.text.width
        }
        #expect(end <= width)
        // Two cells for the widest character.
        #expect(width < 2 || runs.count { $0.style == .caret } == 1)
        _ = line.press(.left)
      }
    }
  }

  @Test func `at twenty columns a prompt keeps its label, and the hint gives way`() {
    var line = LineEditor()
    line.insert("beach")
    for label in ["/", "filter: ", "rename to: ", "sort by: "] {
      for hint in ["no photo matches", "12 of 254 · Tab completes"] {
        let bar = Bar(left: "", right: hint, entry: Bar.Entry(label: label, line: line))
        let texts = bar.runs(width: 20).map(\.text.string)
        #expect(texts.joined().hasPrefix(label), "\(texts)")
        #expect(!texts.contains { $0.contains("Tab") }, "\(texts)")
      }
    }
  }

  @Test(arguments: 0...200)
  func `a bar fits in its row whatever its texts`(width: Int) {
    let texts = ["", "a", "写真/ferie/2024 – 🏖️", String(repeating: "/写a", count: 100)]
    for left in texts {
      for right in texts {
        var bar = Bar(left: left, right: right)
        bar.isMessage = width.isMultiple(of: 2)
        let runs = bar.runs(width: width)

        var end = 0
        for run in runs {
          #expect(run.column >= end, "\(width): \(left), \(right)")
          end = run.column + run.text.width
        }
        #expect(end <= width, "\(width): \(left), \(right)")
      }
    }
  }

  @Test func `a message is shown in full, and facts get the remaining room`() {
    var bar = Bar(left: "'01.png' was not trashed: the disk is full", right: "1/3 · 80×40 · 9.7 kB")
    bar.isMessage = true
    #expect(bar.runs(width: 80).map(\.text.string) == [bar.left, bar.right])
    #expect(bar.runs(width: 52).map(\.text.string) == [bar.left, "1/3 ·…"])
    #expect(bar.runs(width: 50).map(\.text.string) == [bar.left])
    #expect(bar.runs(width: 20).map(\.text.string) == ["'01.png' was not …"])
  }

  @Test
  func `the right text is at the edge, and only if there is room for both`() {
    let bar = Bar(
      left: "/home/anna/pictures/holiday", right: "12/254")

    let wide = bar.runs(width: 30)
    let narrow = bar.runs(width: 19)

    #expect(wide.map(\.column) == [1, 23])
    #expect(wide.map(\.text.string) == ["/home/ann…es/holiday", "12/254"])
    #expect(wide.map(\.style) == [.plain, .dimmed])
    #expect(narrow.map(\.text.string) == ["/home/ann…s/holiday"])
  }

  @Test
  func `a panel is a box in the middle`() throws {
    let panel = Panel(title: "Keys", lines: ["q  quit", "写真"])

    let drawn = try #require(panel.drawn(in: CellSize(columns: 21, rows: 9)))

    #expect(
      drawn.area
        == CellRect(
          origin: CellPoint(column: 5, row: 2), size: CellSize(columns: 11, rows: 4)))
    #expect(drawn.rows == ["╭ Keys ───╮", "│ q  quit │", "│ 写真    │", "╰─────────╯"])
  }

  @Test(arguments: [
    (LineDrawing.rounded, "╭───╮", "│ a │", "╰───╯"), (.square, "┌───┐", "│ a │", "└───┘"),
    (.ascii, "+---+", "| a |", "+---+"),
  ])
  func `a border has the corners that the terminal draws`(
    lines: LineDrawing, top: String, middle: String, bottom: String
  ) throws {
    let room = CellSize(columns: 5, rows: 3)
    let drawn = try #require(Panel(title: "", lines: ["a"]).drawn(in: room, lines: lines))
    #expect(drawn.rows == [top, middle, bottom])
  }

  @Test func `the parts of a panel have their styles`() throws {
    var panel = Panel(title: "Keys", lines: ["q  quit", "写真", "x  …"])
    panel.spans = [
      Panel.Span(line: 0, columns: 0..<1, style: .strong),
      Panel.Span(line: 1, columns: 0..<7, style: .selected),
      Panel.Span(line: 9, columns: 0..<7, style: .dimmed),
    ]
    let drawn = try #require(panel.drawn(in: CellSize(columns: 21, rows: 9)))
    #expect(drawn.pieces.map(\.run.style) == [.plain, .plain, .plain, .plain, .strong, .selected])
    #expect(drawn.pieces.map(\.run.text.string).suffix(2) == ["q", "写真   "])
    #expect(drawn.pieces.map(\.row) == [0, 1, 2, 3, 1, 2])
  }

  @Test
  func `a panel fits in the picture area, and its rows are as wide as its area`() {
    let panel = Panel(
      title: "写真の一覧とその操作方法", lines: (0..<40).map { "line \($0) 写真" } + [""])
    for columns in 0...60 {
      for rows in 0...50 {
        let area = CellSize(columns: columns, rows: rows)
        guard let drawn = panel.drawn(in: area) else {
          #expect(columns < 5 || rows < 3)
          continue
        }
        let (origin, size) = (drawn.area.origin, drawn.area.size)
        #expect(origin.column >= 0 && origin.column + size.columns <= columns)
        #expect(origin.row >= 0 && origin.row + size.rows <= rows)
        #expect(drawn.rows.count == size.rows)
        #expect(drawn.rows.allSatisfy { CellText($0).width == size.columns })
      }
    }
  }

  @Test
  func `a panel without lines is still a box`() throws {
    let drawn = try #require(Panel(title: "", lines: []).drawn(in: CellSize(columns: 5, rows: 3)))

    #expect(drawn.rows == ["╭───╮", "│   │", "╰───╯"])
  }
}

extension DrawnPanel {
  /// The rows as they look.
  fileprivate var rows: [String] {
    pieces.reduce(into: frame) { rows, piece in
      let (row, run) = (CellText(rows[piece.row]), piece.run)
      rows[piece.row] =
        row.cut(to: 0..<run.column).string + run.text.string
        + row.cut(to: run.column + run.text.width..<row.width).string
    }
  }
}

struct ViewportTests {
  @Test(arguments: [
    (80, 24, 800, 480, 80, 24, 10.0, 20.0),
    // xterm counts its border of 2 pixels on each side.
    (80, 24, 724, 460, 80, 24, 9.0, 19.0),
    (80, 24, 0, 0, 80, 24, 10.0, 20.0),
    (80, 24, 1, 1, 80, 24, 10.0, 20.0),
    (0, 0, 0, 0, 80, 24, 10.0, 20.0),
    (0, 24, 800, 480, 80, 24, 10.0, 20.0),
    (1, 1, 10, 20, 1, 1, 10.0, 20.0),
    // At most 1,000 columns, 500 rows and 300,000 cells.
    (600, 65535, 0, 0, 600, 500, 10.0, 20.0),
    (65535, 65535, 65535, 65535, 1000, 300, 10.0, 20.0),
  ])
  func `reported sizes become plausible viewports`(
    columns: Int, rows: Int, pixelWidth: Int, pixelHeight: Int, usedColumns: Int, usedRows: Int,
    cellWidth: Double, cellHeight: Double
  ) {
    let window = WindowSize(
      cells: CellSize(columns: columns, rows: rows),
      pixels: PixelSize(width: Double(pixelWidth), height: Double(pixelHeight)))
    let measurement = CellMeasurement(TerminalResponses(), window: window)
    let viewport = Viewport(window, cell: measurement.cell)

    #expect(viewport.cells == CellSize(columns: usedColumns, rows: usedRows))
    #expect(viewport.metrics.cell == PixelSize(width: cellWidth, height: cellHeight))
    #expect(viewport.pictureCells.rows == usedRows - 1)
  }
}
