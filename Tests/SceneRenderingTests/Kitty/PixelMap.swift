import Geometry
import Photos

/// A pixel, channels 0 to 255, alpha not premultiplied.
///
/// It is not a SIMD vector: without optimization those take a hundred times as long.
struct Pixel: Equatable {
  var red: Float
  var green: Float
  var blue: Float
  var alpha: Float

  init(_ red: Float, _ green: Float, _ blue: Float, _ alpha: Float = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  static let clear = Pixel(0, 0, 0, 0)

  /// The weighted sum of two pixels.
  static func mix(_ left: Pixel, _ leftShare: Float, _ right: Pixel, _ rightShare: Float) -> Pixel {
    Pixel(
      left.red * leftShare + right.red * rightShare,
      left.green * leftShare + right.green * rightShare,
      left.blue * leftShare + right.blue * rightShare,
      left.alpha * leftShare + right.alpha * rightShare)
  }
}

/// A picture that a test examines.
struct PixelMap: Equatable {
  let width: Int
  let height: Int
  var pixels: [Pixel]

  init(width: Int, height: Int, filledWith pixel: Pixel = .clear) {
    self.width = width
    self.height = height
    pixels = Array(repeating: pixel, count: width * height)
  }

  init(width: Int, height: Int, bytes: [UInt8]) {
    self.init(width: width, height: height)
    for index in pixels.indices {
      let at = index * 4
      pixels[index] = Pixel(
        Float(bytes[at]), Float(bytes[at + 1]), Float(bytes[at + 2]), Float(bytes[at + 3]))
    }
  }

  subscript(x: Int, y: Int) -> Pixel {
    get { pixels[y * width + x] }
    set { pixels[y * width + x] = newValue }
  }

  /// The interpolated color at a point; beyond the edges the outermost pixels are repeated.
  func interpolated(_ x: Double, _ y: Double) -> Pixel {
    let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
    let (u, v) = (Float(x - 0.5 - left), Float(y - 0.5 - top))
    let (column, row) = (Int(left), Int(top))
    func pixel(_ x: Int, _ y: Int) -> Pixel {
      self[x < 0 ? 0 : x < width ? x : width - 1, y < 0 ? 0 : y < height ? y : height - 1]
    }
    if u < 1e-4, v < 1e-4 { return pixel(column, row) }
    let above = Pixel.mix(pixel(column, row), 1 - u, pixel(column + 1, row), u)
    let below = Pixel.mix(pixel(column, row + 1), 1 - u, pixel(column + 1, row + 1), u)
    return .mix(above, 1 - v, below, v)
  }

  /// Blends a color over a pixel.
  mutating func blend(_ color: Pixel, share: Float = 1, x: Int, y: Int) {
    let alpha = color.alpha / 255 * share
    guard alpha > 0 else { return }
    self[x, y] =
      alpha == 1
      ? color : .mix(Pixel(color.red, color.green, color.blue), alpha, self[x, y], 1 - alpha)
  }

  /// The largest difference of a color channel between a pixel of two maps.
  func difference(_ other: PixelMap, x: Int, y: Int) -> Float {
    let (left, right) = (self[x, y], other[x, y])
    return max(
      abs(left.red - right.red), abs(left.green - right.green), abs(left.blue - right.blue))
  }

  /// The number of pixels that differ by more than a tolerance, and a description of the first.
  ///
  /// Pixels near the given edges do not count, since edges may be slightly off.
  func differences(
    from other: PixelMap, tolerance: Float, besides edges: [PixelRect] = [],
    by slack: PixelSize = PixelSize(width: 1, height: 1)
  ) -> (count: Int, first: String) {
    var (count, first) = (0, "none")
    for y in 0..<height {
      for x in 0..<width where difference(other, x: x, y: y) > tolerance {
        let place = PixelPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)
        if edges.contains(where: { $0.isEdge(near: place, slack) }) { continue }
        if count == 0 { first = "at \(x),\(y): \(self[x, y]) instead of \(other[x, y])" }
        count += 1
      }
    }
    return (count, first)
  }
}

extension PixelRect {
  /// Whether a point is near the outline.
  fileprivate func isEdge(near place: PixelPoint, _ slack: PixelSize) -> Bool {
    func isNear(_ value: Double, _ edge: Double, _ slack: Double) -> Bool {
      abs(value - edge) <= slack
    }
    let isBeside = place.x > minX - slack.width && place.x < maxX + slack.width
    let isAbove = place.y > minY - slack.height && place.y < maxY + slack.height
    return isAbove
      && (isNear(place.x, minX, slack.width) || isNear(place.x, maxX, slack.width))
      || isBeside
        && (isNear(place.y, minY, slack.height) || isNear(place.y, maxY, slack.height))
  }
}

extension RGB {
  /// The opaque pixel of this color.
  var pixel: Pixel { Pixel(Float(red), Float(green), Float(blue)) }
}
