import Glibc
import PhotoGridCore

/// What tells whether a photo and its sidecars are still those that a rating was read from.
package enum RatingStamp {
  /// The stamp of a photo with its sidecars: a number that changes with any of the files.
  package static func of(photo path: [UInt8]) -> UInt64 {
    var mixed: UInt64 = 0
    for path in [path] + Sidecar.paths(ofPhoto: path) {
      var status = stat()
      let exists = stat(path.map { CChar(bitPattern: $0) } + [0], &status) == 0
      let numbers: [UInt64] =
        exists
        ? [
          UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size)),
          UInt64(bitPattern: Int64(status.st_mtim.tv_sec)),
          UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)),
        ] : [0]
      for number in numbers { mixed = mix(mixed ^ number) }
    }
    return mixed
  }

  /// The finalizer of SplitMix64, after a step of its sequence.
  private static func mix(_ number: UInt64) -> UInt64 {
    var mixed = number &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
