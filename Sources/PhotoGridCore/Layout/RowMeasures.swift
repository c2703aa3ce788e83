/// The measures that all rows of a `RowsLayout` share.
struct RowMeasures: Equatable, Sendable {
  /// The page on which the rows lie; its height does not matter.
  let page: TilePage
  /// The height that rows are near to, in pixels.
  let rowHeight: Double
  /// The number of items that are broken into rows together.
  let blockLength: Int

  /// The shape of what has none, or none yet: that of most cameras' photos.
  static let guess = 1.5
  /// The narrowest tile, width by height: a strip lies inside of such a tile.
  private static let narrowest = 1.0 / 3
  /// Rows of a block where all shapes are the guess, and the fewest and most items of a block.
  ///
  /// A block's last rows give up a little of their height so that all are full. With more of them
  /// that is seen less, with fewer a change of a shape moves less.
  private static let blockRows = 8.0
  private static let blockLengths = 64.0...4096

  /// Measures of rows on a page, near to a height in pixels.
  init(page: TilePage, rowHeight: Double) {
    let area = page.area
    let nominal = page.rounded(rowHeight, along: .vertical)
    let height = nominal.isFinite ? min(max(nominal, page.smallestStep.height), area.width) : 1
    self.page = page.growing(to: PixelSize(width: page.smallestStep.width, height: 0))
    self.rowHeight = height
    let columns = area.width / (height * Self.guess + page.gap.width)
    let length = min(
      max(Self.blockRows * columns, Self.blockLengths.lowerBound), Self.blockLengths.upperBound)
    blockLength = Int(length.rounded(.up))
  }

  /// The width of a full row, in pixels.
  var width: Double { page.area.width }

  /// The shape of a tile for a photo's shape: no wider than a row, and wide enough to be seen.
  ///
  /// - Parameter ratio: Width by height; nil, and what is no ratio, is one not known.
  /// - Returns: Width by height.
  func tileRatio(_ ratio: Double?) -> Double {
    guard let ratio, ratio.isFinite, ratio > 0 else { return limited(Self.guess) }
    return limited(ratio)
  }

  private func limited(_ ratio: Double) -> Double {
    // Rows can come out lower than `rowHeight`, down to half of it.
    let least = max(Self.narrowest, 2 * page.smallestStep.width / rowHeight)
    return max(min(ratio, width / rowHeight), min(least, width / rowHeight))
  }

  /// The width of tiles side by side at `rowHeight`, gaps included, for the sum of their shapes.
  func naturalWidth(_ ratios: Double, count: Int) -> Double {
    ratios * rowHeight + gaps(count)
  }

  /// The height of tiles that fill a row, for the sum of their shapes.
  func fullHeight(_ ratios: Double, count: Int) -> Double {
    max(width - gaps(count), 0) / max(ratios, .ulpOfOne)
  }

  /// The width of the gaps between tiles side by side.
  func gaps(_ count: Int) -> Double { page.gap.width * Double(max(count - 1, 0)) }
}
