import Geometry
import Photos

/// The orientation that a photo's file gives the picture in it.
package struct StoredOrientation {
  package let format: ImageFormat
  /// Upright if the file does not say.
  package let orientation: Orientation
  /// The file, if the orientation in it can be changed.
  package let container: (any PhotoContainer)?

  /// Reads the headers of a file; nil if it is not a photo.
  ///
  /// - `name`: Its name, whose extension helps to recognize the format.
  package init?(_ file: ByteSource, name: [UInt8]) {
    let head = file.bytes(at: 0, atMost: HeaderSize.examinedByteCount) ?? []
    guard let format = ImageFormat(firstBytes: head, name: name) else { return nil }
    let previews = format == .tiff || format == .raw ? EmbeddedPreviews(file) : nil
    if let previews, format == .raw || previews.isRaw {
      (self.format, container) = (.raw, nil)
      orientation = previews.orientation ?? Self.orientation(of: previews.previews.last, in: file)
      return
    }
    self.format = format
    switch format {
    case .heic, .avif: (orientation, container) = (HEIFOrientation.read(file), nil)
    case .jpeg, .png, .webp, .tiff:
      container = try? PhotoContainers.open(file)
      orientation = container?.orientation ?? .upright
    default: (orientation, container) = (.upright, nil)
    }
  }

  /// The orientation of a picture in a raw photo, by its own EXIF block.
  private static func orientation(
    of picture: EmbeddedPreviews.Preview?, in file: ByteSource
  ) -> Orientation {
    guard let range = picture?.bytes,
      let head = file.bytes(
        at: range.lowerBound, atMost: min(range.count, JPEGFacts.headLengths.last ?? 0)),
      let exif = JPEGHeader(head)?.exif
    else { return .upright }
    return ExifFacts(head[exif]).orientation
  }
}
