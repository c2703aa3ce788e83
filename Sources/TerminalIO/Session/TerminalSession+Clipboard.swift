import PhotoGridCore

extension TerminalSession {
  /// Asks the terminal to keep bytes as what was copied (OSC 52), behind the last frame.
  ///
  /// Whether it does is not known: many do only where they were told that programs may.
  package func copy(_ bytes: [UInt8]) {
    send(Array("\u{1B}]52;c;".utf8) + Self.base64(bytes) + Array("\u{1B}\\".utf8))
  }

  /// Bytes in letters, by RFC 4648.
  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        let isFilled = place <= group.count
        text.append(
          isFilled ? letters[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
      }
    }
    return text
  }
}
