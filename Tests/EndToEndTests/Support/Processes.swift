import Foundation
import PseudoTerminal

/// Information about running programs in `/proc`.
enum Processes {
  /// Waits for a child to end, and kills it when time is up.
  ///
  /// - Returns: The exit status, or 1000 and the number of the signal that ended it.
  static func wait(for process: pid_t, seconds: Double) -> Int32 {
    var status: Int32 = 0
    let isOver = Polling.until(seconds: seconds, every: 0.005) {
      waitpid(process, &status, WNOHANG) == process
    }
    if !isOver {
      kill(process, SIGKILL)
      waitpid(process, &status, 0)
    }
    return ended(status)
  }

  /// The exit status in what `waitpid` reports, or 1000 and the number of the signal.
  static func ended(_ status: Int32) -> Int32 {
    status & 0x7F == 0 ? status >> 8 & 0xFF : 1000 + status & 0x7F
  }

  /// The processes whose parent is the given one, by number.
  static func children(of parent: pid_t) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { state(of: $0)?.parent == parent }.sorted()
  }

  /// The name of a process; empty if it does not exist.
  static func name(of process: pid_t) -> String {
    let text = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
    return text.map { String($0.dropLast()) } ?? ""
  }

  /// Whether a process exists and is not a zombie.
  static func isRunning(_ process: pid_t) -> Bool {
    state(of: process).map { $0.letter != "Z" && $0.letter != "X" } ?? false
  }

  /// Where a process is, and what it has not read of its terminal's input, for a failure's text.
  static func description(of terminal: PseudoTerminal) -> String {
    func line(_ name: String) -> String {
      let text = try? String(contentsOfFile: "/proc/\(terminal.process)/\(name)", encoding: .utf8)
      return text?.split(separator: "\n").first.map(String.init) ?? "none"
    }
    return "\nprocess: \(line("stat")); in \(line("wchan")), \(line("syscall")); "
      + "not read: \(terminal.unreadInput)"
  }

  /// How often a process has waited so far; nil if it does not exist.
  static func voluntarySwitches(of process: pid_t) -> Int? {
    status(of: process, "voluntary_ctxt_switches")
  }

  /// The memory that a process occupies, in kilobytes.
  static func residentKilobytes(of process: pid_t) -> Int? { status(of: process, "VmRSS") }

  /// The most memory that a process has occupied, in kilobytes.
  static func peakKilobytes(of process: pid_t) -> Int? { status(of: process, "VmHWM") }

  /// The seconds of processor time that a process has used.
  static func processorSeconds(of process: pid_t) -> Double? {
    fields(of: process).flatMap(processorSeconds)
  }

  private static func processorSeconds(in fields: [Substring]) -> Double? {
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      return nil
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The seconds of processor time that each of some processes has used, and all below it.
  ///
  /// The system's processes are read once, which takes long enough on a busy machine.
  static func processorSeconds(ofFamiliesOf processes: [pid_t]) -> [Double] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    var seconds: [pid_t: Double] = [:]
    var children: [pid_t: [pid_t]] = [:]
    for process in names.compactMap({ pid_t($0) }) {
      guard let fields = fields(of: process), fields.count > 1, let parent = pid_t(fields[1]) else {
        continue
      }
      seconds[process] = processorSeconds(in: fields)
      children[parent, default: []].append(process)
    }
    func total(_ process: pid_t) -> Double {
      (children[process] ?? []).reduce(seconds[process] ?? 0) { $0 + total($1) }
    }
    return processes.map(total)
  }

  private static func status(of process: pid_t, _ name: String) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else {
      return nil
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line?.split(whereSeparator: { $0 == "\t" || $0 == " " }).dropFirst().first
      .flatMap { Int($0) }
  }

  private static func state(of process: pid_t) -> (letter: Substring, parent: pid_t)? {
    guard let fields = fields(of: process), fields.count > 1, let parent = pid_t(fields[1]) else {
      return nil
    }
    return (fields[0], parent)
  }

  /// The fields of `/proc/PID/stat` after the program's name, which may contain anything.
  private static func fields(of process: pid_t) -> [Substring]? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    return text[text.index(after: end)...].split(separator: " ")
  }
}

/// Waiting for something that sends no event.
enum Polling {
  /// Checks repeatedly until a condition is true or time is up.
  ///
  /// - Returns: Whether the condition is true.
  static func until(
    seconds: Double = 60, every pause: Double = 0.02, _ isDone: () -> Bool
  ) -> Bool {
    let end = Date().addingTimeInterval(seconds)
    while !isDone() {
      if Date() > end { return false }
      usleep(UInt32(pause * 1e6))
    }
    return true
  }
}
