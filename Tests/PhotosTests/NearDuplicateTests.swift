import TestSupport
import Testing

@testable import Photos

@Suite struct NearDuplicateTests {
  /// A picture whose luminance is given by a function of the place, from 0 to 1 each.
  private func picture(
    _ width: Int, _ height: Int, _ value: (Double, Double) -> Double
  ) -> Bitmap {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let light = value((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
        pixels += Array(repeating: UInt8(max(0, min(255, light * 255))), count: 3) + [255]
      }
    }
    return Bitmap(width: width, height: height, pixels: pixels, isOpaque: true)
  }

  private func waves(_ x: Double, _ y: Double) -> Double {
    0.5 + 0.3 * (x * 7 + y * 3).remainder(dividingBy: 1) - 0.2 * (y * 5).remainder(dividingBy: 1)
  }

  @Test func `the same picture has nearly the same hash at any size and brightness`() throws {
    let hash = try #require(DifferenceHash(picture(160, 120, waves)))
    for (width, height) in [(320, 240), (36, 27), (1000, 750)] {
      let other = try #require(DifferenceHash(picture(width, height, waves)))
      #expect(hash.distance(to: other) <= 6, "\(width) by \(height)")
    }
    let dark = try #require(DifferenceHash(picture(160, 120) { waves($0, $1) * 0.5 }))
    #expect(hash.distance(to: dark) <= 3)
    let mirrored = try #require(DifferenceHash(picture(160, 120) { waves(1 - $0, $1) }))
    #expect(hash.distance(to: mirrored) > 20)
  }

  @Test func `a hash says where it gets lighter to the right`() {
    #expect(DifferenceHash(picture(90, 80) { x, _ in x })?.bits == .max)
    #expect(DifferenceHash(picture(90, 80) { x, _ in 1 - x })?.bits == 0)
    #expect(DifferenceHash(picture(3, 2) { x, _ in x }) != nil)
    #expect(DifferenceHash(picture(90, 80) { _, _ in 0.4 }) == nil, "one colour")
    #expect(DifferenceHash(picture(1, 1) { _, _ in 0.4 }) == nil)
  }

  @Test(arguments: seeds(1...30))
  func `the same groups are found as by comparing all pairs`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let distance = Int.random(in: 0...10, using: &random)
    var hashes: [DifferenceHash] = []
    for _ in 0..<Int.random(in: 1...200, using: &random) {
      var bits = hashes.randomElement(using: &random)?.bits ?? 0
      if Int.random(in: 0..<3, using: &random) == 0 { bits = random.next() }
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        bits ^= 1 << UInt64.random(in: 0..<64, using: &random)
      }
      hashes.append(DifferenceHash(bits: bits))
    }
    var groups = hashes.indices.map { [$0] }
    for left in hashes.indices {
      for right in hashes.indices where hashes[left].distance(to: hashes[right]) <= distance {
        guard let first = groups.firstIndex(where: { $0.contains(left) }),
          let second = groups.firstIndex(where: { $0.contains(right) }), first != second
        else { continue }
        groups[min(first, second)] = (groups[first] + groups[second]).sorted()
        groups.remove(at: max(first, second))
      }
    }
    let expected = groups.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
    #expect(NearDuplicates.groups(of: hashes, within: distance) == expected)
  }
}
