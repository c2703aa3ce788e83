import SceneModel

package enum InputEvent: Equatable, Sendable {
  case key(Key)
  /// The mouse was moved, or a button or wheel used.
  case mouse(MouseEvent)
  case focusGained
  case focusLost
  /// Text was pasted; the value is its first bytes.
  case paste([UInt8])
  /// The terminal responded to a query, or reported something by itself.
  case reply(TerminalReply)
  /// The terminal was closed: nothing more arrives, and nothing can be written.
  case disconnected
}

package struct TerminalReply: Equatable, Sendable {
  package var kind: Kind
  /// For `.control` the parameters and the final byte (`?62;4c`), else the text of the string.
  package var body: String

  package init(_ kind: Kind, _ body: String) {
    self.kind = kind
    self.body = body
  }

  /// The introducer of a sequence.
  package enum Kind: Equatable, Sendable {
    /// `CSI`
    case control
    /// `DCS … ST`
    case device
    /// `OSC … ST`, or with BEL at the end
    case operatingSystem
    /// `APC … ST`, as kitty's graphics protocol uses it
    case application
  }

  /// The response to `CSI 5 n`: the terminal has processed everything written before.
  package static let ready = TerminalReply(.control, "0n")
}
