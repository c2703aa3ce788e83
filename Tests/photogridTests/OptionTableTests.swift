import PhotoGridCore
import Testing

@testable import photogrid

/// Every line of `--help`, as it is printed: the option is taken, and does what the line says.
struct OptionTableTests {
  /// What a line of the help promises, seen in what the command line is understood as.
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
    Row("-r, --recursive look into subfolders", "-r") { $0.isRecursive },
    Row("--max-depth N with -r, at most N folders deep", "--max-depth", "3") { $0.maxDepth == 3 },
    Row("-H, --hidden hidden files and folders too", "-H") { $0.showsHidden },
    Row("-i, --stdin read names from standard input, as '-' does", "-i") { $0.readsStandardInput },
    Row("-0, --null names end with a NUL byte, those printed too", "-0") { $0.separator == 0 },
    Row("--files-from FILE read names from a file", "--files-from", "f") {
      $0.list == Array("f".utf8)
    },
    Row("--filter EXPR show only these: 'beach type:heic date:2024..'", "--filter", "beach") {
      $0.filter?.text == "beach"
    },
    Row("--sort name|date|mtime|size|random the order (default: as listed)", "--sort", "date") {
      $0.order.key == .taken
    },
    Row("--reverse the other way round", "--reverse") { $0.order.isReversed },
    Row("-n, --start-at N|PATH select the photo of that number or name", "-n", "7") {
      $0.start == .number(7)
    },
    Row("--cell N tiles at least N text columns wide (default 18)", "--cell", "9") {
      $0.layout.columns == GridColumns([.adaptive(minimum: 9)])
    },
    Row(
      "--columns SPEC columns: adaptive(24), fixed(20) flexible(10,40)", "--columns", "adaptive(9)"
    ) { $0.layout.columns == GridColumns([.adaptive(minimum: 9)]) },
    Row("--spacing N text columns between tiles (default 1)", "--spacing", "4") {
      $0.layout.spacing == 4
    },
    Row("-l, --layout grid|mosaic|bento or a pattern of one's own", "-l", "mosaic") {
      $0.layout.kind == .mosaic
    },
    Row("--crop fill|fit clipped photos in the tiles, or whole ones", "--crop", "fit") {
      $0.crop == .fit
    },
    Row("--labels names under the tiles", "--labels") { $0.layout.hasLabels },
    Row("-t, --thumbnail the grid even for one photo", "-t") { $0.alwaysGrid },
    Row("-S, --slideshow SECONDS show one photo after the other, each so long", "-S", "2.5") {
      $0.slideSeconds == 2.5
    },
    Row("-b, --no-bar no bar", "-b") { !$0.showsBar },
    Row("-o, --stdout print the names of marked photos at the end", "-o") { $0.printsMarks },
    Row("--print write the pictures as text and leave", "--print") { $0.mode == .printPictures },
    Row("--json with --print: one JSON object a photo instead", "--print", "--json") {
      $0.mode == .printFacts
    },
    Row("-g, --geometry WxH size for --print in text columns and rows", "-g", "90x30") {
      $0.geometry == CellSize(columns: 90, rows: 30)
    },
    Row("--protocol auto|kitty|sixel|iterm|cells how pictures are drawn", "--protocol", "sixel") {
      $0.pictures == .sixel
    },
    Row("--symbols half|quadrant|sextant|octant|ascii glyphs", "--symbols", "ascii") {
      $0.glyphs == .ascii
    },
    Row("--colors full|256|16|none colours that pictures are made of", "--colors", "16") {
      $0.colors == .palette16
    },
    Row("--theme auto|dark|light the background", "--theme", "light") {
      $0.background == RGB(255, 255, 255)
    },
    Row("--accent #RRGGBB the ring around the selection", "--accent", "#010203") {
      $0.accent == RGB(1, 2, 3)
    },
    Row("--mark-color #RRGGBB the rings around marked tiles", "--mark-color", "#010203") {
      $0.markColor == RGB(1, 2, 3)
    },
    Row("--motion full|slow|reduced|none how things move", "--motion", "reduced") {
      $0.motion == .reduced
    },
    Row("--mouse on|off whether the mouse is used (default on)", "--mouse", "off") {
      !$0.usesMouse
    },
    Row("--memory MB for decoded photos (default 256)", "--memory", "5") {
      $0.memoryBudget == 5 << 20
    },
    Row("-p, --private keep no thumbnails", "-p") { !$0.keepsThumbnails },
    Row("--update-cache make the thumbnails of all photos, and leave", "--update-cache") {
      $0.mode == .updateCache
    },
    Row("--clean-cache remove the thumbnails of files that are gone", "--clean-cache") {
      $0.mode == .cleanCache
    },
    Row("--config FILE read this configuration instead of one's own", "--config", "f") {
      $0.mode == .browse
    },
    Row("--no-config read no configuration", "--no-config") { $0.mode == .browse },
    Row("--list-keys print what keys do, as lines of a configuration", "--list-keys") {
      $0.mode == .listKeys
    },
    Row("-q, --quiet say nothing of what cannot be read", "-q") { $0.isQuiet },
    Row("--open-with COMMAND what 'o' opens a photo with", "--open-with", "feh") {
      $0.openWith == "feh"
    },
    Row("--read-only no trash, no renaming, no other programs", "--read-only") { $0.isReadOnly },
    Row("--completions bash|zsh|fish print a shell's completions", "--completions", "zsh") {
      $0.mode == .completions(.zsh)
    },
    Row("--man print the manual page", "--man") { $0.mode == .manual },
    Row("--doctor say what is known of the terminal and codecs", "--doctor") {
      $0.mode == .doctor
    },
    Row("-V, --version print the version", "-V") { $0.mode == .version },
    Row("-h, --help print this help", "-h") { $0.mode == .help },
  ]

  @Test(arguments: rows) func `a line of --help`(row: Row) throws {
    let configuration = try Configuration(ParsedArguments(row.words.map { Array($0.utf8) }))
    #expect(row.holds(configuration))
    // The line is that of the table: the option, and how it begins to be explained.
    let name = row.line.split(separator: " ").first { $0.hasPrefix("--") } ?? ""
    let entry = try #require(OptionEntry.all.first { "--\($0.name.rawValue)" == name })
    let short = entry.short.map { "-\($0), " } ?? ""
    #expect(row.line.hasPrefix("\(short)\(name)\(entry.value.map { " \($0)" } ?? "")"))
    #expect(OptionEntry.helpText.contains("\(name)\(entry.value.map { " \($0)" } ?? "")"))
  }
}
