import Glibc
import PhotoGridCore

/// The sidecars that go where their photos go.
enum SidecarFiles {
  /// Adds the existing sidecars of files that are moved, after all the files.
  static func adding(to files: [MovedFile]) -> [MovedFile] {
    var all = files
    var sources = Set(files.map(\.source))
    for file in files {
      for (source, target) in zip(places(of: file.source), places(of: file.target))
      where FileIdentity(at: source) != nil && !sources.contains(source) {
        guard source == places(of: file.source)[0] || !isShared(source, outside: sources) else {
          continue
        }
        sources.insert(source)
        all.append(MovedFile(from: source, to: target))
      }
    }
    return all
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
