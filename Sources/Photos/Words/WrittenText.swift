import Geometry

/// A title or a caption as a file has it, divided into words, so that a change of some words keeps
/// everything else: line breaks, spaces, and characters that are not shown.
package struct WrittenText {
  /// A word, or a line break.
  private struct Piece {
    /// The word as it is shown; "\n" for a line break.
    let shown: String
    let range: Range<Int>

    var isBreak: Bool { shown == "\n" }
  }

  private let bytes: [UInt8]
  private let keepsLines: Bool
  private var pieces: [Piece] = []

  /// Divides a text in UTF-8; unless `keepsLines`, a line break is a space.
  package init(_ bytes: [UInt8], keepsLines: Bool) {
    (self.bytes, self.keepsLines) = (bytes, keepsLines)
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == 0x20 || (0x09...0x0d).contains(byte) {
      insertWord(start..<index)
      start = index + 1
      guard keepsLines, byte == 0x0a || byte == 0x0d else { continue }
      // A line break may be a carriage return, a line feed, or both.
      let isSecond = byte == 0x0a && index > 0 && bytes[index - 1] == 0x0d
      let first = isSecond ? pieces.popLast()?.range.lowerBound : nil
      pieces.append(Piece(shown: "\n", range: (first ?? index)..<start))
    }
    insertWord(start..<bytes.count)
    pieces = Array(pieces.drop(while: \.isBreak))
    while pieces.last?.isBreak == true { pieces.removeLast() }
  }

  private mutating func insertWord(_ range: Range<Int>) {
    let shown = PrintableText.from(bytes[range])
    if !shown.isEmpty { pieces.append(Piece(shown: shown, range: range)) }
  }

  /// The words as they are shown, with a space or line breaks between two of them.
  package var shown: String {
    var text = ""
    for piece in pieces {
      if !text.isEmpty, text.last != "\n", !piece.isBreak { text += " " }
      text += piece.shown
    }
    return text
  }

  /// Returns the bytes with other words between those at the beginning and the end that are the same
  /// in both texts.
  package func replaced(by text: String) -> [UInt8] {
    let new = WrittenText(Array(text.utf8), keepsLines: keepsLines)
    guard !new.pieces.isEmpty else { return [] }
    let head = zip(pieces, new.pieces).prefix { $0.shown == $1.shown }.count
    let most = min(pieces.count, new.pieces.count) - head
    let tail = zip(pieces.reversed(), new.pieces.reversed()).prefix(most)
      .prefix { $0.shown == $1.shown }.count
    if head + tail == pieces.count, pieces.count == new.pieces.count { return bytes }
    var result = head > 0 ? Array(bytes[..<pieces[head - 1].range.upperBound]) : []
    var isSpaced = head == 0 || pieces[head - 1].isBreak
    func space(before piece: Piece) -> [UInt8] { isSpaced || piece.isBreak ? [] : [0x20] }
    for piece in new.pieces[head..<(new.pieces.count - tail)] {
      result += space(before: piece) + new.bytes[piece.range]
      isSpaced = piece.isBreak
    }
    guard let piece = pieces.suffix(tail).first else { return result }
    return result + space(before: piece) + bytes[piece.range.lowerBound...]
  }
}
