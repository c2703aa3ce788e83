import Geometry

/// A part of a transfer of data to the clipboard by kitty's protocol (OSC 5522).
///
/// The terminal answers the last one with `OSC 5522 ; type=write:status=DONE ST`, or with an error in
/// place of `DONE`. Frames may be sent between the parts.
package enum ClipboardPacket: Equatable, Sendable {
  case start
  /// At most `maxPieceLength` bytes of data of a media type, such as `image/png`.
  case data(ArraySlice<UInt8>, type: String)
  /// The end, after which the terminal sets the clipboard.
  case end

  /// The most bytes of data in a packet; a multiple of three, so that no packet but the last is
  /// padded.
  package static let maxPieceLength = 4095

  package var bytes: [UInt8] {
    var text: [UInt8]
    switch self {
    case .start: text = Array("\u{1B}]5522;type=write".utf8)
    case .end: text = Array("\u{1B}]5522;type=wdata".utf8)
    case .data(let piece, let type):
      text = Array("\u{1B}]5522;type=wdata:mime=\(Base64.text(Array(type.utf8)));".utf8)
      Base64.encode(piece, to: &text)
    }
    return text + "\u{1B}\\".utf8
  }

  /// Returns what the terminal said about a transfer, such as "DONE" or "EPERM"; nil if a reply is
  /// about something else.
  package static func status(in reply: TerminalReply) -> String? {
    guard reply.kind == .operatingSystem, reply.body.hasPrefix("5522;") else { return nil }
    let fields = reply.body.dropFirst(5).prefix { $0 != ";" }.split(separator: ":")
    guard fields.contains("type=write"),
      let status = fields.first(where: { $0.hasPrefix("status=") })
    else { return nil }
    return PrintableText.from(status.dropFirst(7).prefix(20).utf8)
  }
}
