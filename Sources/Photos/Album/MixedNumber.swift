extension UInt64 {
  /// The number with its bits mixed, so that neighboring numbers give results that differ in about
  /// half of their bits.
  ///
  /// This is the last step of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
  /// Generators, 2014).
  package var mixed: UInt64 {
    var mixed = (self ^ self >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// The distance between successive numbers that SplitMix64 mixes.
  package static let mixingStep: UInt64 = 0x9E37_79B9_7F4A_7C15
}
