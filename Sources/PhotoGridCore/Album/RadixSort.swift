/// Sorting many numbers a few bits at a time: the time grows with their count alone.
enum RadixSort {
  /// Returns the places of numbers in the order of the numbers; equal ones keep their order.
  ///
  /// - Parameters:
  ///   - numbers: The numbers, at most as many as `Int32` has values.
  ///   - isReversed: Whether the largest number comes first; equal ones keep their order then too.
  /// - Returns: The places, from 0.
  static func places(of numbers: [Int64], isReversed: Bool) -> [Int32] {
    guard let least = numbers.min(), let most = numbers.max() else { return [] }
    var places = numbers.indices.map { Int32(truncatingIfNeeded: $0) }
    var sorted = places
    // Differences have few bits if the numbers are close to each other, as those of dates are.
    let bitCount = UInt64.bitWidth - UInt64(bitPattern: most &- least).leadingZeroBitCount
    for shift in stride(from: 0, to: UInt64(bitCount), by: digitBits) {
      let isDone = sort(places, into: &sorted) { place in
        let number = numbers[Int(place)]
        let key = UInt64(bitPattern: isReversed ? most &- number : number &- least)
        return Int(truncatingIfNeeded: key >> shift) & (digitCount - 1)
      }
      if isDone { swap(&places, &sorted) }
    }
    return places
  }

  /// The number of bits by which one pass sorts, and the number of values that they have.
  private static let digitBits = 11
  private static let digitCount = 1 << digitBits

  /// Sorts places by a digit of their numbers; equal ones keep their order.
  ///
  /// - Returns: False if all have the same digit, so that nothing was done.
  @inline(__always)
  private static func sort(
    _ places: [Int32], into sorted: inout [Int32], by digit: (Int32) -> Int
  ) -> Bool {
    var starts = [Int](repeating: 0, count: digitCount)
    for place in places { starts[digit(place)] += 1 }
    guard !starts.contains(places.count) else { return false }
    var sum = 0
    for digit in starts.indices { (starts[digit], sum) = (sum, sum + starts[digit]) }
    for place in places {
      let digit = digit(place)
      sorted[starts[digit]] = place
      starts[digit] += 1
    }
    return true
  }
}
