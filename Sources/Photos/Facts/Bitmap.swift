import Geometry

/// Decoded pixels: RGBA, 8 bits per channel, premultiplied alpha, rows from top to bottom, no
/// padding.
package struct Bitmap: Equatable, Sendable {
  package let width: Int
  package let height: Int
  /// The pixels: `width * height * 4` bytes.
  package let pixels: [UInt8]
  package let isOpaque: Bool

  /// Creates a bitmap; `pixels` must contain exactly `width * height * 4` bytes.
  package init(width: Int, height: Int, pixels: [UInt8], isOpaque: Bool) {
    precondition(
      width > 0 && height > 0 && pixels.count == width * height * 4,
      "a \(width)x\(height) bitmap cannot be \(pixels.count) bytes long")
    self.width = width
    self.height = height
    self.pixels = pixels
    self.isOpaque = isOpaque
  }

  package var size: PixelSize { PixelSize(width: Double(width), height: Double(height)) }
}

/// A color in sRGB, 8 bits per channel.
package struct RGB: Equatable, Hashable, Sendable {
  /// The red channel, 0 to 255.
  package var red: UInt8
  /// The green channel, 0 to 255.
  package var green: UInt8
  /// The blue channel, 0 to 255.
  package var blue: UInt8

  package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  package static let black = RGB(0, 0, 0)

  /// Returns this color blended over another, with an opacity of `share` (0 to 1).
  package func blended(over other: RGB, share: Double) -> RGB {
    func mix(_ top: UInt8, _ bottom: UInt8) -> UInt8 {
      UInt8(max(0, min(255, (Double(top) * share + Double(bottom) * (1 - share)).rounded())))
    }
    return RGB(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
  }
}

extension Bitmap {
  /// Returns the bitmap rotated or flipped by an orientation.
  package func turned(_ orientation: Orientation) -> Bitmap {
    guard orientation != .upright else { return self }
    let sides = orientation.turned(width: width, height: height)
    let path = orientation.placement(width: width, height: height)
    let result = [UInt8](unsafeUninitializedCapacity: pixels.count) { bytes, count in
      pixels.withUnsafeBytes { source in
        let from = source.bindMemory(to: SIMD4<UInt8>.self)
        bytes.withMemoryRebound(to: SIMD4<UInt8>.self) { to in
          var next = 0
          for y in 0..<height {
            var at = path.start + y * path.perRow
            for _ in 0..<width {
              to[at] = from[next]
              next += 1
              at += path.perColumn
            }
          }
        }
      }
      count = pixels.count
    }
    return Bitmap(width: sides.width, height: sides.height, pixels: result, isOpaque: isOpaque)
  }
}
