import Glibc
import ImageFormats
import WorkerProtocol

/// One folder's names, told apart.
struct FolderContents {
  private(set) var images = NameList()
  private(set) var subfolders = NameList()
  /// Files that are not images.
  private(set) var skipped = 0
  /// Whether the system stopped telling names before the end.
  private(set) var endedEarly = false

  /// Reads all names of an open folder.
  init(_ stream: OpaquePointer, includesHidden: Bool) {
    errno = 0
    while let entry = readdir(stream) {
      defer { errno = 0 }
      let start = UnsafeRawPointer(entry)
        .advanced(by: MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
        .assumingMemoryBound(to: UInt8.self)
      let name = UnsafeBufferPointer(
        start: start, count: strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)))
      if name[0] == 0x2e, !includesHidden || Self.isSelfOrParent(name) { continue }
      let type = Self.type(of: entry.pointee.d_type, in: stream, start)
      if type == S_IFDIR {
        subfolders.append(name)
      } else if Self.isImage(name, type, in: stream, start) {
        images.append(name)
      } else {
        skipped += 1
      }
    }
    endedEarly = errno != 0
  }

  private static func isSelfOrParent(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.count == 1 || (name.count == 2 && name[1] == 0x2e)
  }

  /// The file's type as in `st_mode`, behind links; 0 for a link that leads nowhere.
  private static func type(
    of kind: UInt8, in stream: OpaquePointer, _ name: UnsafePointer<UInt8>
  ) -> mode_t {
    if Int(kind) != DT_UNKNOWN, Int(kind) != DT_LNK { return mode_t(kind) << 12 }
    var status = stat()
    guard fstatat(dirfd(stream), cString(name), &status, 0) == 0 else { return 0 }
    return status.st_mode & S_IFMT
  }

  /// Whether the name says so, or, where it has no extension, the first bytes do.
  private static func isImage(
    _ name: UnsafeBufferPointer<UInt8>, _ type: mode_t, in stream: OpaquePointer,
    _ start: UnsafePointer<UInt8>
  ) -> Bool {
    switch ImageName.verdict(on: name) {
    case .image: return true
    case .other: return false
    case .unnamed:
      guard type == S_IFREG else { return false }
      let descriptor = openat(
        dirfd(stream), cString(start), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      let head = try? PhotoFile.read(descriptor, count: ImageFormat.sniffedByteCount, from: 0)
      return head.flatMap { ImageFormat(firstBytes: $0) } != nil
    }
  }

  private static func cString(_ name: UnsafePointer<UInt8>) -> UnsafePointer<CChar> {
    UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self)
  }
}

/// Many names in one piece of memory.
struct NameList {
  private var bytes: [UInt8] = []
  /// Where each name ends.
  private var ends: [Int] = []

  var isEmpty: Bool { ends.isEmpty }

  mutating func append(_ name: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: name)
    ends.append(bytes.count)
  }

  /// Visits the names in natural order.
  func forEachInOrder(_ body: (ArraySlice<UInt8>) -> Void) {
    let order = bytes.withUnsafeBufferPointer { bytes in
      ends.indices.sorted { left, right in
        NaturalOrder.precedes(
          UnsafeBufferPointer(rebasing: bytes[range(left)]),
          UnsafeBufferPointer(rebasing: bytes[range(right)]))
      }
    }
    for index in order { body(bytes[range(index)]) }
  }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }
}
