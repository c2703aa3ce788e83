import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

extension FileChange {
  /// The operation of a task, with the paths that the photo has now.
  init(_ task: FileTask, paths: PathTable) {
    let path = paths[task.photo]
    switch task {
    case .trash: self = .trash(path: path, home: BaseDirectory.trash)
    case .restore(_, let file): self = .restore(file, path: path)
    case .rename(let photo, let name):
      self = .rename(path: path, to: paths.folder(of: photo) + name)
    }
  }
}
