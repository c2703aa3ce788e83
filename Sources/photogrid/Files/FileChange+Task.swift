import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

extension FileChange {
  /// Creates the operation of a task, on the photos' current paths.
  init(_ task: FileTask, paths: PathTable) {
    switch task {
    case .trash(let photos):
      self = .trash(photos.map { paths[$0] }, home: BaseDirectory.trash)
    case .restore(_, let files): self = .restore(files)
    case .rename(let renamings):
      self = .rename(
        renamings.map {
          MovedFile(from: paths[$0.photo], to: paths.folder(of: $0.photo) + $0.name)
        }, isUndo: false)
    case .moveBack(_, let files): self = .rename(files.map(\.reversed), isUndo: true)
    case .undoRecorded: self = .undoRecorded
    }
  }
}

extension FileTask {
  /// The last component of the first file's path before the task; empty if it is not known.
  func currentName(_ paths: PathTable) -> [UInt8] {
    if case .moveBack(_, let files) = self { return files.first?.target.lastPathComponent ?? [] }
    return photos.first.map { Array(paths.name(of: $0)) } ?? []
  }
}
