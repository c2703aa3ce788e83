import ImageFormats
import WorkerProtocol

/// The reversal of a change of the XMP in a photo: the patch that takes it back, as photos are too
/// large to be kept.
extension FileReversal {
  /// The number of bytes at the beginning that are part of the fingerprint.
  private static let headLength = 64 << 10

  /// Creates the reversal of a change that has made a photo; nil if it replaced too much.
  init?(photo: ByteSource, inverse: FilePatch?) {
    guard let inverse else { return nil }
    let pieces = inverse.replacements.map {
      Piece(start: $0.range.lowerBound, count: $0.range.count, replaced: $0.bytes)
    }
    guard pieces.count <= Self.maxPieces,
      pieces.reduce(0, { $0 + $1.replaced.count }) <= Self.maxReplacedCount,
      let fingerprint = Self.fingerprint(of: photo, inverse)
    else { return nil }
    self.init(index: Self.photo, fingerprint: fingerprint, pieces: pieces)
  }

  /// Returns the patch that makes the photo before the change; nil if this is not the one after it.
  func patch(of photo: ByteSource) -> FilePatch? {
    var replacements: [FilePatch.Replacement] = []
    for piece in pieces {
      guard let range = piece.range, range.upperBound <= photo.count else { return nil }
      replacements.append(.init(range, piece.replaced))
    }
    guard let patch = FilePatch(replacements),
      Self.fingerprint(of: photo, patch) == fingerprint
    else { return nil }
    return patch
  }

  /// Returns a hash of the size, the first bytes and those to replace; nil if they cannot be read.
  private static func fingerprint(of photo: ByteSource, _ patch: FilePatch) -> UInt64? {
    guard let head = photo.bytes(at: 0, atMost: headLength) else { return nil }
    var hash = Self.hash(head, after: Self.hash("\(photo.count)".utf8))
    for replacement in patch.replacements {
      let range = replacement.range
      for start in stride(from: range.lowerBound, to: range.upperBound, by: headLength) {
        let count = min(headLength, range.upperBound - start)
        guard let bytes = photo.bytes(at: start, count: count) else { return nil }
        hash = Self.hash(bytes, after: hash)
      }
    }
    return hash
  }
}
