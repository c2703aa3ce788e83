/// A picture that has to become a file, because a terminal takes pictures as files.
package struct PictureEncoding: Equatable, Sendable {
  /// Names it where the file comes back.
  package var id: UInt32
  package var bitmap: Bitmap
  package var format: Format

  /// What kind of file.
  package enum Format: UInt8, CaseIterable, Sendable {
    /// Small, and nearly as it was; opaque.
    case jpeg = 1
    /// Exact, with transparency.
    case png = 2
  }

  /// A picture to be made a file of a format.
  package init(id: UInt32, bitmap: Bitmap, format: Format) {
    self.id = id
    self.bitmap = bitmap
    self.format = format
  }
}
