import PhotoGridCore
import WorkerRuntime

/// The files that go where their photos go: sidecars, and the films of live photos.
enum CompanionFiles {
  /// Whether a file goes where another goes, by its name.
  ///
  /// Photos go their way without those that somebody removed meanwhile.
  static func isCompanion(_ path: [UInt8]) -> Bool {
    Sidecar.isSidecar(path) || LivePhoto.isFilm(path)
  }

  /// Adds the existing companions of files that are moved, after all the files.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - isUndo: Whether the files have their companions with them already, and only those sidecars
  ///     are added that were written since, which have the photos' whole names.
  /// - Returns: The files, then the films, then the sidecars.
  static func adding(to files: [MovedFile], isUndo: Bool = false) -> [MovedFile] {
    var all = files
    var sources = Set(files.map(\.source))
    if !isUndo {
      for file in files where LivePhoto.canHaveFilm(file.source) {
        let pairs = zip(LivePhoto.films(beside: file.source), LivePhoto.films(beside: file.target))
        for (source, target) in pairs
        where RegularFile.exists(at: source) && sources.insert(source).inserted {
          all.append(MovedFile(from: source, to: target))
        }
      }
    }
    for file in all {
      for (source, target) in zip(sidecars(of: file.source), sidecars(of: file.target))
      where FileIdentity(at: source) != nil && !sources.contains(source) {
        let isWhole = source == sidecars(of: file.source)[0]
        guard isWhole || !isUndo && !isShared(source, outside: sources) else { continue }
        sources.insert(source)
        all.append(MovedFile(from: source, to: target))
      }
    }
    return all
  }

  /// Checks that no moved photo gets the sidecar of a photo that is gone, or a film that is not its
  /// own.
  ///
  /// - Parameters:
  ///   - files: The photos and their companions.
  ///   - leaving: The paths of files that leave their places.
  /// - Throws: `FileFault.exists` with the name of that sidecar or film.
  static func checkPlaces(of files: [MovedFile], leaving: Set<[UInt8]>) throws(FileFault) {
    let targets = Set(files.map(\.target))
    for file in files where file.source != file.target {
      for (place, sidecar) in sidecars(of: file.target).enumerated()
      where FileIdentity(at: sidecar) != nil && !leaving.contains(sidecar) {
        guard place > 0, isShared(sidecar, outside: targets) else {
          throw .exists(sidecar.split.name)
        }
      }
      guard LivePhoto.canHaveFilm(file.target) else { continue }
      for film in LivePhoto.films(beside: file.target)
      where RegularFile.exists(at: film) && !leaving.contains(film) {
        throw .exists(film.split.name)
      }
    }
  }

  /// The existing companions of files.
  static func paths(of files: [[UInt8]]) -> [[UInt8]] {
    adding(to: files.map { MovedFile(from: $0, to: $0) }).dropFirst(files.count).map(\.source)
  }

  /// The paths of a file's two possible sidecars: "a.jpg.xmp", then "a.xmp".
  private static func sidecars(of path: [UInt8]) -> [[UInt8]] {
    guard !Sidecar.isSidecar(path) else { return [] }
    let paths = Sidecar.paths(ofPhoto: path)
    return paths.count == 2 ? paths : [paths[0], path + Sidecar.suffix]
  }

  /// Whether a sidecar without the photo's extension, "a.xmp", belongs to another photo too.
  private static func isShared(_ sidecar: [UInt8], outside files: Set<[UInt8]>) -> Bool {
    let stem = Sidecar.stem(of: sidecar)
    return ImageFormat.fileExtensions.flatMap { [$0, $0.uppercased()] }.contains { ending in
      let path = stem + ".\(ending)".utf8
      return !files.contains(path) && FileIdentity(at: path) != nil
    }
  }
}
