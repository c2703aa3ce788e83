import Testing

@testable import PhotoGridCore

/// Every line of the README's table of keys, which is also the interface's: the commands of its
/// keys in the grid and in an open photo.
struct KeyTableTests {
  /// A line of the table, with the keys and commands of each column in order.
  struct Row: Sendable, CustomTestStringConvertible {
    var line: String
    var grid: [(keys: [String], command: Command)]
    var detail: [(keys: [String], command: Command)]

    init(
      _ line: String, grid: [(keys: [String], command: Command)],
      detail: [(keys: [String], command: Command)] = []
    ) {
      (self.line, self.grid, self.detail) = (line, grid, detail)
    }

    init(_ line: String, both: [(keys: [String], command: Command)]) {
      self.init(line, grid: both, detail: both)
    }

    var testDescription: String { line }
  }

  private static func sort(_ key: String, _ order: SortOrder.Key) -> [([String], Command)] {
    [
      ([",\(key)"], .album(.sort(SortOrder(by: order)))),
      ([",\(key.uppercased())"], .album(.sort(SortOrder(by: order, isReversed: true)))),
    ]
  }

  static let rows: [Row] = [
    Row("compare side by side: =", grid: [(["="], .comparison(.start))]),
    Row(
      "move: h j k l, arrows; h l ← → previous, next",
      both: [
        (["h", "Left"], .navigation(.left)), (["j", "Down"], .navigation(.down)),
        (["k", "Up"], .navigation(.up)),
        (["l", "Right"], .navigation(.right)),
      ]),
    Row(
      "open, back: Enter; BackSpace up a folder; Enter, Esc",
      grid: [(["Enter"], .navigation(.open)), (["BackSpace"], .grid(.goUp))],
      detail: [(["Enter"], .navigation(.open)), (["Esc"], .navigation(.stepOut))]),
    Row(
      "next, previous: n Space, p BackSpace", grid: [],
      detail: [
        (["n", "Space"], .navigation(.next)), (["p", "BackSpace"], .navigation(.previous)),
      ]),
    Row(
      "first, last, nth: gg Home, G End, {n}G",
      both: [(["gg", "Home"], .navigation(.first)), (["G", "End"], .navigation(.last))]),
    Row(
      "page, half page: Ctrl-f Ctrl-b PgDn PgUp, Ctrl-d Ctrl-u",
      both: [
        (["Ctrl-f", "PgDn"], .navigation(.pageForward)),
        (["Ctrl-b", "PgUp"], .navigation(.pageBack)),
        (["Ctrl-d"], .navigation(.halfPageForward)), (["Ctrl-u"], .navigation(.halfPageBack)),
      ]),
    Row(
      "ten on, ten back: ] [",
      both: [(["]"], .navigation(.forwardTen)), (["["], .navigation(.backTen))]),
    Row(
      "zoom in, out, fit: + - 0", grid: [],
      detail: [
        (["+"], .viewer(.zoom(.larger))), (["-"], .viewer(.zoom(.smaller))),
        (["0"], .viewer(.zoom(.fit))),
      ]),
    Row(
      "100 %, width, fill: z =, w, f", grid: [],
      detail: [
        (["z"], .viewer(.zoom(.toggleActualSize))), (["="], .viewer(.zoom(.actualSize))),
        (["w"], .viewer(.zoom(.width))),
        (["f"], .viewer(.zoom(.fill))),
      ]),
    Row(
      "move about when zoomed: H J K L to the edges", grid: [],
      detail: [
        (["H"], .viewer(.edge(.left))), (["J"], .viewer(.edge(.down))),
        (["K"], .viewer(.edge(.up))), (["L"], .viewer(.edge(.right))),
      ]),
    Row(
      "turn, flip (the view only, W writes the turn): < >, | _", grid: [],
      detail: [
        ([">"], .viewer(.turn(.quarterTurn))), (["<"], .viewer(.turn(.quarterTurnBack))),
        (["|"], .viewer(.turn(.mirrored))),
        (["_"], .viewer(.turn(.flipped))), (["W"], .files(.turn)),
      ]),
    Row(
      "films: a plays or pauses, . steps",
      both: [(["a"], .app(.togglePlaying)), (["."], .app(.stepFrame))]),
    Row(
      "mark: Space and go on, m, v range, Ctrl-a all, Ctrl-r invert, U none; m",
      grid: [
        (["Space"], .album(.markOn)), (["m"], .album(.mark)), (["v"], .album(.range)),
        (["Ctrl-a"], .album(.markAll)), (["Ctrl-r"], .album(.invertMarks)),
        (["U"], .album(.unmarkAll)),
      ], detail: [(["m"], .album(.mark))]),
    Row(
      "find; filter; marked only: / n N; f; F",
      grid: [
        (["/"], .album(.find)), (["n"], .album(.findNext)), (["N"], .album(.findPrevious)),
        (["f"], .album(.filter)), (["F"], .album(.showMarked)),
      ]),
    Row(
      "Sort: , and n name, d date taken, m modified, s size, r random; capital: reversed",
      grid: sort("n", .name) + sort("d", .taken) + sort("m", .modified) + sort("s", .size)
        + [([",r", ",R"], .album(.shuffle))]),
    Row("information, with a histogram: i", both: [(["i"], .app(.toggleInformation))]),
    Row(
      "trash, undo, redo, rename: d, u, Ctrl-y, r",
      both: [
        (["d", "Delete"], .files(.trash)), (["u"], .files(.undo)), (["Ctrl-y"], .files(.redo)),
        (["r", "F2"], .files(.rename)),
      ]),
    Row(
      "move to a folder, copy to one: M; yc",
      both: [(["M"], .files(.move)), (["yc"], .files(.copy))]),
    Row(
      "open with, copy path, run a command: o, yy, !",
      both: [(["o"], .files(.open)), (["yy"], .files(.copyPath)), (["!"], .album(.shell))]),
    Row("slideshow: s", both: [(["s"], .app(.startSlideshow))]),
    Row(
      "layout: Tab, Shift-Tab",
      grid: [(["Tab"], .grid(.nextLayout)), (["Shift-Tab"], .grid(.previousLayout))]),
    Row(
      "Grouped by day, month, year, folder; none: gd gm gy gf; gn",
      grid: [
        (["gd"], .album(.group(.day))), (["gm"], .album(.group(.month))),
        (["gy"], .album(.group(.year))), (["gf"], .album(.group(.folder))),
        (["gn"], .album(.group(.none))),
      ]),
    Row(
      "next section, back; mark it; go to a date: } {; gs; gt",
      grid: [
        (["}"], .grid(.nextSection)), (["{"], .grid(.previousSection)),
        (["gs"], .album(.markSection)), (["gt"], .album(.goToDate)),
      ]),
    Row(
      "larger, smaller, as it was: + - 0",
      grid: [
        (["+"], .grid(.largerTiles)), (["-"], .grid(.smallerTiles)), (["0"], .grid(.resetTiles)),
      ]),
    Row("months, years: zo", grid: [(["zo"], .grid(.zoomOut))]),
    Row("whole photos or clipped ones: c", grid: [(["c"], .grid(.toggleCrop))]),
    Row("list the folder again: R F5", both: [(["R", "F5"], .app(.reload))]),
    Row(
      "labels, bar: t, b", grid: [(["t"], .grid(.toggleLabels)), (["b"], .app(.toggleBar))],
      detail: [(["b"], .app(.toggleBar))]),
    Row("slow animations: A", both: [(["A"], .app(.toggleSlowMotion))]),
    Row(
      "help, redraw, suspend, quit: ? F1 Ctrl-l Ctrl-z q; Q also prints the photo's name",
      both: [
        (["?", "F1"], .app(.toggleHelp)), (["Ctrl-l"], .app(.redraw)), (["Ctrl-z"], .app(.suspend)),
        (["q"], .app(.quit)),
        (["Q"], .app(.quitAndPrint)),
      ]),
    Row(
      "Ctrl-c quits; Esc one step out",
      both: [(["Ctrl-c"], .app(.interrupt)), (["Esc"], .navigation(.stepOut))]),
  ]

  @Test(arguments: rows) func `the keys of a line of the table have its commands`(row: Row) {
    for (columns, map) in [(row.grid, KeyMap.standard.grid), (row.detail, KeyMap.standard.detail)] {
      for (keys, command) in columns {
        for key in keys { #expect(map[key] == command, "\(key)") }
      }
    }
  }
}
