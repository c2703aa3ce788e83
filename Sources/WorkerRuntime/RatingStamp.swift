import Glibc
import PhotoGridCore

/// A fingerprint of a photo and its sidecars, by which an outdated rating is recognized.
package enum RatingStamp {
  /// Returns the stamp of a photo with its sidecars, which changes when one of the files does.
  ///
  /// It is a hash of their inode numbers, sizes and modification times.
  ///
  /// - `hasSidecars`: Whether the folder may have sidecars; without any, none is looked for.
  package static func of(photo path: [UInt8], hasSidecars: Bool = true) -> UInt64 {
    var mixed: UInt64 = 0
    for (index, path) in ([path] + Sidecar.paths(ofPhoto: path)).enumerated() {
      var status = stat()
      let exists = (index == 0 || hasSidecars) && stat(path.terminated, &status) == 0
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
