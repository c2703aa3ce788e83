import PhotoGridCore
import Photos

/// The manual, which becomes the man page and `Assets/MANUAL.md`.
///
/// Keys, options and filter terms come from the program's own tables. Words between backticks are
/// to be typed as they are.
struct Manual {
  struct Chapter {
    let title: String
    let blocks: [Block]

    init(_ title: String, _ blocks: Block...) {
      self.title = title
      self.blocks = blocks
    }
  }

  enum Block {
    case paragraph(String)
    case heading(String)
    /// Terms that are typed, each with its meaning.
    case table([Row])
    /// Lines to be typed or to be put into a file; the name lets tests find them.
    case code(String, name: String?)
  }

  /// A row of a table.
  struct Row {
    /// The terms, such as several keys for the same command.
    let terms: [String]
    /// A placeholder after the terms, such as the value of an option.
    var value: String?
    let text: String
  }

  static let chapters =
    [
      synopsis, description, commonTasks, look, find, filters, dates, arrange, choose, rate, files,
      play,
      scripts,
    ]
    + [configuration, options, environment, fileNames, recipes, trouble, exitStatus]

  // MARK: - Tables

  /// Returns the keys of a topic of the help, under the headings that it has there.
  static func keys(_ topic: String) -> [Block] {
    let sections = KeyTable.topics.first { $0.title == topic }?.sections ?? []
    return sections.flatMap { section -> [Block] in
      let rows = section.lines.flatMap { line -> [Row] in
        if let gesture = line.gesture { return [Row(terms: [gesture], text: line.text)] }
        return line.entries.filter { !$0.keys.isEmpty }.map {
          Row(terms: $0.keys, text: $0.title)
        }
      }
      let heading = section.heading.isEmpty ? "Keys" : "Keys: \(section.heading)"
      return [.heading(heading), .table(rows)]
    }
  }

  /// The values of a field that its messages suggest.
  private static func examples(of field: FilterField) -> [String] {
    field.example.split(separator: " ").reduce(into: [""]) { examples, word in
      if word == "or" { return examples.append("") }
      let last = examples.removeLast()
      examples.append(last.isEmpty ? String(word) : last + " " + word)
    }
  }

  /// The names of all commands.
  static let actions = KeyMap.commands.map { command in
    let entries = KeyTable.topics.flatMap(\.sections).flatMap(\.lines).flatMap(\.entries)
    let title = entries.first { $0.command == command }?.title
    return Row(terms: [command.name], text: title ?? "")
  }

  static func table(_ rows: (String, String)...) -> Block {
    .table(rows.map { Row(terms: [$0.0], text: $0.1) })
  }

  static func code(_ lines: String) -> Block { .code(lines, name: nil) }

  // MARK: - Reference

  private static let options = Chapter(
    "OPTIONS",
    .table(
      OptionEntry.all.map { entry in
        let short = entry.short.map { ["-\($0)"] } ?? []
        return Row(
          terms: short + ["--\(entry.name.rawValue)"], value: entry.value, text: entry.help)
      }),
    .paragraph(
      """
      To turn off an option that takes no value, put `--no-` before its name, as in `--no-labels`, \
      or write `--labels=off`.
      """))

  private static let filters = Chapter(
    "FILTER TERMS",
    .paragraph(
      """
      Type a filter after `f` or pass one to `--filter`. A filter is a list of terms that must all \
      match; case does not matter. Press Tab to complete a term.
      """),
    .table(
      [
        Row(
          terms: ["beach"],
          text: "a word in the name, folders, title, caption, keywords, camera, lens or label"),
        Row(
          terms: ["\"two words\""],
          text: "quotes join words into one term, or make any term a plain word"),
        Row(
          terms: ["*.png", "IMG_2?"], text: "a pattern for the name, with or without its extension"),
      ]
        + FilterField.allCases.map { field in
          Row(
            terms: examples(of: field).map { "\(field.rawValue):\($0)" },
            text: field.meaning)
        }
        + FilterField.keywords.compactMap { word in
          FilterField.meaning(ofKeyword: word).map { Row(terms: [word], text: $0) }
        }
        + [
          Row(terms: ["X or Y"], text: "photos that match X, Y or both"),
          Row(terms: ["not X", "-X"], text: "photos that do not match X"),
          Row(terms: ["(X Y) or Z"], text: "parentheses group terms"),
        ]),
    .paragraph(
      """
      Numbers and dates can follow `<`, `<=`, `>` or `>=`, or be ranges such as `24..70` or \
      `2024-05..`. Dates may be relative: `today`, `yesterday`, `july`, `this-week`, `last-month`, \
      `last-year`; `2w` is the last two weeks, and `date:-30d..` is the last 30 days. A photo \
      with a raw file is shown if either file matches, so `type:raw` finds pairs too, and \
      `type:film` finds live photos.
      """))

  private static let dates = Chapter(
    "DATES",
    .paragraph(
      """
      A photo's date is the first plausible one from the sources below: not in the future, and not \
      the default date of a camera clock that was never set. It is used for sections, months, \
      sorting, filters, stacks, `{taken}` in new names and `--json`. The information panel \
      and `taken_from` in `--json` say where it came from. `--dates` chooses the sources and their \
      order: `taken`, `name` and `modified`.
      """),
    table(
      (
        "exif",
        "taken: EXIF date taken, else date digitized, else date modified; in a PNG, from its eXIf"
      ),
      (
        "sidecar",
        "taken: XMP in the sidecar: exif:DateTimeOriginal, photoshop:DateCreated, xmp:CreateDate"
      ),
      ("xmp", "taken: the same, in the XMP of a JPEG, PNG, TIFF, WebP, HEIC, AVIF or raw file"),
      ("iptc", "taken: IPTC in a JPEG, TIFF or raw file: date and time created"),
      ("png", "taken: the Creation Time text in a PNG"),
      ("exif", "taken: the creation time in a HEIC or AVIF (crtt) or a video"),
      ("name", "name: the file name, in a form listed below"),
      ("folder", "name: the names of its folders, innermost first"),
      ("modified", "modified: when the file was modified, if --dates includes it")),
    .paragraph("Recognized names:"),
    .table([
      Row(terms: ["IMG-20190704-WA0003"], text: "WhatsApp, without a time of day"),
      Row(
        terms: ["IMG_20190704_101112", "PXL_20190704_101112123", "IMG20190704101112"],
        text: "Android phones"),
      Row(
        terms: ["Screenshot_20190704-101112", "Screenshot 2019-07-04 at 10.11.12"],
        text: "screenshots, in any language"),
      Row(
        terms: ["signal-2019-07-04-101112", "photo_2019-07-04_10-11-12"], text: "Signal, Telegram"),
      Row(terms: ["FB_IMG_1562230272123", "mmexport1562230272123"], text: "Facebook, WeChat"),
      Row(
        terms: ["2019-07-04 10.11.12", "20190704", "04.07.2019"], text: "exported and scanned files"
      ),
      Row(terms: ["2019/07/04", "2019-07 Rome"], text: "folders named for a day or month"),
    ]))

  private static let recipes = {
    let blocks = Recipe.all.flatMap { recipe -> [Block] in
      [.paragraph(recipe.purpose), .code(recipe.lines, name: recipe.name)]
    }
    return Chapter("WITH OTHER PROGRAMS", blocks: blocks)
  }()

  private static let exitStatus = Chapter(
    "EXIT STATUS",
    table(
      ("0", "success"), ("1", "no photo could be shown, or none was chosen"),
      ("2", "an option is invalid"), ("3", "the terminal cannot be used"),
      ("128+N", "killed by signal N")))
}

extension Manual.Chapter {
  init(_ title: String, blocks: [Manual.Block]) {
    (self.title, self.blocks) = (title, blocks)
  }
}
