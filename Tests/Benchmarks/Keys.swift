import Foundation
import Geometry
import PseudoTerminal

/// Sends a megabyte of input and a key behind it, to the program and to one that only reads.
func measureInput(_ arguments: Arguments) throws {
  let (scratch, runs, byteCount) = (try Scratch(), 5, 1_000_000)
  for index in 0..<6 { try Data().write(to: URL(filePath: scratch.file("\(index).jpg"))) }
  func repeated(_ count: Int, _ text: (Int) -> String) -> String { (0..<count).map(text).joined() }
  let text = "Text that somebody pastes: q, l and j are no keys here.\r"
  let motion = repeated(byteCount / 12) { "\u{1B}[<35;\($0 % 200 + 1);\($0 % 59 + 1)M" }
  let table = Table(
    "a megabyte of input and a key behind it, seconds, medians of \(runs) runs",
    ["photogrid", "bare reader", "keys lost"], labels: 14)
  for (name, input) in [
    (
      "pasted text",
      "\u{1B}[200~" + repeated(byteCount / text.utf8.count) { _ in text } + "\u{1B}[201~"
    ),
    ("mouse motion", motion),
    ("a reply", "\u{1B}]11;" + String(repeating: "q", count: byteCount) + "\u{07}"),
  ] {
    let reader = "stty raw -echo; echo r; head -c \(input.utf8.count + 1) > /dev/null; echo d"
    let times = try inTurns(
      runs,
      [
        {
          let session = try Session(
            photogrid: ["--motion", "none", scratch.path],
            environment: ["XDG_CACHE_HOME": "/dev/null/none"])
          try session.wait(10, for: "the grid") { $0.position?.number == 1 }
          session.run(0.5)
          defer { session.quit() }
          let time = try? session.milliseconds(from: input + "l", atMost: 20, for: "a key") {
            $0.position?.number == 2
          }
          return time ?? .nan
        },
        {
          let session = try Session(["sh", "-c", reader])
          try session.wait(10, for: "the reader") { $0.text(ofRow: 0).contains("r") }
          return try session.milliseconds(from: input + "l", for: "its end") {
            $0.cells.contains { $0.glyph == "d" }
          }
        },
      ])
    let seen = times[0].filter { !$0.isNaN }
    table.row(
      name, [seen.median / 1000, times[1].median / 1000, Double(times[0].count - seen.count)])
  }
}

/// Opens and closes photos slowly in a terminal that keeps up.
func measureTransitions(_ arguments: Arguments) throws {
  let table = Table(
    "slow zoom in and out at 200x60, 24-bit: milliseconds from frame to frame",
    Table.spread + ["frames", "bytes a frame"], labels: 12)
  for glyphs in Stage.blocks {
    let session = try Session(
      photogrid: ["--motion", "slow", "--symbols", glyphs.rawValue, arguments.all[0]])
    session.settle(1, limit: 60)
    var (intervals, bytes, frames) = ([Double](), 0, 0)
    for key in ["\r", "\u{1B}"] {
      let count = session.terminal.chunks.count
      session.press(key)
      session.run(1.7)
      let chunks = session.terminal.chunks[count...]
      let times = chunks.frameTimes
      intervals += zip(times.dropFirst(), times).map { ($0 - $1) * 1000 }
      frames += times.count
      bytes += chunks.reduce(0) { $0 + $1.bytes.count }
      session.settle(0.5, limit: 10)
    }
    session.quit()
    table.row(
      glyphs.rawValue,
      intervals.spread + [Double(frames), (Double(bytes) / Double(frames)).rounded()])
  }
}

/// Sorts ten thousand JPEGs by date taken, and types keys meanwhile.
func measureSorting(_ arguments: Arguments) throws {
  let (scratch, count) = (try Scratch(), 10_000)
  let photos = try jpegs(in: arguments[0], atMost: 1000)
  let folder = try scratch.links(to: photos, count)
  // Into the page cache.
  for photo in photos { _ = contents(photo) }
  let table = Table(
    "\(count) links to \(photos.count) JPEGs in the page cache, by date taken; answers in ms",
    ["read and sorted s", "keys"] + Table.spread, labels: 8)
  for run in 0..<3 {
    // What an earlier run has read is not known.
    let session = try Session(
      photogrid: ["--motion", "none", folder], environment: try scratch.homes("home\(run)"))
    session.settle()
    let start = session.press(",d")
    try session.wait(5, for: "a date that is read") { $0.bar.contains("read ") }
    var times: [Double] = []
    while session.bar.contains("read ") {
      // Back and forth: the bar shows the number of the selected photo.
      let (number, key) = (session.screen.position?.number, times.count % 2 == 0 ? "l" : "h")
      times.append(
        try session.milliseconds(from: key, atMost: 5, for: "the next photo") {
          $0.position?.number != number || !$0.bar.contains("read ")
        })
      session.run(0.02)
    }
    table.row("", [session.time - start, Double(times.count)] + times.spread)
    session.quit()
  }
}

/// Prints the time from a key to a visible change over lines of so many megabytes a second.
func measureLinks(_ arguments: Arguments) throws {
  // Each changes the screen, and the last one restores the state before the first.
  let keys = ["l", "l", "\r", "n", "n", "p", "\u{1B}", "h", "l", "\r", "\u{1B}", "h", "h", "h"]
  let table = Table(
    "key to visible change at 200x60, 24-bit, sextants: milliseconds",
    Table.spread + ["keys", "frames a second while moving"], labels: 16)
  let rates = try arguments.all.indices.dropFirst().map { try arguments.number($0) }
  for rate in rates.isEmpty ? [1, 4, 0.25] : rates {
    let session = try Session(photogrid: ["--symbols", "sextant", arguments.all[0]])
    session.bytesPerSecond = rate * 1e6
    // Some keys come before the screen has settled.
    session.run(0.3)
    var (delays, frames, isEscaping) = ([Double](), [Double](), false)
    for key in Array(repeating: keys, count: 8).joined() {
      session.run(.random(in: (isEscaping ? 0.2 : 0.02)...0.6))
      // The next key must not turn it into another key.
      isEscaping = key == "\u{1B}"
      let bar = session.bar
      if "lhnp".contains(key) {
        // The bar shows the photo's name in the same frame in which the picture changes.
        delays.append(
          try session.milliseconds(from: key, atMost: 5, for: "a change") { $0.bar != bar })
        continue
      }
      let start = session.press(key)
      guard key == "\r" else { continue }
      session.run(0.35)
      frames.append(Double(session.frameTimes.count { $0 > start }) / 0.35)
    }
    session.bytesPerSecond = nil
    session.quit()
    table.row("\(figure(rate)) MB a second", delays.spread + [Double(delays.count), frames.median])
  }
}
