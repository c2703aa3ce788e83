import Foundation

/// A folder of a benchmark's files, which is removed with this object.
final class Scratch {
  let path: String

  /// Creates an empty folder: in memory if possible, so that no disk is measured, or in another folder.
  init(inMemory: Bool = false, in parent: String? = nil) throws {
    let hasMemory = inMemory && FileManager.default.isWritableFile(atPath: "/dev/shm")
    let parent = parent ?? (hasMemory ? "/dev/shm/" : NSTemporaryDirectory())
    path = parent + "/photogrid-bench-\(getpid())-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The path of a folder, which is created if need be.
  func folder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    return file(name)
  }

  /// Variables for a program that keeps its files in a folder, and has no configuration.
  func homes(_ name: String = "home") throws -> [String: String] {
    let home = try folder(name)
    return [
      "XDG_CACHE_HOME": home, "XDG_STATE_HOME": home, "XDG_DATA_HOME": home,
      "XDG_CONFIG_HOME": "/dev/null/none",
    ]
  }

  /// A folder with links to photos, repeated up to a count.
  func links(to photos: [String], _ count: Int? = nil, _ name: String = "photos") throws -> String {
    let folder = try folder(name)
    _ = try paths(count ?? photos.count, "\(folder)/%07d.jpg", of: photos) { photo, path in
      let target = URL(fileURLWithPath: photo).standardizedFileURL.path
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }
    return folder
  }

  /// The paths of copies of photos, repeated up to a count.
  func copies(of photos: [String], _ count: Int, in folder: String) throws -> [String] {
    try paths(count, "\(folder)/%04d.jpg", of: photos) {
      try FileManager.default.copyItem(atPath: $0, toPath: $1)
    }
  }

  /// A folder with a camera's names, which are hard links to files.
  func names(_ count: Int, of originals: [String], _ name: String = "names") throws -> String {
    let folder = try folder(name)
    _ = try paths(count, "\(folder)/IMG_%07d.jpg", of: originals, by: hardLink)
    return folder
  }

  private func paths(
    _ count: Int, _ format: String, of photos: [String], by make: (String, String) throws -> Void
  ) throws -> [String] {
    let paths = (0..<count).map { String(format: format, $0) }
    for number in 0..<count {
      // Not in the order of their names, as cards and synchronizing programs leave them.
      let index = count > 1000 ? number * 7919 % count : number
      try make(photos[index % photos.count], paths[index])
    }
    return paths
  }
}

func hardLink(_ file: String, _ name: String) throws {
  guard link(file, name) == 0 else {
    throw UsageError("\(name): \(String(cString: strerror(errno)))")
  }
}

/// Makes files as old as those that nobody writes any more, so that what is known of them is kept.
func age(_ files: [String]) throws {
  for file in files {
    let time = timeval(tv_sec: 1_500_000_000, tv_usec: 0)
    guard utimes(file, [time, time]) == 0 else { throw UsageError("\(file): cannot be changed") }
  }
}

/// The bytes of a file; none if it cannot be read.
func contents(_ path: String) -> [UInt8] {
  FileManager.default.contents(atPath: path).map(Array.init) ?? []
}

func megabytes(ofFile path: String) -> Double {
  let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Double
  return (size ?? 0) / 1e6
}

func name(ofFile path: String) -> String { (path as NSString).lastPathComponent }

/// The paths of the files of a folder, in the order of their names.
func files(in folder: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { "\(folder)/\($0)" }
}

/// The JPEGs of a folder, in natural order.
///
/// - Throws: If there are too few.
func jpegs(in folder: String?, atMost limit: Int, atLeast least: Int = 1) throws -> [String] {
  let folder = folder ?? "Assets/Photos"
  let photos = try files(in: folder)
    .filter { $0.lowercased().hasSuffix(".jpg") || $0.lowercased().hasSuffix(".jpeg") }
    .sorted { $0.compare($1, options: .numeric) == .orderedAscending }.prefix(limit)
  guard photos.count >= least else {
    throw UsageError("\(folder): \(photos.count) JPEGs, \(least) are needed")
  }
  return Array(photos)
}
