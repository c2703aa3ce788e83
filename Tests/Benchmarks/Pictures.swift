import Foundation
import Geometry
import Photos
import PseudoTerminal
import SceneRendering

/// The picture that a command of libvips writes to the given file; nil if it fails.
func picture(by command: (String) -> [String]) -> Bitmap? {
  let file = NSTemporaryDirectory() + "photogrid-bench-\(getpid()).ppm"
  defer { unlink(file) }
  return Command.run(command(file)).flatMap { _ in Bitmap(pixelMap: contents(file)) }
}

extension Bitmap {
  /// The binary portable pixel map of the colors: netpbm's P6, 8 bits a channel.
  var pixelMap: Data {
    Data("P6\n\(width) \(height)\n255\n".utf8)
      + pixels.indices.lazy.filter { $0 % 4 != 3 }.map { pixels[$0] }
  }

  /// Decodes a pixel map as libvips writes it, with a comment in the second line; nil if it is none.
  init?(pixelMap bytes: [UInt8]) {
    let parts = bytes.split(separator: 10, maxSplits: 4, omittingEmptySubsequences: false)
    let size = parts.dropFirst(2).first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let sides = size.split(separator: " ").compactMap { Int($0) }
    guard parts.count == 5, sides.count == 2, parts[4].count >= sides[0] * sides[1] * 3 else {
      return nil
    }
    var pixels = [UInt8](repeating: 255, count: sides[0] * sides[1] * 4)
    for (index, byte) in zip(pixels.indices.lazy.filter({ $0 % 4 != 3 }), parts[4]) {
      pixels[index] = byte
    }
    self.init(width: sides[0], height: sides[1], pixels: pixels, isOpaque: true)
  }

  /// Red, green and blue.
  var planes: [FloatPlane] {
    (0..<3).map { channel in
      let values = stride(from: channel, to: pixels.count, by: 4).map { Float(pixels[$0]) }
      return FloatPlane(width: width, values: values)
    }
  }
}

extension [FloatPlane] {
  /// The luma of three channels.
  var luma: FloatPlane {
    FloatPlane(
      width: self[0].width,
      values: self[0].values.indices.map {
        0.299 * self[0].values[$0] + 0.587 * self[1].values[$0] + 0.114 * self[2].values[$0]
      })
  }

  /// The signal-to-noise ratio to other channels of the same size, in decibels.
  func decibels(to other: [FloatPlane]) -> Double {
    let errors = zip(self, other).map { one, other in
      precondition(one.values.count == other.values.count, "planes of two sizes")
      return zip(one.values, other.values).map { Double(($0 - $1) * ($0 - $1)) }.mean
    }
    return 10 * log10(255 * 255 / Swift.max(errors.mean, 1e-3))
  }
}

/// One channel of a picture.
struct FloatPlane {
  let width: Int
  /// The rows, top to bottom.
  var values: [Float]

  private var height: Int { values.count / width }

  /// The mean squared difference of horizontally and vertically adjacent pixels.
  var edgeEnergy: Double {
    var sum = 0.0
    for at in values.indices.dropLast(width) where at % width < width - 1 {
      let (across, down) = (values[at + 1] - values[at], values[at + width] - values[at])
      sum += Double(across * across + down * down)
    }
    return sum / Double((width - 1) * (height - 1))
  }

  /// The plane blurred by a Gaussian window with a standard deviation in pixels.
  func blurred(by deviation: Double) -> FloatPlane {
    let reach = Int((3 * deviation).rounded(.up))
    let window = (-reach...reach).map { Float(exp(-Double($0 * $0) / (2 * deviation * deviation))) }
    let total = window.reduce(0, +)
    return turned(filteredBy: window.map { $0 / total })
      .turned(filteredBy: window.map { $0 / total })
  }

  /// The plane with rows and columns exchanged, filtered along its rows, whose first and last pixels are repeated.
  private func turned(filteredBy window: [Float]) -> FloatPlane {
    let (width, height, reach) = (width, height, window.count / 2)
    let result = [Float](unsafeUninitializedCapacity: values.count) { result, filled in
      values.withUnsafeBufferPointer { values in
        window.withUnsafeBufferPointer { window in
          for y in 0..<height {
            for x in 0..<width {
              var sum: Float = 0
              for tap in window.indices {
                sum += window[tap] * values[y * width + min(max(x + tap - reach, 0), width - 1)]
              }
              result[x * height + y] = sum
            }
          }
        }
      }
      filled = values.count
    }
    return FloatPlane(width: height, values: result)
  }

  /// The mean structural similarity by Wang et al., "Image quality assessment", 2004.
  func similarity(to other: FloatPlane) -> Double {
    func blurredProduct(_ a: FloatPlane, _ b: FloatPlane) -> [Float] {
      FloatPlane(width: width, values: zip(a.values, b.values).map { $0 * $1 }).blurred(by: 1.5)
        .values
    }
    let (meanA, meanB) = (blurred(by: 1.5).values, other.blurred(by: 1.5).values)
    let (squaresA, squaresB) = (blurredProduct(self, self), blurredProduct(other, other))
    let products = blurredProduct(self, other)
    let (small, large): (Float, Float) = (6.5025, 58.5225)
    return values.indices.map { index in
      let (a, b) = (meanA[index], meanB[index])
      let deviations = squaresA[index] - a * a + squaresB[index] - b * b
      let shared = 2 * (products[index] - a * b)
      return Double(
        (2 * a * b + small) * (shared + large) / ((a * a + b * b + small) * (deviations + large)))
    }.mean
  }
}

/// Block glyphs as pixels, 8 by 16 per cell.
enum CellArt {
  /// The picture that a terminal with a black background shows after rows of glyphs.
  static func bitmap(of bytes: [UInt8], size: CellSize) -> Bitmap {
    var screen = ScreenReader(columns: size.columns, rows: size.rows + 1)
    screen.feed(bytes.flatMap { $0 == 10 ? [13, 10] : [$0] })
    var pixels = [UInt8](repeating: 255, count: size.columns * size.rows * 128 * 4)
    for (place, cell) in screen.cells.dropLast(size.columns).enumerated() {
      guard let ink = cell.glyph.unicodeScalars.first.flatMap({ ink[$0] }) else {
        preconditionFailure("\(cell.glyph) is no block glyph")
      }
      let (front, back) = (cell.foreground ?? 0xFFFFFF, cell.background ?? 0)
      let (row, column) = place.quotientAndRemainder(dividingBy: size.columns)
      for (pixel, share) in ink.enumerated() {
        let at = ((row * 16 + pixel / 8) * size.columns * 8 + column * 8 + pixel % 8) * 4
        for (channel, shift) in [UInt32(16), 8, 0].enumerated() {
          let (one, other) = (Float(front >> shift & 255), Float(back >> shift & 255))
          pixels[at + channel] = UInt8((one * share + other * (1 - share)).rounded())
        }
      }
    }
    return Bitmap(width: size.columns * 8, height: size.rows * 16, pixels: pixels, isOpaque: true)
  }

  /// Whether one glyph covers exactly what the other one leaves.
  static func areInverse(_ one: Character, _ other: Character) -> Bool {
    guard let one = one.unicodeScalars.first.flatMap({ ink[$0] }),
      let other = other.unicodeScalars.first.flatMap({ ink[$0] })
    else { return false }
    return zip(one, other).allSatisfy { abs($0 + $1 - 1) < 0.01 }
  }

  /// The share of each pixel that each glyph covers.
  private static let ink: [Unicode.Scalar: [Float]] = {
    var ink: [Unicode.Scalar: [Float]] = [:]
    for wedge in Wedge.all {
      let shares = (0..<128).map { pixel in
        let (x, y) = (Double(pixel % 8), Double(pixel / 8))
        return wedge.share(ofColumns: x / 8...(x + 1) / 8, rows: y / 16...(y + 1) / 16)
      }
      if let below = Wedge.scalar(wedge.index) { ink[below] = shares }
      if let above = Wedge.scalar(Wedge.inverse(of: wedge.index)) {
        ink[above] = shares.map { 1 - $0 }
      }
    }
    // Characters that chafa counts among the wedges, by the sides (left, top, right, bottom) whose triangles to the
    // cell's middle they cover.
    for (scalar, sides) in zip(
      (0x1FB68...0x1FB6F).map { $0 } + [0x1FB9A, 0x1FB9B],
      [0b0111, 0b1011, 0b1101, 0b1110, 0b1000, 0b0100, 0b0010, 0b0001, 0b0101, 0b1010])
    {
      ink[Unicode.Scalar(UInt32(scalar)) ?? " "] = (0..<128).map { pixel in
        let covered = (0..<64).count { point in
          let x = (Double(pixel % 8) + (Double(point % 8) + 0.5) / 8) / 8
          let y = (Double(pixel / 8) + (Double(point / 8) + 0.5) / 8) / 16
          let side = y < x ? (y < 1 - x ? 0b0100 : 0b0010) : (y < 1 - x ? 0b1000 : 0b0001)
          return sides & side != 0
        }
        return Float(covered) / 64
      }
    }
    for glyphs in Stage.blocks {
      let units = glyphs.sampleHeights.reduce(0, +)
      let samples = glyphs.sampleHeights.enumerated().flatMap { Array(repeating: $0, count: $1) }
      for mask in 0...glyphs.fullMask {
        guard let scalar = glyphs.scalar(for: mask) else { continue }
        ink[scalar] = (0..<128).map { pixel in
          let row = samples[min(Int((Double(pixel / 8) + 0.5) / 16 * Double(units)), units - 1)]
          let sample = row * glyphs.sampleColumns + pixel % 8 * glyphs.sampleColumns / 8
          return mask & 1 << UInt8(sample) != 0 ? 1 : 0
        }
      }
    }
    return ink
  }()
}
