import Foundation
import PseudoTerminal

/// Compares photogrid with other programs that show folders of photos in a terminal: in the same
/// pseudo-terminal, with the same responses and the same photos, in alternating runs.
///
/// Not all of them do the same: chafa draws photos one below the other, vipsthumbnail only writes
/// small files, yazi shows a list and one photo. The table says what each shows.
enum PeerBenchmark {
  private static let runs = 3
  /// The time in seconds after which a program counts as never coming to rest.
  private static let limit = 30.0
  private static let nameCount = 100_000

  /// Prints two tables: a screen of camera photos, and a folder of 100,000 names.
  static func run(_ arguments: [String]) throws {
    let photos =
      try arguments.first.map { try ProgramRun.photos(in: $0, atMost: 70) }
      ?? CameraPhotos.make(70, from: try ProgramRun.photos(in: "Assets/Photos", atMost: 100))
    guard !photos.isEmpty else { throw UsageError(message: "no JPEGs") }
    let folder = try ProgramRun.linkedFolder(of: photos, count: photos.count)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let names = (0..<photos.count).map { String(format: "%@/%07d.jpg", folder, $0) }
    let bytes = try photos.map {
      try FileManager.default.attributesOfItem(atPath: $0)[.size] as? Double ?? 0
    }
    print(
      String(
        format: "%d photos of %.1f MB at 200x60 cells, medians of %d runs\n", photos.count,
        bytes.mean / 1e6, runs))
    try compare(screenPrograms(folder, names))

    let large = try LinkedNames(of: photos[0], count: nameCount)
    print("\nA folder of \(nameCount) names, medians of \(runs) runs\n")
    try compare(namePrograms(large.path))
  }

  /// A program and its arguments.
  private struct Program {
    var name: String
    var shows: String
    var command: [String]
    /// Whether it runs until a key ends it.
    var isInteractive = true
    var environment: [String: String] = [:]
    /// The preparation before each run.
    var prepare: () throws -> Void = {}
  }

  private static func screenPrograms(_ folder: String, _ names: [String]) -> [Program] {
    let scratch = NSTemporaryDirectory() + "photogrid-bench-peers-\(getpid())"
    let environment = ["XDG_CACHE_HOME": scratch + "/cache", "HOME": scratch]
    func empty() throws {
      try? FileManager.default.removeItem(atPath: scratch)
      try FileManager.default.createDirectory(
        atPath: scratch + "/small", withIntermediateDirectories: true)
    }
    return [
      Program(
        name: "photogrid", shows: "the grid", command: [ProgramRun.photogrid, folder],
        environment: environment, prepare: empty),
      Program(
        name: "photogrid, again", shows: "the grid, thumbnails cached",
        command: [ProgramRun.photogrid, folder], environment: environment),
      Program(
        name: "timg", shows: "a grid, then ends",
        command: ["timg", "-pq", "--grid=10", "--threads=2", "-g200x60"] + names,
        isInteractive: false),
      Program(
        name: "chafa", shows: "one below the other",
        command: ["chafa", "--size=18x9", "--threads=2"] + names, isInteractive: false),
      Program(
        name: "vipsthumbnail", shows: "nothing: makes the files",
        command: ["vipsthumbnail", "--size=180x180", "-o", scratch + "/small/%s.jpg"] + names,
        isInteractive: false, environment: environment, prepare: empty),
      Program(
        name: "termvisage", shows: "a grid", command: ["termvisage", "--style", "block", folder],
        environment: environment, prepare: empty),
      Program(
        name: "yazi", shows: "a list and one photo", command: ["yazi", folder],
        environment: environment, prepare: empty),
    ]
  }

  private static func namePrograms(_ folder: String) -> [Program] {
    let scratch = NSTemporaryDirectory() + "photogrid-bench-peers-\(getpid())"
    let environment = ["XDG_CACHE_HOME": scratch + "/cache", "HOME": scratch]
    return [
      Program(
        name: "photogrid", shows: "the grid", command: [ProgramRun.photogrid, "-p", folder],
        environment: environment),
      Program(
        name: "ls", shows: "names", command: ["ls", "-1", folder], isInteractive: false),
      Program(
        name: "yazi", shows: "a list and one photo", command: ["yazi", folder],
        environment: environment),
      Program(
        name: "termvisage", shows: "a grid", command: ["termvisage", "--style", "block", folder],
        environment: environment),
    ]
  }

  /// A folder with one photo under many names, which is removed with this object.
  private final class LinkedNames {
    let path = NSTemporaryDirectory() + "photogrid-bench-names-\(getpid())"

    init(of photo: String, count: Int) throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let original = URL(fileURLWithPath: photo).resolvingSymlinksInPath().path
      try FileManager.default.copyItem(atPath: original, toPath: path + "/IMG_000000.jpg")
      // In ext4 a file has at most 65,000 names.
      for number in 1..<count {
        let first = number / 50_000 * 50_000
        let name = String(format: "%@/IMG_%06d.jpg", path, number)
        if number == first {
          try FileManager.default.copyItem(atPath: original, toPath: name)
        } else {
          guard link(String(format: "%@/IMG_%06d.jpg", path, first), name) == 0 else {
            throw UsageError(message: "\(name): \(String(cString: strerror(errno)))")
          }
        }
      }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  // MARK: - Measuring

  /// The measurements of a run.
  private struct Cost {
    /// The time until something was on the screen, and until nothing changed any more, in seconds.
    var first: Double
    var rest: Double
    /// The total of all its processes.
    var processor: Double
    var megabytes: Double
    var kilobytesWritten: Double
    /// Whether it had come to rest before the time was up.
    var isOver: Bool
  }

  private static func compare(_ programs: [Program]) throws {
    let installed = programs.filter { isInstalled($0.command[0]) }
    var costs = Array(repeating: [Cost](), count: installed.count)
    for _ in 0..<runs {
      for (index, program) in installed.enumerated() {
        try program.prepare()
        costs[index].append(try measure(program))
      }
    }
    let missing = programs.filter { !isInstalled($0.command[0]) }.map(\.name)
    guard let own = costs.first else { return }
    print("| | shows | first output | at rest | of photogrid's | CPU | memory | written |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for (program, costs) in zip(installed, costs) {
      func median(_ value: (Cost) -> Double) -> Double { costs.map(value).median }
      let sign = costs.contains { !$0.isOver } ? "> " : ""
      let ratio = median(\.rest) / own.map(\.rest).median
      print(
        "| \(program.name) | \(program.shows) | "
          + String(
            format: "%.2f s | %@%.2f s | %@%.1f | %.2f s | %.0f MB | %.0f kB |", median(\.first),
            sign, median(\.rest), sign, ratio, median(\.processor), median(\.megabytes),
            median(\.kilobytesWritten)))
    }
    if !missing.isEmpty { print("\nnot installed: \(missing.joined(separator: ", "))") }
  }

  private static func isInstalled(_ program: String) -> Bool {
    if program.contains("/") { return FileManager.default.isExecutableFile(atPath: program) }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }

  private static func measure(_ program: Program) throws -> Cost {
    let terminal = try PseudoTerminal(
      program.command, columns: ProgramRun.columns, rows: ProgramRun.rows,
      environment: program.environment)
    var megabytes = 0.0
    let end = Date(timeIntervalSinceNow: limit)
    var isOver = false
    while !isOver, Date() < end {
      let before = terminal.chunks.count
      terminal.run(forSeconds: program.isInteractive ? 1.5 : 0.05) { terminal.status != nil }
      megabytes = max(megabytes, memory(of: terminal.process))
      let isQuiet = terminal.chunks.count == before && before > 0
      isOver = terminal.status != nil || program.isInteractive && isQuiet
    }
    var processor = 0.0
    let isRunning = terminal.status == nil
    let elapsed = Double(terminal.elapsed) / 1e9
    if isRunning { processor = processorSeconds(of: terminal.process) }
    let chunks = terminal.chunks
    terminal.send("q")
    terminal.run(forSeconds: 1) { terminal.status != nil }
    if terminal.status == nil {
      terminal.signal(SIGKILL)
      terminal.run(forSeconds: 5) { terminal.status != nil }
    }
    if !isRunning {
      processor = MeasuredProcess.processorSeconds(of: terminal.usage)
      megabytes = max(megabytes, Double(terminal.usage.ru_maxrss) / 1024)
    }
    return Cost(
      first: chunks.first.map { Double($0.time) / 1e9 } ?? elapsed,
      // A program is at rest when the screen last changed, except for a clock.
      rest: !isRunning ? elapsed : isOver ? ProgramRun.lastPictureChange(of: chunks) : limit,
      processor: processor, megabytes: megabytes,
      kilobytesWritten: Double(chunks.reduce(0) { $0 + $1.bytes.count }) / 1e3, isOver: isOver)
  }

  private static func family(of process: Int32) -> [Int32] {
    [process] + ProgramRun.descendants(of: process)
  }

  private static func processorSeconds(of process: Int32) -> Double {
    family(of: process).reduce(0) { $0 + ProgramRun.processorSeconds(of: $1) }
  }

  /// Returns the resident memory of a program and of all processes that it started, in megabytes.
  private static func memory(of process: Int32) -> Double {
    Double(family(of: process).reduce(0) { $0 + (ProgramRun.kilobytes("VmRSS", of: $1) ?? 0) })
      / 1024
  }
}
