import Photos

/// The messages of the process that moves files.
package enum FileProtocol: MessageSet {}

extension FileProtocol {
  package struct Request: SingleKindMessage, Equatable {
    /// The number of the batch in its session; operations of one batch are undone together.
    package var batch: UInt32
    /// The absolute path of the session's journal; empty if there is no place for one.
    package var journal: [UInt8]
    /// The absolute path of the user's home trash folder; empty if there is no home folder.
    package var trash: [UInt8]
    /// The absolute path of the folder on the screen; empty for a list of files.
    package var here: [UInt8]
    /// All folders between which the process may move files, besides the trash; empty for any.
    package var folders: [[UInt8]]
    package var operation: FileOperation

    package init(
      batch: UInt32 = 0, journal: [UInt8] = [], trash: [UInt8] = [], here: [UInt8] = [],
      folders: [[UInt8]] = [], _ operation: FileOperation
    ) {
      self.batch = batch
      self.journal = journal
      self.trash = trash
      self.here = here
      self.folders = folders
      self.operation = operation
    }

    package static let kind: UInt8 = 1
    package static let maxPayloadLength = 16 << 20
    package static let maxFolders = 8

    package var parts: MessageParts {
      MessageParts(Self.kind, batch, journal, trash, here, folders, operation)
    }

    package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
      batch = try reader.read()
      journal = try reader.readFolder()
      (trash, here) = (try reader.readFolder(), try reader.readFolder())
      folders = try reader.readPaths()
      guard folders.count <= Self.maxFolders else { throw .malformed }
      operation = try reader.read()
      let needsFolder = [.move, .copy].contains(operation.kind) && !operation.isUndo
      guard operation.isUndo || operation.steps.count == operation.photos.count,
        !needsFolder || operation.destination != nil
      else { throw .malformed }
    }

    /// The folders between which files are moved, besides the trash of a file's disk; nil for any.
    package var neededFolders: Set<[UInt8]>? {
      guard operation.kind != .recorded else { return nil }
      let sources = operation.steps.map { Self.folder(of: $0.source) }
      guard operation.isUndo else {
        return Set(sources + (operation.destination.map { [$0.path] } ?? []))
      }
      let targets = operation.steps.map {
        operation.kind == .trash ? $0.trash ?? [] : Self.folder(of: $0.target)
      }
      return Set(operation.kind == .rotation ? targets : sources + targets)
    }

    /// The folder that the operation creates if it does not exist; nil if it creates none.
    package var createdFolder: [UInt8]? {
      operation.destination.flatMap { $0.isCreated ? $0.path : nil }
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
    /// The remark for the user, although the operation succeeds, which may contain file names; an
    /// outcome follows.
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
