import SceneModel

/// Tables of the keys that terminals send in addition to those of their terminfo entry.
enum KeyTables {
  /// Returns the key of a character; nil for a control character that is no key.
  static func key(of scalar: Unicode.Scalar) -> Key? {
    switch scalar.value {
    case 0: .control(" ")
    case 8, 0x7F: .backspace
    case 9: .tab
    case 10, 13: .enter
    case 27: .escape
    case 1...26: .control(Character(Unicode.Scalar(UInt8(scalar.value + 0x60))))
    // Ctrl-\ to Ctrl-_
    case 28...31: .control(Character(Unicode.Scalar(UInt8(scalar.value + 0x40))))
    case 0x80...0x9F: nil
    default: .character(Character(scalar))
    }
  }

  /// Returns the key of a control sequence, for terminals that do not send the sequences of their
  /// terminfo entry.
  ///
  /// Modifiers are ignored.
  ///
  /// - Parameter bytes: The sequence after `CSI`, with its final byte: `1;5A`.
  /// - Returns: The key; nil if the sequence is not a key.
  static func key(ofControl bytes: [UInt8]) -> Key? {
    guard let final = bytes.last else { return nil }
    let fields = bytes.dropLast()
      .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    // With Num Lock, the modifiers have three digits in kitty.
    guard fields.count <= 2, fields.first?.count ?? 0 <= 2, fields.last?.count ?? 0 <= 3,
      fields.allSatisfy({ $0.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    let first = fields.first.map { $0.reduce(0) { $0 * 10 + Int($1) - 0x30 } } ?? 0
    if final == UInt8(ascii: "~") { return numbered[first] }
    if final == UInt8(ascii: "Z") { return .backTab }
    return first <= 1 ? cursor[final] : nil
  }

  /// Returns the key of a single shift sequence (`ESC O` and this byte): function keys F1 to F4,
  /// the keypad, and the cursor keys.
  static func key(ofSingleShift byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(byte) - 0x4F)
    case UInt8(ascii: "M"): .enter
    case UInt8(ascii: "X"): .character("=")
    // The keypad sends its characters 0x40 higher.
    case UInt8(ascii: "j")...UInt8(ascii: "y"):
      .character(Character(Unicode.Scalar(byte - 0x40)))
    default: cursor[byte]
    }
  }

  /// Returns the key of an extended terminfo capability, which ncurses reports by name: `kUP5`.
  ///
  /// The last digit, which stands for modifiers, is ignored.
  static func key(named name: String) -> Key? {
    let plain = name.last.map { ("0"..."9").contains($0) } == true ? name.dropLast() : name[...]
    return switch plain {
    case "kUP": .up
    case "kDN": .down
    case "kLFT": .left
    case "kRIT": .right
    case "kHOM": .home
    case "kEND": .end
    case "kNXT": .pageDown
    case "kPRV": .pageUp
    case "kDC": .delete
    default: nil
    }
  }

  private static let cursor: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right,
    UInt8(ascii: "D"): .left, UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end,
    // F3 would be the report of a position.
    UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2),
    UInt8(ascii: "S"): .function(4),
  ]

  // xterm's `ctlseqs`, "PC-Style Function Keys", and rxvt's 7 and 8.
  private static let numbered: [Int: Key] = [
    1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12),
  ]
}
