import PhotoGridCore

/// One thing that a terminal can be asked; by xterm's `ctlseqs` where nothing else is said.
package enum TerminalQuestion: CaseIterable, Sendable {
  /// XTVERSION: name and version.
  case version
  /// The text area's size in pixels.
  case textArea
  /// A cell's size in pixels.
  case cell
  /// DECRQM: whether an update can be shown all at once (mode 2026).
  case synchronizedUpdate
  /// DECRQM: whether the mouse can be reported in pixels (mode 1016).
  case pixelMouse
  /// DECRQM: whether a change between light and dark colours can be told (mode 2031).
  case colorScheme
  /// OSC 11: the background's colour.
  case background
  /// DECRQSS: what is left of a 24-bit colour once the terminal has taken it.
  case styleReadBack
  /// XTGETTCAP: whether it has 24-bit colours (`RGB`).
  case directColor
  /// XTSMGRAPHICS: how many colours a sixel picture can have.
  case sixelRegisters
  /// XTSMGRAPHICS: how large a sixel picture can be.
  case sixelLimit
  /// A picture of one pixel in shared memory, by kitty's graphics protocol.
  case kittySharedMemory
  /// The same in a file.
  case kittyFile
  /// The same in the question itself.
  case kittyDirect
  /// iTerm2's own question for the cell's size, in points and with their scale.
  case itermCell
  /// DA1: what every terminal answers.
  case attributes
  /// XTVERSION for the terminal around tmux.
  case outerVersion
  /// OSC 11 for the terminal around tmux.
  case outerBackground
  /// DA1 for the terminal around tmux.
  case outerAttributes
}

extension TerminalQuestion {
  /// The control sequence, as the terminal has to receive it; nil where it needs what is not there.
  func request(_ objects: HandedObjects?) -> String? {
    switch self {
    case .version, .outerVersion: "\u{1B}[>0q"
    case .textArea: "\u{1B}[14t"
    case .cell: "\u{1B}[16t"
    case .synchronizedUpdate: "\u{1B}[?2026$p"
    case .pixelMouse: "\u{1B}[?1016$p"
    case .colorScheme: "\u{1B}[?2031$p"
    case .background, .outerBackground: "\u{1B}]11;?\u{1B}\\"
    case .styleReadBack: "\u{1B}[38;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[0m"
    case .directColor: "\u{1B}P+q524742\u{1B}\\"
    case .sixelRegisters: "\u{1B}[?1;1;0S"
    case .sixelLimit: "\u{1B}[?2;4;0S"
    case .kittySharedMemory: objects?.addSharedMemory(Self.pixel).map { graphics("s", $0) }
    case .kittyFile: objects?.addFile(Self.pixel).map { graphics("t", $0) }
    case .kittyDirect: graphics("d", Self.pixel)
    case .itermCell: "\u{1B}]1337;ReportCellSize\u{07}"
    case .attributes, .outerAttributes: "\u{1B}[c"
    }
  }

  /// The picture that a question by kitty's protocol is about.
  var graphicsID: UInt32? {
    switch self {
    case .kittySharedMemory: 31
    case .kittyFile: 32
    case .kittyDirect: 33
    default: nil
    }
  }

  /// Whether it is meant for the terminal around tmux.
  var isOuter: Bool {
    switch self {
    case .outerVersion, .outerBackground, .outerAttributes: true
    default: graphicsID != nil
    }
  }

  /// One black pixel: RGB, 8 bits a channel.
  private static let pixel: [UInt8] = [0, 0, 0]

  private func graphics(_ medium: String, _ payload: [UInt8]) -> String {
    let id = graphicsID ?? 0
    return "\u{1B}_Gi=\(id),s=1,v=1,a=q,t=\(medium),f=24;\(Base64.text(payload))\u{1B}\\"
  }
}

/// How much a terminal can be asked without harm.
package enum TerminalManner: Equatable, Sendable {
  /// What it does not know it ignores.
  case versed
  /// It answers for itself, would take kitty's questions for a title, and passes on to the terminal
  /// around it what is wrapped, where that is allowed.
  case tmux
  /// It is known to show parts of what it does not know, or to pass them on to who does.
  case plain
}

/// What a terminal is asked when it is first drawn on.
package struct TerminalQuestions: Equatable, Sendable {
  /// How to ask.
  package var manner: TerminalManner
  /// Whether the terminal may be on this machine, and see its files and memory.
  package var isLocal: Bool
  /// Whether it may be iTerm2 or a relative.
  package var isITerm: Bool
  /// Whether it would show kitty's question as text, as urxvt does.
  package var showsGraphicsQuestions: Bool

  /// Questions for a terminal of which no more is known than that.
  package init(
    manner: TerminalManner, isLocal: Bool = true, isITerm: Bool = false,
    showsGraphicsQuestions: Bool = false
  ) {
    self.manner = manner
    self.isLocal = isLocal
    self.isITerm = isITerm
    self.showsGraphicsQuestions = showsGraphicsQuestions
  }

  /// What is asked at first, all at once, in its order.
  package var list: [TerminalQuestion] {
    guard manner != .plain else { return [.attributes] }
    var list: [TerminalQuestion] = []
    // First what takes longest to come back.
    if manner == .tmux {
      list += [.kittyDirect, .outerVersion, .outerBackground, .outerAttributes]
    }
    list += [
      .version, .textArea, .cell, .synchronizedUpdate, .pixelMouse, .colorScheme, .background,
      .styleReadBack, .directColor, .sixelRegisters, .sixelLimit,
    ]
    if manner == .versed { list.append(.kittyDirect) }
    if isITerm { list.append(.itermCell) }
    list.append(.attributes)
    return showsGraphicsQuestions ? list.filter { $0.graphicsID == nil } : list
  }

  /// What a terminal that takes pictures is asked then.
  package var media: [TerminalQuestion] { isLocal ? [.kittySharedMemory, .kittyFile] : [] }

  /// Whether a question is among those that this terminal may be asked.
  func covers(_ question: TerminalQuestion) -> Bool {
    list.contains(question) || media.contains(question)
  }

  /// The sequences that ask something.
  ///
  /// - Parameters:
  ///   - questions: What to ask.
  ///   - objects: Where pixels are put that the terminal is to find by name.
  /// - Returns: The bytes, and the questions that are in them: not those whose object could not be
  ///   made.
  func bytes(
    asking questions: [TerminalQuestion], _ objects: HandedObjects?
  ) -> (bytes: [UInt8], asked: [TerminalQuestion]) {
    var bytes: [UInt8] = []
    var asked: [TerminalQuestion] = []
    for question in questions {
      guard let request = question.request(objects) else { continue }
      asked.append(question)
      bytes += manner == .tmux && question.isOuter ? Self.wrapped(request) : Array(request.utf8)
    }
    return (bytes, asked)
  }

  /// A sequence that tmux passes on as it is (tmux(1), `allow-passthrough`).
  static func wrapped(_ sequence: String) -> [UInt8] {
    let doubled = sequence.utf8.flatMap { $0 == 0x1B ? [0x1B, 0x1B] : [$0] }
    return Array("\u{1B}Ptmux;".utf8) + doubled + Array("\u{1B}\\".utf8)
  }
}
