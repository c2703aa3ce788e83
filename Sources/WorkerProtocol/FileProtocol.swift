import PhotoGridCore

extension FileProtocol {
  /// A request for one operation on files that belong together.
  package struct Request: SingleKindMessage, Equatable {
    package var token: UInt32
    /// The number of the operation in its session; files that are undone together share one.
    package var operation: UInt32
    /// The absolute path of the session's journal; empty if there is no place for one.
    package var journal: [UInt8]
    /// All folders between which the process may move files, besides the trash; empty for any.
    package var folders: [[UInt8]]
    /// The operation.
    package var change: FileChange

    package init(
      token: UInt32, operation: UInt32 = 0, journal: [UInt8] = [], folders: [[UInt8]] = [],
      _ change: FileChange
    ) {
      self.token = token
      self.operation = operation
      self.journal = journal
      self.folders = folders
      self.change = change
    }

    package static let kind: UInt8 = 1
    package static let longestPayload = 16 << 20
    /// The most folders in a request.
    package static let mostFolders = 8

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(token)
      payload.write(operation)
      payload.write(string: journal)
      payload.write(UInt8(clamping: folders.count))
      for folder in folders { payload.write(string: folder) }
      change.write(to: &payload)
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      token = try reader.read()
      operation = try reader.read()
      journal = try reader.readString()
      guard !journal.contains(0) else { throw .malformed }
      let folderCount = Int(try reader.read(UInt8.self))
      guard folderCount <= Self.mostFolders else { throw .malformed }
      folders = []
      for _ in 0..<folderCount { folders.append(try reader.readPath()) }
      change = try FileChange(&reader)
      try reader.finish()
    }
  }

  /// The outcome of a request, or its progress.
  package struct Response: ResponseMessage, SingleKindMessage, Equatable {
    private let requestToken: UInt32
    /// What happened to the files; nil while they are copied.
    package var outcome: FileOutcome?
    /// The part of the files that is copied, in percent; 100 with an outcome.
    package var percent: Int

    package var token: UInt32? { requestToken }

    package init(token: UInt32, _ outcome: FileOutcome) {
      requestToken = token
      self.outcome = outcome
      percent = 100
    }

    package init(token: UInt32, percent: Int) {
      requestToken = token
      self.percent = percent
    }

    package static let kind: UInt8 = 2
    package static let longestPayload = 16 << 20

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(requestToken)
      payload.write(UInt8(clamping: percent))
      payload.write(optional: outcome) { $0.write(to: &$1) }
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      requestToken = try reader.read()
      percent = Int(try reader.read(UInt8.self))
      outcome = try reader.readBool() ? try FileOutcome(&reader) : nil
      try reader.finish()
    }
  }
}
