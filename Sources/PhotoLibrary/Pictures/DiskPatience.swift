import Geometry
import Glibc

/// How long workers may wait for the disks of folders.
///
/// A process that does nothing may be stuck itself, and not its disk. So the first one is replaced when its
/// timeout is over; if the next one waits for the same folder, it is the disk, and each one waits twice
/// as long as the one before. A process that does a little reads from a slow disk, and may finish.
struct DiskPatience {
  /// The number of processes in a row that have waited for a folder in vain.
  private var lost: [ArraySlice<UInt8>: Int] = [:]

  /// The longest wait, as a multiple of the timeout.
  static let longest = 8.0

  /// Whether a process may go on waiting for the disk of a folder, after its request has taken some multiple
  /// of its timeout.
  func allows(_ folder: ArraySlice<UInt8>, _ wait: DiskWait, timeouts: Double) -> Bool {
    let count = lost[folder] ?? 0
    let limit = wait.isStill ? (count == 0 ? 0 : pow(2, Double(count))) : Self.longest
    return timeouts < min(limit, Self.longest)
  }

  /// Records that a process has waited in vain.
  ///
  /// - Returns: Whether another one had before.
  mutating func didLose(_ folder: ArraySlice<UInt8>) -> Bool {
    lost[folder, default: 0] += 1
    return lost[folder] != 1
  }

  /// Records that a process has read a file in a folder.
  mutating func didRead(_ folder: @autoclosure () -> ArraySlice<UInt8>) {
    guard !lost.isEmpty else { return }
    lost[folder()] = nil
  }

  mutating func forgetAll() { lost = [:] }
}
