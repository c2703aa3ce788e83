extension FileOperations {
  /// A running operation: its tasks and their results.
  struct Operation: Equatable, Sendable {
    /// The tasks, in the order in which they are run.
    var tasks: [FileTask]
    /// The photos of the operation that were marked when it started.
    var marked: PhotoSet
    /// The results so far.
    var results: [FileResult] = []
    /// The entry of the undo stack that this operation undoes; nil if there is none.
    var undone: UndoEntry?
  }
}

extension FileOperations.Operation {
  /// The part of a finished operation that can be undone; nil if nothing was done.
  var undoEntry: FileOperations.UndoEntry? {
    var trashed: [FileOperations.TrashedPhoto] = []
    var moved: [FileOperations.MovedPhotos] = []
    var copied: [FileOperations.MovedPhotos] = []
    for result in results {
      switch (result.task, result.outcome) {
      case (.trash(let photos), .trashed(let files)):
        trashed.append(
          FileOperations.TrashedPhoto(
            photos: photos, files: files, marked: photos.filter { marked.contains($0) }))
      case (.rename(let renamings), .moved(let files)):
        moved.append(FileOperations.MovedPhotos(photos: renamings.map(\.photo), files: files))
      case (.move(let photos, _), .moved(let files)):
        moved.append(
          FileOperations.MovedPhotos(
            photos: photos, files: files, marked: photos.filter { marked.contains($0) }))
      case (.turn(let photo, let orientation), .done): return .turn(photo, by: orientation)
      case (.copy(let photos, _), .moved(let files)):
        copied.append(FileOperations.MovedPhotos(photos: photos, files: files))
      default: break
      }
    }
    guard moved.isEmpty else { return .move(moved) }
    guard copied.isEmpty else { return .copy(copied) }
    return trashed.isEmpty ? nil : .trash(trashed)
  }

  /// The part of an undo that failed and can be tried again; nil if there is none.
  var remainder: FileOperations.UndoEntry? {
    let refused = results.filter { result in
      switch result.outcome {
      case .refused, .unknown: true
      case .trashed, .moved, .done, .lost, .undone: false
      }
    }
    guard let undone, !refused.isEmpty else { return nil }
    let photos = PhotoSet(refused.flatMap(\.task.photos))
    switch undone {
    case .ratings: return nil
    case .turn: return undone
    case .copy(let copied):
      return .copy(copied.filter { $0.photos.contains(where: photos.contains) })
    case .move(let moved): return .move(moved.filter { $0.photos.contains(where: photos.contains) })
    case .trash(let trashed):
      return .trash(trashed.filter { $0.photos.contains(where: photos.contains) })
    }
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

  /// The result as a message for the bar: "'beach.jpg' is in the trash; u brings it back".
  var message: String {
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
      let verb =
        results.count == 1 ? "is in the trash; u brings it" : "are in the trash; u brings them"
      return "\(what) \(verb) back"
    case .restore: return "\(what) \(results.count == 1 ? "is" : "are") back"
    case .rename where first.task.photoCount > 1:
      return "\(first.task.photoCount) photos renamed · u undoes"
    case .rename(let renamings):
      return "\(what) is now \(FileResult.label(of: renamings.first?.name ?? [])) · u undoes"
    case .move(_, let folder):
      let verb = results.count == 1 ? "is in" : "are in"
      let undo = results.count == 1 ? "u moves it back" : "u moves them back"
      return "\(what) \(verb) \(folder.label)\(newName(first)); \(undo)"
    case .copy(_, let folder):
      let verb = results.count == 1 ? "is copied to" : "are copied to"
      let undo = results.count == 1 ? "u removes the copy" : "u removes the copies"
      return "\(what) \(verb) \(folder.label)\(newName(first)); \(undo)"
    case .turn:
      return undone == nil
        ? "\(what) is turned in its file; u turns it back" : "\(what) is as it was"
    case .removeCopies:
      return results.count == 1 ? "the copy is removed" : "\(results.count) copies are removed"
    case .moveBack(_, let files) where !(files.first?.isInOneFolder ?? true):
      return "\(what) \(results.count == 1 ? "is" : "are") back"
    case .moveBack where first.task.photoCount > 1:
      return "\(first.task.photoCount) names restored"
    case .moveBack(_, let files):
      let name = files.first?.source.lastPathComponent ?? []
      return "\(what) is now \(FileResult.label(of: name)) again"
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

extension FileDestination {
  /// The folder's printable path in quotes, shortened if it is long.
  fileprivate var label: String {
    "'\(CellText(PrintableText.from(folder)).truncatedMiddle(to: 40).string)'"
  }
}

extension FileResult {
  /// The file's printable name in quotes, shortened if it is long.
  var label: String { Self.label(of: name) }

  /// Returns a printable name in quotes, shortened if it is long.
  static func label(of name: [UInt8]) -> String {
    "'\(CellText(PrintableText.from(name)).truncatedMiddle(to: 24).string)'"
  }

  /// A description of the failure, without its reason.
  fileprivate var failureMessage: String {
    if case .unknown = outcome { return "whether \(label) was moved is not known" }
    return switch task {
    case .trash: "\(label) is not trashed"
    case .restore: "\(label) is not back"
    case .rename: "\(label) keeps its name"
    case .move: "\(label) is not moved"
    case .copy: "\(label) is not copied"
    case .moveBack(_, let files):
      files.first?.isInOneFolder ?? true ? "\(label) keeps its name" : "\(label) is not back"
    case .removeCopies: "the copy \(label) stays"
    case .turn: "\(label) is not turned in its file"
    case .undoRecorded: "nothing is undone"
    }
  }

  /// Whether the task succeeded.
  var isSuccess: Bool { outcome.isSuccess }

  /// The reason for a failure, printable; empty for a success.
  var reason: String {
    switch outcome {
    case .refused(let message), .unknown(let message): PrintableText.from(message.utf8)
    case .lost: "it is not in the trash any more"
    case .trashed, .moved, .done, .undone: ""
    }
  }
}

extension FileOutcome {
  fileprivate var isSuccess: Bool {
    switch self {
    case .trashed, .moved, .done, .undone: true
    case .refused, .lost, .unknown: false
    }
  }
}

extension RecordedUndo {
  /// The result as a message for the bar: "'beach.jpg' is back in /photos/".
  fileprivate var message: String {
    let failure = failureCount > 0 ? PrintableText.from(reason.utf8) : ""
    guard count > 0 else {
      return failureCount == 0 ? "nothing to undo" : "nothing is undone: \(failure)"
    }
    let place = CellText(PrintableText.from(folder)).truncatedMiddle(to: 40).string
    let message =
      count == 1
      ? "\(FileResult.label(of: name)) is back in \(place)"
      : "\(count) photos are back in \(place)"
    return message + (failureCount > 0 ? "; \(failureCount) not: \(failure)" : "")
  }
}

extension FileTask {
  /// The number of photos that the task applies to; the files of a pair are one photo.
  var photoCount: Int {
    switch self {
    case .rename(let renamings): Self.photoCount(of: renamings.map(\.name))
    case .moveBack(let photos, let files):
      Self.photoCount(of: files.prefix(photos.count).map(\.source.lastPathComponent))
    case .trash, .restore, .move, .copy, .removeCopies, .turn, .undoRecorded: 1
    }
  }

  /// Returns the number of photos with these names; the files of a pair differ only in their
  /// extensions.
  private static func photoCount(of names: [[UInt8]]) -> Int {
    max(Set(names.map { FileName.stem(of: String(decoding: $0, as: UTF8.self)) }).count, 1)
  }
}
