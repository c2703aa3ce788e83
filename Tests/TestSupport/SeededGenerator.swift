import Geometry
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
    state &+= .mixingStep
    return state.mixed
  }
}

/// The seeds that a test runs with: all of them, or only the one that `PHOTOGRID_SEED` names.
///
/// With a sanitizer, for which `Tests/sanitize` sets `PHOTOGRID_SANITIZED`, every 16th: the program is
/// several times slower, and rare orders of events are for the usual run to find.
package func seeds(_ usual: ClosedRange<Int>) -> [Int] {
  if let chosenSeed { return [Int(clamping: chosenSeed)] }
  return Array(stride(from: usual.lowerBound, through: usual.upperBound, by: isSanitized ? 16 : 1))
}

private let isSanitized = getenv("PHOTOGRID_SANITIZED") != nil

private let chosenSeed: UInt64? = getenv("PHOTOGRID_SEED").flatMap { UInt64(String(cString: $0)) }
