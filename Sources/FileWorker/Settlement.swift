import Glibc
import PhotoGridCore

/// What became of a group of files whose process was killed, found out by looking at the files.
///
/// A group is done if all its files are at their targets. Otherwise those that were moved are moved
/// back, so that no file is ever torn from those that belong to it.
struct Settlement {
  /// Whether all files are at their targets; otherwise they are where they were.
  let isDone: Bool
  /// The last steps of the files, in the order of the steps.
  let moves: [JournalEntry]

  /// Looks where the files of a group are, and tidies up.
  ///
  /// - Parameter entries: All entries of the group.
  init(_ entries: [JournalEntry]) {
    let steps = Self.steps(of: entries)
    for step in steps { Self.finish(step) }
    moves = Self.netMoves(of: steps)
    isDone = moves.count == (moves.first?.group.count ?? 0) && moves.allSatisfy(Self.isComplete)
    if isDone {
      for move in moves where move.method == .copy && move.kind != .copy { Self.removeSource(move) }
      for move in moves where move.kind == .restore {
        move.trashedFile?.removeInfo(ofMissing: move.target)
      }
    } else {
      Self.takeBack(steps)
    }
  }

  /// The steps without attempts that were followed by others: only the last one can have done
  /// anything.
  static func steps(of entries: [JournalEntry]) -> [JournalEntry] {
    var places: [[UInt8]: Int] = [:]
    var steps: [JournalEntry] = []
    for entry in entries {
      if let place = places[entry.source] {
        steps[place] = entry
      } else {
        places[entry.source] = steps.count
        steps.append(entry)
      }
    }
    return steps
  }

  /// Moves the files back of which the steps were taken.
  static func takeBack(_ steps: [JournalEntry]) {
    // A copy whose original is gone is the only one there is, and stays where it is.
    let only = Set(
      steps.filter { $0.method == .copy && $0.copy != nil && !$0.isAtSource }.map(\.target))
    for step in steps.reversed() where !only.contains(step.source) && !only.contains(step.target) {
      if step.method == .copy { removeCopy(step) } else { takeBack(step) }
    }
  }

  /// Removes a copy under its temporary name, complete or not.
  private static func removeCopy(_ entry: JournalEntry) {
    guard entry.target.split.name.starts(with: FileGroup.temporaryPrefix.utf8),
      entry.copy == nil || entry.isAtTarget
    else { return }
    unlink(entry.target.terminated)
  }

  /// Removes the original of a file that was moved by copying it.
  private static func removeSource(_ entry: JournalEntry) {
    guard entry.isAtSource, FileCopy.isSame(entry.target, as: entry.source) else { return }
    unlink(entry.source.terminated)
  }

  /// The moves that the steps add up to: each file's first path, and its last.
  static func netMoves(of steps: [JournalEntry]) -> [JournalEntry] {
    var places: [[UInt8]: Int] = [:]
    var moves: [JournalEntry] = []
    for step in steps {
      if let place = places[step.source], (moves[place].copy ?? moves[place].file) == step.file {
        moves[place].target = step.target
        places[step.target] = place
      } else {
        places[step.target] = moves.count
        moves.append(step)
      }
    }
    return moves
  }

  private static func isComplete(_ move: JournalEntry) -> Bool {
    guard !move.target.split.name.starts(with: FileGroup.temporaryPrefix.utf8), move.isAtTarget
    else { return false }
    // Two names that one file had before are no move.
    return move.method == .copy || move.source == move.target || !move.isAtSource
  }

  /// Completes or removes what is left of a single step.
  private static func finish(_ entry: JournalEntry) {
    let (isAtSource, isAtTarget) = (entry.isAtSource, entry.isAtTarget)
    // A file of two names that was to have one: the new name was not there before.
    if isAtSource, isAtTarget, entry.method == .link { unlink(entry.source.terminated) }
    if isAtSource, !isAtTarget, entry.method == .placeholder {
      removePlaceholder(at: entry.target)
    }
  }

  private static func takeBack(_ entry: JournalEntry) {
    if entry.isAtTarget, !entry.isAtSource {
      try? FileMove.move(FileMove.Place(entry.target), to: FileMove.Place(entry.source))
    }
    if entry.kind == .trash { entry.trashedFile?.removeInfo(ofMissing: entry.source) }
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
