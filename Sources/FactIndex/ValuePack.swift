import PhotoGridCore
import WorkerProtocol

/// Plain numbers that the index knows of a photo besides its facts.
protocol PackedValue: BitwiseCopyable {
  /// The kind of the packs with these numbers.
  static var kind: PackKind { get }
  /// Whether a photo can have these numbers.
  var isPossible: Bool { get }
}

/// The hash of a picture, with the stamp of its file.
struct HashValue: PackedValue {
  private var inode: UInt64
  private var byteCount: Int64
  private var modified: Int64
  private var bits: UInt64
  /// 1 for a picture that has a hash, otherwise 0.
  private var isHashed: UInt64

  static let kind = PackKind.hashes

  /// The hash of the picture in a file with a stamp; nil for a picture without one.
  init(_ hash: DifferenceHash?, _ stamp: FileStamp) {
    (inode, byteCount, modified) = (stamp.inode, stamp.byteCount, stamp.modified)
    (bits, isHashed) = (hash?.bits ?? 0, hash == nil ? 0 : 1)
  }

  /// The hash; nil for a picture without one.
  var hash: DifferenceHash? { isHashed == 0 ? nil : DifferenceHash(bits: bits) }

  /// The stamp by which a change of the file is recognized.
  var stamp: FileStamp { FileStamp(inode: inode, byteCount: byteCount, modified: modified) }

  var isPossible: Bool { byteCount >= 0 && isHashed <= 1 }
}

/// The rating of a photo, with the stamp of its files.
struct RatingValue: PackedValue {
  /// The stamp by which a change of the files is recognized.
  private(set) var stamp: UInt64
  private var code: UInt64

  static let kind = PackKind.ratings

  /// A rating that was read from files.
  init(_ rated: IndexEntry.Rated) { (stamp, code) = (rated.stamp, UInt64(rated.rating.code)) }

  /// The rating; nil for numbers that no photo can have.
  var rating: Rating? { UInt8(exactly: code).flatMap { Rating(code: $0) } }

  var isPossible: Bool { rating != nil }
}

/// A value of the index with numbers of many photos of a folder.
///
/// The value begins with the number of photos and the size of the numbers of one, in bytes. Then
/// follow the numbers as they are in memory, and the names, each with a NUL at its end.
enum ValuePack<Value: PackedValue> {
  private static var headLength: Int { 16 }

  /// Returns the value for photos, at most `FactPack.mostPhotos`.
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

  /// Calls a function with the name and the numbers of each photo of a value, except those that no
  /// photo can have; with none if the value is broken.
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
