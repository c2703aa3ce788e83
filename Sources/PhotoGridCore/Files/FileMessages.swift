import Geometry
import Photos

extension FileOperations.Batch {
  /// The photos that an undo brought back and that were marked before.
  var restoredMarks: [Photo.ID] {
    guard case .files(_, let marked)? = change?.content, purpose == .undo else { return [] }
    let restored = restored
    return operations.flatMap(\.photos).filter { marked.contains($0) && restored.contains($0) }
  }

  /// The photos that an undo brought back into their folder.
  var restored: PhotoSet {
    PhotoSet(results.filter { $0.isUndo && $0.isSuccess && $0.returns }.flatMap(\.photos))
  }

  /// The result as a message for the bar: "'beach.jpg' is in the trash; u restores it".
  var message: String { ([words] + results.remarks).joined(separator: "; ").capitalizedFirst }

  private var words: String {
    if case .undone(let undo)? = results.first?.outcome { return undo.message }
    let successes = results.filter(\.isSuccess)
    guard let failure = results.first(where: { !$0.isSuccess }) else {
      return message(ofSuccesses: successes)
    }
    let others = results.count - successes.count - 1
    return (successes.isEmpty ? "" : message(ofSuccesses: successes) + "; ")
      + "\(failure.failureMessage): \(failure.reason)"
      + (others > 0 ? " (and \(others) more)" : "")
  }

  private func message(ofSuccesses results: [FileOperation]) -> String {
    guard let first = results.first else { return "" }
    let isOne = results.count == 1
    let what = isOne ? first.label : "\(results.count) photos"
    switch (first.kind, first.isUndo) {
    case (.trash, false):
      let (files, isOne) = Self.files(of: results, what)
      return "\(files) \(isOne ? "is" : "are") in the trash; u restores \(isOne ? "it" : "them")"
    case (.trash, true):
      let (files, isOne) = Self.files(of: results, what)
      return "\(files) \(isOne ? "is" : "are") back"
    case (.rename, false) where first.photoCount > 1:
      return "\(first.photoCount) photos renamed · u undoes this"
    case (.rename, false): return "\(what) is now \(first.newLabel) · u undoes this"
    case (.move, false):
      let undo = isOne ? "u moves it back" : "u moves them back"
      return "\(what) \(isOne ? "is" : "are") in \(first.folderLabel)\(newName(first)); \(undo)"
    case (.copy, false):
      let undo = isOne ? "u removes the copy" : "u removes the copies"
      let verb = isOne ? "was copied to" : "were copied to"
      return "\(what) \(verb) \(first.folderLabel)\(newName(first)); \(undo)"
    case (.rotation, false):
      return "saved the rotation of \(what)\(sidecars(of: results)); u undoes it"
    case (.rotation, true): return "undid the rotation of \(what)"
    case (.copy, true):
      return isOne ? "the copy was removed" : "\(results.count) copies were removed"
    case (.rename, true) where !first.returns, (.move, true) where !first.returns:
      if first.photoCount > 1 { return "\(first.photoCount) photos got their old names back" }
      let name = FileOperation.label(of: first.steps.first?.source.lastPathComponent ?? [])
      return "\(what) was renamed back to \(name)"
    case (.rename, true), (.move, true): return "\(what) \(isOne ? "is" : "are") back"
    case (.recorded, let isUndo): return isUndo ? "" : "nothing to undo"
    }
  }
}

extension FileOperations.Batch {
  /// Returns the name that a single photo got because its own was taken, such as " as 'sea-1.jpg'";
  /// otherwise an empty text.
  private func newName(_ result: FileOperation) -> String {
    guard operations.count == 1, case .done(let steps)? = result.outcome, let step = steps.first,
      step.source.lastPathComponent != step.target.lastPathComponent
    else { return "" }
    return " as \(FileOperation.label(of: step.target.lastPathComponent))"
  }

  /// Returns where rotations were saved that the photos' own files cannot carry, such as " in its
  /// sidecar"; otherwise an empty text.
  private func sidecars(of results: [FileOperation]) -> String {
    let count = results.count { result in
      guard case .done(let steps)? = result.outcome else { return false }
      return steps.allSatisfy { Sidecar.isSidecar($0.target) }
    }
    guard count > 0 else { return "" }
    guard count == results.count else { return ", \(count) of them in sidecars" }
    return count == 1 ? " in its sidecar" : " in their sidecars"
  }

  /// Returns what was moved, with the other files of a pair, and whether it is a single file.
  private static func files(of results: [FileOperation], _ what: String) -> (String, isOne: Bool) {
    guard results.count == 1, let result = results.first, result.photos.count > 1 else {
      return (what, results.count == 1)
    }
    let count = result.photos.count - 1
    let films = result.steps.dropFirst().prefix(count).count { LivePhoto.isFilm($0.source) }
    let kind = films == 0 ? "raw file" : films == count ? "video" : "other file"
    return ("\(what) and its \(count == 1 ? kind : "\(count) \(kind)s")", false)
  }
}

extension FileOperation {
  var label: String { Self.label(of: name) }

  static func label(of name: [UInt8]) -> String {
    "'\(CellText(PrintableText.from(name)).truncatedMiddle(to: 24).string)'"
  }

  fileprivate var newLabel: String { Self.label(of: steps.first?.target.lastPathComponent ?? []) }

  /// The folder that files are moved or copied into, as the user typed it.
  fileprivate var folderLabel: String {
    let folder = PrintableText.from(destination?.folder ?? [])
    return "'\(CellText(folder).truncatedMiddle(to: 40).string)'"
  }

  /// Whether an undo brings files back into the folder that they had left.
  fileprivate var returns: Bool {
    switch kind {
    case .trash: true
    case .rename, .move: steps.contains { !$0.isInOneFolder }
    case .copy, .rotation, .recorded: false
    }
  }

  /// A description of the failure, without its reason.
  fileprivate var failureMessage: String {
    if case .unknown? = outcome { return "it is unclear whether \(label) was moved" }
    return switch (kind, isUndo) {
    case (.trash, false): "\(label) was not trashed"
    case (.rename, false): "\(label) was not renamed"
    case (.move, false): "\(label) was not moved"
    case (.copy, false): "\(label) was not copied"
    case (.rotation, false): "could not save the rotation of \(label)"
    case (.copy, true): "the copy \(label) was kept"
    case (.rotation, true): "could not undo the rotation of \(label)"
    case (.recorded, _): "nothing was undone"
    case (.trash, true), (.rename, true), (.move, true):
      "\(label) was not \(returns ? "restored" : "renamed")"
    }
  }

  /// The reason for a failure, printable; empty for a success.
  var reason: String {
    switch outcome {
    case .refused(let message), .unknown(let message): PrintableText.from(message.utf8)
    case .lost: "it is no longer in the trash"
    case .done, .found, .undone, nil: ""
    }
  }
}

extension [FileOperation] {
  /// The first remark about these operations, printable, with the number of the others; empty
  /// without remarks.
  fileprivate var remarks: [String] {
    let all = compactMap(\.remark)
    guard let first = all.first else { return [] }
    return [PrintableText.from(first.utf8) + (all.count > 1 ? " (and \(all.count - 1) more)" : "")]
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
    let what = count == 1 ? FileOperation.label(of: name) : "\(count) photos"
    let folder = CellText(PrintableText.from(folder)).truncatedMiddle(to: 40).string
    let location = isHere ? "" : " in \(folder)"
    let message =
      switch kind {
      case .rename where count == 1: "\(what) got its old name back\(location)"
      case .rename: "\(what) got their old names back\(location)"
      case .copy where count == 1: "the copy of \(what) was removed"
      case .copy: "the copies of \(what) were removed"
      case .rotation: "undid the rotation of \(what)\(location)"
      case .trash, .move, .recorded, nil: "\(what) \(count == 1 ? "is" : "are") back\(location)"
      }
    return message + (failureCount > 0 ? "; \(failureCount) failed: \(failure)" : "")
  }
}

extension FileOperation {
  /// The number of photos that the operation applies to; the files of a pair are one photo.
  var photoCount: Int {
    guard kind == .rename || kind == .move && isUndo else { return 1 }
    let steps = steps.prefix(photos.count)
    return Self.photoCount(of: steps.map { (isUndo ? $0.source : $0.target).lastPathComponent })
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
  ///   - results: Operations with outcomes that the browser has not received.
  ///   - open: Operations without an outcome.
  ///   - goesOn: Whether those will still be done, rather than being cut short.
  ///   - interrupted: The operation that a lost process may have done; nil if there is none.
  ///   - name: Returns the last component of a photo's path.
  /// - Returns: The lines; empty if all operations are complete.
  package func unfinishedReport(
    _ results: [FileOperation], open: [FileOperation], goesOn: Bool,
    interrupted: FileOperation? = nil, name: (Photo.ID) -> [UInt8]
  ) -> [String] {
    guard var batch = running else { return [] }
    batch.results += results
    let cut = interrupted.map { [$0] } ?? []
    return batch.lines(open: open, goesOn: goesOn, interrupted: cut, name: name)
      + queue.map(\.lineIfNotStarted)
  }
}

extension FileOperations.Batch {
  fileprivate func lines(
    open: [FileOperation], goesOn: Bool, interrupted: [FileOperation],
    name: (Photo.ID) -> [UInt8]
  ) -> [String] {
    guard let first = operations.first else { return [] }
    if first.kind == .recorded, !first.isUndo { return [lineIfNotStarted] }
    let successes = results.filter(\.isSuccess)
    let failures = results.filter { !$0.isSuccess }
    let total = operations.count
    var lines: [String] = []
    if total == successes.count {
      lines.append("\(first.verb) \(Self.photos(in: operations))")
    } else {
      lines.append(
        "\(first.verb) \(Self.photoCount(of: successes)) of \(Self.photos(in: operations))")
    }
    if let failure = failures.first {
      let others = failures.count - 1
      lines.append(
        "not \(first.verb): \(failure.label): \(failure.reason)"
          + (others > 0 ? " (and \(others) more)" : ""))
    }
    lines += results.remarks
    let finished = Set(results.flatMap(\.photos))
    let unfinished = Set((open + interrupted).flatMap(\.photos))
    let rest = operations.filter { operation in
      guard let photo = operation.photos.first else {
        return (results + open + interrupted).isEmpty
      }
      return !finished.contains(photo) && !unfinished.contains(photo)
    }
    func add(_ words: String, _ operations: [FileOperation]) {
      guard let operation = operations.first else { return }
      let names =
        operation.photos.first.map { ", starting at \(FileOperation.label(of: name($0)))" } ?? ""
      lines.append("\(words): \(Self.photos(in: operations))\(names)")
    }
    add("not \(first.verb)", rest)
    add("may have been \(first.verb); the process that does it stopped", interrupted)
    add(
      goesOn
        ? "will be \(first.verb) once the disk responds"
        : "may have been \(first.verb); the disk is not responding", open)
    return lines
  }

  private static func photos(in operations: [FileOperation]) -> String {
    let count = photoCount(of: operations)
    if let first = operations.first, first.kind == .copy, first.isUndo {
      return count == 1 ? "1 copy" : "\(count) copies"
    }
    return photos(count)
  }

  private static func photoCount(of operations: [FileOperation]) -> Int {
    operations.reduce(0) { $0 + $1.photoCount }
  }

  private static func photos(_ count: Int) -> String { count == 1 ? "1 photo" : "\(count) photos" }

  fileprivate var lineIfNotStarted: String {
    guard purpose == .change, let first = operations.first else {
      return "last change not \(purpose == .redo ? "redone" : "undone")"
    }
    guard first.kind != .rename else { return "not renamed to \(first.newLabel)" }
    return "not \(first.verb): \(Self.photos(operations.count))"
  }
}

extension FileOperation {
  fileprivate var verb: String {
    switch (kind, isUndo) {
    case (.trash, false): "trashed"
    case (.trash, true), (.recorded, _): "restored"
    case (.rename, false): "renamed"
    case (.move, false): "moved"
    case (.copy, false): "copied"
    case (.rename, true), (.move, true): "moved back"
    case (.copy, true): "removed"
    case (.rotation, false): "rotated"
    case (.rotation, true): "rotated back"
    }
  }
}
