import Foundation
import Photos

/// Measures the search for near duplicates among the hashes of a hundred thousand photos, and how
/// files are joined to pairs and photos to stacks.
enum SimilarBenchmark {
  private static let count = 100_000

  /// Prints the time of each search, once a round.
  static func run(_ arguments: [String]) throws {
    guard arguments.isEmpty else { throw UsageError(message: "there are no options") }
    print("\(count) photos, milliseconds:      median       max")
    let distance = NearDuplicates.usualDistance
    for (name, hashes) in [("unrelated", unrelated), ("bursts of 10", bursts)] {
      var found = 0
      report("near duplicates, \(name)") {
        found = NearDuplicates.groups(of: hashes).count
      }
      print("  \(found) groups of hashes that differ in at most \(distance) bits")
    }
    report("the names of JPEGs") { _ = names(["jpg"]) }
    report("the names of raw files and JPEGs") { _ = names(["cr2", "jpg"]) }
    for (title, extensions) in [("JPEGs", ["jpg"]), ("pairs", ["cr2", "jpg"])] {
      var album = names(extensions)
      report("listing \(title)") { album.relist((0..<count).map { Photo.ID($0) }) }
      print("  \(album.photos.count) tiles")
    }
    let photos = (0..<count).map { Photo.ID($0) }
    report("stacks") {
      _ = StackTable(photos, within: 2) {
        StackTable.Shot(camera: UInt16($0.index % 3), time: Int64($0.index / 3 * 7 % 1_000_000))
      }
    }
  }

  private static func report(_ name: String, _ body: () -> Void) {
    var times: [Double] = []
    for _ in 0..<5 {
      let clock = ContinuousClock()
      let time = clock.measure(body).components
      times.append(Double(time.seconds) * 1000 + Double(time.attoseconds) / 1e15)
    }
    print(name.padding(toLength: 34, withPad: " ", startingAt: 0), format(times))
  }

  private static func format(_ times: [Double]) -> String {
    String(format: "%9.1f %9.1f", times.median, times.max() ?? 0)
  }

  private static var unrelated: [DifferenceHash] {
    (0..<count).map { _ in DifferenceHash(bits: .random(in: .min ... .max)) }
  }

  /// Hashes that differ in a few bits, ten by ten.
  private static var bursts: [DifferenceHash] {
    (0..<(count / 10)).flatMap { _ in
      let first = UInt64.random(in: .min ... .max)
      return (0..<10).map { _ in
        DifferenceHash(
          bits: (0..<3).reduce(first) { bits, _ in bits ^ (1 << UInt64.random(in: 0..<64)) })
      }
    }
  }

  /// An album that knows the names of files.
  private static func names(_ extensions: [String]) -> Album {
    var album = Album()
    let names = (0..<count).flatMap { number -> [UInt8] in
      let end = extensions[number % extensions.count]
      return Array("IMG_\(number / extensions.count).\(end)".utf8) + [0]
    }
    album.name(NameBatch(first: Photo.ID(0), folder: Array("photos/".utf8), names: names))
    return album
  }
}
