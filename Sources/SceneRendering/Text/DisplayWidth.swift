extension Unicode.Scalar {
  /// How many cells terminals give it: 0 to 2; nil where nothing is known or it is a control.
  ///
  /// The C library's answer depends on the locale and on its age; this one is Unicode's "East
  /// Asian Width", wide and full width, with Swift's tables for what is a mark or an emoji.
  var displayWidth: Int? {
    if isASCII { return value < 0x20 || value == 0x7F ? nil : 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return nil
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .spacingMark, .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation,
      .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol,
      .otherSymbol, .spaceSeparator, .privateUse:
      break
    @unknown default: return nil
    }
    if isHangulEnding { return 0 }
    // The two halves of a flag together are as wide as an emoji.
    if (0x1F1E6...0x1F1FF).contains(value) { return 1 }
    return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
  }

  /// Whether it is drawn over the character before it.
  var isCombining: Bool {
    switch properties.generalCategory {
    // Variation selectors are marks too, but choose how wide some terminals draw.
    case .nonspacingMark, .enclosingMark: !properties.isVariationSelector
    default: isHangulEnding
    }
  }

  /// Whether it is a vowel or a final, which joins the letter before it.
  private var isHangulEnding: Bool { (0x1160...0x11FF).contains(value) }

  /// Blocks of wide characters that are not emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}
