import Glibc

/// The responses of a terminal to the queries of programs: tables of recorded responses of real
/// terminals.
package struct TerminalModel: Sendable {
  /// The responses to queries, which are always the same.
  package var replies: [String: String]
  /// The responses to pictures by kitty's protocol, by their medium, which is a letter.
  ///
  /// Pictures of other media get an error; if this is empty, nothing gets a response.
  package var graphics: [Character: String] = [:]
  /// The response to pictures that are shown rather than queried; empty for none, nil for the same
  /// as to queries.
  package var shownGraphics: String?
  /// The terminal around a multiplexer, which passes on what is wrapped.
  package var outer: [TerminalModel] = []
  /// Whether characters show pictures (`U=1`).
  package var knowsPlaceholders = false
  /// Nanoseconds until a response is sent.
  package var delay: Int64 = 0
  /// The bytes of a response that are sent at a time, two milliseconds apart; nil for all of them.
  package var pieceSize: Int?

  /// Creates a terminal with the given responses.
  package init(_ replies: [String: String]) { self.replies = replies }

  /// A terminal with the fewest responses that are needed to be drawn on.
  package static let modest = TerminalModel([
    "\u{1B}[5n": "\u{1B}[0n", "\u{1B}[c": "\u{1B}[?62;22c", "\u{1B}[6n": "\u{1B}[1;1R",
    "\u{1B}[16t": "\u{1B}[6;20;10t",
  ])

  /// kitty 0.26.5, with cells of 10 by 20 pixels.
  package static let kitty: TerminalModel = {
    var model = modest.adding([
      "\u{1B}[c": "\u{1B}[?62;c", "\u{1B}[>0q": "\u{1B}P>|kitty(0.26.5)\u{1B}\\",
      "\u{1B}[14t": "\u{1B}[4;480;800t", "\u{1B}[?2026$p": "\u{1B}[?2026;2$y",
      "\u{1B}[?1016$p": "\u{1B}[?1016;2$y", "\u{1B}[?2031$p": "\u{1B}[?2031;0$y",
      "\u{1B}]11;?\u{1B}\\": "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\",
      "\u{1B}P$qm\u{1B}\\": "\u{1B}P1$r38:2:1:2:3m\u{1B}\\",
      "\u{1B}P+q524742\u{1B}\\": "\u{1B}P0+r524742\u{1B}\\",
    ])
    model.graphics = ["d": "OK", "t": "OK", "s": "OK"]
    return model
  }()

  /// kitty 0.40, which shows pictures by placeholder characters.
  package static let kittyWithPlaceholders: TerminalModel = {
    var model = kitty.adding(["\u{1B}[>0q": "\u{1B}P>|kitty(0.40.1)\u{1B}\\"])
    model.knowsPlaceholders = true
    return model
  }()

  /// kitty 0.48.2.
  package static let kittyOfToday = kittyWithPlaceholders.adding([
    "\u{1B}]22;?default,pointer,zoom-out,grab,grabbing,text\u{1B}\\":
      "\u{1B}]22;1,1,1,1,1,1\u{1B}\\",
    "\u{1B}]99;i=photogrid:p=?;\u{1B}\\": "\u{1B}]99;i=photogrid:p=?;p=title,body\u{1B}\\",
    "\u{1B}[>0q": "\u{1B}P>|kitty(0.48.2)\u{1B}\\", "\u{1B}[c": "\u{1B}[?62;52;c",
    "\u{1B}[?u": "\u{1B}[?0u", "\u{1B}[?2031$p": "\u{1B}[?2031;2$y",
    "\u{1B}[?2048$p": "\u{1B}[?2048;2$y", "\u{1B}[?2048h": "\u{1B}[48;24;80;480;800t",
    "\u{1B}P$qm\u{1B}\\": "\u{1B}P1$r0;38:2:1:2:3m\u{1B}\\",
  ])

  /// xterm 379, started with `-ti vt340`.
  package static let xterm = modest.adding([
    "\u{1B}[c": "\u{1B}[?63;1;2;4;6;9;15;16;22;28c", "\u{1B}[>0q": "\u{1B}P>|XTerm(379)\u{1B}\\",
    "\u{1B}[?2026$p": "\u{1B}[?2026;0$y", "\u{1B}[?1016$p": "\u{1B}[?1016;2$y",
    "\u{1B}[?2031$p": "\u{1B}[?2031;0$y", "\u{1B}[16t": "",
    "\u{1B}]11;?\u{1B}\\": "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\",
    "\u{1B}P$qm\u{1B}\\": "\u{1B}P1$r0;38:2::1:2:3m\u{1B}\\",
    "\u{1B}[?1;1;0S": "\u{1B}[?1;0;1024S", "\u{1B}[?2;4;0S": "\u{1B}[?2;0;1000;1000S",
  ])

  /// foot 1.13.1.
  package static let foot = modest.adding([
    "\u{1B}[c": "\u{1B}[?62;4;22c", "\u{1B}[>0q": "\u{1B}P>|foot(1.13.1)\u{1B}\\",
    "\u{1B}[14t": "\u{1B}[4;480;800t", "\u{1B}[?2026$p": "\u{1B}[?2026;2$y",
    "\u{1B}[?1016$p": "\u{1B}[?1016;2$y", "\u{1B}[?2031$p": "\u{1B}[?2031;0$y",
    "\u{1B}]11;?\u{1B}\\": "\u{1B}]11;rgb:2424/2424/2424\u{1B}\\",
    "\u{1B}P$qm\u{1B}\\": "\u{1B}P1$r0;38:2::1:2:3m\u{1B}\\",
    "\u{1B}P+q524742\u{1B}\\": "\u{1B}P1+r524742=38\u{1B}\\",
    "\u{1B}[?1;1;0S": "\u{1B}[?1;0;1024S", "\u{1B}[?2;4;0S": "\u{1B}[?2;0;10000;10000S",
  ])

  /// mlterm 3.9.0.
  package static let mlterm = modest.adding([
    "\u{1B}[c": "\u{1B}[?63;1;2;3;4;7;29c", "\u{1B}[14t": "\u{1B}[4;480;800t",
    "\u{1B}[?2026$p": "\u{1B}[?2026;0$y", "\u{1B}[?1016$p": "\u{1B}[?1016;0$y",
    "\u{1B}[?2031$p": "\u{1B}[?2031;0$y",
    "\u{1B}]11;?\u{1B}\\": "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\",
    "\u{1B}P$qm\u{1B}\\": "\u{1B}P1$r0;38;5;16m\u{1B}\\",
    "\u{1B}P+q524742\u{1B}\\": "\u{1B}P0+r524742\u{1B}\\",
    "\u{1B}[?1;1;0S": "\u{1B}[?1;0;1024S", "\u{1B}[?2;4;0S": "\u{1B}[?2;3;0S",
  ])

  /// Alacritty 0.11.
  package static let alacritty = modest.adding([
    "\u{1B}[c": "\u{1B}[?6c", "\u{1B}[14t": "\u{1B}[4;480;800t", "\u{1B}[16t": "",
    "\u{1B}]11;?\u{1B}\\": "\u{1B}]11;rgb:1d1d/1f1f/2121\u{1B}\\",
  ])

  /// urxvt 9.30.
  package static let urxvt = modest.adding([
    "\u{1B}[c": "\u{1B}[?1;2c", "\u{1B}[>c": "\u{1B}[>85;95;0c", "\u{1B}[16t": "",
    "\u{1B}[14t": "\u{1B}[4;600;800t", "\u{1B}[?2026$p": "\u{1B}[?2026;0$y",
  ])

  /// tmux 3.3a, which passes wrapped sequences on to the terminal around it if there is one.
  package static func tmux(in outer: TerminalModel?) -> TerminalModel {
    var model = modest.adding([
      "\u{1B}[c": "\u{1B}[?1;2c", "\u{1B}[>0q": "\u{1B}P>|tmux 3.3a\u{1B}\\", "\u{1B}[16t": "",
    ])
    model.outer = outer.map { [$0] } ?? []
    return model
  }

  /// The terminal with more or other responses; an empty response removes one.
  package func adding(_ more: [String: String]) -> TerminalModel {
    var model = self
    model.replies.merge(more) { $1 }
    return model
  }

  /// The responses to a program's output.
  package func replies(to bytes: [UInt8]) -> [UInt8] {
    var scanner = SequenceScanner()
    return scanner.sequences(in: bytes).flatMap { reply(to: $0).utf8 }
  }

  /// The response to a control sequence; empty if there is none.
  package func reply(to question: String) -> String {
    if let reply = replies[question] { return reply }
    if question.hasPrefix("\u{1B}_G") { return graphicsReply(to: question) }
    let wrapper = "\u{1B}Ptmux;"
    if question.hasPrefix(wrapper), let outer = outer.first {
      let text = question.dropFirst(wrapper.count).dropLast(2)
      return outer.reply(
        to: text.split(separator: "\u{1B}\u{1B}", omittingEmptySubsequences: false)
          .joined(separator: "\u{1B}"))
    }
    return ""
  }

  /// The response to a picture that is shown, or queried.
  private func graphicsReply(to command: String) -> String {
    var keys: [Substring: Substring] = [:]
    for part in command.dropFirst(3).prefix(while: { $0 != ";" && $0 != "\u{1B}" }).split(
      separator: ",")
    {
      let sides = part.split(separator: "=")
      if sides.count == 2 { keys[sides[0]] = sides[1] }
    }
    // kitty rejects commands with keys that it does not know.
    if keys["U"] != nil, !knowsPlaceholders { return "" }
    // More of it follows, or no response is wanted.
    guard !graphics.isEmpty, let id = keys["i"], keys["q"] == nil, keys["m"] != "1" else {
      return ""
    }
    let medium = (keys["t"] ?? "d").first ?? "d"
    if let shownGraphics, keys["a"] != "q" {
      return shownGraphics.isEmpty ? "" : "\u{1B}_Gi=\(id);\(shownGraphics)\u{1B}\\"
    }
    return "\u{1B}_Gi=\(id);\(graphics[medium] ?? "EBADF:no such object")\u{1B}\\"
  }
}
