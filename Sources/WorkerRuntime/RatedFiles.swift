import Glibc
import Photos

/// The states of a photo and its sidecars, from which its rating is read.
package struct RatedFiles {
  /// The photo's, and those of the sidecars that it may have; nil for a file that does not exist.
  private let states: [stat?]

  /// Looks at a photo's files.
  ///
  /// - `hasSidecars`: Whether the folder may have sidecars; without any, none is looked for.
  package init(ofPhoto path: [UInt8], hasSidecars: Bool = true) {
    let paths = [path] + Sidecar.paths(ofPhoto: path)
    states = paths.enumerated().map { index, path in
      guard index == 0 || hasSidecars else { return nil }
      var status = stat()
      return stat(path.terminated, &status) == 0 ? status : nil
    }
  }

  /// Whether no file has changed but to one of some new states; nil is the state of a removed file.
  package func isChanged(from old: RatedFiles, onlyTo new: [stat?]) -> Bool {
    zip(states, old.states).allSatisfy { now, old in
      ([old] + new).contains { state in
        guard let state, let now else { return state == nil && now == nil }
        return now.isState(of: state)
      }
    }
  }

  /// A fingerprint by which an outdated rating is recognized: a hash of the inode numbers, sizes and
  /// times.
  ///
  /// Photos keep the times of their contents when they are rated, so those of the files count too.
  package var stamp: UInt64 {
    var mixed: UInt64 = 0
    for state in states {
      let numbers = state.map { state in
        [
          UInt64(state.st_ino), UInt64(bitPattern: Int64(state.st_size)),
          UInt64(bitPattern: Int64(state.st_mtim.tv_sec)),
          UInt64(bitPattern: Int64(state.st_mtim.tv_nsec)), state.changeNumber,
        ]
      }
      for number in numbers ?? [0] { mixed = ((mixed ^ number) &+ .mixingStep).mixed }
    }
    return mixed
  }
}

/// A fingerprint of a photo and its sidecars, by which an outdated rating is recognized.
package enum RatingStamp {
  package static func of(photo path: [UInt8], hasSidecars: Bool = true) -> UInt64 {
    RatedFiles(ofPhoto: path, hasSidecars: hasSidecars).stamp
  }
}
