import Geometry
import TestSupport
import Testing

@testable import SceneRendering

struct ErrorDiffusionTests {
  @Test(arguments: [2, 9, 60, 256])
  func `no pixel is a speck of another colour`(colorCount: Int) {
    let seed = UInt64(colorCount)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let (width, height) = (Int.random(in: 1...40, using: &random), 23)
      let pixels = Self.photo(width: width, height: height, &random)
      let colors = (0..<colorCount).map { _ in
        SIMD4<Float>(
          .random(in: 0...255, using: &random), .random(in: 0...255, using: &random),
          .random(in: 0...255, using: &random), 255)
      }
      let bound = Int16.random(in: 4...32, using: &random)
      var nearest = NearestColors()
      nearest.load(SixelPalette(colors), isCoarse: false)
      var diffusion = ErrorDiffusion()
      var registers = Array(repeating: UInt16(0), count: pixels.count)

      nearest.withLookup { lookup in
        pixels.withUnsafeBufferPointer { pixels in
          registers.withUnsafeMutableBufferPointer {
            diffusion.run(over: pixels, width: width, with: lookup, bound: bound, into: $0)
          }
        }

        for (pixel, register) in zip(pixels, registers) {
          let channels = SIMD4<Int16>(
            truncatingIfNeeded: unsafeBitCast(pixel, to: SIMD4<UInt8>.self))
          let off = lookup.colors[Int(register)] &- channels
          let farthest = max(abs(off.x), abs(off.y), abs(off.z))
          #expect(
            farthest <= 2 * bound || register == lookup.register(for: channels, hint: 0),
            "seed \(seed), \(farthest) of \(bound)")
        }
      }
    }
  }

  /// Opaque pixels of gradients, an edge and noise.
  private static func photo(
    width: Int, height: Int, _ random: inout SeededGenerator
  ) -> [UInt32] {
    let edge = Int.random(in: 0...width, using: &random)
    return (0..<width * height).map { index in
      let (x, y) = (index % width, index / width)
      let color: [Int] = x < edge ? [40 + 3 * x, 90 + 5 * y, 200 - x] : [220 - 6 * y, 120, 3 * x]
      let channels = color.map { level in
        UInt32(max(0, min(255, level + Int.random(in: -9...9, using: &random))))
      }
      return channels[0] | channels[1] << 8 | channels[2] << 16 | 0xFF00_0000
    }
  }
}
