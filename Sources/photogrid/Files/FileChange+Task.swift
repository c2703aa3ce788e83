import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

extension FileChange {
  /// The operation of a task, with the paths that the photo has now.
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
