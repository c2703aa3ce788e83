/// The colours that a sixel picture defines: its registers, in order.
struct SixelPalette: Equatable {
  /// The channels in percent, as sixel says them: red, green, blue.
  private(set) var percents: [SIMD4<UInt8>] = []
  /// What terminals make of them: red, green and blue from 0 to 255, and 255.
  private(set) var colors: [SIMD4<Int16>] = []

  /// The most colours that a picture can have, whatever the terminal says.
  static let limit = 1024

  /// The nearest colours that registers can hold; channels are 0 to 255.
  init(_ means: some Sequence<SIMD4<Float>>) {
    for mean in means {
      // Half a step of 255 more, since terminals cut fractions off.
      let percent = ((mean + 0.5) * (100.0 / 255)).rounded(.toNearestOrEven)
      let whole = SIMD4<UInt8>(percent.clamped(lowerBound: .zero, upperBound: .init(repeating: 100)))
      percents.append(SIMD4(whole.x, whole.y, whole.z, 0))
      var color = SIMD4<Int16>(truncatingIfNeeded: whole) &* 255 / 100
      color.w = 255
      colors.append(color)
    }
  }
}
