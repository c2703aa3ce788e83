import ManualText
import WorkerProtocol

/// The manual in the format of `man(7)`.
///
/// It is made from the Markdown of `ManualText`, of which it knows what stands there: headings,
/// paragraphs, tables of two columns, and code between fences. A word after a fence becomes a
/// comment, by which tests find the code.
struct ManPage {
  private var lines: [String]
  /// The lines of a paragraph that has not ended.
  private var paragraph: [Substring] = []
  private var isInCode = false
  private var isInTable = false

  /// The source of the whole page.
  static let text = ManPage(ManualText.markdown[...]).lines.joined(separator: "\n") + "\n"

  private init(_ markdown: Substring) {
    lines = [
      ".TH PHOTOGRID 1 \"\" \"photogrid \(ProgramVersion.current)\" \"User Commands\"",
      ".SH NAME\nphotogrid \\- browse photos in the terminal",
    ]
    // What stands before the first chapter is about the file.
    let chapters = markdown.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("## ") }
    for line in chapters { read(line) }
    endBlock()
  }

  private mutating func read(_ line: Substring) {
    if line.hasPrefix("```") {
      endBlock()
      if !isInCode, line.count > 3 { lines.append(".\\\" \(line.dropFirst(3))") }
      lines += isInCode ? [".fi"] : [".PP", ".nf"]
      isInCode.toggle()
    } else if isInCode {
      if !line.isEmpty { lines.append(Self.escaped(line)) }
    } else if line.hasPrefix("### ") {
      endBlock()
      lines.append(".SS \(Self.escaped(line.dropFirst(4)))")
    } else if line.hasPrefix("## ") {
      endBlock()
      lines.append(".SH \(line.dropFirst(3).uppercased())")
    } else if line.hasPrefix("| `") {
      readRow(line)
    } else if line.isEmpty || line.hasPrefix("<!--") {
      endBlock()
    } else if !line.hasPrefix("|") {
      paragraph.append(line)
    }
  }

  /// Reads a row such as "| `-n`, `--start-at` *N* | select a photo |".
  ///
  /// Rows follow each other without empty lines, their texts in a column of their own.
  private mutating func readRow(_ line: Substring) {
    if !isInTable { lines.append(".PD 0") }
    isInTable = true
    // A vertical bar inside a cell stands behind a backslash.
    var cells = [""]
    var last: Character?
    for character in line.dropFirst(2).dropLast(2) {
      if character == "|", last == "\\" {
        cells[cells.count - 1].removeLast()
        cells[cells.count - 1] += "|"
      } else if character == "|" {
        cells.append("")
      } else {
        cells[cells.count - 1].append(character)
      }
      last = character
    }
    lines += [".TP 20"]
    lines += cells.map { Self.marked($0.split(separator: " ").joined(separator: " ")) }
  }

  private mutating func endBlock() {
    if !paragraph.isEmpty { lines += [".PP", Self.marked(paragraph.joined(separator: " "))] }
    paragraph = []
    if isInTable { lines.append(".PD") }
    isInTable = false
  }

  /// Returns a text in which what stands between backticks is bold, and between asterisks italic.
  private static func marked(_ text: String) -> String {
    var result = ""
    var (isBold, isItalic, isLiteral) = (false, false, false)
    for character in text {
      switch character {
      case _ where isLiteral:
        result += escaped(character, isFirst: result.isEmpty)
        isLiteral = false
      case "\\" where !isBold: isLiteral = true
      case "`":
        result += isBold ? "\\fR" : "\\fB"
        isBold.toggle()
      case "*" where !isBold:
        result += isItalic ? "\\fR" : "\\fI"
        isItalic.toggle()
      default: result += escaped(character, isFirst: result.isEmpty)
      }
    }
    return result
  }

  /// Returns a text with all characters escaped that have a meaning in the format.
  static func escaped(_ text: some StringProtocol) -> String {
    text.reduce(into: "") { $0 += escaped($1, isFirst: $0.isEmpty) }
  }

  /// Returns a character, escaped if it has a meaning in the format, where `isFirst` says that it begins
  /// a line.
  private static func escaped(_ character: Character, isFirst: Bool) -> String {
    switch character {
    case "\\": "\\e"
    case "-": "\\-"
    case "'" where isFirst, "." where isFirst: "\\&\(character)"
    case "'": "\\(aq"
    case "^": "\\(ha"
    case "~": "\\(ti"
    case "`": "\\(ga"
    default: String(character)
    }
  }
}
