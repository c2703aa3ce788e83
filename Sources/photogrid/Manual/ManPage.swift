import WorkerProtocol

/// The manual in the format of `man(7)`.
enum ManPage {
  /// The source of the whole page.
  static var text: String {
    let head = [
      ".TH PHOTOGRID 1 \"\" \"photogrid \(ProgramVersion.current)\" \"User Commands\"",
      ".SH NAME\nphotogrid \\- browse photos in the terminal",
    ]
    let chapters = Manual.chapters.map { chapter in
      ".SH \(chapter.title)\n" + chapter.blocks.map(source).joined(separator: "\n")
    }
    return (head + chapters).joined(separator: "\n") + "\n"
  }

  private static func source(of block: Manual.Block) -> String {
    switch block {
    case .paragraph(let text): ".PP\n" + marked(text)
    case .heading(let text): ".SS \(escaped(text))"
    // Rows follow each other without empty lines, their texts in a column of their own.
    case .table(let rows): ".PD 0\n" + rows.map(source).joined(separator: "\n") + "\n.PD"
    case .code(let lines, let name):
      // The comment with the name lets tests find the lines in the page.
      (name.map { ".\\\" \($0)\n" } ?? "") + ".PP\n.nf\n"
        + lines.split(separator: "\n").map { escaped(String($0)) }.joined(separator: "\n") + "\n.fi"
    }
  }

  private static func source(of row: Manual.Row) -> String {
    let terms = row.terms.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
    let value = row.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
    return ".TP 20\n\(terms)\(value)\n\(escaped(row.text))"
  }

  /// Returns a text in which what stands between backticks is bold.
  private static func marked(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      let text = escaped(String(part), startsLine: index == 0)
      return index.isMultiple(of: 2) ? text : "\\fB\(text)\\fR"
    }.joined()
  }

  /// Returns a text with all characters escaped that have a meaning in the format.
  static func escaped(_ text: String, startsLine: Bool = true) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'" where result.isEmpty && startsLine, "." where result.isEmpty && startsLine:
        result += "\\&\(character)"
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
