import Testing

@testable import PhotoGridCore

/// The part of a zoomed photo that is fetched, and the placement of its picture.
struct CloseUpTests {
  /// The region that is requested of the open photo after some keys.
  func part(_ keys: String, _ story: inout Story) -> Demand.Region? {
    story.keys(keys)
    story.wait(0.5)
    return story.browser.closeUpDemand?.region
  }

  @Test func `at fit no region is requested, at 100 % the visible part with a margin`()
    throws
  {
    var story = ZoomStoryTests.opened()
    #expect(story.browser.closeUpDemand == nil)

    let part = try #require(part("z", &story))

    // The visible part is 1000 by 600 at 1500, 1200; on each side `needed` adds an eighth of it and
    // `wanted` a half.
    #expect(part.needed == PhotoRegion(x: 1375, y: 1125, width: 1250, height: 750))
    #expect(part.wanted == PhotoRegion(x: 1000, y: 900, width: 2000, height: 1200))
    #expect(story.browser.demands.first == story.browser.closeUpDemand)
    #expect(story.browser.demands[1].region == nil && story.browser.demands[1].photo == Photo.ID(0))
  }

  @Test func `at 100 % the parts of the next photos and the one before are demanded ahead`() throws
  {
    var story = Story(photos: 9)
    story.keys("llll")
    story.send(.key(.enter))
    func ahead() -> [Int] {
      story.browser.demands.filter { $0.place == .neighbor && $0.region != nil }
        .map(\.photo.index)
    }
    story.keys("+")
    story.wait(1)
    #expect(ahead().isEmpty, "a zoom step is for this photo only")
    story.keys("0z")
    story.wait(1)
    #expect(ahead() == [5, 3, 6, 7])
    story.keys("jj")
    story.wait(1)
    let next = try #require(
      story.browser.demands.first { $0.photo == Photo.ID(5) && $0.region != nil })
    story.keys("n")
    #expect(ahead() == [6, 4, 7, 8])
    let needed = try #require(story.browser.closeUpDemand?.region?.needed)
    #expect(next.region?.wanted.satisfies(needed) == true, "what was decoded ahead is enough")
    story.keys("p")
    #expect(ahead() == [3, 5, 2, 1])
    story.send(.key(.escape))
    story.wait(1)
    #expect(ahead().isEmpty)
  }

  @Test func `while one goes on at 100 %, whole photos wait until a photo rests`() {
    var story = Story(photos: 9)
    story.keys("llll")
    story.send(.key(.enter))
    func whole() -> [Int] {
      let area = story.browser.viewport.pictureSize
      return story.browser.demands.filter { $0.region == nil && $0.size.width >= area.width }
        .map(\.photo.index)
    }
    story.keys("z")
    story.wait(1)
    #expect(whole() == [4, 5, 3])
    for photo in 5...7 {
      story.keys("n")
      #expect(whole().isEmpty)
      #expect(story.browser.demands.first?.photo == Photo.ID(photo))
      story.wait(0.2)
    }
    #expect(whole().isEmpty && story.browser.nextChange != nil)
    story.wait(0.3)
    #expect(whole() == [7, 8, 6])
    story.keys("n0")
    #expect(whole() == [8, 7], "at fit they are needed at once")
  }

  @Test func `the margin is larger in the direction of movement, and ends at the photo's edges`()
    throws
  {
    var story = ZoomStoryTests.opened()
    _ = part("z", &story)

    #expect(
      try #require(part("l", &story)).wanted
        == PhotoRegion(x: 1450, y: 900, width: 2000, height: 1200))
    #expect(
      try #require(part("k", &story)).wanted
        == PhotoRegion(x: 1200, y: 630, width: 2000, height: 1200))
    #expect(
      try #require(part("L", &story)).wanted
        == PhotoRegion(x: 2750, y: 780, width: 1250, height: 1200))
    story.fling(by: PixelPoint(x: 10, y: 10))
    let ahead = try #require(story.browser.closeUpDemand?.region).wanted
    let seen = try #require(story.browser.viewer).view
    #expect(Double(ahead.x) < seen.center.x * 4000 - 1000)
  }

  @Test func `a region has at least the drawn resolution, and at most double`() {
    // Half blocks draw a sample per ten pixels across, and two when nothing moves.
    var metrics = CellMetrics.standard
    metrics.samplesPerPixel = 0.2
    let steps: [(String, Int)] = [
      ("z", 4), ("+", 2), ("+", 2), ("+", 1), ("+", 1), ("++++", 1), ("z", 4), ("-", 4), ("-", 8),
    ]
    var story = ZoomStoryTests.opened(size: PixelSize(width: 24_000, height: 18_000))
    story.send(.resized(CellSize(columns: 100, rows: 31), metrics))

    for (keys, reduction) in steps {
      #expect(part(keys, &story)?.needed.reduction == reduction, "after \(keys)")
    }
  }

  @Test func `if the region would be the whole photo, the photo is requested without a region`() {
    var story = ZoomStoryTests.opened(size: PixelSize(width: 1200, height: 900))

    story.keys("z")

    #expect(
      story.browser.closeUpDemand
        == Demand(photo: Photo.ID(0), size: PixelSize(width: 1200, height: 900), mode: .fit))
    story.keys(">")
    #expect(
      story.browser.closeUpDemand
        == Demand(photo: Photo.ID(0), size: PixelSize(width: 1200, height: 900), mode: .fit))
  }

  @Test func `whole frames of an animation are requested, up to a limited size`() {
    var story = ZoomStoryTests.opened(size: PixelSize(width: 3000, height: 2000))
    story.browser.collection.frameCounts[Photo.ID(0)] = 12
    story.keys("z")
    story.wait(0.5)
    let half = Demand(photo: Photo.ID(0), size: PixelSize(width: 1500, height: 1000), mode: .fit)
    #expect(story.browser.closeUpDemand == half)
    #expect(story.browser.demands.first == half)

    story.send(.resized(CellSize(columns: 200, rows: 61), .standard))
    story.keys("zf")
    story.wait(0.5)
    #expect(story.browser.closeUpDemand == nil, "it is no larger than at fit")
  }

  @Test func `the region of a rotated photo is requested in the file's orientation`() throws {
    var story = ZoomStoryTests.opened()
    _ = part("zHK", &story)

    let part = try #require(part(">", &story))

    // The view was 0 to 1000 by 0 to 600, and is rotated about its centre as far as the edge
    // allows.
    #expect(story.sees(PixelRect(x: 2000, y: 200, width: 1000, height: 600)), "\(story.seen)")
    #expect(part.needed == PhotoRegion(x: 125, y: 0, width: 750, height: 1125))
  }

  @Test func `a region has at most 24 Mi samples, and sides of at most 8192`() throws {
    var metrics = CellMetrics(cell: PixelSize(width: 20, height: 40))
    metrics.samplesPerPixel = 1
    var story = ZoomStoryTests.opened(size: PixelSize(width: 60_000, height: 40_000))
    story.send(.resized(CellSize(columns: 300, rows: 100), metrics))

    for _ in 0..<20 {
      let part = try #require(part("-", &story) ?? part("30+", &story))
      let (width, height) = part.wanted.sampleSize
      #expect(width * height <= 24 << 20 && max(width, height) <= 8192, "\(part)")
    }
  }

  // MARK: Placements

  @Test func `a region that covers the visible part replaces the whole picture`() throws {
    var story = ZoomStoryTests.opened()
    story.keys("z")
    story.wait(0.5)
    let region = PhotoRegion(x: 1400, y: 1100, width: 2000, height: 1000)

    let placements = story.scene(with: region).placements

    #expect(placements.count == 1)
    #expect(placements[0].region == region)
    #expect(placements[0].frame == story.browser.viewport.pictureArea)
    #expect(placements[0].crop == PixelRect(x: 0.05, y: 0.1, width: 0.5, height: 0.6))
  }

  @Test func `a region inside the visible part lies over the whole picture, aligned with it`()
    throws
  {
    var story = ZoomStoryTests.opened()
    story.keys("z")
    story.wait(0.5)
    let region = PhotoRegion(x: 1700, y: 1000, width: 400, height: 500)

    let placements = story.scene(with: region).placements

    #expect(placements.map(\.region) == [nil, region])
    #expect(placements[0] == story.out)
    #expect(placements[1].frame == PixelRect(x: 200, y: 0, width: 400, height: 300))
    #expect(placements[1].crop == PixelRect(x: 0, y: 0.4, width: 1, height: 0.6))
  }

  @Test func `a transparent region is shown only if it covers the visible part`() {
    var story = ZoomStoryTests.opened()
    story.keys("z")
    story.wait(0.5)
    let region = PhotoRegion(x: 1700, y: 1000, width: 400, height: 500)

    #expect(story.scene(with: region, isOpaque: false).placements.map(\.region) == [nil])
    let all = PhotoRegion(x: 1400, y: 1100, width: 2000, height: 1000)
    #expect(story.scene(with: all, isOpaque: false).placements.map(\.region) == [all])
  }

  @Test func `a region is not shown at fit, nor if it is outside the visible part`() {
    var story = ZoomStoryTests.opened()
    let region = PhotoRegion(x: 1700, y: 1000, width: 400, height: 500)
    #expect(story.scene(with: region).placements.map(\.region) == [nil])
    story.keys("zHK")
    story.wait(1)
    #expect(story.scene(with: region).placements.map(\.region) == [nil])
  }

  @Test(arguments: 1...8)
  func `the region of a rotated photo is placed where the photo shows it`(number: Int) throws {
    var story = ZoomStoryTests.opened()
    story.browser.collection.turn(Photo.ID(0), by: Orientation(number: number))
    story.keys("z")
    story.wait(0.5)
    let region = PhotoRegion(x: 1900, y: 1400, width: 200, height: 100)

    let part = try #require(story.scene(with: region).placements.last)

    // Before the rotation the region's centre is 50 pixels above the photo's.
    let turned = Orientation(number: number).turned(PixelPoint(x: 0.5, y: 0.5 - 50.0 / 3000))
    let size = try #require(story.browser.size(of: Photo.ID(0)))
    let expected = PixelPoint(
      x: 500 + (turned.x - 0.5) * size.width, y: 300 + (turned.y - 0.5) * size.height)
    #expect(part.frame.center.distance(to: expected) < 1e-6)
    #expect(
      part.frame.size == Orientation(number: number).turned(PixelSize(width: 200, height: 100)))
    #expect(part.crop == .unit)
  }

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

extension Story {
  /// The scene with a decoded region of the first photo.
  func scene(with region: PhotoRegion, isOpaque: Bool = true) -> Scene {
    browser.scene(
      at: now,
      closeUp: { $0 == Photo.ID(0) ? CloseUp(region: region, isOpaque: isOpaque) : nil })
  }
}
