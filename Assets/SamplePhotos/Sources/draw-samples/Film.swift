import Glibc

/// How a canvas becomes a photo: exposure, the film's curve, darker corners and grain.
struct Film {
  /// What the light is multiplied by first.
  var exposure: Float = 1
  /// 1 leaves colors as they are, 0 is gray.
  var saturation: Float = 1.08
  /// How much darker the corners are, 0 to 1.
  var vignette: Float = 0.22
  /// The spread of the grain in 8-bit steps.
  var grain: Float = 1.1

  /// The photo: 8-bit sRGB, RGB or (with alpha) RGBA not premultiplied, rows top to bottom.
  func developed(_ canvas: Canvas, alpha: Bool) -> [UInt8] {
    let noise = Noise(77)
    let curve = Self.curve
    var bytes: [UInt8] = []
    bytes.reserveCapacity(canvas.width * canvas.height * (alpha ? 4 : 3))
    let centre = SIMD2(Float(canvas.width), Float(canvas.height)) / 2
    for y in 0..<canvas.height {
      for x in 0..<canvas.width {
        let pixel = canvas.pixels[y * canvas.width + x]
        let cover = max(pixel.w, 1e-6)
        var light = Light(pixel.x, pixel.y, pixel.z) / cover * exposure
        let offset = (SIMD2(Float(x), Float(y)) - centre) / centre
        let corner = dot(offset, offset) / 2
        light *= 1 - vignette * corner * corner - vignette * 0.3 * corner
        let grey = Light(repeating: light.luminance)
        light = mix(grey, light, saturation).clamped(
          lowerBound: .zero, upperBound: .init(repeating: 60))
        // Two throws added fall more often near the middle, as grain does.
        let speck =
          grain
          * (noise.random(Int32(x), Int32(y)) + noise.random(Int32(x) + 7919, Int32(y)) - 1) * 2
        for channel in 0..<3 {
          // The curve is tabulated over the square root, which gives the shadows their share.
          let position = (light[channel] / 60).squareRoot() * Float(curve.count - 2)
          let below = Int(position)
          let value = mix(curve[below], curve[below + 1], position - Float(below)) + speck
          bytes.append(UInt8(max(0, min(255, value.rounded()))))
        }
        if alpha { bytes.append(UInt8(max(0, min(255, (pixel.w * 255).rounded())))) }
      }
    }
    return bytes
  }

  /// 8-bit sRGB for light from 0 to 60, over the square root of the light.
  ///
  /// The filmic curve is Narkowicz' fit to ACES (2015), which rolls the highlights off softly.
  private static let curve: [Float] = (0...4097).map { index in
    let root = Float(index) / 4096
    let x = root * root * 60 * 0.72
    let film = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)
    let value = unit(film)
    let encoded = value <= 0.003_130_8 ? value * 12.92 : 1.055 * powf(value, 1 / 2.4) - 0.055
    return encoded * 255
  }
}
