/// One option of the command line; the table of them is what parsing, `--help` and the environment
/// all read.
struct OptionEntry: Sendable {
  let name: OptionName
  let short: Character?
  /// The word for its value in the help; nil for a switch.
  let value: String?
  let help: String
  /// Whether it may be kept in a configuration: it holds for whatever is shown.
  let isLasting: Bool

  /// Every option that works, in the order of the help.
  static let all: [OptionEntry] = [
    OptionEntry(.recursive, "r", help: "look into subfolders"),
    OptionEntry(.maxDepth, value: "N", help: "with -r, at most N folders deep"),
    OptionEntry(.hidden, "H", help: "hidden files and folders too"),
    OptionEntry(.stdin, "i", help: "read names from standard input, as '-' does", isLasting: false),
    OptionEntry(.null, "0", help: "names end with a NUL byte, those printed too", isLasting: false),
    OptionEntry(.filesFrom, value: "FILE", help: "read names from a file", isLasting: false),
    OptionEntry(
      .filter, value: "EXPR", help: "show only these: 'beach type:heic date:2024..'"),
    OptionEntry(
      .sort, value: "name|date|mtime|size|random", help: "the order (default: as listed)"),
    OptionEntry(.reverse, help: "the other way round"),
    OptionEntry(
      .startAt, "n", value: "N|PATH", help: "select the photo of that number or name",
      isLasting: false),
    OptionEntry(.cell, value: "N", help: "tiles at least N text columns wide (default 18)"),
    OptionEntry(
      .columns, value: "SPEC", help: "columns: adaptive(24), fixed(20) flexible(10,40)"),
    OptionEntry(.spacing, value: "N", help: "text columns between tiles (default 1)"),
    OptionEntry(
      .layout, "l", value: "grid|mosaic|bento",
      help: "or a pattern of one's own: 'bento((1,(1,1)),1)'"),
    OptionEntry(.crop, value: "fill|fit", help: "clipped photos in the tiles, or whole ones"),
    OptionEntry(.labels, help: "names under the tiles"),
    OptionEntry(.thumbnail, "t", help: "the grid even for one photo"),
    OptionEntry(
      .slideshow, "S", value: "SECONDS", help: "show one photo after the other, each so long"),
    OptionEntry(.noBar, "b", help: "no bar"),
    OptionEntry(
      .stdout, "o", help: "print the names of marked photos at the end", isLasting: false),
    OptionEntry(
      .choose, help: "print what Enter picks (or is marked), and leave",
      isLasting: false),
    OptionEntry(.print, help: "write the pictures as text and leave", isLasting: false),
    OptionEntry(.json, help: "with --print: one JSON object a photo instead", isLasting: false),
    OptionEntry(
      .geometry, "g", value: "WxH", help: "size for --print in text columns and rows",
      isLasting: false),
    OptionEntry(
      .protocol, value: "auto|kitty|sixel|iterm|cells", help: "how pictures are drawn"),
    OptionEntry(
      .symbols, value: "half|quadrant|sextant|octant|ascii",
      help: "glyphs that pictures are made of"),
    OptionEntry(.colors, value: "full|256|16|none", help: "colours that pictures are made of"),
    OptionEntry(
      .theme, value: "auto|dark|light", help: "the background, if the terminal does not tell"),
    OptionEntry(.accent, value: "#RRGGBB", help: "the colour of the ring around the selection"),
    OptionEntry(.markColor, value: "#RRGGBB", help: "the colour of the rings around marked tiles"),
    OptionEntry(
      .motion, value: "full|slow|reduced|none", help: "how things move; reduced: fades only"),
    OptionEntry(.mouse, value: "on|off", help: "whether the mouse is used (default on)"),
    OptionEntry(.memory, value: "MB", help: "for decoded photos (default 256)"),
    OptionEntry(.private, "p", help: "keep no thumbnails"),
    OptionEntry(
      .updateCache, help: "make the thumbnails of all photos, and leave", isLasting: false),
    OptionEntry(
      .cleanCache, help: "remove the thumbnails of files that are gone", isLasting: false),
    OptionEntry(
      .config, value: "FILE", help: "read this configuration instead of one's own",
      isLasting: false),
    OptionEntry(.noConfig, help: "read no configuration", isLasting: false),
    OptionEntry(
      .listKeys, help: "print what keys do, as lines of a configuration", isLasting: false),
    OptionEntry(.quiet, "q", help: "say nothing of what cannot be read"),
    OptionEntry(
      .openWith, value: "COMMAND", help: "what 'o' opens a photo with (default: xdg-open)"),
    OptionEntry(.readOnly, help: "no trash, no renaming, no other programs"),
    OptionEntry(
      .completions, value: "bash|zsh|fish", help: "print a shell's completions",
      isLasting: false),
    OptionEntry(.man, help: "print the manual page", isLasting: false),
    OptionEntry(.doctor, help: "say what is known of the terminal and codecs", isLasting: false),
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

  /// Whether `--no-` in front of its name turns it off.
  var hasNegation: Bool { value == nil && isLasting && !name.rawValue.hasPrefix("no-") }

  /// The text of `--help`.
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

      Browse photos in the terminal: a grid of tiles; Enter or a click zooms one to
      the whole screen, Esc, a click or dragging it down sends it home. PATH is a
      folder or a photo; default is the current folder. ? shows the keys.

      \(lines.joined(separator: "\n"))

      Long options can be set in the environment: PHOTOGRID_SYMBOLS=octant,
      PHOTOGRID_LABELS=1. Options without a value can be turned off there and on the
      command line: PHOTOGRID_LABELS=0, --labels=off, --no-labels. Exit status: 0 done,
      1 nothing could be shown, 2 bad option, 3 no usable terminal, 128+N ended by
      signal N.

      """
  }
}

/// The long names.
enum OptionName: String, Sendable {
  case recursive, hidden, stdin, null, cell, columns, spacing, layout, crop, labels, thumbnail
  case filter, sort, reverse, stdout, choose, print, json, geometry
  case `protocol`, symbols, colors, motion, mouse, doctor, version, help
  case memory, `private`, slideshow
  case maxDepth = "max-depth"
  case filesFrom = "files-from"
  case startAt = "start-at"
  case noBar = "no-bar"
  case completions, man, config, quiet, theme, accent
  case markColor = "mark-color"
  case noConfig = "no-config"
  case listKeys = "list-keys"
  case updateCache = "update-cache"
  case cleanCache = "clean-cache"
  case openWith = "open-with"
  case readOnly = "read-only"
}

/// A fault in the options, in words for the person who typed them.
struct OptionError: Error, Equatable {
  let message: String
}

/// Options and operands taken apart, values not yet understood.
struct ParsedArguments: Equatable {
  var values: [OptionName: [UInt8]] = [:]
  /// Switches that were switched off; what comes after them does not switch them on again.
  var switchedOff: Set<OptionName> = []
  var operands: [[UInt8]] = []

  /// Nothing at all.
  init() {}

  /// Takes arguments apart with the habits of `getopt_long`: options anywhere, unambiguous
  /// prefixes, `--name=value`, grouped short options, `--` ends them.
  ///
  /// - Throws: What is wrong with which option.
  init(_ arguments: [[UInt8]]) throws(OptionError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == Array("--".utf8) {
        operands += rest
        return
      }
      if argument.starts(with: "--".utf8) {
        try takeLong(argument.dropFirst(2), &rest)
      } else if argument.count > 1, argument.first == UInt8(ascii: "-") {
        try takeShort(argument.dropFirst(), &rest)
      } else {
        operands.append(argument)
      }
    }
  }

  private mutating func takeLong(
    _ text: ArraySlice<UInt8>, _ rest: inout ArraySlice<[UInt8]>
  ) throws(OptionError) {
    let parts = text.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let (entry, isNegated) = try Self.entry(PrintableArgument.text(parts[0]))
    let value = parts.count > 1 ? Array(parts[1]) : nil
    if entry.value != nil {
      if let value {
        values[entry.name] = value
      } else {
        values[entry.name] = try Self.next(&rest, for: entry)
      }
    } else if isNegated {
      guard value == nil else {
        throw OptionError(message: "--no-\(entry.name.rawValue): takes no value")
      }
      turn(entry.name, on: false)
    } else if let value {
      try turn(entry.name, by: value, of: "--\(entry.name.rawValue)")
    } else {
      turn(entry.name, on: true)
    }
  }

  /// The option of a long name, or of its beginning if no other option begins so; `no-` in front of
  /// a lasting switch turns it off.
  private static func entry(
    _ name: String
  ) throws(OptionError) -> (entry: OptionEntry, isNegated: Bool) {
    let candidates =
      OptionEntry.all.map { ($0.name.rawValue, $0, false) }
      + OptionEntry.all.filter(\.hasNegation).map { ("no-" + $0.name.rawValue, $0, true) }
    let matches = candidates.filter { $0.0.hasPrefix(name) }
    guard let match = matches.first(where: { $0.0 == name }) ?? matches.first else {
      throw OptionError(message: "--\(name): no such option; --help lists them")
    }
    guard match.0 == name || matches.count == 1 else {
      let names = matches.map { "--\($0.0)" }.joined(separator: ", ")
      throw OptionError(message: "--\(name): could be \(names)")
    }
    return (match.1, match.2)
  }

  /// Turns a switch on or off; the last word on the command line holds.
  private mutating func turn(_ name: OptionName, on isOn: Bool) {
    values[name] = isOn ? [] : nil
    if isOn { switchedOff.remove(name) } else { switchedOff.insert(name) }
  }

  /// Turns a switch on or off by the word for it.
  ///
  /// - Throws: What is wrong with the word, under the name of where it stands.
  mutating func turn(
    _ name: OptionName, by word: [UInt8], of place: String
  ) throws(OptionError) {
    guard let isOn = SwitchWord.meaning(of: word) else {
      throw OptionError(
        message: "\(place): '\(PrintableArgument.text(word))' is none of \(SwitchWord.list)")
    }
    turn(name, on: isOn)
  }

  private mutating func takeShort(
    _ text: ArraySlice<UInt8>, _ rest: inout ArraySlice<[UInt8]>
  ) throws(OptionError) {
    var letters = text
    while let letter = letters.popFirst() {
      let character = Character(UnicodeScalar(letter))
      guard let entry = OptionEntry.all.first(where: { $0.short == character }) else {
        let name = PrintableArgument.text([letter])
        throw OptionError(message: "-\(name): no such option; --help lists them")
      }
      guard entry.value != nil else {
        turn(entry.name, on: true)
        continue
      }
      values[entry.name] = letters.isEmpty ? try Self.next(&rest, for: entry) : Array(letters)
      return
    }
  }

  private static func next(
    _ rest: inout ArraySlice<[UInt8]>, for entry: OptionEntry
  ) throws(OptionError) -> [UInt8] {
    guard let value = rest.popFirst() else {
      throw OptionError(message: "--\(entry.name.rawValue): needs a value: \(entry.value ?? "")")
    }
    return value
  }

  /// Adds what a configuration says, where neither the command line nor the environment says
  /// anything.
  mutating func add(_ file: ConfigurationFile) {
    values.merge(file.values.filter { !switchedOff.contains($0.key) }) { mine, _ in mine }
  }

  /// Adds what the environment says (`PHOTOGRID_MOTION`), where the command line says nothing.
  ///
  /// - Throws: Which variable is neither on nor off.
  mutating func addEnvironment(_ environment: [String: String]) throws(OptionError) {
    for entry in OptionEntry.all {
      let variable =
        "PHOTOGRID_"
        + entry.name.rawValue.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
      guard values[entry.name] == nil, !switchedOff.contains(entry.name),
        let value = environment[variable], !value.isEmpty
      else { continue }
      if entry.value != nil {
        values[entry.name] = Array(value.utf8)
      } else {
        try turn(entry.name, by: Array(value.utf8), of: variable)
      }
    }
  }
}

/// The words that turn a switch on or off, alike in every place where options are given.
enum SwitchWord {
  /// Every word and what it means.
  static let all: [(word: String, isOn: Bool)] = [
    ("on", true), ("off", false), ("yes", true), ("no", false), ("true", true), ("false", false),
    ("1", true), ("0", false),
  ]

  /// The words as they are listed in a message.
  static let list = all.map(\.word).joined(separator: ", ")

  /// Whether a word means on; nil for other words.
  static func meaning(of word: [UInt8]) -> Bool? {
    all.first { Array($0.word.utf8) == word }?.isOn
  }
}
