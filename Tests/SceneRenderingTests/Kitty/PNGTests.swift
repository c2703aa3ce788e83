import Photos
import TestSupport
import Testing

@testable import SceneRendering

struct PNGTests {
  private static let border = Insets(left: 3, top: 5, right: 2, bottom: 4)

  private static func raster(
    _ width: Int, _ height: Int, isOpaque: Bool, _ random: inout SeededGenerator
  ) -> PixelRaster {
    let few = Bool.random(using: &random)
    let pixels: [UInt8] = (0..<width * height).flatMap { _ in
      let color: [UInt8] = (0..<3).map { _ in
        few ? .random(in: 100...102, using: &random) : .random(in: 0...255, using: &random)
      }
      return color + [isOpaque ? 255 : .random(in: 0...255, using: &random)]
    }
    return PixelRaster(width: width, height: height, pixels: pixels, isOpaque: isOpaque)
  }

  @Test(arguments: [true, false], [Insets.zero, border])
  func `pixels that are read back differ by no more than the tolerance`(
    isOpaque: Bool, border: Insets
  ) throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<60 {
      let raster = Self.raster(
        .random(in: 1...20, using: &random), .random(in: 1...20, using: &random),
        isOpaque: isOpaque, &random)

      let file = try PNGReader(PNG.file(of: raster, border: border))

      #expect(file.width == raster.width + border.left + border.right)
      #expect(file.height == raster.height + border.top + border.bottom)
      for y in 0..<file.height {
        for x in 0..<file.width {
          let pixel = file.bytes[(y * file.width + x) * 4..<(y * file.width + x) * 4 + 4]
          let (column, row) = (x - border.left, y - border.top)
          guard (0..<raster.width).contains(column), (0..<raster.height).contains(row) else {
            #expect(pixel.last == 0, "\(x),\(y) is border")
            continue
          }
          let at = (row * raster.width + column) * 4
          let original = raster.pixels[at..<at + 4]
          #expect(pixel.last == original.last)
          let distance = zip(pixel, original).map { abs(Int($0) - Int($1)) }.max() ?? 0
          #expect(distance <= PNG.tolerance, "\(x),\(y): \(Array(pixel)), \(Array(original))")
        }
      }
    }
  }

  @Test func `a flat colour stays flat`() throws {
    let raster = PixelRaster(
      width: 9, height: 7, pixels: (0..<63).flatMap { _ in [12, 200, 77, 255] as [UInt8] },
      isOpaque: true)

    let file = try PNGReader(PNG.file(of: raster, border: .zero))

    let pixels = stride(from: 0, to: file.bytes.count, by: 4).map { file.bytes[$0..<$0 + 4] }
    #expect(pixels.allSatisfy { $0.elementsEqual(pixels[0]) })
  }

  @Test func `a border is transparent and has the colour of the nearest pixel`() {
    let raster = PixelRaster(
      width: 2, height: 2,
      pixels: [10, 11, 12, 255, 20, 21, 22, 255, 30, 31, 32, 255, 40, 41, 42, 255], isOpaque: true)

    let map = raster.bordered(by: Insets(left: 1, top: 2, right: 3, bottom: 1))

    #expect(map.width == 6 && map.height == 5 && !map.isOpaque)
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      Array(map.pixels[(y * 6 + x) * 4..<(y * 6 + x) * 4 + 4])
    }
    #expect(pixel(0, 0) == [10, 11, 12, 0])
    #expect(pixel(1, 1) == [10, 11, 12, 0])
    #expect(pixel(1, 2) == [10, 11, 12, 255])
    #expect(pixel(2, 3) == [40, 41, 42, 255])
    #expect(pixel(5, 3) == [40, 41, 42, 0])
    #expect(pixel(5, 0) == [20, 21, 22, 0])
    #expect(pixel(0, 4) == [30, 31, 32, 0])
  }

  @Test func `a ring is a rectangle with a hole, in a few hundred bytes`() throws {
    let hole = Insets(left: 3, top: 3, right: 3, bottom: 3)
    let bytes = PNG.file(
      of: RingInk(RGB(64, 156, 255)), width: 204, height: 204, hole: hole, border: Self.border)

    let file = try PNGReader(bytes)

    #expect(bytes.count < 300)
    for y in 0..<file.height {
      for x in 0..<file.width {
        let (column, row) = (x - 3, y - 5)
        let isInside = (0..<204).contains(column) && (0..<204).contains(row)
        let isHole = (3..<201).contains(column) && (3..<201).contains(row)
        let expected: [UInt8] = [64, 156, 255, isInside && !isHole ? 255 : 0]
        let at = (y * file.width + x) * 4
        #expect(Array(file.bytes[at..<at + 4]) == expected, "\(x),\(y)")
      }
    }
  }
}
