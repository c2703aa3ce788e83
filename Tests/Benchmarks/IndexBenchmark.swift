import FactIndex
import Foundation
import Geometry
import Photos
import WorkerProtocol
import WorkerRuntime

/// Measures how long the index takes to record facts, hashes and ratings of a folder's photos, and
/// to read them.
enum IndexBenchmark {
  private static let runs = 9

  /// Prints the processor time of each step, in milliseconds.
  static func run(_ arguments: [String]) throws {
    guard let count = arguments.first.map({ Int($0) }) ?? 100_000, count > 0 else {
      throw UsageError(message: "'\(arguments[0])' is no number of photos")
    }
    let memory = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm/" : nil
    let base = (memory ?? NSTemporaryDirectory()) + "photogrid-bench-index-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: base) }
    let paths = try files(count, in: base + "/photos")
    let folder = Array("\(base)/photos/".utf8)
    print("\(count) photos, processor time in milliseconds:")
    for name in ["facts", "hashes", "ratings"] {
      let file = IndexFile(folder: Array("\(base)/\(name)".utf8))
      file.makeFolder()
      let writer = IndexWriter(file)
      let batches = stride(from: 0, to: count, by: 256).map {
        batch(of: name, paths[$0..<min($0 + 256, count)])
      }
      row("recording \(name), 256 at once") {
        for batch in batches { _ = try? writer.record(batch) }
      }
      row("writing them at the end of the session") { writer.close() }
      try read(file, folder, count, "reading \(name)")
    }
  }

  /// Measures reading a folder, and looking up what is known of each of its files.
  private static func read(
    _ file: IndexFile, _ folder: [UInt8], _ count: Int, _ name: String
  ) throws {
    var found = 0
    row(name, runs: runs) {
      guard let contents = IndexReader(file)?.contents(ofFolder: folder) else { return found = 0 }
      found = (0..<contents.count).count { index in
        let facts = contents.facts(index)
        let isHashed = facts.isHashKnown && contents.hash(index) != nil
        return facts.isKnown || isHashed || facts.rating != nil
      }
    }
    guard found == count else { throw UsageError(message: "\(found) of \(count) are known") }
  }

  private static func row(_ name: String, runs: Int = 1, _ body: () -> Void) {
    let times = (0..<runs).map { _ in
      let start = processorSeconds()
      body()
      return (processorSeconds() - start) * 1000
    }
    let title = name.padding(toLength: 44, withPad: " ", startingAt: 0)
    print(title + String(format: "%8.1f", times.median))
  }

  // MARK: - Photos

  /// Makes files with the names of a camera's photos, and returns their paths in order.
  private static func files(_ count: Int, in folder: String) throws -> [[UInt8]] {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let original = folder + "/original"
    var times = [timeval(tv_sec: 1_500_000_000, tv_usec: 0), timeval()]
    times[1] = times[0]
    guard
      FileManager.default.createFile(
        atPath: original, contents: Data(count: 10)),
      utimes(original, &times) == 0
    else { throw UsageError(message: "\(original): \(String(cString: strerror(errno)))") }
    return try (0..<count).map { number in
      let name = String(format: "%@/IMG_%07d.jpg", folder, number)
      guard link(original, name) == 0 else {
        throw UsageError(message: "\(name): \(String(cString: strerror(errno)))")
      }
      return Array(name.utf8)
    }
  }

  /// Returns what is recorded of some of the photos.
  private static func batch(of kind: String, _ paths: ArraySlice<[UInt8]>) -> PhotoBatch {
    let first = paths.first ?? []
    var photos = PhotoBatch(root: 0, folder: Array(first[..<first.nameStart]))
    var facts = InfoBlock()
    for path in paths {
      photos.append(path[path.nameStart...])
      guard let stamp = FileStamp(of: path) else { continue }
      var row = PackedInfo()
      switch kind {
      case "facts":
        var info = info
        info.stamp = stamp
        facts.append(info)
      case "hashes":
        let bits = path.reduce(UInt64(7)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        row.stamp = stamp
        row.setHash(DifferenceHash(bits: bits))
        facts.append(row, hash: DifferenceHash(bits: bits))
      default:
        row.rating = Rating(stars: 3)
        facts.append(row, ratingStamp: 7)
      }
    }
    photos.facts = facts
    return photos
  }

  private static let info: PhotoInfo = {
    var metadata = PhotoMetadata()
    metadata.camera = "Camera One"
    metadata.lens = "Lens 35mm"
    metadata.aperture = 2.8
    return PhotoInfo(
      size: PixelSize(width: 6000, height: 4000), orientation: 1, format: .jpeg,
      stamp: FileStamp(byteCount: 0, modified: 0),
      taken: TakenTime(iso8601: "2024-05-01T12:30:00"), metadata: metadata)
  }()
}
