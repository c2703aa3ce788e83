import Glibc
import PhotoGridCore
import WorkerProtocol

/// Undoing operations that are recorded in journals.
extension FileOperator {
  /// Undoes the last operation that can be undone, of this session or of an earlier one.
  mutating func undoRecorded(_ operation: UInt32) -> RecordedUndo {
    var undo = RecordedUndo()
    guard let groups = lastOperation else {
      return RecordedUndo(
        failureCount: 1, reason: "another version of photogrid recorded the last change")
    }
    for group in groups.reversed() {
      if let folder = group.first, folder.kind == .folder {
        rmdir(folder.target.terminated)
        continue
      }
      let photos = group.filter { !CompanionFiles.isCompanion($0.source) }
      let (count, first) = photos.isEmpty ? (1, group[0]) : (photos.count, photos[0])
      do throws(FileFault) {
        let trashed = group.compactMap(\.trashedFile)
        if let turn = group[0].turn {
          try OrientationTag(at: group[0].source).write(turn.before)
        } else if group[0].kind == .copy {
          try removeCopies(group.map { MovedFile(from: $0.source, to: $0.target) })
        } else if trashed.isEmpty {
          let files = CompanionFiles.adding(
            to: group.map { MovedFile(from: $0.target, to: $0.source) }, isUndo: true)
          let moves = files.count { $0.source != $0.target }
          try inGroup(.unrename, operation, moves) { (undone) throws(FileFault) in
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

  /// The groups of the last operation that can be undone, at least in part.
  ///
  /// Nil if a later operation was recorded by another version of the program, whose entries this
  /// version cannot read.
  private var lastOperation: [[JournalEntry]]? {
    guard journal != nil else { return [] }
    var copies = FileCopies()
    var isForeign = false
    let own = journal?.entries ?? []
    copies.add(own)
    var found = Self.lastOperation(in: own, copies)
    guard found.isEmpty else { return found }
    journal?.forEachEnded { contents in
      copies.add(contents.entries)
      found = Self.lastOperation(in: contents.entries, copies)
      isForeign = found.isEmpty && contents.isForeignBefore
      return isForeign || !found.isEmpty
    }
    return isForeign ? nil : found
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
      // An operation that has left only empty folders has nothing to undo.
      if let first = moves.first, !found.isEmpty || first.kind != .folder { found.append(moves) }
    }
    return found.reversed()
  }
}

/// The copies that replaced files when they were moved to another disk, or back.
private struct FileCopies {
  private var copies: [FileIdentity: [FileIdentity]] = [:]

  /// Adds the copies of a journal.
  mutating func add(_ entries: [JournalEntry]) {
    for entry in entries where entry.method == .copy && entry.kind != .copy {
      if let copy = entry.copy { copies[entry.file, default: []].append(copy) }
    }
  }

  /// Whether the file of a move, or a copy that has replaced it since, is at its target.
  func isAtTarget(_ move: JournalEntry) -> Bool {
    guard let moved = move.method == .copy ? move.copy : move.file,
      let present = FileIdentity(at: move.target)
    else { return false }
    return isSame(present, as: moved)
  }

  /// Whether a file is the same as an earlier one, or a copy that has replaced it since.
  func isSame(_ file: FileIdentity, as old: FileIdentity) -> Bool {
    guard file != old else { return true }
    var seen: Set<FileIdentity> = [old]
    var open = [old]
    while let next = open.popLast() {
      for copy in copies[next] ?? [] where seen.insert(copy).inserted { open.append(copy) }
    }
    return seen.contains(file)
  }
}

extension [JournalEntry] {
  /// Returns the moves that can be undone, because their files are still where they were moved to.
  fileprivate func undoable(_ copies: FileCopies) -> [JournalEntry] {
    let byTarget = Dictionary(map { ($0.target, $0) }) { $1 }
    return filter { move in
      guard copies.isAtTarget(move) else { return false }
      switch move.kind {
      case .trash: return move.trashedFile?.origin == move.source
      case .rename:
        // A file at the old path may be one that exchanged names with this one, and moves too.
        guard let other = FileIdentity(at: move.source) else { return true }
        return copies.isSame(other, as: move.file)
          || byTarget[move.source].map(copies.isAtTarget) ?? false
      case .copy, .folder: return true
      case .turn: return (try? OrientationTag(at: move.target))?.orientation == move.turn?.after
      case .restore, .unrename: return false
      }
    }
  }

  /// Returns the outcome for files and then their companions; nil if a file is not among the moves,
  /// unless an undo was without it.
  private func moved(
    _ paths: [[UInt8]], isUndo: Bool = false
  ) throws(FileFault) -> FileOutcome? {
    var files: [MovedFile] = []
    var sources: Set<[UInt8]> = []
    for path in paths {
      let source = try FileOperator.absolute(path)
      guard let move = first(where: { $0.source == source }) else {
        if isUndo, CompanionFiles.isCompanion(source) { continue }
        return nil
      }
      sources.insert(source)
      files.append(MovedFile(from: path, to: move.target))
    }
    return .moved(
      files
        + filter { !sources.contains($0.source) }.map { MovedFile(from: $0.source, to: $0.target) })
  }

  /// Returns the outcome of a request; nil if these are the moves of another request.
  func outcome(of request: FileProtocol.Request) throws(FileFault) -> FileOutcome? {
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
      guard first.kind == (isUndo ? .unrename : .rename) else { return nil }
      return try moved(files.map(\.source), isUndo: isUndo)
    case .move(let paths, _), .copy(let paths, _):
      guard first.kind == .rename || first.kind == .copy else { return nil }
      return try moved(paths)
    case .turn(let path, _):
      guard first.kind == .turn, try FileOperator.absolute(path) == first.source,
        let turn = first.turn, try OrientationTag(at: first.source).orientation == turn.after
      else { return nil }
      return .done
    case .removeCopies, .undoRecorded: return nil
    }
  }
}
