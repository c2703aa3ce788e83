import PhotoGridCore

/// Draws photos in few colours, each in a palette of its own.
///
/// Palette and dithering belong to the photo in its place: a pixel has the same colour whatever part
/// of the screen it is drawn with, and however often.
struct PictureDither {
  /// The most colours of a photo.
  private let limit: Int
  private var palettes: [PicturePalette] = []
  private var boxes = ColorBoxes()
  private var nearest = NearestColors()
  /// The palette whose colours are looked up now.
  private var loaded: SixelPalette?
  private var diffusion = ErrorDiffusion()
  private var source = PixelPiece()
  private var samples: [UInt32] = []
  private var registers: [UInt16] = []

  /// A photo in its place, and its colours.
  private struct PicturePalette {
    var layer: Layer
    var colors: SixelPalette
    /// Whether looking up in larger steps makes no difference to the eye.
    var isCoarse: Bool
    /// The most that dithering adds to a channel.
    var step: Int16
  }

  /// Rows that colours are taken from; more make no better palette.
  private static let sampledRows = 128
  /// Photos of which palettes are kept.
  private static let mostPalettes = 512
  /// Dithering starts again after about so many pixels, so that a part of a large photo can be drawn.
  private static let pixelsOfStrip = 1 << 16
  /// Rows above a strip from which dithering is settled where the strip begins.
  private static let leadingRows = 6

  /// A dither that has drawn nothing yet.
  init(limit: Int) { self.limit = limit }

  /// How many colours the picture of a layer has.
  mutating func colorCount(ofLayer index: Int, of compositor: inout Compositor) -> Int {
    palette(ofLayer: index, of: &compositor).colors.colors.count
  }

  /// Draws the part of a layer's picture in some samples.
  ///
  /// - Parameters:
  ///   - index: The layer.
  ///   - columns: The columns, which lie in the layer.
  ///   - rows: The rows, which lie in the layer.
  ///   - compositor: What paints the layer.
  ///   - write: Takes the registers of each row, from the first column on, and the row.
  /// - Returns: The registers' colours.
  mutating func draw(
    layer index: Int, columns: Range<Int>, rows: Range<Int>, of compositor: inout Compositor,
    write: (ArraySlice<UInt16>, Int) -> Void
  ) -> SixelPalette {
    let palette = palette(ofLayer: index, of: &compositor)
    guard !palette.colors.colors.isEmpty else { return palette.colors }
    if loaded != palette.colors {
      loaded = palette.colors
      nearest.load(palette.colors, isCoarse: palette.isCoarse)
    }
    let area = (columns: palette.layer.columns, rows: palette.layer.rows)
    let height = max(Self.pixelsOfStrip / area.columns.count, 1)
    var row = rows.lowerBound
    while row < rows.upperBound {
      let strip = area.rows.lowerBound + (row - area.rows.lowerBound) / height * height
      let end = min(strip + height, rows.upperBound)
      let start = max(strip - Self.leadingRows, area.rows.lowerBound)
      dither(index, rows: start..<end, columns: area.columns, palette.step, of: &compositor)
      while row < end {
        let first = (row - start) * area.columns.count - area.columns.lowerBound
        write(registers[first + columns.lowerBound..<first + columns.upperBound], row)
        row += 1
      }
    }
    return palette.colors
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
    ofLayer index: Int, of compositor: inout Compositor
  ) -> PicturePalette {
    let layer = compositor.layers[index]
    if let known = palettes.first(where: { $0.layer == layer }) { return known }
    let (columns, rows) = (layer.columns, layer.rows)
    samples.removeAll(keepingCapacity: true)
    let step = max(rows.count / Self.sampledRows, 1)
    for row in stride(from: rows.lowerBound + step / 2, to: rows.upperBound, by: step) {
      source.paint(columns: columns, rows: row..<row + 1, of: &compositor, .layer(index))
      samples += source.pixels
    }
    let colors = samples.withUnsafeBufferPointer {
      boxes.palette(
        for: $0, width: columns.count,
        limit: min(limit, Self.colorLimit(pixels: columns.count * rows.count)))
    }
    let palette = PicturePalette(
      layer: layer, colors: colors, isCoarse: boxes.error > SixelEncoder.coarseError,
      step: boxes.step)
    if palettes.count >= Self.mostPalettes { palettes.removeAll() }
    palettes.append(palette)
    return palette
  }

  /// The most colours that are worth their bytes in a picture of so many pixels.
  private static func colorLimit(pixels: Int) -> Int {
    pixels >= 1 << 17 ? 256 : pixels >= 1 << 14 ? 128 : 64
  }
}
