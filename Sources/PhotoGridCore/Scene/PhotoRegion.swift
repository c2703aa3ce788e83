/// A part of a photo in whole pixels, and how much its picture is reduced.
///
/// The photo is upright, as `PhotoInfo.size` measures it.
package struct PhotoRegion: Hashable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int
  /// How many of the photo's pixels a sample of the picture is the mean of, in each direction: a
  /// power of two.
  package var reduction: Int

  /// The most that a picture of a region is reduced.
  package static let largestReduction = 64

  /// The part with the given top left corner and sides.
  package init(x: Int, y: Int, width: Int, height: Int, reduction: Int = 1) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.reduction = reduction
  }

  /// The smallest part that covers a rectangle as far as the photo reaches, its edges on whole
  /// samples where they are not the photo's own; nil where nothing of the photo is covered.
  ///
  /// - Parameters:
  ///   - rect: In pixels of the photo.
  ///   - photo: The photo's size in pixels.
  ///   - reduction: A power of two.
  package init?(covering rect: PixelRect, of photo: PixelSize, reduction: Int) {
    func range(_ low: Double, _ high: Double, _ side: Double) -> Range<Int>? {
      // Not a number compares as false.
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

  /// The rectangle in pixels of the photo.
  package var rect: PixelRect {
    PixelRect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
  }

  /// The sides of its picture, in samples; the last ones may cover less than the others.
  package var sampleSize: (width: Int, height: Int) {
    ((width - 1) / reduction + 1, (height - 1) / reduction + 1)
  }

  /// Whether a picture of this part shows all of another one, as finely or finer.
  package func satisfies(_ other: PhotoRegion) -> Bool {
    reduction <= other.reduction && x <= other.x && y <= other.y
      && x + width >= other.x + other.width && y + height >= other.y + other.height
  }

  /// Whether it is a part of a photo of the given size, and reduced as far as pictures are.
  package func isInside(width: Int, height: Int) -> Bool {
    x >= 0 && y >= 0 && self.width > 0 && self.height > 0
      && x <= width - self.width && y <= height - self.height
      && (1...Self.largestReduction).contains(reduction) && reduction & (reduction - 1) == 0
  }

  /// The same part of the photo when it is turned.
  ///
  /// - Parameters:
  ///   - orientation: The turning.
  ///   - size: The photo's sides before it.
  /// - Returns: The part in the turned photo's pixels.
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
