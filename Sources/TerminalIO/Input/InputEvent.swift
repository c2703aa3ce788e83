import PhotoGridCore

/// Something that came in from the terminal.
package enum InputEvent: Equatable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  case focusGained
  case focusLost
  /// Text was pasted, which is not to be taken for keys; its first bytes.
  case paste([UInt8])
  /// The terminal answered a question, or told something unasked.
  case reply(TerminalReply)
  /// The terminal is gone: nothing more will come, nothing can be written.
  case disconnected
}

/// A control sequence that a terminal sends by itself, without its introducer and terminator.
package struct TerminalReply: Equatable, Sendable {
  package var kind: Kind
  /// For `.control` the parameters and the final byte (`?62;4c`), else the text of the string.
  package var body: String

  /// A reply with the given body.
  package init(_ kind: Kind, _ body: String) {
    self.kind = kind
    self.body = body
  }

  /// The sequence's introducer.
  package enum Kind: Equatable, Sendable {
    /// `CSI`
    case control
    /// `DCS … ST`
    case device
    /// `OSC … ST`, or ended by BEL
    case operatingSystem
    /// `APC … ST`: kitty's graphics protocol answers so.
    case application
  }

  /// What answers `CSI 5 n`: the terminal has worked through all that was written before.
  package static let ready = TerminalReply(.control, "0n")
}
