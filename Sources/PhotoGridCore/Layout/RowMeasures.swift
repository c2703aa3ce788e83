/// The measures that all rows of a `RowsLayout` share.
struct RowMeasures: Equatable, Sendable {
  /// The page that the rows are on; its height is not used.
  let page: TilePage
  /// The usual height of rows, in pixels; full rows deviate from it a little.
  let rowHeight: Double
  /// The number of items that are broken into rows together.
  let blockLength: Int

  /// The aspect ratio assumed for an item while its own is unknown: 3 to 2, as most cameras use.
  static let guess = 1.5
  /// The aspect ratio of the narrowest tile; a narrower photo is shown inside a tile of this shape.
  private static let narrowest = 1.0 / 3
  /// The number of rows in a block whose aspect ratios are all `guess`; `blockLengths` limits the
  /// number of items.
  ///
  /// A block's last rows deviate a little from the usual height so that all are full. With more
  /// rows in a block that is less noticeable; with fewer, a change of a shape moves fewer tiles.
  private static let blockRows = 8.0
  /// The smallest and the largest number of items in a block.
  private static let blockLengths = 64.0...4096

  /// Creates the measures of rows on a page, with a usual height in pixels.
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

  /// Returns the aspect ratio of the tile for a photo, limited so that the tile is no wider than a
  /// row and wide enough to be seen.
  ///
  /// - Parameter ratio: Width divided by height; nil, or a value that is not finite and positive,
  ///   counts as unknown.
  /// - Returns: Width divided by height.
  func tileRatio(_ ratio: Double?) -> Double {
    guard let ratio, ratio.isFinite, ratio > 0 else { return limited(Self.guess) }
    return limited(ratio)
  }

  private func limited(_ ratio: Double) -> Double {
    // Rows can be lower than `rowHeight`, down to half of it.
    let least = max(Self.narrowest, 2 * page.smallestStep.width / rowHeight)
    return max(min(ratio, width / rowHeight), min(least, width / rowHeight))
  }

  /// Returns the width of tiles side by side at `rowHeight`, with their gaps, for the sum of their
  /// aspect ratios.
  func naturalWidth(_ ratios: Double, count: Int) -> Double {
    ratios * rowHeight + gaps(count)
  }

  /// Returns the height of tiles that fill a row, for the sum of their aspect ratios.
  func fullHeight(_ ratios: Double, count: Int) -> Double {
    max(width - gaps(count), 0) / max(ratios, .ulpOfOne)
  }

  /// Returns the total width of the gaps between tiles side by side.
  func gaps(_ count: Int) -> Double { page.gap.width * Double(max(count - 1, 0)) }
}
