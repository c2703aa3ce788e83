import Testing

@testable import ImageFormats

@Suite struct PreviewFitTests {
  typealias Part = PreviewFit.Crop

  @Test(arguments: [
    // The same aspect ratio, and a rounded one.
    ((160, 120), (4000, 3000), Part(x: 0, y: 0, width: 160, height: 120)),
    ((160, 107), (4272, 2848), Part(x: 0, y: 0, width: 160, height: 107)),
    ((196, 122), (2560, 1600), Part(x: 0, y: 0, width: 196, height: 122)),
    ((120, 160), (2448, 3264), Part(x: 0, y: 0, width: 120, height: 160)),
    // Bars at top and bottom: 160 by 106.7, and by 90; at the sides of an upright one.
    ((160, 120), (3008, 2000), Part(x: 0, y: 8, width: 160, height: 104)),
    ((160, 120), (4000, 2250), Part(x: 0, y: 16, width: 160, height: 88)),
    ((160, 120), (2000, 3000), Part(x: 41, y: 0, width: 78, height: 120)),
    // The whole file as it is.
    ((64, 32), (64, 32), Part(x: 0, y: 0, width: 64, height: 32)),
  ])
  func `the crop of a preview is the part that shows the photo`(
    preview: (Int, Int), photo: (Int, Int), part: Part
  ) {
    #expect(PreviewFit.crop(of: preview, photo: photo) == part)
  }

  @Test(arguments: [
    // Tiny, larger than the photo, nothing between the bars, empty.
    ((40, 30), (4000, 3000)), ((160, 120), (150, 120)), ((160, 120), (100, 3000)),
    ((160, 120), (20_000, 1000)), ((0, 0), (100, 100)), ((160, 0), (100, 100)),
    ((160, 120), (0, 0)), ((1, 1), (1, 1)),
  ])
  func `a useless preview has no crop`(preview: (Int, Int), photo: (Int, Int)) {
    #expect(PreviewFit.crop(of: preview, photo: photo) == nil)
  }

  @Test func `bars count as black by their average`() {
    let part = Part(x: 0, y: 4, width: 8, height: 4)
    /// Four rows of bars, of which the inner one belongs to the photo.
    func pixels(_ bar: UInt8, _ spot: UInt8 = 0) -> [UInt8] {
      (0..<12).flatMap { y in
        (0..<8).flatMap { x -> [UInt8] in
          if (3..<9).contains(y) { return [200, 180, 160, 255] }
          return x == 0 ? [spot, bar, bar, 255] : [bar, bar, bar, 255]
        }
      }
    }

    #expect(PreviewFit.areBarsBlack(around: part, of: pixels(0), width: 8, height: 12))
    #expect(PreviewFit.areBarsBlack(around: part, of: pixels(10, 90), width: 8, height: 12))
    #expect(!PreviewFit.areBarsBlack(around: part, of: pixels(40), width: 8, height: 12))
    #expect(!PreviewFit.areBarsBlack(around: part, of: pixels(10, 255), width: 8, height: 12))
    #expect(!PreviewFit.areBarsBlack(around: part, of: pixels(200, 200), width: 8, height: 12))
    let whole = Part(x: 0, y: 0, width: 8, height: 8)
    #expect(PreviewFit.areBarsBlack(around: whole, of: pixels(255), width: 8, height: 8))
  }
}
