import SceneModel

/// A key as kitty's keyboard protocol reports it: `CSI code:shifted:base ; modifiers:event ; text u`.
///
/// https://sw.kovidgoyal.net/kitty/keyboard-protocol/
struct KeyReport: Equatable, Sendable {
  /// The character that the key types without Shift, or a number that the protocol gives to the key.
  var code: UInt32
  /// The character that the key types with Shift; nil if it is not reported.
  var shifted: UInt32?
  /// The character at the same place of a Latin keyboard; nil if it is not reported.
  var base: UInt32?
  /// Bits: 1 Shift, 2 Alt, 4 Ctrl, 8, 16, and 32 others, 64 Caps Lock, 128 Num Lock.
  var modifiers: UInt32
  var isRelease: Bool

  /// Parses a report after `CSI`, with its final byte; returns nil if the sequence is none.
  init?(_ bytes: [UInt8]) {
    guard bytes.last == UInt8(ascii: "u") else { return nil }
    let fields = bytes.dropLast()
      .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) }
    guard (1...3).contains(fields.count), fields.allSatisfy({ $0.count <= 3 }),
      let code = Self.number(fields[0][0])
    else { return nil }
    let state = fields.count > 1 ? fields[1].map(Self.number) : []
    self.code = code
    shifted = fields[0].count > 1 ? Self.number(fields[0][1]) : nil
    base = fields[0].count > 2 ? Self.number(fields[0][2]) : nil
    // One more than the bits.
    modifiers = max(state.first.flatMap(\.self) ?? 1, 1) - 1
    isRelease = state.count > 1 && state[1] == 3
  }

  /// The keys that a terminal without the protocol sends for it, so that they mean the same in all:
  /// Ctrl-I is Tab, and Alt with a key is Escape and the key.
  var keys: [Key] {
    let isShifted = modifiers & 1 != 0
    guard !isRelease, modifiers & 0b11_1000 == 0 else { return [] }
    if let key = Self.named[code] { return [key == .tab && isShifted ? .backTab : key] }
    let typed = isShifted ? shifted ?? code : code
    let key = modifiers & 4 != 0 ? control(typed) ?? Self.key(typed) : Self.key(typed)
    guard let key else { return [] }
    return modifiers & 2 != 0 ? [.escape, key] : [key]
  }

  /// Returns the key of the control character that Ctrl and a character type; nil if they type none.
  private func control(_ typed: UInt32) -> Key? {
    let latin = typed < 0x80 ? typed : base ?? typed
    let value: UInt32
    switch latin {
    case 0x20: value = 0
    // Ctrl-/ is Ctrl-_ everywhere.
    case 0x2F: value = 0x1F
    case 0x40...0x5F, 0x61...0x7A: value = latin & 0x1F
    default: return nil
    }
    return Self.key(value)
  }

  private static func key(_ value: UInt32) -> Key? {
    // The protocol's numbers for keys are in a private area.
    guard !(0xE000...0xF8FF).contains(value) else { return nil }
    return Unicode.Scalar(value).flatMap(KeyTables.key(of:))
  }

  /// Parses a decimal number of at most seven digits.
  private static func number(_ digits: ArraySlice<UInt8>) -> UInt32? {
    guard (1...7).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return digits.reduce(0) { $0 * 10 + UInt32($1) - 0x30 }
  }

  /// The keys that type no character, and those of the keypad, by their numbers.
  private static let named: [UInt32: Key] = {
    var keys: [UInt32: Key] = [
      9: .tab, 13: .enter, 27: .escape, 127: .backspace, 57_414: .enter, 57_417: .left,
      57_418: .right, 57_419: .up, 57_420: .down, 57_421: .pageUp, 57_422: .pageDown,
      57_423: .home, 57_424: .end, 57_426: .delete,
    ]
    for (index, character) in "0123456789./*-+".enumerated() {
      keys[57_399 + UInt32(index)] = .character(character)
    }
    keys[57_415] = .character("=")
    for number in 13...35 { keys[57_376 + UInt32(number - 13)] = .function(number) }
    return keys
  }()
}
