import PhotoGridCore

/// Turns what arrives from the terminal into events; pure, and never waiting for more.
///
/// A sequence may be cut anywhere: what has begun is kept until the rest comes, or until so much
/// time has passed that it will not.
package struct InputDecoder: Sendable {
  /// One piece of input, as ncurses hands it over.
  package enum Unit: Equatable, Sendable {
    case byte(UInt8)
    /// A key that the terminfo entry knows.
    case key(Key)
  }

  /// Where cells are in pixels, and how far the pointer can go.
  package var viewport: Viewport
  /// Whether answers of the terminal are on their way: they may come in pieces, and slowly.
  package var expectsReplies = false
  /// Whether the mouse is reported in pixels (mode 1016), by what the terminal said last.
  package private(set) var hasPixelMouse = false

  private var sequence = SequenceParser()
  private var character = CharacterAssembler()
  private var sawEscape = false
  /// When ESC was last taken for the key though an answer could begin with it.
  private var doubtfulEscape: Instant?
  private var paste: Paste?
  private var pasteEnd = 0
  private var heldButton = MouseEvent.Button.left
  private var lastArrival = Instant(nanoseconds: 0)
  private var events: [InputEvent] = []

  /// Seconds of silence after which the rest of a sequence, or of pasted text, is not waited for.
  private static let sequenceSilence = 0.5
  private static let replySilence = 3.0
  /// The most bytes that may be keys typed behind one with Alt, which begins a string; more of them
  /// are an answer that came over a line that stalls, and whose rest must not be taken for keys.
  private static let longestTyped = 64
  /// Seconds for which what follows an ESC may show that it was no key.
  private static let doubt = 1.5
  private static let pasteSilence = 2.0
  private static let pasteTerminator = Array("\u{1B}[201~".utf8)
  /// No more of a paste is kept, in bytes.
  private static let longestPaste = 16 << 10

  /// Text that is being pasted.
  private struct Paste: Sendable {
    /// Its first bytes, the terminator's among them.
    var bytes: [UInt8] = []
    var count = 0
  }

  /// A decoder for a terminal of the given size.
  package init(viewport: Viewport) { self.viewport = viewport }

  /// How many bytes are held of what has not ended; bounded whatever arrives.
  package var heldByteCount: Int {
    sequence.heldByteCount + events.count + (paste?.bytes.count ?? 0)
  }

  /// Takes one piece of input that arrived at an instant.
  package mutating func feed(_ unit: Unit, at now: Instant) {
    giveUpOnSilence(at: now)
    lastArrival = now
    if paste != nil {
      feedPaste(unit)
      return
    }
    switch unit {
    case .byte(let byte): feed(byte)
    case .key(let key): feed(key)
    }
  }

  /// Nothing more has arrived for now, so an ESC that came last is the key.
  ///
  /// Returns all that happened since the last call; of movements in a row only the last.
  package mutating func pause() -> [InputEvent] {
    if sawEscape {
      sawEscape = false
      events.append(.key(.escape))
      if expectsReplies { doubtfulEscape = lastArrival }
    }
    return takeEvents()
  }

  /// All that happened since the last call, while more is there to be read; of movements in a row
  /// only the last.
  package mutating func takeEvents() -> [InputEvent] {
    defer { events.removeAll() }
    return Self.coalesced(events)
  }

  private mutating func giveUpOnSilence(at now: Instant) {
    let silence = now.seconds(since: lastArrival)
    let isReply = expectsReplies || sequence.heldByteCount > Self.longestTyped
    let patience = isReply ? Self.replySilence : Self.sequenceSilence
    if sequence.isActive, silence > patience { sequence.reset() }
    let isOver = doubtfulEscape.map { now.seconds(since: $0) > Self.doubt } ?? false
    if isOver || !expectsReplies {
      self.doubtfulEscape = nil
    }
    if paste != nil, silence > Self.pasteSilence { endPaste() }
  }

  private mutating func feed(_ key: Key) {
    // In a string, what happens to be a key's byte is a part of it. What began with ESC is not.
    let isSingleByte = key == .backspace || key == .enter || key == .tab
    if sequence.isInString, isSingleByte { return }
    sequence.reset()
    character.reset()
    flushEscape()
    events.append(.key(key))
  }

  private mutating func feed(_ byte: UInt8) {
    if sequence.isActive {
      handle(sequence.feed(byte))
      return
    }
    if doubtfulEscape != nil {
      doubtfulEscape = nil
      // It was no key. One that has been obeyed does less harm than a whole answer taken for keys.
      if let introducer = SequenceParser.Introducer(byte: byte), introducer != .singleShift {
        sequence.begin(introducer)
        return
      }
    }
    if sawEscape {
      if let introducer = SequenceParser.Introducer(byte: byte) {
        sawEscape = false
        sequence.begin(introducer)
        return
      }
      // Alt with a key arrives so too. It is taken as in vi, for the two keys one after the other:
      // what a person types quickly must not get lost.
      flushEscape()
    }
    if byte == 0x1B {
      character.reset()
      sawEscape = true
    } else if let scalar = character.feed(byte), let key = KeyTables.key(of: scalar) {
      events.append(.key(key))
    }
  }

  private mutating func flushEscape() {
    guard sawEscape else { return }
    sawEscape = false
    events.append(.key(.escape))
  }

  private mutating func handle(_ outcome: SequenceParser.Outcome) {
    switch outcome {
    case .pending, .dropped: return
    case .interrupted(let next):
      // Whatever ESC begins comes next.
      guard let next, next != 0x1B else {
        sawEscape = true
        return
      }
      if let introducer = SequenceParser.Introducer(byte: next) { sequence.begin(introducer) }
    case .finished(.control, let bytes): handleControl(bytes)
    case .finished(.singleShift, let bytes):
      if let key = bytes.first.flatMap(KeyTables.key(ofSingleShift:)) { events.append(.key(key)) }
    case .finished(.legacyMouse, let bytes): handle(MouseReport(legacy: bytes), inPixels: false)
    case .finished(.string(let kind), let bytes):
      guard let kind else { return }
      events.append(.reply(TerminalReply(kind, String(decoding: bytes, as: UTF8.self))))
    }
  }

  private mutating func handleControl(_ bytes: [UInt8]) {
    switch String(decoding: bytes, as: UTF8.self) {
    case "I": events.append(.focusGained)
    case "O": events.append(.focusLost)
    case "200~": paste = Paste()
    // An end without a beginning.
    case "201~": return
    case let body:
      if bytes.first == UInt8(ascii: "<") {
        handle(MouseReport(sgr: bytes), inPixels: hasPixelMouse)
      } else if let key = KeyTables.key(ofControl: bytes) {
        events.append(.key(key))
      } else {
        // Between this and the next such answer, all reports are of the kind that it tells.
        if body == "?1016;1$y" { hasPixelMouse = true }
        if body == "?1016;2$y" { hasPixelMouse = false }
        events.append(.reply(TerminalReply(.control, body)))
      }
    }
  }

  private mutating func handle(_ report: MouseReport?, inPixels: Bool) {
    guard let report, let kind = report.kind(held: heldButton) else { return }
    if case .pressed(let button) = kind { heldButton = button }
    let position =
      inPixels
      ? viewport.center(ofPixelAt: report.x, y: report.y)
      : viewport.center(ofColumn: report.x, row: report.y)
    events.append(.mouse(MouseEvent(kind, at: position, modifiers: report.modifiers)))
  }

  // No length ends it: the rest would be taken for keys.
  private mutating func feedPaste(_ unit: Unit) {
    let byte: UInt8
    switch unit {
    case .byte(let value): byte = value
    // What the terminfo entry takes for keys.
    case .key(.enter): byte = 0x0A
    case .key(.tab): byte = 0x09
    case .key: return
    }
    paste?.count += 1
    // Without a copy of the paste, which each byte would have to be appended to anew.
    if paste?.bytes.count ?? 0 < Self.longestPaste { paste?.bytes.append(byte) }
    let terminator = Self.pasteTerminator
    pasteEnd = byte == terminator[pasteEnd] ? pasteEnd + 1 : byte == terminator[0] ? 1 : 0
    guard pasteEnd == terminator.count else { return }
    paste?.count -= terminator.count
    endPaste()
  }

  private mutating func endPaste() {
    if let paste { events.append(.paste(Array(paste.bytes.prefix(paste.count)))) }
    paste = nil
    pasteEnd = 0
  }

  /// Without the movements that were overtaken by the one right behind them.
  private static func coalesced(_ events: [InputEvent]) -> [InputEvent] {
    var kept: [InputEvent] = []
    for event in events {
      if case .mouse(let mouse) = event, case .mouse(let last)? = kept.last, mouse.kind == last.kind
      {
        switch mouse.kind {
        case .dragged, .moved: kept.removeLast()
        case .pressed, .released, .wheel: break
        }
      }
      kept.append(event)
    }
    return kept
  }
}
