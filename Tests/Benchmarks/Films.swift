import Foundation
import PseudoTerminal

/// Prints how long the pictures of films of six kinds take, beside ffmpegthumbnailer.
func measureFilms(_ arguments: Arguments) throws {
  let (scratch, count) = (try Scratch(), try arguments.count(0, usually: 20))
  let x264 = "-c:v libx264 -preset ultrafast"
  // Of phones, cameras, screens and old ones, in turn; the last one has no key frame but the first.
  let kinds = [
    ("h264.mp4", "1920:1080", "\(x264) -g 250"),
    ("hevc.mp4", "1280:720", "-c:v libx265 -preset ultrafast"),
    ("vp9.webm", "640:360", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8"),
    ("av1.mp4", "1280:720", "-c:v libsvtav1 -preset 12"),
    ("mpeg4.avi", "1280:720", "-c:v mpeg4 -q:v 4"), ("mjpeg.mov", "1920:1080", "-c:v mjpeg -q:v 4"),
    ("4k.mkv", "3840:2160", x264), ("rotated.mov", "1920:1080", x264),
    (
      "variable.mp4", "1280:720,select='lt(mod(n,50),20)+not(mod(n,5))'", "\(x264) -fps_mode vfr"
    ), ("one-key.mp4", "1280:720", "\(x264) -g 9999 -sc_threshold 0"),
  ]
  let folder = try scratch.folder("films")
  for number in 0..<count {
    let (name, size, codec) = kinds[number % kinds.count]
    let file = "\(folder)/\(number)-\(name)"
    let seconds = name == "one-key.mp4" ? 12 : 5
    try makeFilm(
      "mandelbrot=s=640x360:r=25:start_scale=\(3 + Double(number) / 10)",
      "-t \(seconds) -vf scale=\(size) -pix_fmt yuv420p \(codec)", file)
    if name == "rotated.mov" { try turn(file) }
  }
  // Thumbnails of files that have just changed are not kept.
  sleep(3)
  setenv("XDG_CACHE_HOME", scratch.file("cache"), 1)
  let names = try files(in: folder)
  let table = Table(
    "\(count) films of 5 s, and of 12 s without a second key frame, medians of 3 runs, seconds",
    ["clock", "CPU", "share", "share of CPU"])
  let costs = try inTurns(
    3,
    [
      {
        try? FileManager.default.removeItem(atPath: scratch.file("cache"))
        let cost = Command.run([Session.photogrid, "--update-cache", folder])
        return [cost?.clock ?? .nan, cost?.processor ?? .nan]
      },
      {
        let costs = names.map { name in
          let picture = scratch.file("picture.png")
          return Command.run(["ffmpegthumbnailer", "-i", name, "-o", picture, "-s", "256"])
        }
        return [\Command.Cost.clock, \.processor].map { value in
          costs.map { $0?[keyPath: value] ?? .nan }.reduce(0, +)
        }
      },
    ]
  ).map(\.medians)
  table.row("photogrid --update-cache", costs[0] + zip(costs[0], costs[1]).map(/))
  table.row("ffmpegthumbnailer, one by one", costs[1])
}

/// Makes a film of a source of ffmpeg's filters.
func makeFilm(_ source: String, _ options: String, _ file: String) throws {
  try Command.need(
    "ffmpeg -nostdin -loglevel error -f lavfi -i".words + [source] + options.words + [file])
}

/// Turns a film by 90 degrees by its display matrix, which not every version of the command writes.
private func turn(_ path: String) throws {
  let file = URL(fileURLWithPath: path)
  var film = try Data(contentsOf: file)
  guard let matrix = film.range(of: Data("tkhd".utf8)).map({ $0.lowerBound + 44 }) else { return }
  let numbers: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0]
  film.replaceSubrange(matrix..<(matrix + numbers.count), with: numbers)
  try film.write(to: file)
}

/// Plays films beside timg: frames, processor time, the time of a jump, and memory.
func measurePlaying(_ arguments: Arguments) throws {
  let scratch = try Scratch()
  setenv("XDG_CACHE_HOME", scratch.file("cache"), 1)
  let ways = [
    Way(name: "half-blocks", options: halfBlocks, peer: "-ph", model: .modest),
    Way(name: "kitty", options: ["--protocol", "kitty"], peer: "-pk", model: .kitty),
  ]
  let chosen = ways.filter { arguments.has($0.name) }
  if chosen.isEmpty || arguments.has("half-blocks") { try measureOpening(scratch) }
  let film = arguments[0] ?? scratch.file("film.mp4")
  if arguments[0] == nil {
    try makeFilm(
      "testsrc2=s=1920x1080:r=30,noise=alls=6:allf=t",
      "-t 30 -c:v libx264 -preset veryfast -g 60 -pix_fmt yuv420p", film)
  }
  for way in chosen.isEmpty ? ways : chosen {
    let table = Table(
      "\(way.name), 10 s of 1920x1080, H.264, 30 frames a second",
      "frames/s,CPU s,timg's CPU s,ratio,jump ms,jump back ms,paused: CPU s in 3 s,decoder MB"
        .components(separatedBy: ","), labels: 8)
    let results = try inTurns(3, [{ try way.play(film) }, { [try way.timeOfTimg(film)] }])
    let rows = zip(results[0], results[1]).map { own, peer in
      Array(own[..<2]) + [peer[0], own[1] / peer[0]] + own[2...]
    }
    for row in rows { table.row("", row) }
    table.row("medians", rows.medians)
  }
}

/// Prints the time from Enter, shortly after the start, until two frames of a film were shown.
///
/// The red of the first frames grows from 40 by 8 a frame, up to 200, which the tile shows before.
private func measureOpening(_ scratch: Scratch) throws {
  let file = scratch.file("opening.mp4")
  try makeFilm(
    "color=black:s=1920x1080:r=30:d=10,geq=r='40+8*min(N,20)':g='X/8':b=80",
    "-c:v libx264 -preset veryfast -g 15", file)
  let times = try (0..<5).map { _ in
    let session = try Session(photogrid: halfBlocks + ["--thumbnail", file])
    func red(_ cell: ScreenReader.Cell) -> Int { Int((cell.background ?? 0) >> 16) }
    try session.wait(5, for: "the tile") { $0.cells.contains { red($0) > 180 } }
    // The middle of the tile is covered by the photo all the time.
    let corner = session.screen.cells.firstIndex { red($0) > 180 } ?? 0
    let middle = corner + 4 * session.screen.columns + 4
    session.run(0.1)
    session.look()
    let pressed = session.press("\r")
    let changes = try (0..<2).map { _ in
      let last = red(session.screen.cells[middle])
      return try session.wait(5, for: "a moving film") { abs(red($0.cells[middle]) - last) > 4 }
        - pressed
    }
    session.quit()
    return changes
  }
  Table("milliseconds after Enter, medians of 5", ["first frame", "moving"], labels: 8)
    .row("opened", times.medians.map { $0 * 1000 })
}

private let halfBlocks = "--protocol cells --symbols half".words

/// A way to show pictures, by this program and by timg.
private struct Way {
  var name: String
  var options: [String]
  var peer: String
  var model: TerminalModel

  private static let seconds = 10.0

  /// The frames a second, the processor time, that of two jumps in milliseconds, the processor time while paused, and
  /// the peak memory of the largest process that decodes.
  func play(_ film: String) throws -> [Double] {
    let session = try Session(photogrid: options + ["--thumbnail", film], model: model)
    session.settle(0.4, limit: 10)
    session.press("\r")
    session.run(1.5)
    let (before, start) = (session.process.familySeconds, session.time)
    session.run(Self.seconds)
    let (end, processor) = (session.time, session.process.familySeconds - before)
    let frames = session.frameTimes.count { $0 >= start }
    let jumps = ["l", "h"].map { key in
      session.run(1)
      let pressed = session.press(key)
      session.run(1)
      // The line at the bottom is drawn at once; the frame follows after the longest pause.
      let times = session.frameTimes.filter { $0 > pressed }
      let pauses = zip(times, times.dropFirst()).map { (pause: $1 - $0, end: $1) }.prefix(12)
      return ((pauses.max { $0.pause < $1.pause }?.end ?? .nan) - pressed) * 1000
    }
    let megabytes = session.process.descendants.map(\.peakMegabytes).most
    session.press("a")
    session.run(3)
    let still = session.process.familySeconds
    session.run(3)
    let paused = session.process.familySeconds - still
    session.quit()
    return [Double(frames) / (end - start), processor * Self.seconds / (end - start)] + jumps
      + [paused, megabytes]
  }

  /// The processor time of timg for as many seconds of the same film, without that of its start.
  func timeOfTimg(_ film: String) throws -> Double {
    let session = try Session(["timg", "-V", peer, "-g200x59", "--loops=1", film], model: model)
    session.run(1.5)
    guard !session.hasEnded else { throw UsageError("timg failed; is it installed?") }
    let (before, start) = (session.process.familySeconds, session.time)
    session.run(Self.seconds)
    let processor = (session.process.familySeconds - before) * Self.seconds / (session.time - start)
    session.terminal.signal(SIGTERM)
    session.run(5)
    return processor
  }
}
