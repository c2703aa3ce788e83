import Glibc

/// What became of an operation whose process was killed, found out by looking at the files.
enum Settlement: Equatable {
  /// The file is at its target; what was left to do is done now.
  case done
  /// The file is where it was, and nothing else is left.
  case undone

  /// Looks where the file of a journal's last entry is, and tidies up.
  init(_ entry: JournalEntry) {
    let isAtSource = FileIdentity(at: entry.source) == entry.file
    let isAtTarget = FileIdentity(at: entry.target) == entry.file
    // A file of two names that was to have one: the new name was not there before.
    if isAtSource, isAtTarget, entry.method == .link { unlink(entry.source.terminated) }
    if isAtSource, !isAtTarget, entry.method == .placeholder {
      Self.removePlaceholder(at: entry.target)
    }
    self = isAtTarget && (!isAtSource || entry.method == .link) ? .done : .undone
    guard let file = entry.trashedFile else { return }
    switch (entry.kind, self) {
    case (.trash, .undone): file.removeInfo(ofMissing: entry.source)
    case (.restore, .done): file.removeInfo(ofMissing: entry.target)
    default: break
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
