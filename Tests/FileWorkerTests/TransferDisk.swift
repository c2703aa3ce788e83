import Foundation
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import FileWorker

/// A folder on one disk and one on another, with a journal.
final class TransferDisk {
  let folder = TemporaryFolder()
  /// A folder of another file system; nil if the machine has none.
  let other: TemporaryFolder?
  var files = FileOperator()
  private var operation: UInt32 = 0

  init() throws {
    let memory = TemporaryFolder(in: "/dev/shm")
    var (here, there) = (stat(), stat())
    stat(folder.path, &here)
    stat(memory?.path ?? "/", &there)
    other = here.st_dev == there.st_dev ? nil : memory
  }

  func perform(_ change: PathTask, in session: Int = 1) -> FileOutcome {
    operation += 1
    return files.perform(
      .init(
        batch: operation, journal: folder.path("state/undo/\(session)"),
        change))
  }

  /// All files with their contents and times, by their paths.
  func state(_ path: String) -> [String: String] {
    var state: [String: String] = [:]
    for name in FileManager.default.subpaths(atPath: path) ?? [] {
      let full = "\(path)/\(name)"
      var status = stat()
      guard lstat(full, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      let bytes = contents(of: full)
      state[name] =
        "\(String(decoding: bytes, as: UTF8.self)) \(status.st_mtim.tv_sec) \(status.st_mode)"
    }
    return state
  }

  /// Both kinds of targets: on the same disk, and on another.
  enum Place: CaseIterable { case sameDisk, otherDisk }

  /// The path of a folder to move files into, which does not exist.
  func target(_ place: Place) throws -> String {
    switch place {
    case .sameDisk: return "\(folder.path)/target"
    case .otherDisk:
      let other = try #require(other, "/dev/shm and /tmp are one disk here")
      return "\(other.path)/target"
    }
  }

  /// The paths of the photos in folders, but not below them.
  func photos(below roots: [String]) -> [[UInt8]] {
    roots.flatMap { root in fileNames(root).map { "\(root)/\($0)" } }
      .filter { path in
        let name = path.lowercased()
        var status = stat()
        return !name.hasSuffix(".xmp") && !name.hasSuffix(".mov") && lstat(path, &status) == 0
          && status.st_mode & S_IFMT == S_IFREG
      }.map { Array($0.utf8) }
  }
}

/// The names in a folder, sorted.
func fileNames(_ path: String) -> [String] {
  (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
}

/// A folder to move files into, which is created if it does not exist.
func destination(_ path: String) -> FileDestination {
  FileDestination(folder: Array(path.utf8), isCreated: true)
}

/// A small file system of memory at a path.
struct SmallDisk {
  private let path: String

  /// Mounts it; nil if the user may not do that.
  init?(_ path: String) {
    self.path = path
    guard run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path) else { return nil }
  }

  func unmount() { _ = run("umount", path) }

  private func run(_ words: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
