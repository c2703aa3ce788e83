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

  /// An operator without a journal yet.
  package init() {}

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
      let all = SidecarFiles.adding(to: try files.map(Self.absolute))
      try inGroup(isUndo ? .unrename : .rename, operation) { (group) throws(FileFault) in
        try group.move(all)
      }
      return .moved(files)
    case .undoRecorded: return .undone(undoRecorded(operation))
    }
  }

  private mutating func trash(
    _ paths: [[UInt8]], home: [UInt8], _ operation: UInt32
  ) throws(FileFault) -> [TrashedFile] {
    let all = paths + SidecarFiles.paths(of: paths)
    var trashed: [TrashedFile] = []
    try inGroup(.trash, operation) { (group) throws(FileFault) in
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
    try inGroup(.restore, operation) { (group) throws(FileFault) in
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

  /// Changes the files of a group; after a failure they are as before.
  private mutating func inGroup(
    _ kind: JournalEntry.Kind, _ operation: UInt32,
    _ change: (inout FileGroup) throws(FileFault) -> Void
  ) throws(FileFault) {
    groupNumber += 1
    let id = FileGroup.ID(operation: operation, number: groupNumber)
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
    for group in lastOperation {
      let photos = group.filter { !Sidecar.isSidecar($0.source) }
      let (count, first) = photos.isEmpty ? (1, group[0]) : (photos.count, photos[0])
      do throws(FileFault) {
        let trashed = group.compactMap(\.trashedFile)
        if trashed.isEmpty {
          try inGroup(.unrename, operation) { (undone) throws(FileFault) in
            try undone.move(group.map { MovedFile(from: $0.target, to: $0.source) })
          }
        } else {
          try restore(trashed, operation)
        }
        if undo.count == 0 { (undo.folder, undo.name) = first.source.split }
        undo.count += count
      } catch {
        if undo.failureCount == 0 { undo.reason = error.message }
        undo.failureCount += count
      }
    }
    return undo
  }

  /// The groups of the last operation of which something can be undone.
  private var lastOperation: [[JournalEntry]] {
    guard journal != nil else { return [] }
    var found = Self.lastOperation(in: journal?.entries ?? [])
    guard found.isEmpty else { return found }
    journal?.forEachEnded { entries in
      found = Self.lastOperation(in: entries)
      return !found.isEmpty
    }
    return found
  }

  private static func lastOperation(in entries: [JournalEntry]) -> [[JournalEntry]] {
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
      let moves = Settlement.netMoves(of: Settlement.steps(of: group)).undoable.filter {
        targets.insert($0.target).inserted
      }
      if !moves.isEmpty { found.append(moves) }
    }
    return found.reversed()
  }
}

extension [JournalEntry] {
  /// The moves of a group that undoing would reverse now: the files are where they were moved to.
  fileprivate var undoable: [JournalEntry] {
    filter { move in
      guard move.isAtTarget else { return false }
      switch move.kind {
      case .trash: return move.trashedFile?.origin == move.source
      case .rename:
        // Files that exchanged their names are in each other's way, and move together.
        let other = FileIdentity(at: move.source)
        return other == nil || other == move.file
          || contains { $0.target == move.source && $0.file == other }
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
    case .undoRecorded: return nil
    }
  }
}
