import Geometry

/// Draws photos in few colors, each with a palette of its own; large photos in several strips.
///
/// Palette and dithering depend only on the photo and its position: a pixel has the same color
/// whatever part of the screen it is drawn with, and however often.
struct PictureDither {
  /// The most colors of a photo.
  private let limit: Int
  /// The palettes of strips that were drawn.
  private var palettes: [PicturePalette] = []
  /// The memory of the pictures that palettes keep, in bytes.
  private var byteCount = 0
  private var boxes = ColorBoxes()
  private var nearest = NearestColors()
  /// The palette that `nearest` has loaded.
  private var loaded: SixelPalette?
  private var diffusion = ErrorDiffusion()
  private var source = PixelPiece()
  private var samples: [UInt32] = []
  private var registers: [UInt16] = []

  /// The palette of a strip of a photo at its position.
  private struct PicturePalette {
    var layer: Layer
    var behind: [Layer]
    /// The rows of the strip.
    var rows: Range<Int>
    var colors: SixelPalette
    /// Whether lookups in larger steps make no visible difference.
    var isCoarse: Bool
    /// The most that errors add to a channel (see `ErrorDiffusion`).
    var step: Int16
  }

  /// The number of rows sampled for a palette, approximately; more do not improve it.
  private static let sampledRows = 128
  /// The most palettes kept.
  private static let maxPalettes = 512
  /// The most memory of pictures that are not in the scene: enough for the tiles behind a photo.
  private static let maxUnusedBytes = 12 << 20
  /// The most pixels of a strip that is higher than a cell.
  private static let pixelsOfStrip = 6 << 16
  /// The number of rows above a strip from which dithering starts, so that no seam is visible at
  /// the strip's upper edge.
  private static let leadingRows = 6

  init(limit: Int) { self.limit = limit }

  /// Returns the rows of the strip of a layer that contains a row; strips end between rows of
  /// cells.
  static func strip(of layer: Layer, at row: Int, in grid: SampleGrid) -> Range<Int> {
    let cell = grid.rowsPerCell
    let height = max(pixelsOfStrip / max(layer.columns.count * cell, 1), 1) * cell
    let first = layer.rows.lowerBound / cell * cell
    let start = first + max(row - first, 0) / height * height
    return (start..<start + height).clamped(to: layer.rows)
  }

  /// Returns the number of colors of a layer's picture in some of its rows.
  mutating func colorCount(
    ofLayer index: Int, rows: Range<Int>, of compositor: inout Compositor
  ) -> Int {
    var (count, row) = (0, rows.lowerBound)
    while row < rows.upperBound {
      let palette = palette(ofLayer: index, at: row, of: &compositor)
      count += palette.colors.colors.count
      row = palette.rows.upperBound
    }
    return count
  }

  /// Draws the part of a layer's picture in some samples.
  ///
  /// - Returns: The registers' colors.
  mutating func draw(
    layer index: Int, columns: Range<Int>, rows: Range<Int>, of compositor: inout Compositor,
    write: (ArraySlice<UInt16>, _ base: Int, _ row: Int) -> Void
  ) -> SixelPalette {
    var colors = SixelPalette()
    var row = rows.lowerBound
    while row < rows.upperBound {
      let palette = palette(ofLayer: index, at: row, of: &compositor)
      let end = min(palette.rows.upperBound, rows.upperBound)
      let count = palette.colors.colors.count
      guard count > 0 else {
        row = end
        continue
      }
      if loaded != palette.colors {
        loaded = palette.colors
        nearest.load(palette.colors, isCoarse: palette.isCoarse)
      }
      let area = palette.layer.columns
      let start = max(palette.rows.lowerBound - Self.leadingRows, palette.layer.rows.lowerBound)
      dither(index, rows: start..<end, columns: area, palette.step, of: &compositor)
      while row < end {
        let first = (row - start) * area.count - area.lowerBound
        write(
          registers[first + columns.lowerBound..<first + columns.upperBound], colors.colors.count,
          row)
        row += 1
      }
      colors.append(0..<count, of: palette.colors)
    }
    return colors
  }

  private mutating func dither(
    _ index: Int, rows: Range<Int>, columns: Range<Int>, _ step: Int16,
    of compositor: inout Compositor
  ) {
    source.paint(columns: columns, rows: rows, of: &compositor, .layers(through: index))
    let count = source.pixels.count
    if registers.count < count { registers = Array(repeating: 0, count: count) }
    source.pixels.withUnsafeBufferPointer { pixels in
      registers.withUnsafeMutableBufferPointer { registers in
        nearest.withLookup { lookup in
          diffusion.run(
            over: pixels, width: columns.count, with: lookup, bound: step, into: registers)
        }
      }
    }
  }

  // MARK: - Palettes

  private mutating func palette(
    ofLayer index: Int, at row: Int, of compositor: inout Compositor
  ) -> PicturePalette {
    let layer = compositor.layers[index]
    let rows = Self.strip(of: layer, at: row, in: compositor.grid)
    // The colors of a translucent picture depend on what is behind it.
    let behind =
      layer.isOpaque
      ? []
      : compositor.layers[..<index].filter {
        $0.intersects(columns: layer.columns, rows: rows)
      }
    let known = palettes.first { $0.rows == rows && $0.layer == layer && $0.behind == behind }
    if let known { return known }
    let columns = layer.columns
    samples.removeAll(keepingCapacity: true)
    let step = max(rows.count / Self.sampledRows, 1)
    for row in stride(from: rows.lowerBound + step / 2, to: rows.upperBound, by: step) {
      source.paint(
        columns: columns, rows: row..<row + 1, of: &compositor,
        layer.isOpaque ? .layer(index) : .layers(through: index))
      samples += source.pixels
    }
    let colors = samples.withUnsafeBufferPointer {
      boxes.palette(
        for: $0, width: columns.count,
        limit: min(limit, Self.colorLimit(pixels: columns.count * rows.count)))
    }
    let palette = PicturePalette(
      layer: layer, behind: behind, rows: rows, colors: colors,
      isCoarse: boxes.error > SixelEncoder.coarseError,
      step: boxes.step)
    keep(palette, scene: compositor.layers)
    return palette
  }

  /// Keeps a palette; if those of other scenes keep too many pictures, they are removed.
  private mutating func keep(_ palette: PicturePalette, scene: [Layer]) {
    byteCount += Self.byteCount(of: palette, after: palettes.last)
    palettes.append(palette)
    let isFull = palettes.count > Self.maxPalettes
    guard isFull || byteCount > Self.maxUnusedBytes else { return }
    var used = palettes.filter { scene.contains($0.layer) }
    if used.count > Self.maxPalettes { used = [palette] }
    let usedByteCount = Self.byteCount(of: used)
    guard isFull || byteCount - usedByteCount > Self.maxUnusedBytes else { return }
    (palettes, byteCount) = (used, usedByteCount)
  }

  private static func byteCount(of palettes: [PicturePalette]) -> Int {
    zip(palettes, [nil] + palettes).reduce(0) { $0 + byteCount(of: $1.0, after: $1.1) }
  }

  /// Returns the bytes that a palette keeps; 0 if the last strip was of the same photo and shares them.
  private static func byteCount(of palette: PicturePalette, after last: PicturePalette?) -> Int {
    palette.layer == last?.layer ? 0 : palette.layer.byteCount
  }

  private static func colorLimit(pixels: Int) -> Int {
    pixels >= 1 << 17 ? 256 : pixels >= 1 << 14 ? 128 : 64
  }
}
