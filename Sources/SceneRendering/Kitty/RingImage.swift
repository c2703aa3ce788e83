import Geometry
import Photos
import SceneModel

/// The image of a ring around a tile.
struct RingImage {
  /// The size of the image, with its border.
  let spec: KittySpec
  /// The breadth of the ring, in pixels.
  let breadth: (across: Int, down: Int)
  let ink: RingInk

  init(_ spec: KittySpec, tile: (width: Int, height: Int), _ ink: RingInk) {
    self.spec = spec
    breadth = ((spec.width - tile.width) / 2, (spec.height - tile.height) / 2)
    self.ink = ink
  }

  /// The PNG of the ring around an empty tile.
  var file: [UInt8] {
    PNG.file(
      of: ink, width: spec.width, height: spec.height,
      hole: Insets(
        left: breadth.across, top: breadth.down, right: breadth.across, bottom: breadth.down),
      border: spec.border)
  }

  func raster(with strips: KittyStrips, of picture: Mipmap) -> PixelRaster {
    RingDrawing(self, strips, of: picture).raster
  }
}

/// Draws a ring with strips of its photo, pixel by pixel.
private struct RingDrawing {
  private let width: Int
  private let height: Int
  /// The columns and rows of the tile.
  private let columns: Range<Int>
  private let rows: Range<Int>
  /// The part of the tile inside of the strips, which stays transparent.
  private let hole: (columns: Range<Int>, rows: Range<Int>)
  /// RGBA, 8 bits each, a pixel's four bytes as they lie in memory, rows top to bottom, no padding.
  private var pixels: [UInt32]

  init(_ ring: RingImage, _ strips: KittyStrips, of picture: Mipmap) {
    (width, height) = (ring.spec.width, ring.spec.height)
    columns = ring.breadth.across..<width - ring.breadth.across
    rows = ring.breadth.down..<height - ring.breadth.down
    let widths = strips.widths
    hole = (
      columns.dropFirst(widths.left).dropLast(widths.right),
      rows.dropFirst(widths.top).dropLast(widths.bottom)
    )
    // Transparent pixels have the ring's color: a terminal that interpolates draws no seam then.
    pixels = Array(
      repeating: PixelRaster.transparent(Self.pixel(ring.ink.first)), count: width * height)
    addRing(ring.ink)
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

  var raster: PixelRaster {
    PixelRaster(
      width: width, height: height, pixels: pixels.withUnsafeBytes { Array($0) }, isOpaque: false)
  }

  /// An opaque pixel as it lies in memory.
  private static func pixel(_ color: RGB) -> UInt32 {
    let (red, green, blue) = (UInt32(color.red), UInt32(color.green), UInt32(color.blue))
    return (red | green << 8 | blue << 16 | 0xFF00_0000).littleEndian
  }

  private mutating func addRing(_ ink: RingInk) {
    for y in 0..<height {
      if !rows.contains(y) {
        for x in 0..<width {
          if let color = ink.color(at: x, of: width) { pixels[y * width + x] = Self.pixel(color) }
        }
      } else if let color = ink.color(at: y, of: height).map(Self.pixel) {
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
        for (offset, x) in columns.enumerated() {
          pixels[y * width + x] = source.loadUnaligned(
            fromByteOffset: (line * columns.count + offset) * 4, as: UInt32.self)
        }
      }
    }
  }

  /// Gives the outermost pixels of the hole the colors of their neighbors, and keeps them transparent.
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
