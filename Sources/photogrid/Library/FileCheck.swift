import WorkerProtocol

/// The files that the program itself has changed, until the lister has looked at them again.
///
/// The lister reports a change a moment after it happened. By then the program may have changed the
/// file again, undone a rename for example, and the report would put the photo back where it no
/// longer is. So reports about these files are ignored, and once no file operation is open, the
/// lister is asked for their state.
struct FileCheck {
  /// The paths whose state is not known for certain.
  private var paths: Set<PhotoPath> = []
  /// The number of file operations without a result.
  private var openCount = 0
  /// Whether the lister has been asked, and its answer has not arrived.
  private var isRequested = false
  /// Whether files were changed since the lister was asked.
  private var isOutdated = false

  /// Records that file operations begin.
  mutating func begin(_ count: Int) {
    openCount += count
    isOutdated = true
  }

  /// Records that file operations have ended, which have changed files at these paths.
  mutating func end(_ count: Int, _ changed: some Sequence<PhotoPath>) {
    openCount = max(openCount - count, 0)
    isOutdated = true
    paths.formUnion(changed)
  }

  /// Returns the paths that the lister is to be asked about now; nil if there is nothing to ask.
  mutating func takeRequest() -> Set<PhotoPath>? {
    guard openCount == 0, !isRequested, !paths.isEmpty else { return nil }
    isRequested = true
    isOutdated = false
    return paths
  }

  /// Handles the lister's answer.
  ///
  /// - Returns: The changes to apply: none if files were changed after the question, which is asked
  ///   again then.
  mutating func receive(_ changes: [PhotoChange]) -> [PhotoChange] {
    isRequested = false
    guard !isOutdated else { return [] }
    paths = []
    return changes
  }

  /// Returns changes without those of files whose state is not known for certain.
  func filtered(_ changes: [PhotoChange]) -> [PhotoChange] {
    paths.isEmpty ? changes : changes.compactMap { $0.leavingOut(paths.contains) }
  }

  /// Trusts the lister's reports again, because it lists the files from the beginning.
  mutating func reset() {
    paths = []
    isRequested = false
  }
}
