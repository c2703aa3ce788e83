import PhotoGridCore

extension TerminalSession {
  /// Sends bytes to the clipboard (OSC 52), after the last frame.
  ///
  /// Terminals do not confirm the sequence, and many ignore it unless their settings allow it.
  package func copy(_ bytes: [UInt8]) {
    send(Array("\u{1B}]52;c;\(Base64.text(bytes))\u{1B}\\".utf8))
  }
}
