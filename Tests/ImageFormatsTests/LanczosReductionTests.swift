import Geometry
import ImageFormats
import Testing

@Suite struct LanczosReductionTests {
  private static func gray(
    _ size: (width: Int, height: Int), _ value: (Int, Int) -> UInt8
  ) -> [UInt8] {
    (0..<size.height).flatMap { y in
      (0..<size.width).flatMap { x in [value(x, y), value(x, y), value(x, y), 255] }
    }
  }

  @Test func `a picture of one colour keeps that colour at every size`() {
    let size = (width: 37, height: 23)
    let source = Self.gray(size) { _, _ in 143 }
    for target in [(37, 23), (36, 11), (20, 23), (5, 3), (1, 1)] {
      for isBoxed in [false, true] {
        let result = LanczosReduction.reduce(
          source, size: size, to: target, orientation: .upright, isBoxed: isBoxed)
        #expect(result == Self.gray(target) { _, _ in 143 })
      }
    }
  }

  @Test func `an edge is steeper than after averaging, and rings by at most a tenth`() {
    let (size, target) = ((width: 300, height: 8), (width: 187, height: 5))
    let source = Self.gray(size) { x, _ in x < 140 ? 60 : 200 }
    func steepest(_ pixels: [UInt8]) -> Int {
      (1..<target.width).map { abs(Int(pixels[$0 * 4]) - Int(pixels[$0 * 4 - 4])) }.max() ?? 0
    }

    let sharp = LanczosReduction.reduce(source, size: size, to: target, orientation: .upright)
    let soft = AreaReduction.reduce(source, size: size, to: target, orientation: .upright)

    #expect(steepest(sharp) > steepest(soft))
    let colors = stride(from: 0, to: sharp.count, by: 4).map { Int(sharp[$0]) }
    #expect((colors.min() ?? 0) >= 60 - 14)
    #expect((colors.max() ?? 255) <= 200 + 14)
  }

  @Test func `a rotated picture equals the upright one rotated`() {
    let (size, target) = ((width: 31, height: 17), (width: 13, height: 9))
    let source = Self.gray(size) { x, y in UInt8((x * 7 + y * 13) % 256) }
    let upright = LanczosReduction.reduce(source, size: size, to: target, orientation: .upright)
    for number in 1...8 {
      let orientation = Orientation(number: number)
      let turned = LanczosReduction.reduce(
        source, size: size, to: target, orientation: orientation)
      let expected = AreaReduction.reduce(
        upright, size: target, to: target, orientation: orientation)
      #expect(turned == expected, "orientation \(number)")
    }
  }
}
