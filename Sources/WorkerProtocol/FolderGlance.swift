import PhotoGridCore

/// What a short look into a folder showed.
package struct FolderGlance: Equatable, Sendable {
  /// The folder, with its slash.
  package var folder: [UInt8]
  /// The paths of its first photos, at most `mostSamples`; where it has none of its own, of those of
  /// the first folders in it.
  package var samples: [[UInt8]]
  /// Why the folder cannot be looked into.
  package var failure: FailureReason?

  /// No more photos than these stand for a folder.
  package static let mostSamples = 4

  /// What was seen of a folder.
  package init(folder: [UInt8], samples: [[UInt8]] = [], failure: FailureReason? = nil) {
    self.folder = folder
    self.samples = samples
    self.failure = failure
  }

  func write(to payload: inout PayloadWriter) {
    payload.write(string: folder)
    payload.write(UInt8(samples.count))
    for sample in samples { payload.write(string: sample) }
    payload.write(failure != nil)
    failure?.write(to: &payload)
  }

  init(_ reader: inout PayloadReader) throws(ProtocolError) {
    folder = try reader.readPath()
    let count: UInt8 = try reader.read()
    guard count <= Self.mostSamples else { throw .malformed }
    samples = []
    for _ in 0..<count { samples.append(try reader.readPath()) }
    failure = try reader.readBool() ? try FailureReason(&reader) : nil
  }
}
