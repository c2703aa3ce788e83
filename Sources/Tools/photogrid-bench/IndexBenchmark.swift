import FactIndex
import Foundation
import PhotoGridCore
import WorkerProtocol

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
    for (name, entries) in [
      ("facts", paths.map { IndexEntry(path: $0, info: info) }),
      ("hashes", paths.map { IndexEntry(path: $0, hashed: hash(of: $0)) }),
      ("ratings", paths.map { IndexEntry(path: $0, rated: .init(Rating(stars: 3), stamp: 7)) }),
    ] {
      let file = IndexFile(folder: Array("\(base)/\(name)".utf8))
      file.makeFolder()
      let writer = IndexWriter(file)
      row("recording \(name), 256 at once") {
        for start in stride(from: 0, to: entries.count, by: 256) {
          _ = try? writer.record(Array(entries[start..<min(start + 256, entries.count)]))
        }
      }
      try read(file, folder, count, "reading \(name) as they were recorded")
      row("packing them at the end of the session") { writer.close() }
      try read(file, folder, count, "reading packed \(name)")
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

  /// The size and the time of all files.
  private static let status = FileStatus(byteCount: 10, modified: 1_500_000_000)

  /// Makes files with the names of a camera's photos, and returns their paths in order.
  private static func files(_ count: Int, in folder: String) throws -> [[UInt8]] {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let original = folder + "/original"
    var times = [timeval(tv_sec: status.modified, tv_usec: 0), timeval()]
    times[1] = times[0]
    guard
      FileManager.default.createFile(
        atPath: original, contents: Data(count: status.byteCount)),
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

  private static let info: PhotoInfo = {
    var info = PhotoInfo(
      size: PixelSize(width: 6000, height: 4000), orientation: 1, format: .jpeg,
      byteCount: status.byteCount, modified: status.modified, taken: "2024-05-01T12:30:00",
      isIncomplete: false)
    var metadata = PhotoMetadata()
    metadata.camera = "Camera One"
    metadata.lens = "Lens 35mm"
    metadata.aperture = 2.8
    info.metadata = metadata
    return info
  }()

  private static func hash(of path: [UInt8]) -> IndexEntry.Hashed {
    let bits = path.reduce(UInt64(7)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    return IndexEntry.Hashed(DifferenceHash(bits: bits), of: status)
  }
}
