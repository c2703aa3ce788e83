import PhotoGridCore
import WorkerProtocol
import WorkerRuntime

/// A buffer of messages to the program, which sends many small ones together.
final class Outbox {
  private let channel: Channel
  private var bytes: [UInt8] = []
  private var lastFlush = ReaderWorker.now
  /// The longest time for which a message is delayed, in seconds.
  private static let delay = 0.01

  init(_ channel: Channel) { self.channel = channel }

  /// Adds a message.
  func put(_ event: ListingEvent) {
    bytes += event.encoded()
    let now = ReaderWorker.now
    // The program waits for this before it opens the terminal, and the next path may hang.
    if case .located = event { return flush() }
    if bytes.count >= ListingEvent.maxBatchLength || now.seconds(since: lastFlush) > Self.delay {
      flush()
    }
  }

  /// Adds a group of changes, in several messages if they are too long for one.
  func put(_ changes: [PhotoChange]) {
    guard !changes.isEmpty else { return }
    var piece: [PhotoChange] = []
    var byteCount = 0
    for change in changes {
      if byteCount + change.byteCount > ListingEvent.maxBatchLength {
        put(.changed(piece, isLast: false))
        piece = []
        byteCount = 0
      }
      piece.append(change)
      byteCount += change.byteCount
    }
    put(.changed(piece, isLast: true))
  }

  /// Sends all messages.
  func flush() {
    guard !bytes.isEmpty else { return }
    channel.send(bytes)
    bytes.removeAll(keepingCapacity: true)
    lastFlush = ReaderWorker.now
  }
}
