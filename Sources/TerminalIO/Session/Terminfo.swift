import CNcurses

/// Facts of the terminfo database that are asked for without a session.
package enum Terminfo {
  /// How many colours a kind of terminal has; 0 where it has none or is not known.
  package static func colorCount(of type: String) -> Int {
    type.isEmpty ? 0 : max(0, Int(curses_color_count(type)))
  }
}
