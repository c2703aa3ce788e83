import Foundation
import Geometry
import PhotoLibrary
import Photos

/// What a rating in a large photo costs, beside reading and writing the photo.
enum EmbeddedRatingBenchmark {
  private static let rounds = 7

  /// Rates a JPEG that is made 300 MB long, or another number, and copies it by `cp` and `sync`.
  static func run(_ arguments: [String]) throws {
    guard let photo = arguments.first, let data = FileManager.default.contents(atPath: photo) else {
      throw UsageError(message: "needs a JPEG to copy")
    }
    let megabytes = arguments.dropFirst().first.flatMap { Int($0) } ?? 300
    let folder = FileManager.default.currentDirectoryPath + "/photogrid-bench-rating-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/a.jpg"
    let padding = max(megabytes << 20 - data.count, 0)
    try (data + Data((0..<padding).map { UInt8(truncatingIfNeeded: $0 &* 31) }))
      .write(to: URL(filePath: path))
    let client = RatingClient(worker: try .find(), isEmbedded: true) { _ in Array(path.utf8) }
    defer { client.shutDown { now } }
    var (rated, copied) = ([Double](), [Double]())
    for round in 0...rounds {
      let copying = seconds { run("cp \(path) \(folder)/b && sync \(folder)/b") }
      try? FileManager.default.removeItem(atPath: folder + "/b")
      var failure: String? = "no result"
      let rating = seconds { failure = rate(client, round % 6) }
      if let failure { throw UsageError(message: "the photo was not rated: \(failure)") }
      // The first ones start a process, and read the photo from the disk.
      guard round > 0 else { continue }
      rated.append(rating)
      copied.append(copying)
    }
    let ratios = zip(rated, copied).map { $0 / $1 }
    print("\(megabytes) MB, \(rounds) times: median, longest")
    for (name, times) in [
      ("s for a rating", rated), ("s for cp and sync", copied), ("times as long", ratios),
    ] {
      print(String(format: "%6.2f %6.2f  ", times.median, times.max() ?? .nan) + name)
    }
  }

  private static func rate(_ client: RatingClient, _ stars: Int) -> String? {
    client.write([RatingTask(Photo.ID(0), .stars(stars))], at: now)
    while true {
      if let result = client.service(at: now).flatMap(\.results).first {
        return result.failure ?? result.sidecarReason
      }
      var requests = client.pollRequests
      poll(&requests, nfds_t(requests.count), 100)
    }
  }

  private static func run(_ command: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    try? process.run()
    process.waitUntilExit()
  }

  private static func seconds(_ body: () -> Void) -> Double {
    let start = now
    body()
    return now.seconds(since: start)
  }

  private static var now: Instant {
    Instant(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds))
  }
}
