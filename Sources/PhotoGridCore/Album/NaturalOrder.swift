/// The order in which people expect names: "img2" before "img10".
///
/// Runs of ASCII digits compare as numbers of any length, ASCII letters ignoring case, everything
/// else byte by byte. Ties are broken by comparing the bytes, so only identical names are equal and
/// the order is total.
package enum NaturalOrder {
  /// Whether `left` comes before `right`.
  package static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in precedes(left, right) }
    }
  }

  /// Whether `left` comes before `right`.
  package static func precedes(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let start = differenceStart(left, right)
    var (l, r) = (start, start)
    while l < left.count, r < right.count {
      if isDigit(left[l]), isDigit(right[r]) {
        let order = compareNumbers(left, &l, right, &r)
        if order != 0 { return order < 0 }
      } else {
        let (a, b) = (folded(left[l]), folded(right[r]))
        if a != b { return a < b }
        l += 1
        r += 1
      }
    }
    if l < left.count || r < right.count { return r < right.count }
    return left.lexicographicallyPrecedes(right)
  }

  /// Returns how many bytes both names begin with, without the digits of a number that may differ.
  ///
  /// Photos in a folder have long beginnings in common, which are compared 8 bytes at a time.
  private static func differenceStart(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let count = min(left.count, right.count)
    let (leftBytes, rightBytes) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
    var place = 0
    while place + 8 <= count,
      leftBytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        == rightBytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    {
      place += 8
    }
    while place < count, left[place] == right[place] { place += 1 }
    while place > 0, isDigit(left[place - 1]) { place -= 1 }
    return place
  }

  /// Compares the runs of digits at both positions as numbers, and advances the positions past
  /// them; returns a negative number, 0 or a positive number.
  private static func compareNumbers(
    _ left: UnsafeBufferPointer<UInt8>, _ l: inout Int,
    _ right: UnsafeBufferPointer<UInt8>, _ r: inout Int
  ) -> Int {
    let (leftStart, leftEnd) = number(in: left, from: l)
    let (rightStart, rightEnd) = number(in: right, from: r)
    l = leftEnd
    r = rightEnd
    let byLength = (leftEnd - leftStart) - (rightEnd - rightStart)
    if byLength != 0 { return byLength }
    for offset in 0..<(leftEnd - leftStart) {
      let difference = Int(left[leftStart + offset]) - Int(right[rightStart + offset])
      if difference != 0 { return difference }
    }
    return 0
  }

  /// Returns the run of digits at a position: its start after leading zeros, and its end.
  private static func number(
    in name: UnsafeBufferPointer<UInt8>, from place: Int
  ) -> (start: Int, end: Int) {
    var start = place
    while start < name.count, name[start] == 0x30 { start += 1 }
    var end = start
    while end < name.count, isDigit(name[end]) { end += 1 }
    return (start, end)
  }

  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  @inline(__always)
  private static func folded(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}
