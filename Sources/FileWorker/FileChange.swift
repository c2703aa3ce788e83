import Glibc
import ImageFormats
import Photos
import WorkerRuntime

/// A change of a few bytes of a file, with the bytes that it replaces, by which it is undone.
struct FileChange: Equatable {
  /// The size of the file before the change, in bytes; nil if it did not exist.
  private let countBefore: Int?
  /// The size of the file after the change, in bytes; nil if the change removes it.
  private let countAfter: Int?
  /// The bytes that are replaced, in the order of the file.
  private let pieces: [Piece]

  private struct Piece: Equatable {
    /// Where the bytes are before.
    var offset: Int
    var old: [UInt8]
    var new: [UInt8]
  }

  /// The most bytes that may be overwritten in place: fewer than a disk could write partly.
  private static let maxOverwritten = 8

  /// The change that a patch makes; nil if the bytes that it replaces cannot be read.
  init?(_ patch: FilePatch, of file: ByteSource) {
    var pieces: [Piece] = []
    for replacement in patch.replacements {
      let range = replacement.range
      guard let old = file.bytes(at: range.lowerBound, count: range.count) else { return nil }
      pieces.append(Piece(offset: range.lowerBound, old: old, new: replacement.bytes))
    }
    (countBefore, countAfter, self.pieces) = (file.count, file.count + patch.growth, pieces)
  }

  /// The change that creates a file.
  init(creating bytes: [UInt8]) {
    (countBefore, countAfter) = (nil, bytes.count)
    pieces = [Piece(offset: 0, old: [], new: bytes)]
  }

  private init(_ before: Int?, _ after: Int?, _ pieces: [Piece]) {
    (countBefore, countAfter, self.pieces) = (before, after, pieces)
  }

  /// The change that undoes this one.
  var reversed: FileChange {
    var growth = 0
    let reversed = pieces.map { piece in
      defer { growth += piece.new.count - piece.old.count }
      return Piece(offset: piece.offset + growth, old: piece.new, new: piece.old)
    }
    return FileChange(countAfter, countBefore, reversed)
  }

  /// Whether the file at a path is as it is before the change.
  func fits(_ path: [UInt8]) -> Bool {
    guard let file = OpenFile(path) else { return countBefore == nil && errno == ENOENT }
    return fits(file.source)
  }

  private func fits(_ file: ByteSource) -> Bool {
    file.count == countBefore
      && pieces.allSatisfy { file.bytes(at: $0.offset, count: $0.old.count) == $0.old }
  }

  // MARK: - Making it

  /// Changes the file at a path.
  ///
  /// - Parameters:
  ///   - path: Its absolute path.
  ///   - mode: The permissions of a file that is created.
  ///   - prepare: Called when the file is locked and only a single call of the system is left to do.
  /// - Throws: `FileFault`, which is `.changed` if the file is not as it is before the change; it stays as
  ///   it is then.
  func make(
    at path: [UInt8], mode: mode_t, preparedBy prepare: () -> Void = {}
  ) throws(FileFault) {
    do throws(ReplacementFault) {
      var file = try LockedFile(path)
      guard file.status == nil ? countBefore == nil : fits(file.source) else {
        throw .changed
      }
      guard countAfter != nil else {
        prepare()
        return try file.remove()
      }
      if try overwrites(file, prepare) { return }
      guard !Sidecar.isSidecar(path) else {
        return try file.replace(by: parts, .text(mode: mode), preparedBy: prepare)
      }
      // It may have got another name since it was examined, from which it would be separated.
      guard !file.hasSeveralNames else { throw .changed }
      try file.replace(
        by: parts, .photo,
        verifiedBy: { new in
          // By its time programs notice that their thumbnails of the photo are outdated.
          futimens(new, nil)
          return true
        }, preparedBy: prepare)
    } catch {
      throw FileFault(error)
    }
  }

  /// The contents after the change.
  private var parts: [FilePatch.Piece] {
    var parts: [FilePatch.Piece] = []
    var offset = 0
    for piece in pieces {
      if piece.offset > offset { parts.append(.kept(offset..<piece.offset)) }
      parts.append(.new(piece.new))
      offset = piece.offset + piece.old.count
    }
    if let countBefore, countBefore > offset { parts.append(.kept(offset..<countBefore)) }
    return parts
  }

  /// Changes a locked file in place if that takes a single write, rather than copying a photo for two
  /// bytes.
  ///
  /// - Returns: Whether it was changed.
  private func overwrites(
    _ file: borrowing LockedFile, _ prepare: () -> Void
  ) throws(ReplacementFault) -> Bool {
    guard pieces.count == 1, pieces[0].old.count == pieces[0].new.count,
      pieces[0].new.count <= Self.maxOverwritten, let status = file.status
    else { return false }
    let descriptor = open(file.path.terminated, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var opened = stat()
    guard fstat(descriptor, &opened) == 0, opened.st_dev == status.st_dev,
      opened.st_ino == status.st_ino, file.isUnchanged
    else { throw .changed }
    let bytes = pieces[0].new
    prepare()
    guard pwrite(descriptor, bytes, bytes.count, off_t(pieces[0].offset)) == bytes.count,
      fsync(descriptor) == 0
    else { throw .system(errno) }
    return true
  }
}

extension FileChange {
  /// The change as a word in the journal: "412,414,20:0001:000601" replaces two bytes at 20 by three in
  /// a file of 412 bytes; "-" stands for no file.
  var word: String {
    let counts = [countBefore, countAfter].map { $0.map(String.init) ?? "-" }
    return
      (counts + pieces.map { "\($0.offset):\(Self.digits(of: $0.old)):\(Self.digits(of: $0.new))" })
      .joined(separator: ",")
  }

  init?(word: some StringProtocol) {
    let words = word.split(separator: ",", omittingEmptySubsequences: false)
    guard words.count > 2 else { return nil }
    let counts = words[..<2].map { $0 == "-" ? -1 : Int($0) ?? -2 }
    guard counts.allSatisfy({ (-1...Self.maxCount).contains($0) }) else { return nil }
    let (before, after) = (max(counts[0], 0), max(counts[1], 0))
    var (pieces, end, growth) = ([Piece](), 0, 0)
    for word in words[2...] {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 3, let offset = Int(parts[0]), offset >= end,
        let old = Self.bytes(parts[1]), let new = Self.bytes(parts[2]),
        offset <= before - old.count
      else { return nil }
      end = offset + old.count
      growth += new.count - old.count
      pieces.append(Piece(offset: offset, old: old, new: new))
    }
    guard before + growth == after else { return nil }
    self.init(counts[0] < 0 ? nil : before, counts[1] < 0 ? nil : after, pieces)
  }

  /// The largest file, in bytes, by which sums cannot overflow.
  private static let maxCount = 1 << 60

  private static let hexadecimal = Array("0123456789abcdef".utf8)

  private static func digits(of bytes: [UInt8]) -> String {
    String(
      decoding: bytes.flatMap { [hexadecimal[Int($0 >> 4)], hexadecimal[Int($0 & 15)]] },
      as: UTF8.self)
  }

  private static func bytes(_ digits: some StringProtocol) -> [UInt8]? {
    let values = digits.utf8.map { hexadecimal.firstIndex(of: $0) }
    guard values.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: values.count, by: 2) {
      guard let high = values[index], let low = values[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}

/// A regular file that is open for reading.
final class OpenFile {
  let status: stat
  private let descriptor: Int32

  /// Opens a file; nil if that fails, with the reason in `errno`.
  init?(_ path: [UInt8]) {
    let file = open(path.terminated, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { return nil }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      errno = EINVAL
      return nil
    }
    (descriptor, self.status) = (file, status)
  }

  deinit { close(descriptor) }

  /// Its bytes, as long as somebody has the file or the source.
  var source: ByteSource {
    ByteSource(count: Int(status.st_size)) { [self] in LockedFile.bytes(of: descriptor, $0) }
  }

  /// Returns all bytes; nil if there are more than `limit`, or they cannot be read.
  func bytes(atMost limit: Int) -> [UInt8]? {
    let count = Int(status.st_size)
    guard count <= limit else { return nil }
    return source.bytes(at: 0, count: count)
  }
}
