/// A request to encode a picture as a file, for terminals that accept pictures only as files.
package struct PictureEncoding: Equatable, Sendable {
  /// The identifier that the encoded file is returned with.
  package var id: UInt32
  /// The picture.
  package var bitmap: Bitmap
  /// The format of the file.
  package var format: Format

  /// A file format for pictures.
  package enum Format: UInt8, CaseIterable, Sendable {
    /// Small and slightly lossy; opaque.
    case jpeg = 1
    /// Lossless, with transparency.
    case png = 2
  }

  /// Creates a request to encode a picture in a format.
  package init(id: UInt32, bitmap: Bitmap, format: Format) {
    self.id = id
    self.bitmap = bitmap
    self.format = format
  }
}
