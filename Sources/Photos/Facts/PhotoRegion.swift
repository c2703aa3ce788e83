import Geometry

/// A part of a photo in whole pixels, and the factor by which its picture is reduced.
///
/// The photo is upright, as in `PhotoInfo.size`.
package struct PhotoRegion: Hashable, Sendable {
  /// The left edge, in pixels of the photo.
  package var x: Int
  /// The top edge, in pixels of the photo.
  package var y: Int
  /// The width, in pixels of the photo.
  package var width: Int
  /// The height, in pixels of the photo.
  package var height: Int
  /// The number of photo pixels averaged per sample in each direction: a power of two.
  package var reduction: Int

  /// The largest reduction of a region's picture.
  package static let maxReduction = 64

  package init(x: Int, y: Int, width: Int, height: Int, reduction: Int = 1) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.reduction = reduction
  }

  /// Creates the smallest region that covers a rectangle within the photo, with edges on whole
  /// samples except at the photo's own; nil if the rectangle covers none of the photo.
  package init?(covering rect: PixelRect, of photo: PixelSize, reduction: Int) {
    func range(_ low: Double, _ high: Double, _ side: Double) -> Range<Int>? {
      // Comparisons with NaN are false.
      guard low < side, high > 0, low < high, (1...1e9).contains(side) else { return nil }
      let step = Double(reduction)
      let start = (max(low, 0) / step).rounded(.down) * step
      let end = min((min(high, side) / step).rounded(.up) * step, side.rounded())
      return start < end ? Int(start)..<Int(end) : nil
    }
    guard let columns = range(rect.minX, rect.maxX, photo.width),
      let rows = range(rect.minY, rect.maxY, photo.height)
    else { return nil }
    self.init(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count,
      reduction: reduction)
  }

  /// The region as a rectangle, in pixels of the photo.
  package var rect: PixelRect {
    PixelRect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
  }

  /// The size of the picture in samples; the last row and column can cover fewer pixels.
  package var sampleSize: (width: Int, height: Int) {
    ((width - 1) / reduction + 1, (height - 1) / reduction + 1)
  }

  /// Whether a picture of this region contains all of another region, at the same resolution or a
  /// higher one.
  package func satisfies(_ other: PhotoRegion) -> Bool {
    reduction <= other.reduction && x <= other.x && y <= other.y
      && x + width >= other.x + other.width && y + height >= other.y + other.height
  }

  /// Whether the region lies in a photo of the given size, and its reduction is valid.
  package func isInside(width: Int, height: Int) -> Bool {
    x >= 0 && y >= 0 && self.width > 0 && self.height > 0
      && x <= width - self.width && y <= height - self.height
      && (1...Self.maxReduction).contains(reduction) && reduction & (reduction - 1) == 0
  }

  /// Returns this region of the photo after an orientation is applied.
  ///
  /// - Returns: The region, in pixels of the turned photo.
  package func turned(
    _ orientation: Orientation, in size: (width: Int, height: Int)
  ) -> PhotoRegion {
    let (right, bottom) = (size.width - x - width, size.height - y - height)
    let corner =
      switch orientation.number {
      case 2: (right, y)
      case 3: (right, bottom)
      case 4: (x, bottom)
      case 5: (y, x)
      case 6: (bottom, x)
      case 7: (bottom, right)
      case 8: (y, right)
      default: (x, y)
      }
    let sides = orientation.turned(width: width, height: height)
    return PhotoRegion(
      x: corner.0, y: corner.1, width: sides.width, height: sides.height, reduction: reduction)
  }
}

/// A picture of a part of a photo, with a higher resolution than the picture of the whole photo.
package struct CloseUp: Equatable, Sendable {
  /// The region of the picture; it can extend beyond the photo's edges by less than a sample.
  package var region: PhotoRegion
  package var isOpaque: Bool

  package init(region: PhotoRegion, isOpaque: Bool) {
    self.region = region
    self.isOpaque = isOpaque
  }
}
