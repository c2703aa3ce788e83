import PhotoGridCore
import WorkerProtocol

/// The manual page, in the language of `man(7)`: options and keys from the tables that the program
/// itself goes by.
enum ManPage {
  /// The whole page.
  static var text: String {
    let parts = [
      ".TH PHOTOGRID 1 \"\" \"photogrid \(ProgramVersion.current)\" \"User Commands\"",
      section("NAME", "photogrid \\- browse photos in the terminal"),
      section("SYNOPSIS", ".B photogrid\n[\\fIOPTIONS\\fR] [\\fIPATH\\fR|\\fB\\-\\fR]..."),
      section("DESCRIPTION", description), section("OPTIONS", options),
      section("KEYS", keys), section("MOUSE", mouse), section("FILTERS", filters),
      section("CONFIGURATION", configuration), section("ENVIRONMENT", environment),
      section("FILES", files), section("WITH OTHER PROGRAMS", recipes),
      section("EXIT STATUS", exitStatus),
    ]
    return parts.joined(separator: "\n") + "\n"
  }

  private static func section(_ title: String, _ body: String) -> String {
    ".SH \(title)\n\(body)"
  }

  private static let description = paragraphs(
    """
    Shows folders of photos as a grid of tiles. Enter or a click zooms a photo out of its tile to \
    the whole screen; Esc, a click or dragging it down sends it home. Pictures are real pixels \
    where the terminal can show them, and cells everywhere else.
    """,
    """
    A PATH is a folder or a photo; without any it is the current folder. One photo alone opens on \
    the whole screen. What is named is always shown; in a folder, names that end as those of \
    photos do, and files without an ending whose first bytes say so.
    """,
    """
    Where standard output is no terminal and -o is not given, the grid is written as text, as with \
    --print.
    """)

  private static let options = OptionEntry.all.map { entry in
    let short = entry.short.map { "\\fB\(escaped("-\($0)"))\\fR, " } ?? ""
    let value = entry.value.map { "=\\fI\(escaped($0))\\fR" } ?? ""
    return item(
      "\(short)\\fB\(escaped("--\(entry.name.rawValue)"))\\fR\(value)", entry.help)
  }.joined(separator: "\n")

  private static let keys: String = {
    let sections: [(String, [KeyBinding])] = [
      ("In the grid", KeyBinding.grid),
      ("Many photos, in the grid", KeyBinding.gridAlbum),
      ("Of a photo on the screen", KeyBinding.detail),
      ("In both", KeyBinding.common + KeyBinding.album),
    ]
    return sections.map { title, bindings in
      let items = bindings.filter { !$0.keys.isEmpty }.map { binding in
        item(
          binding.keys.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", "),
          binding.help ?? binding.plainHelp)
      }
      return ".SS \(title)\n" + items.joined(separator: "\n")
    }.joined(separator: "\n")
      + "\n" + paragraphs("Digits before a key are a count: 20G selects the twentieth photo.")
  }()

  private static let mouse = paragraphs(
    """
    Grid: a click opens, Ctrl-click marks, Alt-click marks up to there, dragging with the right \
    button marks what is passed over, the wheel scrolls, Ctrl and the wheel change the size of \
    the tiles.
    """,
    """
    Photo: dragging down puts it back, dragging sideways goes to the next or previous, a click \
    closes, the wheel zooms at the pointer. Zoomed: dragging moves it, a double click fits it.
    """)

  private static let filters =
    paragraphs(
      """
      What is typed after f and given to --filter is terms of which all have to be true of a photo; \
      "or" between them takes either side, parentheses group, Tab completes. A word is part of its \
      name, small and capital letters alike; "two words" in quotes is one, and quotes make a plain \
      word of what means something else. With * or ? it is the form of the whole name. Numbers and \
      dates take <, <=, >, >= and ranges. Where no name has a word, similar names are shown.
      """)
    + "\n"
    + [
      ("type:heic,png", "the file's format"), ("date:2024-05..2024-08", "when it was taken"),
      ("changed:>2024", "when its file was changed"), ("size:>5M", "how long its file is"),
      ("width:>4000, height:, mp:>20", "its size in pixels, and in millions of them"),
      ("frames:>1", "how many frames an animation has"),
      ("camera:canon, lens:\"50mm\", profile:", "names that its file tells"),
      ("iso:>800, f:<2.8, mm:24..70, exposure:>1/60", "how it was taken"),
      ("path:2024/rome", "folders and name"), ("gps", "whether its file tells the place"),
      ("*.png, IMG_2?", "the form of its name, with or without the extension"),
      ("marked", "whether it is marked"), ("landscape, portrait, square", "its shape"),
      ("X or Y, (X Y)", "either; a group"), ("not X, -X", "what is not so"),
    ].map { item("\\fB\(escaped($0.0))\\fR", $0.1) }.joined(separator: "\n")

  private static let configuration =
    paragraphs(
      """
      Lines "option = value" have the long options without their dashes; those without a value take \
      on or off (or yes, no, true, false, 1, 0). Lines "key KEYS = ACTION" bind keys in the views where the action is possible, \
      "key grid KEYS = ACTION" and "key detail KEYS = ACTION" in one; none frees a key. A line that begins with # is a comment. A line that is wrong is told and the rest \
      holds. photogrid --list-keys prints the present keys in this form.
      """)
    + "\n.PP\n.nf\nlayout = mosaic\nlabels = on\nkey e = open\nkey Ctrl-t = labels\n.fi"

  private static let environment =
    item(
      "\\fBPHOTOGRID_\\fIOPTION\\fR",
      "a long option, in capitals, - as _: PHOTOGRID_SYMBOLS=octant, PHOTOGRID_LABELS=1; "
        + "one without a value is turned off by 0, as by --no-labels and --labels=off")
    + "\n" + item("\\fBNO_COLOR\\fR", "pictures without colours")
    + "\n"
    + item(
      "\\fBXDG_CONFIG_HOME\\fR, \\fBXDG_CACHE_HOME\\fR, \\fBXDG_DATA_HOME\\fR, "
        + "\\fBXDG_STATE_HOME\\fR", "see FILES")

  private static let files =
    item("\\fI~/.config/photogrid/config\\fR", "the configuration")
    + "\n"
    + item(
      "\\fI~/.cache/thumbnails\\fR", "thumbnails, shared with file managers (freedesktop.org)")
    + "\n"
    + item("\\fI~/.local/state/photogrid/hints\\fR", "which hints were told and need not be again")

  private static let recipes = Recipe.all.map { recipe in
    // The name is for programs that read the page.
    let lines = recipe.lines.split(separator: "\n").map { escaped(String($0)) }
    return paragraphs(recipe.words) + "\n.\\\" \(recipe.name)\n.PP\n.nf\n"
      + lines.joined(separator: "\n") + "\n.fi"
  }.joined(separator: "\n")

  private static let exitStatus = [
    ("0", "done"), ("1", "nothing could be shown, or nothing was chosen"), ("2", "bad option"),
    ("3", "no usable terminal"), ("128+N", "ended by signal N"),
  ].map { item($0.0, $0.1) }.joined(separator: "\n")

  // MARK: - The language

  private static func paragraphs(_ texts: String...) -> String {
    texts.map { ".PP\n\(escaped($0))" }.joined(separator: "\n")
  }

  /// An item of a list; its term is in the language already.
  private static func item(_ term: String, _ words: String) -> String {
    ".TP\n\(term)\n\(escaped(words))"
  }

  /// Text in which nothing is an instruction.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'" where result.isEmpty, "." where result.isEmpty: result += "\\&\(character)"
      case "'": result += "\\(aq"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "`": result += "\\(ga"
      default: result.append(character)
      }
    }
    return result
  }
}
