import PhotoGridCore

/// What a terminal has told about itself, answer by answer.
///
/// Only what was asked is taken, once for each question, and only within what can be true: whatever
/// else arrives changes nothing.
package struct TerminalAnswers: Equatable, Sendable {
  /// Name and version, as the terminal calls itself; of tmux where the program is inside of it.
  package private(set) var version: String?
  /// The same of the terminal around tmux.
  package private(set) var outerVersion: String?
  /// What the terminal can do, by the numbers of DA1; nil until it was answered.
  package private(set) var attributes: [Int]?
  /// The same of the terminal around tmux.
  package private(set) var outerAttributes: [Int]?
  /// A cell's size in pixels.
  package private(set) var cell: PixelSize?
  /// The text area's size in pixels.
  package private(set) var textArea: PixelSize?
  /// The cell's size by iTerm2's own report, in pixels.
  package private(set) var itermCell: PixelSize?
  /// The colour behind the text.
  package private(set) var background: RGB?
  /// Whether a 24-bit colour was kept as it is; false where it became one of a palette.
  package private(set) var keepsDirectColor: Bool?
  /// Whether it says that it has 24-bit colours.
  package private(set) var claimsDirectColor: Bool?
  /// How many colours a sixel picture can have, as far as they are of use: at most 1024.
  package private(set) var sixelRegisters: Int?
  /// The largest sixel picture, in pixels.
  package private(set) var sixelLimit: PixelSize?

  private var modes: [TerminalQuestion: Bool] = [:]
  private var graphics: [TerminalQuestion: String] = [:]
  /// What was asked and not answered yet.
  private var awaited: Set<TerminalQuestion> = []

  /// Nothing asked yet.
  package init() {}

  /// Takes note that questions were asked.
  package mutating func expect(_ questions: some Sequence<TerminalQuestion>) {
    awaited.formUnion(questions)
  }

  /// Whether an answer is still to come.
  package func awaits(_ question: TerminalQuestion) -> Bool { awaited.contains(question) }

  /// Whether the terminal has worked through its questions: the last one is answered.
  package var isComplete: Bool { attributes != nil }

  /// Whether the terminal around tmux has worked through its questions.
  package var isOuterComplete: Bool { outerAttributes != nil }

  /// Whether it knows a private mode; nil while it has not answered.
  package func knowsMode(_ question: TerminalQuestion) -> Bool? { modes[question] }

  /// What it said to a picture by kitty's protocol: `OK`, or what was wrong; nil while it has not
  /// answered.
  package func graphicsAnswer(_ question: TerminalQuestion) -> String? { graphics[question] }

  /// Whether it takes pictures by kitty's protocol in the way that a question tried.
  package func takesGraphics(_ question: TerminalQuestion) -> Bool { graphics[question] == "OK" }

  /// Forgets the cell's size, as the font may have changed.
  package mutating func forgetCell() { (cell, textArea, itermCell) = (nil, nil, nil) }
}

extension TerminalAnswers {
  /// Takes what arrived from the terminal.
  ///
  /// - Returns: Whether it was the answer to a question, and nobody else's business.
  package mutating func take(_ reply: TerminalReply) -> Bool {
    switch reply.kind {
    case .control: takeControl(Substring(reply.body))
    case .device: takeDevice(Substring(reply.body))
    case .operatingSystem: takeOperatingSystem(Substring(reply.body))
    case .application: takeGraphics(Substring(reply.body))
    }
  }

  private mutating func takeControl(_ body: Substring) -> Bool {
    switch body.last {
    case "c" where body.first == "?": takeAttributes(body.dropFirst().dropLast())
    case "y": takeMode(body)
    case "t": takeSize(body.dropLast())
    case "S": takeSixel(body.dropLast())
    default: false
    }
  }

  private mutating func takeAttributes(_ text: Substring) -> Bool {
    guard let numbers = Self.numbers(text), numbers.count <= 64 else { return false }
    // tmux answers before what it passes on comes back.
    if awaited.remove(.attributes) != nil {
      attributes = numbers
    } else if awaited.remove(.outerAttributes) != nil {
      outerAttributes = numbers
    } else {
      return false
    }
    return true
  }

  /// `?2026;2$y`: 0 is unknown, 1 on, 2 off, 3 and 4 the same for ever.
  private mutating func takeMode(_ body: Substring) -> Bool {
    guard body.hasPrefix("?"), body.hasSuffix("$y"),
      let numbers = Self.numbers(body.dropFirst().dropLast(2)), numbers.count == 2
    else { return false }
    let question: TerminalQuestion
    switch numbers[0] {
    case 2026: question = .synchronizedUpdate
    case 1016: question = .pixelMouse
    case 2031: question = .colorScheme
    default: return false
    }
    guard awaited.remove(question) != nil else { return false }
    modes[question] = (1...2).contains(numbers[1])
    return true
  }

  /// `6;22;10`: height before width; 4 is the text area, 6 a cell.
  private mutating func takeSize(_ text: Substring) -> Bool {
    guard let numbers = Self.numbers(text), numbers.count == 3 else { return false }
    let size = PixelSize(width: Double(numbers[2]), height: Double(numbers[1]))
    switch numbers[0] {
    case 4 where awaited.remove(.textArea) != nil:
      if !size.isEmpty { textArea = size }
    case 6 where awaited.remove(.cell) != nil:
      if CellMetrics.isPlausible(size) { cell = size }
    default: return false
    }
    return true
  }

  /// `?1;0;1024` and `?2;0;1000;1000`: what, 0 for success, values.
  private mutating func takeSixel(_ text: Substring) -> Bool {
    guard text.first == "?", let numbers = Self.numbers(text.dropFirst()), numbers.count >= 2
    else { return false }
    let question: TerminalQuestion = numbers[0] == 1 ? .sixelRegisters : .sixelLimit
    guard (1...2).contains(numbers[0]), awaited.remove(question) != nil else { return false }
    guard numbers[1] == 0 else { return true }
    if question == .sixelRegisters, numbers.count == 3, numbers[2] >= 2 {
      sixelRegisters = min(numbers[2], 1024)
    }
    if question == .sixelLimit, numbers.count == 4 {
      let size = PixelSize(width: Double(numbers[2]), height: Double(numbers[3]))
      if !size.isEmpty { sixelLimit = size }
    }
    return true
  }

  private mutating func takeDevice(_ body: Substring) -> Bool {
    if body.hasPrefix(">|") { return takeVersion(body.dropFirst(2)) }
    if body.hasPrefix("0$r") || body.hasPrefix("1$r") { return takeStyle(body.dropFirst(3)) }
    if body.hasPrefix("0+r") || body.hasPrefix("1+r") {
      guard awaited.remove(.directColor) != nil else { return false }
      claimsDirectColor = body.dropFirst().lowercased().hasPrefix("+r524742") && body.first == "1"
      return true
    }
    return false
  }

  private mutating func takeVersion(_ text: Substring) -> Bool {
    let name = String(PrintableText.from(text.utf8).prefix(80))
    let isTmux = name.hasPrefix("tmux")
    if !isTmux || !awaited.contains(.version), awaited.remove(.outerVersion) != nil {
      outerVersion = name
    } else if awaited.remove(.version) != nil {
      version = name
    } else {
      return false
    }
    return true
  }

  /// `0;38:2::1:2:3m`, with or without the empty field, which stands for a colour space.
  private mutating func takeStyle(_ text: Substring) -> Bool {
    guard text.last == "m", awaited.remove(.styleReadBack) != nil else { return false }
    let fields = text.dropLast().split { $0 == ";" || $0 == ":" }.map { Int($0) ?? -1 }
    if fields.suffix(5) == [38, 2, 1, 2, 3] {
      keepsDirectColor = true
    } else if fields.contains(38) || fields.contains(where: { (30...37).contains($0) }) {
      keepsDirectColor = false
    }
    return true
  }

  private mutating func takeOperatingSystem(_ body: Substring) -> Bool {
    if body.hasPrefix("11;") {
      let wasAwaited = awaited.remove(.background) != nil
      guard wasAwaited || awaited.contains(.outerBackground) else { return false }
      awaited.remove(.outerBackground)
      background = RGB(xColor: body.dropFirst(3)) ?? background
      return true
    }
    let size = "1337;ReportCellSize="
    guard body.hasPrefix(size), awaited.remove(.itermCell) != nil else { return false }
    // Height before width, in points; then how many pixels a point is.
    let numbers = body.dropFirst(size.count).split(separator: ";").map { Double($0) ?? 0 }
    guard (2...3).contains(numbers.count) else { return true }
    let scale = numbers.count == 3 ? numbers[2] : 1
    let cell = PixelSize(width: numbers[1], height: numbers[0]).scaled(by: scale)
    if CellMetrics.isPlausible(cell) { itermCell = cell }
    return true
  }

  /// `Gi=31;OK`, or `Gi=31;ENOTSUPPORTED:words`.
  private mutating func takeGraphics(_ body: Substring) -> Bool {
    let parts = body.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].first == "G" else { return false }
    let ids = parts[0].dropFirst().split(separator: ",").filter { $0.hasPrefix("i=") }
    guard let id = ids.first.flatMap({ UInt32($0.dropFirst(2)) }),
      let question = TerminalQuestion.allCases.first(where: { $0.graphicsID == id }),
      awaited.remove(question) != nil
    else { return false }
    graphics[question] = String(PrintableText.from(parts[1].utf8).prefix(80))
    return true
  }

  /// Numbers between semicolons, each of seven digits at most; nil where anything else is there.
  private static func numbers(_ text: Substring) -> [Int]? {
    var numbers: [Int] = []
    for field in text.split(separator: ";", omittingEmptySubsequences: false) {
      guard field.utf8.allSatisfy({ (0x30...0x39).contains($0) }), field.utf8.count <= 7
      else { return nil }
      // "?62;c", as kitty has it, ends in an empty field.
      if let number = Int(field) { numbers.append(number) }
    }
    return numbers
  }
}

extension RGB {
  /// A colour as X writes it (XParseColor): `rgb:` or `rgba:` and one to four hexadecimal digits a
  /// channel, or `#` and as many for each.
  init?(xColor text: some StringProtocol) {
    var channels: [Substring]
    if text.hasPrefix("rgb:") || text.hasPrefix("rgba:") {
      channels = text.drop { $0 != ":" }.dropFirst().split(separator: "/")
        .map { Substring($0) }
      guard channels.count == (text.hasPrefix("rgba:") ? 4 : 3) else { return nil }
    } else {
      let digits = Substring(text.dropFirst())
      let count = digits.count / 3
      guard text.first == "#", count >= 1, digits.count == 3 * count else { return nil }
      channels = (0..<3).map { digits.dropFirst($0 * count).prefix(count) }
    }
    let values = channels.prefix(3).map { channel -> UInt8? in
      guard (1...4).contains(channel.utf8.count), channel.allSatisfy(\.isHexDigit),
        let value = Int(channel, radix: 16)
      else { return nil }
      let most = (1 << (4 * channel.utf8.count)) - 1
      return UInt8((value * 255 + most / 2) / most)
    }
    guard let red = values[0], let green = values[1], let blue = values[2] else { return nil }
    self.init(red, green, blue)
  }
}
