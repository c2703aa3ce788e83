import CNcurses

/// The terminfo database, without an open session.
package enum Terminfo {
  /// Returns the colours of a terminal type.
  ///
  /// - Parameter type: The value of `TERM`.
  /// - Returns: The number of colours, 0 if there are none or the type is unknown; and whether
  ///   colours are given as 24-bit RGB.
  package static func colors(of type: String) -> (count: Int, isDirect: Bool) {
    guard !type.isEmpty else { return (0, false) }
    var isDirect: Int32 = 0
    let count = Int(curses_color_count(type, &isDirect))
    return (max(0, count), isDirect != 0)
  }
}
