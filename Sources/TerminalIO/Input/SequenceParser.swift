import PhotoGridCore

/// One control sequence a byte at a time, from behind its introducer to its end.
///
/// Keeps its state between reads, holds at most `byteLimit` bytes whatever arrives, and never
/// waits. Grammar: ECMA-48, section 5.4, and xterm's `ctlseqs`.
package struct SequenceParser: Sendable {
  /// The most bytes kept of one sequence; a longer one is followed to its end and dropped.
  package static let byteLimit = 4096

  /// What a sequence begins with, after ESC.
  package enum Introducer: Equatable, Sendable {
    /// `[`
    case control
    /// `O`: one byte follows.
    case singleShift
    /// `P`, `]`, `_`; nil for `^` and `X`, which nothing answers with.
    case string(TerminalReply.Kind?)
    /// `[M`: xterm's first mouse format, three bytes follow.
    case legacyMouse

    /// The introducer that ESC and the byte are, if they are one.
    package init?(byte: UInt8) {
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

  /// What a byte led to.
  package enum Outcome: Equatable, Sendable {
    /// The sequence goes on.
    case pending
    /// It is complete: all bytes between introducer and terminator, a `CSI`'s final one included.
    case finished(Introducer, [UInt8])
    /// It ended without a meaning; the byte belonged to it.
    case dropped
    /// It was cut short by an ESC that begins something new, whose next byte this is; nil if that
    /// is still to come.
    case interrupted(next: UInt8?)
  }

  private var introducer: Introducer?
  private var bytes: [UInt8] = []
  private var isTooLong = false
  private var sawEscape = false

  /// A parser that is in no sequence.
  package init() {}

  /// Whether a sequence has begun and not ended.
  package var isActive: Bool { introducer != nil }

  /// Whether what has begun is a string, in which any text may occur.
  package var isInString: Bool {
    if case .string = introducer { true } else { false }
  }

  /// How many bytes are held.
  package var heldByteCount: Int { bytes.count }

  /// Starts a sequence; whatever had begun before is forgotten.
  package mutating func begin(_ introducer: Introducer) {
    reset()
    self.introducer = introducer
  }

  /// Forgets what had begun.
  package mutating func reset() {
    introducer = nil
    bytes.removeAll(keepingCapacity: true)
    isTooLong = false
    sawEscape = false
  }

  /// Takes the next byte of the sequence.
  package mutating func feed(_ byte: UInt8) -> Outcome {
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
      // CAN, SUB, other controls and bytes that no such sequence has: a broken one.
      reset()
      return .dropped
    }
  }

  private mutating func feedString(_ byte: UInt8) -> Outcome {
    if sawEscape {
      // ESC ends the string in any case; only with a backslash is it the proper end.
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
