import Foundation
import Photos

/// The fidelity of a drawn picture to a photo of the same size, by several measures.
struct PictureComparison {
  /// The mean squared difference of the channels.
  var squaredError: Double
  /// The structural similarity of luma, with a Gaussian window of 1.5 pixels.
  var similarity: Double
  /// The squared error after both were blurred by a cell's width, as seen from afar.
  var squaredErrorFromAfar: Double

  /// Returns the signal-to-noise ratio of one picture to another of the same size, in decibels.
  static func decibels(_ one: [FloatPlane], _ other: [FloatPlane]) -> Double {
    decibels(zip(one, other).map { $0.squaredDifference(from: $1) }.mean)
  }

  /// Returns the signal-to-noise ratio of a squared error, in decibels.
  static func decibels(_ squaredError: Double) -> Double {
    10 * log10(255 * 255 / max(squaredError, 1e-3))
  }

  /// Compares a drawn picture with a photo; `blur` is the standard deviation in pixels.
  init(of drawn: Bitmap, with photo: FidelityPhoto) {
    let channels = (0..<3).map { FloatPlane(drawn, channel: $0) }
    let pairs = zip(channels, photo.channels)
    squaredError = pairs.map { $0.squaredDifference(from: $1) }.mean
    squaredErrorFromAfar =
      zip(channels, photo.blurred)
      .map { $0.blurred(by: photo.blur).squaredDifference(from: $1) }.mean
    similarity = FloatPlane.luma(channels).similarity(to: photo.luma)
  }
}

/// The means of several comparisons.
struct FidelityScore {
  private var comparisons: [PictureComparison] = []

  /// Adds a picture's comparison.
  mutating func add(_ comparison: PictureComparison) { comparisons.append(comparison) }

  /// Whether there are no comparisons.
  var isEmpty: Bool { comparisons.isEmpty }

  /// The mean PSNR, SSIM and blurred PSNR, as a cell of a table.
  var line: String {
    guard !comparisons.isEmpty else { return "      —" }
    return String(
      format: "%5.2f %.3f %5.2f",
      comparisons.map { PictureComparison.decibels($0.squaredError) }.mean,
      comparisons.map(\.similarity).mean,
      comparisons.map { PictureComparison.decibels($0.squaredErrorFromAfar) }.mean)
  }
}

extension Bitmap {
  /// Red, green and blue.
  var planes: [FloatPlane] { (0..<3).map { FloatPlane(self, channel: $0) } }
}

/// One channel of a picture.
struct FloatPlane {
  let width: Int
  let height: Int
  private(set) var values: [Float]

  /// Creates a channel of a bitmap: 0 for red, 1 for green, 2 for blue.
  init(_ bitmap: Bitmap, channel: Int) {
    (width, height) = (bitmap.width, bitmap.height)
    values = stride(from: channel, to: bitmap.pixels.count, by: 4).map { Float(bitmap.pixels[$0]) }
  }

  private init(width: Int, height: Int, values: [Float]) {
    (self.width, self.height, self.values) = (width, height, values)
  }

  /// Returns the luma of three channels.
  static func luma(_ channels: [FloatPlane]) -> FloatPlane {
    FloatPlane(
      width: channels[0].width, height: channels[0].height,
      values: channels[0].values.indices.map {
        0.299 * channels[0].values[$0] + 0.587 * channels[1].values[$0]
          + 0.114 * channels[2].values[$0]
      })
  }

  /// Returns the mean squared difference from another plane of the same size.
  func squaredDifference(from other: FloatPlane) -> Double {
    precondition(width == other.width && height == other.height, "planes of two sizes")
    var sum = 0.0
    for index in values.indices {
      let difference = values[index] - other.values[index]
      sum += Double(difference * difference)
    }
    return sum / Double(values.count)
  }

  /// The mean squared difference of horizontally and vertically adjacent pixels.
  var edgeEnergy: Double {
    var sum = 0.0
    for y in 0..<height - 1 {
      for x in 0..<width - 1 {
        let at = y * width + x
        let (across, down) = (values[at + 1] - values[at], values[at + width] - values[at])
        sum += Double(across * across + down * down)
      }
    }
    return sum / Double((width - 1) * (height - 1))
  }

  /// Returns the plane blurred by a Gaussian window with a standard deviation in pixels.
  func blurred(by deviation: Double) -> FloatPlane {
    let reach = Int((3 * deviation).rounded(.up))
    var window = (-reach...reach).map {
      Float(exp(-Double($0 * $0) / (2 * deviation * deviation)))
    }
    let total = window.reduce(0, +)
    for index in window.indices { window[index] /= total }
    let across = filtered(window, along: 1, count: width, lines: height, step: width)
    return across.filtered(window, along: width, count: height, lines: width, step: 1)
  }

  /// Returns the plane filtered along lines, whose first and last pixels are repeated.
  private func filtered(
    _ window: [Float], along stride: Int, count: Int, lines: Int, step: Int
  ) -> FloatPlane {
    let reach = window.count / 2
    let result = [Float](unsafeUninitializedCapacity: values.count) { result, filled in
      values.withUnsafeBufferPointer { values in
        window.withUnsafeBufferPointer { window in
          for line in 0..<lines {
            for index in 0..<count {
              var sum: Float = 0
              for tap in window.indices {
                let at = min(max(index + tap - reach, 0), count - 1)
                sum += window[tap] * values[line * step + at * stride]
              }
              result[line * step + index * stride] = sum
            }
          }
        }
      }
      filled = values.count
    }
    return FloatPlane(width: width, height: height, values: result)
  }

  /// Returns the mean structural similarity by Wang et al., "Image quality assessment", 2004.
  func similarity(to other: FloatPlane) -> Double {
    func product(_ a: FloatPlane, _ b: FloatPlane) -> FloatPlane {
      FloatPlane(width: width, height: height, values: zip(a.values, b.values).map { $0 * $1 })
    }
    let window = 1.5
    let (meanA, meanB) = (blurred(by: window), other.blurred(by: window))
    let squaresA = product(self, self).blurred(by: window)
    let squaresB = product(other, other).blurred(by: window)
    let products = product(self, other).blurred(by: window)
    let (small, large): (Float, Float) = (6.5025, 58.5225)
    var sum = 0.0
    for index in values.indices {
      let (a, b) = (meanA.values[index], meanB.values[index])
      let deviations = squaresA.values[index] - a * a + squaresB.values[index] - b * b
      let shared = products.values[index] - a * b
      sum += Double(
        (2 * a * b + small) * (2 * shared + large)
          / ((a * a + b * b + small) * (deviations + large)))
    }
    return sum / Double(values.count)
  }
}
