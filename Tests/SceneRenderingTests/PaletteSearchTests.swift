import Geometry
import TestSupport
import Testing

@testable import SceneRendering

struct PaletteSearchTests {
  @Test func `the two samples of a cell add up to the same floats as eight, six of them empty`() {
    var random = SeededGenerator(seed: 16)
    let masks = CellMasks(.half)
    for _ in 0..<500 {
      let planes = (0..<6).map { _ in Float.random(in: 0...255, using: &random) }
      planes.withUnsafeBytes { values in
        let halves = CellHalves(values, stride: 1, cell: 0)
        let samples = CellSamples(values, stride: 1, count: 2, cell: 0)
        #expect(halves.mean == samples.sum(masks.weights(of: masks.full)))
        #expect(halves.energy == samples.energy(masks.weights(of: masks.full)))
        #expect(halves.luma == samples.luma)
        for mask: UInt8 in [0b01, 0b10] {
          #expect(halves.sum(mask) == samples.sum(masks.weights(of: mask)))
        }
      }
    }
  }

  @Test func `of all pairs of colours that may stand for a cell's two, the best is found`() {
    var random = SeededGenerator(seed: 256)
    let tables = SixteenColorTables()
    func color() -> SIMD4<Float> {
      CellSamples.withLuma(
        SIMD4(
          .random(in: -40...300, using: &random), .random(in: -40...300, using: &random),
          .random(in: -40...300, using: &random), 0))
    }
    for _ in 0..<500 {
      let parts = CellParts(mask: 0b10, share: 0.5, front: color(), back: color(), rest: 0)
      let (wanted, weight) = (color(), Float.random(in: 0...4, using: &random))
      var search = PaletteSearch(wanted: wanted, meanWeight: weight)
      search.tryColors(parts, of: tables)

      func cost(_ front: Int, _ back: Int) -> Float {
        let (front, back) = (tables.colors[front], tables.colors[back])
        let (offFront, offBack) = (front - parts.front, back - parts.back)
        let off = front * 0.5 + back * 0.5 - wanted
        let weights = SIMD4(1, 1, 1, SixteenColorTables.lumaWeightOfMeans) * weight
        return (offFront * offFront * 0.5 + offBack * offBack * 0.5 + off * off * weights).sum()
      }
      let (fronts, backs) = (tables.near(parts.front), tables.near(parts.back))
      let least = (0..<16).map { cost(Int(fronts[$0 / 4]), Int(backs[$0 % 4])) }.min() ?? 0
      let found = cost(search.choice.foreground, search.choice.background)
      #expect(found <= least * 1.0001 + 1)
    }
  }
}
