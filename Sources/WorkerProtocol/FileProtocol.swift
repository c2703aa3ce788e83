import Photos

/// The messages of the process that moves files.
package enum FileProtocol: MessageSet {}

/// The paths that a task needs, as they are when it is requested.
package struct FilePaths: Equatable, Sendable {
  /// The paths of the task's photos, in their order.
  package var photos: [[UInt8]]
  /// The absolute path of the folder that files are moved or copied into; empty for other tasks.
  package var destination: [UInt8]
  /// The absolute path of the user's home trash folder; empty if there is no home folder.
  package var trash: [UInt8]
  /// The absolute path of the folder on the screen; empty for a list of files.
  package var here: [UInt8]

  package init(
    photos: [[UInt8]] = [], destination: [UInt8] = [], trash: [UInt8] = [], here: [UInt8] = []
  ) {
    self.photos = photos
    self.destination = destination
    self.trash = trash
    self.here = here
  }
}

extension FileProtocol {
  package struct Request: SingleKindMessage, Equatable {
    /// The number of the operation in its session; files that are undone together share one.
    package var operation: UInt32
    /// The absolute path of the session's journal; empty if there is no place for one.
    package var journal: [UInt8]
    /// All folders between which the process may move files, besides the trash; empty for any.
    package var folders: [[UInt8]]
    package var task: FileTask
    package var paths: FilePaths

    package init(
      operation: UInt32 = 0, journal: [UInt8] = [], folders: [[UInt8]] = [],
      _ task: FileTask, _ paths: FilePaths
    ) {
      self.operation = operation
      self.journal = journal
      self.folders = folders
      self.task = task
      self.paths = paths
    }

    package static let kind: UInt8 = 1
    package static let maxPayloadLength = 16 << 20
    package static let maxFolders = 8

    package var parts: MessageParts {
      MessageParts(
        Self.kind, operation, journal, folders, task, paths.photos, paths.destination, paths.trash,
        paths.here)
    }

    package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
      operation = try reader.read()
      journal = try reader.readFolder()
      folders = try reader.readPaths()
      guard folders.count <= Self.maxFolders else { throw .malformed }
      task = try reader.read()
      paths = FilePaths(
        photos: try reader.readPaths(), destination: try reader.readFolder(),
        trash: try reader.readFolder(), here: try reader.readFolder())
      guard paths.photos.count == task.photos.count,
        task.destination == nil || !paths.destination.isEmpty
      else { throw .malformed }
    }

    /// The folders between which files are moved, besides the trash of a file's disk; nil for any.
    package var neededFolders: Set<[UInt8]>? {
      let folders = Set(paths.photos.map(Self.folder))
      switch task {
      case .trash, .rename, .turn: return folders
      case .restore(_, let files):
        return Set(files.flatMap { [$0.trash, Self.folder(of: $0.originalPath)] })
      case .move, .copy: return folders.union([paths.destination])
      case .moveBack(_, let files), .removeCopies(_, let files):
        return Set(files.flatMap { [Self.folder(of: $0.source), Self.folder(of: $0.target)] })
      case .turnBack(_, let files): return Set(files.map { Self.folder(of: $0.path) })
      case .findRecorded, .undoRecorded: return nil
      }
    }

    /// The folder that the task creates if it does not exist; nil if it creates none.
    package var createdFolder: [UInt8]? {
      task.destination?.isCreated == true ? paths.destination : nil
    }

    private static func folder(of path: [UInt8]) -> [UInt8] {
      let slash = UInt8(ascii: "/")
      guard let end = path.lastIndex(of: slash) else { return [UInt8(ascii: ".")] }
      return end == 0 ? [slash] : Array(path[..<end])
    }
  }

  package enum Response: WireMessage, Equatable {
    /// How much has been done, in percent; answers follow until an outcome.
    case progress(percent: Int)
    case outcome(FileOutcome)
    /// Why operations cannot be undone after a restart; an outcome follows.
    case historyFault(message: String)
    /// What the user must know although the task succeeds; an outcome follows. It may contain file
    /// names.
    case remark(message: String)
    /// The process may not write in the folder of a file that a symbolic link leads to; a new one
    /// must perform the request and those after it.
    case declined

    package static let maxPayloadLength = 16 << 20

    package static func payloadLimit(kind: UInt8) -> Int? {
      (1...5).contains(kind) ? maxPayloadLength : nil
    }

    package var parts: MessageParts {
      switch self {
      case .progress(let percent): MessageParts(1, UInt8(clamping: percent))
      case .outcome(let outcome): MessageParts(2, outcome)
      case .historyFault(let message): MessageParts(3, message)
      case .remark(let message): MessageParts(4, message)
      case .declined: MessageParts(5)
      }
    }

    package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
      switch kind {
      case 1: self = .progress(percent: Int(try reader.read(UInt8.self)))
      case 2: self = .outcome(try reader.read())
      case 3: self = .historyFault(message: try reader.read())
      case 4: self = .remark(message: try reader.read())
      case 5: self = .declined
      default: throw .unknownKind(kind)
      }
    }
  }
}
