import Geometry
import TestSupport
import Testing

@testable import SceneRendering

struct PaletteColors256Tests {
  /// One of the 256 colors, as channels and twice the luma.
  private static func color(_ index: Int) -> SIMD4<Float> {
    let levels: [Float] = [0, 95, 135, 175, 215, 255]
    let cube = index - 16
    let gray = Float(8 + 10 * (index - 232))
    return withLuma(
      index >= 232
        ? SIMD3(repeating: gray)
        : SIMD3(levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6]))
  }

  private static func withLuma(_ color: SIMD3<Float>) -> SIMD4<Float> {
    SIMD4(color, color.x * 0.598 + color.y * 1.174 + color.z * 0.228)
  }

  /// The 24 grays and the eight colors of the cube around a color.
  private static func candidates(around color: SIMD4<Float>) -> [Int] {
    let steps = (0..<3).map { color[$0] < 95 ? 0 : min(Int((color[$0] - 55) / 40), 4) }
    return Array(232...255)
      + (0..<8).map { corner in
        let step = (0..<3).map { steps[$0] + (corner >> $0 & 1) }
        return 16 + step[0] * 36 + step[1] * 6 + step[2]
      }
  }

  /// What a cell should show, and the weights of its errors.
  private struct WantedCell {
    var front: SIMD4<Float>
    var back: SIMD4<Float>
    var mean: SIMD4<Float>
    var share: Float
    var meanWeight: Float
    var hueWeight: Float

    init(using random: inout SeededGenerator) {
      func color(_ range: ClosedRange<Float>) -> SIMD4<Float> {
        PaletteColors256Tests.withLuma(
          SIMD3(
            .random(in: range, using: &random), .random(in: range, using: &random),
            .random(in: range, using: &random)))
      }
      (front, back) = (color(0...255), color(0...255))
      // With the error of another cell.
      mean = color(-40...295)
      share = Float(Int.random(in: 1...7, using: &random)) / 8
      let variance = Float.random(in: 0...20, using: &random)
      meanWeight = PaletteWeights(columns: 80).mean(variance)
      hueWeight = PaletteWeights(columns: 80).hue(variance)
    }

    var parts: PaletteColors256.Parts {
      func with(_ fourth: Float, _ color: SIMD4<Float>) -> SIMD4<Float> {
        SIMD4(color.x, color.y, color.z, fourth)
      }
      return PaletteColors256.Parts(
        front: with(share, front), back: with(meanWeight, back), mean: with(hueWeight, mean))
    }

    /// Whether no other color is better for a part of the cell, beside the other part's color.
    func isBest(
      _ index: Int, for wanted: SIMD4<Float>, _ share: Float, beside other: SIMD4<Float>
    ) -> Bool {
      func cost(_ index: Int) -> Float {
        let color = PaletteColors256Tests.color(index)
        let off = color - wanted
        let mean = color * share + other * (1 - share) - self.mean
        return share * (off * off * SIMD4(hueWeight, hueWeight, hueWeight, 2)).sum()
          + meanWeight * (mean * mean * SIMD4(1, 1, 1, 0.2)).sum()
      }
      let least = PaletteColors256Tests.candidates(around: wanted).map(cost).min() ?? 0
      return cost(index) <= least * 1.001 + 1
    }
  }

  @Test func `each of two colours is the best for the other one`() {
    let seed: UInt64 = 256
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let cells = (0..<8).map { _ in WantedCell(using: &random) }
      let colors = PaletteColors256(SIMD8(0, 1, 2, 3, 4, 5, 6, 7)) { cells[$0].parts }
      let choice = colors.choose(colors.means)

      for (lane, cell) in cells.enumerated() {
        let (front, back) = (Int(choice.foreground[lane]), Int(choice.background[lane]))
        // The foreground is chosen before the background.
        #expect(
          cell.isBest(front, for: cell.front, cell.share, beside: cell.back), "seed \(seed)")
        #expect(
          cell.isBest(back, for: cell.back, 1 - cell.share, beside: Self.color(front)),
          "seed \(seed)")
      }
    }
  }
}
