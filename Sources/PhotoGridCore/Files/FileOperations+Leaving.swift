/// Reporting file operations that are unfinished when the session ends.
extension FileOperations {
  /// Describes what abandoned operations have done and have not done, for standard error.
  ///
  /// - Parameters:
  ///   - results: Results that the browser has not received.
  ///   - open: Tasks without a result.
  ///   - goesOn: Whether those will still be done, rather than being cut short.
  ///   - name: Returns the last component of a photo's path.
  /// - Returns: The lines; empty if all operations are complete.
  package func unfinishedReport(
    _ results: [FileResult], open: [FileTask], goesOn: Bool, name: (Photo.ID) -> [UInt8]
  ) -> [String] {
    guard var operation = running else { return [] }
    operation.results += results
    return operation.lines(open: open, goesOn: goesOn, name: name) + queue.map(\.lineIfNotStarted)
  }
}

extension FileOperations.Operation {
  fileprivate func lines(open: [FileTask], goesOn: Bool, name: (Photo.ID) -> [UInt8]) -> [String] {
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
        goesOn
          ? "will be \(first.verb) once the disk responds: \(Self.photos(in: open))\(names)"
          : "may have been \(first.verb); the disk is not responding: \(Self.photos(in: open))\(names)"
      )
    }
    return lines
  }

  private static func photos(in tasks: [FileTask]) -> String {
    let count = photoCount(of: tasks)
    if case .removeCopies? = tasks.first { return count == 1 ? "1 copy" : "\(count) copies" }
    return photos(count)
  }

  private static func photoCount(of tasks: [FileTask]) -> Int {
    tasks.reduce(0) { $0 + $1.photoCount }
  }

  fileprivate static func photos(_ count: Int) -> String {
    count == 1 ? "1 photo" : "\(count) photos"
  }
}

extension FileTask {
  fileprivate var verb: String {
    switch self {
    case .trash: "trashed"
    case .restore, .findRecorded, .undoRecorded: "restored"
    case .rename: "renamed"
    case .move: "moved"
    case .copy: "copied"
    case .moveBack: "moved back"
    case .removeCopies: "removed"
    case .turn: "rotated"
    }
  }
}

extension FileOperations.Operation {
  fileprivate var lineIfNotStarted: String {
    switch tasks.first {
    case _ where purpose == .undo: "last change not undone"
    case _ where purpose == .redo: "last change not redone"
    case .rename(let renamings):
      "not renamed to \(FileResult.label(of: renamings.first?.name ?? []))"
    case .move: "not moved: \(Self.photos(tasks.count))"
    case .copy: "not copied: \(Self.photos(tasks.count))"
    case .turn: "not rotated: 1 photo"
    default: "not trashed: \(Self.photos(tasks.count))"
    }
  }
}
