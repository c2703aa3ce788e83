/// Bytes that a terminal sends to a program, in order: typed keys never interrupt a response.
struct InputQueue {
  /// Bytes, and the time at which they are due.
  private struct Piece {
    var due: Int64
    var bytes: ArraySlice<UInt8>
    /// Whether it continues the previous chunk.
    var isContinuation = false
  }

  private var pieces: [Piece] = []

  /// Whether all bytes were sent.
  var isEmpty: Bool { pieces.isEmpty }

  /// Adds bytes that are due at a time, after all that are due until then.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to send.
  ///   - time: The time at which they are due, in nanoseconds.
  ///   - pieceSize: The number of bytes to send at a time, two milliseconds apart; nil for all.
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

  /// Whether bytes are due at a time.
  func isDue(at time: Int64) -> Bool { pieces.first.map { $0.due <= time } ?? false }

  /// The next bytes that are due at a time; nil if there are none.
  func due(at time: Int64) -> ArraySlice<UInt8>? {
    isDue(at: time) ? pieces.first?.bytes : nil
  }

  /// Removes the next bytes after they were sent.
  mutating func removeFirst(_ count: Int) {
    pieces[0].bytes.removeFirst(count)
    if pieces[0].bytes.isEmpty { pieces.removeFirst() }
  }

  /// Drops all bytes that were not sent yet.
  mutating func removeAll() { pieces.removeAll() }
}
