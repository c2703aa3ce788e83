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
      let variances = (0..<8).map { _ in Float.random(in: 0...2, using: &random) }
      let weights = variances.map { PaletteColors256.meanWeight($0, least: 0.3) }
      let cells = SIMD8(0, 1, 2, 3, 4, 5, 6, 7)
      let choice = PaletteColors256(cells) { cell in
        (with(shares[cell], fronts[cell]), with(weights[cell], backs[cell]))
      }.choose(PaletteColors256.Colors(cells) { means[$0] })

      for lane in 0..<8 {
        let (share, weight) = (shares[lane], 0.3 + 4 * 0.2 / (variances[lane] + 0.2))
        func cost(
          _ index: Int, for wanted: SIMD4<Float>, _ share: Float, beside other: SIMD4<Float>
        ) -> Float {
          let off = Self.color(index) - wanted
          let mean = Self.color(index) * share + other * (1 - share) - means[lane]
          return share * (off * off * SIMD4(0.4, 0.4, 0.4, 2)).sum()
            + weight * (mean * mean * SIMD4(1, 1, 1, 0.2)).sum()
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
