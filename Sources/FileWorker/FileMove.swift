import CLinux
import Glibc

/// Moves files without ever replacing another file.
package enum FileMove {
  /// The location of a file: a name in an open folder, or a path.
  package struct Location {
    /// The descriptor of the folder; `AT_FDCWD` for a path.
    var folder: Int32
    /// The name or path: bytes without NUL.
    var name: [UInt8]

    package init(_ path: [UInt8]) { self.init(AT_FDCWD, path) }

    init(_ folder: Int32, _ name: [UInt8]) {
      self.folder = folder
      self.name = name
    }
  }

  /// A way to move a file that fails if the new name exists; file systems support different ones.
  package enum Method: String, CaseIterable, Sendable {
    /// The methods that move a file within its file system, best first.
    package static let renaming: [Method] = [.exclusiveRename, .link, .placeholder]

    /// `renameat2` with `RENAME_NOREPLACE`.
    case exclusiveRename = "move"
    /// `linkat` creates the new name, and `unlinkat` removes the old one.
    case link
    /// An exclusive `openat` creates an empty file of the new name, and `renameat` replaces it.
    case placeholder
    /// The contents are copied into a new file; `move` does not support this method.
    case copy
  }

  /// Moves a file.
  ///
  /// - Throws: `.system(EEXIST)` if the new name exists, `.system(EXDEV)` if it is on another disk,
  ///   or another `FileFault`; the file is unchanged then.
  package static func move(
    _ old: Location, to new: Location, methods: [Method] = Method.renaming,
    willTry: (Method) -> Void = { _ in }
  ) throws(FileFault) {
    var fault = FileFault.system(EINVAL)
    for method in methods {
      willTry(method)
      do throws(FileFault) {
        return try move(old, to: new, by: method)
      } catch {
        fault = error
        guard case .system(let code) = error, isUnsupported(code, method) else { break }
      }
    }
    throw fault
  }

  private static func move(_ old: Location, to new: Location, by method: Method) throws(FileFault) {
    let (from, to) = (old.name.terminated, new.name.terminated)
    switch method {
    case .exclusiveRename:
      guard file_rename_without_replacing(old.folder, from, new.folder, to) == 0 else {
        throw .last
      }
    case .link:
      guard linkat(old.folder, from, new.folder, to, 0) == 0 else { throw .last }
      guard unlinkat(old.folder, from, 0) == 0 else {
        let fault = FileFault.last
        unlinkat(new.folder, to, 0)
        throw fault
      }
    case .placeholder:
      let descriptor = openat(new.folder, to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw .last }
      close(descriptor)
      guard renameat(old.folder, from, new.folder, to) == 0 else {
        let fault = FileFault.last
        unlinkat(new.folder, to, 0)
        throw fault
      }
    case .copy: throw .system(EXDEV)
    }
  }

  /// Whether an `errno` means that the file system does not support a method.
  private static func isUnsupported(_ code: Int32, _ method: Method) -> Bool {
    switch method {
    case .exclusiveRename: [EINVAL, ENOSYS, EOPNOTSUPP].contains(code)
    case .link: [EPERM, ENOSYS, EOPNOTSUPP, EMLINK].contains(code)
    case .placeholder, .copy: false
    }
  }
}
