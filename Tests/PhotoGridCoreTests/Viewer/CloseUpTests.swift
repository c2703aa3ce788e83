import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

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
      story.browser.demands.filter { $0.proximity == .neighbor && $0.region != nil }
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
    story.send(.measured(Photo.ID(0), PixelSize(width: 3000, height: 2000), frames: 12))
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

    // The view was 0 to 1000 by 0 to 600, and is rotated about its center as far as the edge
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
}
