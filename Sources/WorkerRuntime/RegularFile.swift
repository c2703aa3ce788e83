import Glibc
import PhotoGridCore

/// Files with contents, unlike folders, links and devices.
package enum RegularFile {
  /// Whether a path is that of a regular file itself, not of a link to one.
  package static func exists(at path: [UInt8]) -> Bool {
    var status = stat()
    return lstat(path.terminated, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

extension LivePhoto {
  /// The films beside a photo: regular files, and none beside a photo that can have none.
  package static func existingFilms(beside path: [UInt8]) -> [[UInt8]] {
    guard canHaveFilm(path) else { return [] }
    return films(beside: path).filter { RegularFile.exists(at: $0) }
  }
}
