import CTurboJPEG
import Foundation
import PseudoTerminal

/// The time to the end of the first frame, whatever the folder, and that of other builds, in turns.
func measureStart(_ arguments: Arguments) throws {
  let scratch = try Scratch()
  let large = try scratch.folder("large")
  for index in 0..<100_000 { close(open("\(large)/\(index).jpg", O_CREAT | O_WRONLY, 0o600)) }
  let programs = [Session.photogrid] + arguments.values("--beside")
  let table = Table("first frame at 200x60, seconds since the start, 20 runs each", labels: 20)
  // As many places as are kept, and the last photo of this folder among them.
  let places = (1..<2000).map { "sort=date group=month\t\($0).jpg\t/photos/trip \($0)\n" }
  let state = try scratch.folder("state")
  _ = try scratch.folder("state/photogrid")
  try (places.joined() + "\t99999.jpg\t\(large)\n")
    .write(toFile: "\(state)/photogrid/resume", atomically: true, encoding: .utf8)
  var cases: [(name: String, folder: String, environment: [String: String])] =
    arguments.all.map { ("folder given", $0, [:]) }
  cases += [
    ("empty folder", try scratch.folder("empty"), [:]), ("100,000 names", large, [:]),
    ("where they were left", large, ["XDG_STATE_HOME": state]),
  ]
  for (name, folder, environment) in cases {
    let measurements = programs.map { program in
      {
        let session = try Session([program, folder], environment: environment)
        session.terminal.run(forSeconds: 5) { !session.frameTimes.isEmpty }
        session.quit()
        guard let first = session.frameTimes.first else { throw UsageError("no frame in 5 s") }
        return first
      }
    }
    for (program, times) in zip(programs, try inTurns(20, measurements)) {
      table.row(name, times.spread, note: programs.count > 1 ? program : "")
    }
  }
}

/// The time until all tiles show their photos without a thumbnail cache, beside timg.
func measureSettling(_ arguments: Arguments) throws {
  try measureTiles(try jpegs(in: arguments[0], atMost: 70), starts: 1)
}

/// The same without and with a cache; and the processor time for many photos, beside that of bare libjpeg-turbo.
func measureThumbnails(_ arguments: Arguments) throws {
  let photos =
    try arguments[0].map { try jpegs(in: $0, atMost: 254) }
    ?? cameraPhotos(72, from: try jpegs(in: nil, atMost: 100))
  try measureTiles(Array(photos.prefix(70)), starts: 2)

  let scratch = try Scratch()
  let folder = try scratch.links(to: photos, 254)
  let names = try files(in: folder)
  var cache = try Scratch()
  /// The processor time of all processes until nothing changes any more, in seconds.
  func seconds(_ options: [String]) throws -> Double {
    let session = try Session(
      photogrid: ["--cell", "8", "--motion", "none"] + options + [folder],
      environment: ["XDG_CACHE_HOME": cache.path])
    session.settle(1.5)
    defer { session.quit() }
    return session.process.familySeconds
  }
  let times = try inTurns(
    3,
    [
      { processorMilliseconds { names.forEach(decode) } / 1000 }, { try seconds(["--private"]) },
      {
        cache = try Scratch()
        return try seconds([])
      }, { try seconds([]) },
    ])
  let table = Table(
    "\(names.count) photos, all in sight, until all are settled: seconds of CPU, medians of 3",
    ["median", "of libjpeg-turbo's"])
  for (name, seconds) in zip(
    ["libjpeg-turbo alone", "photogrid keeping no thumbnails", "keeping them", "finding them"],
    times)
  { table.row(name, [seconds.median, zip(seconds, times[0]).map { $0 / $1 }.median]) }
}

private func measureTiles(_ photos: [String], starts: Int) throws {
  let (scratch, runs) = (try Scratch(), 5)
  let folder = try scratch.links(to: photos)
  let names = try files(in: folder)
  let size = figure(photos.map(megabytes(ofFile:)).mean)
  let own =
    ["first picture", "all tiles", "settled"] + ["with a cache: first", "all tiles", "settled"]
  let table = Table(
    "\(photos.count) photos of \(size) MB at 200x60, seconds, \(runs) runs in turn",
    own.prefix(3 * starts) + ["timg -pq --grid=10", "all tiles of timg's", "settled"], labels: 8)
  var rows: [[Double]] = []
  for _ in 0..<runs {
    let cache = try Scratch()
    let times = try (0..<starts).flatMap { _ in
      let session = try Session(
        photogrid: (starts > 1 ? ["--motion", "none"] : []) + [folder],
        environment: ["XDG_CACHE_HOME": starts > 1 ? cache.path : "/dev/null/none"])
      session.settle(1.5)
      defer { session.quit() }
      return session.pictureTimes + [session.lastPictureChange]
    }
    // Ten columns of 18 cells, and as many rows as 59 text rows show, including a partial last one.
    let timg = try Session(["timg", "-pq", "--grid=10", "--threads=2", "-g200x60"] + names)
    timg.run(120)
    guard timg.terminal.status == 0 else { throw UsageError("timg failed; is it installed?") }
    let peer = timg.terminal.chunks.last?.seconds ?? .nan
    rows.append(times + [peer, times[1] / peer, times[2] / peer])
    table.row("", rows.last ?? [])
  }
  table.row("medians", rows.medians)
}

extension Session {
  /// When the first tile, and when all that do so at the end showed more than a color.
  fileprivate var pictureTimes: [Double] {
    var states: [(time: Double, count: Int)] = []
    replay { states.append(($1, $0.pictureCount)) }
    let most = states.map(\.count).max() ?? 0
    return [1, most * 9 / 10].map { count in states.first { $0.count >= count }?.time ?? .nan }
  }
}

/// Reads a photo and decodes it at an eighth of its size, and does nothing else.
private func decode(_ path: String) {
  let handle = tjInitDecompress()
  defer { tjDestroy(handle) }
  guard let file = FileManager.default.contents(atPath: path) else { return }
  file.withUnsafeBytes { bytes in
    let start = bytes.bindMemory(to: UInt8.self).baseAddress
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    tjDecompressHeader3(handle, start, UInt(bytes.count), &width, &height, &sampling, &space)
    (width, height) = ((width + 7) / 8, (height + 7) / 8)
    var pixels = [UInt8](repeating: 0, count: Int(width * height * 4))
    tjDecompress2(
      handle, start, UInt(bytes.count), &pixels, width, 0, height, TJPF_RGBA.rawValue, 0)
  }
}
