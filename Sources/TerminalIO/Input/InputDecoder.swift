import Geometry
import SceneModel

/// Decodes terminal input into events, without ever waiting.
///
/// Input may be cut anywhere: an incomplete sequence is kept until the rest arrives or a timeout
/// passes.
struct InputDecoder: Sendable {
  /// One unit of input, as `KeyMatcher` finds it.
  enum Unit: Equatable, Sendable {
    /// A byte that belongs to no key of the terminfo entry.
    case byte(UInt8)
    /// A key of the terminfo entry.
    case key(Key)
  }

  /// The terminal's size and cells, to convert mouse positions to pixels.
  var viewport: Viewport
  /// Whether the terminal may be responding to queries; responses may arrive slowly and in pieces.
  var expectsReplies = false
  /// Whether mouse reports are in pixels (mode 1016), according to the terminal's last response.
  private(set) var hasPixelMouse = false

  private var sequence = SequenceParser()
  private var character = CharacterAssembler()
  private var sawEscape = false
  /// When an ESC was last decoded as a key although a response might have started with it.
  private var uncertainEscapeTime: Instant?
  private var paste: Paste?
  /// The number of bytes matched so far of the sequence that ends a paste.
  private var matchedPasteEnd = 0
  private var heldButton = MouseEvent.Button.left
  private var lastArrival = Instant(nanoseconds: 0)
  private var events: [InputEvent] = []

  /// The time without input after which an incomplete sequence is dropped, in seconds.
  private static let sequenceTimeout = 0.5
  private static let replyTimeout = 3.0
  /// The most bytes after the introducer of a string that may have been typed: Alt-P, for example,
  /// sends the same bytes as an introducer.
  ///
  /// More bytes are a response on a stalling link, whose rest must not be read as keys.
  private static let maxTypedBytes = 64
  /// The time after an ESC was decoded as a key in which an introducer shows that the ESC was the
  /// start of a response, in seconds.
  private static let uncertainEscapeWindow = 1.5
  /// The time without input after which a paste counts as complete, in seconds.
  private static let pasteTimeout = 2.0
  /// Ctrl-C, which is in no response: it must reach the program even in a string that never ends.
  private static let interrupt: UInt8 = 0x03
  private static let pasteTerminator = Array("\u{1B}[201~".utf8)
  /// The most bytes kept of a paste.
  private static let pasteByteLimit = 16 << 10

  private struct Paste: Sendable {
    /// Its first bytes, which may include bytes of the terminator.
    var bytes: [UInt8] = []
    /// Its length in bytes, which may exceed the number of bytes kept.
    var count = 0
  }

  init(viewport: Viewport) { self.viewport = viewport }

  /// The number of bytes held of incomplete input, which is bounded whatever arrives.
  var heldByteCount: Int {
    sequence.heldByteCount + events.count + (paste?.bytes.count ?? 0)
  }

  mutating func feed(_ unit: Unit, at now: Instant) {
    discardTimedOutInput(at: now)
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

  /// Ends a burst of input, so that an ESC at its end is the Escape key.
  ///
  /// - Returns: The events since the last call; of adjacent mouse movements only the last.
  mutating func flush() -> [InputEvent] {
    if sawEscape {
      sawEscape = false
      events.append(.key(.escape))
      if expectsReplies { uncertainEscapeTime = lastArrival }
    }
    return drainEvents()
  }

  /// Returns the events since the last call, while more input is waiting to be read; of adjacent
  /// mouse movements only the last.
  mutating func drainEvents() -> [InputEvent] {
    defer { events.removeAll() }
    return Self.coalesced(events)
  }

  private mutating func discardTimedOutInput(at now: Instant) {
    let silence = now.seconds(since: lastArrival)
    let isReply = expectsReplies || sequence.heldByteCount > Self.maxTypedBytes
    let timeout = isReply ? Self.replyTimeout : Self.sequenceTimeout
    if sequence.isActive, silence > timeout { sequence.reset() }
    let isCertain =
      uncertainEscapeTime.map { now.seconds(since: $0) > Self.uncertainEscapeWindow } ?? true
    if isCertain || !expectsReplies { uncertainEscapeTime = nil }
    if paste != nil, silence > Self.pasteTimeout { endPaste() }
  }

  private mutating func feed(_ key: Key) {
    // Within a string, a single byte that is also a key belongs to the string; the sequence of a
    // key ends the string.
    let isSingleByte = key == .backspace || key == .enter || key == .tab
    if sequence.isInString, isSingleByte { return }
    sequence.reset()
    character.reset()
    flushEscape()
    events.append(.key(key))
  }

  private mutating func feed(_ byte: UInt8) {
    if sequence.isActive {
      guard byte == Self.interrupt else {
        handle(sequence.feed(byte))
        return
      }
      sequence.reset()
    }
    if uncertainEscapeTime != nil {
      uncertainEscapeTime = nil
      // The ESC was no key. One false Escape does less harm than a whole response read as keys.
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
      // Alt with a key sends the same bytes as Escape and the key. As in vi, they count as two
      // keys, so that quick typing is not lost.
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
      // The ESC starts something new: another sequence, or it is the Escape key.
      (sawEscape, uncertainEscapeTime) = (true, nil)
      if let next, next != 0x1B { feed(next) }
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
    // The end of a paste without its beginning.
    case "201~": return
    case let body:
      if bytes.first == UInt8(ascii: "<") {
        handle(MouseReport(sgr: bytes), inPixels: hasPixelMouse)
      } else if let key = KeyTables.key(ofControl: bytes) {
        events.append(.key(key))
      } else if let report = KeyReport(bytes) {
        events += report.keys.map { .key($0) }
      } else {
        // The response about mode 1016 gives the unit of all reports up to the next response.
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

  /// Adds to the paste, whatever its length: if the paste ended early, the rest would be read as
  /// keys.
  private mutating func feedPaste(_ unit: Unit) {
    let byte: UInt8
    switch unit {
    case .byte(let value): byte = value
    // In a paste these keys of the terminfo entry are text.
    case .key(.enter): byte = 0x0A
    case .key(.tab): byte = 0x09
    case .key: return
    }
    paste?.count += 1
    // In place, because copying the paste for each byte would take quadratic time.
    if paste?.bytes.count ?? 0 < Self.pasteByteLimit { paste?.bytes.append(byte) }
    let terminator = Self.pasteTerminator
    matchedPasteEnd =
      byte == terminator[matchedPasteEnd] ? matchedPasteEnd + 1 : byte == terminator[0] ? 1 : 0
    guard matchedPasteEnd == terminator.count else { return }
    paste?.count -= terminator.count
    endPaste()
  }

  private mutating func endPaste() {
    if let paste { events.append(.paste(Array(paste.bytes.prefix(paste.count)))) }
    paste = nil
    matchedPasteEnd = 0
  }

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

/// Decodes UTF-8 byte by byte, and drops malformed sequences.
struct CharacterAssembler: Sendable {
  private var bytes: [UInt8] = []
  private var expectedCount = 0

  mutating func reset() { bytes.removeAll(keepingCapacity: true) }

  /// Returns the character that a byte completes; nil if it completes none.
  mutating func feed(_ byte: UInt8) -> Unicode.Scalar? {
    if byte & 0xC0 == 0x80 {
      guard !bytes.isEmpty else { return nil }
      bytes.append(byte)
    } else {
      // A new character: drop an incomplete one.
      switch byte {
      case 0x00...0x7F: expectedCount = 1
      case 0xC2...0xDF: expectedCount = 2
      case 0xE0...0xEF: expectedCount = 3
      case 0xF0...0xF4: expectedCount = 4
      default:
        reset()
        return nil
      }
      bytes = [byte]
    }
    guard bytes.count == expectedCount else { return nil }
    defer { reset() }
    // Overlong forms and surrogates do not decode.
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return text.unicodeScalars.first
  }
}

/// Finds the keys of a terminfo entry in the input, without ever waiting.
///
/// It matches as ncurses does: the shortest sequence that is a key wins, and when bytes turn out to
/// be no key, only the first is returned as it is and the search starts again at the second.
/// ncurses itself makes two system calls for each byte, so that a pasted megabyte would take
/// seconds.
struct KeyMatcher: Sendable {
  /// The meaning of a sequence of the terminfo entry.
  enum Meaning: Equatable, Sendable {
    case key(Key)
    /// Its own bytes, for the decoder.
    case bytes
    /// A key that the program does not use.
    case nothing
  }

  /// A byte in the tree of all sequences, which is stored by first child and next sibling.
  private struct Node: Sendable {
    var byte: UInt8
    var meaning: Meaning?
    var child = 0
    var sibling = 0
  }

  /// The nodes of the tree, the root first; as no node refers to the root, index 0 stands for none.
  private var nodes = [Node(byte: 0)]
  private var buffer: [UInt8] = []
  /// The index in `buffer` of the first byte that was not returned.
  private var head = 0
  /// The index up to which the bytes from `head` on match the sequence that ends at `node`.
  private var cursor = 0
  private var node = 0
  /// The number of bytes from `head` on to return as they are.
  private var literalCount = 0

  /// Creates a matcher for sequences; of equal ones the last counts.
  init(_ sequences: [(bytes: [UInt8], meaning: Meaning)]) {
    for sequence in sequences { insert(sequence.bytes, sequence.meaning) }
  }

  /// Whether bytes are held that may be the start of a key; if not, `next` has returned all bytes.
  var isWaiting: Bool { head < buffer.count }

  mutating func feed(_ bytes: some Sequence<UInt8>) { buffer += bytes }

  /// Returns the next key or byte.
  ///
  /// - Parameter isFlushing: Whether no more bytes are expected, so that an incomplete sequence is
  ///   no key.
  /// - Returns: The key or byte; nil if all bytes were returned, or the rest is an incomplete
  ///   sequence.
  mutating func next(isFlushing: Bool = false) -> InputDecoder.Unit? {
    while head < buffer.count {
      if literalCount > 0 {
        literalCount -= 1
        return nextByte()
      }
      guard cursor < buffer.count else { return isFlushing ? nextByte() : nil }
      node = child(of: node, with: buffer[cursor])
      guard node != 0 else { return nextByte() }
      cursor += 1
      switch nodes[node].meaning {
      case nil: continue
      case .key(let key):
        restart(at: cursor)
        return .key(key)
      case .bytes:
        literalCount = cursor - head
        restart(at: head)
      case .nothing: restart(at: cursor)
      }
    }
    buffer.removeAll(keepingCapacity: true)
    restart(at: 0)
    return nil
  }

  private mutating func nextByte() -> InputDecoder.Unit {
    let byte = buffer[head]
    restart(at: head + 1)
    return .byte(byte)
  }

  private mutating func restart(at index: Int) { (head, cursor, node) = (index, index, 0) }

  private func child(of parent: Int, with byte: UInt8) -> Int {
    var node = nodes[parent].child
    while node != 0, nodes[node].byte != byte { node = nodes[node].sibling }
    return node
  }

  private mutating func insert(_ bytes: [UInt8], _ meaning: Meaning) {
    var node = 0
    for byte in bytes {
      var next = child(of: node, with: byte)
      if next == 0 {
        next = nodes.count
        nodes.append(Node(byte: byte, sibling: nodes[node].child))
        nodes[node].child = next
      }
      node = next
    }
    if node != 0 { nodes[node].meaning = meaning }
  }
}
