import Foundation
import PseudoTerminal

/// Runs of whole programs in a pseudo-terminal of 200 by 60 cells, and measurements of them.
enum ProgramRun {
  static let columns = 200
  static let rows = 60

  /// The measured program, which is built in the same folder as this one.
  static var photogrid: String {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return folder.deletingLastPathComponent().appendingPathComponent("photogrid").path
  }

  /// Variables for a program that keeps its files in a folder, and has no configuration.
  static func homes(in folder: String) -> [String: String] {
    [
      "XDG_CACHE_HOME": folder, "XDG_STATE_HOME": folder, "XDG_DATA_HOME": folder,
      "XDG_CONFIG_HOME": "/dev/null/none",
    ]
  }

  /// Returns when the picture area last changed, in seconds since the start.
  static func lastPictureChange(of chunks: [PseudoTerminal.Chunk]) -> Double {
    var screen = ScreenReader(columns: columns, rows: rows)
    let area = 0..<columns * (rows - 1)
    var last = 0.0
    for chunk in chunks {
      let before = screen.cells[area]
      screen.feed(chunk.bytes)
      if screen.cells[area] != before { last = Double(chunk.time) / 1e9 }
    }
    return last
  }

  /// Returns the times at which synchronized updates ended, one for each frame, in seconds.
  static func frameTimes(of chunks: [PseudoTerminal.Chunk]) -> [Double] {
    let mark = Array("\u{1B}[?2026l".utf8)
    var times: [Double] = []
    var tail: [UInt8] = []
    for chunk in chunks {
      let bytes = tail + chunk.bytes
      var position = 0
      while let found = bytes[position...].firstRange(of: mark) {
        times.append(Double(chunk.time) / 1e9)
        position = found.upperBound
      }
      tail = Array(bytes[max(position, bytes.count - mark.count + 1)...])
    }
    return times
  }

  /// Returns the photos of a folder that a screen of tiles shows, in natural order.
  static func photos(in folder: String, atMost limit: Int) throws -> [String] {
    let types = ["jpg", "jpeg"]
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { types.contains(($0 as NSString).pathExtension.lowercased()) }
      .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
      .prefix(limit).map { folder + "/" + $0 }
  }

  /// Makes a folder with links to photos, repeated up to the given count.
  static func linkedFolder(of photos: [String], count: Int) throws -> String {
    let folder = NSTemporaryDirectory() + "photogrid-bench-\(getpid())-\(count)"
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for index in 0..<count {
      let photo = URL(fileURLWithPath: photos[index % photos.count]).standardizedFileURL.path
      try FileManager.default.createSymbolicLink(
        atPath: String(format: "%@/%07d.jpg", folder, index), withDestinationPath: photo)
    }
    return folder
  }

  /// Returns a value of a process's status file, in kilobytes; `VmHWM` is its peak of resident
  /// memory.
  static func kilobytes(_ name: String, of process: Int32) -> Int? {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
  }

  /// Returns the processor time that a process has used, in seconds.
  static func processorSeconds(of process: Int32) -> Double {
    let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    let fields = (stat.split(separator: ")").last ?? "").split(separator: " ")
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      return 0
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Returns the children of a process and their descendants.
  static func descendants(of process: Int32) -> [Int32] {
    children(of: process).flatMap { [$0] + descendants(of: $0) }
  }

  /// Returns the memory of a process in kilobytes; shared memory is divided among the processes
  /// that share it.
  static func proportionalKilobytes(of process: Int32) -> Int {
    let text = (try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
    return line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) } ?? 0
  }

  /// Returns the children of a process.
  static func children(of process: Int32) -> [Int32] {
    let path = "/proc/\(process)/task/\(process)/children"
    let list = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return list.split(separator: " ").compactMap { Int32($0) }
  }
}
