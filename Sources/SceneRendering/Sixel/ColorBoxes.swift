/// Quantizes the colors of a picture: finds a palette with a small squared error.
///
/// Colors are collected in bins, and the bins divided into boxes. Each step divides the box with
/// the largest squared error in one channel, along that channel, at the mean (S. J. Wan, P.
/// Prusinkiewicz, S. K. M. Wong, "Variance-based color image quantization for frame buffer
/// display", 1990).
struct ColorBoxes {
  /// The mean squared error of a channel below which more colors are not worth their bytes.
  ///
  /// Even with dithering, a channel is then wrong by less than 3 of 255.
  private static let goodEnough: Float = 3

  /// The mean squared error of a channel above which a box is always divided, so that small objects
  /// get colors of their own, too.
  private static let tooCoarse: Float = 48

  /// The number of pixels sampled, approximately; more do not improve the palette.
  private static let sampleLimit = 1 << 14

  /// The most that dithering may add to a channel with the last palette: about as much as
  /// neighboring colors differ.
  var step: Int16 { Int16(Double(3 * error.squareRoot()).rounded(.up).clamped(to: 4...32)) }

  private var samples: [UInt32] = []
  private var sorted: [UInt32] = []
  /// For each bin the means of red, green and blue, and the number of samples.
  private var bins: [SIMD4<Float>] = []
  private var boxes: [Box] = []
  /// The mean squared error of a channel with the last palette, before dithering.
  private(set) var error: Float = 0

  private struct Box {
    var bins: Range<Int>
    var mean: SIMD4<Float>
    /// The channel with the largest squared error.
    var axis: Int
    var gain: Float
    var error: Float
    var weight: Float
  }

  /// Finds the palette for a picture.
  ///
  /// - Parameters:
  ///   - pixels: Red, green, blue and alpha from the lowest byte on; alpha is 255 or 0.
  ///   - width: The width of the picture.
  ///   - limit: The most colors.
  /// - Returns: The colors, similar ones next to each other; none if no pixel is opaque.
  mutating func palette(
    for pixels: UnsafeBufferPointer<UInt32>, width: Int, limit: Int
  ) -> SixelPalette {
    takeSamples(of: pixels, width: width)
    sortSamples()
    fillBins()
    divide(limit: min(limit, SixelPalette.limit))
    // Parts of a box are next to each other in the order of bins, so that neighbors are similar.
    boxes.sort { $0.bins.lowerBound < $1.bins.lowerBound }
    return SixelPalette(boxes.lazy.map(\.mean))
  }

  /// Takes pixels at a distance that does not divide the width, so that they are not all in the
  /// same columns.
  private mutating func takeSamples(of pixels: UnsafeBufferPointer<UInt32>, width: Int) {
    var step = max(1, pixels.count / Self.sampleLimit)
    while step > 1, step.isMultiple(of: 2) || width.isMultiple(of: step) { step += 1 }
    samples.removeAll(keepingCapacity: true)
    for index in stride(from: 0, to: pixels.count, by: step) where pixels[index] >> 31 == 1 {
      samples.append(pixels[index])
    }
  }

  /// Returns the bin of a pixel: the upper six bits of its channels.
  private static func bin(of pixel: UInt32) -> UInt32 {
    (pixel >> 2) & 0x3F | (pixel >> 4) & 0xFC0 | (pixel >> 6) & 0x3F000
  }

  /// Sorts the samples by their bins: first by the lower nine bits, then by the upper nine (radix
  /// sort).
  private mutating func sortSamples() {
    sorted = samples
    Self.sort(samples, by: 0, into: &sorted)
    Self.sort(sorted, by: 9, into: &samples)
  }

  private static func sort(_ samples: [UInt32], by shift: UInt32, into sorted: inout [UInt32]) {
    samples.withUnsafeBufferPointer { samples in
      sorted.withUnsafeMutableBufferPointer { sorted in
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 513) { starts in
          starts.initialize(repeating: 0)
          for sample in samples { starts[Int(bin(of: sample) >> shift & 511) &+ 1] &+= 1 }
          for digit in 1..<513 { starts[digit] &+= starts[digit &- 1] }
          for sample in samples {
            let digit = Int(bin(of: sample) >> shift & 511)
            sorted[starts[digit]] = sample
            starts[digit] &+= 1
          }
        }
      }
    }
  }

  private mutating func fillBins() {
    bins.removeAll(keepingCapacity: true)
    var index = 0
    while index < samples.count {
      let bin = Self.bin(of: samples[index])
      var sum = SIMD4<UInt32>.zero
      while index < samples.count, Self.bin(of: samples[index]) == bin {
        let channels = unsafeBitCast(samples[index], to: SIMD4<UInt8>.self)
        sum &+= SIMD4(truncatingIfNeeded: channels) & SIMD4(255, 255, 255, 1)
        index += 1
      }
      let total = SIMD4<Float>(sum)
      var mean = total / total.w
      mean.w = total.w
      bins.append(mean)
    }
  }

  private mutating func divide(limit: Int) {
    boxes.removeAll(keepingCapacity: true)
    guard !bins.isEmpty else { return }
    boxes.append(box(of: 0..<bins.count))
    var total = boxes[0].error
    defer { error = total / Float(samples.count * 3) }
    while boxes.count < limit {
      let isGood = total <= Self.goodEnough * 3 * Float(samples.count)
      var (index, gain) = (0, Float(0))
      for (candidate, box) in boxes.enumerated() where box.gain > gain {
        if isGood, box.error <= Self.tooCoarse * 3 * box.weight { continue }
        (index, gain) = (candidate, box.gain)
      }
      guard gain > 0 else { return }
      let whole = boxes[index]
      let middle = part(whole)
      let lower = box(of: whole.bins.lowerBound..<middle)
      let upper = box(of: middle..<whole.bins.upperBound)
      total += lower.error + upper.error - whole.error
      boxes[index] = lower
      boxes.append(upper)
    }
  }

  private func box(of range: Range<Int>) -> Box {
    // Relative to a color of the box, so that small differences are not lost in large squares.
    let origin = bins[range.lowerBound]
    var (sum, squares, weight) = (SIMD4<Float>.zero, SIMD4<Float>.zero, Float(0))
    bins.withUnsafeBufferPointer { bins in
      for bin in bins[range] {
        let difference = bin - origin
        sum += difference * bin.w
        squares += difference * difference * bin.w
        weight += bin.w
      }
    }
    let errors = squares - sum * sum / weight
    var axis = errors.y > errors.x ? 1 : 0
    if errors.z > errors[axis] { axis = 2 }
    return Box(
      bins: range, mean: origin + sum / weight, axis: axis,
      gain: range.count > 1 ? errors[axis] : 0, error: errors.x + errors.y + errors.z,
      weight: weight)
  }

  /// Moves the bins of a box that are above its mean behind the others.
  ///
  /// - Returns: The index of the first bin of the second part; neither part is empty.
  private mutating func part(_ box: Box) -> Int {
    let (axis, mean) = (box.axis, box.mean[box.axis])
    return bins.withUnsafeMutableBufferPointer { bins in
      var (low, high) = (box.bins.lowerBound, box.bins.upperBound)
      while low < high {
        if bins[low][axis] <= mean {
          low += 1
        } else {
          high -= 1
          bins.swapAt(low, high)
        }
      }
      return min(max(low, box.bins.lowerBound + 1), box.bins.upperBound - 1)
    }
  }
}
