import Geometry
import ImageFormats
import TestSupport
import Testing

@Suite struct AreaReductionTests {
  /// The mean of each pixel's area, computed directly from the definition.
  static func reference(
    _ source: [UInt8], _ size: (width: Int, height: Int), _ target: (width: Int, height: Int)
  ) -> [Double] {
    func overlap(_ index: Int, of part: Int, in whole: Int, _ place: Int) -> Double {
      let (low, high) = (
        Double(index) * Double(whole) / Double(part),
        Double(index + 1) * Double(whole) / Double(part)
      )
      return max(0, min(high, Double(place + 1)) - max(low, Double(place)))
    }
    var means: [Double] = []
    for y in 0..<target.height {
      for x in 0..<target.width {
        for channel in 0..<4 {
          var (sum, area) = (0.0, 0.0)
          for row in 0..<size.height {
            for column in 0..<size.width {
              let share =
                overlap(x, of: target.width, in: size.width, column)
                * overlap(y, of: target.height, in: size.height, row)
              sum += share * Double(source[(row * size.width + column) * 4 + channel])
              area += share
            }
          }
          means.append(sum / area)
        }
      }
    }
    return means
  }

  @Test func `each pixel is the mean of the area that it covers`() {
    let seed: UInt64 = 99
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let size = (
        width: Int.random(in: 1...17, using: &random),
        height: Int.random(in: 1...17, using: &random)
      )
      let target = (
        width: Int.random(in: 1...size.width, using: &random),
        height: Int.random(in: 1...size.height, using: &random)
      )
      let source = (0..<(size.width * size.height * 4)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }

      let result = AreaReduction.reduce(source, size: size, to: target, orientation: .upright)

      let expected = Self.reference(source, size, target)
      #expect(result.count == expected.count)
      #expect(
        zip(result, expected).allSatisfy { abs(Double($0) - $1) < 0.501 }, "\(size) to \(target)")
    }
  }

  @Test func `a picture of one colour keeps that colour at every size`() {
    for value: UInt8 in [0, 1, 127, 254, 255] {
      let source = [UInt8](repeating: value, count: 31 * 23 * 4)
      for side in 1...23 {
        let result = AreaReduction.reduce(
          source, size: (31, 23), to: (side, side), orientation: .upright)

        #expect(result == [UInt8](repeating: value, count: side * side * 4))
      }
    }
  }

  @Test(arguments: [
    (1, [[0, 1, 2], [3, 4, 5]]), (2, [[2, 1, 0], [5, 4, 3]]), (3, [[5, 4, 3], [2, 1, 0]]),
    (4, [[3, 4, 5], [0, 1, 2]]), (5, [[0, 3], [1, 4], [2, 5]]), (6, [[3, 0], [4, 1], [5, 2]]),
    (7, [[5, 2], [4, 1], [3, 0]]), (8, [[2, 5], [1, 4], [0, 3]]), (0, [[0, 1, 2], [3, 4, 5]]),
    (9, [[0, 1, 2], [3, 4, 5]]),
  ])
  func `the eight orientations rearrange rows and columns`(number: Int, rows: [[UInt8]]) {
    let stored = (0..<6).flatMap { [UInt8](repeating: UInt8($0), count: 4) }

    let turned = AreaReduction.reduce(
      stored, size: (3, 2), to: (3, 2), orientation: Orientation(number: number))

    #expect(turned == rows.joined().flatMap { [UInt8](repeating: $0, count: 4) })
  }

  @Test(arguments: 1...8)
  func `rotating while scaling equals scaling and then rotating`(number: Int) {
    var random = SeededGenerator(seed: UInt64(number))
    let source = (0..<(12 * 9 * 4)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let orientation = Orientation(number: number)

    let scaled = AreaReduction.reduce(source, size: (12, 9), to: (5, 4), orientation: .upright)
    let turned = AreaReduction.reduce(scaled, size: (5, 4), to: (5, 4), orientation: orientation)

    #expect(
      AreaReduction.reduce(source, size: (12, 9), to: (5, 4), orientation: orientation) == turned)
  }
}
