@_spi(_Unicode) import Swift

/// Texts with one form for each letter: "é" is one character, or an "e" and an accent, depending on
/// who has typed it, and macOS writes the latter into names (Unicode Standard Annex 15, NFC).
package enum ComposedText {
  /// Returns UTF-8 with composed letters; bytes that are not valid become U+FFFD if anything changes.
  package static func of(_ text: [UInt8]) -> [UInt8] {
    guard text.withUnsafeBufferPointer({ mayChange($0) }) else { return text }
    let valid = String(decoding: text, as: UTF8.self)
    let composed = of(valid)
    return composed.utf8.elementsEqual(valid.utf8) ? text : Array(composed.utf8)
  }

  /// Returns a text with composed letters.
  package static func of(_ text: String) -> String {
    var text = text
    guard text.withUTF8({ mayChange($0) }) else { return text }
    var composed = String.UnicodeScalarView()
    for scalar in text._nfc { composed.append(scalar) }
    return String(composed)
  }

  /// Whether UTF-8 may have letters that are not composed: most texts, in most scripts, cannot.
  ///
  /// - `start`: The index of the first byte to look at.
  package static func mayChange(_ text: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Bool {
    var index = start
    while index < text.count {
      // From U+0300, where combining marks begin.
      if text[index] >= 0xcc, mayChange(text, at: index) { return true }
      index += 1
    }
    return false
  }

  /// Whether composing may change the character at an index, by its first two or three bytes.
  private static func mayChange(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    func byte(_ offset: Int) -> UInt8 { index + offset < text.count ? text[index + offset] : 0 }
    switch text[index] {
    // Greek and Coptic, Cyrillic, Hebrew, Arabic but its marks; Chinese, Japanese and Korean.
    case 0xce: return byte(1) == 0x87
    case 0xcf, 0xd0...0xd5, 0xe4...0xee: return false
    // Signs for units; the marks of kana.
    case 0xe2:
      return [0x80, 0x84, 0x8c, 0xab].contains(byte(1)) && (byte(1) != 0x80 || byte(2) < 0x82)
    case 0xe3: return byte(1) == 0x82 && (0x99...0x9a).contains(byte(2))
    default: return true
    }
  }
}
