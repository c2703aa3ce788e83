import Glibc
import Photos
import WorkerProtocol
import WorkerRuntime

/// Performs operations on files, and records each step in the journal before taking it.
package struct FileOperator {
  /// The session's journal; nil before it is opened, and if it cannot be.
  private(set) var journal: Journal?
  private var hasOpenedJournal = false
  /// Why the session has no journal.
  private var openingFault: FileFault?
  /// The last group that an earlier process of this session recorded; nil once a request has
  /// used it.
  private var interrupted: Settlement?
  var groupNumber: UInt32 = 0
  /// The last batch whose time is recorded.
  private var timedBatch: UInt32?
  /// The groups of this session that can be undone, by their first files' kind and target, oldest
  /// first.
  private var undoable: [UndoableFile: [FileGroup.ID]] = [:]
  /// The texts of the links that this session has moved, for an undo.
  private var linkTexts: [FileStep: LinkTexts] = [:]
  private var together = MovedTogether(batch: 0)
  /// The remark for the user about the last request, although it succeeded; nil for none.
  package private(set) var remark: String?

  /// The first file of a group that can be undone.
  private struct UndoableFile: Hashable {
    var kind: JournalEntry.Kind
    var target: [UInt8]
  }

  /// Called with the percentage of a group's bytes that is copied.
  let report: (Int) -> Void

  /// Creates an operator, which opens its journal with the first request.
  ///
  /// - Parameter report: Called while files are copied, with the percentage that is copied.
  package init(report: @escaping (Int) -> Void = { _ in }) { self.report = report }

  package mutating func perform(_ request: FileProtocol.Request) -> FileOutcome {
    openJournal(request.journal)
    remark = nil
    if together.batch != request.batch {
      together = MovedTogether(batch: request.batch)
    }
    do throws(FileFault) {
      let interrupted = interrupted
      self.interrupted = nil
      if let interrupted, interrupted.isDone,
        interrupted.moves.first?.group.batch == request.batch,
        let steps = try interrupted.moves.steps(of: request.operation)
      {
        followLinks(to: interrupted.moves.map(\.step), request.batch)
        return .done(steps)
      }
      return try carryOut(request)
    } catch {
      return error == .lost ? .lost : .refused(error.message)
    }
  }

  private mutating func carryOut(
    _ request: FileProtocol.Request
  ) throws(FileFault) -> FileOutcome {
    let (operation, batch) = (request.operation, request.batch)
    let paths = operation.steps.map(\.source)
    switch operation.kind {
    case .recorded where operation.isUndo:
      return .undone(undoRecorded(operation.recorded.first, here: request.here, batch))
    case .recorded: return findRecorded(here: request.here, skipping: operation.recorded)
    case _ where operation.isUndo: return .done(try undoRequested(operation, batch))
    case .trash: return .done(try trash(paths, home: request.trash, batch))
    case .rename:
      let files = operation.steps.map {
        FileStep(from: $0.source, to: $0.source.split.folder + $0.target)
      }
      return .done(try rename(files, batch))
    case .move: return .done(try place(request, .rename))
    case .copy: return .done(try place(request, .copy))
    case .rotation: return .done(try turn(paths, by: operation.turning, batch))
    }
  }

  /// Undoes an operation of this session.
  private mutating func undoRequested(
    _ operation: FileOperation, _ batch: UInt32
  ) throws(FileFault) -> [FileStep] {
    var operation = operation
    if operation.kind == .copy { operation.steps = try operation.steps.map(Self.absolute) }
    var first = operation.steps.first?.target
    // Its folder may be removed below.
    if let target = first, ![.trash, .rotation].contains(operation.kind) {
      first = try Self.absolute(target)
    }
    let steps = try undo(operation, batch)
    if !steps.isEmpty { removeMadeFolders(of: steps.map(\.source)) }
    if let kind = JournalEntry.Kind(operation.kind, isUndo: false) { markUndone(kind, first) }
    return steps
  }

  /// Takes back the steps of an operation; if it was copying, the paths of the copies are absolute.
  ///
  /// - Returns: The steps that moved or renamed files back; none for other operations.
  @discardableResult
  mutating func undo(
    _ operation: FileOperation, _ batch: UInt32
  ) throws(FileFault) -> [FileStep] {
    switch operation.kind {
    case .trash: try restore(operation.steps, batch)
    case .rename, .move: return try moveBack(operation.steps, batch)
    case .copy: try removeCopies(operation.steps)
    case .rotation: try turnBack(operation.steps.compactMap { JournalEntry($0) }, batch)
    case .recorded: break
    }
    return []
  }

  /// Renames files; they may exchange their names.
  private mutating func rename(
    _ files: [FileStep], _ batch: UInt32
  ) throws(FileFault) -> [FileStep] {
    let photos = try files.map(Self.absolute)
    let all = CompanionFiles.adding(to: photos)
    try CompanionFiles.checkTargets(of: all, leaving: Set(all.map(\.source)))
    try move(all, .rename, batch)
    return files + all.dropFirst(photos.count).filter { $0.source != $0.target }
  }

  /// Moves files back to exactly the paths from which they were moved.
  private mutating func moveBack(
    _ files: [FileStep], _ batch: UInt32
  ) throws(FileFault) -> [FileStep] {
    // A photo moves back without a companion that was removed or renamed since.
    let files = files.map(\.reversed).filter {
      !CompanionFiles.isCompanion($0.source) || FileIdentity(at: $0.source) != nil
    }
    let photos = try files.map(Self.absolute)
    let all = CompanionFiles.adding(to: photos, isUndo: true)
    try move(all, .unrename, batch, texts: linkTexts)
    return files + all.dropFirst(photos.count).filter { $0.source != $0.target }
  }

  private mutating func trash(
    _ paths: [[UInt8]], home: [UInt8], _ batch: UInt32
  ) throws(FileFault) -> [FileStep] {
    let all = paths + CompanionFiles.paths(of: paths)
    var trashed: [FileStep] = []
    try inGroup(.trash, batch, all.count) { (group) throws(FileFault) in
      for path in all {
        let identity = FileIdentity(at: path)
        let step = try Trash(home: home).add(path) { method, source, target in
          group.willMove(identity, by: method, from: source, to: target)
        }
        trashed.append(step)
      }
    }
    return trashed
  }

  private mutating func restore(_ files: [FileStep], _ batch: UInt32) throws(FileFault) {
    // A photo comes back without a companion that was removed from the trash.
    let files = files.filter {
      !CompanionFiles.isCompanion($0.source) || FileIdentity(at: $0.target) != nil
    }
    try inGroup(.restore, batch, files.count) { (group) throws(FileFault) in
      for file in files {
        let identity = FileIdentity(at: file.target)
        let path = try Self.absolute(file.source)
        try Trash.takeOut(file, to: path) { method in
          group.willMove(identity, by: method, from: file.target, to: path)
        }
      }
      // Kept until now, because a failure moves all files back into the trash.
      for file in files { file.removeInfo() }
    }
  }

  // MARK: - Groups

  /// Moves the files of a group to exactly these paths, and corrects the links to them that were
  /// moved before.
  ///
  /// Links that return from an earlier move, which `texts` describes, get their texts back.
  mutating func move(
    _ files: [FileStep], _ kind: JournalEntry.Kind, _ batch: UInt32,
    texts: [FileStep: LinkTexts] = [:]
  ) throws(FileFault) {
    let copy = progress(of: files)
    // If only a photo's extension changes, its sidecar "a.xmp" keeps its name and has no step.
    let count = files.count { $0.source != $0.target }
    let moves = try inGroup(kind, batch, count) {
      [paths = together.paths] group throws(FileFault) in
      try group.move(files, copy) { link, target in
        let earlier = texts[FileStep(from: target, to: link.path)]
        return earlier?.after == link.text
          ? earlier?.before ?? link.text : link.text(at: target, moved: paths)
      }
    }
    for move in moves { together.add(move) }
    followLinks(to: moves.map(\.step), batch)
  }

  /// Corrects the links that were moved before the files that they lead to.
  private mutating func followLinks(to files: [FileStep], _ batch: UInt32) {
    for file in files {
      for link in together.takeLinks(to: file) { relink(link, batch) }
    }
  }

  /// Changes the text of a link that was moved before the file that it leads to.
  private mutating func relink(_ link: SymbolicLink, _ batch: UInt32) {
    do throws(FileFault) {
      // The move of the link is what an undo reverses.
      try inGroup(.unrename, batch, 1) { group throws(FileFault) in try group.relink(link) }
    } catch {
      let name = String(decoding: link.path.split.name, as: UTF8.self)
      remark = "the link '\(name)' leads to its old place: \(error.message)"
    }
  }

  /// Changes the files of a group, or undoes the changes made so far if one of them fails.
  ///
  /// - Returns: The moves that the changes add up to.
  @discardableResult
  mutating func inGroup(
    _ kind: JournalEntry.Kind, _ batch: UInt32, _ count: Int,
    _ change: (inout FileGroup) throws(FileFault) -> Void
  ) throws(FileFault) -> [JournalEntry] {
    beginGroup(of: batch)
    let id = FileGroup.ID(batch: batch, number: groupNumber, count: count)
    var group = FileGroup(kind, id, in: journal)
    do throws(FileFault) {
      try change(&group)
    } catch {
      group.takeBack()
      group.end()
      throw error
    }
    group.end()
    remark = group.remark ?? remark
    let moves = Settlement.netMoves(of: Settlement.steps(of: group.entries))
    note(moves)
    return moves
  }

  /// Numbers the next group of a batch, and records when the batch begins.
  mutating func beginGroup(of batch: UInt32) {
    groupNumber += 1
    guard timedBatch != batch else { return }
    timedBatch = batch
    journal?.begin(batch)
  }

  /// Remembers the moves of a group for undoing it.
  private mutating func note(_ moves: [JournalEntry]) {
    noteTexts(of: moves)
    guard let first = moves.first, [.trash, .rename, .copy, .rotate].contains(first.kind)
    else { return }
    undoable[UndoableFile(kind: first.kind, target: first.target), default: []].append(first.group)
  }

  mutating func noteTexts(of moves: [JournalEntry]) {
    for move in moves {
      if let link = move.link { linkTexts[move.step] = link }
    }
  }

  /// Records that the last group of a kind whose first file has this path was undone.
  private mutating func markUndone(_ kind: JournalEntry.Kind, _ target: [UInt8]?) {
    guard let target,
      let group = undoable[UndoableFile(kind: kind, target: target)]?.popLast()
    else { return }
    journal?.undoneGroups.add(group)
  }

  private static func absolute(_ file: FileStep) throws(FileFault) -> FileStep {
    FileStep(from: try absolute(file.source), to: try absolute(file.target))
  }

  /// Returns the absolute path of a file, with symbolic links in its folder resolved.
  static func absolute(_ path: [UInt8]) throws(FileFault) -> [UInt8] {
    let (folder, name) = path.split
    return try Trash.resolved(folder).adding(name)
  }

  // MARK: - Journals

  /// Why operations cannot be undone after a restart; nil if they can.
  ///
  /// Also nil if the user's folder for the journal is missing or cannot be opened, since the disk
  /// is not at fault then.
  package var historyFault: FileFault? {
    let fault = journal?.fault ?? openingFault
    return switch fault {
    case .system(ENOENT), .system(ENOTDIR), .system(EACCES), .system(EPERM): nil
    default: fault
    }
  }

  /// Opens the session's journal, and settles the operations of processes that were killed.
  ///
  /// Only the first call has an effect.
  package mutating func openJournal(_ path: [UInt8]) {
    guard !hasOpenedJournal else { return }
    hasOpenedJournal = true
    guard !path.isEmpty else { return }
    do throws(FileFault) { journal = try Journal(path) } catch { openingFault = error }
    if let contents = journal?.contents, let entry = contents.entries.last {
      groupNumber = entry.group.number
      let hasEnded = contents.ended.contains(entry.group)
      interrupted = Settlement(contents.lastGroup, hasEnded: hasEnded)
      if !hasEnded { journal?.end(entry.group) }
      // The links that lead to a file are changed after the group of that file, which has ended.
      var earlier = contents.entries[...]
      while let group = earlier.last?.group, interrupted?.isRelinking == true {
        while earlier.last?.group == group { earlier.removeLast() }
        let last = earlier.filter { $0.group == earlier.last?.group }
        interrupted = last.isEmpty ? nil : Settlement(last, hasEnded: true)
      }
      timedBatch = entry.group.batch
      together = MovedTogether(batch: entry.group.batch)
      for group in Dictionary(grouping: contents.entries, by: \.group).values.sorted(by: {
        $0[0].group.number < $1[0].group.number
      }) where !contents.undone.contains(group[0].group) {
        let moves = Settlement.netMoves(of: Settlement.steps(of: group))
        note(moves)
        if group[0].group.batch == together.batch { moves.forEach { together.add($0) } }
      }
    }
    journal?.settleEnded()
    journal?.removeOld()
  }
}

/// Moving and copying files into folders.
extension FileOperator {
  /// Moves or copies files into the folder of a request, adding a number to their names if they are taken.
  ///
  /// All files get the same number: "sea.jpg" and its sidecar become "sea-2.jpg" and
  /// "sea-2.jpg.xmp".
  private mutating func place(
    _ request: FileProtocol.Request, _ kind: JournalEntry.Kind
  ) throws(FileFault) -> [FileStep] {
    let (batch, paths) = (request.batch, request.operation.steps.map(\.source))
    if let folder = request.createdFolder { try createFolder(folder, batch) }
    let folder = try Self.existing(request.operation.destination?.path ?? [])
    let sources = try paths.map(Self.absolute)
    if kind != .copy, sources.contains(where: { $0 == folder.adding($0.split.name) }) {
      throw .sameFolder
    }
    var fault = FileFault.system(EEXIST)
    for number in 0..<Self.maxNumbers {
      let files = sources.map {
        FileStep(from: $0, to: folder.adding($0.split.name.numbered(number)))
      }
      let all = CompanionFiles.adding(to: files)
      do throws(FileFault) {
        let leaving = kind == .copy ? [] : Set(all.map(\.source))
        try CompanionFiles.checkTargets(of: all, leaving: leaving)
        if kind == .copy {
          let copy = progress(of: all)
          try inGroup(kind, batch, all.count) { group throws(FileFault) in
            try group.copy(all, copy)
          }
        } else {
          try move(all, kind, batch)
        }
        if let link = all.lazy.compactMap({ SymbolicLink(at: $0.target) }).first(where: {
          $0.file == nil
        }) {
          let name = String(decoding: link.path.split.name, as: UTF8.self)
          remark = remark ?? "'\(name)' is a link that leads nowhere"
        }
        return zip(paths, files).map { FileStep(from: $0, to: $1.target) }
          + all.dropFirst(files.count)
      } catch {
        fault = error
        if error == .system(EEXIST) { continue }
        guard case .exists = error else { throw error }
      }
    }
    throw fault
  }

  private static let maxNumbers = 10_000

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
  func progress(of files: [FileStep]) -> FileCopy {
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
    if let folder = request.createdFolder { try? createFolder(folder, request.batch) }
  }

  /// Creates a folder and its missing parents, and records them in the journal.
  mutating func createFolder(
    _ path: [UInt8], _ batch: UInt32
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
      beginGroup(of: batch)
      var group = FileGroup(
        .folder, FileGroup.ID(batch: batch, number: groupNumber, count: 1), in: journal)
      group.willMove(identity, by: .exclusiveRename, from: made, to: made)
      group.end()
    }
  }

  /// Removes the folders that this session created for files which have left them, if they are
  /// empty.
  func removeMadeFolders(of paths: [[UInt8]]) {
    let made = madeFolders(above: Set(paths.map { Array($0.split.folder.dropLast()) }))
    for folder in made.reversed() where folder.isAtTarget { rmdir(folder.target.terminated) }
  }

  /// Returns the folders that contain those which this session created above some folders, so that
  /// an undo may remove these.
  func parents(of folders: [[UInt8]]) -> [[UInt8]] {
    let paths = folders.map { (try? Trash.resolved($0)) ?? $0 }
    return madeFolders(above: Set(paths)).map { $0.target.split.folder }
  }

  /// Returns the entries of the folders that this session created, among some and those above them.
  private func madeFolders(above folders: Set<[UInt8]>) -> [JournalEntry] {
    (journal?.entries ?? []).filter { entry in
      entry.kind == .folder
        && folders.contains { $0 == entry.target || $0.starts(with: entry.target.adding("")) }
    }
  }

  /// Removes copies and their companions, if all of them are still the same as their originals.
  func removeCopies(_ files: [FileStep]) throws(FileFault) {
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
}
