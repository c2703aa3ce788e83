extension Bitmap {
  /// Returns the bitmap rotated or flipped by an orientation.
  package func turned(_ orientation: Orientation) -> Bitmap {
    guard orientation != .upright else { return self }
    let sides = orientation.turned(width: width, height: height)
    let place = orientation.placement(width: width, height: height)
    let result = [UInt8](unsafeUninitializedCapacity: pixels.count) { bytes, count in
      pixels.withUnsafeBytes { source in
        let from = source.bindMemory(to: SIMD4<UInt8>.self)
        bytes.withMemoryRebound(to: SIMD4<UInt8>.self) { to in
          var next = 0
          for y in 0..<height {
            var at = place.start + y * place.perRow
            for _ in 0..<width {
              to[at] = from[next]
              next += 1
              at += place.perColumn
            }
          }
        }
      }
      count = pixels.count
    }
    return Bitmap(
      width: sides.width, height: sides.height, pixels: result, isOpaque: isOpaque)
  }
}
