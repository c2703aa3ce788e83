import Glibc
import PhotoGridCore

/// The trashes of a person on all disks, by the trash specification of freedesktop.org, version 1.0.
package struct Trash: Sendable {
  /// Of a person's home, absolute; nil where there is none.
  private let home: [UInt8]?
  private let user: uid_t
  private let topFolder: @Sendable ([UInt8]) -> [UInt8]

  /// The trashes of a user.
  ///
  /// - Parameters:
  ///   - home: the trash in the home folder, absolute; empty where there is none.
  ///   - user: whose trashes they are.
  ///   - topFolder: the folder at which the disk of another folder begins; paths are absolute.
  package init(
    home: [UInt8], user: uid_t = getuid(),
    topFolder: @escaping @Sendable ([UInt8]) -> [UInt8] = Self.topFolder(of:)
  ) {
    self.home = home.first == UInt8(ascii: "/") ? home : nil
    self.user = user
    self.topFolder = topFolder
  }

  /// Moves a file into the trash of its disk.
  package func take(_ path: [UInt8]) throws(FileFault) -> TrashedFile {
    var status = stat()
    guard lstat(path.terminated, &status) == 0 else { throw .last }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw .isFolder }
    let (folder, name) = path.split
    let parent = try Self.resolved(folder)
    var first: FileFault?
    for place in places(for: parent) {
      do throws(FileFault) {
        let trash = try TrashFolder(place, user: user)
        guard !trash.isHolding(parent) else { throw .isTrashed }
        return try trash.take(name, in: parent)
      } catch {
        if case .isTrashed = error { throw error }
        if case .system(ENOENT) = error, lstat(path.terminated, &status) != 0 { throw error }
        first = first ?? .noTrash(folder: place.path, error)
      }
    }
    throw first ?? .system(EXDEV)
  }

  /// Moves a file from a trash to where it was.
  package func giveBack(_ file: TrashedFile, to path: [UInt8]) throws(FileFault) {
    let entry = file.trash.adding("files").adding(file.name)
    var status = stat()
    guard lstat(entry.terminated, &status) == 0 else {
      throw errno == ENOENT || errno == ENOTDIR ? .lost : .last
    }
    try FileMove.move(FileMove.Place(entry), to: FileMove.Place(path))
    unlink(file.trash.adding("info").adding(file.name + TrashInfo.suffix).terminated)
  }

  // MARK: - Which trash

  /// A folder that may serve as a trash.
  struct Place {
    var path: [UInt8]
    /// The folder that files' paths are relative to; nil where they are absolute.
    var top: [UInt8]?
  }

  /// The trashes that a folder's files may go to, the best first.
  private func places(for parent: [UInt8]) -> [Place] {
    var places: [Place] = []
    if let home, let device = Self.device(nearest: home), device == Self.device(of: parent) {
      places.append(Place(path: home))
    }
    let top = topFolder(parent)
    let shared = top.adding(".Trash")
    var status = stat()
    // Anybody may have made it, so it must be one in which everybody has his own.
    if lstat(shared.terminated, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_mode & S_ISVTX != 0
    {
      places.append(Place(path: shared.adding("\(user)"), top: top))
    }
    places.append(Place(path: top.adding(".Trash-\(user)"), top: top))
    return places
  }

  /// The highest folder above one that is on the same disk.
  package static func topFolder(of folder: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    var top = folder
    while top.count > 1, let end = top.lastIndex(of: slash) {
      let above = end == 0 ? [slash] : Array(top[..<end])
      guard device(of: above) == device(of: folder) else { break }
      top = above
    }
    return top
  }

  private static func device(of folder: [UInt8]) -> dev_t? {
    var status = stat()
    return stat(folder.terminated, &status) == 0 ? status.st_dev : nil
  }

  /// The disk of a folder, or of what there is on the way to it.
  private static func device(nearest folder: [UInt8]) -> dev_t? {
    var path = folder
    while !path.isEmpty {
      if let device = device(of: path) { return device }
      path = Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
    }
    return device(of: [UInt8(ascii: "/")])
  }

  /// A folder's path without links in it, absolute.
  private static func resolved(_ folder: [UInt8]) throws(FileFault) -> [UInt8] {
    let given = folder.isEmpty ? [UInt8(ascii: ".")] : folder
    guard let path = realpath(given.terminated, nil) else { throw .last }
    defer { free(path) }
    return UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
  }
}
