import Geometry
import Photos
import SceneModel

/// A placement prepared for sampling: the position of its samples, and their contents.
struct Layer: Equatable {
  /// The sample columns that it covers, inside the picture area.
  var columns: Range<Int>
  /// The sample rows that it covers, inside the picture area.
  var rows: Range<Int>
  var opacity: Double
  var paint: Paint
  /// The frame in pixels, in which words are centered.
  var frame: PixelRect
  /// Whether its samples are cut into parts, for wedges; never while something moves.
  private var isCut = false
  /// The photo that it shows; nil for a tone, with or without words.
  private var source: Source?
  /// The badge whose glyphs lie on it; nil for none.
  var badge: BadgeLine?

  /// The photo in a layer, regardless of the level that is painted.
  private struct Source: Equatable {
    var photo: Photo.ID
    var frameIndex: Int?
    var orientation: Orientation
    var crop: PixelRect
    /// The picture at its largest level.
    var picture: Bitmap
  }

  enum Paint: Equatable {
    case flat(RGB)
    case words(String, on: RGB)
    case picture(PictureSampler)
  }

  /// The memory of its picture at the largest level, in bytes.
  var byteCount: Int { source?.picture.pixels.count ?? 0 }

  var isOpaque: Bool {
    guard opacity >= 1 else { return false }
    return switch paint {
    case .flat, .words: true
    case .picture(let sampler): sampler.bitmap.isOpaque
    }
  }

  func contains(_ other: Layer) -> Bool {
    columns.lowerBound <= other.columns.lowerBound && columns.upperBound >= other.columns.upperBound
      && rows.lowerBound <= other.rows.lowerBound && rows.upperBound >= other.rows.upperBound
  }

  /// Whether another layer shows the same part of the same photo in the same place, perhaps from a
  /// picture of another size.
  func showsSamePhoto(as other: Layer) -> Bool {
    guard let source, let theirs = other.source else { return false }
    return columns == other.columns && rows == other.rows && opacity == other.opacity
      && frame == other.frame && source.photo == theirs.photo
      && source.frameIndex == theirs.frameIndex
      && source.orientation == theirs.orientation && source.crop == theirs.crop
  }

  /// Whether another layer shows the same picture in the same place, perhaps from another level of
  /// it.
  func showsSamePicture(as other: Layer) -> Bool {
    showsSamePhoto(as: other) && source?.picture == other.source?.picture
  }

  /// Returns the cells of which it covers at least one sample, as a rectangle.
  func cells(in grid: SampleGrid) -> CellRect { grid.cells(ofColumns: columns, rows: rows) }

  /// Whether it has a sample in common with a block of samples.
  func intersects(columns: Range<Int>, rows: Range<Int>) -> Bool {
    self.columns.overlaps(columns) && self.rows.overlaps(rows)
  }
}

extension Layer {
  init?(
    _ placement: Placement, content: TileContent, isTile: Bool = false, on grid: SampleGrid,
    isMoving: Bool, appearance: Appearance
  ) {
    let frame = placement.frame
    opacity = placement.opacity.clamped(to: 0...1)
    columns =
      isTile
      ? grid.tileColumns(from: frame.minX, to: frame.maxX)
      : grid.columns(from: frame.minX, to: frame.maxX)
    rows =
      isTile
      ? grid.tileRows(from: frame.minY, to: frame.maxY)
      : grid.rows(from: frame.minY, to: frame.maxY)
    self.frame = frame
    guard opacity > 0, !columns.isEmpty, !rows.isEmpty else { return nil }
    switch content {
    case .waiting(let color): paint = .flat(color.map(appearance.flat) ?? appearance.quietTone)
    case .failed(let words): paint = .words(words, on: appearance.quietTone)
    case .picture(let picture):
      let sampler = PictureSampler(
        picture, crop: placement.crop, in: frame, grid: grid, isMoving: isMoving)
      guard var sampler else { return nil }
      source = Source(
        photo: placement.photo, frameIndex: placement.frameIndex,
        orientation: placement.orientation,
        crop: placement.crop, picture: picture.full)
      if case .glyphs(let glyphs) = grid.sampling {
        isCut = !isMoving && SampleCut.isUsed(with: glyphs, appearance)
      }
      if grid.sampling == .pixels { sampler.alignToPixels(in: frame) }
      paint = .picture(sampler)
    }
  }
}

extension Layer {
  init?(shading frame: PixelRect, _ color: RGB, opacity: Double, on grid: SampleGrid) {
    self.frame = frame
    self.opacity = opacity
    columns = grid.columns(from: frame.minX, to: frame.maxX)
    rows = grid.rows(from: frame.minY, to: frame.maxY)
    paint = .flat(color)
    guard opacity > 0, !columns.isEmpty, !rows.isEmpty else { return nil }
  }

  /// Returns the layer divided into pieces, which do not overlap, inside and outside of a frame.
  ///
  /// The pieces outside have an opacity of their own.
  func parted(by outside: Placement.Outside?, on grid: SampleGrid) -> [Layer] {
    guard let outside else { return [self] }
    let inner = (
      columns: grid.columns(from: outside.frame.minX, to: outside.frame.maxX).clamped(to: columns),
      rows: grid.rows(from: outside.frame.minY, to: outside.frame.maxY).clamped(to: rows)
    )
    func piece(_ columns: Range<Int>, _ rows: Range<Int>, _ opacity: Double) -> Layer? {
      guard !columns.isEmpty, !rows.isEmpty, opacity > 0 else { return nil }
      var piece = self
      (piece.columns, piece.rows, piece.opacity) = (columns, rows, opacity)
      return piece
    }
    let opacity = outside.opacity.clamped(to: 0...1)
    guard !inner.columns.isEmpty, !inner.rows.isEmpty else {
      return [piece(columns, rows, opacity)].compactMap(\.self)
    }
    return [
      piece(columns, rows.lowerBound..<inner.rows.lowerBound, opacity),
      piece(columns, inner.rows.upperBound..<rows.upperBound, opacity),
      piece(columns.lowerBound..<inner.columns.lowerBound, inner.rows, opacity),
      piece(inner.columns.upperBound..<columns.upperBound, inner.rows, opacity),
      piece(inner.columns, inner.rows, self.opacity),
    ].compactMap(\.self)
  }
}

struct RingLayer: Equatable {
  /// The sample columns of the ring and the tile inside it.
  var columns: Range<Int>
  /// The sample rows of the ring and the tile inside it.
  var rows: Range<Int>
  /// The sample columns of the tile alone.
  var innerColumns: Range<Int>
  /// The sample rows of the tile alone.
  var innerRows: Range<Int>
  var opacity: Double
  var ink: RingInk
  /// Whether it is drawn over photos, too.
  var isRaised: Bool
  /// Whether the samples beside it show only background.
  var isOutlined: Bool

  init?(_ ring: Scene.Ring, _ ink: RingInk, on grid: SampleGrid, isOutlined: Bool) {
    let (tile, breadth) = (ring.tile, ring.breadth ?? grid.metrics.gap)
    columns = grid.columns(from: tile.minX - breadth.width, to: tile.maxX + breadth.width)
    rows = grid.rows(from: tile.minY - breadth.height, to: tile.maxY + breadth.height)
    innerColumns = grid.tileColumns(from: tile.minX, to: tile.maxX)
    innerRows = grid.tileRows(from: tile.minY, to: tile.maxY)
    opacity = ring.opacity.clamped(to: 0...1)
    self.ink = ink
    isRaised = ring.isRaised
    self.isOutlined = isOutlined
    guard opacity > 0, !columns.isEmpty, !rows.isEmpty else { return nil }
  }
}

extension RingLayer {
  /// Returns the cells of its sides, and of what is beside them if that shows background.
  func sides(in grid: SampleGrid) -> [CellRect] {
    let beside = isOutlined ? 1 : 0
    func wider(_ range: Range<Int>) -> Range<Int> {
      max(range.lowerBound - beside, 0)..<max(range.upperBound + beside, 0)
    }
    func cells(_ columns: Range<Int>, _ rows: Range<Int>) -> CellRect {
      grid.cells(ofColumns: wider(columns), rows: wider(rows))
    }
    return [
      cells(columns, rows.lowerBound..<innerRows.lowerBound),
      cells(columns, innerRows.upperBound..<rows.upperBound),
      cells(columns.lowerBound..<innerColumns.lowerBound, rows),
      cells(innerColumns.upperBound..<columns.upperBound, rows),
    ]
  }

  /// Returns its color at a sample, by the sample's column and row; nil if it is not drawn there.
  func color(_ x: Int, _ row: Int) -> RGB? {
    guard columns.contains(x), rows.contains(row) else { return nil }
    // In the rows of the tile, the ring is only left and right of it.
    guard innerRows.contains(row) else {
      return ink.color(at: x - columns.lowerBound, of: columns.count)
    }
    return innerColumns.contains(x) ? nil : ink.color(at: row - rows.lowerBound, of: rows.count)
  }
}
