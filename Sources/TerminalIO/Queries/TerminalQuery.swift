import Geometry
import SceneModel

/// A property that a terminal can be queried for.
///
/// The sequences are from xterm's `ctlseqs`, unless another source is named.
package enum TerminalQuery: CaseIterable, Sendable {
  case version
  /// DA2: the kind of terminal, as a number.
  case secondaryAttributes
  case textArea
  case cell
  /// DECRQM: support for synchronized updates (mode 2026).
  case synchronizedUpdate
  /// DECRQM: support for mouse reports in pixels (mode 1016).
  case pixelMouse
  /// DECRQM: support for reports of a change between light and dark colors (mode 2031).
  case colorScheme
  /// DECRQM: support for reports of whether the window is visible (mode 2033 of Rockorager's visibility
  /// reports).
  case visibility
  /// DECRQM: support for reports of a new size of the window (mode 2048).
  case sizeReports
  /// The current mode of kitty's keyboard protocol, which only terminals that support it report.
  case keyboard
  /// Shapes of the pointer (OSC 22).
  case pointerShapes
  /// Notifications of the desktop (OSC 99).
  case notifications
  case background
  /// DECRQSS: the text color after a 24-bit color was set, to see whether it was kept.
  case styleReadBack
  /// XTGETTCAP: whether the terminal claims 24-bit colors (`RGB`).
  case directColor
  /// XTSMGRAPHICS: the number of colors of a sixel picture.
  case sixelRegisters
  /// XTSMGRAPHICS: the largest size of a sixel picture.
  case sixelLimit
  /// A picture of one pixel in shared memory, by kitty's graphics protocol.
  case kittySharedMemory
  /// A picture of one pixel in a file, by kitty's graphics protocol.
  case kittyFile
  /// A picture of one pixel that characters can show, by kitty's graphics protocol.
  case kittyPlaceholders
  /// A picture of one pixel in the sequence itself, by kitty's graphics protocol.
  case kittyDirect
  /// iTerm2's own query of a cell's size, in points and with the scale of the screen.
  case itermCell
  /// Whether the terminal supports kitty's protocol for drag and drop (OSC 72), which it is asked only if
  /// it probably does: versions of kitty before it log an error.
  case dragAndDrop
  /// DA1: the primary device attributes, which every terminal reports.
  case attributes
  /// XTVERSION for the terminal around tmux.
  case outerVersion
  /// OSC 11 for the terminal around tmux.
  case outerBackground
  /// DA1 for the terminal around tmux.
  case outerAttributes
}

extension TerminalQuery {
  /// Returns the control sequence to send to the terminal.
  ///
  /// - Parameter objects: The storage for a picture that the terminal reads by name.
  /// - Returns: The sequence; nil if such a picture cannot be stored, or `objects` is nil.
  func request(_ objects: TransferObjects?) -> String? {
    switch self {
    case .version, .outerVersion: "\u{1B}[>0q"
    case .secondaryAttributes: "\u{1B}[>c"
    case .textArea: "\u{1B}[14t"
    case .cell: "\u{1B}[16t"
    case .synchronizedUpdate: "\u{1B}[?2026$p"
    case .pixelMouse: "\u{1B}[?1016$p"
    case .colorScheme: "\u{1B}[?2031$p"
    case .visibility: "\u{1B}[?2033$p"
    case .sizeReports: "\u{1B}[?2048$p"
    case .keyboard: "\u{1B}[?u"
    case .pointerShapes:
      "\u{1B}]22;?\(PointerShape.allCases.map(\.rawValue).joined(separator: ","))\u{1B}\\"
    case .notifications: "\u{1B}]99;i=photogrid:p=?;\u{1B}\\"
    case .background, .outerBackground: "\u{1B}]11;?\u{1B}\\"
    case .styleReadBack: "\u{1B}[38;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[0m"
    case .directColor: "\u{1B}P+q524742\u{1B}\\"
    case .sixelRegisters: "\u{1B}[?1;1;0S"
    case .sixelLimit: "\u{1B}[?2;4;0S"
    case .kittySharedMemory: objects?.addSharedMemory(Self.pixel).map { graphics("s", $0) }
    case .kittyFile: objects?.addFile(Self.pixel).map { graphics("t", $0) }
    case .kittyPlaceholders: graphics("d,U=1", Self.pixel)
    case .kittyDirect: graphics("d", Self.pixel)
    case .itermCell: "\u{1B}]1337;ReportCellSize\u{07}"
    case .dragAndDrop: "\u{1B}]72;t=q:i=1\u{1B}\\"
    case .attributes, .outerAttributes: "\u{1B}[c"
    }
  }

  /// The id of the picture in a query by kitty's protocol; nil for all others.
  var graphicsID: UInt32? {
    switch self {
    case .kittySharedMemory: 31
    case .kittyFile: 32
    case .kittyDirect: 33
    case .kittyPlaceholders: 34
    default: nil
    }
  }

  /// Whether the query is for the terminal around tmux.
  var isOuter: Bool {
    switch self {
    case .outerVersion, .outerBackground, .outerAttributes: true
    default: graphicsID != nil
    }
  }

  /// One black pixel: RGB, 8 bits a channel (`f=24`).
  private static let pixel: [UInt8] = [0, 0, 0]

  private func graphics(_ medium: String, _ payload: [UInt8]) -> String {
    let id = graphicsID ?? 0
    return "\u{1B}_Gi=\(id),s=1,v=1,a=q,t=\(medium),f=24;\(Base64.text(payload))\u{1B}\\"
  }
}

/// The queries that can be sent to a terminal without harm.
package enum QueryPolicy: Equatable, Sendable {
  /// All: the terminal ignores those that it does not support.
  case full
  /// All; picture queries are wrapped so that tmux passes them to its terminal.
  ///
  /// tmux itself would show kitty's queries as a title; it passes on wrapped ones if its option
  /// `allow-passthrough` is on.
  case tmux
  /// Only DA1: the terminal shows parts of other queries, or passes them on to a terminal that
  /// does.
  case minimal
  /// DA1, and the background of the terminal around GNU screen.
  ///
  /// Screen passes unknown strings on to the terminal, as text; what is wrapped in a DCS reaches the
  /// terminal as it is.
  case screen

  /// Whether the terminal itself gets DA1 alone.
  package var isMinimal: Bool {
    switch self {
    case .minimal, .screen: true
    case .full, .tmux: false
    }
  }
}

/// The queries for a terminal, sent before the first frame.
package struct TerminalQueries: Equatable, Sendable {
  package var policy: QueryPolicy
  /// Whether the terminal may run on this machine, and read its files and shared memory.
  package var isLocal: Bool
  /// Whether the terminal may be iTerm2, or one that imitates it.
  package var isITerm: Bool
  /// Whether the terminal is kitty, which logs an error for queries about sixel and XTGETTCAP.
  package var isKitty: Bool
  /// Whether the terminal would show the queries of kitty's protocol as text, as urxvt does.
  package var showsGraphicsQueries: Bool

  package init(
    policy: QueryPolicy, isLocal: Bool = true, isITerm: Bool = false, isKitty: Bool = false,
    showsGraphicsQueries: Bool = false
  ) {
    self.policy = policy
    self.isLocal = isLocal
    self.isITerm = isITerm
    self.isKitty = isKitty
    self.showsGraphicsQueries = showsGraphicsQueries
  }

  /// The first queries, in the order in which they are sent.
  package var list: [TerminalQuery] {
    switch policy {
    case .minimal: return [.attributes]
    case .screen: return [.outerBackground, .attributes]
    case .full, .tmux: break
    }
    var list: [TerminalQuery] = [
      .version, .secondaryAttributes, .textArea, .cell, .synchronizedUpdate, .pixelMouse,
      .colorScheme, .visibility, .sizeReports, .keyboard, .background, .styleReadBack,
    ]
    if !isKitty { list += [.directColor, .sixelRegisters, .sixelLimit] }
    if policy == .full { list.append(.kittyDirect) }
    if isITerm { list.append(.itermCell) }
    list.append(.attributes)
    return showsGraphicsQueries ? list.filter { $0.graphicsID == nil } : list
  }

  /// The queries to send once the terminal has shown that it supports kitty's protocol.
  package var media: [TerminalQuery] {
    (isLocal ? [.kittySharedMemory, .kittyFile] : [])
      + (policy == .tmux ? [.kittyPlaceholders] : [])
  }

  /// The queries to send once the terminal has responded to the first ones: for what no frame needs,
  /// and what kitty logs as an error before the version that knows it.
  func late(_ responses: TerminalResponses) -> [TerminalQuery] {
    guard policy == .full else { return [] }
    let kitty = responses.kittyRelease ?? .max
    let known: [(TerminalQuery, Int)] = [(.pointerShapes, 31), (.notifications, 36)]
    let queries = known.filter { kitty >= $0.1 }.map(\.0)
    return queries.isEmpty ? [] : queries + [.attributes]
  }

  /// The queries for the terminal around tmux, once tmux passes them on.
  package var outer: [TerminalQuery] {
    policy == .tmux ? [.kittyDirect, .outerVersion, .outerBackground, .outerAttributes] : []
  }

  /// Whether a query may be sent to this terminal.
  func covers(_ query: TerminalQuery) -> Bool {
    list.contains(query) || media.contains(query) || outer.contains(query)
      || policy == .full && [.pointerShapes, .notifications, .dragAndDrop].contains(query)
  }

  /// Returns the control sequences of queries.
  ///
  /// - Returns: The bytes, and the queries in them; queries whose picture could not be stored are
  ///   left out.
  func bytes(
    for queries: [TerminalQuery], _ objects: TransferObjects?
  ) -> (bytes: [UInt8], sent: [TerminalQuery]) {
    var bytes: [UInt8] = []
    var sent: [TerminalQuery] = []
    for query in queries {
      guard let request = query.request(objects) else { continue }
      sent.append(query)
      switch policy {
      case .tmux where query.isOuter: bytes += Self.wrapped(request)
      // In screen's DCS, an ST would end the DCS itself.
      case .screen where query.isOuter: bytes += Array("\u{1B}P\u{1B}]11;?\u{07}\u{1B}\\".utf8)
      case .full, .tmux, .minimal, .screen: bytes += Array(request.utf8)
      }
    }
    return (bytes, sent)
  }

  /// Wraps a sequence so that tmux passes it on unchanged (tmux(1), `allow-passthrough`).
  static func wrapped(_ sequence: String) -> [UInt8] {
    let doubled = sequence.utf8.flatMap { $0 == 0x1B ? [0x1B, 0x1B] : [$0] }
    return Array("\u{1B}Ptmux;".utf8) + doubled + Array("\u{1B}\\".utf8)
  }
}
