import Geometry
import Photos
import Testing

@testable import photogrid

/// Every line of `--help`: the option is accepted, and does what the line says.
struct OptionTableTests {
  /// A line of the help, and a check of the configuration.
  struct Row: Sendable, CustomTestStringConvertible {
    var line: String
    var words: [String]
    var holds: @Sendable (Configuration) -> Bool

    init(_ line: String, _ words: String..., holds: @escaping @Sendable (Configuration) -> Bool) {
      (self.line, self.words, self.holds) = (line, words, holds)
    }

    var testDescription: String { line }
  }

  static let rows = [
    Row("-r, --recursive include subfolders", "-r") { $0.input.isRecursive },
    Row("--max-depth N with -r, at most N folders deep", "--max-depth", "3") {
      $0.input.maxDepth == 3
    },
    Row("-H, --hidden include hidden files and folders", "-H") { $0.input.showsHidden },
    Row("-i, --stdin read names from standard input (same as '-')", "-i") {
      $0.input.readsStandardInput
    },
    Row("-0, --null names end with a NUL byte in input and output", "-0") {
      $0.input.separator == 0
    },
    Row("--files-from FILE read names from a file", "--files-from", "f") {
      $0.input.list == Array("f".utf8)
    },
    Row("--filter EXPR show only matching photos: 'beach type:heic'", "--filter", "beach") {
      $0.view.filter?.text == "beach"
    },
    Row("--sort name|date|mtime|size|length|rating|similar|random the order", "--sort", "date") {
      $0.view.order.key == .taken
    },
    Row("--all print the names of all matching photos and quit", "--all") {
      $0.mode == .printNames
    },
    Row("--rate N set stars", "--rate", "3", "a.jpg") { $0.mode == .rate(.stars(3)) },
    Row("--keyword LIST add and remove keywords", "--keyword", "+rome,-draft", "a.jpg") {
      KeywordEdit(adding: ["rome"], removing: ["draft"]).map { .rate(.keywords($0)) } == $0.mode
    },
    Row("--ratings sidecar|embedded write ratings into photos", "--ratings", "embedded") {
      $0.session.embedsRatings
    },
    Row("--reverse reverse the order", "--reverse") { $0.view.order.isReversed },
    Row(
      "--group day|month|year|folder|rating|similar|none group photos under headings",
      "--group", "month"
    ) { $0.view.grouping == .month },
    Row("--pairs on|off treat a JPEG and its raw file or film as one", "--pairs", "off") {
      !$0.view.joinsPairs
    },
    Row("--stacks on|off|SECONDS fold photos less than 2 seconds apart", "--stacks", "3.5") {
      $0.view.stackSeconds == 3.5
    },
    Row("-n, --start-at N|PATH select a photo by number or name", "-n", "7") {
      $0.view.start == .number(7)
    },
    Row("--cell N minimum tile width in text columns (default 18)", "--cell", "9") {
      $0.view.layout.columns == GridColumns([.adaptive(minimum: 9)])
    },
    Row(
      "--columns SPEC columns: adaptive(24), fixed(20) flexible(10,40)", "--columns", "adaptive(9)"
    ) { $0.view.layout.columns == GridColumns([.adaptive(minimum: 9)]) },
    Row("--spacing N text columns between tiles (default 1)", "--spacing", "4") {
      $0.view.layout.spacing == 4
    },
    Row("-l, --layout grid|mosaic|bento|rows or a custom pattern", "-l", "rows") {
      $0.view.layout.kind == .rows
    },
    Row("--crop fill|fit crop photos to tiles or show them whole", "--crop", "fit") {
      $0.view.crop == .fit
    },
    Row("--labels names under the tiles", "--labels") { $0.view.layout.hasLabels },
    Row("--captions titles or captions instead of names", "--captions") {
      $0.view.layout.prefersCaptions
    },
    Row("-t, --thumbnail show the grid even for one photo", "-t") { $0.view.alwaysGrid },
    Row("-S, --slideshow SECONDS start a slideshow with SECONDS per photo", "-S", "2.5") {
      $0.session.slideSeconds == 2.5
    },
    Row("-b, --no-bar no bar", "-b") { !$0.session.showsBar },
    Row("-o, --stdout print the names of marked photos on exit", "-o") { $0.printsMarks },
    Row("--print print the pictures as text and quit", "--print") { $0.mode == .printPictures },
    Row("--json with --print, one JSON object per photo", "--print", "--json") {
      $0.mode == .printFacts
    },
    Row("-g, --geometry WxH size for --print in text columns and rows", "-g", "90x30") {
      $0.view.geometry == CellSize(columns: 90, rows: 30)
    },
    Row("--protocol auto|kitty|sixel|iterm|cells how pictures are drawn", "--protocol", "sixel") {
      $0.drawing.pictures == .sixel
    },
    Row("--symbols half|quadrant|sextant|octant|ascii glyphs", "--symbols", "ascii") {
      $0.drawing.glyphs == .ascii
    },
    Row("--colors full|256|16|none colors for drawing pictures", "--colors", "16") {
      $0.drawing.colors == .palette16
    },
    Row("--theme auto|dark|light the background", "--theme", "light") {
      $0.drawing.background == RGB(255, 255, 255)
    },
    Row("--accent #RRGGBB the ring around the selection", "--accent", "#010203") {
      $0.drawing.accent == RGB(1, 2, 3)
    },
    Row("--mark-color #RRGGBB the rings around marked tiles", "--mark-color", "#010203") {
      $0.drawing.markColor == RGB(1, 2, 3)
    },
    Row("--motion full|slow|reduced|none animations", "--motion", "reduced") {
      $0.session.motion == .reduced
    },
    Row("--mouse on|off use the mouse (default on)", "--mouse", "off") {
      $0.session.mouse == false
    },
    Row("--hints on|off after a key, list what can follow (default on)", "--hints", "off") {
      !$0.session.showsHints
    },
    Row("--memory MB memory for decoded photos (default 256)", "--memory", "5") {
      $0.memoryBudget == 5 << 20
    },
    Row("-p, --private do not store thumbnails or metadata", "-p") { !$0.keepsThumbnails },
    Row("--update-cache store thumbnails and metadata, then quit", "--update-cache") {
      $0.mode == .updateCache
    },
    Row("--config FILE use this configuration file", "--config", "f") {
      $0.mode == .browse
    },
    Row("--no-config ignore the configuration file", "--no-config") { $0.mode == .browse },
    Row("--list-keys print all keys as configuration lines", "--list-keys") {
      $0.mode == .listKeys
    },
    Row("-q, --quiet hide messages about unreadable files", "-q") { $0.isQuiet },
    Row("--open-with COMMAND the program for 'o'", "--open-with", "feh") {
      $0.session.openWith == "feh"
    },
    Row("--read-only do not change files or start other programs", "--read-only") {
      $0.session.isReadOnly
    },
    Row("--completions bash|zsh|fish print completions for a shell", "--completions", "zsh") {
      $0.mode == .completions(.zsh)
    },
    Row("--man print the manual page", "--man") { $0.mode == .manual },
    Row("--doctor show how pictures are drawn and what is missing", "--doctor") {
      $0.mode == .doctor
    },
    Row("-V, --version print the version", "-V") { $0.mode == .version },
    Row("-h, --help print this help", "-h") { $0.mode == .help },
  ]

  @Test(arguments: rows) func `the option of a line of --help does what the line says`(row: Row)
    throws
  {
    let configuration = try Configuration(ParsedArguments(row.words.map { Array($0.utf8) }))
    #expect(row.holds(configuration))
    // The line is that of the table: the option, and the beginning of its explanation.
    let name = row.line.split(separator: " ").first { $0.hasPrefix("--") } ?? ""
    let entry = try #require(OptionEntry.all.first { "--\($0.name.rawValue)" == name })
    let short = entry.short.map { "-\($0), " } ?? ""
    #expect(row.line.hasPrefix("\(short)\(name)\(entry.value.map { " \($0)" } ?? "")"))
    #expect(OptionEntry.helpText.contains("\(name)\(entry.value.map { " \($0)" } ?? "")"))
  }
}
