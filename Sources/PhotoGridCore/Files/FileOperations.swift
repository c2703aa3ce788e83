/// The operations on photos' files: the running operation, the queued ones, and the undo stack.
struct FileOperations: Equatable, Sendable {
  /// The running operation; only one runs at a time.
  private(set) var running: Operation?
  /// The requests that wait for the running operation, oldest first.
  var queue: [Request] = []
  /// The operations that can be undone, oldest first.
  var undoStack: [UndoEntry] = []
  /// The share of the current files that has been copied, in percent; nil if none are being copied.
  var copiedPercentage: Int?
  /// The ratings that are being written.
  var ratings = RatingWrites()
  /// Whether the session ends as soon as all operations are complete.
  var isLeaving = false

  /// An operation that the user requests.
  enum Request: Equatable, Sendable {
    /// Moves photos to the trash; files that belong together are in one list.
    case trash([[Photo.ID]])
    /// Renames the files of photos that belong together.
    case rename([Renaming])
    /// Moves photos into a folder; files that belong together are in one list.
    case move([[Photo.ID]], to: FileDestination)
    /// Copies photos into a folder; files that belong together are in one list.
    case copy([[Photo.ID]], to: FileDestination)
    /// Rotates or flips a photo in its file.
    case turn(Photo.ID, by: Orientation)
    /// Undoes the previous operation.
    case undo

    /// The photos that the operation applies to; empty for `undo`.
    var photos: [Photo.ID] {
      switch self {
      case .trash(let photos), .move(let photos, _), .copy(let photos, _): Array(photos.joined())
      case .rename(let renamings): renamings.map(\.photo)
      case .turn(let photo, _): [photo]
      case .undo: []
      }
    }
  }

  /// An operation that can be undone.
  enum UndoEntry: Equatable, Sendable {
    /// Photos were moved to the trash.
    case trash([TrashedPhoto])
    /// Photos were renamed or moved.
    case move([MovedPhotos])
    /// A photo was rotated or flipped in its file.
    case turn(Photo.ID, by: Orientation)
    /// Photos were copied.
    case copy([MovedPhotos])
    /// Photos were rated.
    case ratings([RatedPhoto])
  }

  /// Photos that belong together, and are in the trash.
  struct TrashedPhoto: Equatable, Sendable {
    /// The photos whose files were trashed.
    var photos: [Photo.ID]
    /// The locations of these files, and of others that belong to them, in the trash.
    var files: [TrashedFile]
    /// The photos that were marked when they were trashed.
    var marked: [Photo.ID]
  }

  /// Photos that belong together, and were moved.
  struct MovedPhotos: Equatable, Sendable {
    /// The photos.
    var photos: [Photo.ID]
    /// The paths of their files in the same order, then of others that belong to them.
    var files: [MovedFile]
    /// The photos that were marked when they were moved.
    var marked: [Photo.ID] = []
  }

  /// The outcome of a finished operation, for the browser to show.
  struct Completion: Equatable, Sendable {
    /// The message for the bar.
    var message: String
    /// The photos that were brought back into their folder.
    var restored = PhotoSet()
    /// The restored photos that were marked before.
    var marked: [Photo.ID] = []
    /// Whether the operation undid another one of this session.
    var isUndo: Bool
  }

  /// Whether no operation is running or queued.
  var isIdle: Bool { running == nil && queue.isEmpty }

  /// The photos of the running operation and of the queued ones.
  var busyPhotos: PhotoSet {
    PhotoSet((running?.tasks.flatMap(\.photos) ?? []) + queue.flatMap(\.photos))
  }

  /// The photos in the trash that can be restored.
  var trashed: [Photo.ID] {
    undoStack.flatMap { entry -> [Photo.ID] in
      if case .trash(let photos) = entry { return photos.flatMap(\.photos) }
      return []
    }
  }

  /// The progress of the running operation, for the bar; nil if none is running.
  var progress: String? {
    guard let running else { return nil }
    let total = running.tasks.count
    let count = total == 1 ? "" : " \(running.results.count) of \(total)"
    let copied = copiedPercentage.map { " \($0) %" } ?? ""
    return switch running.tasks.first {
    case .trash: "trashing\(count)…"
    case .restore: "bringing back\(count)…"
    case .rename: "renaming…"
    case .move: "moving\(count)…\(copied)"
    case .copy: "copying\(count)…\(copied)"
    case .moveBack: "moving back\(count)…\(copied)"
    case .removeCopies: "removing copies\(count)…"
    case .turn: "turning…"
    case .undoRecorded: "undoing…"
    case nil: nil
    }
  }

  // MARK: - Events

  /// Starts an operation, or queues it if another one is running.
  ///
  /// Ratings are undone elsewhere: if they are next on the undo stack, `undo` starts nothing.
  ///
  /// - Parameters:
  ///   - request: The operation.
  ///   - marks: The marked photos, which are marked again when they are restored from the trash.
  ///   - effects: The tasks of the operation are appended here.
  mutating func start(_ request: Request, marks: PhotoSet, effects: inout [Effect]) {
    guard running == nil else { return queue.append(request) }
    var operation = Operation(tasks: [], marked: PhotoSet())
    switch request {
    case .trash(let photos):
      operation.tasks = photos.map { .trash($0) }
      operation.marked = PhotoSet(photos.joined().filter { marks.contains($0) })
    case .rename(let renamings): operation.tasks = [.rename(renamings)]
    case .move(let photos, let folder):
      operation.tasks = photos.map { .move($0, to: folder) }
      operation.marked = PhotoSet(photos.joined().filter { marks.contains($0) })
    case .turn(let photo, let orientation): operation.tasks = [.turn(photo, by: orientation)]
    case .copy(let photos, let folder): operation.tasks = photos.map { .copy($0, to: folder) }
    case .undo:
      guard !isRatingUndoNext else { return }
      operation.undone = undoStack.popLast()
      operation.tasks =
        switch operation.undone {
        case .trash(let trashed): trashed.map { .restore($0.photos, $0.files) }
        case .move(let moved): moved.map { .moveBack($0.photos, $0.files) }
        case .turn(let photo, let turning): [.turn(photo, by: turning.inverse)]
        case .copy(let copied): copied.map { .removeCopies($0.photos, $0.files) }
        case .ratings: []
        case nil: [.undoRecorded]
        }
    }
    running = operation
    effects.append(.file(operation.tasks))
  }

  /// Starts an operation on photos, without the photos that another operation is using.
  ///
  /// - Parameters:
  ///   - photos: The photos; files that belong together are in one list.
  ///   - marks: The marked photos.
  ///   - effects: The tasks of the operation are appended here.
  ///   - request: Makes the operation from the photos that are not in use.
  /// - Returns: A notice if all photos are in use; nil otherwise.
  mutating func start(
    onIdle photos: [[Photo.ID]], marks: PhotoSet, effects: inout [Effect],
    _ request: ([[Photo.ID]]) -> Request
  ) -> Notice.Text? {
    guard !photos.isEmpty else { return nil }
    let busy = busyPhotos
    let idle = photos.filter { group in !group.contains { busy.contains($0) } }
    guard !idle.isEmpty else { return .fileIsBusy }
    start(request(idle), marks: marks, effects: &effects)
    return nil
  }

  /// Renames the files of photos that belong together.
  ///
  /// - Returns: A notice if another operation is using one of them; nil otherwise.
  mutating func rename(
    _ renamings: [Renaming], marks: PhotoSet, effects: inout [Effect]
  ) -> Notice.Text? {
    let busy = busyPhotos
    guard !renamings.contains(where: { busy.contains($0.photo) }) else { return .fileIsBusy }
    start(.rename(renamings), marks: marks, effects: &effects)
    return nil
  }

  /// Receives the results of tasks.
  ///
  /// - Returns: The outcome of the running operation if these were its last results; nil otherwise.
  mutating func receive(_ results: [FileResult]) -> Completion? {
    running?.results += results
    copiedPercentage = nil
    guard let operation = running, operation.results.count >= operation.tasks.count else {
      return nil
    }
    running = nil
    if let entry = operation.undone == nil ? operation.undoEntry : operation.remainder {
      undoStack.append(entry)
    }
    var completion = Completion(message: operation.message, isUndo: operation.undone != nil)
    completion.restored = operation.restored
    completion.marked = operation.undone?.marked.filter { completion.restored.contains($0) } ?? []
    return completion
  }

  /// Starts queued operations until one of them is running.
  mutating func startQueued(marks: PhotoSet, effects: inout [Effect]) {
    while running == nil, let next = queue.first, next != .undo || !isRatingUndoNext {
      start(queue.removeFirst(), marks: marks, effects: &effects)
    }
  }
}

extension FileOperations.UndoEntry {
  /// The photos that were marked before they were removed from the folder.
  fileprivate var marked: [Photo.ID] {
    switch self {
    case .trash(let trashed): trashed.flatMap(\.marked)
    case .move(let moved): moved.flatMap(\.marked)
    case .copy, .turn, .ratings: []
    }
  }
}

extension Notice.Text {
  /// Another operation is using the same file.
  static let fileIsBusy = Self(
    "Wait: that file is still being changed", for: 2)
}
