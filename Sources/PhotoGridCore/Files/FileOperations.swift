/// The operations on photos' files: the running operation, the queued ones, and what can be undone.
package struct FileOperations: Equatable, Sendable {
  private(set) var running: Operation?
  var queue: [Operation] = []
  /// The changes that can be undone, oldest first.
  var undoStack: [Change] = []
  /// The changes that were undone since the last new one, in the order in which they were undone.
  var redoStack: [Change] = []
  package internal(set) var copiedPercentage: Int?
  var ratings = RatingWrites()
  /// Whether the session ends as soon as all operations are complete.
  var isLeaving = false
  /// The folder that is shown, as in `FolderMove`; nil before the first move.
  private(set) var location: [UInt8]?
  /// Operations of earlier sessions that could not be undone, and are not offered again.
  private var givenUp: [RecordedOperation.ID] = []
  private var lastChangeNumber = 0

  struct Operation: Equatable, Sendable {
    enum Purpose: Equatable, Sendable { case change, undo, redo }

    var purpose: Purpose
    /// The tasks, in the order in which they are run; empty for an undo or a redo that has not
    /// started, as what comes before it decides about them.
    var tasks: [FileTask] = []
    /// The photos of the operation that were marked when it started.
    var marked = PhotoSet()
    var results: [FileResult] = []
    /// The change of this session that is undone or done again; nil for any other operation.
    var change: Change?
  }

  /// A change that can be undone, or done again.
  struct Change: Equatable, Sendable {
    enum Content: Equatable, Sendable {
      /// The successful results of an operation, and the photos that were marked before it.
      case files([FileResult], marked: PhotoSet)
      /// Photos were rated.
      case ratings([RatedPhoto])
    }

    var content: Content
    /// Identifies the change in its session.
    var number: Int
    /// The folder that was shown; nil before the first move to another one.
    var location: [UInt8]?
    var time: Instant
  }

  var isIdle: Bool { running == nil && queue.isEmpty }

  /// Whether a file operation is running or queued, or ratings are being written.
  package var isChanging: Bool { !isIdle || !ratings.isIdle }

  /// The photos of the running operation and of the queued ones.
  var busyPhotos: PhotoSet {
    PhotoSet(
      (running?.tasks ?? []).flatMap(\.photos) + queue.flatMap { $0.tasks.flatMap(\.photos) })
  }

  package var trashed: [Photo.ID] {
    undoStack.flatMap { change -> [Photo.ID] in
      guard case .files(let results, _) = change.content else { return [] }
      return results.flatMap { result -> [Photo.ID] in
        if case .trash(let photos) = result.task { photos } else { [] }
      }
    }
  }

  var progress: String? {
    guard let running else { return nil }
    let total = running.tasks.count
    let count = total == 1 ? "" : " \(running.results.count) of \(total)"
    let copied = copiedPercentage.map { " \($0)%" } ?? ""
    return switch running.tasks.first {
    case .trash: "trashing\(count)…"
    case .restore: "restoring\(count)…"
    case .rename: "renaming…"
    case .move: "moving\(count)…\(copied)"
    case .copy: "copying\(count)…\(copied)"
    case .moveBack: "moving back\(count)…\(copied)"
    case .removeCopies: "removing copies\(count)…"
    case .turn: "saving the rotation…"
    case .findRecorded, .undoRecorded: "undoing…"
    case nil: nil
    }
  }

  // MARK: - Requests

  /// Queues a task, and starts it as soon as possible.
  mutating func request(_ tasks: [FileTask]) -> [ScreenOutcome] {
    queue.append(Operation(purpose: .change, tasks: tasks))
    return [.startQueued]
  }

  /// Queues an operation on photos, without the photos that another operation is using.
  mutating func request(
    onIdle photos: [[Photo.ID]], _ task: ([Photo.ID]) -> FileTask
  ) -> [ScreenOutcome] {
    guard !photos.isEmpty else { return [.startQueued] }
    let busy = busyPhotos
    let idle = photos.filter { group in !group.contains { busy.contains($0) } }
    return idle.isEmpty ? [.fileIsBusy, .startQueued] : request(idle.map(task))
  }

  /// Queues renaming the files of photos that belong together.
  mutating func requestRename(_ renamings: [Renaming]) -> [ScreenOutcome] {
    let busy = busyPhotos
    guard !renamings.contains(where: { busy.contains($0.photo) }) else {
      return [.fileIsBusy, .startQueued]
    }
    return request([.rename(renamings)])
  }

  mutating func start(_ operation: Operation, marks: PhotoSet) -> [ScreenOutcome] {
    var operation = operation
    if operation.purpose != .undo {
      operation.marked = PhotoSet(
        operation.tasks.filter(\.removesPhotos).flatMap(\.photos).filter { marks.contains($0) })
    }
    if operation.purpose == .change { redoStack = [] }
    running = operation
    return [.effect(.file(operation.tasks))]
  }

  mutating func findRecorded() -> [ScreenOutcome] {
    start(
      Operation(purpose: .undo, tasks: [.findRecorded(skipping: givenUp)]), marks: PhotoSet())
  }

  // MARK: - Results

  /// Adds the results of tasks to the running operation, and returns it once it is complete.
  mutating func add(_ results: [FileResult], at now: Instant) -> Operation? {
    running?.results += results
    copiedPercentage = nil
    guard let operation = running, operation.results.count >= operation.tasks.count else {
      return nil
    }
    running = nil
    for result in results {
      if case .undoRecorded(let id?) = result.task, !result.isComplete { givenUp.append(id) }
    }
    switch operation.purpose {
    case .change, .redo:
      let successes = operation.results.filter { $0.undoTask != nil }
      if !successes.isEmpty {
        undoStack.append(newChange(.files(successes, marked: operation.marked), at: now))
      }
    case .undo:
      guard let change = operation.change, case .files(let done, let marked) = change.content
      else { break }
      let failed = PhotoSet(operation.results.filter(\.canBeRepeated).flatMap(\.task.photos))
      func add(_ results: [FileResult], to stack: inout [Change]) {
        guard !results.isEmpty else { return }
        var part = change
        part.content = .files(results, marked: marked)
        stack.append(part)
      }
      let undone = PhotoSet(operation.results.filter(\.isSuccess).flatMap(\.task.photos))
      add(done.filter { $0.task.photos.contains(where: failed.contains) }, to: &undoStack)
      add(done.filter { $0.task.photos.contains(where: undone.contains) }, to: &redoStack)
    }
    return operation
  }

  mutating func newChange(_ content: Change.Content, at now: Instant) -> Change {
    lastChangeNumber += 1
    return Change(content: content, number: lastChangeNumber, location: location, time: now)
  }

  mutating func move(_ move: FolderMove) {
    if location == nil {
      for index in undoStack.indices { undoStack[index].location = move.from }
      for index in redoStack.indices { redoStack[index].location = move.from }
    }
    location = move.to
  }

  // MARK: - Undoing

  /// The change that is undone next: the last one in the folder that is shown, else the last one in
  /// any; nil if all changes of the session are undone.
  var nextUndo: Change? { undoStack.last { $0.location == location } ?? undoStack.last }

  /// Removes and returns a change that can be undone; nil if none has this number.
  mutating func takeChange(_ number: Int) -> Change? {
    undoStack.lastIndex { $0.number == number }.map { undoStack.remove(at: $0) }
  }
}

extension FileOperations.Change {
  /// What was done, as a noun for "undo the … of", and to what.
  var description: (noun: String, what: String) {
    switch content {
    case .files(let results, _):
      let noun: RecordedOperation.Kind =
        switch results.first?.task {
        case .rename: .rename
        case .move: .move
        case .copy: .copy
        case .turn: .rotation
        default: .trash
        }
      let count = results.reduce(0) { $0 + $1.task.photoCount }
      return (noun.noun, count == 1 ? results[0].label : "\(count) photos")
    case .ratings(let photos):
      let what = photos.first?.name.map { FileResult.label(of: $0) } ?? "a photo"
      return ("rating", photos.count == 1 ? what : "\(photos.count) files")
    }
  }
}

extension FileTask {
  /// Whether the photos disappear from their folder.
  fileprivate var removesPhotos: Bool {
    switch self {
    case .trash, .move: true
    default: false
    }
  }
}

extension FileResult {
  /// The task that undoes this one; nil if it failed or cannot be undone.
  var undoTask: FileTask? {
    switch (task, outcome) {
    case (.trash(let photos), .trashed(let files)): .restore(photos, files)
    case (.rename(let renamings), .moved(let files)): .moveBack(renamings.map(\.photo), files)
    case (.move(let photos, _), .moved(let files)): .moveBack(photos, files)
    case (.copy(let photos, _), .moved(let files)): .removeCopies(photos, files)
    case (.turn(let photo, let turning, false), .done):
      .turn(photo, by: turning.inverse, isUndo: true)
    default: nil
    }
  }

  /// Whether the task failed, but may succeed later.
  fileprivate var canBeRepeated: Bool {
    switch outcome {
    case .refused, .unknown: true
    case .trashed, .moved, .done, .lost, .found, .undone: false
    }
  }

  /// Whether nothing is left to do.
  fileprivate var isComplete: Bool {
    if case .undone(let undo) = outcome { undo.failureCount == 0 } else { isSuccess }
  }
}

extension ScreenOutcome {
  /// Another operation is using the same file.
  static let fileIsBusy = notice("Still working on that file", seconds: 2)
}

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
