/// An entry in the table of options.
///
/// The table is used to parse the command line, the environment and the configuration file, and to
/// create `--help`, the manual page and completions.
struct OptionEntry: Sendable {
  let name: OptionName
  /// The letter of its short form.
  let short: Character?
  /// The name of its value in the help, or the possible values; nil for a switch.
  let value: String?
  /// Its description in `--help` and the manual page.
  let help: String
  /// Whether the configuration file may contain it; other options apply to a single run.
  let isLasting: Bool

  static let all: [OptionEntry] = [
    OptionEntry(.recursive, "r", help: "include subfolders"),
    OptionEntry(.maxDepth, value: "N", help: "with -r, enter subfolders at most N levels deep"),
    OptionEntry(.hidden, "H", help: "include hidden files and folders"),
    OptionEntry(
      .stdin, "i", help: "read names from standard input (same as '-')", isLasting: false),
    OptionEntry(
      .null, "0", help: "end names with a NUL byte, in input and output", isLasting: false),
    OptionEntry(.filesFrom, value: "FILE", help: "read names from a file", isLasting: false),
    OptionEntry(
      .filter, value: "EXPR", help: "show only matching photos: 'rome type:heic'"),
    OptionEntry(
      .dates, value: "LIST", help: "where dates come from (default taken,name)"),
    OptionEntry(
      .sort, value: "name|date|mtime|size|length|rating|similar|random",
      help: "sort order (default: as listed)"),
    OptionEntry(.reverse, help: "reverse the order"),
    OptionEntry(
      .group, value: "day|month|year|folder|rating|similar|none",
      help: "group photos under headings"),
    OptionEntry(
      .pairs, value: "on|off", help: "one tile for a photo and its raw file or video"),
    OptionEntry(
      .stacks, value: "on|off|SECONDS",
      help: "fold photos less than 2 s apart (default off)"),
    OptionEntry(
      .startAt, "n", value: "N|PATH", help: "select a photo by number or name",
      isLasting: false),
    OptionEntry(
      .resume, value: "on|off",
      help: "open a folder where it was left (default on)"),
    OptionEntry(
      .fresh, help: "do not open the folder where it was left", isLasting: false),
    OptionEntry(
      .cell, value: "N", help: "minimum tile width in text columns (default 18)"),
    OptionEntry(
      .columns, value: "SPEC", help: "columns: 3, adaptive(24), fixed(20) flexible(9)"),
    OptionEntry(.spacing, value: "N", help: "text columns between tiles (default 1)"),
    OptionEntry(
      .layout, "l", value: "grid|mosaic|bento|rows",
      help: "layout, or a pattern: 'bento((1,(1,1)),1)'"),
    OptionEntry(.crop, value: "fill|fit", help: "crop photos to tiles or show them whole"),
    OptionEntry(.labels, help: "show names under the tiles"),
    OptionEntry(.captions, help: "show titles or captions instead of names"),
    OptionEntry(.thumbnail, "t", help: "show the grid even for one photo"),
    OptionEntry(
      .slideshow, "S", value: "SECONDS", help: "start a slideshow with SECONDS per photo"),
    OptionEntry(.noBar, "b", help: "hide the bar"),
    OptionEntry(
      .stdout, "o", help: "print the names of marked photos on exit", isLasting: false),
    OptionEntry(
      .all, help: "print the names of all matching photos and quit", isLasting: false),
    OptionEntry(
      .rate, value: "N", help: "rate from 0 to 5, or -1 to reject, and quit",
      isLasting: false),
    OptionEntry(
      .keyword, value: "LIST", help: "add and remove keywords: +rome,-draft; then quit",
      isLasting: false),
    OptionEntry(
      .choose, help: "print the names of photos you pick, then quit",
      isLasting: false),
    OptionEntry(.print, help: "print the pictures as text and quit", isLasting: false),
    OptionEntry(.json, help: "with --print, one JSON object per photo", isLasting: false),
    OptionEntry(
      .geometry, "g", value: "WxH", help: "size for --print in text columns and rows",
      isLasting: false),
    OptionEntry(
      .protocol, value: "auto|kitty|sixel|iterm|cells", help: "how to draw pictures"),
    OptionEntry(
      .symbols, value: "half|quadrant|sextant|octant|ascii",
      help: "characters for drawing pictures"),
    OptionEntry(.colors, value: "full|256|16|none", help: "colors for drawing pictures"),
    OptionEntry(
      .theme, value: "auto|dark|light", help: "background color if the terminal reports none"),
    OptionEntry(.accent, value: "#RRGGBB", help: "the color of the ring around the selection"),
    OptionEntry(.markColor, value: "#RRGGBB", help: "the color of the rings around marked tiles"),
    OptionEntry(
      .motion, value: "full|slow|reduced|none", help: "how much to animate (reduced: fades only)"),
    OptionEntry(
      .accessible, help: "words line by line, for screen readers"),
    OptionEntry(.mouse, value: "on|off", help: "use the mouse (default on)"),
    OptionEntry(
      .hints, value: "on|off", help: "after a key, list what can follow (default on)"),
    OptionEntry(.memory, value: "MB", help: "memory for decoded photos (default 256)"),
    OptionEntry(.private, "p", help: "do not store thumbnails or metadata"),
    OptionEntry(
      .sandbox, value: "auto|require|off",
      help: "require: refuse to start without the sandbox"),
    OptionEntry(
      .updateCache, help: "store thumbnails and metadata, then quit", isLasting: false),
    OptionEntry(
      .config, value: "FILE", help: "use this configuration file",
      isLasting: false),
    OptionEntry(.noConfig, help: "ignore the configuration file", isLasting: false),
    OptionEntry(
      .listKeys, help: "print all keys as configuration lines", isLasting: false),
    OptionEntry(.quiet, "q", help: "hide messages about unreadable files"),
    OptionEntry(
      .openWith, value: "COMMAND", help: "the program for 'o' (default: xdg-open)"),
    OptionEntry(
      .ratings, value: "sidecar|embedded", help: "write ratings to sidecars or into photos"),
    OptionEntry(.readOnly, help: "do not change files or start other programs"),
    OptionEntry(
      .completions, value: "bash|zsh|fish", help: "print completions for a shell",
      isLasting: false),
    OptionEntry(.man, help: "print the manual page", isLasting: false),
    OptionEntry(.doctor, help: "show how pictures are drawn and what is missing", isLasting: false),
    OptionEntry(.version, "V", help: "print the version", isLasting: false),
    OptionEntry(.help, "h", help: "print this help", isLasting: false),
  ]

  private init(
    _ name: OptionName, _ short: Character? = nil, value: String? = nil, help: String,
    isLasting: Bool = true
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.help = help
    self.isLasting = isLasting
  }

  /// Whether `--no-` before its name turns it off.
  var hasNegation: Bool { value == nil && isLasting && !name.rawValue.hasPrefix("no-") }

  static var helpText: String {
    let rows = all.map { entry in
      let short = entry.short.map { "-\($0), " } ?? "    "
      return ("  \(short)--\(entry.name.rawValue)\(entry.value.map { " \($0)" } ?? "")", entry.help)
    }
    let column = 32
    let lines = rows.map { flag, help in
      flag.count < column - 1
        ? flag + String(repeating: " ", count: column - flag.count) + help
        : flag + "\n" + String(repeating: " ", count: column) + help
    }
    return """
      usage: photogrid [OPTIONS] [PATH|-]...

      Browse photos in the terminal as a grid of tiles. Enter or a click shows a
      photo full screen; Esc, a click, or dragging it down closes it. PATH is a
      folder or a photo; the default is the current folder. @NAME applies a saved
      filter. ? lists the keys, and : finds commands by name.

      \(lines.joined(separator: "\n"))

      Long options can be set in the environment: PHOTOGRID_SYMBOLS=octant,
      PHOTOGRID_LABELS=1. Options without a value can be turned off there and on the
      command line: PHOTOGRID_LABELS=0, --labels=off, --no-labels. Exit status:
      0: success; 1: nothing could be shown; 2: an option is invalid;
      3: the terminal cannot be used; 128+N: killed by signal N.

      """
  }
}

enum OptionName: String, Sendable {
  case recursive, hidden, stdin, null, cell, columns, spacing, layout, crop, labels, thumbnail
  case filter, dates, sort, reverse, group, stdout, choose, print, json, geometry
  case `protocol`, symbols, colors, motion, mouse, doctor, version, help
  case memory, `private`, sandbox, slideshow
  case maxDepth = "max-depth"
  case filesFrom = "files-from"
  case startAt = "start-at"
  case noBar = "no-bar"
  case completions, man, config, quiet, theme, accent
  case markColor = "mark-color"
  case noConfig = "no-config"
  case listKeys = "list-keys"
  case updateCache = "update-cache"
  case openWith = "open-with"
  case readOnly = "read-only"
  case ratings, rate, keyword, all, pairs, stacks, hints, captions, resume, fresh, accessible
}

/// A mistake in an option or in the configuration file.
struct OptionError: Error, Equatable {
  let message: String
}
