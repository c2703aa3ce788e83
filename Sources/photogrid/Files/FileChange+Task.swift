import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

extension FileChange {
  /// Creates the operation of a task, on the photo's current path.
  init(_ task: FileTask, paths: PathTable) {
    switch task {
    case .trash(let photo): self = .trash(path: paths[photo], home: BaseDirectory.trash)
    case .restore(let photo, let file): self = .restore(file, path: paths[photo])
    case .rename(let photo, let name):
      self = .rename(path: paths[photo], to: paths.folder(of: photo) + name)
    case .undoRecorded: self = .undoRecorded
    }
  }
}
