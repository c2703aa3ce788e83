/// The palette of a sixel picture: the colours of its registers, in order.
struct SixelPalette: Equatable {
  /// Red, green and blue in percent, as sixel defines colours.
  private(set) var percents: [SIMD4<UInt8>] = []
  /// Red, green and blue from 0 to 255, and 255.
  ///
  /// They are the wanted colours rather than the rounded ones that the terminal shows: with those,
  /// rounding errors would add up to dots of other colours in flat areas.
  private(set) var colors: [SIMD4<Int16>] = []

  /// The most colours of a picture, even if the terminal has more registers.
  static let limit = 1024

  /// Creates a palette without registers.
  init() {}

  /// Appends registers of another palette.
  mutating func append(_ registers: Range<Int>, of other: SixelPalette) {
    percents += other.percents[registers]
    colors += other.colors[registers]
  }

  /// Creates a palette of colours, whose channels are 0 to 255.
  init(_ means: some Sequence<SIMD4<Float>>) {
    for mean in means {
      let color = mean.rounded(.toNearestOrEven)
        .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
      colors.append(SIMD4(Int16(color.x), Int16(color.y), Int16(color.z), 255))
      // Half a step more, since terminals drop fractions when they convert percents to 0 to 255.
      let percent = ((color + 0.5) * (100.0 / 255)).rounded(.toNearestOrEven)
        .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 100))
      percents.append(SIMD4(UInt8(percent.x), UInt8(percent.y), UInt8(percent.z), 0))
    }
  }
}
