import CLinux
import Geometry
import Glibc
import WorkerRuntime

/// The settlement of a group whose process was killed, based on where its files are now.
///
/// A group is done if all its files are at their targets. Otherwise the files that were moved are
/// moved back, so that a photo and its companions always stay together.
struct Settlement {
  /// Whether all files are at their targets; otherwise they are where they were.
  let isDone: Bool
  /// The moves that the steps add up to, one for each file.
  let moves: [JournalEntry]

  /// Whether the group changes only the texts of links, by others beside them.
  var isRelinking: Bool {
    !moves.isEmpty
      && moves.allSatisfy { move in
        move.kind == .unrename && move.method == .copy
          && move.source.split.folder == move.target.split.folder
      }
  }

  /// Settles a group.
  ///
  /// - Parameters:
  ///   - entries: The entries of the group, oldest first.
  ///   - hasEnded: Whether the journal says that its process had finished it; then its files stay
  ///     where they are.
  init(_ entries: [JournalEntry], hasEnded: Bool = false) {
    let steps = Self.steps(of: entries)
    if !hasEnded { for step in steps { Self.finish(step) } }
    moves = Self.netMoves(of: steps)
    isDone = moves.count == (moves.first?.group.count ?? 0) && moves.allSatisfy(Self.isComplete)
    if hasEnded { return }
    if isDone {
      for move in moves where move.method == .copy && move.kind != .copy { Self.removeSource(move) }
      for move in moves where move.kind == .restore {
        move.trashing?.removeInfo(ofMissing: move.target)
      }
    } else {
      Self.takeBack(steps)
    }
  }

  /// Returns the last entry for each source path: an earlier one is a failed attempt, or was
  /// recorded before the copy was complete.
  ///
  /// Of a photo that is rotated, several files may change.
  static func steps(of entries: [JournalEntry]) -> [JournalEntry] {
    var indices: [[UInt8]: Int] = [:]
    var steps: [JournalEntry] = []
    for entry in entries {
      let path = entry.rotation == nil ? entry.source : entry.target
      if let index = indices[path] {
        steps[index] = entry
      } else {
        indices[path] = steps.count
        steps.append(entry)
      }
    }
    return steps
  }

  static func takeBack(_ steps: [JournalEntry]) {
    // A copy whose original was removed must be kept, and stays where it is.
    let only = Set(
      steps.filter { $0.method == .copy && $0.copy != nil && !$0.isAtSource }.map(\.target))
    for step in steps.reversed() where !only.contains(step.source) && !only.contains(step.target) {
      if step.method == .copy { removeCopy(step) } else { takeBack(step) }
    }
  }

  /// Removes a complete or incomplete copy that still has its temporary name.
  private static func removeCopy(_ entry: JournalEntry) {
    guard entry.target.split.name.starts(with: FileGroup.temporaryPrefix.utf8),
      entry.copy == nil || entry.isAtTarget
    else { return }
    unlink(entry.target.terminated)
  }

  /// Removes the original of a file that was moved by copying it.
  private static func removeSource(_ entry: JournalEntry) {
    // The process may have been killed before the name of the copy was on the disk.
    guard entry.isAtSource, entry.isFaithful,
      (try? syncFolder(entry.target.split.folder)) != nil
    else { return }
    unlink(entry.source.terminated)
  }

  /// Returns the moves that steps add up to, from each file's first path to its last.
  static func netMoves(of steps: [JournalEntry]) -> [JournalEntry] {
    var indices: [[UInt8]: Int] = [:]
    var moves: [JournalEntry] = []
    for step in steps {
      if step.rotation == nil, let index = indices[step.source],
        (moves[index].copy ?? moves[index].file) == step.file
      {
        moves[index].target = step.target
        indices[step.target] = index
      } else {
        indices[step.target] = moves.count
        moves.append(step)
      }
    }
    return moves
  }

  private static func isComplete(_ move: JournalEntry) -> Bool {
    guard !move.target.split.name.starts(with: FileGroup.temporaryPrefix.utf8), move.isAtTarget
    else { return false }
    // A file that is at both paths, as hard links, was not moved.
    return move.method == .copy || move.rotation != nil || move.source == move.target
      || !move.isAtSource || isOtherSpelling(move.source, of: move.target)
  }

  /// Whether a disk that ignores case finds a file by another path than the stored one.
  private static func isOtherSpelling(_ path: [UInt8], of file: [UInt8]) -> Bool {
    var spellings = OtherSpellings(of: [file])
    return spellings.file(foundBy: path) != nil
  }

  /// Completes a step that was interrupted, or removes what is left of it.
  private static func finish(_ entry: JournalEntry) {
    guard entry.rotation == nil else {
      return TemporaryFile.removeRemains(in: entry.target.split.folder)
    }
    let (isAtSource, isAtTarget) = (entry.isAtSource, entry.isAtTarget)
    // The new name was linked, which fails for an existing name, but the old one not yet removed. It
    // is the only one if it is the new name too, on a disk that ignores case.
    if isAtSource, isAtTarget, entry.method == .link,
      !isOtherSpelling(entry.source, of: entry.target),
      !isOtherSpelling(entry.target, of: entry.source)
    {
      unlink(entry.source.terminated)
    }
    if isAtSource, !isAtTarget, entry.method == .placeholder {
      removePlaceholder(at: entry.target)
    }
  }

  private static func takeBack(_ entry: JournalEntry) {
    guard entry.rotation == nil else {
      try? PhotoTurn.undoing(entry).change?.make(at: entry.target, mode: 0o600)
      return
    }
    // Once its info file is removed, a restored file stays: the trash would not know where it belongs.
    let hasLocation = entry.kind != .restore || entry.trashing?.origin != nil
    if hasLocation, entry.isAtTarget, !entry.isAtSource { moveBack(entry) }
    if entry.kind == .trash { entry.trashing?.removeInfo(ofMissing: entry.source) }
  }

  /// Moves a file back if its name is still free.
  ///
  /// Nobody would find it at a temporary name: if another program has taken its name meanwhile, it
  /// gets a number.
  private static func moveBack(_ entry: JournalEntry) {
    let (folder, name) = entry.source.split
    let isTemporary = entry.target.split.name.starts(with: FileGroup.temporaryPrefix.utf8)
    for number in 0..<(isTemporary ? 10_000 : 1) {
      do throws(FileFault) {
        let path = folder + name.numbered(number)
        return try FileMove.move(FileMove.Location(entry.target), to: FileMove.Location(path))
      } catch {
        guard error == .system(EEXIST) else { return }
      }
    }
  }

  /// Removes the empty file that an interrupted move may have left.
  private static func removePlaceholder(at path: [UInt8]) {
    var status = stat()
    guard lstat(path.terminated, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_mode & 0o7777 == 0o600, status.st_size == 0, status.st_nlink == 1
    else { return }
    unlink(path.terminated)
  }
}
