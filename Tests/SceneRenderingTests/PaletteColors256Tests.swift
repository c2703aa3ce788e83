import PhotoGridCore
import TestSupport
import Testing

@testable import SceneRendering

struct PaletteColors256Tests {
  /// One of the 256 colours, as channels and twice the luma.
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

  /// The 24 grays and the eight colours of the cube around a colour.
  private static func candidates(around color: SIMD4<Float>) -> [Int] {
    let steps = (0..<3).map { color[$0] < 95 ? 0 : min(Int((color[$0] - 55) / 40), 4) }
    return Array(232...255)
      + (0..<8).map { corner in
        let step = (0..<3).map { steps[$0] + (corner >> $0 & 1) }
        return 16 + step[0] * 36 + step[1] * 6 + step[2]
      }
  }

  @Test func `each of two colours is the best for the other one`() {
    let seed: UInt64 = 256
    var random = SeededGenerator(seed: seed)
    func color(_ range: ClosedRange<Float>) -> SIMD4<Float> {
      Self.withLuma(
        SIMD3(
          .random(in: range, using: &random), .random(in: range, using: &random),
          .random(in: range, using: &random)))
    }
    func with(_ fourth: Float, _ color: SIMD4<Float>) -> SIMD4<Float> {
      SIMD4(color.x, color.y, color.z, fourth)
    }
    for _ in 0..<100 {
      let fronts = (0..<8).map { _ in color(0...255) }
      let backs = (0..<8).map { _ in color(0...255) }
      // With the errors of other cells.
      let means = (0..<8).map { _ in color(-40...295) }
      let shares = (0..<8).map { _ in Float(Int.random(in: 1...7, using: &random)) / 8 }
      let variances = (0..<8).map { _ in Float.random(in: 0...20, using: &random) }
      let weights = PaletteWeights(columns: 80)
      let cells = SIMD8(0, 1, 2, 3, 4, 5, 6, 7)
      let colors = PaletteColors256(cells) { cell in
        PaletteColors256.Parts(
          front: with(shares[cell], fronts[cell]),
          back: with(weights.mean(variances[cell]), backs[cell]),
          mean: with(weights.hue(variances[cell]), means[cell]))
      }
      let choice = colors.choose(colors.means)

      for lane in 0..<8 {
        let share = shares[lane]
        let hue = weights.hue(variances[lane])
        let meanWeight = weights.mean(variances[lane])
        func cost(
          _ index: Int, for wanted: SIMD4<Float>, _ share: Float, beside other: SIMD4<Float>
        ) -> Float {
          let off = Self.color(index) - wanted
          let mean = Self.color(index) * share + other * (1 - share) - means[lane]
          return share * (off * off * SIMD4(hue, hue, hue, 2)).sum()
            + meanWeight * (mean * mean * SIMD4(1, 1, 1, 0.2)).sum()
        }
        let (front, back) = (Int(choice.foreground[lane]), Int(choice.background[lane]))
        func expectBest(
          _ index: Int, for wanted: SIMD4<Float>, _ share: Float,
          beside other: SIMD4<Float>
        ) {
          let least =
            Self.candidates(around: wanted)
            .map { cost($0, for: wanted, share, beside: other) }.min() ?? 0
          #expect(cost(index, for: wanted, share, beside: other) <= least * 1.001 + 1)
        }
        // The foreground is chosen before the background.
        expectBest(front, for: fronts[lane], share, beside: backs[lane])
        expectBest(back, for: backs[lane], 1 - share, beside: Self.color(front))
      }
    }
  }
}
