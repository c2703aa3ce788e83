/// Checks whether an embedded preview shows the photo, and which crop of it does.
///
/// Cameras store thumbnails of 160 by 120 pixels whatever the photo's shape, and pad them with
/// black bars; editors that turn or crop a photo may leave the thumbnail as it was.
///
///     let crop = PreviewFit.crop(of: (160, 120), photo: (6000, 4000))
///     // x: 0, y: 8, width: 160, height: 104: without the bars at top and bottom
package enum PreviewFit {
  /// A rectangle of whole pixels in a preview.
  package struct Crop: Equatable, Sendable {
    /// The column of its left edge.
    package var x: Int
    /// The row of its top edge.
    package var y: Int
    package var width: Int
    package var height: Int
  }

  /// The least sides of a useful preview, in pixels; a mean color shows as much as a smaller one.
  private static let (minLongSide, minShortSide) = (48, 8)

  package static func crop(
    of preview: (width: Int, height: Int), photo: (width: Int, height: Int)
  ) -> Crop? {
    guard preview.width > 0, preview.height > 0, preview.width <= photo.width,
      preview.height <= photo.height
    else { return nil }
    var crop = Crop(x: 0, y: 0, width: preview.width, height: preview.height)
    if !hasShape(of: photo, preview) {
      let (width, height) = sides(of: photo, filling: preview)
      if width < Double(preview.width) {
        crop.x = Int(((Double(preview.width) - width) / 2).rounded(.up)) + 1
        crop.width -= 2 * crop.x
      } else {
        crop.y = Int(((Double(preview.height) - height) / 2).rounded(.up)) + 1
        crop.height -= 2 * crop.y
      }
    }
    guard max(crop.width, crop.height) >= minLongSide,
      min(crop.width, crop.height) >= minShortSide
    else { return nil }
    return crop
  }

  /// Whether a picture has a photo's aspect ratio, apart from rounding; no side may be 0.
  package static func hasShape(
    of photo: (width: Int, height: Int), _ picture: (width: Int, height: Int)
  ) -> Bool {
    let (width, height) = sides(of: photo, filling: picture)
    return isNear(Double(picture.width), width) || isNear(Double(picture.height), height)
  }

  /// Returns the photo's width when it is scaled to a picture's height, and the photo's height when
  /// it is scaled to the picture's width.
  private static func sides(
    of photo: (width: Int, height: Int), filling picture: (width: Int, height: Int)
  ) -> (width: Double, height: Double) {
    (
      Double(photo.width) * Double(picture.height) / Double(photo.height),
      Double(photo.height) * Double(picture.width) / Double(photo.width)
    )
  }

  /// Whether two sides are equal apart from rounding to whole pixels, or to blocks of two.
  private static func isNear(_ side: Double, _ wanted: Double) -> Bool {
    abs(side - wanted) <= max(1.5, 0.015 * wanted)
  }

  /// Whether everything outside of a crop is black, as bars are.
  ///
  /// Pixels next to the crop are ignored, since the crop is smaller than the picture between the
  /// bars. The mean of the other pixels is compared, because JPEG leaves none of them quite black.
  ///
  /// A pixel has four channels of 8 bits; rows from top to bottom, no padding.
  ///
  /// - Returns: True if nothing is outside of the crop.
  package static func areBarsBlack(
    around crop: Crop, of pixels: [UInt8], width: Int, height: Int
  ) -> Bool {
    var (sum, count) = (0, 0)
    let rows = (crop.y - edge)..<(crop.y + crop.height + edge)
    let columns = (crop.x - edge)..<(crop.x + crop.width + edge)
    for y in 0..<height {
      for x in 0..<width where !(rows ~= y && columns ~= x) {
        let at = (y * width + x) * 4
        sum += Int(max(pixels[at], pixels[at + 1], pixels[at + 2]))
        count += 1
      }
    }
    return count == 0 || sum / count <= maxBrightness
  }

  /// The most pixels of the picture that `crop` removes beside a bar: one, and one by rounding up.
  private static let edge = 2
  /// The largest mean of a bar's brightest channel, of 255.
  private static let maxBrightness = 24
}

/// Finds the small JPEG in the EXIF block of a photo (Exif 2.3, 4.5.5).
package enum ExifThumbnail {
  /// Finds the thumbnail of a file.
  ///
  /// The EXIF block starts with "Exif" and two zeros.
  ///
  /// - Returns: The thumbnail's range in the file; nil if it is missing, or not entirely in the
  ///   EXIF block.
  package static func range(in file: [UInt8], exif: Range<Int>) -> Range<Int>? {
    let source = ByteSource(count: min(exif.upperBound, file.count)) { Array(file[$0]) }
    // The second directory describes the thumbnail.
    guard let reader = TIFFReader(source, at: exif.lowerBound + 6),
      let main = reader.directory(at: reader.firstDirectory), let next = main.next,
      let directory = reader.directory(at: next),
      let range = reader.jpegRange(of: directory), range.upperBound <= source.count,
      range.count > 3, file[range].starts(with: [0xff, 0xd8, 0xff])
    else { return nil }
    return range
  }
}
