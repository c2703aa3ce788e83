import CExif
import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// The facts that are used of a photo's EXIF block.
struct ExifFacts {
  var orientation = Orientation.upright
  /// When the picture was taken, else when its file was last changed by a camera's clock.
  var taken: TakenTime?

  /// The facts of a photo without EXIF.
  init() {}

  private static let head = Array("Exif\0\0".utf8)

  /// Reads a block, with or without "Exif" and two zeros at its start; facts that are missing or
  /// broken stay unknown.
  init(_ block: ArraySlice<UInt8>) {
    // JPEG has these bytes, other formats have not, and libexif wants them.
    let block = block.starts(with: Self.head) ? block : Self.head + block
    let data = block.withUnsafeBufferPointer {
      exif_data_new_from_data($0.baseAddress, UInt32(clamping: $0.count))
    }
    guard let data else { return }
    defer { exif_data_unref(data) }
    let (main, _, photo, _, _) = data.pointee.ifd
    if let entry = exif_content_get_entry(main, EXIF_TAG_ORIENTATION)?.pointee,
      entry.format == EXIF_FORMAT_SHORT, entry.size >= 2, let bytes = entry.data
    {
      let number = exif_get_short(bytes, exif_data_get_byte_order(data))
      orientation = Orientation(number: Int(number))
    }
    taken =
      Self.time(photo, EXIF_TAG_DATE_TIME_ORIGINAL) ?? Self.time(main, EXIF_TAG_DATE_TIME)
  }

  private static func time(
    _ contents: UnsafeMutablePointer<ExifContent>?, _ tag: ExifTag
  ) -> TakenTime? {
    guard let entry = exif_content_get_entry(contents, tag)?.pointee, let bytes = entry.data else {
      return nil
    }
    return TakenTime(exif: UnsafeBufferPointer(start: bytes, count: Int(entry.size)))
  }
}
