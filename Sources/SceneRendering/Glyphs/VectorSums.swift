// The corresponding methods of the standard library compute one lane after the other.

extension SIMD8<Float> {
  /// The sum of all lanes.
  @inline(__always)
  var total: Float { (lowHalf + highHalf).total }

  /// Returns the vector with 0 in each lane whose selection is 0; all others must be all ones.
  @inline(__always)
  func selected(by selection: SIMD8<Int32>) -> SIMD8<Float> {
    unsafeBitCast(unsafeBitCast(self, to: SIMD8<Int32>.self) & selection, to: SIMD8<Float>.self)
  }
}

extension SIMD4<Float> {
  /// The sum of all lanes.
  @inline(__always)
  var total: Float {
    let two = lowHalf + highHalf
    return two.x + two.y
  }

  /// The least lane.
  @inline(__always)
  var least: Float { Swift.min(Swift.min(x, y), Swift.min(z, w)) }

  /// The greatest lane.
  @inline(__always)
  var most: Float { Swift.max(Swift.max(x, y), Swift.max(z, w)) }

  /// Returns the lesser of each pair of lanes.
  @inline(__always)
  func least(_ other: SIMD4<Float>) -> SIMD4<Float> { replacing(with: other, where: other .< self) }

  /// Returns the greater of each pair of lanes.
  @inline(__always)
  func most(_ other: SIMD4<Float>) -> SIMD4<Float> { replacing(with: other, where: other .> self) }

  /// Returns the vector with each lane limited to `-limit...limit`.
  @inline(__always)
  func bounded(by limit: Float) -> SIMD4<Float> {
    func bounded(_ lane: Float) -> Float { lane < -limit ? -limit : lane > limit ? limit : lane }
    return SIMD4(bounded(x), bounded(y), bounded(z), bounded(w))
  }
}
