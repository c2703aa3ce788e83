import Foundation

@testable import PhotoLibrary

extension PhotoStore {
  /// The workers and their descendants, by their names.
  var processes: [(number: pid_t, name: String)] {
    var found = (pool.slots + framePool.slots).compactMap { $0.worker?.process }
    var next = 0
    while next < found.count {
      let folder = "/proc/\(found[next])/task"
      next += 1
      for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        let text = try? String(contentsOfFile: "\(folder)/\(thread)/children", encoding: .utf8)
        found += (text ?? "").split(separator: " ").compactMap { pid_t($0) }
      }
    }
    return found.map { process in
      let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
      return (process, name.map { String($0.dropLast()) } ?? "")
    }
  }

  /// The most memory that one of the workers and their descendants has occupied, in kilobytes.
  var peakKilobytes: Int {
    let lines = processes.compactMap { process in
      try? String(contentsOfFile: "/proc/\(process.number)/status", encoding: .utf8)
        .split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    }
    return lines.compactMap { Int($0.filter(\.isNumber)) }.max() ?? 0
  }
}
