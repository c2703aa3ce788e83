import Geometry
import Photos
import SceneModel
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

@Suite struct PictureCacheTests {
  static func plain(_ width: Int, _ height: Int) -> Mipmap {
    Mipmap(
      Bitmap(
        width: width, height: height, pixels: [UInt8](repeating: 9, count: width * height * 4),
        isOpaque: true))
  }

  static func sized(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: Double(width), height: Double(height))
  }

  @Test func `a tile shows the same picture before and after its photo is opened`() throws {
    let photo = Photo.ID(0)
    var cache = PictureCache(budget: 100_000_000)
    func width(covering side: Double) -> Int? {
      cache.picture(of: photo, covering: PixelSize(width: side, height: side))?.full.width
    }
    let isPut = cache.putPreview(Self.plain(90, 90), for: photo)
    #expect(isPut)
    #expect(width(covering: 196) == 90)
    for side in [196, 300, 1000, 3000] {
      cache.put(Self.plain(side, side), for: photo, target: (side, side))
      #expect(cache[photo]?.full.width == side)
    }

    #expect([1, 196, 197, 299.4, 300].map { width(covering: $0) } == [196, 196, 196, 300, 300])
    #expect([302, 1000, 1002, 5000].map { width(covering: $0) } == [1000, 1000, 3000, 3000])
    let all = [196, 300, 1000, 3000].map { Self.plain($0, $0).byteCount }.reduce(0, +)
    #expect(cache.byteCount == all)
    // A file that has changed leaves nothing behind.
    cache.expire(photo)
    cache.put(Self.plain(4000, 4000), for: photo, target: (4000, 4000))
    #expect(width(covering: 196) == 4000)
    #expect(cache.byteCount == Self.plain(4000, 4000).byteCount)
  }

  @Test func `a picture of exactly the demanded size joins a larger one, and is tried once`() {
    let photo = Photo.ID(0)
    let size = Self.sized(4000, 3000)
    var demand = Demand(photo: photo, size: PixelSize(width: 400, height: 400), mode: .fit)
    demand.isExact = true
    var cache = PictureCache(budget: 3_700_000)
    cache.put(Self.plain(800, 600), for: photo, target: (800, 600))
    #expect(cache.satisfies(demand, of: size) && !cache.hasExact(demand, of: size))

    cache.put(Self.plain(400, 300), for: photo, target: (400, 300))
    #expect(cache.hasExact(demand, of: size))
    #expect(cache[photo]?.full.width == 800)
    #expect(cache.picture(of: photo, covering: Self.sized(400, 300))?.full.width == 400)
    #expect(cache.byteCount == Self.plain(800, 600).byteCount + Self.plain(400, 300).byteCount)

    // Without memory for it, it goes, and does not come again.
    cache.put(Self.plain(200, 700), for: Photo.ID(1), target: (200, 700))
    cache.evict([]) { _ in nil }
    #expect(cache.picture(of: photo, covering: Self.sized(400, 300))?.full.width == 800)
    #expect(cache.hasExact(demand, of: size))

    // Nor does one that comes in another size than was demanded.
    demand.size = PixelSize(width: 500, height: 500)
    #expect(!cache.hasExact(demand, of: size))
    cache.put(Self.plain(498, 373), for: photo, target: (500, 375))
    #expect(cache.hasExact(demand, of: size))
    cache.expire(photo)
    #expect(!cache.hasExact(demand, of: size))
  }

  @Test func `smaller pictures of a photo go before pictures of others`() {
    var cache = PictureCache(budget: 300_000)
    cache.put(Self.plain(60, 60), for: Photo.ID(0), target: (60, 60))
    cache.put(Self.plain(200, 200), for: Photo.ID(0), target: (200, 200))
    cache.put(Self.plain(120, 120), for: Photo.ID(1), target: (120, 120))

    cache.evict([]) { _ in nil }

    #expect(cache[Photo.ID(0)]?.full.width == 200)
    #expect(cache[Photo.ID(1)]?.full.width == 120)
    #expect(
      cache.picture(of: Photo.ID(0), covering: PixelSize(width: 60, height: 60))?.full.width == 200)
  }

  @Test(arguments: seeds(11...13))
  func `the budget is not exceeded, except by visible pictures, which stay`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let budget = 200_000
    let count = 60
    var cache = PictureCache(budget: budget)
    let sizes = (0..<count).map { _ in
      Self.sized(Int.random(in: 20...900, using: &random), Int.random(in: 20...900, using: &random))
    }
    var timesAbove = 0
    for round in 0..<80 {
      let center = Int.random(in: 0..<count, using: &random)
      let side = Double([8, 24, 60, 200].randomElement(using: &random) ?? 8)
      let reach = Int.random(in: 0...8, using: &random)
      let demands = (0..<count).filter { abs($0 - center) <= 2 * reach }
        .sorted { abs($0 - center) < abs($1 - center) }
        .map { number in
          Demand(
            photo: Photo.ID(number), size: Self.sized(Int(side), Int(side)), mode: .fill,
            proximity: abs(number - center) <= reach ? .visible : .nearby)
        }
      cache.setDistances { abs($0.index - center) }
      var answered: [Demand] = []
      for demand in demands {
        let size = sizes[demand.photo.index]
        let target = targetSize(of: size, in: demand.size, mode: demand.mode)
        if Int.random(in: 0..<4, using: &random) == 0 {
          _ = cache.putPreview(Self.plain(min(40, target.width), 9), for: demand.photo)
        }
        let wanted = cache.byteCount(of: demands.map(\.photo))
        let hasRoom = cache.hasRoom(for: demand, of: size, beside: wanted)
        if !cache.satisfies(demand, of: size), demand.proximity == .visible || hasRoom {
          cache.put(Self.plain(target.width, target.height), for: demand.photo, target: target)
        }
        cache.evict(demands) { sizes[$0.index] }
        if demand.proximity == .visible { answered.append(demand) }
        if Int.random(in: 0..<50, using: &random) == 0 {
          cache.remove(Photo.ID(Int.random(in: 0..<count, using: &random)))
          answered.removeAll { cache[$0.photo] == nil }
        }

        let held = (0..<count).filter { cache[Photo.ID($0)] != nil }
        #expect(
          cache.byteCount
            == held.flatMap { cache.pictures(of: Photo.ID($0)) }.reduce(0) { $0 + $1.byteCount })
        let seen = Set(demands.filter { $0.proximity == .visible }.map(\.photo.index))
        if cache.byteCount > budget {
          timesAbove += 1
          #expect(held.allSatisfy(seen.contains), "round \(round)")
        }
        for demand in answered {
          #expect(
            cache.satisfies(demand, of: sizes[demand.photo.index]), "round \(round): \(demand)")
        }
      }
    }
    #expect(timesAbove > 0)
  }

  @Test
  func `the farthest are evicted first, at the same distance the largest, and leave placeholders`()
  {
    // A picture of 64 by 64 takes 21,844 bytes with its mipmap levels, its placeholder 5,460.
    var cache = PictureCache(budget: 100_000)
    for number in 0..<5 {
      let side = number == 3 ? 66 : 64
      cache.put(Self.plain(side, side), for: Photo.ID(number), target: (side, side))
    }
    // Photos 1 and 3 are at the same distance.
    cache.setDistances { abs($0.index - 2) }
    let demands = [Demand.fitting(Photo.ID(2), 64), .fitting(Photo.ID(4), 64)]
    cache.evict(demands) { _ in Self.sized(100, 100) }
    #expect((0..<5).map { cache[Photo.ID($0)]?.full.width } == [32, 64, 64, 16, 64])
    #expect(cache.byteCount <= 100_000)
  }

  @Test func `placeholders take an eighth of the budget`() {
    var cache = PictureCache(budget: 160_000)
    for number in 0..<100 {
      cache.put(Self.plain(64, 64), for: Photo.ID(number), target: (64, 64))
      cache.setDistances { abs($0.index - number) }
      cache.evict([.fitting(Photo.ID(number), 64)]) { _ in Self.sized(100, 100) }
    }

    let widths = (0..<100).map { cache[Photo.ID($0)]?.full.width }
    // Three placeholders of 5,460 bytes fit into 20,000, beside the whole pictures.
    #expect(widths.count { $0 == 32 } == 3)
    #expect(widths.suffix(7).allSatisfy { $0 == 64 || $0 == 32 })
    #expect(widths.prefix(80).allSatisfy { $0 == nil })
    #expect(cache.byteCount <= 160_000)
  }

  @Test func `a preview never replaces a decoded picture or a larger preview`() {
    var cache = PictureCache(budget: 1 << 20)
    let photo = Photo.ID(0)
    let size = Self.sized(1000, 500)

    let first = cache.putPreview(Self.plain(40, 20), for: photo)
    let smaller = cache.putPreview(Self.plain(30, 15), for: photo)
    #expect(first && !smaller)
    #expect(!cache.isDecoded(photo) && cache.isAsLarge(as: .fitting(photo, 41), of: size))
    #expect(!cache.isAsLarge(as: .fitting(photo, 60), of: size))
    #expect(!cache.satisfies(.fitting(photo, 10), of: size))
    cache.put(Self.plain(10, 5), for: photo, target: (10, 5))
    let larger = cache.putPreview(Self.plain(80, 40), for: photo)
    #expect(!larger && cache[photo]?.full.width == 10 && cache.isDecoded(photo))
    cache.expire(photo)
    #expect(cache[photo]?.full.width == 10 && !cache.satisfies(.fitting(photo, 10), of: size))
  }

  @Test func `the mean colour is that of all pixels`() {
    let pixels: [UInt8] = [0, 0, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255]
    let square = Mipmap(Bitmap(width: 2, height: 2, pixels: pixels, isOpaque: true))
    let row = Mipmap(Bitmap(width: 4, height: 1, pixels: pixels, isOpaque: true))

    #expect(square.averageColor == RGB(64, 64, 64))
    #expect(row.averageColor == RGB(64, 64, 64))
  }

  @Test func `facts are packed without loss`() {
    for info in [PhotoInfo.full, PhotoInfo.plain] {
      var facts = PhotoFacts()
      facts.info = info

      #expect(facts.info == info)
    }
    #expect(MemoryLayout<PhotoFacts>.stride <= 72)
  }

  @Test func `paths of any bytes are stored under their IDs`() {
    var table = PathTable()
    let paths: [[UInt8]] = [[0x61], [], [0xff, 0x0a], Array("long/path.jpg".utf8)]

    let photos = paths.map { table.append($0) }

    #expect(photos == [Photo.ID(0), Photo.ID(1), Photo.ID(2), Photo.ID(3)])
    #expect(table.count == 4)
    for (number, path) in paths.enumerated() { #expect(Array(table[Photo.ID(number)]) == path) }
  }

  @Test func `paths beyond the limits are left out`() {
    let index = PathIndex(limits: PathTable.Limits(count: 3))
    var batch = PhotoBatch(root: 0, folder: Array("p/".utf8))
    for name in ["a", "b", "c", "d"] { batch.append(name.utf8) }

    #expect(index.append(batch) == 0..<3)
    #expect(index.takeOverflow())
    #expect(!index.takeOverflow())
    #expect(index.append(batch).isEmpty && index.takeOverflow() && index.count == 3)
    #expect(index[Photo.ID(2)] == Array("p/c".utf8))
  }

  @Test func `names and folders without end take no more memory than the limit`() {
    let index = PathIndex(limits: PathTable.Limits(byteCount: 1000))
    for number in 0..<100 {
      index.append(PhotoBatch(root: 0, folder: Array("empty \(number)/".utf8)))
      index.append([Array("\(number)/a.jpg".utf8)])
    }
    // Each folder takes 128 bytes and two more, each name six.
    #expect(index.count == 7 && index.takeOverflow())

    let path = PhotoPath(root: 0, path: Array("0/another.jpg".utf8))
    for _ in 0..<100 { index.rename(Photo.ID(0), to: path) }
    #expect(index[Photo.ID(0)] == path.path && index.takeOverflow())
  }
}
