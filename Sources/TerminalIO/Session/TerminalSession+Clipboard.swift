import PhotoGridCore

extension TerminalSession {
  /// Asks the terminal to keep bytes as what was copied (OSC 52), behind the last frame.
  ///
  /// Whether it does is not known: many do only where they were told that programs may.
  package func copy(_ bytes: [UInt8]) {
    send(Array("\u{1B}]52;c;\(Base64.text(bytes))\u{1B}\\".utf8))
  }
}
