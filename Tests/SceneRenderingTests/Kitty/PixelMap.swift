import PhotoGridCore

/// Pixels that a test looks at: RGBA, alpha not premultiplied, 0 to 255.
struct PixelMap: Equatable {
  let width: Int
  let height: Int
  var pixels: [SIMD4<Float>]

  init(width: Int, height: Int, filledWith pixel: SIMD4<Float> = .zero) {
    self.width = width
    self.height = height
    pixels = Array(repeating: pixel, count: width * height)
  }

  init(width: Int, height: Int, bytes: [UInt8]) {
    self.width = width
    self.height = height
    pixels = (0..<width * height).map { (index: Int) -> SIMD4<Float> in
      let at = index * 4
      return SIMD4<Float>(SIMD4<UInt8>(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]))
    }
  }

  subscript(x: Int, y: Int) -> SIMD4<Float> {
    get { pixels[y * width + x] }
    set { pixels[y * width + x] = newValue }
  }

  /// The colour between the pixels around a place; beyond the edges the last pixels go on.
  func interpolated(_ x: Double, _ y: Double) -> SIMD4<Float> {
    let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
    let (u, v) = (Float(x - 0.5 - left), Float(y - 0.5 - top))
    func pixel(_ x: Double, _ y: Double) -> SIMD4<Float> {
      self[min(max(Int(x), 0), width - 1), min(max(Int(y), 0), height - 1)]
    }
    let above = pixel(left, top) * (1 - u) + pixel(left + 1, top) * u
    let below = pixel(left, top + 1) * (1 - u) + pixel(left + 1, top + 1) * u
    return above * (1 - v) + below * v
  }

  /// Puts a colour over a pixel.
  mutating func blend(_ color: SIMD4<Float>, share: Float = 1, x: Int, y: Int) {
    let alpha = color.w / 255 * share
    let under = self[x, y]
    var mixed = color * alpha + under * (1 - alpha)
    mixed.w = 255 * alpha + under.w * (1 - alpha)
    self[x, y] = mixed
  }

  /// The largest difference of a channel of a pixel from another map's.
  func difference(_ other: PixelMap, x: Int, y: Int) -> Float {
    let difference = self[x, y] - other[x, y]
    return max(abs(difference.x), abs(difference.y), abs(difference.z))
  }

  /// How many pixels differ by more than a tolerance, and the first of them in words.
  ///
  /// Pixels near the edges of some frames do not count, where edges may be a little off.
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
  /// Whether a place is near the outline.
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
  /// The opaque pixel of this colour.
  var pixel: SIMD4<Float> { SIMD4(Float(red), Float(green), Float(blue), 255) }
}
