/// Trash, rename and undo: the operation that is carried out, those that wait, and what can be
/// undone.
struct FileOperations: Equatable, Sendable {
  /// The operation that is carried out; there is one at a time.
  private(set) var running: Operation?
  /// The requests that wait for the running operation, oldest first.
  private(set) var queue: [Request] = []
  /// What can be undone, oldest first.
  private(set) var undoStack: [UndoEntry] = []

  /// An operation that a key asks for.
  enum Request: Equatable, Sendable {
    /// Moves photos to the trash.
    case trash([Photo.ID])
    /// Gives a photo's file another name.
    case rename(Photo.ID, to: [UInt8])
    /// Undoes the operation before.
    case undo
  }

  /// An operation that can be undone.
  enum UndoEntry: Equatable, Sendable {
    /// Photos are in the trash.
    case trash([TrashedPhoto])
    /// A photo had another name before.
    case rename(Photo.ID, from: [UInt8])
  }

  /// A photo in the trash.
  struct TrashedPhoto: Equatable, Sendable {
    /// The photo whose file was trashed.
    var photo: Photo.ID
    /// Where its file is in the trash.
    var file: TrashedFile
    /// Whether it was marked when it was trashed.
    var isMarked: Bool
  }

  /// The end of an operation, for the browser to show.
  struct Completion: Equatable, Sendable {
    /// The result in words for the bar.
    var message: String
    /// The photos that are back from the trash.
    var restored = PhotoSet()
    /// Those of them that were marked.
    var marked: [Photo.ID] = []
    /// Whether the operation undid another one.
    var isUndo: Bool
  }

  /// The photos of the running operation and of those that wait.
  var busyPhotos: PhotoSet {
    var photos = PhotoSet(running?.tasks.map(\.photo) ?? [])
    for request in queue {
      switch request {
      case .trash(let more): for photo in more { photos.insert(photo) }
      case .rename(let photo, _): photos.insert(photo)
      case .undo: break
      }
    }
    return photos
  }

  /// The photos that are in the trash and can be brought back.
  var trashed: [Photo.ID] {
    undoStack.flatMap { entry -> [Photo.ID] in
      if case .trash(let photos) = entry { return photos.map(\.photo) }
      return []
    }
  }

  /// The progress of the running operation, for the bar; nil where there is none.
  var progress: String? {
    guard let running else { return nil }
    let total = running.tasks.count
    let count = total == 1 ? "" : " \(running.results.count) of \(total)"
    return switch running.tasks.first {
    case .trash: "trashing\(count)…"
    case .restore: "bringing back\(count)…"
    case .rename: "renaming…"
    case nil: nil
    }
  }

  // MARK: - Events

  /// Starts an operation, or queues it behind the running one.
  ///
  /// - Parameters:
  ///   - request: The operation.
  ///   - marks: The marked photos, which are marked again when they come back from the trash.
  ///   - effects: The tasks of the operation are appended here.
  /// - Returns: A notice where there is nothing to do; nil otherwise.
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
      guard let entry = undoStack.popLast() else { return Notice.Text("nothing to undo", for: 1) }
      operation.undone = entry
      switch entry {
      case .trash(let trashed): operation.tasks = trashed.map { .restore($0.photo, $0.file) }
      case .rename(let photo, let name): operation.tasks = [.rename(photo, to: name)]
      }
    }
    running = operation
    effects.append(.file(operation.tasks))
    return nil
  }

  /// Trashes photos in one operation, without those that another operation is about.
  ///
  /// - Returns: A notice where none is left; nil otherwise.
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
  /// - Returns: A notice where another operation is about that file; nil otherwise.
  mutating func rename(
    _ photo: Photo.ID, to name: String, marks: PhotoSet, effects: inout [Effect]
  ) -> Notice.Text? {
    guard !busyPhotos.contains(photo) else { return .fileIsBusy }
    return start(.rename(photo, to: Array(name.utf8)), marks: marks, effects: &effects)
  }

  /// Receives the results of tasks.
  ///
  /// - Returns: The end of the running operation, if these were its last results.
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
        operation.results.filter { $0.outcome == .done }.map(\.task.photo))
      completion.restored = restored
      completion.marked = trashed.filter { $0.isMarked && restored.contains($0.photo) }
        .map(\.photo)
    }
    return completion
  }

  /// Starts the operations that wait, until one of them runs.
  ///
  /// - Returns: The notice of the last one that had nothing to do; nil if there is none.
  mutating func startQueued(marks: PhotoSet, effects: inout [Effect]) -> Notice.Text? {
    var notice: Notice.Text?
    while running == nil, !queue.isEmpty {
      notice = start(queue.removeFirst(), marks: marks, effects: &effects) ?? notice
    }
    return notice
  }
}

extension Notice.Text {
  /// Another operation is about the same file.
  fileprivate static let fileIsBusy = Self(
    "wait: something is being done to that file already", for: 2)
}
