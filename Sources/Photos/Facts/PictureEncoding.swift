/// A request to encode a picture as a file, for terminals that accept pictures only as files.
package struct PictureEncoding: Equatable, Sendable {
  /// The identifier that the encoded file is returned with.
  package var id: UInt32
  package var bitmap: Bitmap
  package var format: Format

  package enum Format: UInt8, CaseIterable, Sendable {
    /// Small and slightly lossy; opaque.
    case jpeg = 1
    /// Lossless, with transparency.
    case png = 2
  }

  package init(id: UInt32, bitmap: Bitmap, format: Format) {
    self.id = id
    self.bitmap = bitmap
    self.format = format
  }
}
