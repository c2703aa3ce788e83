/// The names of what a photo is; the photos themselves live in the library.
package enum Photo {
  /// A photo's identity for as long as the program runs: its number in the order of listing.
  ///
  /// Sorting and filtering change the order on screen, never the identity.
  package struct ID: Hashable, Comparable, Sendable {
    package let number: Int32

    /// The photo with the given number.
    package init(_ number: Int) { self.number = Int32(number) }

    /// A tile whose photo the listing has not named yet.
    package static let unlisted = ID(-1)

    /// The number as an index.
    package var index: Int { Int(number) }

    /// Orders by the number of listing.
    package static func < (left: ID, right: ID) -> Bool { left.number < right.number }
  }
}

/// What is known about a photo's file once a worker has looked at it.
package struct PhotoInfo: Equatable, Sendable {
  /// Pixel size after orientation.
  package var size: PixelSize
  /// The EXIF orientation of the file, 1 to 8; 1 where it has none.
  package var orientation: Int
  /// The format by the file's first bytes: "jpeg", "png", "webp", "gif", "tiff", "heic", "avif",
  /// "raw".
  package var format: String
  /// Size of the file in bytes.
  package var byteCount: Int
  /// Time of the last modification, in seconds since 1970.
  package var modified: Int
  /// When the photo was taken, ISO 8601 without a zone ("2024-05-01T12:30:00"); nil if unknown.
  package var taken: String?
  /// Whether the file ended early and only a part of the picture is there.
  package var isIncomplete: Bool
  /// How many frames the file says it has; 1 for a photo that stands still.
  package var frameCount: Int
  /// How the photo was taken; nil where the file was not read for that.
  package var metadata: PhotoMetadata?

  /// All facts of a photo's file.
  package init(
    size: PixelSize, orientation: Int, format: String, byteCount: Int, modified: Int,
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
