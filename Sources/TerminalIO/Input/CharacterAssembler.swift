/// Decodes UTF-8 byte by byte, and drops malformed sequences.
struct CharacterAssembler: Sendable {
  private var bytes: [UInt8] = []
  private var expectedCount = 0

  /// Drops an incomplete character.
  mutating func reset() { bytes.removeAll(keepingCapacity: true) }

  /// Returns the character that a byte completes; nil if it completes none.
  mutating func feed(_ byte: UInt8) -> Unicode.Scalar? {
    if byte & 0xC0 == 0x80 {
      guard !bytes.isEmpty else { return nil }
      bytes.append(byte)
    } else {
      // A new character: drop an incomplete one.
      switch byte {
      case 0x00...0x7F: expectedCount = 1
      case 0xC2...0xDF: expectedCount = 2
      case 0xE0...0xEF: expectedCount = 3
      case 0xF0...0xF4: expectedCount = 4
      default:
        reset()
        return nil
      }
      bytes = [byte]
    }
    guard bytes.count == expectedCount else { return nil }
    defer { reset() }
    // Overlong forms and surrogates do not decode.
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return text.unicodeScalars.first
  }
}
