import Foundation
import Geometry
import PseudoTerminal
import WorkerProtocol

/// Selects photos in the grid and with a photo open, and leaves, while the disk hangs, is slow, or goes away.
func measureDeadDisks(_ arguments: Arguments) throws {
  let count = try arguments.count(1, usually: 200)
  let photos = try jpegs(in: arguments[0], atMost: 200)
  let table = Table(
    "from key to screen, \(count) keys, in the grid and with a photo open; from q to the end: ms",
    ["in the grid"] + Table.spread.dropFirst() + ["open"] + Table.spread.dropFirst()
      + ["q to the end", "processes left"], labels: 38)
  for (name, command, isTrashing) in [
    ("none", "clear", false), ("photos hang when opened", "hang open 0 0 .jpg", false),
    ("photos hang when read", "hang read 0 0 .jpg", false),
    ("a dead disk: no process ends", "dead read 0 0 .jpg", false),
    ("every request takes 0.2 s", "delay=200 any 0 0", false),
    ("reads fail", "EIO read 0 0 .jpg", false), ("every request hangs", "hang any 0 0", false),
    ("every request hangs, while trashing", "hang any 0 0", true),
    ("the disk is gone", "disconnect", false),
  ] {
    let scratch = try Scratch()
    let disks = try FaultyDisks(in: scratch.path)
    defer { disks.end() }
    _ = try scratch.copies(of: photos, 200, in: disks.stores[0])
    let session = try Session(
      disks.running([Session.photogrid, disks.folders[0]]), environment: try scratch.homes())
    try session.wait(for: "the photos") { $0.position?.count == 200 }
    session.settle(0.5, limit: 5)
    disks.obey(command)
    if isTrashing { session.press("d") }
    // The request that hangs, and the first messages about it.
    session.run(3)
    let inGrid = try move(count, in: session)
    session.press("\r")
    session.run(1)
    let open = try move(count, in: session)
    session.press("\u{1B}")
    session.run(1)
    let start = session.press("q")
    session.run(0.3)
    // At once where the program waits for a file operation.
    if !session.hasEnded { session.quit() }
    let end = (session.time - start) * 1000
    sleep(2)
    table.row(
      name, inGrid.spread + open.spread + [end, Double(disks.processes.count)],
      note: session.hasEnded ? "" : "did not end")
    disks.obey("clear")
  }
}

/// Selects the next photos and those before; returns the milliseconds until each is in the bar.
private func move(_ count: Int, in session: Session) throws -> [Double] {
  try session.wait(5, for: "a number in the bar") { $0.position != nil }
  session.look()
  var (screen, number) = (session.screen, session.screen.position?.number ?? 1)
  let seen = session.terminal.chunks.count
  let keys = (0..<count).map { key in
    let step = key % 20 < 10 ? 1 : -1
    number += step
    defer { session.run(0.1 + Double(key % 7) / 40) }
    return (number: number, time: session.press(step > 0 ? "l" : "h"))
  }
  session.run(2)
  // What arrived is looked at only now, since that takes time; a frame may show the effect of two keys.
  var times: [Double] = []
  for chunk in session.terminal.chunks[seen...] where times.count < count {
    screen.feed(chunk.bytes)
    let last = (times.count..<min(times.count + 2, count)).last {
      keys[$0].number == screen.position?.number && keys[$0].time < chunk.seconds
    }
    if let last { times += keys[times.count...last].map { (chunk.seconds - $0.time) * 1000 } }
  }
  guard times.count == count else { throw UsageError("keys are ignored: \(session.bar)") }
  return times
}

/// Prints how soon the program shows what another session, or another program, changed in its folder.
func measureSharedFolder(_ arguments: Arguments) throws {
  let (scratch, count, photoCount) = (try Scratch(), try arguments.count(1, usually: 20), 40)
  let folder = try scratch.folder("photos")
  let photo = try scratch.copies(
    of: try jpegs(in: arguments[0], atMost: photoCount), photoCount, in: folder)[0]
  let sessions = try ["1", "2"].map {
    try Session(
      photogrid: ["--protocol", "cells", "--motion", "none", folder],
      environment: try scratch.homes($0))
  }
  for session in sessions { session.settle(1, limit: 20) }
  let table = Table(
    "from the change to the other screen, ms, \(count) times", ["median", "most"], labels: 42)
  /// Makes changes by the first session, and prints the times until the second one shows them.
  func report(
    _ name: String, _ change: (Int, Session) -> Void, isShown: (Int, ScreenReader) -> Bool
  ) throws {
    let times = try (0..<count).map { index in
      // So that nothing of the change before is still under way.
      for session in sessions { session.run(0.7) }
      sessions[1].look()
      let start = sessions[1].time
      change(index, sessions[0])
      while sessions[1].time - start < 10 {
        // Both must be read, or the first would wait for its terminal.
        sessions[0].run(0.001)
        sessions[1].run(0.002)
        if let end = sessions[1].look(until: { isShown(index, $0) }) { return (end - start) * 1000 }
      }
      throw UsageError("\(name): not shown in 10 s, but: \(sessions[1].bar)")
    }
    table.row(name, [times.median, times.most])
  }
  // Ratings differ from the one before.
  func hasStars(_ index: Int, _ screen: ScreenReader) -> Bool {
    screen.bar.count { $0 == "★" } == index % 5 + 1
  }
  try report("a rating in another session", { $1.press(";\($0 % 5 + 1)") }, isShown: hasStars)
  try report(
    "a sidecar that another program writes",
    { index, _ in write(stars: (index + count) % 5 + 1, of: photo) }
  ) { hasStars($0 + count, $1) }
  try report(
    "a photo that is copied into the folder",
    { index, _ in
      try? FileManager.default.copyItem(
        atPath: photo, toPath: String(format: "%@/%04d.jpg", folder, photoCount + index))
    }
  ) { $1.position?.count == photoCount + $0 + 1 }
  try report("a photo that another session trashes", { $1.press("Gd") }) {
    $1.position?.count == photoCount + count - $0 - 1
  }
}

/// Writes the sidecar of a photo in the way of other programs: a new file takes its name.
private func write(stars: Int, of photo: String) {
  let text = """
    <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
    <rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:Rating='\(stars)'/>
    </rdf:RDF></x:xmpmeta>
    """
  try? Data(text.utf8).write(to: URL(filePath: photo + ".xmp"), options: .atomic)
}

/// Prints how soon the help is on the screen while one of the program's helper processes lies, and the program's peak
/// of memory: names may take 256 MB (`PathTable.Limits`), as those of five million photos do.
///
/// The program finds itself, which it starts as most of its helpers, by a link in `/proc`: here that leads to a script,
/// which lies in place of one of them.
func measureLiars(_ arguments: Arguments) throws {
  let count = try arguments.count(1, usually: 300)
  let table = Table(
    "--memory 32: 62 MB allowed, and 256 MB of names; from key to screen, \(count) keys, ms",
    Table.spread + ["program MB at most"], labels: 40)
  let chosen = HostileReply.allCases.filter { lie in
    arguments[2].map { lie.rawValue.contains($0) } ?? true
  }
  for lie in [nil] + chosen {
    let scratch = try Scratch()
    let photos = try scratch.links(to: try jpegs(in: arguments[0], atMost: 60))
    try writeScripts(lie, scratch)
    let start = """
      mount -t tmpfs none /proc && mkdir /proc/self && ln -s "$0" /proc/self/exe && exec "$@"
      """
    let needsIndex = lie == .endlessRecords
    let session = try Session(
      ["unshare", "-rm", "sh", "-c", start, scratch.file("photogrid"), Session.photogrid]
        + ["--memory", "32", "--motion", "none"]
        + (needsIndex ? ["--sort", "date"] : ["--private"]) + [photos],
      environment: try scratch.homes())
    try session.wait(10, for: "the program") { screen in screen.cells.contains { $0.glyph != " " } }
    if lie?.argument == "--file-worker" {
      session.run(1)
      session.press("d")
    }
    func showsHelp(_ screen: ScreenReader) -> Bool {
      (0..<screen.rows).contains { screen.text(ofRow: $0).contains(" Help 1/") }
    }
    let times = try (0..<count).map { key in
      session.run(0.01 + Double(key % 7) / 100)
      session.look()
      let isOpen = showsHelp(session.screen)
      return try session.milliseconds(from: "?", for: "the help, or the end of it") {
        showsHelp($0) != isOpen
      }
    }
    table.row(
      lie?.rawValue ?? "no lie", times.spread + [session.process.peakMegabytes],
      note: session.bar.split(separator: " ").joined(separator: " ")
        .replacingOccurrences(of: scratch.path, with: ""))
    session.quit("\u{03}")
  }
}

/// Writes a script for the program's helpers and one for the worker that decodes.
private func writeScripts(_ lie: HostileReply?, _ scratch: Scratch) throws {
  // Above what the program accepts.
  let bytes = lie?.bytes(most: 6_000_000) ?? []
  try Data(Hello.current.encoded()).write(to: URL(filePath: scratch.file("greeting")))
  try Data(bytes).write(to: URL(filePath: scratch.file("lie")))
  let lying = """
    cat '\(scratch.file("greeting"))' >&0
    while cat '\(scratch.file("lie"))' >&0; do :; done
    """
  // One that records can read its standard output, a file with the requests that the program leaves it.
  let isMeant = lie == .endlessRecords ? " && cat <&1 >/dev/null 2>&1" : ""
  for program in [Session.photogrid, WorkerConnection.program] {
    let isDecoder = program == WorkerConnection.program
    let script =
      lie != nil && lie?.argument == nil && isDecoder
      ? lying
      : "if [ \"$1\" = '\(lie?.argument ?? "no argument")' ]\(isMeant); then\n\(lying)\n"
        + "else exec '\(program)' \"$@\"; fi"
    let file = scratch.file(name(ofFile: program))
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: file))
    chmod(file, 0o755)
  }
}
