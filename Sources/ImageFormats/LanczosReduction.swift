import Geometry
import Glibc

/// Downscaling by a Lanczos kernel of three lobes, which keeps edges that area averaging softens.
///
/// Pixels have four channels of 8 bits in memory order, rows top to bottom, no padding. Around an
/// edge the result overshoots by less than a tenth of the edge's height, and never leaves 0 to 255.
/// Channels are averaged as they are stored, not in linear light, as in most viewers.
package enum LanczosReduction {
  /// Scales a picture down and turns it upright in one pass.
  ///
  /// - Parameters:
  ///   - source: The pixels, `size.width * size.height * 4` bytes.
  ///   - size: The size as stored, in pixels.
  ///   - target: The size to scale to, as stored; each side from 1 to that of `size`.
  ///   - orientation: The orientation by which to turn the stored picture.
  ///   - extent: The columns and rows of the source that the picture covers, with fractions; nil
  ///     for all. For example, decoding 2,250 rows at an eighth yields 282 rows, of which the
  ///     picture covers 281.25.
  ///   - isBoxed: Whether the pixels are means of squares, as from a decoder that decodes at an
  ///     eighth of the size; the result is then sharpened to compensate for the softening.
  ///   - channels: What the fourth channel is to the others.
  /// - Returns: The pixels of the result, whose size is `target`, turned.
  package static func reduce(
    _ source: UnsafePointer<UInt8>, size: (width: Int, height: Int),
    to target: (width: Int, height: Int), orientation: Orientation,
    extent: (width: Double, height: Double)? = nil, isBoxed: Bool = false,
    channels: Channels = .premultiplied
  ) -> [UInt8] {
    guard size != target else {
      return AreaReduction.reduce(source, size: size, to: target, orientation: orientation)
    }
    precondition(
      (1...max(1, size.width)).contains(target.width)
        && (1...max(1, size.height)).contains(target.height),
      "\(size) cannot be reduced to \(target)")
    let columns = Axis(
      from: size.width, extent: extent?.width, to: target.width, isBoxed: isBoxed)
    let rows = Axis(
      from: size.height, extent: extent?.height, to: target.height, isBoxed: isBoxed)
    let path = orientation.placement(width: target.width, height: target.height)
    let byteCount = target.width * target.height * 4
    return [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, count in
      bytes.withMemoryRebound(to: SIMD4<UInt8>.self) { result in
        UnsafeRawPointer(source).withMemoryRebound(
          to: SIMD4<UInt8>.self, capacity: size.width * size.height
        ) { source in
          var narrowing = Narrowing(
            columns: columns, keeping: rows.longest, floor: channels == .inks ? 255 : 0)
          for y in 0..<target.height {
            var to = path.start + y * path.perRow
            narrowing.withRow(of: rows, at: y, source, width: size.width) { pixel in
              result[to] = pixel
              to += path.perColumn
            }
          }
        }
      }
      count = byteCount
    }
  }

  /// The meaning of the four channels.
  package enum Channels: Sendable {
    /// Red, green, blue, multiplied by the alpha, which is the fourth.
    case premultiplied
    /// Cyan, magenta, yellow and black, none of which limits another.
    case inks
  }

  /// The source pixels and weights of each pixel of the result along an axis.
  private struct Axis {
    /// The first source pixel of each pixel of the result.
    var firsts: [Int] = []
    /// The index in `weights` where the weights of each pixel begin, and finally `weights.count`.
    var starts: [Int] = [0]
    /// The weights of all pixels of the result, one after the other.
    var weights: [Float] = []
    /// The most source pixels that any pixel of the result depends on.
    var longest = 0

    init(from source: Int, extent: Double?, to target: Int, isBoxed: Bool) {
      let scale = (extent ?? Double(source)) / Double(target)
      let reach = 3 * scale
      // The inverse of averaging over a pixel's width, to the second order.
      let sharpening = isBoxed && scale < 2 ? 1.0 / 24 : 0
      func window(_ distance: Double) -> Double {
        let x = distance / scale
        guard abs(x) < 3 else { return 0 }
        guard abs(x) > 1e-9 else { return 1 }
        return 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
      }
      for index in 0..<target {
        let middle = (Double(index) + 0.5) * scale - 0.5
        let first = max(0, Int((middle - reach - 1).rounded(.up)))
        let last = min(source - 1, Int((middle + reach + 1).rounded(.down)))
        // Those of one pixel more at each end, for the neighbors of the first and the last one.
        let windows = (first - 1...last + 1).map { window(Double($0) - middle) }
        var taps = (1...last - first + 1).map {
          windows[$0] * (1 + 2 * sharpening) - sharpening * (windows[$0 - 1] + windows[$0 + 1])
        }
        let total = taps.reduce(0, +)
        for tap in taps.indices { taps[tap] /= total }
        let leading = taps.prefix { abs($0) < 1e-6 }.count
        let trailing = taps.reversed().prefix { abs($0) < 1e-6 }.count
        weights += taps[leading..<max(leading + 1, taps.count - trailing)].map(Float.init)
        firsts.append(first + leading)
        starts.append(weights.count)
        longest = max(longest, weights.count - starts[index])
      }
    }
  }

  /// A ring buffer of horizontally scaled source rows, from which the result's rows are computed.
  private struct Narrowing {
    private let columns: Axis
    /// The number of rows in the buffer.
    private let kept: Int
    /// The rows; the source row `y` is in place `y % kept`.
    private var rows: [SIMD4<Float>]
    /// The next row of the source to scale.
    private var next = 0
    private var sums: [SIMD4<Float>]
    /// The upper limit of the channels where the alpha is below it.
    private let floor: Float

    init(columns: Axis, keeping kept: Int, floor: Float) {
      self.columns = columns
      self.kept = kept
      self.floor = floor
      rows = Array(repeating: .zero, count: kept * columns.firsts.count)
      sums = Array(repeating: .zero, count: columns.firsts.count)
    }

    /// Computes a row of the result, and calls a function with each of its pixels.
    @inline(__always)
    mutating func withRow(
      of axis: Axis, at y: Int, _ source: UnsafePointer<SIMD4<UInt8>>, width: Int,
      _ body: (SIMD4<UInt8>) -> Void
    ) {
      let first = axis.firsts[y]
      let weights = axis.weights[axis.starts[y]..<axis.starts[y + 1]]
      let count = sums.count
      while next < first + weights.count {
        if next >= first { narrow(source + next * width, into: next % kept * count) }
        next += 1
      }
      sums.withUnsafeMutableBufferPointer { sums in
        rows.withUnsafeBufferPointer { rows in
          for x in 0..<count { sums[x] = .zero }
          for (index, weight) in weights.enumerated() {
            let start = (first + index) % kept * count
            for x in 0..<count { sums[x] += rows[start &+ x] * weight }
          }
          for x in 0..<count { body(rounded(sums[x], floor)) }
        }
      }
    }

    private mutating func narrow(_ row: UnsafePointer<SIMD4<UInt8>>, into start: Int) {
      columns.firsts.withUnsafeBufferPointer { firsts in
        columns.starts.withUnsafeBufferPointer { starts in
          columns.weights.withUnsafeBufferPointer { weights in
            rows.withUnsafeMutableBufferPointer { rows in
              for x in 0..<firsts.count {
                let pixels = row + firsts[x]
                let begin = starts[x]
                var sum = SIMD4<Float>.zero
                for tap in 0..<starts[x &+ 1] &- begin {
                  sum += SIMD4<Float>(channels: pixels[tap]) * weights[begin &+ tap]
                }
                rows[start &+ x] = sum
              }
            }
          }
        }
      }
    }
  }

  /// Clamps channels to the alpha channel, or to `floor` if that is more, and rounds them.
  @inline(__always)
  private static func rounded(_ sum: SIMD4<Float>, _ floor: Float) -> SIMD4<UInt8> {
    let cover = min(max(sum.w, floor), 255)
    return sum.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: cover)).roundedToChannels
  }
}
