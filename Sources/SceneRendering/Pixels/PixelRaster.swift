import Geometry
import Photos
import SceneModel

/// Pixels in the format of terminals: RGBA, 8 bits a channel, alpha not premultiplied, rows top to
/// bottom, no padding.
struct PixelRaster: Equatable {
  let width: Int
  let height: Int
  /// The pixels, in `width * height * 4` bytes.
  let pixels: [UInt8]
  /// Whether every alpha is 255.
  let isOpaque: Bool

  /// The mean color of the outermost pixels, regardless of their alpha.
  var edgeColor: RGB {
    var (sum, count) = (SIMD4<Int>.zero, 0)
    func sample(_ x: Int, _ y: Int) {
      let at = (y * width + x) * 4
      sum &+= SIMD4(Int(pixels[at]), Int(pixels[at + 1]), Int(pixels[at + 2]), 0)
      count += 1
    }
    for x in 0..<width { for y in [0, height - 1] { sample(x, y) } }
    for y in 0..<height { for x in [0, width - 1] { sample(x, y) } }
    return RGB(UInt8(sum[0] / count), UInt8(sum[1] / count), UInt8(sum[2] / count))
  }

  /// Returns the raster with a transparent border around it.
  ///
  /// Each pixel of the border has the color of the nearest pixel of the raster, so that a terminal
  /// that interpolates draws no dark seam.
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

  /// A pixel as it lies in memory, in the same color without being seen.
  static func transparent(_ pixel: UInt32) -> UInt32 {
    UInt32(littleEndian: UInt32(littleEndian: pixel) & 0xFF_FFFF)
  }
}

/// The widths of a border in pixels, none of them negative.
struct Insets: Hashable {
  var left: Int
  var top: Int
  var right: Int
  var bottom: Int

  static let zero = Insets(left: 0, top: 0, right: 0, bottom: 0)

  func outset(width: Int, height: Int) -> (width: Int, height: Int) {
    (width + left + right, height + top + bottom)
  }
}

/// The scaling of a part of a picture to a raster, which can be done some rows at a time.
struct PictureScaling {
  let width: Int
  let height: Int
  private let sampler: PictureSampler
  private var pixels: [UInt8]
  private var nextRow = 0

  /// Creates the scaling of a region, in fractions of the picture; returns nil if it is empty.
  init?(_ picture: Mipmap, region: PixelRect, width: Int, height: Int) {
    guard width > 0, height > 0 else { return nil }
    let frame = PixelRect(x: 0, y: 0, width: Double(width), height: Double(height))
    // A sample is two to four pixels of a level wide, which is exact enough, and the cost does not
    // grow with the picture.
    let sampler = PictureSampler(
      picture, crop: region, in: frame, sample: PixelSize(width: 1, height: 1), finest: 4)
    guard var sampler else { return nil }
    // The picture may have been decoded to exactly these pixels; mixing them would make it softer.
    sampler.alignToPixels(in: frame)
    (self.sampler, self.width, self.height) = (sampler, width, height)
    if let unscaled = sampler.unscaledPixels(width: width, height: height) {
      (pixels, nextRow) = (unscaled, height)
    } else {
      pixels = Array(repeating: 0, count: width * height * 4)
    }
  }

  /// The number of pixels still to be computed.
  var remaining: Int { (height - nextRow) * width }

  mutating func advance(pixels count: Int) {
    guard remaining > 0 else { return }
    let end = min(nextRow + max(count / width, 1), height)
    var row = [SIMD4<Float>](repeating: .zero, count: width)
    var scratch: [SIMD4<Float>] = []
    // Moved out of the struct, so that the sampler can be read while they are written.
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

  /// The result, which is complete once nothing remains.
  var raster: PixelRaster {
    PixelRaster(width: width, height: height, pixels: pixels, isOpaque: sampler.bitmap.isOpaque)
  }

  /// Converts premultiplied samples to pixels that are not premultiplied.
  private func convert(_ row: UnsafePointer<SIMD4<Float>>, to pixels: UnsafeMutableRawPointer) {
    let pixels = pixels.assumingMemoryBound(to: UInt8.self)
    let isOpaque = sampler.bitmap.isOpaque
    // One channel at a time, because converting whole vectors is slow in Swift 6.
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
