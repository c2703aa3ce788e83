import Photos

/// Names of photos in one folder, and of subfolders, which end in a slash.
///
/// The names are in one array, since a folder may have a hundred thousand of them: two photos and a
/// subfolder are `"a.jpg\0b.jpg\0sub/\0"`.
package struct PhotoBatch: Equatable, Sendable {
  /// The index, in the request, of the root below which the photos were found.
  package var root: Int
  /// The part of the paths before the names: a folder that ends in a slash, or empty.
  package var folder: [UInt8]
  package private(set) var names: [UInt8] = []
  package private(set) var count = 0
  /// Facts of the photos, in the order of the names, from an earlier session; nil without any.
  package var facts: InfoBlock?

  package init(root: Int, folder: [UInt8]) {
    self.root = root
    self.folder = folder
  }

  package init(root: Int, path: [UInt8]) {
    let start = path.nameStart
    self.init(root: root, folder: Array(path[..<start]))
    append(path[start...])
  }

  /// Creates a batch of photos.
  package init(root: Int, folder: [UInt8], names: [UInt8], facts: InfoBlock?) {
    self.init(root: root, folder: folder)
    self.names = names
    self.facts = facts
    count = facts?.rows.count ?? names.count { $0 == 0 }
  }

  /// Adds a name, which must not contain NUL.
  package mutating func append(_ name: some Collection<UInt8>) {
    names.append(contentsOf: name)
    names.append(0)
    count += 1
  }

  /// Returns the first photos, without facts.
  ///
  /// - Returns: A batch of the same folder.
  package func prefix(_ most: Int, byteCount: Int) -> PhotoBatch {
    var batch = PhotoBatch(root: root, folder: folder)
    for name in names.split(separator: 0) {
      guard batch.count < most, batch.names.count + name.count < byteCount else { break }
      batch.append(name)
    }
    return batch
  }

  /// Returns batches of paths in their order; consecutive paths of one folder share a batch.
  ///
  /// All batches belong to the root with the index 0.
  package static func batches(of paths: [[UInt8]]) -> [PhotoBatch] {
    var batches: [PhotoBatch] = []
    for path in paths {
      let start = path.nameStart
      if batches.last.map({ $0.folder[...] != path[..<start] }) ?? true {
        batches.append(PhotoBatch(root: 0, folder: Array(path[..<start])))
      }
      batches[batches.count - 1].append(path[start...])
    }
    return batches
  }

  package func forEachName(_ body: (ArraySlice<UInt8>) -> Void) {
    var start = 0
    while start < names.count {
      let end = names[start...].firstIndex(of: 0) ?? names.count
      body(names[start..<end])
      start = end + 1
    }
  }

  /// Returns the photos in batches that each fit into a `LibraryProtocol.Request.lookUp`.
  ///
  /// Photos whose paths are too long for any file are left out.
  ///
  /// - Parameter first: A number for the first photo; the others have the numbers after it.
  /// - Returns: The batches, each with the number of its first photo as its root.
  package func lookups(from first: Int) -> [PhotoBatch] {
    guard folder.count < Self.maxPathLength else { return [] }
    var batches: [PhotoBatch] = []
    var (number, next) = (first, first)
    forEachName { name in
      defer { number += 1 }
      guard name.count < Self.maxPathLength else { return }
      let hasRoom =
        batches.last.map {
          next == number && $0.count < LibraryProtocol.maxLookups
            && $0.byteCount + name.count < Self.maxLookupLength
        } ?? false
      if !hasRoom { batches.append(PhotoBatch(root: number, folder: folder)) }
      batches[batches.count - 1].append(name)
      next = number + 1
    }
    return batches
  }

  /// The length that every path is shorter than, in bytes (`PATH_MAX`).
  private static let maxPathLength = 4096
  /// The most bytes in a batch to look up.
  private static let maxLookupLength = 32 << 10

  /// The paths of the photos: the folder followed by each name.
  package var paths: [[UInt8]] {
    names.split(separator: 0).map { folder + $0 }
  }

  /// The size in a message, in bytes.
  package var byteCount: Int { folder.count + names.count + 28 + (facts?.byteCount ?? 0) }
}

extension PhotoBatch: WireValue {
  func write(to payload: inout PayloadWriter) {
    payload.write(root, folder, LongBytes(names), facts)
  }

  /// Reads all fields; empty names are malformed.
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    root = try reader.read()
    folder = try reader.readFolder()
    names = try reader.read(LongBytes.self).bytes
    guard names.first != 0, names.isEmpty || names.last == 0 else { throw .malformed }
    var last: UInt8 = 1
    for byte in names {
      if byte == 0 {
        guard last != 0 else { throw .malformed }
        count += 1
      }
      last = byte
    }
    facts = try reader.read()
    guard facts?.rows.count ?? count == count else { throw .malformed }
  }
}

/// Batches as values of the index.
extension PhotoBatch {
  /// The bytes from which an equal batch can be created: a checksum of the rest, then the fields as in
  /// a message.
  package var snapshot: [UInt8] {
    var payload = PayloadWriter()
    payload.write(UInt64(0))
    write(to: &payload)
    var bytes = payload.bytes + payload.tail
    let checksum = bytes.withUnsafeBytes { Self.checksum($0.dropFirst(8)) }
    withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(..<8, with: $0) }
    return bytes
  }

  /// Creates the batch of a snapshot; nil if it is damaged.
  package init?(snapshot: UnsafeRawBufferPointer) {
    var reader = PayloadReader(Array(snapshot))
    do throws(ProtocolError) {
      guard try reader.read(UInt64.self) == Self.checksum(snapshot.dropFirst(8)) else { return nil }
      self = try PhotoBatch(&reader)
    } catch {
      return nil
    }
  }

  /// Returns a checksum that almost no damage by accident leaves the same.
  private static func checksum(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt64 {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    var sum = UInt64(bytes.count)
    func mix(_ word: UInt64) {
      let product = (sum ^ word).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
      sum = product.high ^ product.low &+ word
    }
    let end = bytes.count / 8 * 8
    for offset in stride(from: 0, to: end, by: 8) {
      mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    for byte in bytes[end...] { mix(UInt64(byte)) }
    return sum
  }
}
