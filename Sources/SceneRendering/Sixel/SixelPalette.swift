/// The colours that a sixel picture defines: its registers, in order.
struct SixelPalette: Equatable {
  /// The channels in percent, as in sixel's colour definitions: red, green, blue.
  private(set) var percents: [SIMD4<UInt8>] = []
  /// The colours that they stand for: red, green and blue from 0 to 255, and 255.
  ///
  /// Not what a terminal makes of the percents: what rounding adds up to over a flat surface would
  /// become dots of other colours in it.
  private(set) var colors: [SIMD4<Int16>] = []

  /// The most colours of a picture, even if the terminal has more registers.
  static let limit = 1024

  /// No registers.
  init() {}

  /// Appends registers of another palette.
  mutating func append(_ registers: Range<Int>, of other: SixelPalette) {
    percents += other.percents[registers]
    colors += other.colors[registers]
  }

  /// The registers for some colours; channels are 0 to 255.
  init(_ means: some Sequence<SIMD4<Float>>) {
    for mean in means {
      let color = mean.rounded(.toNearestOrEven)
        .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
      colors.append(SIMD4(Int16(color.x), Int16(color.y), Int16(color.z), 255))
      // Half a step of 255 more, since terminals cut fractions off.
      let percent = ((color + 0.5) * (100.0 / 255)).rounded(.toNearestOrEven)
        .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 100))
      percents.append(SIMD4(UInt8(percent.x), UInt8(percent.y), UInt8(percent.z), 0))
    }
  }
}
