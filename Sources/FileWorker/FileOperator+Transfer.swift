import Glibc
import PhotoGridCore
import WorkerProtocol

/// Moving and copying files into folders, and changing their orientation.
extension FileOperator {
  /// Moves or copies files into a folder, adding a number to their names if they are taken.
  ///
  /// All files get the same number: "sea.jpg" and its sidecar become "sea-2.jpg" and
  /// "sea-2.jpg.xmp".
  mutating func place(
    _ paths: [[UInt8]], in destination: FileDestination, _ kind: JournalEntry.Kind,
    _ operation: UInt32
  ) throws(FileFault) -> [MovedFile] {
    if destination.isCreated { try createFolder(destination.folder, operation) }
    let folder = try Self.existing(destination.folder)
    let sources = try paths.map(Self.absolute)
    if kind != .copy, sources.contains(where: { $0 == folder.adding($0.split.name) }) {
      throw .sameFolder
    }
    var fault = FileFault.system(EEXIST)
    for number in 0..<Self.mostNumbers {
      let files = sources.map {
        MovedFile(from: $0, to: folder.adding($0.split.name.numbered(number)))
      }
      let all = CompanionFiles.adding(to: files)
      let copy = progress(of: all)
      do throws(FileFault) {
        let leaving = kind == .copy ? [] : Set(all.map(\.source))
        try CompanionFiles.checkPlaces(of: all, leaving: leaving)
        try inGroup(kind, operation, all.count) { (group) throws(FileFault) in
          if kind == .copy { try group.copy(all, copy) } else { try group.move(all, copy) }
        }
        return zip(paths, files).map { MovedFile(from: $0, to: $1.target) }
          + all.dropFirst(files.count)
      } catch {
        fault = error
        if error == .system(EEXIST) { continue }
        guard case .exists = error else { throw error }
      }
    }
    throw fault
  }

  /// The most numbers that are tried for a name.
  private static let mostNumbers = 10_000

  /// Returns the path of an existing folder, without symbolic links.
  private static func existing(_ folder: [UInt8]) throws(FileFault) -> [UInt8] {
    do throws(FileFault) {
      let path = try Trash.resolved(folder)
      var status = stat()
      guard stat(path.terminated, &status) == 0 else { throw .last }
      guard status.st_mode & S_IFMT == S_IFDIR else { throw .noFolder }
      return path
    } catch {
      throw error == .system(ENOENT) ? .noFolder : error
    }
  }

  /// Creates a copier of files that reports the percentage of all their bytes.
  func progress(of files: [MovedFile]) -> FileCopy {
    let total = files.reduce(0) { sum, file in
      var status = stat()
      return lstat(file.source.terminated, &status) == 0 ? sum + Int(status.st_size) : sum
    }
    var copied = 0
    return FileCopy { [report] count in
      copied += count
      report(total > 0 ? min(copied * 100 / total, 100) : 100)
    }
  }

  /// Creates the destination folder of a request, so that the sandbox can give access to it.
  ///
  /// A failure is ignored here: performing the request fails with the same error.
  mutating func createFolder(for request: FileProtocol.Request) {
    switch request.change {
    case .move(_, let destination), .copy(_, let destination):
      if destination.isCreated { try? createFolder(destination.folder, request.operation) }
    case .trash, .restore, .rename, .removeCopies, .turn, .findRecorded, .undoRecorded: break
    }
  }

  /// Creates a folder and its missing parents, and records them in the journal.
  mutating func createFolder(
    _ path: [UInt8], _ operation: UInt32
  ) throws(FileFault) {
    var start = path[...]
    while start.count > 1, start.last == UInt8(ascii: "/") { start = start.dropLast() }
    var missing: [[UInt8]] = []
    var status = stat()
    while !start.isEmpty, stat(Array(start).terminated, &status) != 0, errno == ENOENT {
      missing.append(Array(start))
      start = start[..<(start.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
      while start.count > 1, start.last == UInt8(ascii: "/") { start = start.dropLast() }
    }
    for folder in missing.reversed() {
      guard mkdir(folder.terminated, 0o777) == 0 || errno == EEXIST else { throw .last }
      guard let made = try? Self.absolute(folder), let identity = FileIdentity(at: made) else {
        continue
      }
      beginGroup(of: operation)
      var group = FileGroup(
        .folder, FileGroup.ID(operation: operation, number: groupNumber, count: 1), in: journal)
      group.willMove(identity, by: .exclusiveRename, from: made, to: made)
      group.end()
    }
  }

  /// Removes the folders that this session created for files which have left them, if they are
  /// empty.
  func removeMadeFolders(of paths: [[UInt8]]) {
    let left = Set(paths.map { Array($0.split.folder.dropLast()) })
    let made = (journal?.entries ?? []).filter { entry in
      entry.kind == .folder && left.contains { $0.starts(with: entry.target) }
    }
    for folder in made.reversed() where folder.isAtTarget { rmdir(folder.target.terminated) }
  }

  /// Removes copies and their companions, if all of them are still the same as their originals.
  func removeCopies(_ files: [MovedFile]) throws(FileFault) {
    let all = CompanionFiles.adding(to: files.map(\.reversed), isUndo: true)
    let existing = all.filter { FileIdentity(at: $0.source) != nil }
    guard existing.allSatisfy({ FileCopy.isSame($0.source, as: $0.target) }) else {
      throw .changedCopy
    }
    for file in existing {
      guard unlink(file.source.terminated) == 0 || errno == ENOENT else { throw .last }
    }
    removeMadeFolders(of: all.map(\.source))
  }

  /// Turns or mirrors a photo by changing the orientation in its file.
  mutating func rotate(
    _ path: [UInt8], _ rotation: JournalEntry.Rotation, _ kind: JournalEntry.Kind,
    _ operation: UInt32
  ) throws(FileFault) {
    let tag = try OrientationTag(at: path)
    guard let file = FileIdentity(at: path) else { throw .last }
    try inGroup(kind, operation, 1) { (group) throws(FileFault) in
      group.willRotate(file, at: path, rotation)
      try tag.write(rotation.after)
    }
  }
}
