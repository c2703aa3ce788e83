import CNcurses
import Glibc
import SceneModel

/// The keys of the terminal's terminfo entry, as ncurses reports them.
enum CursesKeys {
  /// Sequences for the decoder, whatever the terminfo entry says about them.
  ///
  /// They are mouse reports, focus reports, and the start and end of a paste. Their codes are far
  /// above those that ncurses assigns.
  ///
  /// ncurses's own mouse support is not used: it loses presses, confuses wheels with buttons, and
  /// expects the format of the terminfo entry rather than the one that was switched on.
  private static let decoderSequences: [(code: Int32, bytes: String)] = [
    (0x1000, "\u{1B}[<"), (0x1001, "\u{1B}[M"), (0x1002, "\u{1B}[I"), (0x1003, "\u{1B}[O"),
    (0x1004, "\u{1B}[200~"), (0x1005, "\u{1B}[201~"),
  ]

  /// Makes ncurses report the decoder's sequences under their codes.
  static func define() {
    keyok(KEY_MOUSE, false)
    for sequence in decoderSequences { define_key(sequence.bytes, sequence.code) }
  }

  /// Returns all sequences that are keys in ncurses, and those for the decoder.
  ///
  /// They are read from ncurses once, so that input can be read in pieces of any size: `wgetch`
  /// reads byte by byte, and after malformed UTF-8 `wget_wch` drops the characters that follow.
  static func all() -> [(bytes: [UInt8], meaning: KeyMatcher.Meaning)] {
    let codes = Array(KEY_MIN...KEY_MAX + extendedKeyCount) + decoderSequences.map(\.code)
    return codes.flatMap { code in
      let meaning: KeyMatcher.Meaning =
        code >= decoderSequences[0].code ? .bytes : key(of: code).map { .key($0) } ?? .nothing
      return bytes(of: code).map { ($0, meaning) }
    }
  }

  /// The number of key codes to try after those with names.
  ///
  /// ncurses assigns these codes to the extended keys of a terminfo entry, of which the longest
  /// entries have about a hundred.
  private static let extendedKeyCount: Int32 = 256

  private static func bytes(of code: Int32) -> [[UInt8]] {
    var found: [[UInt8]] = []
    while let text = keybound(code, Int32(found.count)) {
      // terminfo writes NUL, which would end a string, as 0x80.
      found.append(bytes(of: text))
      free(text)
    }
    return found
  }

  private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    (0..<strlen(text)).map { UInt8(bitPattern: text[$0]) == 0x80 ? 0 : UInt8(bitPattern: text[$0]) }
  }

  private static func key(of code: Int32) -> Key? {
    let functionKeys = curses_key_f(1)...curses_key_f(63)
    if functionKeys.contains(code) { return .function(Int(code - curses_key_f(0))) }
    return switch code {
    case KEY_UP, KEY_SR: .up
    case KEY_DOWN, KEY_SF: .down
    case KEY_LEFT, KEY_SLEFT: .left
    case KEY_RIGHT, KEY_SRIGHT: .right
    case KEY_HOME, KEY_SHOME, KEY_FIND, KEY_A1: .home
    case KEY_END, KEY_SEND, KEY_SELECT, KEY_C1: .end
    case KEY_PPAGE, KEY_SPREVIOUS, KEY_A3: .pageUp
    case KEY_NPAGE, KEY_SNEXT, KEY_C3: .pageDown
    case KEY_DC, KEY_SDC: .delete
    case KEY_BACKSPACE: .backspace
    case KEY_BTAB: .backTab
    case KEY_ENTER: .enter
    default: keyname(code).flatMap { KeyTables.key(named: String(cString: $0)) }
    }
  }
}

/// The terminfo database, without an open session.
package enum Terminfo {
  /// Returns the colors of a terminal type.
  ///
  /// - Parameter type: The value of `TERM`.
  /// - Returns: The number of colors, 0 if there are none or the type is unknown; and whether
  ///   colors are given as 24-bit RGB.
  package static func colors(of type: String) -> (count: Int, isDirect: Bool) {
    guard !type.isEmpty else { return (0, false) }
    var isDirect: Int32 = 0
    let count = Int(curses_color_count(type, &isDirect))
    return (max(0, count), isDirect != 0)
  }
}
