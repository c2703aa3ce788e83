import TestSupport
import Testing

@testable import PhotoGridCore

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
      RadixSort.places(of: numbers, isReversed: false)
        == places.sorted { (numbers[Int($0)], $0) < (numbers[Int($1)], $1) })
    #expect(
      RadixSort.places(of: numbers, isReversed: true)
        == places.sorted { (numbers[Int($1)], $0) < (numbers[Int($0)], $1) })
  }
}
