import Foundation
import PseudoTerminal

/// Measures how soon a JPEG of 100 megapixels is sharp at 100 %, and the memory that takes.
enum ZoomBenchmark {
  private static let runs = 5
  private static let side = (width: 12_000, height: 8400)

  /// Makes JPEGs from the photos of a folder, and prints the times of the zoom keys.
  static func run(_ arguments: [String]) throws {
    guard let folder = arguments.first else {
      throw UsageError(message: "needs a folder of photos to make large ones of")
    }
    let photos = try ProgramRun.photos(in: folder, atMost: 6)
    guard photos.count == 6 else { throw UsageError(message: "\(folder): needs six JPEGs") }
    let temporary = NSTemporaryDirectory() + "photogrid-bench-zoom-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: temporary) }
    try FileManager.default.createDirectory(
      atPath: temporary, withIntermediateDirectories: true)
    let files = try make(of: photos, in: temporary)

    print("\(side.width)x\(side.height) at 200x60, \(runs) runs: milliseconds from the key to the")
    print("last change of the picture, median and longest; peaks of resident memory")
    print("file                  MB   z: middle   J: lower edge   L: right edge    program  worker")
    for (name, path) in files {
      try print(name.padding(toLength: 20, withPad: " ", startingAt: 0), measure(path))
    }
  }

  /// Tiles photos side by side up to the full size, so that the picture has as much detail per area
  /// as the photos, rather than enlarging them.
  private static func make(
    of photos: [String], in folder: String
  ) throws -> [(name: String, path: String)] {
    let pieces = photos.indices.map { "\(folder)/\($0).v" }
    for (photo, piece) in zip(photos, pieces) {
      try vips("thumbnail", photo, piece, "2000", "--height", "1400", "--crop", "centre")
    }
    let all = pieces.joined(separator: " ")
    try vips("arrayjoin", all, "\(folder)/row.v", "--across", "6")
    try vips("replicate", "\(folder)/row.v", "\(folder)/all.v", "1", "6")
    let baseline = "\(folder)/baseline.jpg"
    let progressive = "\(folder)/progressive.jpg"
    let options = ["--Q", "92", "--subsample-mode", "on"]
    try vips(["jpegsave", "\(folder)/all.v", baseline] + options)
    try vips(["jpegsave", "\(folder)/all.v", progressive] + options + ["--interlace"])
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasSuffix(".v") {
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
    return [("baseline", baseline), ("progressive", progressive)]
  }

  private static func vips(_ arguments: String...) throws { try vips(arguments) }

  private static func vips(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["vips"] + arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw UsageError(message: "vips \(arguments[0]) failed; is it installed?")
    }
  }

  /// Waits until the bar shows the photo's size and nothing is loading any more.
  private static func waitForPicture(_ terminal: PseudoTerminal) {
    var screen = ScreenReader(columns: ProgramRun.columns, rows: ProgramRun.rows)
    var taken = 0
    terminal.run(forSeconds: 60) {
      for chunk in terminal.chunks[taken...] { screen.feed(chunk.bytes) }
      taken = terminal.chunks.count
      let bar = screen.text(ofRow: ProgramRun.rows - 1)
      return bar.contains("\(side.width)×\(side.height)") && !bar.contains("loading")
    }
    terminal.run(forSeconds: 0.5)
  }

  private static func measure(_ path: String) throws -> String {
    let keys = ["z", "J", "L"]
    var times = [[Double]](repeating: [], count: keys.count)
    var memory = (program: 0, worker: 0)
    for _ in 0..<runs {
      let terminal = try PseudoTerminal(
        [ProgramRun.photogrid, path], columns: ProgramRun.columns, rows: ProgramRun.rows)
      waitForPicture(terminal)
      for (index, key) in keys.enumerated() {
        let start = Double(terminal.elapsed) / 1e9
        terminal.send(key)
        terminal.run(forSeconds: 0.3)
        terminal.runUntilQuiet(forSeconds: 3, limit: 60)
        times[index].append(
          (ProgramRun.lastPictureChange(of: terminal.chunks) - start) * 1000)
      }
      memory.program = max(
        memory.program, ProgramRun.kilobytes("VmHWM", of: terminal.process) ?? 0)
      for worker in ProgramRun.descendants(of: terminal.process) {
        memory.worker = max(memory.worker, ProgramRun.kilobytes("VmHWM", of: worker) ?? 0)
      }
      terminal.send("q")
      terminal.run(forSeconds: 5)
    }
    let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    let columns = times.map { String(format: "%5.0f %5.0f", $0.median, $0.max() ?? 0) }
    return String(format: "%4.0f", Double(bytes) / 1e6)
      + "  " + columns.joined(separator: "     ")
      + String(
        format: "  %4.0f MB %4.0f MB", Double(memory.program) / 977, Double(memory.worker) / 977)
  }
}
