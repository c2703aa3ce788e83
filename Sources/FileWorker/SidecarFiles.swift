import Glibc
import PhotoGridCore

/// The sidecars that go where their photos go.
enum SidecarFiles {
  /// Adds the existing sidecars of files that are moved, after all the files.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - isUndo: Whether the files have their sidecars with them already, and only those are added
  ///     that were written since, which have the photos' whole names.
  static func adding(to files: [MovedFile], isUndo: Bool = false) -> [MovedFile] {
    var all = files
    var sources = Set(files.map(\.source))
    for file in files {
      for (source, target) in zip(places(of: file.source), places(of: file.target))
      where FileIdentity(at: source) != nil && !sources.contains(source) {
        let isWhole = source == places(of: file.source)[0]
        guard isWhole || !isUndo && !isShared(source, outside: sources) else { continue }
        sources.insert(source)
        all.append(MovedFile(from: source, to: target))
      }
    }
    return all
  }

  /// Checks that no moved photo gets the sidecar of a photo that is gone.
  ///
  /// - Parameters:
  ///   - files: The photos.
  ///   - leaving: The paths of files that leave their places.
  /// - Throws: `FileFault.exists` with the name of that sidecar.
  static func checkPlaces(of files: [MovedFile], leaving: Set<[UInt8]>) throws(FileFault) {
    let targets = Set(files.map(\.target))
    for file in files where file.source != file.target {
      for (place, sidecar) in places(of: file.target).enumerated()
      where FileIdentity(at: sidecar) != nil && !leaving.contains(sidecar) {
        guard place > 0, isShared(sidecar, outside: targets) else {
          throw .exists(sidecar.split.name)
        }
      }
    }
  }

  /// The existing sidecars of files.
  static func paths(of files: [[UInt8]]) -> [[UInt8]] {
    adding(to: files.map { MovedFile(from: $0, to: $0) }).dropFirst(files.count).map(\.source)
  }

  /// The paths of a photo's two possible sidecars: "a.jpg.xmp", then "a.xmp".
  private static func places(of path: [UInt8]) -> [[UInt8]] {
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
