import Geometry

/// What the terminal reports about drag and drop by kitty's protocol (OSC 72).
///
/// A sequence is `OSC 72 ; key=value:key=value… ; payload ST`.
package enum DragReport: Equatable, Sendable {
  // MARK: Dragging out

  /// The user has begun to drag, and the program may answer with a drag to other windows, at once or
  /// later in the same drag.
  case offered
  /// The drag to other windows has begun.
  case started
  /// The drag cannot begin, or was given up by the terminal: a name such as "EPERM", printable.
  case refused(String)
  /// The list of what is dragged is needed once more.
  case listRequested
  /// The bytes of a dragged file are needed, because it is taken to another computer.
  case fileRequested
  /// The drag is over, whether anything was dropped or not.
  case ended

  // MARK: Dropping

  /// Something is dragged over a cell of the window; `types` are the media types in which it can be
  /// dropped, and empty if they are the same as before.
  case hovered(CellPoint, types: [String])
  /// What was dragged over the window has left it.
  case left
  /// Something was dropped on a cell; `types` are its media types in the order of their numbers.
  case dropped(CellPoint, types: [String])
  /// A part of the data that was requested, in Base64; `isRemote` is whether the files in it are on
  /// another computer.
  case data(Substring, isRemote: Bool)
  /// All of the data has been sent.
  case dataEnded
  /// The data cannot be read.
  case dataFailed

  /// Parses a reply; nil if it is none of these reports.
  package init?(_ reply: TerminalReply) {
    guard reply.kind == .operatingSystem, reply.body.hasPrefix("72;") else { return nil }
    let parts = reply.body.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
    var values: [Substring: Substring] = [:]
    for field in parts[1].split(separator: ":") {
      let pair = field.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { values[pair[0]] = pair[1] }
    }
    let payload = parts.count > 2 ? parts[2] : ""
    func number(_ key: Substring) -> Int { values[key].flatMap { Int32($0) }.map(Int.init) ?? 0 }
    let cell = CellPoint(column: number("x"), row: number("y"))
    let types = payload.split(separator: " ").map(String.init)
    switch (values["t"], number("x")) {
    case ("o", _): self = .offered
    case ("E", _) where payload == "OK": self = .started
    case ("E", _):
      let name = payload.prefix { $0 != ":" }
      self = .refused(PrintableText.from(name.prefix(20).utf8))
    case ("e", 4): self = .ended
    case ("e", 5): self = .listRequested
    case ("k", _): self = .fileRequested
    case ("m", ..<0): self = .left
    case ("m", _): self = .hovered(cell, types: types)
    case ("M", _): self = .dropped(cell, types: types)
    case ("R", _): self = .dataFailed
    // Only the first part needs more than `m`.
    case ("r", _), (nil, _):
      guard values["t"] != nil || values["m"] != nil else { return nil }
      let isEnd = payload.isEmpty && number("m") == 0
      self = isEnd ? .dataEnded : .data(payload, isRemote: number("X") != 0)
    default: return nil
    }
  }

  /// Whether a reply says that the terminal supports the protocol.
  static func confirmsSupport(_ body: Substring) -> Bool { body.hasPrefix("72;t=q") }
}
