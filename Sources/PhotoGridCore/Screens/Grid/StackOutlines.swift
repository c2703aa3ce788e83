import Geometry
import Photos
import SceneModel

/// The thin frames that hold the photos of unfolded stacks together.
extension GridScreen {
  /// A part of an unfolded stack whose tiles are in one row.
  private struct StackRow {
    let stack: Int
    var tiles: ClosedRange<Int>
    /// The frame of the tiles together, in content coordinates.
    var frame: PixelRect
  }

  /// Returns the frames around the unfolded stacks in sight.
  ///
  /// There is one for each row of a stack's tiles. Where the stack goes on in another row, the frame
  /// reaches beyond the edge of the screen, so that it looks open there:
  ///
  ///     ···  ┌───────────
  ///     ···  │ ▒▒▒  ▒▒▒
  ///     ···  └───────────
  ///     ───────┐
  ///        ▒▒▒ │ ···  ···
  ///     ───────┘
  func stackOutlines(_ frame: SceneFrame) -> [Scene.Ring] {
    let gallery = frame.gallery
    guard gallery.album.hasStacks else { return [] }
    let (scroll, metrics) = (gallery.grid.scroll.value(at: frame.now), gallery.viewport.metrics)
    // A line in the middle of a gap of pixels; by cells the whole gap.
    let isThin = metrics.placementUnit == .pixels
    return rows(of: gallery, at: frame.now).compactMap { row in
      let (start, end) = (row.tiles.lowerBound, row.tiles.upperBound)
      let goesOn = { (index: Int) in
        gallery.grid.style.kind.hasRows && gallery.unfoldedStack(at: index) == row.stack
      }
      let beyond = 2 * metrics.gap.width
      let left = goesOn(start - 1) ? min(-beyond, row.frame.minX) : row.frame.minX
      let right =
        goesOn(end + 1)
        ? max(gallery.viewport.pictureSize.width + beyond, row.frame.maxX) : row.frame.maxX
      // A single tile of a stack whose other photos are elsewhere.
      guard start < end || left < row.frame.minX || right > row.frame.maxX else { return nil }
      let space = isThin ? 1.0 : 0
      var ring = Scene.Ring(
        tile: PixelRect(
          x: left - space, y: row.frame.minY - scroll - space, width: right - left + 2 * space,
          height: row.frame.height + 2 * space),
        opacity: frame.gridOpacity, meaning: .stack)
      ring.breadth = isThin ? PixelSize(width: 1, height: 1) : nil
      return ring
    }
  }

  private func rows(of gallery: Gallery, at now: Instant) -> [StackRow] {
    let (grid, context) = (gallery.grid, gallery.gridContext(at: now))
    return grid.visibleIndices(in: context).reduce(into: []) { rows, index in
      guard let stack = gallery.unfoldedStack(at: index) else { return }
      let tile = grid.layout.frame(at: index)
      if let last = rows.last, last.stack == stack, last.tiles.upperBound == index - 1,
        last.frame.minY == tile.minY, last.frame.height == tile.height,
        last.frame.maxX <= tile.minX
      {
        rows[rows.count - 1].tiles = last.tiles.lowerBound...index
        rows[rows.count - 1].frame.size.width = tile.maxX - last.frame.minX
      } else {
        rows.append(StackRow(stack: stack, tiles: index...index, frame: tile))
      }
    }
  }
}

extension Gallery {
  /// Returns the number of the stack of a tile if it is unfolded; nil for other tiles.
  fileprivate func unfoldedStack(at index: Int) -> Int? {
    guard let photo = photo(at: index), album.isFannedOut(photo) else { return nil }
    return album.stack(of: photo)
  }
}

extension LayoutStyle.Kind {
  /// Whether tiles are in rows from the left to the right edge, in their order.
  fileprivate var hasRows: Bool {
    switch self {
    case .grid, .rows: true
    case .mosaic, .bento: false
    }
  }
}
