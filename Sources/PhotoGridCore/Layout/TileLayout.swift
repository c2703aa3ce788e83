/// The frames of the photos' tiles in one of the layouts.
///
/// Coordinates are content coordinates: pixels from the top left of the scrollable content.
package enum TileLayout: Equatable, Sendable {
  /// Square tiles in rows and columns.
  case grid(GridLayout)
  /// Segments of one to three tiles.
  case mosaic(MosaicLayout)
  /// A page divided by a pattern.
  case bento(BentoLayout)
  /// Whole photos in rows.
  case rows(RowsLayout)
  /// Sections, each in one of the other layouts.
  case sections(SectionedLayout)

  /// The number of photos.
  package var count: Int {
    switch self {
    case .grid(let layout): layout.count
    case .mosaic(let layout): layout.tiles.count
    case .bento(let layout): layout.tiles.count
    case .rows(let layout): layout.count
    case .sections(let layout): layout.count
    }
  }

  /// The height of the content in pixels, including margins; 0 without photos.
  package var contentHeight: Double {
    switch self {
    case .grid(let layout): layout.contentHeight
    case .mosaic(let layout): layout.tiles.contentHeight
    case .bento(let layout): layout.tiles.contentHeight
    case .rows(let layout): layout.contentHeight
    case .sections(let layout): layout.contentHeight
    }
  }

  /// The distance that one notch of the wheel scrolls, in pixels: a row of tiles, a segment, or
  /// half a page.
  package var scrollStep: Double {
    switch self {
    case .grid(let layout): layout.rowPitch
    case .mosaic(let layout): layout.segmentPitch
    case .bento(let layout): layout.pagePitch / 2
    case .rows(let layout): layout.rowPitch
    case .sections(let layout): layout.scrollStep
    }
  }

  /// Returns the frame of the tile at an index; indices past the end continue the pattern.
  package func frame(at index: Int) -> PixelRect {
    switch self {
    case .grid(let layout): layout.frame(at: index)
    case .mosaic(let layout): layout.tiles.frame(at: index)
    case .bento(let layout): layout.tiles.frame(at: index)
    case .rows(let layout): layout.frame(at: index)
    case .sections(let layout): layout.frame(at: index)
    }
  }

  /// Returns the frame of the text row below a tile; nil without labels, which only a grid has.
  package func labelFrame(at index: Int) -> PixelRect? {
    switch self {
    case .grid(let layout): layout.labelFrame(at: index)
    case .mosaic, .bento, .rows: nil
    case .sections(let layout): layout.labelFrame(at: index)
    }
  }

  /// Returns the index of the tile that contains a point; nil in the gaps and past the last photo.
  package func index(at point: PixelPoint) -> Int? {
    switch self {
    case .grid(let layout): layout.index(at: point)
    case .mosaic(let layout): layout.tiles.index(at: point)
    case .bento(let layout): layout.tiles.index(at: point)
    case .rows(let layout): layout.index(at: point)
    case .sections(let layout): layout.index(at: point)
    }
  }

  /// Returns a range that includes every tile that overlaps a rectangle vertically, and few others;
  /// its left and right edges are ignored.
  package func indices(in rect: PixelRect) -> Range<Int> {
    switch self {
    case .grid(let layout): layout.indices(in: rect)
    case .mosaic(let layout): layout.tiles.indices(in: rect)
    case .bento(let layout): layout.tiles.indices(in: rect)
    case .rows(let layout): layout.indices(in: rect)
    case .sections(let layout): layout.indices(in: rect)
    }
  }

  /// Changes the aspect ratios of items; only the tiles of `rows` depend on them, in sections too.
  ///
  /// - Parameter changes: The indices and the new aspect ratios, width divided by height.
  /// - Returns: Whether any tile has changed.
  mutating func reshape(_ changes: [(index: Int, ratio: Double)]) -> Bool {
    switch self {
    case .grid, .mosaic, .bento: return false
    case .rows(var layout):
      guard layout.reshape(changes) else { return false }
      self = .rows(layout)
    case .sections(var layout):
      guard layout.reshape(changes) else { return false }
      self = .sections(layout)
    }
    return true
  }

  // MARK: - Sections

  /// The layout of the sections; nil without sections.
  package var sectioned: SectionedLayout? {
    if case .sections(let layout) = self { layout } else { nil }
  }

  /// The height of the heading that stays at the top of the screen while its section scrolls, in
  /// pixels; 0 without sections.
  var headingHeight: Double { sectioned?.headingHeight ?? 0 }

  /// An upper bound of the free space between tiles above each other, in pixels.
  var largestGap: Double { max(scrollStep, sectioned?.largestGap ?? 0) }
}
