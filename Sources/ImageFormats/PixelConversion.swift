/// Conversions between the channels of a pixel and numbers to calculate with.
///
/// Above 2^23 a Float's last bit is worth 1, so adding 2^23 leaves a small number, rounded, in the
/// lowest bits. The standard library's conversions of vectors take five times as long.
extension SIMD4<Float> {
  private static let unit: Float = 0x1p23

  /// The channels of a pixel, from 0 to 255.
  @inline(__always)
  init(channels pixel: SIMD4<UInt8>) {
    let bits = SIMD4<UInt32>(truncatingIfNeeded: pixel) | Self.unit.bitPattern
    self = unsafeBitCast(bits, to: Self.self) - Self.unit
  }

  /// The pixel nearest to these channels, each of which must be from 0 to 255.
  @inline(__always)
  var roundedToChannels: SIMD4<UInt8> {
    SIMD4<UInt8>(
      truncatingIfNeeded: unsafeBitCast(self + Self.unit, to: SIMD4<UInt32>.self))
  }
}
