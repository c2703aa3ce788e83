import PhotoGridCore

extension PhotoInfo {
  /// Facts with something in every field.
  package static let full = PhotoInfo(
    size: PixelSize(width: 4000, height: 3000), orientation: 6, format: "heic",
    byteCount: 5_000_000_000, modified: -1, taken: "2024-05-01T12:30:00", isIncomplete: true,
    frameCount: 70_000)
  /// Facts of a photo of one pixel.
  package static let plain = PhotoInfo(
    size: PixelSize(width: 1, height: 1), orientation: 1, format: "jpeg", byteCount: 0,
    modified: 0, taken: nil, isIncomplete: false)
}
