import CNcurses

/// Facts of the terminfo database that are asked for without a session.
package enum Terminfo {
  /// The colours of a kind of terminal.
  ///
  /// - Returns: How many there are, 0 where there are none or the kind is not known; and whether
  ///   they are given by 24 bits.
  package static func colors(of type: String) -> (count: Int, areDirect: Bool) {
    guard !type.isEmpty else { return (0, false) }
    var isDirect: Int32 = 0
    let count = Int(curses_color_count(type, &isDirect))
    return (max(0, count), isDirect != 0)
  }
}
