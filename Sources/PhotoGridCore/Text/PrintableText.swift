import CWideCharacter

/// Text that may go to a terminal: no control, no direction override, no invisible trick in it.
///
/// Everything that a file or its metadata says passes through here before it is shown. Widths are
/// counted in terminal columns by the C library's `wcwidth`, which ncurses uses too; the locale has
/// to be set for more than ASCII.
package enum PrintableText {
  /// The text of a file name or of metadata, with whatever could act on the terminal replaced.
  ///
  /// Control bytes become `?`, invalid UTF-8 and code points that a terminal would not show or
  /// would act upon become U+FFFD. Joiners and variation selectors are dropped, since terminals
  /// disagree about the width of what they join.
  package static func from(_ bytes: some Collection<UInt8>) -> String {
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7F, 0x80..<0xA0: result.append("?")
      case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF: continue
      default:
        let isShown = width(of: scalar) != nil
        result.append(isShown && !isInvisible(scalar) ? scalar : "\u{FFFD}")
      }
    }
    return String(result)
  }

  /// The number of columns that printable text takes.
  package static func width(_ text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + (width(of: $1) ?? 0) }
  }

  /// The text cut in its middle with an ellipsis so that it takes at most `columns`.
  ///
  /// The end of a name, where its number and extension are, says as much as its beginning.
  package static func cutInMiddle(_ text: String, to columns: Int) -> String {
    guard width(text) > columns else { return text }
    guard columns > 1 else { return columns == 1 ? ellipsis : "" }
    let tail = take(text.reversed(), columns: (columns - 1) / 2)
    let head = take(text, columns: columns - 1 - width(String(tail)))
    return String(head) + ellipsis + String(tail.reversed())
  }

  /// The beginning of the text, with an ellipsis where something was cut, in at most `columns`.
  package static func cutAtEnd(_ text: String, to columns: Int) -> String {
    guard width(text) > columns else { return text }
    guard columns > 1 else { return columns == 1 ? ellipsis : "" }
    return String(take(text, columns: columns - 1)) + ellipsis
  }

  private static var ellipsis: String { wcwidth(0x2026) == 1 ? "…" : "~" }

  private static func take(_ characters: some Sequence<Character>, columns: Int) -> [Character] {
    var left = columns
    var result: [Character] = []
    for character in characters {
      left -= width(String(character))
      guard left >= 0 else { break }
      result.append(character)
    }
    return result
  }

  /// Columns of one scalar, 0 for combining marks; nil for what the C library calls unprintable.
  private static func width(of scalar: Unicode.Scalar) -> Int? {
    if scalar.value < 0x7F { return scalar.value < 0x20 ? nil : 1 }
    let columns = wcwidth(wchar_t(scalar.value))
    return columns < 0 ? nil : Int(columns)
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      true
    default: false
    }
  }
}
