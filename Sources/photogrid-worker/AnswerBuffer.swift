import CLinux
import WorkerProtocol
import WorkerRuntime

/// Facts on their way to the program, those of many photos together: waking the program for each
/// photo would take longer than reading it.
final class AnswerBuffer {
  private let channel: Channel
  private var bytes: [UInt8] = []
  /// When the first of them was added, in nanoseconds.
  private var start: Int64 = 0

  /// The most bytes after which more are added.
  private static let mostBytes = 8 << 10
  /// The longest time for which an answer waits for others, in nanoseconds.
  private static let longestWait: Int64 = 10_000_000

  /// Creates a buffer of a channel.
  init(_ channel: Channel) { self.channel = channel }

  /// Adds an answer, and sends all of them if that is due.
  func add(_ answer: DecodeProtocol.Response) {
    let now = monotonic_nanoseconds()
    if bytes.isEmpty { start = now }
    bytes += answer.encoded()
    if bytes.count > Self.mostBytes || now - start > Self.longestWait { flush() }
  }

  /// Sends all answers.
  func flush() {
    guard !bytes.isEmpty else { return }
    channel.send(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
