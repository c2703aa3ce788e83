import PhotoGridCore
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite struct PictureShelfTests {
  static func plain(_ width: Int, _ height: Int) -> Mipmap {
    Mipmap(
      Bitmap(
        width: width, height: height, pixels: [UInt8](repeating: 9, count: width * height * 4),
        isOpaque: true))
  }

  @Test func `bytes are counted whatever comes and goes`() {
    let seed: UInt64 = 11
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var shelf = PictureShelf(budget: 40_000)
    var sizes: [Photo.ID: PixelSize] = [:]
    for _ in 0..<500 {
      let photo = Photo.ID(Int.random(in: 0..<12, using: &random))
      let (width, height) = (
        Int.random(in: 1...60, using: &random), Int.random(in: 1...60, using: &random)
      )
      let demands = (0..<3).map { _ in
        Demand.fitting(Photo.ID(Int.random(in: 0..<12, using: &random)), 20)
      }
      sizes[photo] = PixelSize(width: Double(width), height: Double(height))
      shelf.put(Self.plain(width, height), for: photo, target: (width, height))
      if Bool.random(using: &random) {
        shelf.remove(Photo.ID(Int.random(in: 0..<12, using: &random)))
      }
      shelf.want(demands)
      shelf.tidy(demands) { sizes[$0] }

      let held = (0..<12).compactMap { shelf[Photo.ID($0)] }
      #expect(shelf.byteCount == held.reduce(0) { $0 + $1.byteCount })
      let unwanted = (0..<12).filter { number in
        shelf[Photo.ID(number)] != nil && !demands.contains { $0.photo.number == number }
      }
      #expect(shelf.byteCount <= 40_000 || unwanted.isEmpty)
      for demand in demands {
        if let picture = shelf[demand.photo], let size = sizes[demand.photo] {
          #expect(shelf.satisfies(demand, of: size), "\(picture.full.width) of \(size)")
        }
      }
    }
  }

  @Test func `a picture smaller than asked for is an answer all the same`() {
    var shelf = PictureShelf(budget: 1 << 20)
    let photo = Photo.ID(0)
    shelf.put(Self.plain(50, 50), for: photo, target: (80, 80))

    let size = PixelSize(width: 100, height: 100)
    #expect(shelf.satisfies(.fitting(photo, 80), of: size))
    #expect(!shelf.satisfies(.fitting(photo, 81), of: size))
  }

  @Test func `the mean colour is that of all pixels`() {
    let pixels: [UInt8] = [0, 0, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255]
    let square = Mipmap(Bitmap(width: 2, height: 2, pixels: pixels, isOpaque: true))
    let row = Mipmap(Bitmap(width: 4, height: 1, pixels: pixels, isOpaque: true))

    #expect(square.averageColor == RGB(64, 64, 64))
    #expect(row.averageColor == RGB(64, 64, 64))
  }

  @Test func `facts are packed without loss`() {
    for info in [MessageReaderTests.info, MessageReaderTests.plainInfo] {
      var facts = PhotoFacts()
      facts.info = info

      #expect(facts.info == info)
    }
    #expect(MemoryLayout<PhotoFacts>.stride <= 48)
  }

  @Test func `paths of any bytes are kept under their numbers`() {
    var table = PathTable()
    let paths: [[UInt8]] = [[0x61], [], [0xff, 0x0a], Array("long/path.jpg".utf8)]

    let photos = paths.map { table.append($0) }

    #expect(photos == [Photo.ID(0), Photo.ID(1), Photo.ID(2), Photo.ID(3)])
    #expect(table.count == 4)
    for (number, path) in paths.enumerated() { #expect(Array(table[Photo.ID(number)]) == path) }
  }
}
