/// Text that may go to a terminal: no control, no direction override, no invisible trick in it.
///
/// Everything that a file or its metadata says passes through here before it is shown.
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
