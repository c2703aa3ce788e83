import PhotoGridCore
import WorkerProtocol

/// The paths of all photos by their IDs, shared by everything that opens files.
package final class PathIndex {
  /// The paths as a value, for work on many of them.
  package private(set) var table: PathTable

  /// Creates an index without photos.
  package init(limits: PathTable.Limits = PathTable.Limits()) {
    table = PathTable(limits: limits)
  }

  package var count: Int { table.count }

  /// The path of a photo as given or found: bytes without NUL.
  package subscript(photo: Photo.ID) -> [UInt8] { table[photo] }

  package func append(_ paths: some Sequence<[UInt8]>) {
    for path in paths { table.append(path) }
  }

  /// Adds the paths of a batch, as far as there is room; their photos get the next IDs.
  ///
  /// - Returns: The indices of the IDs; fewer than the batch has, or none, if the table is full.
  @discardableResult
  package func append(_ batch: PhotoBatch) -> Range<Int> { table.append(batch) }

  /// Returns whether paths were left out since the last call, because there was no room for them.
  package func takeOverflow() -> Bool { table.takeOverflow() }

  package func rename(_ photo: Photo.ID, to path: PhotoPath) { table.rename(photo, to: path) }

  /// Sets the index of the root below which photos are listed; their paths stay.
  package func reroot(_ photos: some Sequence<Photo.ID>, to root: Int) {
    table.reroot(photos, to: root)
  }
}
