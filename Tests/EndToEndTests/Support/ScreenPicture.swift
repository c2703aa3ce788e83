import Foundation
import PseudoTerminal

/// A rectangle in columns and half rows, whose unit half blocks show as a square.
struct Box: Equatable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  /// Whether this box contains another one, or equals it.
  func contains(_ other: Box) -> Bool {
    other.x >= x && other.y >= y && other.x + other.width <= x + width
      && other.y + other.height <= y + height
  }

  /// The tile of the photo at an index in a window of 80 by 24, four to a row, in the middle of the
  /// window, not scrolled.
  static func tile(_ index: Int, of count: Int = 6) -> Box {
    let (left, top) = ([30, 31, 21, 12][count % 4], [14, 14, 4, 1][min((count + 3) / 4, 3)])
    return Box(
      x: (count < 4 ? left : 2) + index % 4 * 19, y: top + index / 4 * 19, width: 18, height: 18)
  }

  /// The selection's ring around that tile.
  static func ring(_ index: Int, of count: Int = 6) -> Box {
    let tile = tile(index, of: count)
    return Box(x: tile.x - 1, y: tile.y - 1, width: 20, height: 20)
  }
}

extension ScreenReader {
  /// The color of the selection's ring.
  static let ringColor: UInt32 = 0x409CFF

  /// Whether the first tiles of a numbered folder, of two rows at most, are all shown in a window
  /// of 80 by 24.
  func showsGrid(of count: Int) -> Bool {
    bar.split(separator: " ").contains { $0.hasSuffix("/\(count)") } && !bar.contains("loading")
      && (0..<min(count, 8)).allSatisfy {
        isFilled(.tile($0, of: count), with: TestPhoto.palette[$0 % TestPhoto.palette.count])
      }
  }

  /// The color at a column and a half row; nil for the terminal's own.
  ///
  /// For glyphs other than spaces and half blocks it is the background.
  func color(_ x: Int, _ y: Int) -> UInt32? {
    let cell = self[x, y / 2]
    return switch cell.glyph {
    case "█": cell.foreground
    case "▀": y % 2 == 0 ? cell.foreground : cell.background
    case "▄": y % 2 == 1 ? cell.foreground : cell.background
    default: cell.background
    }
  }

  /// The smallest box with all half cells of exactly this color; nil if there are none.
  func box(of color: UInt32) -> Box? {
    var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)
    for y in 0..<rows * 2 {
      for x in 0..<columns where self.color(x, y) == color {
        (left, top) = (min(left, x), min(top, y))
        (right, bottom) = (max(right, x), max(bottom, y))
      }
    }
    guard right >= 0 else { return nil }
    return Box(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  /// Whether a box has only one color.
  func isFilled(_ box: Box, with color: UInt32?) -> Bool {
    (box.y..<box.y + box.height).allSatisfy { y in
      (box.x..<box.x + box.width).allSatisfy { self.color($0, y) == color }
    }
  }

  /// Whether only the corners of a box have this color, as with a mark.
  func isCornered(_ box: Box, with color: UInt32) -> Bool {
    let (right, bottom) = (box.x + box.width - 1, box.y + box.height - 1)
    let (middle, half) = (box.x + box.width / 2, box.y + box.height / 2)
    return [box.x, right].allSatisfy { x in
      [box.y, bottom].allSatisfy { self.color(x, $0) == color } && self.color(x, half) != color
    } && [box.y, bottom].allSatisfy { self.color(middle, $0) != color }
  }

  /// Whether another screen looks the same.
  func looksLike(_ other: ScreenReader) -> Bool {
    guard other.columns == columns, other.rows == rows else { return false }
    return cells.indices.allSatisfy { index in
      let (one, two) = (cells[index].seen, other.cells[index].seen)
      return one.glyph == two.glyph && one.foreground == two.foreground
        && one.background == two.background
    }
  }

  /// Whether a row contains the text.
  func shows(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

  /// The text between borders, rows joined by spaces.
  var wordsInBoxes: String {
    lines.compactMap { line in
      let parts = line.split(separator: "│", omittingEmptySubsequences: false)
      return parts.count > 2 ? parts[1].trimmingCharacters(in: .whitespaces) : nil
    }.joined(separator: " ")
  }

  /// The text in a box, rows joined by spaces.
  func words(in box: Box) -> String {
    let top = (box.y + 1) / 2
    return (top..<min((box.y + box.height) / 2, rows)).map { row in
      String(
        (box.x..<box.x + box.width).map {
          "▀▄█".contains(self[$0, row].glyph) ? " " : self[$0, row].glyph
        }
      )
      .trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The text of all rows.
  var lines: [String] { (0..<rows).map { text(ofRow: $0) } }

  /// Whether the bar contains a number and a count, as in "3/12".
  func isAt(_ number: String) -> Bool {
    bar.split(separator: " ").contains { $0 == number }
  }

  /// The last row's text, without the cell of room at its left.
  var bar: String { String(text(ofRow: rows - 1).drop { $0 == " " }) }

  /// The positions at which another screen differs, for the message of a failure.
  func differences(from other: ScreenReader) -> String {
    let places = cells.indices.filter {
      other.cells.indices.contains($0) && cells[$0].seen != other.cells[$0].seen
    }
    let few = places.prefix(5).map {
      "\($0 % columns),\($0 / columns): \(cells[$0]) for \(other.cells[$0])"
    }
    return (["", "\(places.count) cells differ:"] + few).joined(separator: "\n")
  }
}

extension ScreenReader.Cell {
  /// The cell's appearance: without a glyph the text color does not matter, and a full block is a
  /// space.
  fileprivate var seen: ScreenReader.Cell {
    switch glyph {
    case " ": ScreenReader.Cell(background: background)
    case "█": ScreenReader.Cell(background: foreground)
    case "▄": ScreenReader.Cell(glyph: "▀", foreground: background, background: foreground)
    default: self
    }
  }
}
