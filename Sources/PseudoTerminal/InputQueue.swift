/// What a terminal sends to a program, in order: what is typed never lands inside of an answer.
struct InputQueue {
  /// Some bytes, and when they are due.
  private struct Piece {
    var due: Int64
    var bytes: ArraySlice<UInt8>
    /// Whether it is a further piece of the one before.
    var isContinuation = false
  }

  private var pieces: [Piece] = []

  /// Whether nothing is left to be sent.
  var isEmpty: Bool { pieces.isEmpty }

  /// Adds what is due at a time, behind all that is due until then.
  ///
  /// - Parameters:
  ///   - bytes: What is sent.
  ///   - time: When it is due, in nanoseconds.
  ///   - pieceSize: How many bytes are sent at a time, two milliseconds apart; nil for all.
  mutating func append(_ bytes: [UInt8], at time: Int64, pieceSize: Int? = nil) {
    guard !bytes.isEmpty else { return }
    var place = pieces.firstIndex { $0.due > time } ?? pieces.endIndex
    while place < pieces.endIndex, pieces[place].isContinuation { place += 1 }
    var due = max(time, place > 0 ? pieces[place - 1].due : 0)
    let size = pieceSize ?? bytes.count
    var added: [Piece] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = bytes[start..<min(start + size, bytes.count)]
      added.append(Piece(due: due, bytes: piece, isContinuation: start > 0))
      if pieceSize != nil { due += 2_000_000 }
    }
    pieces.insert(contentsOf: added, at: place)
  }

  /// Whether something is due at a time.
  func isDue(at time: Int64) -> Bool { pieces.first.map { $0.due <= time } ?? false }

  /// What is due next at a time; nil if that is nothing.
  func due(at time: Int64) -> ArraySlice<UInt8>? {
    isDue(at: time) ? pieces.first?.bytes : nil
  }

  /// Takes away the first bytes of what is due next: they are sent.
  mutating func removeFirst(_ count: Int) {
    pieces[0].bytes.removeFirst(count)
    if pieces[0].bytes.isEmpty { pieces.removeFirst() }
  }

  /// Forgets all that is not sent yet.
  mutating func removeAll() { pieces.removeAll() }
}
