// The message of a failed test about a screen, which has some hundred thousand characters.
extension ScreenReader: CustomStringConvertible {
  package var description: String { picture }

  /// The screen for the message of a failed test: text as it is, cells with only a color as
  /// letters, and the color of each letter.
  package var picture: String {
    var letters: [UInt32: Character] = [:]
    let names = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    func letter(_ color: UInt32) -> Character {
      if let known = letters[color] { return known }
      guard letters.count < names.count else { return "*" }
      letters[color] = names[letters.count]
      return names[letters.count - 1]
    }
    let rows = (0..<min(self.rows, 60)).map { row in
      String(
        (0..<min(columns, 160)).map { column in
          let cell = self[column, row]
          switch cell.glyph {
          case " ": return cell.background.map(letter) ?? " "
          case "█": return cell.foreground.map(letter) ?? "█"
          case Cell.continuation: return "·"
          default: return cell.glyph
          }
        })
    }
    let legend = letters.sorted { $0.value < $1.value }.map { color, letter in
      let digits = String(color, radix: 16)
      return "\(letter) #\(String(repeating: "0", count: 6 - digits.count))\(digits)"
    }
    return
      (["", "\(columns) by \(self.rows), modes \(modes.sorted())"] + rows.map { "│\($0)│" }
      + [legend.joined(separator: ", ")]).joined(separator: "\n")
  }
}
