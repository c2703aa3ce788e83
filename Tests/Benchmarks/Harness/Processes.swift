import Foundation
import PseudoTerminal

/// Other programs, which run to their end without a terminal.
enum Command {
  /// What a run took, in seconds.
  struct Cost {
    /// The processor time of the program and of the children that it waited for.
    var processor: Double
    var clock: Double
  }

  /// Runs a program that is found in `PATH`, and discards its output; nil if it is not installed or fails.
  static func run(_ words: [String]) -> Cost? { run(words, into: nil) }

  /// The output of a program; nil if it is not installed or fails.
  static func output(_ words: [String]) -> [UInt8]? {
    guard let file = tmpfile() else { return nil }
    defer { fclose(file) }
    guard run(words, into: fileno(file)) != nil else { return nil }
    rewind(file)
    return (try? FileHandle(fileDescriptor: fileno(file)).readToEnd()).map(Array.init) ?? []
  }

  /// Runs a program without which nothing can be measured.
  static func need(_ words: [String]) throws {
    guard run(words) != nil else {
      throw UsageError("\(words.prefix(2).joined(separator: " ")) failed; is it installed?")
    }
  }

  static func isInstalled(_ name: String) -> Bool {
    output(["sh", "-c", "command -v '\(name)'"]) != nil
  }

  private static func run(_ words: [String], into output: Int32?) -> Cost? {
    let sink = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(sink) }
    let start = now
    let process = try? ChildProcess.start(
      words, .descriptors(input: sink, output: output ?? sink, error: sink))
    var (status, usage) = (Int32(0), rusage())
    guard let process, wait4(process, &status, 0, &usage) == process, status == 0 else {
      return nil
    }
    return Cost(processor: usage.processorSeconds, clock: now.seconds(since: start))
  }
}

extension String {
  /// The words between spaces.
  var words: [String] { split(separator: " ").map(String.init) }
}

extension rusage {
  /// The processor time of a process and of the children that it has waited for, in seconds.
  var processorSeconds: Double {
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(ru_utime) + seconds(ru_stime)
  }
}

/// A process as `/proc` has it; all values are zero once it has ended.
struct RunningProcess: Hashable {
  let id: pid_t

  static var own: RunningProcess { RunningProcess(id: getpid()) }

  /// The processes that it started and that run.
  var children: [RunningProcess] {
    text("task/\(id)/children").split(separator: " ").compactMap { pid_t($0) }
      .map(RunningProcess.init)
  }

  var descendants: [RunningProcess] { children.flatMap { [$0] + $0.descendants } }

  /// The process itself and all its descendants.
  var family: [RunningProcess] { [self] + descendants }

  var name: String { text("comm").trimmingCharacters(in: .newlines) }

  /// Its state: `R` runs, `Z` has ended and was not waited for.
  var state: Character { fields.first?.first ?? "Z" }

  /// The processor time that it has used itself, in seconds.
  var processorSeconds: Double { seconds(11...12) }

  /// The processor time of all of its family, including processes that have ended, in seconds.
  var familySeconds: Double { family.map { $0.seconds(11...14) }.reduce(0, +) }

  private func seconds(_ places: ClosedRange<Int>) -> Double {
    let ticks = fields.count > places.upperBound ? fields[places].compactMap { Double($0) } : []
    return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The resident memory, in megabytes.
  var megabytes: Double { number("VmRSS", in: "status") * 1024 / 1e6 }

  /// The most resident memory so far, in megabytes.
  var peakMegabytes: Double { number("VmHWM", in: "status") * 1024 / 1e6 }

  /// The memory in megabytes; what is shared is divided among the processes that share it.
  var proportionalMegabytes: Double { number("Pss", in: "smaps_rollup") * 1024 / 1e6 }

  /// The memory that it shares with no other process, in kilobytes.
  var privateKilobytes: Double {
    ["Private_Clean", "Private_Dirty"].map { number($0, in: "smaps_rollup") }.reduce(0, +)
  }

  /// How often it waited and was woken.
  var wakeUpCount: Double { number("voluntary_ctxt_switches", in: "status") }

  var descriptorCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd"))?.count ?? 0
  }

  /// A file about the process; empty without one.
  func text(_ file: String) -> String {
    (try? String(contentsOfFile: "/proc/\(id)/\(file)", encoding: .utf8)) ?? ""
  }

  /// What follows the name in `stat`.
  private var fields: [Substring] {
    (text("stat").split(separator: ")").last ?? "").split(separator: " ")
  }

  private func number(_ name: String, in file: String) -> Double {
    let line = text(file).split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) } ?? 0
  }
}
