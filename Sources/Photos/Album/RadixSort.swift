/// Sorting of numbers by a few of their bits at a time, in time proportional to their count.
enum RadixSort {
  // MARK: - In place

  /// Sorts numbers in ascending order, without memory for a copy of them.
  static func sort(_ numbers: inout [UInt64]) {
    numbers.withUnsafeMutableBufferPointer { sort($0) }
  }

  /// The largest count of numbers that are sorted by insertion.
  private static let maxComparedCount = 32
  /// The number of bits by which one pass in place sorts.
  private static let byteBits = 8

  /// Divides numbers into parts by the eight bits from their highest differing bit down, and sorts
  /// each part (an American flag sort).
  private static func sort(_ numbers: UnsafeMutableBufferPointer<UInt64>) {
    guard numbers.count > maxComparedCount else { return insert(numbers) }
    let first = numbers[0]
    let differing = numbers.reduce(0) { $0 | ($1 ^ first) }
    guard differing != 0 else { return }
    let shift = UInt64(max(0, UInt64.bitWidth - differing.leadingZeroBitCount - byteBits))
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 2 << byteBits) { indices in
      indices.initialize(repeating: 0)
      let starts = UnsafeMutableBufferPointer(rebasing: indices[..<(1 << byteBits)])
      let ends = UnsafeMutableBufferPointer(rebasing: indices[(1 << byteBits)...])
      for number in numbers { ends[byte(number, shift)] += 1 }
      var sum = 0
      for value in starts.indices {
        starts[value] = sum
        sum += ends[value]
        ends[value] = sum
      }
      distribute(numbers, shift, from: starts, to: ends)
      guard shift > 0 else { return }
      var start = 0
      for end in ends {
        if end - start > 1 { sort(UnsafeMutableBufferPointer(rebasing: numbers[start..<end])) }
        start = end
      }
    }
  }

  /// Moves each number into the part for its byte, by cycles of swaps.
  private static func distribute(
    _ numbers: UnsafeMutableBufferPointer<UInt64>, _ shift: UInt64,
    from nexts: UnsafeMutableBufferPointer<Int>, to ends: UnsafeMutableBufferPointer<Int>
  ) {
    for part in nexts.indices {
      while nexts[part] < ends[part] {
        var number = numbers[nexts[part]]
        while case let target = byte(number, shift), target != part {
          swap(&number, &numbers[nexts[target]])
          nexts[target] += 1
        }
        numbers[nexts[part]] = number
        nexts[part] += 1
      }
    }
  }

  @inline(__always)
  private static func byte(_ number: UInt64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: number >> shift) & (1 << byteBits - 1)
  }

  /// Sorts a few numbers by inserting each among the ones before it.
  private static func insert(_ numbers: UnsafeMutableBufferPointer<UInt64>) {
    for index in numbers.indices.dropFirst() {
      let number = numbers[index]
      var free = index
      while free > 0, numbers[free - 1] > number {
        numbers[free] = numbers[free - 1]
        free -= 1
      }
      numbers[free] = number
    }
  }

  // MARK: - With a copy

  /// Returns the indices of numbers in the order of the numbers; equal numbers keep their order.
  ///
  /// - Returns: The indices.
  static func order(of numbers: [Int64], isReversed: Bool) -> [Int32] {
    guard let least = numbers.min(), let most = numbers.max() else { return [] }
    var indices = numbers.indices.map { Int32(truncatingIfNeeded: $0) }
    var sorted = indices
    // Differences have few bits if the numbers are close to each other, as dates are.
    let bitCount = UInt64.bitWidth - UInt64(bitPattern: most &- least).leadingZeroBitCount
    for shift in stride(from: 0, to: UInt64(bitCount), by: digitBits) {
      let isDone = sort(indices, into: &sorted) { index in
        let number = numbers[Int(index)]
        let key = UInt64(bitPattern: isReversed ? most &- number : number &- least)
        return Int(truncatingIfNeeded: key >> shift) & (digitCount - 1)
      }
      if isDone { swap(&indices, &sorted) }
    }
    return indices
  }

  /// The number of bits by which one pass sorts.
  private static let digitBits = 11
  /// The number of values that a digit of these bits can have.
  private static let digitCount = 1 << digitBits

  @inline(__always)
  private static func sort(
    _ indices: [Int32], into sorted: inout [Int32], by digit: (Int32) -> Int
  ) -> Bool {
    var starts = [Int](repeating: 0, count: digitCount)
    for index in indices { starts[digit(index)] += 1 }
    guard !starts.contains(indices.count) else { return false }
    var sum = 0
    for digit in starts.indices { (starts[digit], sum) = (sum, sum + starts[digit]) }
    for index in indices {
      let digit = digit(index)
      sorted[starts[digit]] = index
      starts[digit] += 1
    }
    return true
  }
}
