import Glibc
import PhotoGridCore

/// Writes frames to a descriptor without ever blocking, at most one at a time.
///
/// A frame is over when all its bytes are written and the terminal has answered the fence behind
/// them (`CSI 5 n`, answered by `CSI 0 n` once it has worked through everything before), or has
/// not done so for too long. A terminal that never answers is written to without fences.
package struct FrameOutput {
  /// Seconds to wait for an answer, until a terminal has shown that it answers, but later.
  package static let fenceTimeout = 0.25
  /// Seconds to wait for one that was late once: a slow link.
  package static let slowFenceTimeout = 1.0
  /// Unanswered frames in a row after which no fence is sent any more.
  package static let timeoutsUntilUnfenced = 3

  /// Bytes that the descriptor took so far.
  package private(set) var writtenByteCount = 0
  /// Frames that were begun so far.
  package private(set) var frameCount = 0
  /// Seconds from a frame's last byte to the answer, of the last frame that was answered in time.
  package private(set) var roundTrip: Double?
  /// How fast frames are taken.
  package private(set) var pace = LinkPace()
  /// Whether writing failed for good: the terminal is gone.
  package private(set) var isBroken = false

  private let descriptor: Int32
  private var queue: [UInt8] = []
  private var queueStart = 0
  /// When the last frame was begun.
  private var begin: Instant?
  /// Its length with its fence; what is written behind it does not count.
  private var frameByteCount = 0
  private var fence = Fence.none
  private var timeout = FrameOutput.fenceTimeout
  private var isFenced = true
  private var timeoutsInARow = 0
  /// Answers to earlier fences, given up on, that may still come.
  private var overdueReplies = 0
  private var replyArrivedMeanwhile = false

  private enum Fence {
    /// None is waited for.
    case none
    /// It is in the queue, behind the frame.
    case queued
    /// It was written at this instant.
    case written(Instant)
  }

  private static let fenceRequest = Array("\u{1B}[5n".utf8)

  /// An output to a non-blocking descriptor, which stays the caller's.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Whether all bytes are written.
  package var isDrained: Bool { queueStart == queue.count }

  /// Whether an answer to a fence may still arrive.
  package var awaitsReply: Bool {
    switch fence {
    case .none: isFenced && overdueReplies > 0
    case .queued, .written: true
    }
  }

  /// How long an answer may take at most, in seconds.
  package var replyTimeout: Double { timeout }

  /// When something is due without the descriptor saying so: the end of waiting for an answer.
  package var nextDeadline: Instant? {
    if case .written(let instant) = fence { instant.advanced(bySeconds: timeout) } else { nil }
  }

  /// Whether the last frame is over, so that the next one may begin.
  package func canTakeFrame(at now: Instant) -> Bool {
    guard isDrained, !isBroken else { return false }
    return switch fence {
    case .none: true
    case .queued: false
    case .written(let instant): now >= instant.advanced(bySeconds: timeout)
    }
  }

  /// Begins a frame and writes as much of it as is taken at once.
  ///
  /// Only to be called when the last one is over.
  package mutating func begin(_ frame: [UInt8], at now: Instant) {
    precondition(isDrained, "a frame was begun with \(queue.count - queueStart) bytes unwritten")
    expireFence(at: now)
    queue = frame
    queueStart = 0
    frameCount += 1
    begin = now
    if isFenced {
      queue += Self.fenceRequest
      fence = .queued
      replyArrivedMeanwhile = false
    }
    frameByteCount = queue.count
    write(at: now)
  }

  /// Writes more behind the last frame and its fence, which does not wait for it.
  package mutating func append(_ bytes: [UInt8], at now: Instant) {
    guard !bytes.isEmpty, !isBroken else { return }
    if isDrained {
      queue.removeAll(keepingCapacity: true)
      queueStart = 0
    }
    queue += bytes
    write(at: now)
  }

  /// Writes as much as the descriptor takes, and gives up waiting for an answer when it is time.
  ///
  /// To be called when the descriptor is ready or the deadline has come; harmless otherwise.
  package mutating func write(at now: Instant) {
    expireFence(at: now)
    while queueStart < queue.count, !isBroken {
      let written = queue.withUnsafeBytes { bytes in
        Glibc.write(
          descriptor, bytes.baseAddress?.advanced(by: queueStart), bytes.count - queueStart)
      }
      if written > 0 {
        queueStart += written
        writtenByteCount += written
      } else if written == 0 || errno == EAGAIN {
        return
      } else if errno != EINTR {
        // EIO: the terminal was closed. EPIPE and all others: no better.
        isBroken = true
        abandon()
      }
    }
    guard isDrained else { return }
    if case .queued = fence { fence = .written(now) }
    // Without answers, what the line has taken is all there is to know.
    if !isFenced { noteFrame(at: now) }
  }

  /// Takes note of an answer to a fence.
  package mutating func replyArrived(at now: Instant) {
    expireFence(at: now)
    replyArrivedMeanwhile = true
    if overdueReplies > 0 {
      overdueReplies -= 1
      // Late, but it answers: fences work, only slower than hoped.
      timeout = Self.slowFenceTimeout
      timeoutsInARow = 0
      isFenced = true
      return
    }
    guard case .written(let instant) = fence else { return }
    roundTrip = now.seconds(since: instant)
    noteFrame(at: now)
    timeoutsInARow = 0
    fence = .none
  }

  /// Forgets what is not written yet, and waits for no answer any more.
  package mutating func abandon() {
    queue = []
    queueStart = 0
    fence = .none
    overdueReplies = 0
  }

  private mutating func noteFrame(at now: Instant) {
    guard let begin else { return }
    pace.frameTaken(byteCount: frameByteCount, seconds: now.seconds(since: begin))
    self.begin = nil
  }

  private mutating func expireFence(at now: Instant) {
    guard let deadline = nextDeadline, now >= deadline else { return }
    fence = .none
    if replyArrivedMeanwhile {
      // It does answer, so the one that was counted as overdue had got lost.
      overdueReplies = 0
      timeoutsInARow = 0
      return
    }
    overdueReplies += 1
    timeoutsInARow += 1
    if timeoutsInARow >= Self.timeoutsUntilUnfenced { isFenced = false }
  }
}
