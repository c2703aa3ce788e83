import Glibc

/// A picture being painted: linear light, premultiplied by its alpha, rows top to bottom.
struct Canvas {
  let width: Int
  let height: Int
  /// Red, green, blue and alpha of every pixel.
  private(set) var pixels: [SIMD4<Float>]

  /// An opaque black canvas, or a clear one.
  init(width: Int, height: Int, clear: Bool = false) {
    precondition(width > 0 && height > 0, "a canvas of \(width)x\(height) holds nothing")
    self.width = width
    self.height = height
    pixels = Array(
      repeating: SIMD4(0, 0, 0, clear ? 0 : 1), count: width * height)
  }

  /// The light at a pixel; beyond the edges that of the nearest one.
  subscript(x: Int, y: Int) -> Light {
    let pixel = pixels[max(0, min(height - 1, y)) * width + max(0, min(width - 1, x))]
    return Light(pixel.x, pixel.y, pixel.z)
  }

  /// Replaces every pixel; the closure gets the column and row of the pixel.
  @inline(__always)
  mutating func fill(_ light: (Int, Int) -> Light) {
    for y in 0..<height {
      for x in 0..<width { pixels[y * width + x] = SIMD4(light(x, y), 1) }
    }
  }

  /// A part of the canvas, in pixels.
  struct Region {
    var left: Float
    var top: Float
    var right: Float
    var bottom: Float
  }

  /// Lays paint over the pixels of a region.
  ///
  /// The closure gets the center of a pixel and returns the light there and how much of the pixel
  /// it covers, 0 to 1.
  @inline(__always)
  mutating func paint(_ region: Region, _ paint: (Float, Float) -> (Light, Float)) {
    let columns = span(region.left, region.right, limit: width)
    for y in span(region.top, region.bottom, limit: height) {
      for x in columns {
        let (light, cover) = paint(Float(x) + 0.5, Float(y) + 0.5)
        guard cover > 0 else { continue }
        let share = min(1, cover)
        let under = pixels[y * width + x]
        pixels[y * width + x] = SIMD4(light, 1) * share + under * (1 - share)
      }
    }
  }

  /// Adds light to the pixels of a region, as a lamp or a star does.
  @inline(__always)
  mutating func shine(_ region: Region, _ light: (Float, Float) -> Light) {
    let columns = span(region.left, region.right, limit: width)
    for y in span(region.top, region.bottom, limit: height) {
      for x in columns {
        pixels[y * width + x] += SIMD4(light(Float(x) + 0.5, Float(y) + 0.5), 0)
      }
    }
  }

  private func span(_ low: Float, _ high: Float, limit: Int) -> Range<Int> {
    let first = Int(max(0, min(Float(limit), low.rounded(.down))))
    let last = Int(max(0, min(Float(limit), high.rounded(.up))))
    return first..<max(first, last)
  }

  /// Lets the brightest light spill over its surroundings, as a lens does.
  ///
  /// `threshold` is the light from which on it spills, `radius` the reach as a part of the
  /// picture's longer side.
  mutating func bloom(above threshold: Float, radius: Float, strength: Float) {
    let block = max(1, max(width, height) / 320)
    let across = (width + block - 1) / block
    let down = (height + block - 1) / block
    var glow = [Light](repeating: .zero, count: across * down)
    for y in 0..<height {
      for x in 0..<width {
        let light = self[x, y]
        let excess = max(0, light.luminance - threshold)
        guard excess > 0 else { continue }
        glow[(y / block) * across + x / block] += light * min(1, excess / light.luminance)
      }
    }
    let reach = max(1, Int(radius * Float(max(across, down))))
    for _ in 0..<3 {
      glow = Self.blurred(glow, width: across, height: down, reach: reach)
    }
    let scale = strength / Float(block * block)
    for y in 0..<height {
      for x in 0..<width {
        let u = (Float(x) + 0.5) / Float(block) - 0.5
        let v = (Float(y) + 0.5) / Float(block) - 0.5
        let left = max(0, min(across - 1, Int(max(0, u))))
        let top = max(0, min(down - 1, Int(max(0, v))))
        let right = min(across - 1, left + 1)
        let bottom = min(down - 1, top + 1)
        let upper = mix(
          glow[top * across + left], glow[top * across + right], unit(u - Float(left)))
        let lower = mix(
          glow[bottom * across + left], glow[bottom * across + right], unit(u - Float(left)))
        pixels[y * width + x] += SIMD4(mix(upper, lower, unit(v - Float(top))) * scale, 0)
      }
    }
  }

  /// The mean over squares of `2 * reach + 1`, by running sums along rows and then columns.
  private static func blurred(_ lights: [Light], width: Int, height: Int, reach: Int) -> [Light] {
    func pass(_ source: [Light], count: Int, lines: Int, step: Int, stride: Int) -> [Light] {
      var result = source
      for line in 0..<lines {
        let start = line * stride
        func at(_ i: Int) -> Light { source[start + max(0, min(count - 1, i)) * step] }
        var sum = Light.zero
        for i in -reach...reach { sum += at(i) }
        for i in 0..<count {
          result[start + i * step] = sum / Float(2 * reach + 1)
          sum += at(i + reach + 1) - at(i - reach)
        }
      }
      return result
    }
    let rows = pass(lights, count: width, lines: height, step: 1, stride: width)
    return pass(rows, count: height, lines: width, step: width, stride: 1)
  }
}
