import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// Regions of photos, and how orientations turn them.
extension CloseUpTests {
  // MARK: Regions

  @Test(arguments: [
    PixelRect(x: 100, y: 0, width: 5, height: 5), PixelRect(x: -10, y: 0, width: 10, height: 5),
    PixelRect(x: 0, y: 0, width: 0, height: 5), PixelRect(x: 0, y: 0, width: -5, height: 5),
    PixelRect(x: .nan, y: 0, width: 5, height: 5), PixelRect(x: 0, y: 0, width: .nan, height: 5),
    PixelRect(x: 0, y: .nan, width: 5, height: .infinity),
    PixelRect(x: -.infinity, y: 0, width: .infinity, height: 5),
  ])
  func `an empty rectangle, or one that does not overlap the photo, gives no region`(
    rect: PixelRect
  ) {
    let photo = PixelSize(width: 100, height: 80)
    #expect(PhotoRegion(covering: rect, of: photo, reduction: 1) == nil)
  }

  @Test func `a region is rounded out to whole samples and clipped to the photo`() {
    let photo = PixelSize(width: 101, height: 80)
    let rect = PixelRect(x: 3.5, y: -4, width: 96, height: 70.2)

    #expect(
      PhotoRegion(covering: rect, of: photo, reduction: 1)
        == PhotoRegion(x: 3, y: 0, width: 97, height: 67))
    #expect(
      PhotoRegion(covering: rect, of: photo, reduction: 8)
        == PhotoRegion(x: 0, y: 0, width: 101, height: 72, reduction: 8))
    #expect(
      PhotoRegion(
        covering: PixelRect(x: -1e300, y: -1e300, width: 2e300, height: 2e300), of: photo,
        reduction: 64) == PhotoRegion(x: 0, y: 0, width: 101, height: 80, reduction: 64))
    for size in [PixelSize(width: 0, height: 9), PixelSize(width: .nan, height: 9), PixelSize.zero]
    {
      #expect(PhotoRegion(covering: rect, of: size, reduction: 1) == nil)
    }
  }

  @Test func `orientations form a group that acts on regions, points and sizes`() {
    let size = PixelSize(width: 40, height: 30)
    for one in (1...8).map(Orientation.init(number:)) {
      #expect(one.followed(by: one.inverse) == .upright)
      #expect(one.followed(by: .upright) == one)
      for other in (1...8).map(Orientation.init(number:)) {
        let both = one.followed(by: other)
        let point = PixelPoint(x: 0.1, y: 0.7)
        #expect(both.turned(point).distance(to: other.turned(one.turned(point))) < 1e-9)
        #expect(both.turned(size) == other.turned(one.turned(size)))
        let region = PhotoRegion(x: 3, y: 5, width: 10, height: 4)
        let between = one.turned(width: 40, height: 30)
        #expect(
          region.turned(both, in: (40, 30))
            == region.turned(one, in: (40, 30)).turned(other, in: between))
      }
    }
  }

  @Test(arguments: 1...8)
  func `rotating a bitmap moves each pixel as rotating its centre does`(number: Int) {
    let pixels: [UInt8] = (0..<12).flatMap { (value: UInt8) -> [UInt8] in [value, 0, 0, 255] }
    let bitmap = Bitmap(width: 4, height: 3, pixels: pixels, isOpaque: true)
    let orientation = Orientation(number: number)

    let turned = bitmap.turned(orientation)

    for y in 0..<3 {
      for x in 0..<4 {
        let place = orientation.turned(
          PixelPoint(x: (Double(x) + 0.5) / 4, y: (Double(y) + 0.5) / 3))
        let (column, row) = (
          Int(place.x * Double(turned.width)), Int(place.y * Double(turned.height))
        )
        #expect(turned.pixels[(row * turned.width + column) * 4] == UInt8(y * 4 + x))
      }
    }
  }
}
