/// Trash, rename and undo: the running operation, the queued ones, and the undo stack.
struct FileOperations: Equatable, Sendable {
  /// The running operation; only one runs at a time.
  private(set) var running: Operation?
  /// The requests that wait for the running operation, oldest first.
  var queue: [Request] = []
  /// The operations that can be undone, oldest first.
  var undoStack: [UndoEntry] = []
  /// The ratings that are being written.
  var ratings = RatingWrites()
  /// Whether the session ends as soon as all operations are complete.
  var isLeaving = false

  /// An operation that the user requests.
  enum Request: Equatable, Sendable {
    /// Moves photos to the trash.
    case trash([Photo.ID])
    /// Renames a photo's file.
    case rename(Photo.ID, to: [UInt8])
    /// Undoes the previous operation.
    case undo
  }

  /// An operation that can be undone.
  enum UndoEntry: Equatable, Sendable {
    /// Photos were moved to the trash.
    case trash([TrashedPhoto])
    /// A photo was renamed from an earlier name.
    case rename(Photo.ID, from: [UInt8])
    /// Photos were rated.
    case ratings([RatedPhoto])
  }

  /// A photo in the trash.
  struct TrashedPhoto: Equatable, Sendable {
    /// The photo whose file was trashed.
    var photo: Photo.ID
    /// The location of its file in the trash.
    var file: TrashedFile
    /// Whether it was marked when it was trashed.
    var isMarked: Bool
  }

  /// The outcome of a finished operation, for the browser to show.
  struct Completion: Equatable, Sendable {
    /// The message for the bar.
    var message: String
    /// The photos that were restored from the trash.
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
    var photos = PhotoSet(running?.tasks.compactMap(\.photo) ?? [])
    for request in queue {
      switch request {
      case .trash(let more): for photo in more { photos.insert(photo) }
      case .rename(let photo, _): photos.insert(photo)
      case .undo: break
      }
    }
    return photos
  }

  /// The photos in the trash that can be restored.
  var trashed: [Photo.ID] {
    undoStack.flatMap { entry -> [Photo.ID] in
      if case .trash(let photos) = entry { return photos.map(\.photo) }
      return []
    }
  }

  /// The progress of the running operation, for the bar; nil if none is running.
  var progress: String? {
    guard let running else { return nil }
    let total = running.tasks.count
    let count = total == 1 ? "" : " \(running.results.count) of \(total)"
    return switch running.tasks.first {
    case .trash: "trashing\(count)…"
    case .restore: "bringing back\(count)…"
    case .rename: "renaming…"
    case .undoRecorded: "undoing…"
    case nil: nil
    }
  }

  // MARK: - Events

  /// Starts an operation, or queues it if another is running.
  ///
  /// - Parameters:
  ///   - request: The operation.
  ///   - marks: The marked photos, which are marked again when they are restored from the trash.
  ///   - effects: The tasks of the operation are appended here.
  /// - Returns: A notice if there is nothing to do; nil otherwise.
  mutating func start(
    _ request: Request, marks: PhotoSet, effects: inout [Effect]
  ) -> Notice.Text? {
    guard running == nil else {
      queue.append(request)
      return nil
    }
    var operation = Operation(tasks: [], marked: PhotoSet())
    switch request {
    case .trash(let photos):
      operation.tasks = photos.map { .trash($0) }
      operation.marked = PhotoSet(photos.filter { marks.contains($0) })
    case .rename(let photo, let name): operation.tasks = [.rename(photo, to: name)]
    case .undo:
      guard !isRatingUndoNext else { return nil }
      operation.undone = undoStack.popLast()
      operation.tasks =
        switch operation.undone {
        case .trash(let trashed): trashed.map { .restore($0.photo, $0.file) }
        case .rename(let photo, let name): [.rename(photo, to: name)]
        case .ratings: []
        case nil: [.undoRecorded]
        }
    }
    running = operation
    effects.append(.file(operation.tasks))
    return nil
  }

  /// Trashes photos in one operation, except those that another operation is using.
  ///
  /// - Returns: A notice if all of them are in use; nil otherwise.
  mutating func trash(
    _ photos: [Photo.ID], marks: PhotoSet, effects: inout [Effect]
  ) -> Notice.Text? {
    guard !photos.isEmpty else { return nil }
    let busy = busyPhotos
    let idle = photos.filter { !busy.contains($0) }
    guard !idle.isEmpty else { return .fileIsBusy }
    return start(.trash(idle), marks: marks, effects: &effects)
  }

  /// Renames a photo's file.
  ///
  /// - Returns: A notice if another operation is using that file; nil otherwise.
  mutating func rename(
    _ photo: Photo.ID, to name: String, marks: PhotoSet, effects: inout [Effect]
  ) -> Notice.Text? {
    guard !busyPhotos.contains(photo) else { return .fileIsBusy }
    return start(.rename(photo, to: Array(name.utf8)), marks: marks, effects: &effects)
  }

  /// Receives the results of tasks.
  ///
  /// - Returns: The outcome of the running operation if these were its last results; nil otherwise.
  mutating func receive(_ results: [FileResult]) -> Completion? {
    running?.results += results
    guard let operation = running, operation.results.count >= operation.tasks.count else {
      return nil
    }
    running = nil
    if let entry = operation.undone == nil ? operation.undoEntry : operation.remainder {
      undoStack.append(entry)
    }
    var completion = Completion(message: operation.message, isUndo: operation.undone != nil)
    if case .trash(let trashed) = operation.undone {
      let restored = PhotoSet(
        operation.results.filter { $0.outcome == .done }.compactMap(\.task.photo))
      completion.restored = restored
      completion.marked = trashed.filter { $0.isMarked && restored.contains($0.photo) }
        .map(\.photo)
    }
    return completion
  }

  /// Starts queued operations until one of them is running.
  ///
  /// - Returns: The notice of the last operation that had nothing to do; nil if there is none.
  mutating func startQueued(marks: PhotoSet, effects: inout [Effect]) -> Notice.Text? {
    var notice: Notice.Text?
    while running == nil, let next = queue.first, next != .undo || !isRatingUndoNext {
      notice = start(queue.removeFirst(), marks: marks, effects: &effects) ?? notice
    }
    return notice
  }
}

extension Notice.Text {
  /// Another operation is using the same file.
  fileprivate static let fileIsBusy = Self(
    "wait: something is being done to that file already", for: 2)
}
