import Geometry
import PhotoLibrary
import Photos
import WorkerProtocol

/// A task on files, by their paths; the photos have successive numbers, usually from 0 on.
struct PathTask {
  var task: FileTask
  var paths: FilePaths

  private init(_ photos: [[UInt8]], first: Int = 0, _ task: ([Photo.ID]) -> FileTask) {
    self.task = task(photos.indices.map { Photo.ID(first + $0) })
    paths = FilePaths(photos: photos)
  }

  static func trash(_ photos: [[UInt8]], home: [UInt8], first: Int = 0) -> PathTask {
    var task = PathTask(photos, first: first) { .trash($0) }
    task.paths.trash = home
    return task
  }

  static func restore(_ files: [TrashedFile]) -> PathTask { PathTask([]) { .restore($0, files) } }

  /// Renames files, or undoes that; a file that is renamed stays in its folder.
  static func rename(_ files: [MovedFile], isUndo: Bool) -> PathTask {
    guard !isUndo else { return PathTask([]) { .moveBack($0, files.map(\.reversed)) } }
    precondition(files.allSatisfy(\.isInOneFolder))
    return PathTask(files.map(\.source)) { photos in
      .rename(zip(photos, files).map { Renaming($0, to: $1.target.lastPathComponent) })
    }
  }

  static func move(_ photos: [[UInt8]], into folder: FileDestination) -> PathTask {
    var task = PathTask(photos) { .move($0, to: folder) }
    task.paths.destination = folder.folder
    return task
  }

  static func copy(_ photos: [[UInt8]], into folder: FileDestination) -> PathTask {
    var task = PathTask(photos) { .copy($0, to: folder) }
    task.paths.destination = folder.folder
    return task
  }

  static func removeCopies(_ files: [MovedFile]) -> PathTask {
    PathTask([]) { .removeCopies($0, files) }
  }

  static func turn(_ photos: [[UInt8]], by turning: Orientation) -> PathTask {
    PathTask(photos) { .turn($0, by: turning) }
  }

  static func turnBack(_ files: [TurnedFile]) -> PathTask { PathTask([]) { .turnBack($0, files) } }

  static func findRecorded(
    here: [UInt8] = [], skipping skipped: [RecordedOperation.ID] = []
  ) -> PathTask {
    var task = PathTask([]) { _ in .findRecorded(skipping: skipped) }
    task.paths.here = here
    return task
  }

  static func undoRecorded(_ id: RecordedOperation.ID? = nil) -> PathTask {
    PathTask([]) { _ in .undoRecorded(id) }
  }
}

extension FileProtocol.Request {
  init(operation: UInt32 = 0, journal: [UInt8] = [], _ task: PathTask) {
    self.init(operation: operation, journal: journal, task.task, task.paths)
  }
}

extension FileOperationClient {
  func request(_ tasks: [PathTask], at now: Instant) {
    request(tasks.map { ($0.task, $0.paths) }, at: now)
  }
}
