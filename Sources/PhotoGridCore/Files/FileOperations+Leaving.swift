/// Reporting file operations that are unfinished when the session ends.
extension Browser {
  /// Whether a file operation is running or queued, or ratings are being written.
  package var isChangingFiles: Bool { !files.isIdle || !files.ratings.isIdle }

  /// The share of the current files that has been copied, in percent; nil if none are being copied.
  package var copiedPercentage: Int? { files.copiedPercentage }

  /// Describes what abandoned operations have done and have not done, for standard error.
  ///
  /// - Parameters:
  ///   - results: Results that the browser has not received.
  ///   - open: Tasks that may still be done.
  ///   - name: Returns the last component of a photo's path.
  /// - Returns: The lines; empty if all operations are complete.
  package func unfinishedOperationReport(
    _ results: [FileResult], open: [FileTask], name: (Photo.ID) -> [UInt8]
  ) -> [String] {
    guard let running = files.running else { return [] }
    var operation = running
    operation.results += results
    return operation.lines(open: open, name: name) + files.queue.map(\.lineIfNotStarted)
  }
}

extension FileOperations.Operation {
  fileprivate func lines(open: [FileTask], name: (Photo.ID) -> [UInt8]) -> [String] {
    guard let first = tasks.first else { return [] }
    if case .findRecorded = first { return [lineIfNotStarted] }
    let successes = results.filter(\.isSuccess)
    let failures = results.filter { !$0.isSuccess }
    let total = tasks.count
    var lines: [String] = []
    if total == successes.count {
      lines.append("\(first.verb) \(Self.photos(in: tasks))")
    } else {
      lines.append(
        "\(first.verb) \(Self.photoCount(of: successes.map(\.task))) of \(Self.photos(in: tasks))")
    }
    if let failure = failures.first {
      let others = failures.count - 1
      lines.append(
        "not \(first.verb): \(failure.label): \(failure.reason)"
          + (others > 0 ? " (and \(others) more)" : ""))
    }
    let finished = Set(results.flatMap(\.task.photos))
    let rest = tasks.filter { task in
      !open.contains(task) && !(task.photos.first.map { finished.contains($0) } ?? !results.isEmpty)
    }
    if let task = rest.first {
      let names = task.photos.first.map { ", starting at \(FileResult.label(of: name($0)))" } ?? ""
      lines.append("not \(first.verb): \(Self.photos(in: rest))\(names)")
    }
    if let task = open.first {
      let names = task.photos.first.map { ", starting at \(FileResult.label(of: name($0)))" } ?? ""
      lines.append(
        "to be \(first.verb) once the disk responds: \(Self.photos(in: open))\(names)")
    }
    return lines
  }

  private static func photos(in tasks: [FileTask]) -> String { photos(photoCount(of: tasks)) }

  private static func photoCount(of tasks: [FileTask]) -> Int {
    tasks.reduce(0) { $0 + $1.photoCount }
  }

  fileprivate static func photos(_ count: Int) -> String {
    count == 1 ? "1 photo" : "\(count) photos"
  }
}

extension FileTask {
  /// A past participle, such as "moved", to precede a number of photos.
  fileprivate var verb: String {
    switch self {
    case .trash: "trashed"
    case .restore, .findRecorded, .undoRecorded: "restored"
    case .rename: "renamed"
    case .move: "moved"
    case .copy: "copied"
    case .moveBack: "moved back"
    case .removeCopies: "removed as copies"
    case .turn: "rotated"
    }
  }
}

extension FileOperations.Operation {
  /// The line for an operation that was never started.
  fileprivate var lineIfNotStarted: String {
    switch tasks.first {
    case _ where purpose == .undo: "not undone: the earlier change"
    case _ where purpose == .redo: "not redone: the earlier change"
    case .rename(let renamings):
      "not renamed to \(FileResult.label(of: renamings.first?.name ?? []))"
    case .move: "not moved: \(Self.photos(tasks.count))"
    case .copy: "not copied: \(Self.photos(tasks.count))"
    case .turn: "not rotated: 1 photo"
    default: "not trashed: \(Self.photos(tasks.count))"
    }
  }
}
