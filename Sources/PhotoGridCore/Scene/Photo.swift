/// A namespace for the identity of photos; their data is in the library.
package enum Photo {
  /// A photo's identity while the program runs: its number in listing order.
  ///
  /// Sorting and filtering change the display order, never the identity.
  package struct ID: Hashable, Comparable, Sendable {
    /// The number, in the order in which items were first listed; -1 for a placeholder.
    package let number: Int32

    /// Creates the identity with the given number.
    package init(_ number: Int) { self.number = Int32(number) }

    /// The identity of a placeholder tile, while the listing has no photos yet.
    package static let unlisted = ID(-1)

    /// The number as an index.
    package var index: Int { Int(number) }

    /// Orders by listing number.
    package static func < (left: ID, right: ID) -> Bool { left.number < right.number }
  }
}

/// The facts that a worker has read from a photo's file.
package struct PhotoInfo: Equatable, Sendable {
  /// The size in pixels, after orientation.
  package var size: PixelSize
  /// The EXIF orientation, 1 to 8; 1 if the file has none.
  package var orientation: Int
  /// The format according to the file's first bytes.
  package var format: ImageFormat
  /// The size of the file, in bytes.
  package var byteCount: Int
  /// The time of the last modification, in seconds since 1970.
  package var modified: Int
  /// The time at which the photo was taken, in ISO 8601 without a time zone
  /// ("2024-05-01T12:30:00"); nil if unknown.
  package var taken: String?
  /// Whether the file is truncated and only a part of the picture is available.
  package var isIncomplete: Bool
  /// The number of frames that the file declares; 1 for a still photo.
  package var frameCount: Int
  /// The hash of the picture that was decoded with these facts; nil without a picture, or if the
  /// picture has only one colour.
  package var hash: DifferenceHash?
  /// The camera metadata; nil if it has not been read from the file.
  package var metadata: PhotoMetadata?

  /// Creates the facts of a photo's file, without metadata.
  package init(
    size: PixelSize, orientation: Int, format: ImageFormat, byteCount: Int, modified: Int,
    taken: String?, isIncomplete: Bool, frameCount: Int = 1
  ) {
    self.size = size
    self.orientation = orientation
    self.format = format
    self.byteCount = byteCount
    self.modified = modified
    self.taken = taken
    self.isIncomplete = isIncomplete
    self.frameCount = frameCount
  }
}
