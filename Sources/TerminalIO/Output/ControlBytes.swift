import CTerminalRestore
import Geometry

/// Control sequences that ncurses does not send, with their names in xterm's `ctlseqs`.
enum ControlBytes {
  /// BSU, the start of a synchronized update: a terminal shows the update as a whole, if it
  /// supports the mode.
  static let beginUpdate = Array("\u{1B}[?2026h".utf8)
  /// ESU, the end of a synchronized update.
  static let endUpdate = Array("\u{1B}[?2026l".utf8)

  /// DECSC: saves the cursor's position and colors, which ncurses assumes to be unchanged.
  static let saveCursor = Array("\u{1B}7".utf8)
  /// DECRC: restores position and colors.
  static let restoreCursor = Array("\u{1B}8".utf8)

  /// Ends a frame that was cut off anywhere, and its synchronized update.
  static let endOfCutFrame = cancel + endUpdate

  /// CAN and ST: end an incomplete sequence of any kind, and do nothing otherwise.
  static let cancel = Array("\u{18}\u{1B}\\".utf8)

  /// Returns the sequences that turn on focus reports, bracketed paste and, if `mouse` is true,
  /// mouse reports with drags.
  static func modesOn(mouse: Bool) -> [UInt8] {
    let modes = [1004, 2004] + (mouse ? [1002, 1006] : [])
    return modes.flatMap { "\u{1B}[?\($0)h".utf8 }
  }

  /// Turns on mouse reports in pixels, and queries the mode: the response separates reports in
  /// cells from later ones in pixels.
  static let pixelMouseOn = Array("\u{1B}[?1016h\u{1B}[?1016$p".utf8)

  /// Turns on reports of a change between light and dark colors.
  static let colorSchemeOn = Array("\u{1B}[?2031h".utf8)

  /// Turns on reports of whether the window is visible.
  static let visibilityOn = Array("\u{1B}[?2033h".utf8)

  /// Asks whether the window is visible: the reply is `?999;1n` if it is, `?999;2n` if it is hidden.
  static let visibilityQuery = Array("\u{1B}[?998n".utf8)

  /// Turns on reports of the window's size: one at once, and one for each change.
  static let sizeReportsOn = Array("\u{1B}[?2048h".utf8)

  /// Pushes a mode of kitty's keyboard protocol: keys that are ambiguous come as reports (1), with
  /// the key of the layout for the Latin alphabet (4).
  static let pushKeyboard = Array("\u{1B}[>5u".utf8)

  /// Turns off all private modes that may be on between frames, and resets colors.
  ///
  /// The mode of synchronized updates is left alone: kitty logs an error if an update ends that has
  /// not started.
  static let modesOff = Array((String(cString: terminal_restore_modes_off()) + "\u{1B}[0m").utf8)

  /// Returns the sequences that offer to drag photos out of the window, and accept files dropped on it
  /// (OSC 72); the terminal compares the computer's name with its own.
  static func dragsOn(machine: String) -> [UInt8] {
    ["t=o:x=1;\(machine)", "t=a:x=1;\(machine)", "t=a;\(DragPacket.listType)"]
      .flatMap { "\u{1B}]72;\($0)\u{1B}\\".utf8 }
  }

  /// Blanks the screen (ED) in the terminal's own colors; the cursor stays.
  static let clearScreen = Array("\u{1B}[0m\u{1B}[2J".utf8)

  /// Reverses the screen and undoes that (DECSCNM), for terminals that then draw their border, too;
  /// a screen that was reversed before stays so.
  static let repaint = Array("\u{1B}[?5s\u{1B}[?5h\u{1B}[?5l\u{1B}[?5r".utf8)

  /// Blanks the cursor's row (EL), and moves to its start.
  static let cleanLine = Array("\u{1B}[0m\r\u{1B}[K".utf8)

  /// Saves the window's title (xterm's window operation 22).
  static let pushTitle = Array("\u{1B}[22;0t".utf8)
  /// Restores the window's title (xterm's window operation 23).
  static let popTitle = Array("\u{1B}[23;0t".utf8)

  /// Returns the sequence that sets the window's title (OSC 2) to printable text.
  static func title(_ text: String) -> [UInt8] { Array("\u{1B}]2;\(text)\u{1B}\\".utf8) }
}
