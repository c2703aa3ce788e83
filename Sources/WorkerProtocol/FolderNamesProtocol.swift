import PhotoGridCore

/// The messages of a reader that looks for folders while the user types a path.
package enum FolderNamesProtocol {}

extension FolderNamesProtocol {
  /// A request for the folders that complete a path.
  package struct Request: SingleKindMessage, Equatable {
    package var token: UInt32
    /// The path, absolute or from the current folder; its last component is completed.
    package var path: [UInt8]

    package init(token: UInt32, path: [UInt8]) {
      self.token = token
      self.path = path
    }

    package static let kind: UInt8 = 0x20
    package static let longestPayload = 8 << 10

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(token)
      payload.write(string: path)
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      token = try reader.read()
      path = try reader.readPath()
      try reader.finish()
    }
  }

  /// The folders that complete a path.
  package struct Response: ResponseMessage, SingleKindMessage, Equatable {
    private let requestToken: UInt32
    /// The names that begin with the path's last component, in no particular order; only the first
    /// that were found.
    package var names: [[UInt8]]
    /// Whether the path is that of a folder.
    package var isFolder: Bool

    package var token: UInt32? { requestToken }

    package init(token: UInt32, names: [[UInt8]], isFolder: Bool) {
      requestToken = token
      self.names = names
      self.isFolder = isFolder
    }

    package static let kind: UInt8 = 0x20
    package static let longestPayload = 128 << 10
    /// The most names in a response.
    package static let mostNames = 400

    package func encoded() -> [UInt8] {
      var payload = PayloadWriter()
      payload.write(Self.kind)
      payload.write(requestToken)
      payload.write(list: Array(names.prefix(Self.mostNames))) { $0.write(string: $1) }
      payload.write(isFolder)
      return Self.frame(payload)
    }

    package init(payload: ArraySlice<UInt8>) throws(ProtocolError) {
      var reader = PayloadReader(payload.dropFirst())
      requestToken = try reader.read()
      names = try reader.readPaths()
      guard names.count <= Self.mostNames else { throw .malformed }
      isFolder = try reader.readBool()
      try reader.finish()
    }
  }
}

/// The first photos of a folder, for the preview on its tile.
package struct FolderSamples: Equatable, Sendable {
  /// The path of the folder, which ends in a slash.
  package var folder: [UInt8]
  /// The paths of the first photos, at most `maxCount`.
  ///
  /// A folder without photos is represented by photos of its first subfolders.
  package var samples: [[UInt8]]
  /// The reason that the folder cannot be read; nil if it was read.
  package var failure: FailureReason?

  /// The most photos on the tile of a folder.
  package static let maxCount = 4

  /// Creates the samples of a folder, or the reason that it cannot be read.
  package init(folder: [UInt8], samples: [[UInt8]] = [], failure: FailureReason? = nil) {
    self.folder = folder
    self.samples = samples
    self.failure = failure
  }

  func write(to payload: inout PayloadWriter) {
    payload.write(string: folder)
    payload.write(UInt8(samples.count))
    for sample in samples { payload.write(string: sample) }
    payload.write(optional: failure) { $0.write(to: &$1) }
  }

  /// Reads all fields; more than `maxCount` samples are malformed.
  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    folder = try reader.readPath()
    let count: UInt8 = try reader.read()
    guard count <= Self.maxCount else { throw .malformed }
    samples = []
    for _ in 0..<count { samples.append(try reader.readPath()) }
    failure = try reader.readBool() ? try FailureReason(&reader) : nil
  }
}
