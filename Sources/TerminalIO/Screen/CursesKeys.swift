import CNcurses
import PhotoGridCore

/// What ncurses reads, by the terminfo entry's names for keys.
enum CursesKeys {
  /// One result of reading.
  enum Reading {
    case unit(InputDecoder.Unit)
    /// A sequence that ncurses recognised but that the decoder reads itself.
    case bytes([UInt8])
    /// A key without a meaning here.
    case unknown
  }

  /// Sequences that are the decoder's, whatever the terminfo entry takes them for, under codes far
  /// above those that ncurses hands out.
  ///
  /// ncurses's own mouse is not used: it loses presses, confuses wheels with buttons, and reads the
  /// format that the terminfo entry names rather than the one that was switched on.
  private static let sequences: [(code: Int32, bytes: String)] = [
    (0x1000, "\u{1B}[<"), (0x1001, "\u{1B}[M"), (0x1002, "\u{1B}[I"), (0x1003, "\u{1B}[O"),
    (0x1004, "\u{1B}[200~"), (0x1005, "\u{1B}[201~"),
  ]

  /// Makes ncurses report the decoder's sequences as such.
  static func define() {
    keyok(KEY_MOUSE, false)
    for sequence in sequences { define_key(sequence.bytes, sequence.code) }
  }

  /// Reads without waiting, but for what may follow an ESC; nil if there is nothing.
  ///
  /// Bytes rather than wide characters: from malformed UTF-8 ncurses would swallow what follows.
  static func read(from pad: curses_window) -> Reading? {
    let code = wgetch(pad)
    guard code != ERR else { return nil }
    if let byte = UInt8(exactly: code) { return .unit(.byte(byte)) }
    if let sequence = sequences.first(where: { $0.code == code }) {
      return .bytes(Array(sequence.bytes.utf8))
    }
    return key(of: code).map { .unit(.key($0)) } ?? .unknown
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
