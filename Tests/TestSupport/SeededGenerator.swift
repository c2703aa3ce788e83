import Glibc
import Testing

/// Random numbers that can be reproduced with a printed seed: splitmix64.
///
/// `PHOTOGRID_SEED` in the environment replaces the seeds of all tests.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Creates the generator of a seed, and prints the seed with the name of the running test.
  package init(seed: UInt64) {
    state = chosenSeed ?? seed
    print("seed \(state): \(Test.current?.name ?? "no test")")
  }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// The seeds that a test runs with: all of them, or only the one that `PHOTOGRID_SEED` names.
package func seeds(_ usual: ClosedRange<Int>) -> [Int] {
  chosenSeed.map { [Int(clamping: $0)] } ?? Array(usual)
}

private let chosenSeed: UInt64? = getenv("PHOTOGRID_SEED").flatMap { UInt64(String(cString: $0)) }
