import CLinux
import Foundation
import Geometry
import PhotoLibrary
import Photos
import SceneModel

/// Measures which files of a corpus can be shown and the cost of each to a worker, compared with
/// other programs.
enum CorpusBenchmark {
  /// The result of a file.
  private struct Outcome {
    var name: String
    /// The message in place of the picture; nil if there is a picture.
    var message: String?
    var isIncomplete = false
    /// The processor time of the worker without its start, in seconds.
    var processor = 0.0
    /// The peak of the worker's resident memory, in megabytes.
    var megabytes = 0.0
  }

  private static var peers: [(name: String, command: (String) -> [String])] {
    [
      (
        "vips",
        { ["vipsthumbnail", "-s", "256", "-o", "/tmp/photogrid-bench-\(getpid()).png", $0] }
      ),
      ("chafa", { ["chafa", "-s", "20x10", $0] }),
      ("timg", { ["timg", "-pq", "--frames=1", "-g20x10", $0] }),
    ]
  }

  /// Prints a line for each file if requested, then totals, and the files that other programs show
  /// and photogrid does not.
  static func run(_ arguments: [String]) throws {
    let isVerbose = arguments.contains("--each")
    let comparesPeers = arguments.contains("--peers")
    let folders = arguments.filter { !$0.hasPrefix("--") }
    guard !folders.isEmpty else { throw UsageError(message: "needs folders of photos") }
    for folder in folders {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      var outcomes: [Outcome] = []
      var shownByPeers: [[Bool]] = []
      for name in names {
        let outcome = try decode("\(folder)/\(name)", name)
        outcomes.append(outcome)
        if isVerbose { print(line(of: outcome)) }
        guard comparesPeers else { continue }
        shownByPeers.append(
          try peers.map { try MeasuredProcess.run(limited($0.command("\(folder)/\(name)"))) != nil }
        )
      }
      report(folder, outcomes, shownByPeers)
    }
  }

  private static func limited(_ command: [String]) -> [String] {
    ["prlimit", "--as=8589934592", "timeout", "20"] + command
  }

  private static func line(of outcome: Outcome) -> String {
    let words = outcome.message ?? (outcome.isIncomplete ? "shown, incomplete" : "shown")
    return String(format: "%6.2f s %6.0f MB  ", outcome.processor, outcome.megabytes)
      + "\(outcome.name)\t\(words)"
  }

  private static func report(_ folder: String, _ outcomes: [Outcome], _ peersShow: [[Bool]]) {
    let shown = outcomes.filter { $0.message == nil }
    let incomplete = outcomes.count { $0.isIncomplete }
    print("\(folder): \(outcomes.count) files, \(shown.count) shown (\(incomplete) incomplete)")
    if let slowest = outcomes.max(by: { $0.processor < $1.processor }) {
      print("  slowest:", line(of: slowest))
    }
    if let largest = outcomes.max(by: { $0.megabytes < $1.megabytes }) {
      print("  largest:", line(of: largest))
    }
    for (index, peer) in peers.enumerated() where !peersShow.isEmpty {
      print("  \(peer.name): \(peersShow.count { $0[index] }) shown")
    }
    for (outcome, peersShow) in zip(outcomes, peersShow) {
      guard outcome.message != nil, peersShow.contains(true) else { continue }
      let names = zip(peers, peersShow).filter(\.1).map(\.0.name).joined(separator: " and ")
      print("  shown by \(names) alone:", line(of: outcome))
    }
  }

  /// Decodes a file for a tile, in a worker that decodes nothing else.
  private static func decode(_ path: String, _ name: String) throws -> Outcome {
    var limits = StoreLimits()
    limits.workerCount = 1
    let worker = WorkerExecutable(path: ProgramRun.photogrid + "-worker")
    let store = PhotoStore(worker: worker, limits: limits)
    store.index.append([Array(path.utf8)])
    let photo = Photo.ID(0)
    let size = PixelSize(width: 200, height: 200)
    store.setDemands([Demand(photo: photo, size: size, mode: .fill)], at: now)
    while !store.isIdle {
      var requests = store.pollRequests
      let wait = store.nextDeadline.map { max(0, min($0.seconds(since: now), 10)) } ?? 10
      poll(&requests, nfds_t(requests.count), Int32((wait * 1000).rounded(.up)))
      _ = store.service(at: now)
    }
    var outcome = Outcome(name: name)
    if case .failed(let message) = store.content(of: photo) { outcome.message = message }
    outcome.isIncomplete = store.info(of: photo)?.isIncomplete ?? false
    let workers = ProgramRun.descendants(of: getpid())
    outcome.megabytes =
      Double(workers.compactMap { ProgramRun.kilobytes("VmHWM", of: $0) }.max() ?? 0) * 1024 / 1e6
    outcome.processor = workers.map { ProgramRun.processorSeconds(of: $0) }.max() ?? 0
    store.shutDown()
    while waitpid(-1, nil, 0) > 0 {}
    return outcome
  }

  private static var now: Instant { Instant(nanoseconds: monotonic_nanoseconds()) }
}
