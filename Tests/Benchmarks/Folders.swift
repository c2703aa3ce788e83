import Foundation
import PseudoTerminal

/// Lists and browses a folder of 100,000 names, beside `ls` of the same folder.
func measureFolder(_ arguments: Arguments) throws {
  let (runs, count) = (9, try arguments.count(1, usually: 100_000))
  let scratch = try Scratch(inMemory: true)
  let photos = try jpegs(in: arguments[0], atMost: 50).enumerated().map { number, photo in
    let copy = scratch.file("\(number).jpg")
    try Command.need(["vips", "thumbnail", photo, copy, "400"])
    return copy
  }
  let folder = try scratch.names(count, of: photos)
  let results = try inTurns(
    runs,
    [
      { [try elapsed { try Command.need(["ls", folder]) }] }, { try visit(folder, count) },
    ])
  let (ls, visits) = (results[0].medians[0], results[1])
  let times = Table(
    "\(count) photos at 200x60, seconds, \(runs) runs in turn", ["median", "slowest", "of ls"],
    labels: 40)
  times.row("ls", [ls, results[0].map { $0[0] }.most, 1])
  for (column, name) in [
    "first names in their tiles", "first screen full of pictures", "all names listed",
    "G to the frame of the last photo", "G to its screen full of pictures",
  ].enumerated() {
    let seconds = visits.map { $0[column] }
    times.row(name, [seconds.median, seconds.most, seconds.median / ls])
  }
  let keys = try (0..<3).flatMap { _ in try timesWhileListing(folder) }
  Table("key to frame while listing, milliseconds", Table.spread + ["keys"]).row(
    "", keys.spread + [Double(keys.count)])

  let small = try visit(try scratch.names(100, of: photos, "small"), 100)
  let memory = Table("memory of the program, MB", ["median", "at most", "bytes a photo"])
  memory.row("with 100 photos", Array(small.suffix(2)))
  func row(_ name: String, _ visits: [[Double]]) {
    let (resident, peak) = (visits.medians[5], visits.map { $0[6] }.most)
    memory.row(name, [resident, peak, (resident - small[5]) * 1e6 / Double(count)])
  }
  row("with all", visits)
  row("with the facts of all files", [try visit(folder, count, options: ["--sort", "date"])])
}

/// Starts the program and goes to the last photo: the times since the start until the first names, the first screen of
/// pictures, and all names are there; from the key to the last photo's frame and to its screen of pictures; the memory
/// and its peak in megabytes.
private func visit(_ folder: String, _ count: Int, options: [String] = []) throws -> [Double] {
  let session = try Session(photogrid: options + [folder])
  session.run(0.2)
  // The listing has ended when the bar shows a number without an ellipsis.
  try session.wait(120, for: "all names") {
    $0.position?.count == count && !$0.bar.contains("read ")
  }
  session.settle(1, limit: 60)
  let opening = session.terminal.chunks.count
  let key = session.press("G")
  session.run(5) { session.terminal.chunks.count > opening }
  session.settle(1, limit: 60)
  let memory = [session.process.megabytes, session.process.peakMegabytes]
  let over = session.time
  session.quit()

  let frames = Set(session.frameTimes)
  var states: [(time: Double, bar: String, pictures: Int)] = []
  session.replay { screen, time in
    if frames.contains(time), time < over { states.append((time, screen.bar, screen.pictureCount)) }
  }
  let (start, end) = (states.filter { $0.time < key }, states.filter { $0.time > key })
  // All tiles that show a picture at the end do.
  let full = [start, end].map { states in
    states.first { $0.pictures >= states.last?.pictures ?? 0 }?.time ?? .nan
  }
  func time(_ text: String) -> Double {
    states.first { $0.bar.contains(text) && !$0.bar.contains("…") }?.time ?? .nan
  }
  return [
    states.first { $0.bar.contains("1/") }?.time ?? .nan, full[0], time("1/\(count)"),
    time("\(count)/\(count)") - key, full[1] - key,
  ] + memory
}

/// The milliseconds from keys that move the selection to the next output, while names arrive.
private func timesWhileListing(_ folder: String) throws -> [Double] {
  let session = try Session(photogrid: [folder])
  try session.wait(60, for: "the first names") { $0.bar.contains("1/") }
  var times: [Double] = []
  while session.bar.contains("…"), times.count < 1000 {
    let key = times.count % 2 == 0 ? "h" : "l"
    times.append(session.millisecondsToOutput(from: key, atMost: 5) ?? .infinity)
    session.run(0.033)
  }
  session.quit()
  return times
}

/// Groups libraries by month at the first start, which reads every file, and at the second, which knows their facts.
func measureLibrary(_ arguments: Arguments) throws {
  let counts = try arguments.all.indices.dropFirst().map { try arguments.count($0, usually: 1) }
  for count in counts.isEmpty ? [100_000, 1_000_000] : counts {
    let scratch = try Scratch(inMemory: true)
    let small = scratch.file("small.jpg")
    try Command.need(["vips", "thumbnail", arguments.all[0], small + "[Q=75,strip]", "900"])
    try measure(
      try LibraryTree(count, of: small, hasKeywords: arguments.has("keywords"), in: scratch),
      cache: scratch.file("cache"))
  }
}

private func measure(_ tree: LibraryTree, cache: String) throws {
  let (runs, isLarge, photos) = (5, tree.count > 300_000, tree.photos)
  // The last start leaves an index.
  let first = try inTurns(
    isLarge ? 1 : runs,
    [
      {
        try? FileManager.default.removeItem(atPath: cache)
        return [readAll(photos)]
      },
      {
        defer { waitForWriter(cache) }
        return try visit(tree, cache)
      },
    ])
  let second = try inTurns(
    runs,
    [
      { [try elapsed { try Command.need(["ls", "-R", tree.path]) }] }, { try visit(tree, cache) },
    ])
  let (loop, ls, exiftool) = (
    first[0].medians[0], second[0].medians[0], exiftoolSeconds(photos) ?? .nan
  )
  let (starts, again) = (first[1].medians, second[1].medians)
  let ratios = zip(first[1], first[0]).map { $0[1] / $1[0] }
  let table = Table(
    "\(tree.count) photos at 200x60, --recursive --group month; seconds, medians of \(runs) in turn",
    ["seconds", "share", "goal"], labels: 52)
  for (name, values) in [
    ("ls -R", [ls]), ("first start: names; share of ls", [starts[0], starts[0] / ls]),
    ("a loop of open, read 64 kB, close", [loop]),
    ("first start: all read and grouped; of the loop", [starts[1], starts[1] / loop, 1.3]),
    ("  the pairs' ratios: median", [.nan, ratios.median]),
    ("  least", [.nan, ratios.min() ?? .nan]),
    ("  processor time of all processes", [starts[5]]),
    ("exiftool -fast2, from a sample", [exiftool]),
    ("first start; of exiftool", [starts[1], starts[1] / exiftool, 0.05]),
    ("second start: grouped; of ls", [again[1], again[1] / ls, isLarge ? 1.5 : 2]),
    ("  slowest", [second[1].map { $0[1] }.most]),
    ("  processor time of the program", [again[3]]),
    ("  processor time of the process that lists", [again[4]]),
    ("  files read for their facts, a number", [second[1].map { $0[2] }.most]),
  ] { table.row(name, values) }
  let memory = Table("memory of the program, MB", ["median", "at most", "goal"])
  let goal: Double = isLarge ? 170 : tree.hasKeywords ? 50 : 45
  memory.row("second start", [again[6], second[1].map { $0[7] }.most, goal])
  memory.row("first start", [starts[6], first[1].map { $0[7] }.most, goal])
  memory.row("the index, on the disk", [megabytes(ofFile: cache + "/photogrid/index.sqlite")])
}

/// Starts the program: the times until the first frame with photos, and until all are listed and the first screen is that
/// of the first month; the number of files read that the bar showed; the processor time of the program, of the process
/// that lists, and of all; the memory and its peak in megabytes.
private func visit(_ tree: LibraryTree, _ cache: String) throws -> [Double] {
  let session = try Session(
    // The names of the folders would date the photos without a date.
    photogrid: [
      "--no-config", "-r", "--motion", "none", "--group", "month", "--dates", "taken", tree.path,
    ], environment: ["XDG_CACHE_HOME": cache])
  var (named, readCount) = (Double.nan, 0.0)
  let grouped = try session.wait(1800, for: "the first month") { screen in
    let bar = screen.bar
    if named.isNaN, bar.contains("1/") { named = session.time }
    if let read = bar.firstRange(of: "read ") {
      readCount = max(readCount, Double(bar[read.upperBound...].prefix { $0.isNumber }) ?? 0)
    }
    return screen.position?.count == tree.count && !bar.contains("read ")
      && screen.text(ofRow: 0).contains(" · \(tree.firstMonthCount) photo")
  }
  let lister = session.process.children.first { $0.name == "photogrid-lib" }
  let processors = [
    session.process.processorSeconds, lister?.processorSeconds ?? 0, session.process.familySeconds,
  ]
  // Meanwhile pictures arrive, and changed files would be found.
  session.settle(1, limit: 60)
  defer { session.quit() }
  return [named, grouped, readCount] + processors + [
    session.process.megabytes, session.process.peakMegabytes,
  ]
}

/// Waits until the process that records the facts of the ended session has ended.
private func waitForWriter(_ cache: String) {
  let log = cache + "/photogrid/index.sqlite-wal"
  for _ in 0..<3000 {
    let size = (try? FileManager.default.attributesOfItem(atPath: log))?[.size] as? Int
    if size == 0 { return }
    usleep(20_000)
  }
}

/// The time of a loop that opens all files, reads 64 kB of each and closes them, in seconds.
private func readAll(_ paths: [String]) -> Double {
  var buffer = [UInt8](repeating: 0, count: 64 << 10)
  return elapsed {
    for path in paths {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      _ = read(descriptor, &buffer, buffer.count)
      close(descriptor)
    }
  }
}

/// The time of exiftool for all files, in seconds, extrapolated from some of them; nil if it is not installed.
private func exiftoolSeconds(_ photos: [String]) -> Double? {
  let sample = stride(from: 0, to: photos.count, by: max(photos.count / 500, 1)).map { photos[$0] }
  let options = ["exiftool", "-fast2", "-q", "-DateTimeOriginal", "-ImageSize", "-Model"]
  guard let one = Command.run(options + sample.prefix(1)), let all = Command.run(options + sample)
  else { return nil }
  // Its start is counted only once.
  return one.clock + (all.clock - one.clock) / Double(sample.count - 1) * Double(photos.count - 1)
}

/// A library of ten years of JPEGs: two thirds are in one folder, the others in a folder for each month; one in eight has
/// no date.
///
/// The photos of a day are hard links to one file, so a million need no more space than ten thousand.
private struct LibraryTree {
  /// The folder to browse.
  let path: String
  let count: Int
  /// The number of photos of the first month.
  private(set) var firstMonthCount = 0
  /// Whether three keywords are in each photo.
  let hasKeywords: Bool

  private static let (months, days) = (120, 3600)

  /// Makes a library; `photo` is a JPEG without EXIF, which gives all photos their pixels.
  init(_ count: Int, of photo: String, hasKeywords: Bool, in scratch: Scratch) throws {
    (self.count, self.hasKeywords) = (count, hasKeywords)
    path = try scratch.folder("library")
    let folders = try (0..<Self.months).map {
      try scratch.folder(String(format: "library/%04d-%02d", 2010 + $0 / 12, $0 % 12 + 1))
    }
    let originals = try scratch.copies(of: [photo], Self.days, in: try scratch.folder("originals"))
    let places = ["Rome", "Berlin", "home", "the sea", "mountains"]
    let rows = originals.enumerated().map { day, original in
      let date = String(
        format: "%04d:%02d:%02d %02d:%02d:00", 2010 + day / 360, day % 360 / 30 + 1, day % 30 + 1,
        day % 24, day % 60)
      // One of the keywords only the photos of a day have.
      let words = hasKeywords ? "\(places[day % 5]);year \(day / 360);day \(day)" : ""
      return Self.isDated(day)
        ? "\(original),\(date),Camera One,\(words)" : "\(original),,,\(words)"
    }
    let table = "SourceFile,DateTimeOriginal,Model,Subject\n" + rows.joined(separator: "\n")
    try Data(table.utf8).write(to: URL(filePath: scratch.file("tags.csv")))
    try Command.need(
      [
        "exiftool", "-q", "-overwrite_original", "-sep", ";", "-csv=" + scratch.file("tags.csv"),
        scratch.file("originals"),
      ])
    try age(originals)
    for number in 0..<count {
      // Not in the order of their names or dates, as cards and synchronizing programs leave them.
      let index = number * 7919 % count
      let day = index * 7 % count * Self.days / count
      if day < Self.days / Self.months, Self.isDated(day) { firstMonthCount += 1 }
      let folder = number % 3 == 0 ? folders[day * Self.months / Self.days] : path
      try hardLink(originals[day], String(format: "%@/IMG_%07d.jpg", folder, index))
    }
  }

  private static func isDated(_ day: Int) -> Bool { day % 25 >= 3 }

  /// The paths of all photos.
  var photos: [String] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".jpg") }.map { "\(path)/\($0)" }
  }
}
