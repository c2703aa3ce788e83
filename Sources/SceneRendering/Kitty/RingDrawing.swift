import PhotoGridCore

/// The image of the ring around a tile in flight, with the strips of its photo.
struct RingDrawing {
  private let width: Int
  private let height: Int
  /// The columns and rows of the tile.
  private let columns: Range<Int>
  private let rows: Range<Int>
  /// The part of the tile inside of the strips, which stays transparent.
  private let hole: (columns: Range<Int>, rows: Range<Int>)
  /// RGBA, 8 bits each, a pixel's four bytes as they lie in memory, rows top to bottom, no padding.
  private var pixels: [UInt32]

  /// Draws the image of a ring, without the border that its spec has.
  ///
  /// - Parameters:
  ///   - spec: The size of the image.
  ///   - ring: The breadth of the ring, in pixels.
  ///   - meaning: The parts of the ring that are drawn.
  ///   - color: The colour of the ring.
  ///   - strips: The strips of the photo along the inside of the ring.
  ///   - picture: The photo.
  init(
    _ spec: KittySpec, ring: (across: Int, down: Int), meaning: Scene.Ring.Meaning, color: RGB,
    strips: KittyStrips, of picture: Mipmap
  ) {
    (width, height) = (spec.width, spec.height)
    columns = ring.across..<width - ring.across
    rows = ring.down..<height - ring.down
    let widths = strips.widths
    hole = (
      columns.dropFirst(widths.left).dropLast(widths.right),
      rows.dropFirst(widths.top).dropLast(widths.bottom)
    )
    // Transparent pixels have the ring's colour: a terminal that interpolates draws no seam then.
    let (red, green, blue) = (UInt32(color.red), UInt32(color.green), UInt32(color.blue))
    let clear = (red | green << 8 | blue << 16).littleEndian
    pixels = Array(repeating: clear, count: width * height)
    addRing(meaning, in: clear | UInt32(0xFF00_0000).littleEndian)
    let (above, below) = (
      rows.lowerBound..<hole.rows.lowerBound, hole.rows.upperBound..<rows.upperBound
    )
    for part in [above, below] { addStrip(columns, part, showing: strips.crop, of: picture) }
    for part in [
      columns.lowerBound..<hole.columns.lowerBound, hole.columns.upperBound..<columns.upperBound,
    ] {
      addStrip(part, hole.rows, showing: strips.crop, of: picture)
    }
    blendHole()
  }

  /// The finished image.
  var raster: PixelRaster {
    PixelRaster(
      width: width, height: height, pixels: pixels.withUnsafeBytes { Array($0) }, isOpaque: false)
  }

  private mutating func addRing(_ meaning: Scene.Ring.Meaning, in color: UInt32) {
    for y in 0..<height {
      if !rows.contains(y) {
        for x in 0..<width where meaning.shows(at: x, of: width) { pixels[y * width + x] = color }
      } else if meaning.shows(at: y, of: height) {
        for x in 0..<columns.lowerBound { pixels[y * width + x] = color }
        for x in columns.upperBound..<width { pixels[y * width + x] = color }
      }
    }
  }

  private mutating func addStrip(
    _ columns: Range<Int>, _ rows: Range<Int>, showing crop: PixelRect, of picture: Mipmap
  ) {
    func frame(_ columns: Range<Int>, _ rows: Range<Int>) -> PixelRect {
      PixelRect(
        x: Double(columns.lowerBound), y: Double(rows.lowerBound), width: Double(columns.count),
        height: Double(rows.count))
    }
    let region = frame(columns, rows).crop(showing: crop, in: frame(self.columns, self.rows))
    var scaling = PictureScaling(
      picture, region: region, width: columns.count, height: rows.count)
    scaling?.advance(pixels: .max)
    scaling?.raster.pixels.withUnsafeBytes { source in
      for (line, y) in rows.enumerated() {
        for (place, x) in columns.enumerated() {
          pixels[y * width + x] = source.loadUnaligned(
            fromByteOffset: (line * columns.count + place) * 4, as: UInt32.self)
        }
      }
    }
  }

  /// Gives the outermost pixels of the hole the colours of their neighbors, and keeps them transparent.
  private mutating func blendHole() {
    guard columns.lowerBound > 0, rows.lowerBound > 0, let left = hole.columns.first,
      let right = hole.columns.last,
      let top = hole.rows.first, let bottom = hole.rows.last
    else { return }
    for y in hole.rows {
      pixels[y * width + left] = PixelRaster.transparent(pixels[y * width + left - 1])
      pixels[y * width + right] = PixelRaster.transparent(pixels[y * width + right + 1])
    }
    for x in hole.columns {
      pixels[top * width + x] = PixelRaster.transparent(pixels[(top - 1) * width + x])
      pixels[bottom * width + x] = PixelRaster.transparent(pixels[(bottom + 1) * width + x])
    }
  }
}
