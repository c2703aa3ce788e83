import TestSupport
import Testing

@testable import Photos

/// Sorting by bits is the same as sorting by comparing.
@Suite struct RadixSortTests {
  @Test(arguments: 0..<60 as Range<UInt64>)
  func `numbers are in order, and equal ones keep theirs`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bounds: [ClosedRange<Int64>] = [
      0...0, -3...3, 2010_01_01_000000...2019_12_31_235959, .min ... .max, -70_000...70_000,
    ]
    let bound = bounds[Int(seed) % bounds.count]
    let numbers = (0..<Int.random(in: 0...3000, using: &random)).map { _ in
      Int64.random(in: bound, using: &random)
    }
    let places = numbers.indices.map { Int32($0) }

    #expect(
      RadixSort.order(of: numbers, isReversed: false)
        == places.sorted { (numbers[Int($0)], $0) < (numbers[Int($1)], $1) })
    #expect(
      RadixSort.order(of: numbers, isReversed: true)
        == places.sorted { (numbers[Int($1)], $0) < (numbers[Int($0)], $1) })
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `numbers are sorted in place, however many of them are equal`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bounds: [ClosedRange<UInt64>] = [
      7...7, 0...3, 1 << 40...1 << 40 + 300, 0 ... .max, .max - 5 ... .max,
    ]
    let bound = bounds[Int(seed) % bounds.count]
    let numbers = (0..<Int.random(in: 0...5000, using: &random)).map { _ in
      UInt64.random(in: bound, using: &random)
    }
    var sorted = numbers
    RadixSort.sort(&sorted)
    #expect(sorted == numbers.sorted())
  }

  @Test(arguments: [false, true], [Int64(20_240_501_123_000), .min])
  func `photos of equal ranks keep their order, and those of unknown rank come last`(
    isReversed: Bool, least: Int64
  ) {
    // A rank far from the others leaves no bits for the photos' places beside it.
    let ranks: [Int64?] = [5, nil, 3, 5, nil, 3, .max / 2, 3].map { rank in
      rank.map { least == .min ? $0 : min($0, 9) + least }
    }
    let all = ranks + [least == .min ? .min : least + 1]
    let listing = all.indices.reversed().map { Photo.ID($0) }
    let order = SortOrder(by: .taken, isReversed: isReversed)
    let sorted = order.sorted(listing, names: PhotoNames()) { all[$0.index] }
    let expected = isReversed ? [6, 3, 0, 7, 5, 2, 8, 4, 1] : [8, 7, 5, 2, 3, 0, 6, 4, 1]
    #expect(sorted.map(\.index) == expected)
  }
}
