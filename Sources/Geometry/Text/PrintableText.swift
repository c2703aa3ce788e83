/// Text that is safe to print on a terminal, without control characters, direction overrides or
/// invisible characters.
///
/// All text from files or their metadata passes through here before it is displayed.
package enum PrintableText {
  /// Returns the text of a file name or of metadata, with everything replaced that could affect the
  /// terminal.
  ///
  /// Control bytes become `?`; invalid UTF-8 and code points that a terminal does not display or
  /// would interpret become U+FFFD. Joiners and variation selectors are dropped, because terminals
  /// disagree about the width of the result.
  @inlinable package static func from(_ bytes: some Collection<UInt8>) -> String {
    replacing(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns a text with everything replaced that could affect the terminal.
  @usableFromInline package static func replacing(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7F, 0x80..<0xA0: result.append("?")
      case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF: continue
      default:
        result.append(isInvisible(scalar) ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
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

extension String {
  /// The text with a capital at its beginning.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

package enum ByteCount {
  /// Formats a byte count as file managers do: "812 B", "2.4 MB".
  package static func text(_ count: Int) -> String {
    var value = Double(max(count, 0))
    guard value >= 1000 else { return "\(count) B" }
    var unit = "kB"
    value /= 1000
    for larger in ["MB", "GB", "TB"] where value >= 999.95 {
      value /= 1000
      unit = larger
    }
    let tenths = Int((value * 10).rounded())
    return value < 99.95
      ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(Int(value.rounded())) \(unit)"
  }
}
