import CTerminalRestore
import PhotoGridCore

/// Control sequences that ncurses does not send, by their names in xterm's `ctlseqs`.
enum ControlBytes {
  /// BSU and ESU, the synchronized update: shown at once by terminals that know it.
  static let beginUpdate = Array("\u{1B}[?2026h".utf8)
  static let endUpdate = Array("\u{1B}[?2026l".utf8)

  /// DECSC and DECRC: position and colours, about both of which ncurses keeps its own books.
  static let saveCursor = Array("\u{1B}7".utf8)
  static let restoreCursor = Array("\u{1B}8".utf8)

  /// CAN and ST: ends a sequence that was cut, of whatever kind, and is nothing otherwise.
  static let cancel = Array("\u{18}\u{1B}\\".utf8)

  /// Focus reports, marked pastes, and the mouse with movements while a button is held.
  static func modesOn(mouse: Bool) -> [UInt8] {
    let modes = [1004, 2004] + (mouse ? [1002, 1006] : [])
    return modes.flatMap { "\u{1B}[?\($0)h".utf8 }
  }

  /// The mouse in pixels, and the question whether it is: its answer stands between the reports in
  /// cells and those in pixels.
  static let pixelMouseOn = Array("\u{1B}[?1016h\u{1B}[?1016$p".utf8)

  /// Being told when the colours change between light and dark.
  static let colorSchemeOn = Array("\u{1B}[?2031h".utf8)

  /// All private modes that may be on, and colours.
  static let modesOff = Array((String(cString: terminal_restore_modes_off()) + "\u{1B}[0m").utf8)

  /// Makes the row of the cursor blank (EL), and goes to its start.
  static let cleanLine = Array("\u{1B}[0m\r\u{1B}[K".utf8)

  /// The window's title (OSC 2) is kept, and taken back (xterm's window operations 22 and 23).
  static let pushTitle = Array("\u{1B}[22;0t".utf8)
  static let popTitle = Array("\u{1B}[23;0t".utf8)

  /// Gives the window a title, in printable text.
  static func title(_ text: String) -> [UInt8] { Array("\u{1B}]2;\(text)\u{1B}\\".utf8) }

  /// Makes cells at the top of the screen blank (EL, ECH), but for an area among them.
  static func erase(_ cells: CellSize, except area: CellRect?) -> [UInt8] {
    var bytes = saveCursor
    for row in 0..<cells.rows {
      var column = 1
      bytes += "\u{1B}[\(row + 1);1H".utf8
      if let area, area.contains(column: area.origin.column, row: row) {
        if area.origin.column > 0 { bytes += "\u{1B}[\(area.origin.column)X".utf8 }
        column += area.origin.column + area.size.columns
        bytes += "\u{1B}[\(row + 1);\(column)H".utf8
      }
      if column <= cells.columns { bytes += "\u{1B}[K".utf8 }
    }
    return bytes + restoreCursor
  }
}
