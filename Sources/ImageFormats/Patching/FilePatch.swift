/// Replacements of byte ranges that make a new file of an old one.
package struct FilePatch: Equatable, Sendable {
  package struct Replacement: Equatable, Sendable {
    /// The bytes of the old file that go; empty for an insertion.
    package var range: Range<Int>
    /// The bytes in their place.
    package var bytes: [UInt8]

    package init(_ range: Range<Int>, _ bytes: [UInt8]) {
      self.range = range
      self.bytes = bytes
    }
  }

  /// The replacements in the order of the file; they do not overlap.
  package let replacements: [Replacement]

  /// Creates a patch; nil if two replacements overlap.
  ///
  /// Replacements may come in any order; those at one offset stay in theirs.
  package init?(_ replacements: [Replacement]) {
    let ordered = replacements.enumerated().sorted {
      ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
        < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
    }.map(\.element)
    guard
      zip(ordered, ordered.dropFirst()).allSatisfy({ $0.range.upperBound <= $1.range.lowerBound })
    else { return nil }
    self.replacements = ordered
  }

  private init(ordered replacements: [Replacement]) { self.replacements = replacements }

  package var isEmpty: Bool { replacements.isEmpty }

  /// The number of bytes by which the new file is longer than the old one.
  package var growth: Int { replacements.reduce(0) { $0 + $1.bytes.count - $1.range.count } }

  /// A piece of the new file.
  package enum Piece: Equatable, Sendable {
    /// Bytes of the old file.
    case kept(Range<Int>)
    case new([UInt8])

    package var count: Int {
      switch self {
      case .kept(let range): range.count
      case .new(let bytes): bytes.count
      }
    }
  }

  /// Returns the pieces that the new file is made of; nil if the old file, of `count` bytes, ends
  /// before a replacement.
  package func pieces(ofFileOf count: Int) -> [Piece]? {
    var pieces: [Piece] = []
    var offset = 0
    for replacement in replacements {
      guard replacement.range.lowerBound >= offset, replacement.range.upperBound <= count else {
        return nil
      }
      if replacement.range.lowerBound > offset {
        pieces.append(.kept(offset..<replacement.range.lowerBound))
      }
      if !replacement.bytes.isEmpty { pieces.append(.new(replacement.bytes)) }
      offset = replacement.range.upperBound
    }
    guard offset <= count else { return nil }
    if offset < count { pieces.append(.kept(offset..<count)) }
    return pieces
  }

  /// Returns the new file; nil if the old one ends before a replacement.
  package func applied(to old: [UInt8]) -> [UInt8]? {
    pieces(ofFileOf: old.count)?.flatMap { piece in
      switch piece {
      case .kept(let range): Array(old[range])
      case .new(let bytes): bytes
      }
    }
  }

  /// Returns the patch that makes the old file of the new one; nil if bytes that were replaced cannot
  /// be read.
  package func inverse(in old: ByteSource) -> FilePatch? {
    var inverses: [Replacement] = []
    var shift = 0
    for replacement in replacements {
      let range = replacement.range
      guard let bytes = old.bytes(at: range.lowerBound, count: range.count) else { return nil }
      let start = range.lowerBound + shift
      inverses.append(Replacement(start..<(start + replacement.bytes.count), bytes))
      shift += replacement.bytes.count - range.count
    }
    return FilePatch(inverses)
  }

  /// Returns the patch for a file with more bytes before the ones that this one is for.
  func moved(by offset: Int) -> FilePatch {
    FilePatch(
      ordered: replacements.map {
        Replacement(
          ($0.range.lowerBound + offset)..<($0.range.upperBound + offset), $0.bytes)
      })
  }

  /// Returns the patch without bytes that stay as they are, at the beginning and the end of each
  /// replacement; nil if bytes to replace cannot be read.
  func trimmed(in old: ByteSource) -> FilePatch? {
    var trimmed: [Replacement] = []
    for replacement in replacements {
      let (range, new) = (replacement.range, replacement.bytes)
      guard let bytes = old.bytes(at: range.lowerBound, count: range.count) else { return nil }
      guard bytes != new else { continue }
      let start = zip(bytes, new).prefix { $0 == $1 }.count
      let most = min(bytes.count, new.count) - start
      let end = zip(bytes.reversed(), new.reversed()).prefix(most).prefix { $0 == $1 }.count
      trimmed.append(
        Replacement(
          (range.lowerBound + start)..<(range.upperBound - end),
          Array(new[start..<(new.count - end)])))
    }
    return FilePatch(trimmed)
  }

  /// Whether a file is what this patch makes of another one, by its length, the bytes in place of
  /// others, and a few around them.
  package func isApplied(in new: ByteSource, of old: ByteSource) -> Bool {
    guard let pieces = pieces(ofFileOf: old.count), new.count == old.count + growth else {
      return false
    }
    let checked = 4096
    var offset = 0
    for piece in pieces {
      switch piece {
      case .new(let bytes):
        guard new.bytes(at: offset, count: bytes.count) == bytes else { return false }
        offset += bytes.count
      case .kept(let range):
        let count = min(range.count, checked)
        guard new.bytes(at: offset, count: count) == old.bytes(at: range.lowerBound, count: count)
        else { return false }
        offset += range.count
        guard
          new.bytes(at: offset - count, count: count)
            == old.bytes(at: range.upperBound - count, count: count)
        else { return false }
      }
    }
    return true
  }
}
