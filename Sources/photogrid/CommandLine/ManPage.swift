import PhotoGridCore
import WorkerProtocol

/// The manual page in the format of `man(7)`, with options and keys from the program's own tables.
enum ManPage {
  /// The source of the whole page.
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
    the whole screen; Esc, a click or dragging it down closes it again. Pictures are real pixels \
    where the terminal can show them, and cells everywhere else.
    """,
    """
    A PATH is a folder or a photo; the default is the current folder. A single photo opens on the \
    whole screen. A file given by its path always has a tile. In a folder, photos are the files \
    with the extension of a photo, and files without an extension whose content is that of a photo.
    """,
    """
    If standard output is not a terminal and -o is not given, the grid is written as text, as with \
    --print.
    """,
    """
    With --json each photo's path is text. If a name is not UTF-8, its bytes are in path_bytes too, \
    in base64: jq -r '.path_bytes // empty' | base64 -d prints the path that opens the file. pair is \
    the path of the raw file that is one photo with it, film that of a live photo's film.
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
      ("Many photos, in the grid", KeyBinding.gridAlbum + KeyBinding.comparing),
      ("With an open photo", KeyBinding.detail),
      ("In a comparison", KeyBinding.compare),
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
    In the grid, a click opens a photo, Ctrl-click marks it, Alt-click marks all photos up to it, \
    dragging with the right button marks the photos under the pointer, the wheel scrolls, and Ctrl \
    with the wheel changes the size of the tiles; below the smallest tiles it leads to months and \
    years, where a click goes into one.
    """,
    """
    In a comparison, a click chooses a photo, the wheel zooms all at the pointer, and dragging moves \
    all; with Shift or Alt only the one under the pointer.
    """,
    """
    With an open photo, dragging down or a click closes it, dragging sideways shows the next or \
    previous one, and the wheel zooms at the pointer. When it is zoomed, dragging moves it and a \
    double click fits it to the screen.
    """)

  private static let filters =
    paragraphs(
      """
      A filter, typed after f or given to --filter, is a list of terms that all have to match. "or" \
      matches either side, parentheses group, Tab completes. A word matches part of the name, in \
      upper or lower case. Quotes make one term of "two words", and turn any other term into a \
      plain word. A word with * or ? is a pattern for the whole name. Numbers and dates take <, <=, \
      >, >= and \
      ranges. If no name contains a word, similar names are shown.
      """)
    + "\n"
    + [
      ("type:heic,png", "the file's format"), ("date:2024-05..2024-08", "when it was taken"),
      ("changed:>2024", "when its file was changed"), ("size:>5M", "the size of its file"),
      ("width:>4000, height:, mp:>20", "its size in pixels and in megapixels"),
      ("frames:>1", "how many frames an animation has"),
      ("camera:canon, lens:\"50mm\", profile:", "names in its metadata"),
      ("iso:>800, f:<2.8, mm:24..70, exposure:>1/60", "the camera's settings"),
      ("path:2024/rome", "folders and name"), ("gps", "it has a position"),
      ("*.png, IMG_2?", "a pattern for its name, with or without the extension"),
      ("marked", "it is marked"), ("similar", "another photo looks almost the same"),
      ("landscape, portrait, square", "its shape"),
      ("X or Y, (X Y)", "either; a group"), ("not X, -X", "photos that do not match"),
    ].map { item("\\fB\(escaped($0.0))\\fR", $0.1) }.joined(separator: "\n")

  private static let configuration =
    paragraphs(
      """
      A line "option = value" sets a long option, written without dashes; options without a value \
      take on or off (or yes, no, true, false, 1, 0). A line "key KEYS = ACTION" binds keys in all \
      views that have the action, "key grid KEYS = ACTION", "key detail KEYS = ACTION" and \
      "key compare KEYS = ACTION" in one of them; the action none unbinds a key. Lines that begin with # are comments. A line with an \
      error is reported, and the others apply. photogrid --list-keys prints the current key \
      bindings in this form.
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
    + item(
      "\\fI~/.cache/photogrid/index.sqlite\\fR",
      "dates, sizes and cameras of the photos that were sorted or filtered")
    + "\n"
    + item("\\fI~/.local/state/photogrid/hints\\fR", "the hints that were shown before")
    + "\n"
    + item(
      "\\fI~/.local/state/photogrid/terminals\\fR",
      "the sizes of cells that terminals have reported, for the first frame of the next start")
    + "\n"
    + item(
      "\\fI~/.local/state/photogrid/folders\\fR",
      "the last folders that photos were moved or copied into")
    + "\n"
    + item(
      "\\fI~/.local/state/photogrid/undo\\fR", "what u undoes, also after a restart")

  private static let recipes = Recipe.all.map { recipe in
    // The comment with the name lets tests find the lines in the page.
    let lines = recipe.lines.split(separator: "\n").map { escaped(String($0)) }
    return paragraphs(recipe.purpose) + "\n.\\\" \(recipe.name)\n.PP\n.nf\n"
      + lines.joined(separator: "\n") + "\n.fi"
  }.joined(separator: "\n")

  private static let exitStatus = [
    ("0", "success"), ("1", "no photo could be shown or was chosen"), ("2", "bad option"),
    ("3", "no usable terminal"), ("128+N", "ended by signal N"),
  ].map { item($0.0, $0.1) }.joined(separator: "\n")

  // MARK: - The format

  private static func paragraphs(_ texts: String...) -> String {
    texts.map { ".PP\n\(escaped($0))" }.joined(separator: "\n")
  }

  /// Returns an item of a list, whose term is already formatted.
  private static func item(_ term: String, _ text: String) -> String {
    ".TP\n\(term)\n\(escaped(text))"
  }

  /// Returns a text with all characters escaped that have a meaning in the format.
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
