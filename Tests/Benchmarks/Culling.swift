import Foundation
import Geometry
import PhotoLibrary
import Photos
import PseudoTerminal

/// Rates one photo after the other, a thousand at once, and gives them a keyword; then goes through large ones.
func measureCulling(_ arguments: Arguments) throws {
  let (scratch, count) = (try Scratch(), 1000)
  let sidecars = try scratch.copies(of: arguments.all, count, in: scratch.path).map { $0 + ".xmp" }
  let session = try Session(photogrid: ["--motion", "none", scratch.path])
  func press(_ keys: String, quiet: Double = 1) {
    session.press(keys)
    session.settle(quiet, limit: 20)
  }
  press("", quiet: 3)
  let table = Table("\(count) photos at 200x60; milliseconds")
  press("C")
  var (seen, written) = ([Double](), [Double]())
  for sidecar in sidecars.prefix(40) {
    let clock = seconds(on: CLOCK_REALTIME)
    if let time = session.millisecondsToOutput(from: "4", atMost: 2) { seen.append(time) }
    session.run(5) { changeTime(of: sidecar) != nil }
    session.settle(0.15, limit: 5)
    if let time = changeTime(of: sidecar) { written.append((time - clock) * 1000) }
  }
  table.row("a rating key until it is seen", seen.spread)
  table.row("until it is on disk", written.spread)
  press("C")

  /// Types keys, and returns the seconds until the last sidecar is written.
  func writeAll(_ keys: String) -> Double {
    session.settle(2, limit: 20)
    let clock = seconds(on: CLOCK_REALTIME)
    func times() -> [Double] { sidecars.compactMap { changeTime(of: $0) }.filter { $0 > clock } }
    session.press(keys)
    session.run(120) { changeTime(of: sidecars[count - 1]) ?? 0 > clock && times().count == count }
    return times().count == count ? times().most - clock : .infinity
  }
  let all = Table("\(count) photos at once, seconds until the last is on disk", [""])
  press("\u{01}")
  all.row("ratings", [writeAll(";2")])
  press("gk")
  press("bench")
  all.row("keywords", [writeAll("\r")])
  session.quit()
  try measureSharpSteps(arguments)
}

/// When a file got its name or contents, in seconds since 1970; nil if it does not exist.
private func changeTime(of path: String) -> Double? {
  var status = stat()
  guard stat(path, &status) == 0 else { return nil }
  return Double(status.st_ctim.tv_sec) + Double(status.st_ctim.tv_nsec) / 1e9
}

/// Prints what a rating in a photo of 300 MB costs, or of another size, beside copying it by `cp` and `sync`.
func measureEmbeddedRating(_ arguments: Arguments) throws {
  let (rounds, megabytes) = (7, try arguments.count(1, usually: 300))
  // Not in memory, where nothing is written.
  let scratch = try Scratch(in: FileManager.default.currentDirectoryPath)
  let (path, copy) = (scratch.file("a.jpg"), scratch.file("b"))
  let photo = contents(arguments.all[0])
  let padding = (0..<max(megabytes << 20 - photo.count, 0)).map {
    UInt8(truncatingIfNeeded: $0 &* 31)
  }
  try Data(photo + padding).write(to: URL(filePath: path))
  let client = AnnotationClient(worker: try .find(), isEmbedded: true) { _ in Array(path.utf8) }
  defer { client.shutDown { now } }
  var stars = 0
  let results = try inTurns(
    rounds + 1,
    [
      {
        stars = (stars + 1) % 6
        return try elapsed { try rate(client, stars) }
      },
      {
        unlink(copy)
        return try elapsed {
          try Command.need(["sh", "-c", "cp '\(path)' '\(copy)' && sync '\(copy)'"])
        }
      },
    ])
  // The first ones start a process, and read the photo from the disk.
  let times = results.map { Array($0.dropFirst()) }
  let table = Table("\(megabytes) MB, \(rounds) times")
  table.row("s for a rating", times[0].spread)
  table.row("s for cp and sync", times[1].spread)
  table.row("times as long", zip(times[0], times[1]).map { $0 / $1 }.spread)
}

private func rate(_ client: AnnotationClient, _ stars: Int) throws {
  client.write([AnnotationTask(Photo.ID(0), .stars(stars))], at: now)
  while true {
    if let result = client.service(at: now).flatMap(\.results).first {
      guard let failure = result.failure ?? result.sidecarReason else { return }
      throw UsageError("the photo was not rated: \(failure)")
    }
    var requests = client.pollRequests
    poll(&requests, nfds_t(requests.count), 100)
  }
}

/// Prints how soon a JPEG of 100 megapixels, made of a folder's photos, is sharp at 100 %, and the memory that takes.
func measureZoom(_ arguments: Arguments) throws {
  let (scratch, runs, keys) = (try Scratch(), 5, ["z", "J", "L"])
  let table = Table(
    "12000x8400 at 200x60, \(runs) runs: milliseconds from the key to the last change of the picture",
    "MB,z: middle,longest,J: lower edge,longest,L: right edge,longest,program MB,worker MB"
      .components(separatedBy: ","), labels: 12)
  for (name, path) in try largeJPEGs(
    of: try jpegs(in: arguments[0], atMost: 6, atLeast: 6), scratch)
  {
    let rows = try (0..<runs).map { _ in
      let session = try Session(photogrid: [path])
      try session.wait(60, for: "the photo") {
        $0.bar.contains("12000×8400") && !$0.bar.contains("loading")
      }
      session.run(0.5)
      let times = keys.map { key in
        let start = session.press(key)
        session.run(0.3)
        session.settle(3, limit: 60)
        return (session.lastPictureChange - start) * 1000
      }
      defer { session.quit() }
      return times + [
        session.process.peakMegabytes, session.process.descendants.map(\.peakMegabytes).most,
      ]
    }
    let columns = (0..<5).map { column in rows.map { $0[column] } }
    table.row(
      name,
      [megabytes(ofFile: path)] + columns.prefix(3).flatMap { [$0.median, $0.most] }
        + columns.suffix(2).map(\.most))
  }
}

/// A baseline and a progressive JPEG with as much detail per area as photos, which lie side by side.
private func largeJPEGs(of photos: [String], _ scratch: Scratch) throws -> [(String, String)] {
  let pieces = photos.indices.map { scratch.file("\($0).v") }
  let (row, all) = (scratch.file("row.v"), scratch.file("all.v"))
  let crop = "2000 --height 1400 --crop centre".words
  for (photo, piece) in zip(photos, pieces) {
    try Command.need(["vips", "thumbnail", photo, piece] + crop)
  }
  try Command.need(["vips", "arrayjoin", pieces.joined(separator: " "), row, "--across", "6"])
  try Command.need(["vips", "replicate", row, all, "1", "6"])
  let files = [("baseline", scratch.file("b.jpg")), ("progressive", scratch.file("p.jpg"))]
  for ((_, path), more) in zip(files, ["", "--interlace"]) {
    try Command.need(["vips", "jpegsave", all, path] + "--Q 92 --subsample-mode on \(more)".words)
  }
  for file in pieces + [row, all] { try FileManager.default.removeItem(atPath: file) }
  return files
}

/// Goes through photos of 60 megapixels at 100 % by kitty's protocol, five a second, and compares four of them.
func measureSharpSteps(_ arguments: Arguments) throws {
  let (scratch, steps) = (try Scratch(), 30)
  let files = try cameraPhotos(12, from: arguments.all, width: 9504, height: 6336, quality: 95)
  let folder = try scratch.links(to: files, 40)
  let memory = { (title: String, session: Session) in
    let workers = session.process.descendants.map(\.peakMegabytes).filter { $0 > 0 }.sorted(by: >)
    Table("\(title), peak memory in MB; 256 are for pictures", ["program", "workers"]).row(
      "", [session.process.peakMegabytes, workers.reduce(0, +)],
      note: workers.map { String(format: "%.0f", $0) }.joined(separator: " + "))
  }
  let sent = try [2, 0.2].map { interval in
    let session = try sharpSession(folder, keys: ["\r", "z"])
    let sent = uploads(in: session, steps, interval: interval)
    if interval < 1 { memory("one after the other", session) }
    session.quit()
    return sent
  }
  // What comes last after a while is as sharp as it gets. A photo that is not sharp before the next key never was, and
  // counts as one that takes for ever.
  let times = zip(sent[0], sent[1]).map { reference, step in
    step.first { $0.content == reference.last?.content }?.milliseconds ?? .infinity
  }
  Table(
    "60 megapixels at 100 %, \(steps) photos, five a second, kitty's protocol, 2000x1180, ms",
    ["first"] + Table.spread + ["not before the next key"], labels: 8
  ).row("sharp", [times[0]] + times.spread + [Double(times.count { $0.isInfinite })])
  let four = try sharpSession(folder, keys: ["    gg=", "z", "j", "l"])
  memory("comparing four at 100 %", four)
  four.quit()
}

/// The program in a terminal that takes pictures from shared memory.
private func sharpSession(_ folder: String, keys: [String]) throws -> Session {
  let session = try Session(
    photogrid: ["--motion", "none", "--protocol", "kitty", folder],
    environment: ["TERM": "xterm-kitty"],
    model: .kitty.adding(["\u{1B}[14t": "\u{1B}[4;1200;2000t"]))
  for key in [""] + keys {
    session.press(key)
    session.settle(3)
  }
  return session
}

/// Goes on, and returns when pictures as large as the screen were sent after each key, and a hash of their pixels.
private func uploads(
  in session: Session, _ steps: Int, interval: Double
) -> [[(milliseconds: Double, content: Int)]] {
  var (scanner, taken) = (SequenceScanner(), session.terminal.chunks.count)
  return (0..<steps).map { _ in
    let key = session.press("n")
    var uploads: [(milliseconds: Double, content: Int)] = []
    session.run(interval) {
      // At once, as a terminal does: what it does not take in time is removed.
      for chunk in session.terminal.chunks[taken...] {
        for content in scanner.sequences(in: chunk.bytes).compactMap(contentOfUpload) {
          uploads.append(((chunk.seconds - key) * 1000, content))
        }
      }
      taken = session.terminal.chunks.count
      return false
    }
    return uploads
  }
}

/// The hash of such a picture, which is removed from shared memory as a terminal does; nil for other commands.
private func contentOfUpload(_ command: String) -> Int? {
  let parts = command.dropLast(2).split(separator: ";", maxSplits: 1)
  guard command.hasPrefix("\u{1B}_G"), parts.count == 2, parts[0].contains("t=s"),
    !parts[0].contains("a=q"), let name = Data(base64Encoded: String(parts[1]))
  else { return nil }
  let path = "/dev/shm/" + String(decoding: name, as: UTF8.self).drop { $0 == "/" }
  defer { unlink(path) }
  let pixels = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
  guard let pixels, pixels.count >= 2000 * 1180 * 4 else { return nil }
  var hasher = Hasher()
  for index in stride(from: 0, to: pixels.count, by: 997) { hasher.combine(pixels[index]) }
  return hasher.finalize()
}
