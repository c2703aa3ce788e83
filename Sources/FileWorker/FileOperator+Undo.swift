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

    var kind: FileOperation.Kind { FileOperation(undoing: files[0]).kind }
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
    _ wanted: RecordedOperation.ID?, here: [UInt8], _ batch: UInt32
  ) -> RecordedUndo {
    var undo: RecordedUndo?
    let isForeign = Self.search(journal) { candidate, undoneGroups in
      guard wanted == nil || candidate.id == wanted else { return false }
      undo = self.undo(candidate, here: here, batch, undoneGroups)
      return true
    }
    if let undo { return undo }
    if isForeign { return RecordedUndo(failureCount: 1, reason: Self.foreignReason) }
    return wanted == nil
      ? RecordedUndo()
      : RecordedUndo(failureCount: 1, reason: "it has since been undone or changed")
  }

  private mutating func undo(
    _ candidate: Candidate, here: [UInt8], _ batch: UInt32,
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
      noteTexts(of: group)
      do throws(FileFault) {
        try self.undo(FileOperation(undoing: group), batch)
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
        while let number = rest.last?.first?.group.batch {
          var found: [[JournalEntry]] = []
          while let group = rest.last, let id = group.first?.group, id.batch == number {
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
      case .trash: return move.trashing?.origin == move.source
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

  /// Returns the steps of files and then of their companions; nil if a file is not among the moves,
  /// unless an undo was without it.
  private func steps(
    _ paths: [[UInt8]], isUndo: Bool = false
  ) throws(FileFault) -> [FileStep]? {
    var steps: [FileStep] = []
    var sources: Set<[UInt8]> = []
    for path in paths {
      let source = try FileOperator.absolute(path)
      guard let move = first(where: { $0.source == source }) else {
        if isUndo, CompanionFiles.isCompanion(source) { continue }
        return nil
      }
      sources.insert(source)
      steps.append(FileStep(from: path, to: move.target))
    }
    return steps + filter { !sources.contains($0.source) }.map(\.step)
  }

  /// Returns the steps that an operation has taken; nil if these are the moves of another one.
  func steps(of operation: FileOperation) throws(FileFault) -> [FileStep]? {
    guard let kind = JournalEntry.Kind(operation.kind, isUndo: operation.isUndo),
      first?.kind == kind
    else { return nil }
    let (sources, targets) = (Set(map(\.source)), operation.steps.map(\.target))
    let paths = operation.steps.map(\.source)
    switch kind {
    case .trash:
      guard count >= paths.count,
        try paths.map(FileOperator.absolute) == prefix(paths.count).map(\.source)
      else { return nil }
      return zip(paths, self).map { FileStep(from: $0, to: $1.target) }
        + dropFirst(paths.count).map(\.step)
    case .restore: return sources.isSuperset(of: targets) ? [] : nil
    case .rename, .copy: return try steps(paths)
    case .unrename: return try steps(targets, isUndo: true)
    case .rotate:
      let photos = Set(try paths.map(FileOperator.absolute))
      return photos.isSuperset(of: sources) ? map(\.recordedStep) : nil
    case .unrotate: return Set(targets) == Set(map(\.target)) ? [] : nil
    case .folder: return nil
    }
  }
}

extension FileOperation {
  /// The undo of a group in the journal, given its moves.
  fileprivate init(undoing moves: [JournalEntry]) {
    let kind: Kind =
      switch moves[0].kind {
      case .trash, .restore: .trash
      case .rename, .unrename: moves[0].step.isInOneFolder ? .rename : .move
      case .copy, .folder: .copy
      case .rotate, .unrotate: .rotation
      }
    self.init(kind, [], moves.map(\.recordedStep), isUndo: true)
  }
}
