import PhotoGridCore
import WorkerProtocol

/// The paths of all photos by their IDs, shared by everything that opens files.
package final class PathIndex {
  /// The paths as a value, for work on many of them.
  package private(set) var table = PathTable()

  /// Creates an index without photos.
  package init() {}

  /// The number of photos.
  package var count: Int { table.count }

  /// The path of a photo as given or found: bytes without NUL.
  package subscript(photo: Photo.ID) -> [UInt8] { table[photo] }

  /// Adds paths; their photos get the next IDs.
  package func append(_ paths: some Sequence<[UInt8]>) {
    for path in paths { table.append(path) }
  }

  /// Adds the paths of a batch; their photos get the next IDs.
  ///
  /// - Returns: The indices of the IDs; empty if the table is full.
  @discardableResult
  package func append(_ batch: PhotoBatch) -> Range<Int> { table.append(batch) }

  /// Sets the new path of a photo whose file was renamed.
  package func rename(_ photo: Photo.ID, to path: PhotoPath) { table.rename(photo, to: path) }

  /// Sets the root through which photos are listed, from the order of the request.
  package func reroot(_ photos: some Sequence<Photo.ID>, to root: Int) {
    table.reroot(photos, to: root)
  }
}
