import Geometry
import Photos
import SceneModel

/// Resamples a picture in a frame with a box filter.
///
/// Each sample is the mean of the picture under a box as large as the sample, but at least one
/// pixel of the picture wide and high. Scaled down, boxes meet without gaps or overlaps, so every
/// sample is the true mean of its part of the picture. Scaled up, a box of one pixel around a
/// sample's middle is linear interpolation. In both cases nothing jumps when the frame moves by
/// fractions of a pixel. Scaled up far, a complete picture has the pixel under a sample's middle
/// instead, so that an icon's pixels are squares.
struct PictureSampler: Equatable {
  /// The level of the picture that is read.
  let bitmap: Bitmap
  /// Maps pixels of the picture area to pixels of the bitmap, in each direction.
  private var horizontal: Axis
  private var vertical: Axis
  /// Whether pixels are shown as squares.
  private var hasSquares = false

  /// Creates a sampler of the crop of a picture that fills a frame; returns nil if either is empty.
  ///
  /// While something moves, it reads a level with one or two pixels for each sample and direction,
  /// otherwise with eight or more, if the picture has so many.
  init?(
    _ picture: Mipmap, crop: PixelRect, in frame: PixelRect, grid: SampleGrid, isMoving: Bool
  ) {
    let sampleHeight =
      grid.metrics.cell.height * (zip(grid.rowEdges.dropFirst(), grid.rowEdges).map(-).min() ?? 1)
    self.init(
      picture, crop: crop, in: frame,
      sample: PixelSize(width: grid.sampleWidth, height: sampleHeight),
      finest: isMoving ? 2 : 16)
  }

  /// Creates a sampler of the crop of a picture that fills a frame; returns nil if either is empty.
  ///
  /// - Parameters:
  ///   - picture: The picture to sample.
  ///   - crop: The part of the picture to show, in fractions of its size.
  ///   - frame: The position of the crop.
  ///   - sample: A sample's size in the frame's unit.
  ///   - finest: The largest level is chosen that has fewer pixels than this for each sample and
  ///     direction.
  init?(
    _ picture: Mipmap, crop: PixelRect, in frame: PixelRect, sample: PixelSize, finest: Double
  ) {
    let full = picture.full
    let horizontal = Axis(
      from: crop.minX * Double(full.width), length: crop.width * Double(full.width),
      at: frame.minX, span: frame.width)
    let vertical = Axis(
      from: crop.minY * Double(full.height), length: crop.height * Double(full.height),
      at: frame.minY, span: frame.height)
    guard let horizontal, let vertical else { return nil }

    var density = min(sample.width * horizontal.scale, sample.height * vertical.scale)
    var level = 0
    while level + 1 < picture.levels.count, density >= finest {
      level += 1
      density /= 2
    }
    bitmap = picture.levels[level]
    hasSquares =
      picture.isComplete && max(horizontal.scale, vertical.scale) * Mipmap.squareScale < 1.001
    // A level drops an odd last row or column, so that its pixels are exact powers of two.
    self.horizontal = horizontal.scaled(by: 1 / Double(1 << level))
    self.vertical = vertical.scaled(by: 1 / Double(1 << level))
  }

  /// Paints the samples of one row over the samples that are there.
  ///
  /// - Parameters:
  ///   - columns: The sample columns, which must not be empty.
  ///   - sampleWidth: The width of a sample in the frame's unit.
  ///   - extent: The top and bottom of the sample row in the frame's unit.
  ///   - opacity: The opacity, 0 to 1.
  ///   - row: The row's samples from column 0: RGBA, premultiplied, 0 to 255.
  ///   - scratch: Memory for intermediate results, which grows as needed.
  func paint(
    columns: Range<Int>, sampleWidth: Double, extent: ClosedRange<Double>, opacity: Double,
    over row: UnsafeMutablePointer<SIMD4<Float>>, scratch: inout [SIMD4<Float>]
  ) {
    let span = Span(
      horizontal, from: Double(columns.lowerBound) * sampleWidth, step: sampleWidth,
      count: columns.count, limit: bitmap.width, hasSquares: hasSquares)
    let (top, bottom) = vertical.interval(
      from: extent.lowerBound, to: extent.upperBound, limit: Double(bitmap.height),
      hasSquares: hasSquares)
    let needed = 2 * (span.pixels.count + 1)
    if scratch.count < needed { scratch = Array(repeating: .zero, count: needed) }
    let isOpaque = bitmap.isOpaque && opacity >= 1
    scratch.withUnsafeMutableBufferPointer { scratch in
      guard let means = scratch.baseAddress else { return }
      let sums = means + span.pixels.count + 1
      average(rowsFrom: top, to: bottom, columns: span.pixels, into: means)
      accumulate(means, count: span.pixels.count, into: sums)
      span.resample(
        means: means, sums: sums, opacity: Float(opacity), isOpaque: isOpaque,
        over: row + columns.lowerBound)
    }
  }

  /// Averages some rows, of which the first and last may count in part, in a range of columns.
  private func average(
    rowsFrom top: Double, to bottom: Double, columns: Range<Int>,
    into means: UnsafeMutablePointer<SIMD4<Float>>
  ) {
    let channels = columns.count * 4
    let rows = Int(top)..<min(bitmap.height, Int(bottom.rounded(.up)))
    bitmap.pixels.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      means.withMemoryRebound(to: Float.self, capacity: channels) { means in
        for row in rows {
          let covered = min(bottom, Double(row + 1)) - max(top, Double(row))
          let weight = Float(covered / (bottom - top))
          let source = base + (row * bitmap.width + columns.lowerBound) * 4
          if row == rows.lowerBound {
            for i in 0..<channels { means[i] = weight * Float(source[i]) }
          } else {
            for i in 0..<channels { means[i] += weight * Float(source[i]) }
          }
        }
      }
    }
    means[columns.count] = .zero
  }

  /// Computes prefix sums, so that the sum under a box of any width is the difference of two of
  /// them.
  private func accumulate(
    _ means: UnsafeMutablePointer<SIMD4<Float>>, count: Int,
    into sums: UnsafeMutablePointer<SIMD4<Float>>
  ) {
    var sum = SIMD4<Float>.zero
    for i in 0..<count {
      sums[i] = sum
      sum += means[i]
    }
    sums[count] = sum
  }
}

extension PictureSampler {
  /// Maps pixels of the bitmap to whole pixels, if they are shifted and scaled by less than a
  /// pixel.
  ///
  /// A picture is decoded in its frame's size, in whole pixels, but its crop may begin at a
  /// fraction: mixing neighboring pixels would make the picture softer than it is.
  mutating func alignToPixels(in frame: PixelRect) {
    horizontal.align(from: frame.minX, to: frame.maxX, limit: bitmap.width)
    vertical.align(from: frame.minY, to: frame.maxY, limit: bitmap.height)
  }

  /// Returns the pixels of a frame at the origin, if they are pixels of the bitmap without change.
  ///
  /// - Returns: RGBA, 8 bits a channel, rows top to bottom, no padding; nil if pixels would be
  ///   mixed, or some are translucent.
  func unscaledPixels(width: Int, height: Int) -> [UInt8]? {
    guard bitmap.isOpaque,
      let left = horizontal.firstUnscaled(of: width, limit: bitmap.width),
      let top = vertical.firstUnscaled(of: height, limit: bitmap.height)
    else { return nil }
    guard (width, height) != (bitmap.width, bitmap.height) else { return bitmap.pixels }
    let byteCount = width * height * 4
    return [UInt8](unsafeUninitializedCapacity: byteCount) { out, count in
      bitmap.pixels.withUnsafeBytes { source in
        let out = UnsafeMutableRawBufferPointer(out)
        for y in 0..<height {
          let start = ((top + y) * bitmap.width + left) * 4
          UnsafeMutableRawBufferPointer(rebasing: out[(y * width * 4)...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + width * 4]))
        }
      }
      count = byteCount
    }
  }

  /// A linear map from positions in the picture area to positions in a bitmap, in one direction.
  private struct Axis: Equatable {
    /// The position in the bitmap of the picture area's position 0.
    let origin: Double
    /// The number of bitmap pixels in a pixel of the picture area.
    let scale: Double

    init?(from start: Double, length: Double, at position: Double, span: Double) {
      scale = length / span
      origin = start - position * scale
      // Beyond these values no difference is visible on a screen, and integers would overflow.
      guard scale > 0, scale < 1e6, abs(origin) < 1e9 else { return nil }
    }

    private init(origin: Double, scale: Double) {
      self.origin = origin
      self.scale = scale
    }

    func scaled(by factor: Double) -> Axis {
      Axis(origin: origin * factor, scale: scale * factor)
    }

    /// Becomes a map of whole pixels to whole pixels, if that moves no position by a whole pixel.
    mutating func align(from: Double, to: Double, limit: Int) {
      let span = to - from
      guard from == from.rounded(), span == span.rounded(), Double(limit) >= span,
        abs(scale - 1) * span < 1
      else { return }
      let middle = origin + scale * (from + span / 2)
      let start = (middle - span / 2).rounded().clamped(to: 0...(Double(limit) - span))
      self = Axis(origin: start - from, scale: 1)
    }

    /// Returns the pixel of the bitmap that is the first of `count` samples; nil if samples are not
    /// whole pixels, or some lie outside of `0..<limit`.
    func firstUnscaled(of count: Int, limit: Int) -> Int? {
      guard scale == 1, origin == origin.rounded(), origin >= 0,
        origin + Double(count) <= Double(limit)
      else { return nil }
      return Int(origin)
    }

    /// Returns the box of a sample, which is not empty, and lies in `0...limit`.
    func interval(
      from: Double, to: Double, limit: Double, hasSquares: Bool
    ) -> (Double, Double) {
      var (start, end) = (origin + from * scale, origin + to * scale)
      if end - start < 1 {
        let middle = (start + end) / 2
        start = hasSquares ? middle.rounded(.down).clamped(to: 0...(limit - 1)) : middle - 0.5
        end = start + 1
      }
      start = start.clamped(to: 0...(limit - 1.0 / 1024))
      return (start, max(end.clamped(to: 0...limit), start + 1.0 / 1024))
    }
  }

  /// The boxes of a row of samples, in fixed-point numbers with 20 bits after the point.
  private struct Span {
    /// The start of the first box, from the start of `pixels`.
    let start: Int
    /// The distance from the start of a box to the start of the next.
    let step: Int
    let width: Int
    let count: Int
    let pixels: Range<Int>
    /// Whether each box becomes the pixel under its middle.
    let isWhole: Bool

    private static let one = 1 << 20
    /// The least width of a box that is cut off at an edge.
    private static let least = one / 4

    init(
      _ axis: Axis, from: Double, step: Double, count: Int, limit: Int, hasSquares: Bool
    ) {
      let distance = axis.scale * step
      let width = max(distance, 1)
      let first = axis.origin + axis.scale * from + (distance - width) / 2
      let last = first + distance * Double(count - 1) + width
      let lower = Int(first.rounded(.down).clamped(to: 0...Double(limit - 1)))
      // One more pixel, since the rounding errors of the step add up.
      let upper = Int(last.rounded(.up).clamped(to: 0...Double(limit - 1))) + 1
      pixels = lower..<max(upper, lower + 1)
      start = Int(((first - Double(lower)) * Double(Self.one)).rounded())
      self.step = Int((distance * Double(Self.one)).rounded())
      self.width = Int((width * Double(Self.one)).rounded())
      self.count = count
      isWhole = hasSquares && distance < 1
    }

    /// Writes the mean under each box over what is in `row`.
    func resample(
      means: UnsafePointer<SIMD4<Float>>, sums: UnsafePointer<SIMD4<Float>>, opacity: Float,
      isOpaque: Bool, over row: UnsafeMutablePointer<SIMD4<Float>>
    ) {
      let limit = pixels.count &* Self.one
      let fraction = 1 / Float(Self.one)
      func total(before position: Int) -> SIMD4<Float> {
        let index = position &>> 20
        return sums[index] + means[index] * (Float(position & (Self.one - 1)) * fraction)
      }
      let whole = opacity / (Float(width) * fraction)
      var position = start
      for x in 0..<count {
        if isWhole {
          let pixel = (position &+ Self.one / 2) &>> 20
          let sample = means[min(max(pixel, 0), pixels.count - 1)] * opacity
          row[x] = isOpaque ? sample : sample + row[x] * (1 - sample.w * (1 / 255))
          position &+= step
          continue
        }
        let left = min(max(position, 0), limit &- Self.least)
        let right = max(min(position &+ width, limit), left &+ Self.least)
        position &+= step
        let share =
          right &- left == width ? whole : opacity / (Float(right &- left) * fraction)
        let sample = (total(before: right) - total(before: left)) * share
        row[x] = isOpaque ? sample : sample + row[x] * (1 - sample.w * (1 / 255))
      }
    }
  }
}
