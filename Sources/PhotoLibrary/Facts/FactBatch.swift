import PhotoGridCore
import WorkerProtocol

/// The facts of several photos in one folder.
package struct FactBatch: Equatable, Sendable {
  /// The photos.
  package var photos: [Photo.ID]
  /// Their facts, in the same order; those that are not `isKnown` are found by a decoder.
  package var facts: FactBlock
  /// What else identifies the state in which each file was read.
  package var stamps: [InodeStamp]
}
