import Glibc
import Photos
import WorkerRuntime

/// The files that move together with a photo: its sidecars, and the film of a live photo.
enum CompanionFiles {
  /// Whether a file is a companion, by its name.
  ///
  /// A photo also moves without a companion that another program has removed.
  static func isCompanion(_ path: [UInt8]) -> Bool {
    Sidecar.isSidecar(path) || LivePhoto.isFilm(path)
  }

  /// Returns the moves of files, followed by the moves of their existing companions.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - isUndo: Whether `files` already includes the companions. Then only sidecars that were
  ///     written since are added, which have the photo's whole name, as in "a.jpg.xmp".
  /// - Returns: The files, then the films, then the sidecars.
  static func adding(to files: [FileStep], isUndo: Bool = false) -> [FileStep] {
    var all = files
    var sources = Set(files.map(\.source))
    if !isUndo {
      for file in files where LivePhoto.canHaveFilm(file.source) {
        let pairs = zip(LivePhoto.films(beside: file.source), LivePhoto.films(beside: file.target))
        var spellings = OtherSpellings(of: pairs.map(\.0))
        for (source, target) in pairs
        where RegularFile.exists(at: source) && spellings.file(foundBy: source) == nil
          && sources.insert(source).inserted
        {
          all.append(FileStep(from: source, to: target))
        }
      }
    }
    var spellings = OtherSpellings(of: sources)
    for file in all {
      let pairs = zip(sidecars(of: file.source), sidecars(of: file.target)).enumerated()
      // A disk that ignores case finds "a.xmp" as "a.XMP" too.
      var found: Set<FileIdentity> = []
      for (index, (source, target)) in pairs {
        guard let identity = FileIdentity(at: source), found.insert(identity).inserted,
          !sources.contains(source)
        else { continue }
        guard
          Sidecar.isWhole(index) || !isUndo && !isShared(source, outside: sources, &spellings)
        else {
          continue
        }
        sources.insert(source)
        all.append(FileStep(from: source, to: target))
      }
    }
    return all
  }

  /// Checks that no moved photo would take over a sidecar or film that is already at its new place.
  ///
  /// A sidecar "a.xmp" that belongs to another photo there is allowed.
  ///
  /// - Parameters:
  ///   - files: The photos and their companions.
  ///   - leaving: The paths that become free because their files move away.
  /// - Throws: `FileFault.exists` with the name of the first such sidecar or film.
  static func checkTargets(of files: [FileStep], leaving: Set<[UInt8]>) throws(FileFault) {
    let targets = Set(files.map(\.target))
    var spellings = OtherSpellings(of: leaving)
    func isTaken(_ path: [UInt8]) -> Bool {
      !leaving.contains(path) && spellings.file(foundBy: path) == nil
    }
    for file in files where file.source != file.target {
      for (index, sidecar) in sidecars(of: file.target).enumerated()
      where FileIdentity(at: sidecar) != nil && isTaken(sidecar) {
        guard !Sidecar.isWhole(index), isShared(sidecar, outside: targets, &spellings) else {
          throw .exists(sidecar.split.name)
        }
      }
      guard LivePhoto.canHaveFilm(file.target) else { continue }
      for film in LivePhoto.films(beside: file.target)
      where RegularFile.exists(at: film) && isTaken(film) {
        throw .exists(film.split.name)
      }
    }
  }

  static func paths(of files: [[UInt8]]) -> [[UInt8]] {
    adding(to: files.map { FileStep(from: $0, to: $0) }).dropFirst(files.count).map(\.source)
  }

  /// The paths of a file's possible sidecars, always as many: of a file without an extension each occurs
  /// twice.
  private static func sidecars(of path: [UInt8]) -> [[UInt8]] {
    guard !Sidecar.isSidecar(path) else { return [] }
    let paths = Sidecar.paths(ofPhoto: path)
    return paths.count == Sidecar.maxCount ? paths : paths + paths
  }

  /// Whether a sidecar without the photo's extension, "a.xmp", belongs to another photo too.
  private static func isShared(
    _ sidecar: [UInt8], outside files: Set<[UInt8]>, _ spellings: inout OtherSpellings
  ) -> Bool {
    let stem = Sidecar.stem(of: sidecar)
    return ImageFormat.fileExtensions.flatMap { [$0, $0.uppercased()] }.contains { ending in
      let path = stem + ".\(ending)".utf8
      return !files.contains(path) && FileIdentity(at: path) != nil
        && spellings.file(foundBy: path) == nil
    }
  }
}
