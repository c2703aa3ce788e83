import PhotoGridCore
import WorkerProtocol

/// The paths of all photos by their identities, shared by everything that opens files.
package final class PathIndex {
  /// The paths as a value, for work on many at once.
  package private(set) var table = PathTable()

  /// An index without photos.
  package init() {}

  /// How many photos there are.
  package var count: Int { table.count }

  /// The path of a photo, as given or found; never with a NUL.
  package subscript(photo: Photo.ID) -> [UInt8] { table[photo] }

  /// Adds photos under the next numbers.
  package func append(_ paths: some Sequence<[UInt8]>) {
    for path in paths { table.append(path) }
  }

  /// Adds photos under the next numbers.
  ///
  /// - Returns: Their numbers.
  @discardableResult
  package func append(_ batch: PhotoBatch) -> Range<Int> { table.append(batch) }

  /// Sets the new path of a photo whose file was renamed.
  package func rename(_ photo: Photo.ID, to path: PhotoPath) { table.rename(photo, to: path) }

  /// Sets the root through which photos are listed.
  package func reroot(_ photos: some Sequence<Photo.ID>, to root: Int) {
    table.reroot(photos, to: root)
  }
}
