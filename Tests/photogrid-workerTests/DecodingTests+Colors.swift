import Photos
import TestSupport
import Testing

/// Colors: profiles, inks, grays and transparency.
extension DecodingTests {
  /// The quarters of the pictures of inks.
  private static let inks = [
    [0, 255, 255, 255], [255, 0, 255, 255], [255, 255, 0, 255], [127, 127, 127, 255],
  ]
  /// The quarters of the gray picture.
  private static let grays = [30, 90, 160, 220].map { [$0, $0, $0, 255] }

  @Test func `a profile's colours become those of sRGB`() throws {
    func profiled(_ name: String) -> [UInt8] {
      image("card.jpg").inserting(
        segment(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1] + image(name)))
    }
    let broken = image("card.jpg").inserting(
      segment(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1] + Array("no profile".utf8)))

    let store = try store([
      profiled("swapped.icc"), image("swapped.png"), image("swapped.tif"), image("swapped.webp"),
      profiled("same.icc"), broken,
    ])

    // Red and blue are swapped.
    let exchanged = Self.card.map { [$0[2], $0[1], $0[0], 255] }
    for number in 0..<6 {
      let picture = try #require(store.picture(number))
      #expect(
        areAlike(picture.quarters, number < 4 ? exchanged : Self.card),
        "\(number): \(picture.quarters)")
    }
  }

  @Test func `a profile for RGB is ignored by inks and grays, also after an RGB photo had it`()
    throws
  {
    let worker = try AskedWorker()
    var profile = image("swapped.icc")
    // The exponent of its curve becomes 3.4 instead of 2.4, which darkens grays too.
    profile[0x195] = 3
    let icc = segment(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile)
    func quarters(_ name: String) throws -> [[Int]] {
      let path = folder.write(image(name).inserting(icc), to: name)
      return try #require(worker.whole(path)).1.quarters
    }

    let (photo, inks) = (try quarters("card.jpg"), try quarters("inks.jpg"))
    let (again, grays) = (try quarters("card.jpg"), try quarters("gray.jpg"))

    #expect(!areAlike(photo, Self.card), "\(photo)")
    #expect(areAlike(inks, Self.inks), "\(inks)")
    #expect(again == photo)
    #expect(areAlike(grays, Self.grays, tolerance: 4), "\(grays)")
  }

  @Test func `CMYK and YCCK inks become RGB, also without an Adobe marker`() throws {
    var unmarked = image("inks.jpg")
    // The Adobe segment is first.
    unmarked.removeSubrange(2..<(2 + 2 + Int(unmarked[5])))

    let store = try store([image("inks.jpg"), image("inks-ycck.jpg"), unmarked])

    for number in 0..<3 {
      let picture = try #require(store.picture(number))
      #expect(areAlike(picture.quarters, Self.inks), "\(number): \(picture.quarters)")
      #expect(picture.isOpaque)
    }
  }

  @Test func `gray stays gray`() throws {
    let picture = try #require(try store([image("gray.jpg")]).picture(0))

    #expect(areAlike(picture.quarters, Self.grays, tolerance: 4))
  }

  @Test func `transparency is kept, and colours are premultiplied`() throws {
    let store = try store([image("alpha.png"), image("alpha.webp")])

    for number in 0..<2 {
      let picture = try #require(store.picture(number))
      let expected = [Self.red, Self.green, [25, 40, 110, 128], [0, 0, 0, 0]]
      #expect(areAlike(picture.quarters, expected, tolerance: 3), "\(picture.quarters)")
      #expect(!picture.isOpaque)
    }
  }
}
