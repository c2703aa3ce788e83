import PhotoGridCore
import PhotoLibrary
import WorkerProtocol

extension FileChange {
  /// Creates the file operation for a task, with the photos' current paths.
  init(_ task: FileTask, paths: PathTable, here: [UInt8], folder: (String) -> [UInt8]) {
    func destination(_ typed: FileDestination) -> FileDestination {
      let text = String(decoding: typed.folder, as: UTF8.self)
      return FileDestination(folder: folder(text), isCreated: typed.isCreated)
    }
    switch task {
    case .trash(let photos):
      self = .trash(photos.map { paths[$0] }, home: BaseDirectory.trash)
    case .restore(_, let files): self = .restore(files)
    case .rename(let renamings):
      self = .rename(
        renamings.map {
          MovedFile(from: paths[$0.photo], to: paths.folder(of: $0.photo) + $0.name)
        }, isUndo: false)
    case .move(let photos, let typed):
      self = .move(photos.map { paths[$0] }, into: destination(typed))
    case .copy(let photos, let typed):
      self = .copy(photos.map { paths[$0] }, into: destination(typed))
    case .removeCopies(_, let files): self = .removeCopies(files)
    case .turn(let photo, let orientation, let isUndo):
      self = .turn(paths[photo], by: orientation, isUndo: isUndo)
    case .moveBack(_, let files): self = .rename(files.map(\.reversed), isUndo: true)
    case .findRecorded(let skipped): self = .findRecorded(here: here, skipping: skipped)
    case .undoRecorded(let id): self = .undoRecorded(id, here: here)
    }
  }
}

extension FileTask {
  /// Returns the name of the first file before the task; empty if it is not known.
  func currentName(_ paths: PathTable) -> [UInt8] {
    switch self {
    case .moveBack(_, let files), .removeCopies(_, let files):
      files.first?.target.lastPathComponent ?? []
    case .trash, .restore, .rename, .move, .copy, .turn, .findRecorded, .undoRecorded:
      photos.first.map { Array(paths.name(of: $0)) } ?? []
    }
  }
}
