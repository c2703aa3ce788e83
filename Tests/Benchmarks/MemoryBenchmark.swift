import Foundation
import PseudoTerminal

/// Measures the memory of the processes with 1,000 photos, and their activity while nothing
/// happens.
enum MemoryBenchmark {
  /// Prints peaks of resident memory, then the wake-ups and CPU time of ten idle seconds.
  static func run(_ arguments: [String]) throws {
    guard let folder = arguments.first else {
      throw UsageError(message: "needs a folder of camera JPEGs")
    }
    let photos = try ProgramRun.photos(in: folder, atMost: 1000)
    guard !photos.isEmpty else { throw UsageError(message: "\(folder): no JPEGs") }
    let linked = try ProgramRun.linkedFolder(of: photos, count: 1000)
    defer { try? FileManager.default.removeItem(atPath: linked) }

    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid, linked], columns: ProgramRun.columns, rows: ProgramRun.rows)
    terminal.runUntilQuiet(forSeconds: 2, limit: 120)
    let workers = ProgramRun.descendants(of: terminal.process)
    print("1,000 photos at 200x60, all visible ones settled: peak of resident memory")
    print("photogrid", ProgramRun.kilobytes("VmHWM", of: terminal.process).map(megabytes) ?? "?")
    for worker in workers {
      print("worker   ", ProgramRun.kilobytes("VmHWM", of: worker).map(megabytes) ?? "?")
    }
    // Workers that are no longer needed exit in this time.
    terminal.run(forSeconds: 10)
    let processes = [terminal.process] + ProgramRun.descendants(of: terminal.process)
    let before = processes.map(activity)
    terminal.run(forSeconds: 10)
    let after = processes.map(activity)
    let wakeUps = zip(after, before).reduce(0) { $0 + $1.0.wakeUps - $1.1.wakeUps }
    let ticks = zip(after, before).reduce(0) { $0 + $1.0.ticks - $1.1.ticks }
    print("ten idle seconds, all processes: \(wakeUps) wake-ups, \(ticks * 10) ms of CPU")
    terminal.send("q")
    terminal.run(forSeconds: 5)
    try large(photos[0])
    try small(Array(photos.prefix(60)))
  }

  /// Measures the proportional memory of all processes with 60 photos: the most while they are
  /// decoded, and after ten idle seconds.
  private static func small(_ photos: [String]) throws {
    let linked = try ProgramRun.linkedFolder(of: photos, count: 60)
    defer { try? FileManager.default.removeItem(atPath: linked) }
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid, linked], columns: ProgramRun.columns, rows: ProgramRun.rows)
    var (most, count) = (0, 0)
    for _ in 0..<40 {
      terminal.run(forSeconds: 0.05)
      let now = proportional(terminal.process)
      (most, count) = (max(most, now.kilobytes), max(count, now.processes))
    }
    terminal.runUntilQuiet(forSeconds: 2, limit: 120)
    terminal.run(forSeconds: 10)
    let idle = proportional(terminal.process)
    print("60 photos at 200x60: processes and their proportional memory together")
    print("at most while loading", count, megabytes(most))
    print("after ten idle seconds", idle.processes, megabytes(idle.kilobytes))
    terminal.send("q")
    terminal.run(forSeconds: 5)
  }

  private static func proportional(_ program: Int32) -> (processes: Int, kilobytes: Int) {
    let all = [program] + ProgramRun.descendants(of: program)
    // Those that were killed and not reaped yet have no memory.
    let sizes = all.map { ProgramRun.proportionalKilobytes(of: $0) }.filter { $0 > 0 }
    return (sizes.count, sizes.reduce(0, +))
  }

  /// Measures the workers' memory with twenty photos of 24 megapixels, in the grid and on the whole
  /// screen.
  private static func large(_ photo: String) throws {
    let folder = NSTemporaryDirectory() + "photogrid-bench-large-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let vips = Process()
    vips.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    vips.arguments = [
      "vips", "thumbnail", photo, folder + "/0.jpg", "6000", "--height", "4000", "--size", "force",
    ]
    try vips.run()
    vips.waitUntilExit()
    guard vips.terminationStatus == 0 else { throw UsageError(message: "vips: cannot resize") }
    for number in 1..<20 {
      try FileManager.default.linkItem(
        atPath: folder + "/0.jpg", toPath: "\(folder)/\(number).jpg")
    }
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid, folder], columns: ProgramRun.columns, rows: ProgramRun.rows)
    terminal.runUntilQuiet(forSeconds: 1, limit: 60)
    terminal.send("\rnnnn")
    terminal.runUntilQuiet(forSeconds: 1, limit: 60)
    print("twenty JPEGs of 24 megapixels, grid and whole screen: peak of resident memory")
    for worker in ProgramRun.descendants(of: terminal.process) {
      print("worker   ", ProgramRun.kilobytes("VmHWM", of: worker).map(megabytes) ?? "?")
    }
    terminal.send("q")
    terminal.run(forSeconds: 5)
  }

  private static func megabytes(_ kilobytes: Int) -> String {
    String(format: "%.1f MB", Double(kilobytes) * 1024 / 1e6)
  }

  private static func activity(of process: Int32) -> (wakeUps: Int, ticks: Int) {
    let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    let fields = (stat.split(separator: ")").last ?? "").split(separator: " ")
    let ticks = fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    return (ProgramRun.kilobytes("voluntary_ctxt_switches", of: process) ?? 0, ticks)
  }
}
