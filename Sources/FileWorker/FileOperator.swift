import Glibc
import PhotoGridCore
import WorkerProtocol

/// Performs operations on files, each step of which is in the journal before it is taken.
package struct FileOperator {
  private var journal: Journal?
  private var hasOpenedJournal = false
  /// The group of a process that was killed, and what became of it.
  private var interrupted: Settlement?
  private var groupNumber: UInt32 = 0
  /// Called with the percentage of a group that was copied.
  private let report: (Int) -> Void

  /// An operator without a journal yet.
  ///
  /// - Parameter report: Called while files are copied, with the percentage that is done.
  package init(report: @escaping (Int) -> Void = { _ in }) { self.report = report }

  /// Performs a request, unless a killed process of this session had done so already.
  ///
  /// - Returns: The outcome; an error is an outcome too.
  package mutating func perform(_ request: FileProtocol.Request) -> FileOutcome {
    openJournal(request.journal)
    do throws(FileFault) {
      let interrupted = interrupted
      self.interrupted = nil
      if let interrupted, interrupted.isDone,
        let outcome = try interrupted.moves.outcome(of: request)
      {
        return outcome
      }
      return try perform(request.change, in: request.operation)
    } catch {
      return error == .lost ? .lost : .refused(error.message)
    }
  }

  private mutating func perform(
    _ change: FileChange, in operation: UInt32
  ) throws(FileFault) -> FileOutcome {
    switch change {
    case .trash(let paths, let home): return .trashed(try trash(paths, home: home, operation))
    case .restore(let files):
      try restore(files, operation)
      return .done
    case .rename(let files, let isUndo):
      let photos = try files.map(Self.absolute).filter {
        // What somebody did to a sidecar since does not keep its photo from moving back.
        !isUndo || !Sidecar.isSidecar($0.source) || FileIdentity(at: $0.source) != nil
      }
      let all = SidecarFiles.adding(to: photos, isUndo: isUndo)
      if !isUndo {
        try SidecarFiles.checkPlaces(of: photos, leaving: Set(all.map(\.source)))
      }
      let copy = progress(of: all)
      try inGroup(isUndo ? .unrename : .rename, operation, all.count) { (group) throws(FileFault) in
        try group.move(all, copy)
      }
      if isUndo { removeMadeFolders(of: all.map(\.source)) }
      return .moved(files + all.dropFirst(photos.count))
    case .move(let paths, let destination):
      return .moved(try place(paths, in: destination, .rename, operation))
    case .copy(let paths, let destination):
      return .moved(try place(paths, in: destination, .copy, operation))
    case .removeCopies(let files):
      try removeCopies(try files.map(Self.absolute))
      return .done
    case .undoRecorded: return .undone(undoRecorded(operation))
    }
  }

  private mutating func trash(
    _ paths: [[UInt8]], home: [UInt8], _ operation: UInt32
  ) throws(FileFault) -> [TrashedFile] {
    let all = paths + SidecarFiles.paths(of: paths)
    var trashed: [TrashedFile] = []
    try inGroup(.trash, operation, all.count) { (group) throws(FileFault) in
      for path in all {
        let identity = FileIdentity(at: path)
        var file = try Trash(home: home).add(path) { method, source, target in
          group.willMove(identity, by: method, from: source, to: target)
        }
        file.originalPath = path
        trashed.append(file)
      }
    }
    return trashed
  }

  private mutating func restore(
    _ files: [TrashedFile], _ operation: UInt32
  ) throws(FileFault) {
    // A photo comes back without the sidecar that somebody removed from the trash.
    let files = files.filter {
      !Sidecar.isSidecar($0.originalPath) || FileIdentity(at: $0.path) != nil
    }
    try inGroup(.restore, operation, files.count) { (group) throws(FileFault) in
      for file in files {
        let identity = FileIdentity(at: file.path)
        let target = try Self.absolute(file.originalPath)
        try Trash.takeOut(file, to: target) { method in
          group.willMove(identity, by: method, from: file.path, to: target)
        }
      }
      // Until here, all of them could go back into the trash.
      for file in files { unlink(file.infoPath.terminated) }
    }
  }

  // MARK: - Moving and copying

  /// Moves or copies files into a folder, in which they get numbers if their names are taken.
  private mutating func place(
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
        MovedFile(from: $0, to: folder.adding(Self.numbered($0.split.name, number)))
      }
      let all = SidecarFiles.adding(to: files)
      let copy = progress(of: all)
      do throws(FileFault) {
        let leaving = kind == .copy ? [] : Set(all.map(\.source))
        try SidecarFiles.checkPlaces(of: files, leaving: leaving)
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

  /// The path of an existing folder, without symbolic links.
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

  /// The name of a file with a number: "sea.jpg", 2 is "sea-2.jpg"; 0 changes nothing.
  static func numbered(_ name: [UInt8], _ number: Int) -> [UInt8] {
    guard number > 0 else { return name }
    let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.count
    return Array(name[..<dot]) + "-\(number)".utf8 + name[dot...]
  }

  /// A copy of files that reports how much of all of them is done.
  private func progress(of files: [MovedFile]) -> FileCopy {
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

  /// Creates the folder that a request needs, which can be opened only then; failures show later.
  mutating func createFolder(for request: FileProtocol.Request) {
    switch request.change {
    case .move(_, let destination), .copy(_, let destination):
      if destination.isCreated { try? createFolder(destination.folder, request.operation) }
    case .trash, .restore, .rename, .removeCopies, .undoRecorded: break
    }
  }

  /// Creates a folder and those above it, unless they exist.
  private mutating func createFolder(
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
      groupNumber += 1
      var group = FileGroup(
        .folder, FileGroup.ID(operation: operation, number: groupNumber, count: 1), in: journal)
      group.willMove(identity, by: .exclusiveRename, from: made, to: made)
      group.end()
    }
  }

  /// Removes the folders, if they are empty, that this session made for files which have left them.
  private func removeMadeFolders(of paths: [[UInt8]]) {
    let left = Set(paths.map { Array($0.split.folder.dropLast()) })
    let made = (journal?.entries ?? []).filter { entry in
      entry.kind == .folder && left.contains { $0.starts(with: entry.target) }
    }
    for folder in made.reversed() where folder.isAtTarget { rmdir(folder.target.terminated) }
  }

  /// Removes copies and their sidecars, if nothing is lost by that.
  private func removeCopies(_ files: [MovedFile]) throws(FileFault) {
    let all = SidecarFiles.adding(to: files.map(\.reversed), isUndo: true)
    let existing = all.filter { FileIdentity(at: $0.source) != nil }
    guard existing.allSatisfy({ FileCopy.isSame($0.source, as: $0.target) }) else {
      throw .changedCopy
    }
    for file in existing {
      guard unlink(file.source.terminated) == 0 || errno == ENOENT else { throw .last }
    }
    removeMadeFolders(of: all.map(\.source))
  }

  // MARK: - Groups

  /// Changes the files of a group; after a failure they are as before.
  private mutating func inGroup(
    _ kind: JournalEntry.Kind, _ operation: UInt32, _ count: Int,
    _ change: (inout FileGroup) throws(FileFault) -> Void
  ) throws(FileFault) {
    groupNumber += 1
    let id = FileGroup.ID(operation: operation, number: groupNumber, count: count)
    var group = FileGroup(kind, id, in: journal)
    do throws(FileFault) {
      try change(&group)
    } catch {
      group.takeBack()
      group.end()
      throw error
    }
    group.end()
  }

  private static func absolute(_ file: MovedFile) throws(FileFault) -> MovedFile {
    MovedFile(from: try absolute(file.source), to: try absolute(file.target))
  }

  /// The absolute path of a file, whose folder has no symbolic links.
  fileprivate static func absolute(_ path: [UInt8]) throws(FileFault) -> [UInt8] {
    let (folder, name) = path.split
    return try Trash.resolved(folder).adding(name)
  }

  // MARK: - Journals

  /// Opens the session's journal with the first request, and settles what killed processes left.
  package mutating func openJournal(_ path: [UInt8]) {
    guard !hasOpenedJournal else { return }
    hasOpenedJournal = true
    journal = Journal(path)
    if let last = journal?.lastGroup, let entry = last.last {
      groupNumber = entry.group.number
      interrupted = Settlement(last)
      journal?.end(entry.group)
    }
    journal?.settleEnded()
    journal?.removeOld()
  }

  // MARK: - Undo after a restart

  /// Undoes the last operation that can be undone, of this session or of one that has ended.
  private mutating func undoRecorded(_ operation: UInt32) -> RecordedUndo {
    var undo = RecordedUndo()
    for group in lastOperation.reversed() {
      if let folder = group.first, folder.kind == .folder {
        rmdir(folder.target.terminated)
        continue
      }
      let photos = group.filter { !Sidecar.isSidecar($0.source) }
      let (count, first) = photos.isEmpty ? (1, group[0]) : (photos.count, photos[0])
      do throws(FileFault) {
        let trashed = group.compactMap(\.trashedFile)
        if group[0].kind == .copy {
          try removeCopies(group.map { MovedFile(from: $0.source, to: $0.target) })
        } else if trashed.isEmpty {
          let files = SidecarFiles.adding(
            to: group.map { MovedFile(from: $0.target, to: $0.source) }, isUndo: true)
          try inGroup(.unrename, operation, files.count) { (undone) throws(FileFault) in
            try undone.move(files)
          }
        } else {
          try restore(trashed, operation)
        }
        (undo.folder, undo.name) = first.source.split
        undo.count += count
      } catch {
        undo.reason = error.message
        undo.failureCount += count
      }
    }
    return undo
  }

  /// The groups of the last operation of which something can be undone.
  private var lastOperation: [[JournalEntry]] {
    guard journal != nil else { return [] }
    var copies = FileCopies()
    let own = journal?.entries ?? []
    copies.add(own)
    var found = Self.lastOperation(in: own, copies)
    guard found.isEmpty else { return found }
    journal?.forEachEnded { entries in
      copies.add(entries)
      found = Self.lastOperation(in: entries, copies)
      return !found.isEmpty
    }
    return found
  }

  private static func lastOperation(
    in entries: [JournalEntry], _ copies: FileCopies
  ) -> [[JournalEntry]] {
    var groups: [[JournalEntry]] = []
    for entry in entries {
      if groups.last?.first?.group == entry.group {
        groups[groups.count - 1].append(entry)
      } else {
        groups.append([entry])
      }
    }
    var found: [[JournalEntry]] = []
    // A group that was restarted, after its process was killed, is in the journal twice.
    var targets: Set<[UInt8]> = []
    for group in groups.reversed() {
      if let operation = found.last?.first?.group.operation {
        guard group.first?.group.operation == operation else { break }
      }
      let moves = Settlement.netMoves(of: Settlement.steps(of: group)).undoable(copies).filter {
        targets.insert($0.target).inserted
      }
      // Empty folders alone are nothing to undo.
      if let first = moves.first, !found.isEmpty || first.kind != .folder { found.append(moves) }
    }
    return found.reversed()
  }
}

/// The files that replaced others when these were moved to another disk, or back.
private struct FileCopies {
  private var copies: [FileIdentity: [FileIdentity]] = [:]

  /// Adds the copies of a journal.
  mutating func add(_ entries: [JournalEntry]) {
    for entry in entries where entry.method == .copy && entry.kind != .copy {
      if let copy = entry.copy { copies[entry.file, default: []].append(copy) }
    }
  }

  /// Whether the file of a move, or what replaced it since, is at its target.
  func isAtTarget(_ move: JournalEntry) -> Bool {
    if move.isAtTarget { return true }
    guard let moved = move.method == .copy ? move.copy : move.file,
      let present = FileIdentity(at: move.target)
    else { return false }
    var seen: Set<FileIdentity> = [moved]
    var open = [moved]
    while let next = open.popLast() {
      for copy in copies[next] ?? [] where seen.insert(copy).inserted { open.append(copy) }
    }
    return seen.contains(present)
  }
}

extension [JournalEntry] {
  /// The moves of a group that undoing would reverse now: the files are where they were moved to.
  fileprivate func undoable(_ copies: FileCopies) -> [JournalEntry] {
    filter { move in
      guard copies.isAtTarget(move) else { return false }
      switch move.kind {
      case .trash: return move.trashedFile?.origin == move.source
      case .rename:
        // Files that exchanged their names are in each other's way, and move together.
        let other = FileIdentity(at: move.source)
        return other == nil || other == move.file
          || contains { $0.target == move.source && $0.file == other }
      case .copy, .folder: return true
      case .restore, .unrename: return false
      }
    }
  }

  /// The outcome of a request, if these are the moves of it; nil if they are of another one.
  fileprivate func outcome(of request: FileProtocol.Request) throws(FileFault) -> FileOutcome? {
    guard let first, first.group.operation == request.operation else { return nil }
    let sources = Set(map(\.source))
    switch request.change {
    case .trash(let paths, _):
      guard first.kind == .trash, count >= paths.count,
        try paths.map(FileOperator.absolute) == prefix(paths.count).map(\.source)
      else { return nil }
      return .trashed(
        enumerated().compactMap { place, move in
          var file = move.trashedFile
          if paths.indices.contains(place) { file?.originalPath = paths[place] }
          return file
        })
    case .restore(let files):
      return first.kind == .restore && sources.isSuperset(of: files.map(\.path)) ? .done : nil
    case .rename(let files, let isUndo):
      guard first.kind == (isUndo ? .unrename : .rename),
        sources.isSuperset(
          of: try files.map { (file) throws(FileFault) in
            try FileOperator.absolute(file.source)
          })
      else { return nil }
      return .moved(files)
    case .move(let paths, _), .copy(let paths, _):
      guard first.kind == .rename || first.kind == .copy else { return nil }
      var files: [MovedFile] = []
      for path in paths {
        let source = try FileOperator.absolute(path)
        guard let move = self.first(where: { $0.source == source }) else { return nil }
        files.append(MovedFile(from: path, to: move.target))
      }
      return .moved(files)
    case .removeCopies, .undoRecorded: return nil
    }
  }
}
