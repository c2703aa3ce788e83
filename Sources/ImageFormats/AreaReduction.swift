import Geometry

/// Downscaling by area averaging: each pixel of the result is the mean of the pixels that it
/// covers.
///
/// Pixels have four channels of 8 bits in memory order, rows top to bottom, no padding. The
/// channels are averaged as they are stored, which is how every terminal and browser scales sRGB.
package enum AreaReduction {
  /// Scales a picture down and turns it upright in one pass.
  ///
  /// - Parameters:
  ///   - source: The pixels, `size.width * size.height * 4` bytes.
  ///   - size: The size as stored, in pixels.
  ///   - target: The size to scale to, as stored; each side from 1 to that of `size`.
  ///   - orientation: The orientation by which to turn the stored picture.
  /// - Returns: The pixels of the result, whose size is `target`, turned.
  package static func reduce(
    _ source: UnsafePointer<UInt8>, size: (width: Int, height: Int),
    to target: (width: Int, height: Int), orientation: Orientation
  ) -> [UInt8] {
    precondition(
      (1...max(1, size.width)).contains(target.width)
        && (1...max(1, size.height)).contains(target.height),
      "\(size) cannot be reduced to \(target)")
    let byteCount = target.width * target.height * 4
    return [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, count in
      bytes.withMemoryRebound(to: SIMD4<UInt8>.self) { result in
        UnsafeRawPointer(source).withMemoryRebound(
          to: SIMD4<UInt8>.self, capacity: size.width * size.height
        ) { source in
          if size == target {
            rotate(source, size: size, orientation: orientation, into: result)
          } else {
            average(source, size: size, target: target, orientation: orientation, into: result)
          }
        }
      }
      count = byteCount
    }
  }

  private static func rotate(
    _ source: UnsafePointer<SIMD4<UInt8>>, size: (width: Int, height: Int),
    orientation: Orientation, into result: UnsafeMutableBufferPointer<SIMD4<UInt8>>
  ) {
    let path = orientation.placement(width: size.width, height: size.height)
    for y in 0..<size.height {
      let row = source + y * size.width
      var to = path.start + y * path.perRow
      for x in 0..<size.width {
        result[to] = row[x]
        to += path.perColumn
      }
    }
  }

  /// Scales the source's rows horizontally and sums them up; a row that lies across two rows of the
  /// result counts for both in proportion.
  private static func average(
    _ source: UnsafePointer<SIMD4<UInt8>>, size: (width: Int, height: Int),
    target: (width: Int, height: Int), orientation: Orientation,
    into result: UnsafeMutableBufferPointer<SIMD4<UInt8>>
  ) {
    let path = orientation.placement(width: target.width, height: target.height)
    let columns = Span.spans(of: size.width, in: target.width)
    let rows = Span.spans(of: size.height, in: target.height)
    let area =
      Float(size.width) / Float(target.width) * (Float(size.height) / Float(target.height))
    let normal = SIMD4<Float>(repeating: 1 / area)
    var sums = [SIMD4<Float>](repeating: .zero, count: target.width)
    sums.withUnsafeMutableBufferPointer { sums in
      columns.withUnsafeBufferPointer { columns in
        for (y, span) in rows.enumerated() {
          for sum in sums.indices { sums[sum] = .zero }
          accumulate(source + span.first * size.width, columns, share: span.firstShare, to: sums)
          for row in (span.first + 1)..<span.last {
            accumulate(source + row * size.width, columns, share: 1, to: sums)
          }
          if span.lastShare > 0 {
            accumulate(source + span.last * size.width, columns, share: span.lastShare, to: sums)
          }
          var to = path.start + y * path.perRow
          for sum in sums {
            result[to] = (sum * normal).roundedToChannels
            to += path.perColumn
          }
        }
      }
    }
  }

  /// Scales a row of the source horizontally, and adds it to the sums of a row of the result.
  @inline(__always)
  private static func accumulate(
    _ row: UnsafePointer<SIMD4<UInt8>>, _ columns: UnsafeBufferPointer<Span>, share: Float,
    to sums: UnsafeMutableBufferPointer<SIMD4<Float>>
  ) {
    for (x, span) in columns.enumerated() {
      var sum = SIMD4<Float>(channels: row[span.first]) * span.firstShare
      for column in (span.first + 1)..<span.last { sum += SIMD4<Float>(channels: row[column]) }
      if span.lastShare > 0 { sum += SIMD4<Float>(channels: row[span.last]) * span.lastShare }
      sums[x] += sum * share
    }
  }

  /// The pixels of the source that a pixel of the result covers along one axis: a part of the
  /// first, all of those between, a part of the last.
  private struct Span {
    var first: Int
    var firstShare: Float
    /// Never below `first + 1`; not covered, and perhaps out of bounds, if `lastShare` is 0.
    var last: Int
    var lastShare: Float

    static func spans(of source: Int, in target: Int) -> [Span] {
      (0..<target).map { index in
        // All numbers are integers in units of 1/target of a source pixel.
        let (begin, end) = (index * source, (index + 1) * source)
        return Span(
          first: begin / target, firstShare: Float(target - begin % target) / Float(target),
          last: end / target, lastShare: Float(end % target) / Float(target))
      }
    }
  }
}

/// Conversions between the channels of a pixel and numbers to calculate with.
///
/// Above 2^23 a Float's last bit is worth 1, so adding 2^23 leaves a small number, rounded, in the
/// lowest bits. The standard library's conversions of vectors take five times as long.
extension SIMD4<Float> {
  private static let unit: Float = 0x1p23

  /// The channels of a pixel, from 0 to 255.
  @inline(__always)
  init(channels pixel: SIMD4<UInt8>) {
    let bits = SIMD4<UInt32>(truncatingIfNeeded: pixel) | Self.unit.bitPattern
    self = unsafeBitCast(bits, to: Self.self) - Self.unit
  }

  /// The pixel nearest to these channels, each of which must be from 0 to 255.
  @inline(__always)
  var roundedToChannels: SIMD4<UInt8> {
    SIMD4<UInt8>(
      truncatingIfNeeded: unsafeBitCast(self + Self.unit, to: SIMD4<UInt32>.self))
  }
}
