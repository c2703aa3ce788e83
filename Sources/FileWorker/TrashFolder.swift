import Glibc
import PhotoGridCore

/// An open trash: the folders `files` and `info` in it, made where they were missing.
struct TrashFolder: ~Copyable {
  private let place: Trash.Place
  private let files: Int32
  private let info: Int32

  /// After so many names in a row are taken, numbers are drawn by chance.
  private static let mostInRow = 50
  private static let mostAttempts = 200

  /// Opens a trash, making it if need be; one on a disk that others may have written to is to be
  /// the user's own, and no link.
  init(_ place: Trash.Place, user: uid_t) throws(FileFault) {
    let isShared = place.top != nil
    if isShared { mkdir(place.path.terminated, 0o700) } else { Self.makeFolders(place.path) }
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

  /// Whether a folder is this trash's own folder of files.
  func isHolding(_ folder: [UInt8]) -> Bool {
    var (own, other) = (stat(), stat())
    return fstat(files, &own) == 0 && stat(folder.terminated, &other) == 0
      && own.st_dev == other.st_dev && own.st_ino == other.st_ino
  }

  /// Moves a file in: first the note of where it was, for a file without one is lost to others.
  func take(_ name: [UInt8], in parent: [UInt8]) throws(FileFault) -> TrashedFile {
    let path = parent.adding(name)
    let note = TrashInfo(path: path, below: place.top).bytes
    for attempt in 0..<Self.mostAttempts {
      let number = attempt < Self.mostInRow ? attempt : Int.random(in: Self.mostInRow..<1_000_000)
      let entry = TrashInfo.entry(for: name, number)
      do throws(FileFault) {
        try write(note, as: entry + TrashInfo.suffix)
      } catch {
        if error == .system(EEXIST) { continue }
        throw error
      }
      do throws(FileFault) {
        try FileMove.move(FileMove.Place(path), to: FileMove.Place(files, entry))
        return TrashedFile(trash: place.path, name: entry)
      } catch {
        unlinkat(info, (entry + TrashInfo.suffix).terminated, 0)
        // A file without a note had that name.
        guard error == .system(EEXIST) else { throw error }
      }
    }
    throw .system(EEXIST)
  }

  /// Writes a new file into `info`; none is left where that fails.
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
    // Some disks say only now that they are full.
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

  /// Makes a folder and those above it, as far as they are missing.
  private static func makeFolders(_ path: [UInt8]) {
    guard mkdir(path.terminated, 0o700) != 0, errno == ENOENT,
      let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0
    else { return }
    makeFolders(Array(path[..<slash]))
    mkdir(path.terminated, 0o700)
  }

  /// Why a trash could not be opened: where it is missing, why it could not be made.
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
