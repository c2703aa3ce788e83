import Glibc
import PhotoGridCore

extension TrashedFile {
  /// The path of the file in the trash.
  var path: [UInt8] { trash.adding("files").adding(name) }

  /// The path of its info file.
  var infoPath: [UInt8] { trash.adding("info").adding(name + TrashInfo.suffix) }

  /// The absolute path that the info file records; nil if it cannot be read.
  var origin: [UInt8]? {
    let prefix = "Path="
    let lines = String(decoding: info ?? [], as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix(prefix) }),
      let path = TrashInfo.decoded(line.dropFirst(prefix.count))
    else { return nil }
    guard path.first != UInt8(ascii: "/") else { return path }
    // The trash of a disk is `TOP/.Trash-UID` or `TOP/.Trash/UID`.
    let (above, name) = trash.split
    let isShared = name.allSatisfy { (0x30...0x39).contains($0) }
    return (isShared ? Array(above.dropLast()).split.folder : above).adding(path)
  }

  /// Removes the info file of a file that is not in the trash.
  ///
  /// - Parameter path: The absolute path that the info file must record, unless it is incomplete.
  func removeInfo(ofMissing path: [UInt8]) {
    guard FileIdentity(at: self.path) == nil, let info else { return }
    // A process that was killed may have written only a part of it, or nothing.
    let isCut = info.count { $0 == UInt8(ascii: "\n") } < 3
    if isCut || origin == path { unlink(infoPath.terminated) }
  }

  private var info: [UInt8]? {
    let file = open(infoPath.terminated, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // Percent-encoding makes a path of 4096 bytes up to three times as long.
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = read(file, &bytes, bytes.count)
    return count < 0 ? nil : Array(bytes[..<count])
  }
}
