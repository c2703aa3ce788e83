import Geometry
import Photos
import SceneModel

/// The properties that a terminal has reported about itself.
///
/// Only responses to queries count, one for each query, and only with plausible values. All other
/// replies are ignored.
package struct TerminalResponses: Equatable, Sendable {
  /// The name and version of the terminal; within tmux, of tmux.
  package private(set) var version: String?
  /// The name and version of the terminal around tmux.
  package private(set) var outerVersion: String?
  /// The primary device attributes (DA1), such as 4 for sixel pictures.
  package private(set) var attributes: [Int]?
  /// The attributes of the terminal around tmux.
  package private(set) var outerAttributes: [Int]?
  /// The secondary device attributes (DA2): the kind of terminal, and its version.
  package private(set) var secondaryAttributes: [Int]?
  package private(set) var cell: PixelSize?
  package private(set) var textArea: PixelSize?
  /// A cell's size according to iTerm2's own report, in pixels.
  package private(set) var itermCell: PixelSize?
  package private(set) var background: RGB?
  /// Whether a 24-bit color was kept; false if it was replaced by one of a palette.
  package private(set) var keepsDirectColor: Bool?
  /// Whether the terminal claims to support 24-bit colors.
  package private(set) var claimsDirectColor: Bool?
  /// The number of colors of a sixel picture; at most 1024, as more make no difference.
  package private(set) var sixelRegisters: Int?
  package private(set) var sixelLimit: PixelSize?

  /// Whether modes are supported, by their queries.
  private var modes: [TerminalQuery: Bool] = [:]
  /// The responses to pictures by kitty's protocol, by their queries.
  private var graphics: [TerminalQuery: String] = [:]
  private var pending: Set<TerminalQuery> = []

  package init() {}

  /// Expects responses to queries that were sent.
  mutating func expect(_ queries: some Sequence<TerminalQuery>) {
    pending.formUnion(queries)
  }

  /// The number of a release of kitty, such as 48 for 0.48.2; nil for other terminals.
  var kittyRelease: Int? {
    guard let version, version.hasPrefix("kitty(0.") else { return nil }
    return Int(version.dropFirst(8).prefix { $0.isASCII && $0.isNumber })
  }

  func awaits(_ query: TerminalQuery) -> Bool { pending.contains(query) }

  /// Whether the terminal has responded to DA1, the last query.
  package var isComplete: Bool { attributes != nil }

  /// Whether the terminal around tmux has responded to DA1, its last query.
  package var isOuterComplete: Bool { outerAttributes != nil }

  /// Whether the terminal supports the mode of a query; nil without a response.
  package func supportsMode(_ query: TerminalQuery) -> Bool? { modes[query] }

  /// The response to a picture by kitty's protocol: `OK` or an error; nil without a response.
  package func graphicsResponse(_ query: TerminalQuery) -> String? { graphics[query] }

  /// Whether the terminal accepts pictures by kitty's protocol in the way of a query: in shared
  /// memory, in a file, or in the sequence.
  package func supportsGraphics(_ query: TerminalQuery) -> Bool { graphics[query] == "OK" }

  /// Drops what the terminal around tmux has reported and does not report again, because another
  /// one has taken its place.
  mutating func dropUnrepeated() {
    if pending.contains(.kittyDirect) { graphics = [:] }
    if pending.contains(.outerVersion) { outerVersion = nil }
  }

  /// Drops the sizes of a cell and of the text area, because the font may have changed.
  mutating func dropCellSize() { (cell, textArea, itermCell) = (nil, nil, nil) }
}

extension TerminalResponses {
  /// Parses a reply of the terminal.
  ///
  /// - Returns: Whether it was the response to a query.
  mutating func handle(_ reply: TerminalReply) -> Bool {
    switch reply.kind {
    case .control: handleControl(Substring(reply.body))
    case .device: handleDevice(Substring(reply.body))
    case .operatingSystem: handleOperatingSystem(Substring(reply.body))
    case .application: handleGraphics(Substring(reply.body))
    }
  }

  private mutating func handleControl(_ body: Substring) -> Bool {
    switch body.last {
    case "c" where body.first == "?": handleAttributes(body.dropFirst().dropLast())
    case "c" where body.first == ">": handleSecondaryAttributes(body.dropFirst().dropLast())
    case "y": handleMode(body)
    case "t": handleSize(body.dropLast())
    case "S": handleSixel(body.dropLast())
    case "u": handleKeyboard(body.dropLast())
    default: false
    }
  }

  private mutating func handleAttributes(_ text: Substring) -> Bool {
    guard let numbers = Self.numbers(text), numbers.count <= 64 else { return false }
    // tmux responds before the terminal around it does.
    if pending.remove(.attributes) != nil {
      attributes = numbers
    } else if pending.remove(.outerAttributes) != nil {
      outerAttributes = numbers
    } else {
      return false
    }
    return true
  }

  private mutating func handleSecondaryAttributes(_ text: Substring) -> Bool {
    guard let numbers = Self.numbers(text), numbers.count <= 64,
      pending.remove(.secondaryAttributes) != nil
    else { return false }
    secondaryAttributes = numbers
    return true
  }

  /// Parses a mode and its state, `?2026;2$y`.
  ///
  /// States: 0 unknown, 1 on, 2 off, 3 permanently on, 4 permanently off. Only a mode that can be
  /// switched is supported.
  private mutating func handleMode(_ body: Substring) -> Bool {
    guard body.hasPrefix("?"), body.hasSuffix("$y"),
      let numbers = Self.numbers(body.dropFirst().dropLast(2)), numbers.count == 2
    else { return false }
    let query: TerminalQuery
    switch numbers[0] {
    case 2026: query = .synchronizedUpdate
    case 1016: query = .pixelMouse
    case 2031: query = .colorScheme
    case 2033: query = .visibility
    case 2048: query = .sizeReports
    default: return false
    }
    guard pending.remove(query) != nil else { return false }
    modes[query] = (1...2).contains(numbers[1])
    return true
  }

  /// Parses the mode of kitty's keyboard protocol, `?0`.
  private mutating func handleKeyboard(_ text: Substring) -> Bool {
    guard text.first == "?", Self.numbers(text.dropFirst())?.count == 1,
      pending.remove(.keyboard) != nil
    else { return false }
    modes[.keyboard] = true
    return true
  }

  /// Parses a size in pixels, `6;22;10`: the kind (4 is the text area, 6 a cell), height and width.
  private mutating func handleSize(_ text: Substring) -> Bool {
    guard let numbers = Self.numbers(text), numbers.count == 3 else { return false }
    let size = PixelSize(width: Double(numbers[2]), height: Double(numbers[1]))
    switch numbers[0] {
    case 4 where pending.remove(.textArea) != nil:
      if !size.isEmpty { textArea = size }
    case 6 where pending.remove(.cell) != nil:
      if CellMetrics.isPlausible(size) { cell = size }
    default: return false
    }
    return true
  }

  /// Parses `?1;0;1024` and `?2;0;1000;1000`: the property (1 is the colors, 2 the size), 0 for
  /// success, and the values.
  private mutating func handleSixel(_ text: Substring) -> Bool {
    guard text.first == "?", let numbers = Self.numbers(text.dropFirst()), numbers.count >= 2
    else { return false }
    let query: TerminalQuery = numbers[0] == 1 ? .sixelRegisters : .sixelLimit
    guard (1...2).contains(numbers[0]), pending.remove(query) != nil else { return false }
    guard numbers[1] == 0 else { return true }
    if query == .sixelRegisters, numbers.count == 3, numbers[2] >= 2 {
      sixelRegisters = min(numbers[2], 1024)
    }
    if query == .sixelLimit, numbers.count == 4 {
      let size = PixelSize(width: Double(numbers[2]), height: Double(numbers[3]))
      if !size.isEmpty { sixelLimit = size }
    }
    return true
  }

  private mutating func handleDevice(_ body: Substring) -> Bool {
    if body.hasPrefix(">|") { return handleVersion(body.dropFirst(2)) }
    if body.hasPrefix("0$r") || body.hasPrefix("1$r") { return handleStyle(body.dropFirst(3)) }
    if body.hasPrefix("0+r") || body.hasPrefix("1+r") {
      guard pending.remove(.directColor) != nil else { return false }
      claimsDirectColor = body.dropFirst().lowercased().hasPrefix("+r524742") && body.first == "1"
      return true
    }
    return false
  }

  private mutating func handleVersion(_ text: Substring) -> Bool {
    let name = String(PrintableText.from(text.utf8).prefix(80))
    let isTmux = name.hasPrefix("tmux")
    if !isTmux || !pending.contains(.version), pending.remove(.outerVersion) != nil {
      outerVersion = name
    } else if pending.remove(.version) != nil {
      version = name
    } else {
      return false
    }
    return true
  }

  /// Parses `0;38:2::1:2:3m`, with or without the empty field, which stands for a color space.
  private mutating func handleStyle(_ text: Substring) -> Bool {
    guard text.last == "m", pending.remove(.styleReadBack) != nil else { return false }
    let fields = text.dropLast().split { $0 == ";" || $0 == ":" }.map { Int($0) ?? -1 }
    if fields.suffix(5) == [38, 2, 1, 2, 3] {
      keepsDirectColor = true
    } else if fields.contains(38) || fields.contains(where: { (30...37).contains($0) }) {
      keepsDirectColor = false
    }
    return true
  }

  private mutating func handleOperatingSystem(_ body: Substring) -> Bool {
    if body.hasPrefix("11;") {
      let wasPending = pending.remove(.background) != nil
      guard wasPending || pending.contains(.outerBackground) else { return false }
      pending.remove(.outerBackground)
      background = RGB(xColor: body.dropFirst(3)) ?? background
      return true
    }
    // `22;1,1,0`: whether each shape is known.
    if body.hasPrefix("22;") {
      guard pending.remove(.pointerShapes) != nil else { return false }
      modes[.pointerShapes] =
        body.dropFirst(3).split(separator: ",").map { $0 == "1" }
        == PointerShape.allCases.map { _ in true }
      return true
    }
    // kitty separates the fields with colons, Konsole with semicolons.
    if body.hasPrefix("99;i=photogrid"), body.dropFirst(14).prefix(5).dropFirst() == "p=?;" {
      guard pending.remove(.notifications) != nil else { return false }
      modes[.notifications] = true
      return true
    }
    if DragReport.confirmsSupport(body) {
      guard pending.remove(.dragAndDrop) != nil else { return false }
      modes[.dragAndDrop] = true
      return true
    }
    let size = "1337;ReportCellSize="
    guard body.hasPrefix(size), pending.remove(.itermCell) != nil else { return false }
    // Height, then width, in points; then the number of pixels in a point.
    let numbers = body.dropFirst(size.count).split(separator: ";").map { Double($0) ?? 0 }
    guard (2...3).contains(numbers.count) else { return true }
    let scale = numbers.count == 3 ? numbers[2] : 1
    let cell = PixelSize(width: numbers[1], height: numbers[0]).scaled(by: scale)
    if CellMetrics.isPlausible(cell) { itermCell = cell }
    return true
  }

  /// Parses `Gi=31;OK`, or `Gi=31;ENOTSUPPORTED:message`.
  private mutating func handleGraphics(_ body: Substring) -> Bool {
    let parts = body.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].first == "G" else { return false }
    let ids = parts[0].dropFirst().split(separator: ",").filter { $0.hasPrefix("i=") }
    guard let id = ids.first.flatMap({ UInt32($0.dropFirst(2)) }),
      let query = TerminalQuery.allCases.first(where: { $0.graphicsID == id }),
      pending.remove(query) != nil
    else { return false }
    graphics[query] = String(PrintableText.from(parts[1].utf8).prefix(80))
    return true
  }

  /// Parses numbers of at most seven digits between semicolons; returns nil for any other text.
  private static func numbers(_ text: Substring) -> [Int]? {
    var numbers: [Int] = []
    for field in text.split(separator: ";", omittingEmptySubsequences: false) {
      guard field.utf8.allSatisfy({ (0x30...0x39).contains($0) }), field.utf8.count <= 7
      else { return nil }
      // kitty's `?62;c` ends with an empty field.
      if let number = Int(field) { numbers.append(number) }
    }
    return numbers
  }
}

extension RGB {
  /// Parses a color in the format of XParseColor: `rgb:ffff/8080/0000` or `rgba:…` with one to
  /// four hexadecimal digits a channel, or `#ff8000` with as many for each.
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
