import Geometry

/// Parses one control sequence a byte at a time, from after its introducer to its end.
///
/// The parser keeps its state between reads, and at most `byteLimit` bytes of the sequence.
/// Grammar: ECMA-48, section 5.4, and xterm's `ctlseqs`. `·` separates introducer, bytes and
/// terminator:
///
///     ESC [ · ? 6 2 ; 4 · c      control sequence, up to a byte from @ to ~
///     ESC O · P                  single shift, one byte
///     ESC ] · 1 1 ; … · ESC \    string, up to ST, or to BEL
struct SequenceParser: Sendable {
  /// The most bytes kept of a sequence; a longer one is parsed to its end and dropped.
  ///
  /// kitty sends up to 4096 bytes of data in one, after some keys (`DragReport`).
  static let byteLimit = 4096 + 256

  /// The beginning of a sequence, after ESC.
  enum Introducer: Equatable, Sendable {
    /// `[`, which parameters and a final byte follow
    case control
    /// `O`, which one byte follows
    case singleShift
    /// `P`, `]` or `_`; the kind is nil for `^` and `X`, which no response uses
    case string(TerminalReply.Kind?)
    /// `[M`, xterm's first mouse format, which three bytes follow
    case legacyMouse

    /// Creates the introducer that consists of ESC and a byte; returns nil if they are none.
    init?(byte: UInt8) {
      switch byte {
      case UInt8(ascii: "["): self = .control
      case UInt8(ascii: "O"): self = .singleShift
      case UInt8(ascii: "P"): self = .string(.device)
      case UInt8(ascii: "]"): self = .string(.operatingSystem)
      case UInt8(ascii: "_"): self = .string(.application)
      case UInt8(ascii: "^"), UInt8(ascii: "X"): self = .string(nil)
      default: return nil
      }
    }
  }

  enum Outcome: Equatable, Sendable {
    case pending
    /// The sequence is complete: the bytes between introducer and terminator, and for a `CSI` its
    /// final byte.
    case finished(Introducer, [UInt8])
    /// The sequence is invalid or too long, and has ended with this byte.
    case dropped
    /// An ESC cut the sequence short; `next` is the byte after that ESC, nil if it has not arrived
    /// yet.
    case interrupted(next: UInt8?)
  }

  private var introducer: Introducer?
  private var bytes: [UInt8] = []
  private var isTooLong = false
  private var sawEscape = false

  init() {}

  var isActive: Bool { introducer != nil }

  /// Whether the parser is inside a string, which may contain any text.
  var isInString: Bool {
    if case .string = introducer { true } else { false }
  }

  /// The number of bytes held of the sequence.
  var heldByteCount: Int { bytes.count }

  /// Begins a sequence, and drops an incomplete one.
  mutating func begin(_ introducer: Introducer) {
    reset()
    self.introducer = introducer
  }

  mutating func reset() {
    introducer = nil
    bytes.removeAll(keepingCapacity: true)
    isTooLong = false
    sawEscape = false
  }

  mutating func feed(_ byte: UInt8) -> Outcome {
    switch introducer {
    case nil: .dropped
    case .control: feedControl(byte)
    case .singleShift: byte == 0x1B ? interrupt(next: nil) : finish(with: byte)
    case .string: feedString(byte)
    case .legacyMouse: feedLegacyMouse(byte)
    }
  }

  private mutating func feedControl(_ byte: UInt8) -> Outcome {
    switch byte {
    case 0x20...0x3F:
      hold(byte)
      return .pending
    case UInt8(ascii: "M") where bytes.isEmpty && !isTooLong:
      introducer = .legacyMouse
      return .pending
    case 0x40...0x7E:
      return finish(with: byte)
    case 0x1B:
      return interrupt(next: nil)
    default:
      // CAN, SUB, other controls, and bytes that are invalid here.
      reset()
      return .dropped
    }
  }

  private mutating func feedString(_ byte: UInt8) -> Outcome {
    if sawEscape {
      // ESC ends the string in any case, properly only with a backslash.
      return byte == UInt8(ascii: "\\") ? finish() : interrupt(next: byte)
    }
    switch byte {
    case 0x07: return finish()
    case 0x1B:
      sawEscape = true
      return .pending
    case 0x18, 0x1A:
      reset()
      return .dropped
    default:
      hold(byte)
      return .pending
    }
  }

  private mutating func feedLegacyMouse(_ byte: UInt8) -> Outcome {
    guard byte != 0x1B else { return interrupt(next: nil) }
    guard bytes.count == 2 else {
      hold(byte)
      return .pending
    }
    return finish(with: byte)
  }

  private mutating func hold(_ byte: UInt8) {
    guard bytes.count < Self.byteLimit else {
      isTooLong = true
      return
    }
    bytes.append(byte)
  }

  private mutating func finish(with last: UInt8? = nil) -> Outcome {
    defer { reset() }
    if let last { hold(last) }
    guard let introducer, !isTooLong else { return .dropped }
    return .finished(introducer, bytes)
  }

  private mutating func interrupt(next: UInt8?) -> Outcome {
    reset()
    return .interrupted(next: next)
  }
}
