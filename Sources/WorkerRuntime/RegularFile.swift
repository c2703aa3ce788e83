import Glibc
import PhotoGridCore

/// Tests for regular files, as opposed to folders, links and devices.
package enum RegularFile {
  /// Returns whether there is a regular file at a path; a link to one does not count.
  package static func exists(at path: [UInt8]) -> Bool {
    var status = stat()
    return lstat(path.terminated, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

extension LivePhoto {
  /// Returns the paths of the films that exist beside a photo; none if the format has no live
  /// photos.
  package static func existingFilms(beside path: [UInt8]) -> [[UInt8]] {
    guard canHaveFilm(path) else { return [] }
    return films(beside: path).filter { RegularFile.exists(at: $0) }
  }
}
