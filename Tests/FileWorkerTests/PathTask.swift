import Geometry
import PhotoLibrary
import Photos
import WorkerProtocol

/// An operation on files, by their paths; the photos have successive numbers, usually from 0 on.
struct PathTask {
  var operation: FileOperation
  /// The home trash.
  var trash: [UInt8] = []
  /// The folder on the screen.
  var here: [UInt8] = []

  private init(_ operation: FileOperation) { self.operation = operation }

  private init(
    _ photos: [[UInt8]], first: Int = 0, _ operation: ([Photo.ID]) -> FileOperation
  ) {
    self.operation = operation(photos.indices.map { Photo.ID(first + $0) })
      .located { photos[$0.index - first] }
  }

  /// Undoes an operation whose steps these are.
  private init(undoing kind: FileOperation.Kind, _ steps: [FileStep]) {
    operation = FileOperation(kind, [], steps, isUndo: true)
  }

  static func trash(_ photos: [[UInt8]], home: [UInt8], first: Int = 0) -> PathTask {
    var task = PathTask(photos, first: first) { .trash($0) }
    task.trash = home
    return task
  }

  static func restore(_ files: [FileStep]) -> PathTask { PathTask(undoing: .trash, files) }

  /// Renames files, or undoes that; a file that is renamed stays in its folder.
  static func rename(_ files: [FileStep], isUndo: Bool) -> PathTask {
    guard !isUndo else { return PathTask(undoing: .rename, files.map(\.reversed)) }
    precondition(files.allSatisfy(\.isInOneFolder))
    return PathTask(files.map(\.source)) { photos in
      .rename(zip(photos, files).map { Renaming($0, to: $1.target.lastPathComponent) })
    }
  }

  static func move(_ photos: [[UInt8]], into folder: FileDestination) -> PathTask {
    PathTask(photos) { .move($0, to: folder.located) }
  }

  static func copy(_ photos: [[UInt8]], into folder: FileDestination) -> PathTask {
    PathTask(photos) { .copy($0, to: folder.located) }
  }

  static func removeCopies(_ files: [FileStep]) -> PathTask { PathTask(undoing: .copy, files) }

  static func turn(_ photos: [[UInt8]], by turning: Orientation) -> PathTask {
    PathTask(photos) { .turn($0, by: turning) }
  }

  static func turnBack(_ files: [FileStep]) -> PathTask { PathTask(undoing: .rotation, files) }

  static func findRecorded(
    here: [UInt8] = [], skipping skipped: [RecordedOperation.ID] = []
  ) -> PathTask {
    var task = PathTask(.findRecorded(skipping: skipped))
    task.here = here
    return task
  }

  static func undoRecorded(_ id: RecordedOperation.ID? = nil) -> PathTask {
    PathTask(.undoRecorded(id))
  }
}

extension FileDestination {
  /// The folder with its path, which was typed completely.
  fileprivate var located: FileDestination {
    FileDestination(folder: folder, path: folder, isCreated: isCreated)
  }
}

extension FileProtocol.Request {
  init(batch: UInt32 = 0, journal: [UInt8] = [], _ task: PathTask) {
    self.init(
      batch: batch, journal: journal, trash: task.trash, here: task.here, task.operation)
  }
}

extension FileOperationClient {
  func request(_ tasks: [PathTask], at now: Instant) {
    request(
      tasks.map(\.operation), trash: tasks.map(\.trash).first { !$0.isEmpty } ?? [],
      here: tasks.first?.here ?? [], at: now)
  }
}
