import PhotoGridCore

/// The paths of all photos, as the bytes that the system knows them by.
///
/// All lie in one piece of memory, with four bytes beside each.
package struct PathTable: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [UInt32] = []

  /// A table without paths.
  package init() {}

  /// How many photos there are.
  package var count: Int { ends.count }

  /// The path of a photo, as given or found; never with a NUL.
  package subscript(photo: Photo.ID) -> ArraySlice<UInt8> {
    let start = photo.index == 0 ? 0 : Int(ends[photo.index - 1])
    return bytes[start..<Int(ends[photo.index])]
  }

  /// Adds a path under the next number.
  ///
  /// - Returns: the photo's identity; nil where the table is full, at 4 GiB of paths.
  @discardableResult
  package mutating func append(_ path: some Collection<UInt8>) -> Photo.ID? {
    guard let end = UInt32(exactly: bytes.count + path.count), count < Int(Int32.max) else {
      return nil
    }
    bytes.append(contentsOf: path)
    ends.append(end)
    return Photo.ID(count - 1)
  }
}
