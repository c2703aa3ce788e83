import Glibc

extension Canvas {
  /// Draws a straight stroke that may taper, with soft ends and smooth edges.
  ///
  /// All lengths are in pixels. The closure gives the light at a place along the stroke (0 at its
  /// start, 1 at its end) and across it (-1 to 1, negative to the left of the way); `cover` is how
  /// opaque the stroke is.
  @inline(__always)
  mutating func stroke(
    from start: SIMD2<Float>, to end: SIMD2<Float>, radius first: Float, _ last: Float,
    cover: Float = 1, light: (_ along: Float, _ across: Float) -> Light
  ) {
    let way = end - start
    let square = max(1e-6, dot(way, way))
    let side = SIMD2(way.y, -way.x) / square.squareRoot()
    let margin = max(first, last) + 1
    let region = Region(
      left: min(start.x, end.x) - margin, top: min(start.y, end.y) - margin,
      right: max(start.x, end.x) + margin, bottom: max(start.y, end.y) + margin)
    paint(region) { x, y in
      let offset = SIMD2(x, y) - start
      let along = unit(dot(offset, way) / square)
      let radius = mix(first, last, along)
      let away = offset - way * along
      let edge = radius - length(away) + 0.5
      // A stroke thinner than a pixel covers only a part of it.
      let share = unit(edge) * min(1, radius * 2) * cover
      guard share > 0 else { return (.zero, 0) }
      return (light(along, dot(offset, side) / max(radius, 0.5)), share)
    }
  }

  /// Draws a stroke along a curve given by its points.
  @inline(__always)
  mutating func curve(
    _ points: [SIMD2<Float>], radius first: Float, _ last: Float,
    light: (_ along: Float, _ across: Float) -> Light
  ) {
    let count = Float(max(1, points.count - 1))
    for (index, (start, end)) in zip(points, points.dropFirst()).enumerated() {
      let begin = Float(index) / count
      let finish = Float(index + 1) / count
      stroke(
        from: start, to: end, radius: mix(first, last, begin), mix(first, last, finish)
      ) { along, across in light(mix(begin, finish, along), across) }
    }
  }
}
