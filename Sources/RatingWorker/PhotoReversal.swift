import Glibc
import PhotoGridCore
import WorkerProtocol

/// What a change of the XMP in a photo replaced. Photos are too large to be kept, so only the places
/// that differ are.
extension FileReversal {
  /// The bytes that are compared at a time.
  private static let chunk = 64 << 10
  /// The number of equal bytes between two places that are recorded as one.
  private static let mergedGap = 16

  /// Compares a photo after a change with the one before; nil if too much differs, or if either cannot
  /// be read.
  init?(photo new: Int32, from old: Int32) {
    guard let sizes = Self.sizes(old, new), let differing = Self.differing(old, new, sizes) else {
      return nil
    }
    var pieces: [Piece] = []
    var byteCount = 0
    for (before, after) in differing {
      byteCount += before.count
      guard byteCount <= Self.maxReplacedCount, pieces.count < Self.maxPieces,
        let replaced = Self.read(old, before)
      else { return nil }
      pieces.append(Piece(start: after.lowerBound, count: after.count, replaced: replaced))
    }
    guard let fingerprint = Self.fingerprint(of: new, pieces) else { return nil }
    self.init(index: Self.photo, fingerprint: fingerprint, pieces: pieces)
  }

  /// Writes the photo before the change to a file.
  ///
  /// - Returns: Whether this was the photo after the change; if not, nothing was written.
  func restore(from new: Int32, to target: Int32) throws(RatingFault) -> Bool {
    guard Self.fingerprint(of: new, pieces) == fingerprint, let count = Self.size(of: new) else {
      return false
    }
    var offset = 0
    for piece in pieces {
      guard let range = piece.range, range.lowerBound >= offset, range.upperBound <= count else {
        return false
      }
      offset = range.upperBound
    }
    offset = 0
    for piece in pieces + [Piece(start: count, count: 0, replaced: [])] {
      guard let range = piece.range else { return false }
      while offset < range.lowerBound {
        let end = min(offset + Self.chunk * 16, range.lowerBound)
        guard let bytes = Self.read(new, offset..<end) else { throw .system(EIO) }
        try AtomicFile.write(bytes, to: target)
        offset = end
      }
      try AtomicFile.write(piece.replaced, to: target)
      offset = range.upperBound
    }
    return true
  }

  /// Returns a hash of the size, the first bytes and the changed ones of a photo; nil if they cannot be
  /// read.
  private static func fingerprint(of file: Int32, _ pieces: [Piece]) -> UInt64? {
    guard let count = size(of: file), let head = read(file, 0..<min(chunk, count)) else {
      return nil
    }
    var hash = Self.hash(head, after: Self.hash("\(count)".utf8))
    for piece in pieces {
      guard let range = piece.range, range.upperBound <= count else { return nil }
      for start in stride(from: range.lowerBound, to: range.upperBound, by: chunk) {
        guard let bytes = read(file, start..<min(start + chunk, range.upperBound)) else {
          return nil
        }
        hash = Self.hash(bytes, after: hash)
      }
    }
    return hash
  }

  private typealias Difference = (before: Range<Int>, after: Range<Int>)

  /// Returns the places that differ: one, if what is around it is the same at the beginning and at the
  /// end of both, or else those at which the bytes themselves differ; nil if too much does.
  private static func differing(
    _ old: Int32, _ new: Int32, _ sizes: (old: Int, new: Int)
  ) -> [Difference]? {
    let most = min(sizes.old, sizes.new)
    var start = 0
    while start < most {
      let range = start..<min(start + chunk, most)
      guard let (a, b) = both(read(old, range), read(new, range)) else { return nil }
      guard a == b else {
        start += zip(a, b).prefix { $0 == $1 }.count
        break
      }
      start = range.upperBound
    }
    var end = 0
    while end < most - start {
      let count = min(chunk, most - start - end)
      guard
        let (a, b) = both(
          read(old, sizes.old - end - count..<sizes.old - end),
          read(new, sizes.new - end - count..<sizes.new - end))
      else { return nil }
      guard a == b else {
        end += zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
        break
      }
      end += count
    }
    if sizes.old - start - end <= maxReplacedCount {
      return [(start..<sizes.old - end, start..<sizes.new - end)]
    }
    return differingInPlace(old, new, sizes, from: start)
  }

  /// Returns the places that differ in files whose bytes have stayed where they were, such as a TIFF, to
  /// whose end directories are added.
  private static func differingInPlace(
    _ old: Int32, _ new: Int32, _ sizes: (old: Int, new: Int), from start: Int
  ) -> [Difference]? {
    let most = min(sizes.old, sizes.new)
    var ranges: [Range<Int>] = []
    for offset in stride(from: start, to: most, by: chunk) {
      let range = offset..<min(offset + chunk, most)
      guard let (a, b) = both(read(old, range), read(new, range)) else { return nil }
      guard a != b else { continue }
      for index in a.indices where a[index] != b[index] {
        if let last = ranges.last, offset + index - last.upperBound < mergedGap {
          ranges[ranges.count - 1] = last.lowerBound..<(offset + index + 1)
        } else {
          guard ranges.count < maxPieces else { return nil }
          ranges.append(offset + index..<(offset + index + 1))
        }
      }
    }
    let end: [Difference] =
      sizes.old == sizes.new ? [] : [(most..<sizes.old, most..<sizes.new)]
    return ranges.map { ($0, $0) } + end
  }

  private static func both<Value>(_ one: Value?, _ other: Value?) -> (Value, Value)? {
    one.flatMap { one in other.map { (one, $0) } }
  }

  private static func sizes(_ old: Int32, _ new: Int32) -> (old: Int, new: Int)? {
    both(size(of: old), size(of: new)).map { ($0.0, $0.1) }
  }

  private static func size(of file: Int32) -> Int? {
    var status = stat()
    return fstat(file, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Reads bytes of a file; nil if not all of them can be read.
  private static func read(_ file: Int32, _ range: Range<Int>) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var count = 0
    while count < range.count {
      let added = bytes.withUnsafeMutableBytes {
        pread(
          file, $0.baseAddress?.advanced(by: count), range.count - count,
          off_t(range.lowerBound + count))
      }
      guard added > 0 || added < 0 && errno == EINTR else { return nil }
      count += max(added, 0)
    }
    return bytes
  }
}
