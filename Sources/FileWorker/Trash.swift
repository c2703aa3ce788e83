import CLinux
import Glibc
import Photos
import WorkerRuntime

/// A user's trash on all disks (freedesktop.org, Trash specification 1.0).
///
/// Files on the disk of the home trash are moved there. Any other disk has its own trash, in
/// `.Trash/UID` or `.Trash-UID` of its topmost folder. A folder that is mounted at a second place is
/// a disk of its own there, since no file can be moved from one place to the other.
package struct Trash: Sendable {
  /// The absolute path of the trash in the user's home; nil if there is none.
  private let home: [UInt8]?
  private let user: uid_t
  private let topFolder: @Sendable ([UInt8]) -> [UInt8]

  /// Creates the trash of a user.
  package init(
    home: [UInt8], user: uid_t = getuid(),
    topFolder: @escaping @Sendable ([UInt8]) -> [UInt8] = Self.topFolder(of:)
  ) {
    self.home = home.first == UInt8(ascii: "/") ? home : nil
    self.user = user
    self.topFolder = topFolder
  }

  /// Moves a file into the trash of its disk.
  ///
  /// - Returns: The step that was taken.
  /// - Throws: `FileFault`; the file is unchanged then.
  package func add(
    _ path: [UInt8], willMove: (FileMove.Method, [UInt8], [UInt8]) -> Void = { _, _, _ in }
  ) throws(FileFault) -> FileStep {
    var status = stat()
    guard lstat(path.terminated, &status) == 0 else { throw .last }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .isFolder }
    let (folder, name) = path.split
    let parent = try Self.resolved(folder)
    var first: FileFault?
    var isElsewhere = false
    for location in locations(for: parent) {
      do throws(FileFault) {
        let trash = try TrashFolder(location, user: user)
        guard !trash.isFilesFolder(parent) else { throw .isTrashed }
        let target = try trash.add(name, in: parent) { willMove($0, parent.adding(name), $1) }
        return FileStep(from: path, to: target)
      } catch {
        if case .isTrashed = error { throw error }
        if case .system(ENOENT) = error, lstat(path.terminated, &status) != 0 { throw error }
        // Another trash's fault is the reason to report, not that this one is on another mount.
        if first == nil || isElsewhere { first = .noTrash(folder: location.path, error) }
        isElsewhere = error == .system(EXDEV)
      }
    }
    throw first ?? .system(EXDEV)
  }

  /// Creates the trash for the files of a folder, unless there is one.
  ///
  /// - Returns: Its absolute path; nil if there can be none.
  package func ready(for folder: [UInt8]) -> [UInt8]? {
    guard let parent = try? Self.resolved(folder) else { return nil }
    for location in locations(for: parent) {
      do throws(FileFault) {
        _ = try TrashFolder(location, user: user)
        return location.path
      } catch {
        continue
      }
    }
    return nil
  }

  /// Moves a file from the trash to a path, and removes its info file.
  ///
  /// - Throws: `FileFault.lost` if the file is no longer in the trash.
  package func restore(_ file: FileStep, to path: [UInt8]) throws(FileFault) {
    try Self.takeOut(file, to: path)
    file.removeInfo()
  }

  /// Moves a file from the trash to a path, but leaves its info file in the trash.
  ///
  /// - Throws: `FileFault.lost` if the file is no longer in the trash.
  static func takeOut(
    _ file: FileStep, to path: [UInt8], willMove: (FileMove.Method) -> Void = { _ in }
  ) throws(FileFault) {
    var status = stat()
    guard file.trash != nil else { throw .lost }
    guard lstat(file.target.terminated, &status) == 0 else {
      throw errno == ENOENT || errno == ENOTDIR ? .lost : .last
    }
    try FileMove.move(
      FileMove.Location(file.target), to: FileMove.Location(path), willTry: willMove)
  }

  // MARK: - Choosing the trash

  /// A folder that may be used as a trash.
  struct Location {
    /// The absolute path of the folder.
    var path: [UInt8]
    /// The folder to which the recorded paths of files are relative; nil if they are absolute.
    var top: [UInt8]?
  }

  /// Returns the folders that may be the trash for the files of a folder, best first.
  private func locations(for parent: [UInt8]) -> [Location] {
    var locations: [Location] = []
    if let home, let mount = Self.mount(nearest: home), mount == Self.mount(of: parent) {
      locations.append(Location(path: home))
    }
    let top = topFolder(parent)
    let shared = top.adding(".Trash")
    var status = stat()
    // The folder is shared by all users: without the sticky bit, others could remove our files.
    if lstat(shared.terminated, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_mode & S_ISVTX != 0
    {
      locations.append(Location(path: shared.adding("\(user)"), top: top))
    }
    locations.append(Location(path: top.adding(".Trash-\(user)"), top: top))
    return locations
  }

  package static func topFolder(of folder: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    var top = folder
    while top.count > 1, let end = top.lastIndex(of: slash) {
      let above = end == 0 ? [slash] : Array(top[..<end])
      guard mount(of: above) == mount(of: folder) else { break }
      top = above
    }
    return top
  }

  /// A disk at one of the places where it is mounted; files are moved only within it.
  private struct Mount: Equatable {
    /// A subvolume of Btrfs has a device number of its own.
    var device: dev_t
    /// 0 if unknown.
    var number: UInt64
  }

  /// Returns the number of the mount that holds a folder; nil if the folder does not exist.
  private static func mount(of folder: [UInt8]) -> Mount? {
    var status = stat()
    guard stat(folder.terminated, &status) == 0 else { return nil }
    return Mount(device: status.st_dev, number: file_mount(folder.terminated))
  }

  /// Returns the mount of a folder, or of its nearest existing parent.
  private static func mount(nearest folder: [UInt8]) -> Mount? {
    var path = folder
    while !path.isEmpty {
      if let mount = mount(of: path) { return mount }
      path = Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
    }
    return mount(of: [UInt8(ascii: "/")])
  }

  /// Returns the absolute path of a folder, with symbolic links resolved; empty is the current one.
  static func resolved(_ folder: [UInt8]) throws(FileFault) -> [UInt8] {
    let given = folder.isEmpty ? [UInt8(ascii: ".")] : folder
    guard let path = realpath(given.terminated, nil) else { throw .last }
    defer { free(path) }
    return UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
  }
}

/// The info file of a file in the trash, which records its path and the time of its removal.
struct TrashInfo {
  /// The path before the removal: absolute, or relative to the topmost folder of the disk.
  private let path: [UInt8]

  static let suffix = Array(".trashinfo".utf8)
  private static let maxNameLength = 255
  /// The longest extension to keep when a name must be cut, in bytes.
  private static let maxExtensionLength = 20

  /// Creates the info file for an absolute path, recorded relative to `top` unless that is nil.
  init(path: [UInt8], below top: [UInt8]?) {
    guard var top else {
      self.path = path
      return
    }
    if top.last != UInt8(ascii: "/") { top.append(UInt8(ascii: "/")) }
    self.path = path.starts(with: top) ? Array(path[top.count...]) : path
  }

  /// The contents of the file, with the current local time as the time of removal.
  var bytes: [UInt8] {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    let date = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map(Self.twoDigits)
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.twoDigits)
    let when = date.joined(separator: "-") + "T" + clock.joined(separator: ":")
    return Array("[Trash Info]\nPath=\(Self.encoded(path))\nDeletionDate=\(when)\n".utf8)
  }

  private static func twoDigits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// Returns a path percent-encoded, as in the field `Path`.
  static func encoded(_ path: [UInt8]) -> String {
    String(decoding: path.percentEncoded, as: UTF8.self)
  }

  static func decoded(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard rest.count >= 2, let value = UInt8(digits, radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  /// Returns the name for a file in the trash.
  ///
  /// `entry(for: "sea.jpg", 0)` is "sea.jpg", `entry(for: "sea.jpg", 2)` is "sea_2.jpg". Names are
  /// cut so that the name of the info file fits too.
  ///
  /// - Parameters:
  ///   - name: The name before the removal.
  ///   - number: 0, or a number that makes the name unique.
  /// - Returns: A name of at most 255 bytes, extension included.
  static func entry(for name: [UInt8], _ number: Int) -> [UInt8] {
    let mark = number == 0 ? [] : Array("_\(number)".utf8)
    let room = maxNameLength - suffix.count - mark.count
    let dot = name.extensionStart
    let end = name.count - dot <= maxExtensionLength ? Array(name[dot...]) : []
    var stem = Array(name[..<(name.count - end.count)])
    if stem.count > room - end.count {
      stem.removeLast(stem.count - (room - end.count))
      // If the cut is within a UTF-8 character, the rest of it is removed too.
      while let last = stem.last, last & 0xC0 == 0x80 { stem.removeLast() }
      if let last = stem.last, last & 0xC0 == 0xC0 { stem.removeLast() }
    }
    return stem + mark + end
  }
}

/// The step of a file into the trash.
extension FileStep {
  private var infoPath: [UInt8]? {
    trash?.adding("info").adding(target.lastPathComponent + TrashInfo.suffix)
  }

  /// Removes the info file, once the file is no longer in the trash.
  func removeInfo() { if let infoPath { unlink(infoPath.terminated) } }

  /// The absolute path that the info file records; nil if it cannot be read.
  var origin: [UInt8]? {
    let prefix = "Path="
    let lines = String(decoding: info ?? [], as: UTF8.self).split(separator: "\n")
    guard let trash, let line = lines.first(where: { $0.hasPrefix(prefix) }),
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
    guard FileIdentity(at: target) == nil, let info, let infoPath else { return }
    // A process that was killed may have written only a part of it, or nothing.
    let isCut = info.count { $0 == UInt8(ascii: "\n") } < 3
    guard isCut || origin == path else { return }
    // Another session may be moving the same file into the trash, and have written the info file.
    // With that file out of the way, the session writes it again; if the moved file is there by
    // now, the info file is put back.
    let aside = infoPath.split.folder + "\(FileGroup.temporaryPrefix)\(getpid())".utf8
    guard rename(infoPath.terminated, aside.terminated) == 0 else { return }
    if FileIdentity(at: target) != nil {
      do throws(FileFault) {
        return try FileMove.move(FileMove.Location(aside), to: FileMove.Location(infoPath))
      } catch {
        guard error == .system(EEXIST) else { return }
      }
    }
    unlink(aside.terminated)
  }

  private var info: [UInt8]? {
    guard let infoPath else { return nil }
    let file = open(infoPath.terminated, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // Percent-encoding makes a path of 4096 bytes up to three times as long.
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    return FileCopy.readPiece(of: file, into: &bytes).map { Array(bytes[..<$0]) }
  }
}

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
      && FileIdentity(own) == FileIdentity(other)
  }

  /// Moves a file into the trash.
  ///
  /// Its info file is written first, since no program can restore a file without one.
  ///
  /// - Returns: The path at which the file is in the trash.
  /// - Throws: `FileFault`; the file is unchanged then.
  func add(
    _ name: [UInt8], in parent: [UInt8], willMove: (FileMove.Method, [UInt8]) -> Void
  ) throws(FileFault) -> [UInt8] {
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
        return target
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
