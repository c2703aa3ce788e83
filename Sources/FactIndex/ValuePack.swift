import PhotoGridCore
import WorkerProtocol

/// A value of fixed size about a photo that is stored apart from its facts.
protocol PackedValue: BitwiseCopyable {
  /// The kind of the packs with these values.
  static var kind: PackKind { get }
  /// Whether the value, which may come from a damaged index, is valid.
  var isPossible: Bool { get }
}

/// The hash of a picture, or its absence, with the stamp of the picture's file.
struct HashValue: PackedValue {
  private var inode: UInt64
  private var byteCount: Int64
  private var modified: Int64
  private var bits: UInt64
  /// 1 for a picture that has a hash, otherwise 0.
  private var hasHash: UInt64

  static let kind = PackKind.hashes

  /// Creates the value for a hash, nil for a picture without one, and the stamp of the file.
  init(_ hash: DifferenceHash?, _ stamp: FileStamp) {
    (inode, byteCount, modified) = (stamp.inode, stamp.byteCount, stamp.modified)
    (bits, hasHash) = (hash?.bits ?? 0, hash == nil ? 0 : 1)
  }

  /// The hash; nil for a picture without one.
  var hash: DifferenceHash? { hasHash == 0 ? nil : DifferenceHash(bits: bits) }

  /// The stamp of the file when its picture was hashed.
  var stamp: FileStamp { FileStamp(inode: inode, byteCount: byteCount, modified: modified) }

  var isPossible: Bool { byteCount >= 0 && hasHash <= 1 }
}

/// The rating of a photo, with the stamp of the photo and its sidecars.
struct RatingValue: PackedValue {
  /// The stamp of the files when the rating was read.
  private(set) var stamp: UInt64
  private var code: UInt64

  static let kind = PackKind.ratings

  /// Creates the value for a rating that was read from files.
  init(_ rated: IndexEntry.Rated) { (stamp, code) = (rated.stamp, UInt64(rated.rating.code)) }

  /// The rating; nil if the stored number is invalid.
  var rating: Rating? { UInt8(exactly: code).flatMap { Rating(code: $0) } }

  var isPossible: Bool { rating != nil }
}

/// The format of a blob in the index with a hash or a rating for each of many photos of a folder.
///
/// The blob begins with the number of photos and the size of a value in bytes, as `UInt64`. Then
/// follow the values as they are in memory, and the file names, each followed by a NUL.
enum ValuePack<Value: PackedValue> {
  private static var headLength: Int { 16 }

  /// Packs the values of photos, at most `FactPack.mostPhotos`, into a blob.
  static func bytes(of photos: ArraySlice<StoredValue<Value>>) -> [UInt8] {
    let size = MemoryLayout<Value>.stride
    var bytes = [UInt8](repeating: 0, count: headLength + size * photos.count)
    bytes.withUnsafeMutableBytes { buffer in
      buffer.storeBytes(of: UInt64(photos.count), as: UInt64.self)
      buffer.storeBytes(of: UInt64(size), toByteOffset: 8, as: UInt64.self)
      for (place, photo) in photos.enumerated() {
        buffer.storeBytes(
          of: photo.value, toByteOffset: headLength + size * place, as: Value.self)
      }
    }
    PackedNames.append(photos.lazy.map(\.name), to: &bytes)
    return bytes
  }

  /// Calls a function with the name and the valid value of each photo in a blob; not at all if the
  /// blob is invalid.
  static func forEach(
    in bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, Value) -> Void
  ) {
    let size = MemoryLayout<Value>.stride
    guard bytes.count > headLength, bytes.last == 0 else { return }
    let count = bytes.loadUnaligned(as: UInt64.self)
    guard count <= FactPack.mostPhotos,
      bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self) == UInt64(size)
    else { return }
    let names = headLength + size * Int(count)
    PackedNames.forEach(in: bytes, from: names, count: Int(count)) { place, name in
      let value = bytes.loadUnaligned(
        fromByteOffset: headLength + size * place, as: Value.self)
      if value.isPossible { body(name, value) }
    }
  }
}
