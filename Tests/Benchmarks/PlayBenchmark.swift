import Foundation
import Geometry
import PseudoTerminal

/// Measures films that play on a screen of 200 by 60 cells: the frames that are shown, the processor
/// time of all processes beside timg's, how long a jump takes, and the time until a film moves.
enum PlayBenchmark {
  private static let seconds = 10.0
  private static let rate = 30.0

  /// A way to show pictures, by this program and by timg.
  private struct Way {
    var name: String
    var options: [String]
    var peer: [String]
    var model: TerminalModel
  }

  private static let ways = [
    Way(
      name: "half-blocks", options: ["--protocol", "cells", "--symbols", "half"], peer: ["-ph"],
      model: .modest),
    Way(name: "kitty", options: ["--protocol", "kitty"], peer: ["-pk"], model: .kitty),
  ]

  static func run(_ arguments: [String]) throws {
    let folder = NSTemporaryDirectory() + "photogrid-play-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    setenv("XDG_CACHE_HOME", folder + "/cache", 1)
    var arguments = arguments
    let chosen = ways.filter { arguments.contains($0.name) }
    arguments.removeAll { argument in ways.contains { $0.name == argument } }
    if chosen.isEmpty || chosen.contains(where: { $0.peer == ["-ph"] }) { try opening(in: folder) }
    let file = try arguments.first ?? film(in: folder)
    for way in chosen.isEmpty ? ways : chosen {
      print("\(way.name), \(Int(seconds)) s of 1920x1080, H.264, \(Int(rate)) frames a second")
      var ratios: [Double] = []
      for _ in 0..<3 {
        let own = try play(file, way)
        let peer = try timg(file, way)
        ratios.append(own.processor / peer)
        print(
          String(
            format: "  %.1f frames a second, processor %.2f s, timg "
              + "%.2f s, ratio %.2f; jumps %.0f, %.0f ms; paused %.3f s in 3 s; decoder %d MB",
            own.rate, own.processor, peer, own.processor / peer,
            own.jumps[0] * 1000, own.jumps[1] * 1000, own.paused, own.megabytes))
      }
      print(String(format: "  median ratio %.2f", ratios.median))
    }
  }

  private static func film(in folder: String) throws -> String {
    let file = folder + "/film.mp4"
    let made = try MeasuredProcess.run([
      "ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i",
      "testsrc2=s=1920x1080:r=\(Int(rate)),noise=alls=6:allf=t", "-t", "30", "-c:v", "libx264",
      "-preset", "veryfast", "-g", "60", "-pix_fmt", "yuv420p", file,
    ])
    guard made != nil else { throw UsageError(message: "ffmpeg cannot make the film") }
    return file
  }

  /// Measures the time from Enter, shortly after the start, until two frames of a film were shown.
  ///
  /// The red of the first frames grows from 40 by 8 a frame, up to 200, which the tile shows before.
  private static func opening(in folder: String) throws {
    let file = folder + "/opening.mp4"
    let made = try MeasuredProcess.run([
      "ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i",
      "color=black:s=1920x1080:r=30:d=10,geq=r='40+8*min(N,20)':g='X/8':b=80", "-c:v", "libx264",
      "-preset", "veryfast",
      "-g", "15", file,
    ])
    guard made != nil else { throw UsageError(message: "ffmpeg cannot make the film") }
    var times: [(first: Double, second: Double)] = []
    for _ in 0..<5 {
      let terminal = try PseudoTerminal(
        [ProgramRun.photogrid, "--protocol", "cells", "--symbols", "half", "--thumbnail", file],
        columns: ProgramRun.columns, rows: ProgramRun.rows)
      var screen = ScreenReader(columns: ProgramRun.columns, rows: ProgramRun.rows)
      var taken = 0
      var position = (column: 0, row: 0)
      func red() -> Int? {
        while taken < terminal.chunks.count {
          screen.feed(terminal.chunks[taken].bytes)
          taken += 1
        }
        return screen[position.column, position.row].background.map { Int($0 >> 16) }
      }
      // The middle of the tile is covered by the photo all the time.
      terminal.run(forSeconds: 5) {
        _ = red()
        guard let index = screen.cells.firstIndex(where: { ($0.background ?? 0) >> 16 > 180 })
        else { return false }
        position = (index % ProgramRun.columns + 4, index / ProgramRun.columns + 4)
        return true
      }
      terminal.run(forSeconds: 0.1)
      let poster = red() ?? 0
      let pressed = Double(terminal.elapsed) / 1e9
      terminal.send("\r")
      var changes: [Double] = []
      var last = poster
      terminal.run(forSeconds: 5) {
        if let value = red(), abs(value - last) > 4 {
          last = value
          changes.append(Double(terminal.elapsed) / 1e9 - pressed)
        }
        return changes.count >= 2
      }
      terminal.send("q")
      terminal.run(forSeconds: 5) { terminal.status != nil }
      guard changes.count >= 2 else { throw UsageError(message: "the film does not move") }
      times.append((changes[0], changes[1]))
    }
    print(
      String(
        format: "opened: first frame %.0f ms, moving %.0f ms after Enter (medians of 5)",
        times.map(\.first).median * 1000, times.map(\.second).median * 1000))
  }

  private struct Measurement {
    var rate: Double
    var processor: Double
    var jumps: [Double]
    /// The processor time of three seconds while it is paused.
    var paused: Double
    /// The peak memory of the largest process that decodes.
    var megabytes: Int
  }

  private static func play(_ file: String, _ way: Way) throws -> Measurement {
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid] + way.options + ["--thumbnail", file], columns: ProgramRun.columns,
      rows: ProgramRun.rows)
    terminal.model = way.model
    var meter = ProcessorMeter(terminal.process)
    terminal.runUntilQuiet(forSeconds: 0.4, limit: 10)
    terminal.send("\r")
    terminal.run(forSeconds: 1.5)
    let before = meter.total()
    let start = Double(terminal.elapsed) / 1e9
    let end = start + seconds
    while Double(terminal.elapsed) / 1e9 < end { terminal.run(forSeconds: 0.2) }
    let elapsed = Double(terminal.elapsed) / 1e9 - start
    let processor = meter.total() - before
    let frames = ProgramRun.frameTimes(of: terminal.chunks).filter { $0 >= start }.count
    let jumps = ["l", "h"].map { key in
      terminal.run(forSeconds: 1)
      let pressed = Double(terminal.elapsed) / 1e9
      terminal.send(key)
      terminal.run(forSeconds: 1)
      return jump(in: terminal.chunks, after: pressed) - pressed
    }
    let processes = ProgramRun.descendants(of: terminal.process)
    let kilobytes = processes.compactMap { ProgramRun.kilobytes("VmHWM", of: $0) }.max() ?? 0
    terminal.send("a")
    terminal.run(forSeconds: 3)
    let still = meter.total()
    terminal.run(forSeconds: 3)
    let paused = meter.total() - still
    terminal.send("q")
    terminal.run(forSeconds: 5) { terminal.status != nil }
    return Measurement(
      rate: Double(frames) / elapsed, processor: processor * seconds / elapsed,
      jumps: jumps, paused: paused, megabytes: kilobytes / 1000)
  }

  /// Returns when a jump was shown: with the first frame after the pause that it causes.
  private static func jump(in chunks: [PseudoTerminal.Chunk], after start: Double) -> Double {
    // The line at the bottom is drawn at once; the frame follows after the longest pause.
    let times = ProgramRun.frameTimes(of: chunks).filter { $0 > start }
    let pauses = zip(times, times.dropFirst()).map { (pause: $1 - $0, end: $1) }
    return pauses.prefix(12).max { $0.pause < $1.pause }?.end ?? .nan
  }

  /// Returns the processor time of timg for as many seconds of the same film, without that of its start.
  private static func timg(_ file: String, _ way: Way) throws -> Double {
    let terminal = try PseudoTerminal(
      ["timg", "-V"] + way.peer + ["-g200x59", "--loops=1", file], columns: ProgramRun.columns,
      rows: ProgramRun.rows)
    terminal.model = way.model
    var meter = ProcessorMeter(terminal.process)
    terminal.run(forSeconds: 1.5)
    guard terminal.status == nil else { throw UsageError(message: "timg failed; is it installed?") }
    let (before, start) = (meter.total(), Double(terminal.elapsed) / 1e9)
    while Double(terminal.elapsed) / 1e9 - start < seconds { terminal.run(forSeconds: 0.2) }
    let elapsed = Double(terminal.elapsed) / 1e9 - start
    let processor = (meter.total() - before) * seconds / elapsed
    terminal.signal(SIGTERM)
    terminal.run(forSeconds: 5) { terminal.status != nil }
    return processor
  }
}
