import PhotoGridCore

/// The messages of the process that moves files.
package enum FileProtocol: MessageSet {}

extension FileProtocol {
  package struct Request: SingleKindMessage, Equatable {
    /// The number of the operation in its session; files that are undone together share one.
    package var operation: UInt32
    /// The absolute path of the session's journal; empty if there is no place for one.
    package var journal: [UInt8]
    /// All folders between which the process may move files, besides the trash; empty for any.
    package var folders: [[UInt8]]
    package var change: FileChange

    package init(
      operation: UInt32 = 0, journal: [UInt8] = [], folders: [[UInt8]] = [],
      _ change: FileChange
    ) {
      self.operation = operation
      self.journal = journal
      self.folders = folders
      self.change = change
    }

    package static let kind: UInt8 = 1
    package static let maxPayloadLength = 16 << 20
    package static let maxFolders = 8

    package var parts: MessageParts {
      MessageParts(Self.kind, operation, journal, folders, change)
    }

    package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
      operation = try reader.read()
      journal = try reader.readFolder()
      folders = try reader.readPaths()
      guard folders.count <= Self.maxFolders else { throw .malformed }
      change = try reader.read()
    }
  }

  package enum Response: WireMessage, Equatable {
    /// How much has been done, in percent; answers follow until an outcome.
    case progress(percent: Int)
    case outcome(FileOutcome)
    /// Why operations cannot be undone after a restart; an outcome follows.
    case historyFault(message: String)

    package static let maxPayloadLength = 16 << 20

    package static func payloadLimit(kind: UInt8) -> Int? {
      (1...3).contains(kind) ? maxPayloadLength : nil
    }

    package var parts: MessageParts {
      switch self {
      case .progress(let percent): MessageParts(1, UInt8(clamping: percent))
      case .outcome(let outcome): MessageParts(2, outcome)
      case .historyFault(let message): MessageParts(3, message)
      }
    }

    package init(kind: UInt8, _ reader: inout PayloadReader) throws(ProtocolError) {
      switch kind {
      case 1: self = .progress(percent: Int(try reader.read(UInt8.self)))
      case 2: self = .outcome(try reader.read())
      case 3: self = .historyFault(message: try reader.read())
      default: throw .unknownKind(kind)
      }
    }
  }
}
