import PhotoGridCore

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
}

extension FolderSamples: WireValue {
  func write(to payload: inout PayloadWriter) { payload.write(folder, samples, failure) }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    folder = try reader.readPath()
    samples = try reader.readPaths()
    failure = try reader.read()
    guard samples.count <= Self.maxCount else { throw .malformed }
  }
}
