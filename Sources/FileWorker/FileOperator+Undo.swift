import Glibc
import Photos
import WorkerProtocol
import WorkerRuntime

/// Undoing operations that are recorded in journals.
extension FileOperator {
  private struct Candidate {
    var id: RecordedOperation.ID
    /// The moves of each group, in their order.
    var groups: [[JournalEntry]]
    /// When the operation began, in seconds since 1970; nil if the journal does not say.
    var time: Int64?

    /// The first photo, or the first file if it is unknown which are photos, and the number of
    /// photos of a group.
    static func photos(of group: [JournalEntry]) -> (first: JournalEntry, count: Int) {
      let photos = group.filter { !CompanionFiles.isCompanion($0.source) }
      return (photos.first ?? group[0], max(Set(photos.map(\.source)).count, 1))
    }

    /// The groups of files, without those of created folders.
    var files: [[JournalEntry]] { groups.filter { $0[0].kind != .folder } }

    var kind: RecordedOperation.Kind {
      let first = files[0][0]
      return switch first.kind {
      case .trash, .restore: .trash
      case .rename, .unrename:
        first.source.split.folder == first.target.split.folder ? .rename : .move
      case .copy, .folder: .copy
      case .rotate, .unrotate: .rotation
      }
    }
  }

  private static let foreignReason = "another version of photogrid recorded the last change"

  /// Finds the last operation that can be undone, of this session or of an earlier one.
  ///
  /// - Parameters:
  ///   - here: The absolute path of the folder on the screen; empty for a list.
  ///   - skipped: Operations to leave out.
  /// - Returns: The operation, or that it was refused.
  func findRecorded(here: [UInt8], skipping skipped: [RecordedOperation.ID]) -> FileOutcome {
    var found: RecordedOperation?
    let isForeign = Self.search(journal) { candidate, _ in
      guard !skipped.contains(candidate.id) else { return false }
      let (first, _) = Candidate.photos(of: candidate.files[0])
      let (folder, name) = first.source.split
      found = RecordedOperation(
        candidate.id, candidate.kind,
        count: candidate.files.reduce(0) { $0 + Candidate.photos(of: $1).count }, name: name,
        folder: folder, isHere: Self.isHere(folder, here), time: candidate.time,
        age: candidate.time.map { max(0, Int64(time(nil)) - $0) })
      return true
    }
    return isForeign ? .refused(Self.foreignReason) : .found(found)
  }

  /// Undoes a recorded operation as far as possible; `wanted` is nil for the last one.
  ///
  /// `here` is the absolute path of the folder that the user sees, or empty.
  mutating func undoRecorded(
    _ wanted: RecordedOperation.ID?, here: [UInt8], _ operation: UInt32
  ) -> RecordedUndo {
    var undo: RecordedUndo?
    let isForeign = Self.search(journal) { candidate, undoneGroups in
      guard wanted == nil || candidate.id == wanted else { return false }
      undo = self.undo(candidate, here: here, operation, undoneGroups)
      return true
    }
    if let undo { return undo }
    if isForeign { return RecordedUndo(failureCount: 1, reason: Self.foreignReason) }
    return wanted == nil
      ? RecordedUndo()
      : RecordedUndo(failureCount: 1, reason: "it has since been undone or changed")
  }

  private mutating func undo(
    _ candidate: Candidate, here: [UInt8], _ operation: UInt32,
    _ undoneGroups: Journal.UndoneGroups
  ) -> RecordedUndo {
    var undo = RecordedUndo(kind: candidate.kind)
    for group in candidate.groups.reversed() {
      let id = group[0].group
      if group[0].kind == .folder {
        if rmdir(group[0].target.terminated) == 0 { undoneGroups.add(id) }
        continue
      }
      let (first, count) = Candidate.photos(of: group)
      do throws(FileFault) {
        let trashed = group.compactMap(\.trashedFile)
        if group[0].kind == .rotate {
          try turnBack(group, operation)
        } else if group[0].kind == .copy {
          try removeCopies(group.map { MovedFile(from: $0.source, to: $0.target) })
        } else if trashed.isEmpty {
          let files = CompanionFiles.adding(
            to: group.map { MovedFile(from: $0.target, to: $0.source) }, isUndo: true)
          let texts = group.compactMap { move in move.link.map { (move.ends, $0) } }
          try move(files, .unrename, operation, texts: Dictionary(texts) { $1 })
        } else {
          try restore(trashed, operation)
        }
        undoneGroups.add(id)
        (undo.folder, undo.name) = first.source.split
        undo.isHere = Self.isHere(undo.folder, here)
        undo.count += count
      } catch {
        undo.reason = error.message
        undo.failureCount += count
      }
    }
    return undo
  }

  /// Whether a folder is the one that the user sees, or below it.
  private static func isHere(_ folder: [UInt8], _ here: [UInt8]) -> Bool {
    guard !here.isEmpty, let here = try? Trash.resolved(here) else { return false }
    return folder.starts(with: here.adding(""))
  }

  /// Calls a closure for the operations that can be undone, newest first, until it returns true.
  ///
  /// - Returns: Whether the search ended at an operation of another version of the program, whose
  ///   entries this version cannot read.
  private static func search(
    _ journal: Journal?, _ body: (Candidate, Journal.UndoneGroups) -> Bool
  ) -> Bool {
    guard let journal else { return false }
    var copies = FileCopies()
    var isFound = false
    var isForeign = false
    func search(
      _ name: [UInt8], _ contents: Journal.Contents, _ undoneGroups: Journal.UndoneGroups
    ) -> Bool {
      copies.add(contents.entries)
      for var candidate in candidates(in: contents, copies) {
        candidate.id.journal = name
        isFound = body(candidate, undoneGroups)
        if isFound { break }
      }
      isForeign = !isFound && contents.isForeignBefore
      return isFound || isForeign
    }
    if search(journal.name, journal.contents, journal.undoneGroups) { return isForeign }
    journal.forEachEnded(search)
    return isForeign
  }

  private static func candidates(
    in contents: Journal.Contents, _ copies: FileCopies
  ) -> some Sequence<Candidate> {
    var groups: [[JournalEntry]] = []
    for entry in contents.entries {
      if groups.last?.first?.group == entry.group {
        groups[groups.count - 1].append(entry)
      } else {
        groups.append([entry])
      }
    }
    var rest = groups[...]
    // A group that was restarted, after its process was killed, is in the journal twice.
    var targets: Set<[UInt8]> = []
    return AnySequence {
      AnyIterator<Candidate> {
        while let number = rest.last?.first?.group.operation {
          var found: [[JournalEntry]] = []
          while let group = rest.last, let id = group.first?.group, id.operation == number {
            rest.removeLast()
            guard !contents.undone.contains(id) else { continue }
            let moves = Settlement.netMoves(of: Settlement.steps(of: group)).undoable(copies)
              .filter { targets.insert($0.target).inserted }
            // An operation that has left only empty folders has nothing to undo.
            if let first = moves.first, !found.isEmpty || first.kind != .folder {
              found.append(moves)
            }
          }
          guard found.isEmpty else {
            return Candidate(
              id: RecordedOperation.ID(journal: [], number: number), groups: found.reversed(),
              time: contents.times[number])
          }
        }
        return nil
      }
    }
  }
}

/// The copies that replaced files when they were moved to another disk, or back.
private struct FileCopies {
  private var copies: [FileIdentity: [FileIdentity]] = [:]

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
    return present.inode == moved.inode || isSame(present, as: moved)
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
    var spellings = OtherSpellings(of: byTarget.keys)
    return filter { move in
      if move.kind == .rotate { return PhotoTurn.canUndo(move) }
      guard copies.isAtTarget(move) else { return false }
      switch move.kind {
      case .trash: return move.trashedFile?.origin == move.source
      case .rename:
        // A file at the old path may be one that exchanged names with this one, and moves too.
        guard let other = FileIdentity(at: move.source) else { return true }
        return other.inode == move.file.inode || copies.isSame(other, as: move.file)
          || byTarget[spellings.file(foundBy: move.source) ?? move.source]
            .map(copies.isAtTarget) ?? false
      case .copy, .folder: return true
      case .restore, .unrename, .rotate, .unrotate: return false
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
    let (sources, paths) = (Set(map(\.source)), request.paths.photos)
    switch request.task {
    case .trash:
      guard first.kind == .trash, count >= paths.count,
        try paths.map(FileOperator.absolute) == prefix(paths.count).map(\.source)
      else { return nil }
      return .trashed(
        enumerated().compactMap { index, move in
          var file = move.trashedFile
          if paths.indices.contains(index) { file?.originalPath = paths[index] }
          return file
        })
    case .restore(_, let files):
      return first.kind == .restore && sources.isSuperset(of: files.map(\.path)) ? .done : nil
    case .rename: return first.kind == .rename ? try moved(paths) : nil
    case .moveBack(_, let files):
      return first.kind == .unrename ? try moved(files.map(\.target), isUndo: true) : nil
    case .move, .copy:
      guard first.kind == .rename || first.kind == .copy else { return nil }
      return try moved(paths)
    case .turn:
      let photos = Set(try paths.map(FileOperator.absolute))
      guard first.kind == .rotate, photos.isSuperset(of: sources) else { return nil }
      return .turned(map { TurnedFile($0) })
    case .turnBack(_, let files):
      let changed = Set(files.map(\.path))
      return first.kind == .unrotate && changed == Set(map(\.target)) ? .done : nil
    case .removeCopies, .findRecorded, .undoRecorded: return nil
    }
  }
}
