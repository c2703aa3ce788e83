import Glibc
import PhotoGridCore
import WorkerProtocol

/// Performs operations on files, each of which is in the journal before it begins.
package struct FileOperator {
  private var journal: Journal?
  private var hasOpenedJournal = false
  /// The operation of a process that was killed, and what became of it.
  private var interrupted: (entry: JournalEntry, settlement: Settlement)?

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
      if let interrupted, interrupted.settlement == .done,
        let outcome = try interrupted.entry.outcome(of: request)
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
    case .trash(let path, let home):
      let identity = FileIdentity(at: path)
      let file = try Trash(home: home).add(path) { method, source, target in
        guard let identity else { return }
        journal?.add(JournalEntry(.trash, operation, method, identity, from: source, to: target))
      }
      return .trashed(file)
    case .restore(let file, let path):
      try restore(file, to: path, operation)
      return .done
    case .rename(let old, let new):
      try rename(old, to: new, operation)
      return .done
    case .undoRecorded: return .undone(undoRecorded(operation))
    }
  }

  private func restore(
    _ file: TrashedFile, to path: [UInt8], _ operation: UInt32
  ) throws(FileFault) {
    let identity = FileIdentity(at: file.path)
    let target = try Self.absolute(path)
    try Trash(home: []).restore(file, to: path) { method in
      guard let identity else { return }
      journal?.add(
        JournalEntry(.restore, operation, method, identity, from: file.path, to: target))
    }
  }

  private func rename(
    _ old: [UInt8], to new: [UInt8], _ operation: UInt32
  ) throws(FileFault) {
    let (source, target) = (try Self.absolute(old), try Self.absolute(new))
    let identity = FileIdentity(at: old)
    // Giving a name back undoes the operation before, and is not undone itself.
    let last = journal?.entries.last { $0.kind == .rename }
    let isReturn = last?.file == identity && last?.source == target && last?.target == source
    try FileMove.move(FileMove.Place(old), to: FileMove.Place(new)) { method in
      guard let identity else { return }
      journal?.add(
        JournalEntry(
          isReturn ? .unrename : .rename, operation, method, identity, from: source, to: target))
    }
  }

  /// The absolute path of a file, whose folder has no symbolic links.
  private static func absolute(_ path: [UInt8]) throws(FileFault) -> [UInt8] {
    let (folder, name) = path.split
    return try Trash.resolved(folder).adding(name)
  }

  // MARK: - Journals

  /// Opens the session's journal with the first request, and settles what killed processes left.
  package mutating func openJournal(_ path: [UInt8]) {
    guard !hasOpenedJournal else { return }
    hasOpenedJournal = true
    journal = Journal(path)
    interrupted = journal?.entries.last.map { ($0, Settlement($0)) }
    journal?.forEachEnded { entries in
      if let last = entries.last { _ = Settlement(last) }
      return false
    }
    journal?.removeOld()
  }

  /// Undoes the last operation that can be undone, of this session or of one that has ended.
  private func undoRecorded(_ operation: UInt32) -> RecordedUndo {
    var undo = RecordedUndo()
    for entry in lastOperation {
      do throws(FileFault) {
        if let file = entry.trashedFile {
          try restore(file, to: entry.source, operation)
        } else {
          try unrename(entry, operation)
        }
        if undo.count == 0 { (undo.folder, undo.name) = entry.source.split }
        undo.count += 1
      } catch {
        if undo.failureCount == 0 { undo.reason = error.message }
        undo.failureCount += 1
      }
    }
    return undo
  }

  private func unrename(_ entry: JournalEntry, _ operation: UInt32) throws(FileFault) {
    let (source, target) = (FileMove.Place(entry.target), FileMove.Place(entry.source))
    try FileMove.move(source, to: target) { method in
      journal?.add(
        JournalEntry(
          .unrename, operation, method, entry.file, from: entry.target, to: entry.source))
    }
  }

  /// The entries of the last operation of which something can be undone.
  private var lastOperation: [JournalEntry] {
    guard journal != nil else { return [] }
    var found = Self.lastOperation(in: journal?.entries ?? [])
    guard found.isEmpty else { return found }
    journal?.forEachEnded { entries in
      found = Self.lastOperation(in: entries)
      return !found.isEmpty
    }
    return found
  }

  private static func lastOperation(in entries: [JournalEntry]) -> [JournalEntry] {
    guard let last = entries.last(where: \.canBeUndone) else { return [] }
    // An operation that was restarted, after its process was killed, is in the journal twice.
    var targets: Set<[UInt8]> = []
    return entries.filter {
      $0.operation == last.operation && $0.canBeUndone && targets.insert($0.target).inserted
    }
  }
}

extension JournalEntry {
  /// The outcome of a request, if this is the entry of it; nil if it is of another one.
  fileprivate func outcome(of request: FileProtocol.Request) throws(FileFault) -> FileOutcome? {
    guard request.operation == operation else { return nil }
    switch request.change {
    case .trash(let path, _):
      let (folder, name) = path.split
      guard kind == .trash, try Trash.resolved(folder).adding(name) == source else { return nil }
      return trashedFile.map { .trashed($0) }
    case .restore(let file, _): return kind == .restore && file == trashedFile ? .done : nil
    case .rename(let path, _):
      let (folder, name) = path.split
      guard kind == .rename || kind == .unrename,
        try Trash.resolved(folder).adding(name) == source
      else { return nil }
      return .done
    case .undoRecorded: return nil
    }
  }
}
