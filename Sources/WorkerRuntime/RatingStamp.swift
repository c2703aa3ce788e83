import Glibc
import PhotoGridCore

/// What tells whether a photo and its sidecars are still those that a rating was read from.
package enum RatingStamp {
  /// The stamp of a photo with its sidecars: a number that changes with any of the files.
  package static func of(photo path: [UInt8]) -> UInt64 {
    var mixed: UInt64 = 0
    for path in [path] + Sidecar.paths(ofPhoto: path) {
      var status = stat()
      let exists = stat(path.terminated, &status) == 0
      let numbers: [UInt64] =
        exists
        ? [
          UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size)),
          UInt64(bitPattern: Int64(status.st_mtim.tv_sec)),
          UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)),
        ] : [0]
      for number in numbers { mixed = ((mixed ^ number) &+ .mixingStep).mixed }
    }
    return mixed
  }
}
