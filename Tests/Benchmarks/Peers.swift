import Foundation
import Geometry
import PhotoLibrary
import Photos
import SceneModel
import WorkerProtocol

/// Compares photogrid with other programs that show folders of photos in a terminal: in the same pseudo-terminal, with
/// the same responses and the same photos, in turns.
///
/// Not all of them do the same: chafa draws photos one below the other, vipsthumbnail only writes small files, yazi shows
/// a list and one photo. The table says what each shows.
func comparePeers(_ arguments: Arguments) throws {
  let (scratch, nameCount) = (try Scratch(), 100_000)
  let photos =
    try arguments[0].map { try jpegs(in: $0, atMost: 70) }
    ?? cameraPhotos(70, from: try jpegs(in: nil, atMost: 100))
  let folder = try scratch.links(to: photos)
  let names = try files(in: folder)
  let small = "vipsthumbnail --size=180x180 -o \(scratch.file("home/%s.jpg"))"
  let size = figure(photos.map(megabytes(ofFile:)).mean)
  try compare(
    "\(names.count) photos of \(size) MB",
    [
      ("photogrid", "the grid", [Session.photogrid, folder]),
      ("photogrid, again", "the grid, thumbnails cached", [Session.photogrid, folder]),
      ("timg", "a grid, then ends", "timg -pq --grid=10 --threads=2 -g200x60".words + names),
      ("chafa", "one below the other", "chafa --size=18x9 --threads=2".words + names),
      ("vipsthumbnail", "nothing: makes the files", small.words + names),
      ("termvisage", "a grid", "termvisage --style block \(folder)".words),
      ("yazi", "a list and one photo", ["yazi", folder]),
    ], scratch)

  // In ext4 a file has at most 65,000 names.
  let originals = try scratch.copies(
    of: [URL(filePath: photos[0]).resolvingSymlinksInPath().path], 2, in: scratch.path)
  let large = try scratch.names(nameCount, of: originals)
  try compare(
    "a folder of \(nameCount) names",
    [
      ("photogrid", "the grid", [Session.photogrid, "-p", large]),
      ("ls", "names", ["ls", "-1", large]), ("yazi", "a list and one photo", ["yazi", large]),
      ("termvisage", "a grid", "termvisage --style block \(large)".words),
    ], scratch)
}

private func compare(
  _ title: String, _ peers: [(name: String, shows: String, command: [String])], _ scratch: Scratch
) throws {
  let installed = peers.filter { Command.isInstalled($0.command[0]) }
  let measurements = installed.map { peer in
    {
      if !peer.name.hasSuffix("again") {
        try? FileManager.default.removeItem(atPath: scratch.file("home"))
      }
      return try cost(of: peer.command, home: try scratch.folder("home"))
    }
  }
  let costs = try inTurns(3, measurements).map(\.medians)
  let table = Table(
    "\(title) at 200x60 cells, medians of 3 runs in turn: s, MB, kB",
    ["first output", "at rest", "CPU", "memory", "written", "of photogrid's time"], labels: 18)
  for (peer, costs) in zip(installed, costs.map { $0 + [$0[1] / costs[0][1]] }) {
    table.row(peer.name, costs, note: peer.shows)
  }
  let missing = peers.map(\.name).filter { !installed.map(\.name).contains($0) }
  if !missing.isEmpty { print("not installed: \(missing.joined(separator: ", "))") }
}

/// The time in seconds after which a program counts as never coming to rest.
private let restLimit = 30.0

/// The times until something was on the screen, and until nothing changed; processor time; memory; kilobytes written.
private func cost(of command: [String], home: String) throws -> [Double] {
  let session = try Session(
    command, environment: ["XDG_CACHE_HOME": home + "/cache", "HOME": home])
  var (megabytes, isQuiet) = (0.0, false)
  while !session.hasEnded, !isQuiet, session.time < restLimit {
    let end = session.terminal.elapsed
    session.run(0.05)
    megabytes = max(megabytes, session.process.family.map(\.megabytes).reduce(0, +))
    isQuiet =
      end > 0 && session.terminal.chunks.count > 0 && session.terminal.isQuiet(forSeconds: 1.5)
  }
  let first = session.terminal.chunks.first?.seconds ?? session.time
  let written = Double(session.terminal.output.count) / 1e3
  if session.hasEnded {
    let usage = session.terminal.usage
    megabytes = max(megabytes, Double(usage.ru_maxrss) * 1024 / 1e6)
    return [first, session.time, usage.processorSeconds, megabytes, written]
  }
  // A program is at rest when the screen last changed, except for a clock.
  let rest = isQuiet ? session.lastPictureChange : .infinity
  let processor = session.process.familySeconds
  session.press("q")
  session.run(1)
  if !session.hasEnded { session.terminal.signal(SIGKILL) }
  session.run(5)
  return [first, rest, processor, megabytes, written]
}

/// Prints which files of folders can be shown and the cost of each to a worker, and those that other programs show.
func measureCorpus(_ arguments: Arguments) throws {
  let peers = [
    ("vips", "vipsthumbnail -s 256 -o /tmp/photogrid-bench-\(getpid()).png"),
    ("chafa", "chafa -s 20x10"), ("timg", "timg -pq --frames=1 -g20x10"),
  ].filter { _ in arguments.has("--peers") }
  for folder in arguments.all {
    let table = Table(folder, ["CPU s", "MB"], labels: 40)
    func row(_ title: String, _ outcome: Outcome) {
      table.row(
        "\(title) \(outcome.name)", [outcome.processor, outcome.megabytes],
        note: outcome.message ?? (outcome.isIncomplete ? "shown, incomplete" : "shown"))
    }
    var (outcomes, shown) = ([Outcome](), [String: Double]())
    for path in try files(in: folder) {
      let outcome = try decode(path)
      outcomes.append(outcome)
      if arguments.has("--each") { row("", outcome) }
      let limit = "prlimit --as=8589934592 timeout 20 "
      let names = peers.filter { Command.run((limit + $0.1).words + [path]) != nil }.map(\.0)
      for name in names { shown[name, default: 0] += 1 }
      if outcome.message != nil, !names.isEmpty {
        row("shown by \(names.joined(separator: " and ")) alone:", outcome)
      }
    }
    if let slowest = outcomes.max(by: { $0.processor < $1.processor }) { row("slowest:", slowest) }
    if let largest = outcomes.max(by: { $0.megabytes < $1.megabytes }) { row("largest:", largest) }
    let counts = [outcomes.count { $0.message == nil }, outcomes.count { $0.isIncomplete }]
    let totals = Table("\(outcomes.count) files", ["shown", "incomplete"])
    totals.row("photogrid", counts.map(Double.init))
    for (name, _) in peers { totals.row(name, [shown[name] ?? 0]) }
  }
}

/// What became of a file.
private struct Outcome {
  var name: String
  /// The message in place of the picture; nil if there is a picture.
  var message: String?
  var isIncomplete: Bool
  /// The processor time of the worker without its start, in seconds, and the peak of its resident memory.
  var processor: Double
  var megabytes: Double
}

/// Decodes a file for a tile, in a worker that decodes nothing else.
private func decode(_ path: String) throws -> Outcome {
  var limits = StoreLimits()
  limits.workerCount = 1
  let store = PhotoStore(worker: WorkerExecutable(path: WorkerConnection.program), limits: limits)
  store.index.append([Array(path.utf8)])
  let (photo, size) = (Photo.ID(0), PixelSize(width: 200, height: 200))
  store.setDemands([Demand(photo: photo, size: size, mode: .fill)], at: now)
  while !store.isIdle {
    var requests = store.pollRequests
    let wait = store.nextDeadline.map { max(0, min($0.seconds(since: now), 10)) } ?? 10
    poll(&requests, nfds_t(requests.count), Int32((wait * 1000).rounded(.up)))
    _ = store.service(at: now)
  }
  let workers = RunningProcess.own.descendants
  var outcome = Outcome(
    name: name(ofFile: path), isIncomplete: store.info(of: photo)?.isIncomplete ?? false,
    processor: workers.map(\.processorSeconds).max() ?? 0,
    megabytes: workers.map(\.peakMegabytes).max() ?? 0)
  if case .failed(let message) = store.content(of: photo) { outcome.message = message }
  store.shutDown()
  while waitpid(-1, nil, 0) > 0 {}
  return outcome
}

/// The time from a worker's start to its first response, for each kind of decoder, confined and not.
func measureSandbox(_ arguments: Arguments) throws {
  let (folder, runs) = (arguments[0] ?? "Tests/TestSupport/Fixtures/Images", 100)
  let table = Table(
    "from the start of a worker to its first response, \(runs) runs in turn, ms",
    ["median", "p25", "min"], labels: 24)
  for name in ["card.jpg", "alpha.png", "card.heic"] {
    let times = try inTurns(
      runs,
      [SandboxMode.off, .auto].map { mode in
        {
          let start = now
          let worker = try WorkerConnection(mode)
          let response = try worker.response("\(folder)/\(name)", .describe) { _ in true }
          guard case .described = response else { throw UsageError("\(name): it is not read") }
          return now.seconds(since: start) * 1000
        }
      })
    for (mode, times) in zip(["without a sandbox", "confined"], times) {
      table.row("\(name), \(mode)", [times.median, times.percentile(25), times.min() ?? .nan])
    }
    table.row("what the sandbox adds", [times[1].median - times[0].median])
  }
}
