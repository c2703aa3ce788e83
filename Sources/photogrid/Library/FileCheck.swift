import WorkerProtocol

/// The files that the program itself has changed, until the lister has checked them.
///
/// The lister reports a change a moment after it happened. By then the program may have changed the
/// file again, and the report would be outdated:
///
///     program   rename a → b           undo: rename b → a
///     lister                                               reports a → b
///
/// Reports about these files are therefore ignored. Once no file operation is open, the lister is
/// asked for the current state of the files.
struct FileCheck {
  /// The paths about which the lister's reports are ignored.
  private var paths: Set<PhotoPath> = []
  private var openCount = 0
  /// Whether the lister has been asked, and its answer has not arrived.
  private var isRequested = false
  /// Whether files were changed since the lister was asked.
  private var isOutdated = false

  mutating func begin(_ count: Int) {
    openCount += count
    isOutdated = true
  }

  mutating func end(_ count: Int, _ changed: some Sequence<PhotoPath>) {
    openCount = max(openCount - count, 0)
    isOutdated = true
    paths.formUnion(changed)
  }

  /// Returns the paths that the lister must check now, and records the request; nil if no check is
  /// needed, or it must wait.
  mutating func takeRequest() -> Set<PhotoPath>? {
    guard openCount == 0, !isRequested, !paths.isEmpty else { return nil }
    isRequested = true
    isOutdated = false
    return paths
  }

  /// Handles the lister's answer.
  ///
  /// - Returns: The changes to apply; empty if files were changed after the request, which is then
  ///   repeated.
  mutating func receive(_ changes: [PhotoChange]) -> [PhotoChange] {
    isRequested = false
    guard !isOutdated else { return [] }
    paths = []
    return changes
  }

  /// Returns the lister's changes without the changes to be ignored.
  func filtered(_ changes: [PhotoChange]) -> [PhotoChange] {
    paths.isEmpty ? changes : changes.compactMap { $0.leavingOut(paths.contains) }
  }

  /// Accepts all reports again, because the lister lists all files from the beginning.
  mutating func reset() {
    paths = []
    isRequested = false
  }
}
