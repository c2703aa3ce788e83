import FileWorker
import Foundation
import TestSupport

/// The disk on which files are trashed.
extension TrashTests {
  /// A folder with photos, which serves as the top of a disk and has a home trash.
  final class Disk {
    private let folder = TemporaryFolder()
    var top: String { folder.path }
    var photos: String { "\(top)/photos" }
    var home: String { "\(top)/home/Trash" }

    init() throws {
      try FileManager.default.createDirectory(
        atPath: photos, withIntermediateDirectories: true)
    }

    deinit {
      chmod(photos, 0o755)
    }

    var homeTrash: Trash { Trash(home: Array(home.utf8)) }

    /// The trash of a separate disk whose top folder is `top`.
    func diskTrash(user: uid_t = getuid()) -> Trash {
      let top = Array(top.utf8)
      return Trash(home: [], user: user, topFolder: { _ in top })
    }

    func path(_ name: [UInt8]) -> [UInt8] { Array("\(photos)/".utf8) + name }
    func path(_ name: String) -> [UInt8] { path(Array(name.utf8)) }

    @discardableResult
    func write(_ bytes: String, to path: [UInt8]) -> [UInt8] {
      let descriptor = open(
        path.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT | O_EXCL, 0o644)
      precondition(descriptor >= 0, "\(String(cString: strerror(errno)))")
      _ = Array(bytes.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      close(descriptor)
      return path
    }

    func read(_ path: [UInt8]) -> String? {
      let descriptor = open(path.map { CChar(bitPattern: $0) } + [0], O_RDONLY)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    func names(_ folder: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    func mode(_ path: String) -> mode_t {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }
  }
}
