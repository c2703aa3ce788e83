/// A box of text over the pictures: the help, or what is to be said of an empty folder.
package struct Panel: Equatable, Sendable {
  package var title: String
  /// Printable lines, top to bottom.
  package var lines: [String]

  /// A panel of lines.
  package init(title: String, lines: [String]) {
    self.title = title
    self.lines = lines
  }
}

extension Browser {
  /// The panel that is open; nil if there is none.
  package var panel: Panel? {
    if isHelpShown { return help }
    guard photos.isEmpty, summary != nil else { return nil }
    return Panel(
      title: "no photos here",
      lines: [
        "Looked for jpg, jpeg, png, webp, gif, tiff, heic, heif, avif and raw files.",
        "-r looks into subfolders too; ? shows the keys, q quits.",
      ])
  }

  /// The keys that work, from the key map itself, in as many columns as the height asks for.
  ///
  /// Two columns have to fit a terminal of 80 by 24, so no line is wider than 37.
  private var help: Panel {
    let mouse = [
      ("click", "open, and back"), ("wheel", "scroll, zoom"),
      ("drag", "put back, next, move"), ("double click", "fit again"),
    ]
    func rows(_ bindings: [KeyBinding]) -> [(String, String)] {
      bindings.compactMap { binding in
        binding.help.map { (binding.keys.joined(separator: " "), $0) }
      }
    }
    let sections = [
      ("grid", rows(KeyBinding.grid)), ("photo", rows(KeyBinding.detail)),
      ("both", rows(KeyBinding.common)), ("mouse", mouse),
    ]
    var lines: [String] = []
    for (title, rows) in sections {
      lines.append(title)
      let keyWidth = rows.map { CellText($0.0).width }.max() ?? 0
      for (keys, words) in rows {
        let gap = keyWidth - CellText(keys).width + 2
        lines.append("  " + keys + String(repeating: " ", count: gap) + words)
      }
      lines.append("")
    }
    lines.removeLast()
    lines.append("  digits before a key are a count")
    return Panel(title: "photogrid", lines: Self.flowed(lines, in: viewport.pictureCells))
  }

  /// The lines in columns side by side, so that they fit the height; a row's texts are padded.
  private static func flowed(_ lines: [String], in room: CellSize) -> [String] {
    let height = max(room.rows - 2, 1)
    guard lines.count > height else { return lines }
    let widest = lines.map { CellText($0).width }.max() ?? 0
    let fitting = max((room.columns - 4 + 2) / max(widest + 2, 1), 1)
    let wanted = (lines.count + height - 1) / height
    let columns = min(wanted, fitting)
    let rows = min((lines.count + columns - 1) / columns, max(height, 1))
    return (0..<rows).map { row in
      (0..<columns).map { column in
        let index = column * rows + row
        let text = index < lines.count ? lines[index] : ""
        return text + String(repeating: " ", count: widest - CellText(text).width)
      }.joined(separator: "  ")
    }
  }
}
