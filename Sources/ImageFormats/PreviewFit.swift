/// Whether a small picture in a file is the photo, and which part of it.
///
/// Cameras keep thumbnails of 160 by 120 whatever the photo's shape and fill up with black bars;
/// editors that turn or crop a photo leave the thumbnail of what it was.
package enum PreviewFit {
  /// A part of a picture in whole pixels.
  package struct Part: Equatable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int
  }

  /// Below these a picture shows less than a mean colour does, in pixels.
  private static let (leastLongSide, leastShortSide) = (48, 8)

  /// The part of a preview that would show a photo, in the middle, if the rest of it were bars; nil
  /// where the preview is too small to be of use, or larger than the photo.
  ///
  /// Sides are those as stored. What is cut away at bars is a pixel more than they measure, because
  /// JPEG smears their edges.
  package static func part(
    of preview: (width: Int, height: Int), photo: (width: Int, height: Int)
  ) -> Part? {
    guard preview.width > 0, preview.height > 0, preview.width <= photo.width,
      preview.height <= photo.height
    else { return nil }
    var part = Part(x: 0, y: 0, width: preview.width, height: preview.height)
    if !hasShape(of: photo, preview) {
      let (width, height) = sides(of: photo, filling: preview)
      if width < Double(preview.width) {
        part.x = Int(((Double(preview.width) - width) / 2).rounded(.up)) + 1
        part.width -= 2 * part.x
      } else {
        part.y = Int(((Double(preview.height) - height) / 2).rounded(.up)) + 1
        part.height -= 2 * part.y
      }
    }
    guard max(part.width, part.height) >= leastLongSide,
      min(part.width, part.height) >= leastShortSide
    else { return nil }
    return part
  }

  /// Whether a picture has a photo's shape, but for rounding; none of the sides is 0.
  package static func hasShape(
    of photo: (width: Int, height: Int), _ picture: (width: Int, height: Int)
  ) -> Bool {
    let (width, height) = sides(of: photo, filling: picture)
    return isNear(Double(picture.width), width) || isNear(Double(picture.height), height)
  }

  /// The photo's width where its height fills a picture, and its height where its width does.
  private static func sides(
    of photo: (width: Int, height: Int), filling picture: (width: Int, height: Int)
  ) -> (width: Double, height: Double) {
    (
      Double(photo.width) * Double(picture.height) / Double(photo.height),
      Double(photo.height) * Double(picture.width) / Double(photo.width)
    )
  }

  /// Sides are rounded to whole pixels, and by some to whole blocks of two.
  private static func isNear(_ side: Double, _ wanted: Double) -> Bool {
    abs(side - wanted) <= max(1.5, 0.015 * wanted)
  }

  /// Whether everything around a part is black, as bars are.
  ///
  /// Pixels are four channels of 8 bits, rows top to bottom, no padding. The pixels next to the
  /// part tell nothing, since more is cut away than the bars measure. Of the others the mean is
  /// what counts: JPEG leaves none of them quite black.
  package static func areBarsBlack(
    around part: Part, of pixels: [UInt8], width: Int, height: Int
  ) -> Bool {
    var (sum, count) = (0, 0)
    let rows = (part.y - edge)..<(part.y + part.height + edge)
    let columns = (part.x - edge)..<(part.x + part.width + edge)
    for y in 0..<height {
      for x in 0..<width where !(rows ~= y && columns ~= x) {
        let at = (y * width + x) * 4
        sum += Int(max(pixels[at], pixels[at + 1], pixels[at + 2]))
        count += 1
      }
    }
    return count == 0 || sum / count <= mostBrightness
  }

  /// What `part` cuts off in excess of the bars, rounded up twice, in pixels.
  private static let edge = 2
  /// The mean of a bar's brightest channel is not above this, of 255.
  private static let mostBrightness = 24
}
