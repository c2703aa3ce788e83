import CLinux
import Geometry
import Glibc

/// The folder of the journals: no one but the user can have written what is in it.
///
/// An undo moves the files that a journal names. So the folder, the one around it, and the state folder
/// around both must belong to the user, and nobody else may write there; each is opened in the one
/// before, without following links.
///
///     $XDG_STATE_HOME/photogrid/undo/0018a5c3f2d41e00-4711
package struct JournalFolder: ~Copyable {
  private let folder: Int32
  /// The absolute path.
  private let path: [UInt8]

  /// Opens the folder at an absolute path.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - creates: Whether what is missing of it is created.
  /// - Throws: `FileFault.untrusted` if others could have written there, or another `FileFault` if it
  ///   cannot be opened or created.
  init(_ path: [UInt8], creates: Bool = true) throws(FileFault) {
    let inner = path.trimmed.split
    let outer = inner.folder.trimmed.split
    let state = outer.folder.trimmed
    if creates { try makeFolders(state) }
    // The user may have moved it, and left a link.
    var folder = Glibc.open(state.terminated, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .last }
    defer { if folder >= 0 { close(folder) } }
    try Self.check(folder, at: state, isState: true)
    var current = state
    for name in [outer.name, inner.name] {
      current = current.adding(name)
      // A full disk has no room for a folder that is missing.
      let creation = creates && mkdirat(folder, name.terminated, 0o700) != 0 ? FileFault.last : nil
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
      let next = openat(folder, name.terminated, flags)
      guard next >= 0 else {
        let fault = Self.faultOfLink(name, in: folder, at: current)
        throw fault == .system(ENOENT) ? creation ?? fault : fault
      }
      close(folder)
      folder = next
      try Self.check(folder, at: current)
    }
    (self.folder, self.path) = (folder, path)
    folder = -1
  }

  deinit { close(folder) }

  /// Opens a journal.
  ///
  /// - Throws: `FileFault.untrusted` if others could have written it.
  func open(_ name: [UInt8], _ flags: Int32) throws(FileFault) -> Int32 {
    let flags = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = openat(folder, name.terminated, flags, 0o600)
    guard file >= 0 else { throw Self.faultOfLink(name, in: folder, at: path.adding(name)) }
    do throws(FileFault) {
      try Self.check(file, at: path.adding(name), isFile: true)
    } catch {
      close(file)
      throw error
    }
    return file
  }

  func remove(_ name: [UInt8]) { unlinkat(folder, name.terminated, 0) }

  /// The names of all journals, newest first: a name begins with the time of its session.
  var names: [[UInt8]] {
    let list = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard list >= 0, let stream = fdopendir(list) else { return [] }
    defer { closedir(stream) }
    return entryNames(in: stream).filter { $0.first != UInt8(ascii: ".") }
      .sorted { $1.lexicographicallyPrecedes($0) }
  }

  /// Checks that nobody else can have written to an open file or folder.
  ///
  /// The group's right to write is also that of everyone whom an access control list names. The state
  /// folder may belong to the system; where others may create files, but not remove those of the user,
  /// they gain nothing by it. A journal must be a regular file with a single name.
  private static func check(
    _ file: Int32, at path: [UInt8], isState: Bool = false, isFile: Bool = false
  ) throws(FileFault) {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .last }
    let isSticky = isState && status.st_mode & S_ISVTX != 0
    guard status.st_uid == geteuid() || isState && status.st_uid == 0 else {
      throw .untrusted(path, .notOwn)
    }
    guard status.st_mode & 0o022 == 0 || isSticky else {
      throw .untrusted(path, .writableByOthers)
    }
    guard isFile else { return }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .untrusted(path, .irregular) }
    guard status.st_nlink <= 1 else { throw .untrusted(path, .hasOtherNames) }
  }

  /// Returns why a name could not be opened, from `errno`.
  private static func faultOfLink(_ name: [UInt8], in folder: Int32, at path: [UInt8]) -> FileFault
  {
    let fault = FileFault.last
    var status = stat()
    guard fstatat(folder, name.terminated, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFLNK
    else { return fault }
    return .untrusted(path, .isLink)
  }
}

extension JournalFolder {
  /// The report of `--doctor` about the journals of a folder.
  package struct Examination {
    /// The number of journals that count.
    package var count = 0
    /// Why the folder or a journal in it is ignored, printable; empty if all count.
    package var ignored: [String] = []
  }

  /// Examines the folder of a session's journal, without creating it.
  package static func examine(journal: [UInt8]) -> Examination {
    var examination = Examination()
    do throws(FileFault) {
      let folder = try JournalFolder(journal.split.folder, creates: false)
      for name in folder.names {
        do throws(FileFault) {
          close(try folder.open(name, O_RDONLY))
          examination.count += 1
        } catch {
          examination.ignored.append(PrintableText.from(error.message.utf8))
        }
      }
    } catch {
      // Without the folder nothing was recorded yet.
      guard ![.system(ENOENT), .system(ENOTDIR)].contains(error) else { return examination }
      examination.ignored.append(PrintableText.from(error.message.utf8))
    }
    return examination
  }
}

extension [UInt8] {
  /// The path without slashes at its end, except for the root folder's.
  fileprivate var trimmed: [UInt8] {
    var path = self[...]
    while path.count > 1, path.last == UInt8(ascii: "/") { path = path.dropLast() }
    return Array(path)
  }
}
