import Geometry
import Photos

extension FileOperations.Operation {
  /// The photos that an undo brought back and that were marked before.
  var restoredMarks: [Photo.ID] {
    guard case .files(_, let marked)? = change?.content, purpose == .undo else { return [] }
    let restored = restored
    return tasks.flatMap(\.photos).filter { marked.contains($0) && restored.contains($0) }
  }

  /// The photos that an undo brought back into their folder.
  var restored: PhotoSet {
    PhotoSet(
      results.flatMap { result -> [Photo.ID] in
        switch (result.task, result.outcome) {
        case (.restore(let photos, _), .done): photos
        case (.moveBack(let photos, let files), .moved):
          files.contains { !$0.isInOneFolder } ? photos : []
        default: []
        }
      })
  }

  /// The result as a message for the bar: "'beach.jpg' is in the trash; u restores it".
  var message: String { ([words] + results.remarks).joined(separator: "; ").capitalizedFirst }

  private var words: String {
    if case .undone(let undo)? = results.first?.outcome { return undo.message }
    let successes = results.filter { $0.outcome.isSuccess }
    guard let failure = results.first(where: { !$0.outcome.isSuccess }) else {
      return message(ofSuccesses: successes)
    }
    let others = results.count - successes.count - 1
    return (successes.isEmpty ? "" : message(ofSuccesses: successes) + "; ")
      + "\(failure.failureMessage): \(failure.reason)"
      + (others > 0 ? " (and \(others) more)" : "")
  }

  private func message(ofSuccesses results: [FileResult]) -> String {
    guard let first = results.first else { return "" }
    let what = results.count == 1 ? first.label : "\(results.count) photos"
    switch first.task {
    case .trash:
      let (files, isOne) = Self.files(of: results, what)
      return "\(files) \(isOne ? "is" : "are") in the trash; u restores \(isOne ? "it" : "them")"
    case .restore:
      let (files, isOne) = Self.files(of: results, what)
      return "\(files) \(isOne ? "is" : "are") back"
    case .rename where first.task.photoCount > 1:
      return "\(first.task.photoCount) photos renamed · u undoes this"
    case .rename(let renamings):
      return "\(what) is now \(FileResult.label(of: renamings.first?.name ?? [])) · u undoes this"
    case .move(_, let folder):
      let verb = results.count == 1 ? "is in" : "are in"
      let undo = results.count == 1 ? "u moves it back" : "u moves them back"
      return "\(what) \(verb) \(folder.label)\(newName(first)); \(undo)"
    case .copy(_, let folder):
      let verb = results.count == 1 ? "was copied to" : "were copied to"
      let undo = results.count == 1 ? "u removes the copy" : "u removes the copies"
      return "\(what) \(verb) \(folder.label)\(newName(first)); \(undo)"
    case .turn: return "saved the rotation of \(what)\(sidecars(of: results)); u undoes it"
    case .turnBack: return "undid the rotation of \(what)"
    case .removeCopies:
      return results.count == 1 ? "the copy was removed" : "\(results.count) copies were removed"
    case .moveBack(_, let files) where !(files.first?.isInOneFolder ?? true):
      return "\(what) \(results.count == 1 ? "is" : "are") back"
    case .moveBack where first.task.photoCount > 1:
      return "\(first.task.photoCount) photos got their old names back"
    case .moveBack(_, let files):
      let name = files.first?.source.lastPathComponent ?? []
      return "\(what) was renamed back to \(FileResult.label(of: name))"
    case .findRecorded: return "nothing to undo"
    case .undoRecorded: return ""
    }
  }
}

extension FileOperations.Operation {
  /// Returns the name that a single photo got because its own was taken, such as " as 'sea-1.jpg'";
  /// otherwise an empty text.
  fileprivate func newName(_ result: FileResult) -> String {
    guard tasks.count == 1, case .moved(let files) = result.outcome, let file = files.first,
      file.source.lastPathComponent != file.target.lastPathComponent
    else { return "" }
    return " as \(FileResult.label(of: file.target.lastPathComponent))"
  }
}

extension FileOperations.Operation {
  /// Returns where rotations were saved that the photos' own files cannot carry, such as " in its
  /// sidecar"; otherwise an empty text.
  private func sidecars(of results: [FileResult]) -> String {
    let count = results.count { result in
      guard case .turned(let files) = result.outcome else { return false }
      return files.allSatisfy(\.isSidecar)
    }
    guard count > 0 else { return "" }
    guard count == results.count else { return ", \(count) of them in sidecars" }
    return count == 1 ? " in its sidecar" : " in their sidecars"
  }

  /// Returns what was moved, with the other files of a pair, and whether it is a single file.
  private static func files(of results: [FileResult], _ what: String) -> (String, isOne: Bool) {
    guard results.count == 1, let result = results.first, result.task.photos.count > 1 else {
      return (what, results.count == 1)
    }
    let count = result.task.photos.count - 1
    let trashed =
      switch (result.task, result.outcome) {
      case (.restore(_, let files), _), (_, .trashed(let files)): files
      default: [TrashedFile]()
      }
    let films = trashed.dropFirst().prefix(count).count { LivePhoto.isFilm($0.originalPath) }
    let kind = films == 0 ? "raw file" : films == count ? "video" : "other file"
    return ("\(what) and its \(count == 1 ? kind : "\(count) \(kind)s")", false)
  }
}

extension FileDestination {
  fileprivate var label: String {
    "'\(CellText(PrintableText.from(folder)).truncatedMiddle(to: 40).string)'"
  }
}

extension FileResult {
  var label: String { Self.label(of: name) }

  static func label(of name: [UInt8]) -> String {
    "'\(CellText(PrintableText.from(name)).truncatedMiddle(to: 24).string)'"
  }

  /// A description of the failure, without its reason.
  fileprivate var failureMessage: String {
    if case .unknown = outcome { return "it is unclear whether \(label) was moved" }
    return switch task {
    case .trash: "\(label) was not trashed"
    case .restore: "\(label) was not restored"
    case .rename: "\(label) was not renamed"
    case .move: "\(label) was not moved"
    case .copy: "\(label) was not copied"
    case .moveBack(_, let files):
      files.first?.isInOneFolder ?? true ? "\(label) was not renamed" : "\(label) was not restored"
    case .removeCopies: "the copy \(label) was kept"
    case .turn: "could not save the rotation of \(label)"
    case .turnBack: "could not undo the rotation of \(label)"
    case .findRecorded, .undoRecorded: "nothing was undone"
    }
  }

  var isSuccess: Bool { outcome.isSuccess }

  /// The reason for a failure, printable; empty for a success.
  var reason: String {
    switch outcome {
    case .refused(let message), .unknown(let message): PrintableText.from(message.utf8)
    case .lost: "it is no longer in the trash"
    case .trashed, .moved, .done, .turned, .found, .undone: ""
    }
  }
}

extension [FileResult] {
  /// What must be known about the first of these that has a remark, and how many others have one;
  /// printable.
  fileprivate var remarks: [String] {
    let all = compactMap(\.remark)
    guard let first = all.first else { return [] }
    return [PrintableText.from(first.utf8) + (all.count > 1 ? " (and \(all.count - 1) more)" : "")]
  }
}

extension FileOutcome {
  fileprivate var isSuccess: Bool {
    switch self {
    case .trashed, .moved, .done, .turned, .found, .undone: true
    case .refused, .lost, .unknown: false
    }
  }
}

extension RecordedUndo {
  /// The result as a message for the bar: "'beach.jpg' is back in /photos/".
  ///
  /// The folder is named only if it is not the one that is shown.
  fileprivate var message: String {
    let failure = failureCount > 0 ? PrintableText.from(reason.utf8) : ""
    guard count > 0 else {
      return failureCount == 0 ? "nothing to undo" : "nothing was undone: \(failure)"
    }
    let what = count == 1 ? FileResult.label(of: name) : "\(count) photos"
    let folder = CellText(PrintableText.from(folder)).truncatedMiddle(to: 40).string
    let location = isHere ? "" : " in \(folder)"
    let message =
      switch kind {
      case .rename where count == 1: "\(what) got its old name back\(location)"
      case .rename: "\(what) got their old names back\(location)"
      case .copy where count == 1: "the copy of \(what) was removed"
      case .copy: "the copies of \(what) were removed"
      case .rotation: "undid the rotation of \(what)\(location)"
      case .trash, .move, nil: "\(what) \(count == 1 ? "is" : "are") back\(location)"
      }
    return message + (failureCount > 0 ? "; \(failureCount) failed: \(failure)" : "")
  }
}

extension FileTask {
  /// The number of photos that the task applies to; the files of a pair are one photo.
  var photoCount: Int {
    switch self {
    case .rename(let renamings): Self.photoCount(of: renamings.map(\.name))
    case .moveBack(let photos, let files):
      Self.photoCount(of: files.prefix(photos.count).map(\.source.lastPathComponent))
    case .trash, .restore, .move, .copy, .removeCopies, .turn, .turnBack, .findRecorded,
      .undoRecorded:
      1
    }
  }

  /// Returns the number of photos with these names; the files of a pair differ only in their
  /// extensions.
  private static func photoCount(of names: [[UInt8]]) -> Int {
    max(Set(names.map { FileName.stem(of: String(decoding: $0, as: UTF8.self)) }).count, 1)
  }
}

/// Reporting file operations that are unfinished when the session ends.
extension FileOperations {
  /// Describes what abandoned operations have done and have not done, for standard error.
  ///
  /// - Parameters:
  ///   - results: Results that the browser has not received.
  ///   - open: Tasks without a result.
  ///   - goesOn: Whether those will still be done, rather than being cut short.
  ///   - interrupted: The task that a process may have done which was lost; nil if there is none.
  ///   - name: Returns the last component of a photo's path.
  /// - Returns: The lines; empty if all operations are complete.
  package func unfinishedReport(
    _ results: [FileResult], open: [FileTask], goesOn: Bool, interrupted: FileTask? = nil,
    name: (Photo.ID) -> [UInt8]
  ) -> [String] {
    guard var operation = running else { return [] }
    operation.results += results
    let cut = interrupted.map { [$0] } ?? []
    return operation.lines(open: open, goesOn: goesOn, interrupted: cut, name: name)
      + queue.map(\.lineIfNotStarted)
  }
}

extension FileOperations.Operation {
  fileprivate func lines(
    open: [FileTask], goesOn: Bool, interrupted: [FileTask], name: (Photo.ID) -> [UInt8]
  ) -> [String] {
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
    lines += results.remarks
    let finished = Set(results.flatMap(\.task.photos))
    let rest = tasks.filter { task in
      !open.contains(task) && !interrupted.contains(task)
        && !(task.photos.first.map { finished.contains($0) } ?? !results.isEmpty)
    }
    func add(_ words: String, _ tasks: [FileTask]) {
      guard let task = tasks.first else { return }
      let names = task.photos.first.map { ", starting at \(FileResult.label(of: name($0)))" } ?? ""
      lines.append("\(words): \(Self.photos(in: tasks))\(names)")
    }
    add("not \(first.verb)", rest)
    add("may have been \(first.verb); the process that does it stopped", interrupted)
    add(
      goesOn
        ? "will be \(first.verb) once the disk responds"
        : "may have been \(first.verb); the disk is not responding", open)
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
    case .turnBack: "rotated back"
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
    case .turn: "not rotated: \(Self.photos(tasks.count))"
    default: "not trashed: \(Self.photos(tasks.count))"
    }
  }
}
