import Glibc
import PhotoGridCore

/// An open trash, with the folder `files` for files and `info` for their original paths.
struct TrashFolder: ~Copyable {
  private let place: Trash.Place
  /// The descriptor of the folder `files`.
  private let files: Int32
  /// The descriptor of the folder `info`.
  private let info: Int32

  /// The number of consecutive names to try before random ones.
  private static let consecutiveAttempts = 50
  private static let maxAttempts = 200

  /// Opens a trash, which is created if it does not exist.
  ///
  /// A trash outside of the home folder must belong to the user and not be a symbolic link, since
  /// other users may be able to write there.
  init(_ place: Trash.Place, user: uid_t) throws(FileFault) {
    let isShared = place.top != nil
    if isShared { mkdir(place.path.terminated, 0o700) } else { makeFolders(place.path) }
    let noLink = isShared ? O_NOFOLLOW : 0
    let folder = open(place.path.terminated, O_RDONLY | O_DIRECTORY | O_CLOEXEC | noLink)
    guard folder >= 0 else { throw Self.fault(of: place.path) }
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
    self.place = place
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
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - parent: The absolute path of its folder.
  ///   - willMove: Called before anything is done, with the path in the trash that is tried.
  /// - Returns: Where the file is in the trash.
  /// - Throws: `FileFault`; the file is unchanged then.
  func add(
    _ name: [UInt8], in parent: [UInt8], willMove: (FileMove.Method, [UInt8]) -> Void
  ) throws(FileFault) -> TrashedFile {
    let path = parent.adding(name)
    let info = TrashInfo(path: path, below: place.top).bytes
    for attempt in 0..<Self.maxAttempts {
      let isConsecutive = attempt < Self.consecutiveAttempts
      let number =
        isConsecutive ? attempt : Int.random(in: Self.consecutiveAttempts..<1_000_000)
      let entry = TrashInfo.entry(for: name, number)
      let target = place.path.adding("files").adding(entry)
      willMove(.exclusiveRename, target)
      do throws(FileFault) {
        try write(info, as: entry + TrashInfo.suffix)
      } catch {
        if error == .system(EEXIST) { continue }
        throw error
      }
      do throws(FileFault) {
        try FileMove.move(FileMove.Place(path), to: FileMove.Place(files, entry)) { method in
          if method != .exclusiveRename { willMove(method, target) }
        }
        return TrashedFile(trash: place.path, name: entry, originalPath: path)
      } catch {
        unlinkat(self.info, (entry + TrashInfo.suffix).terminated, 0)
        // The name is used by a file without an info file: try another name.
        guard error == .system(EEXIST) else { throw error }
      }
    }
    throw .system(EEXIST)
  }

  /// Writes a new file in `info`, which is removed if it cannot be completed.
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
    // Network disks may report only now that they are full.
    if close(descriptor) != 0, fault == nil { fault = .last }
    if let fault {
      unlinkat(info, name.terminated, 0)
      throw fault
    }
  }

  /// Opens a subfolder, which is created if it does not exist.
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
