import PhotoGridCore

/// Pixels as terminals take them: RGBA, 8 bits a channel, alpha not premultiplied, rows top to
/// bottom, no padding.
struct PixelRaster: Equatable {
  let width: Int
  let height: Int
  /// `width * height * 4` bytes.
  let pixels: [UInt8]
  /// Whether every alpha is 255.
  let isOpaque: Bool

  /// The mean colour of the outermost pixels, transparent ones as they are.
  var edgeColor: RGB {
    var (sum, count) = (SIMD4<Int>.zero, 0)
    func add(_ x: Int, _ y: Int) {
      let at = (y * width + x) * 4
      sum &+= SIMD4(Int(pixels[at]), Int(pixels[at + 1]), Int(pixels[at + 2]), 0)
      count += 1
    }
    for x in 0..<width { for y in [0, height - 1] { add(x, y) } }
    for y in 0..<height { for x in [0, width - 1] { add(x, y) } }
    return RGB(UInt8(sum[0] / count), UInt8(sum[1] / count), UInt8(sum[2] / count))
  }

  /// The raster with transparent pixels around it, each in the colour of the nearest pixel of the
  /// raster: then a terminal that interpolates draws no dark seam.
  func bordered(by border: Insets) -> PixelRaster {
    guard border != .zero else { return self }
    let size = border.outset(width: width, height: height)
    let rowBytes = size.width * 4
    let bytes = [UInt8](unsafeUninitializedCapacity: rowBytes * size.height) { out, count in
      count = rowBytes * size.height
      pixels.withUnsafeBytes { pixels in
        guard let out = UnsafeMutableRawPointer(out.baseAddress), let pixels = pixels.baseAddress
        else { return }
        for y in 0..<size.height {
          let inside = min(max(y - border.top, 0), height - 1)
          let isOutside = inside != y - border.top
          let source = pixels + inside * width * 4
          let row = out + y * rowBytes
          func fill(_ columns: Range<Int>, from column: Int) {
            let pixel = Self.transparent(
              (source + column * 4).loadUnaligned(as: UInt32.self))
            for x in columns { row.storeBytes(of: pixel, toByteOffset: x * 4, as: UInt32.self) }
          }
          fill(0..<border.left, from: 0)
          fill(border.left + width..<size.width, from: width - 1)
          if isOutside {
            for x in 0..<width { fill(border.left + x..<border.left + x + 1, from: x) }
          } else {
            (row + border.left * 4).copyMemory(from: source, byteCount: width * 4)
          }
        }
      }
    }
    return PixelRaster(width: size.width, height: size.height, pixels: bytes, isOpaque: false)
  }

  private static func transparent(_ pixel: UInt32) -> UInt32 {
    UInt32(littleEndian: UInt32(littleEndian: pixel) & 0xFF_FFFF)
  }
}

/// Widths of a border in pixels, none of them negative.
struct Insets: Hashable {
  var left: Int
  var top: Int
  var right: Int
  var bottom: Int

  static let zero = Insets(left: 0, top: 0, right: 0, bottom: 0)

  /// A size with the border around it.
  func outset(width: Int, height: Int) -> (width: Int, height: Int) {
    (width + left + right, height + top + bottom)
  }
}

/// Scales a part of a picture to a raster, some rows at a time.
struct PictureScaling {
  let width: Int
  let height: Int
  private let sampler: PictureSampler
  private var pixels: [UInt8]
  private var nextRow = 0

  /// The scaling of a region, in fractions of the picture; nil where there is nothing to scale.
  init?(_ picture: Mipmap, region: PixelRect, width: Int, height: Int) {
    guard width > 0, height > 0 else { return nil }
    let frame = PixelRect(x: 0, y: 0, width: Double(width), height: Double(height))
    // Two to four pixels of a level are under a sample's width: exact enough, and the cost does not
    // grow with the picture.
    let sampler = PictureSampler(
      picture, crop: region, in: frame, sample: PixelSize(width: 1, height: 1), finest: 4)
    guard var sampler else { return nil }
    // A picture was decoded to these pixels; between them it would be softer than it is.
    sampler.alignToPixels(in: frame)
    (self.sampler, self.width, self.height) = (sampler, width, height)
    if let unscaled = sampler.unscaledPixels(width: width, height: height) {
      (pixels, nextRow) = (unscaled, height)
    } else {
      pixels = Array(repeating: 0, count: width * height * 4)
    }
  }

  /// Pixels that are still to be made.
  var remaining: Int { (height - nextRow) * width }

  /// Makes so many pixels, in whole rows, and at least one row.
  mutating func advance(pixels count: Int) {
    guard remaining > 0 else { return }
    let end = min(nextRow + max(count / width, 1), height)
    var row = [SIMD4<Float>](repeating: .zero, count: width)
    var scratch: [SIMD4<Float>] = []
    // Out of the struct, so that the sampler can be read while they are written.
    var pixels: [UInt8] = []
    swap(&pixels, &self.pixels)
    row.withUnsafeMutableBufferPointer { row in
      pixels.withUnsafeMutableBytes { pixels in
        guard let row = row.baseAddress, let pixels = pixels.baseAddress else { return }
        for y in nextRow..<end {
          row.update(repeating: .zero, count: width)
          sampler.paint(
            columns: 0..<width, sampleWidth: 1, extent: Double(y)...Double(y + 1), opacity: 1,
            over: row, scratch: &scratch)
          convert(row, to: pixels + y * width * 4)
        }
      }
    }
    swap(&pixels, &self.pixels)
    nextRow = end
  }

  /// What was made, once nothing remains.
  var raster: PixelRaster {
    PixelRaster(width: width, height: height, pixels: pixels, isOpaque: sampler.bitmap.isOpaque)
  }

  /// Writes samples, which are premultiplied, as pixels that are not.
  private func convert(_ row: UnsafePointer<SIMD4<Float>>, to pixels: UnsafeMutableRawPointer) {
    let pixels = pixels.assumingMemoryBound(to: UInt8.self)
    let isOpaque = sampler.bitmap.isOpaque
    // A channel at a time: converting whole vectors is slow in Swift 6.
    func byte(_ value: Float) -> UInt8 { UInt8(truncatingIfNeeded: Int32(value + 0.5)) }
    for x in 0..<width {
      var color = row[x]
      if isOpaque {
        color.w = 255
      } else {
        let alpha = color.w
        color = alpha > 0.5 ? pointwiseMin(color * (255 / alpha), SIMD4(repeating: 255)) : .zero
        color.w = alpha
      }
      for channel in 0..<4 { pixels[x * 4 + channel] = byte(color[channel]) }
    }
  }
}
