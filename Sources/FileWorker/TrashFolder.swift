import Glibc
import PhotoGridCore

struct TrashFolder: ~Copyable {
  private let location: Trash.Location
  private let files: Int32
  private let info: Int32

  private static let consecutiveAttempts = 50
  private static let maxAttempts = 200

  /// Opens a trash, which is created if it does not exist.
  ///
  /// A trash outside of the home folder must belong to the user and not be a symbolic link, since
  /// other users may be able to write there.
  init(_ location: Trash.Location, user: uid_t) throws(FileFault) {
    let isShared = location.top != nil
    if isShared { mkdir(location.path.terminated, 0o700) } else { try? makeFolders(location.path) }
    let noLink = isShared ? O_NOFOLLOW : 0
    let folder = open(location.path.terminated, O_RDONLY | O_DIRECTORY | O_CLOEXEC | noLink)
    guard folder >= 0 else { throw Self.fault(of: location.path) }
    defer { close(folder) }
    var status = stat()
    guard fstat(folder, &status) == 0 else { throw .last }
    guard !isShared || status.st_uid == user else { throw .notOwn }
    let files = try Self.openFolder("files", in: folder)
    do throws(FileFault) {
      info = try Self.openFolder("info", in: folder)
    } catch {
      close(files)
      throw error
    }
    self.files = files
    self.location = location
  }

  deinit {
    close(files)
    close(info)
  }

  func isFilesFolder(_ folder: [UInt8]) -> Bool {
    var (own, other) = (stat(), stat())
    return fstat(files, &own) == 0 && stat(folder.terminated, &other) == 0
      && own.st_dev == other.st_dev && own.st_ino == other.st_ino
  }

  /// Moves a file into the trash.
  ///
  /// Its info file is written first, since no program can restore a file without one.
  ///
  /// - Returns: Where the file is in the trash.
  /// - Throws: `FileFault`; the file is unchanged then.
  func add(
    _ name: [UInt8], in parent: [UInt8], willMove: (FileMove.Method, [UInt8]) -> Void
  ) throws(FileFault) -> TrashedFile {
    let path = parent.adding(name)
    let info = TrashInfo(path: path, below: location.top).bytes
    for attempt in 0..<Self.maxAttempts {
      let isConsecutive = attempt < Self.consecutiveAttempts
      let number =
        isConsecutive ? attempt : Int.random(in: Self.consecutiveAttempts..<1_000_000)
      let entry = TrashInfo.entry(for: name, number)
      let target = location.path.adding("files").adding(entry)
      willMove(.exclusiveRename, target)
      do throws(FileFault) {
        try write(info, as: entry + TrashInfo.suffix)
      } catch {
        if error == .system(EEXIST) { continue }
        throw error
      }
      do throws(FileFault) {
        try FileMove.move(FileMove.Location(path), to: FileMove.Location(files, entry)) { method in
          if method != .exclusiveRename { willMove(method, target) }
        }
        // Another session that settles what a killed process began may have removed it.
        if faccessat(self.info, (entry + TrashInfo.suffix).terminated, F_OK, 0) != 0 {
          try? write(info, as: entry + TrashInfo.suffix)
        }
        return TrashedFile(trash: location.path, name: entry, originalPath: path)
      } catch {
        unlinkat(self.info, (entry + TrashInfo.suffix).terminated, 0)
        // The name is used by a file without an info file: try another name.
        guard error == .system(EEXIST) else { throw error }
      }
    }
    throw .system(EEXIST)
  }

  /// Writes a new file in `info`, which is removed if it cannot be completed.
  ///
  /// It is on the disk when the call returns: after a power cut, a file in the trash without its
  /// path could not be restored.
  private func write(_ bytes: [UInt8], as name: [UInt8]) throws(FileFault) {
    let descriptor = openat(
      info, name.terminated, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .last }
    var rest = bytes[...]
    var fault: FileFault?
    while !rest.isEmpty, fault == nil {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        fault = .last
      }
    }
    if fault == nil, fsync(descriptor) != 0 { fault = .last }
    // Network disks may report only now that they are full.
    if close(descriptor) != 0, fault == nil { fault = .last }
    if let fault {
      unlinkat(info, name.terminated, 0)
      throw fault
    }
  }

  private static func openFolder(_ name: String, in folder: Int32) throws(FileFault) -> Int32 {
    mkdirat(folder, name, 0o700)
    let made = errno
    let descriptor = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    if descriptor < 0 { throw errno == ENOENT ? .system(made) : .last }
    return descriptor
  }

  /// Returns the reason that a trash could not be opened or created, given `errno`.
  private static func fault(of path: [UInt8]) -> FileFault {
    let code = errno
    if code == ENOTDIR {
      var status = stat()
      let isLink = lstat(path.terminated, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
      return .system(isLink ? ELOOP : ENOTDIR)
    }
    guard code == ENOENT else { return .system(code) }
    return mkdir(path.terminated, 0o700) == 0 ? .system(code) : .last
  }
}
