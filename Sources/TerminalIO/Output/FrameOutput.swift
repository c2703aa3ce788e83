import Glibc
import PhotoGridCore

/// Writes frames to a descriptor without ever blocking, one at a time.
///
/// Each frame is followed by a fence: `CSI 5 n`, to which the terminal replies `CSI 0 n` once it
/// has processed everything before. The next frame may be sent when that reply has arrived, or has
/// timed out. A terminal that never replies gets no more fences.
struct FrameOutput {
  /// The time to wait for a reply, in seconds, as long as no reply has arrived later than that.
  static let fenceTimeout = 0.25
  /// The time to wait for a reply on a slow link, where a reply has been late, in seconds.
  static let slowFenceTimeout = 1.0
  /// The number of frames in a row without a reply after which no more fences are sent.
  static let maxConsecutiveTimeouts = 3

  /// The number of bytes that the descriptor accepted so far.
  private(set) var writtenByteCount = 0
  private(set) var frameCount = 0
  private(set) var linkSpeed = LinkSpeed()
  private(set) var isBroken = false

  private let descriptor: Int32
  private var queue: [UInt8] = []
  private var queueStart = 0
  /// When the last frame was started; nil once its time was recorded.
  private var startTime: Instant?
  /// The frame's length with its fence, but without appended bytes.
  private var frameByteCount = 0
  private var fence = Fence.none
  private var timeout = FrameOutput.fenceTimeout
  private var isFenced = true
  private var consecutiveTimeouts = 0
  /// The number of replies that have timed out but may still arrive.
  private var overdueReplies = 0
  /// Whether any reply has arrived since the last frame was started.
  private var receivedReply = false

  private enum Fence {
    case none
    /// The fence is queued after the frame.
    case queued
    /// The fence was written at this time.
    case written(Instant)
  }

  private static let fenceRequest = Array("\u{1B}[5n".utf8)

  /// Creates an output to a non-blocking descriptor, which the caller closes.
  init(descriptor: Int32) { self.descriptor = descriptor }

  var isDrained: Bool { queueStart == queue.count }

  var awaitsReply: Bool {
    switch fence {
    case .none: isFenced && overdueReplies > 0
    case .queued, .written: true
    }
  }

  var replyTimeout: Double { timeout }

  /// When the pending reply times out; nil if none is pending.
  var nextDeadline: Instant? {
    if case .written(let instant) = fence { instant.advanced(bySeconds: timeout) } else { nil }
  }

  /// Whether the next frame may begin: the last one is written, and its reply has arrived or timed
  /// out.
  func canSendFrame(at now: Instant) -> Bool {
    guard isDrained, !isBroken else { return false }
    return switch fence {
    case .none: true
    case .queued: false
    case .written(let instant): now >= instant.advanced(bySeconds: timeout)
    }
  }

  /// Begins a frame, and writes as much of it as the descriptor accepts.
  ///
  /// `canSendFrame(at:)` must be true.
  mutating func begin(_ frame: [UInt8], at now: Instant) {
    precondition(
      isDrained, "a frame began while \(queue.count - queueStart) bytes were still unwritten")
    expireFence(at: now)
    queue = frame
    queueStart = 0
    frameCount += 1
    startTime = now
    if isFenced {
      queue += Self.fenceRequest
      fence = .queued
      receivedReply = false
    }
    frameByteCount = queue.count
    write(at: now)
  }

  /// Writes more bytes after the last frame and its fence, without waiting for the reply.
  mutating func append(_ bytes: [UInt8], at now: Instant) {
    guard !bytes.isEmpty, !isBroken else { return }
    queue += bytes
    write(at: now)
  }

  /// Writes as much as the descriptor accepts, and checks the timeout.
  ///
  /// Call it when the descriptor is ready or the deadline has passed; it is harmless at other
  /// times.
  mutating func write(at now: Instant) {
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
        // EIO means that the terminal was closed; other errors are as final.
        isBroken = true
        discard()
      }
    }
    guard isDrained else { return }
    queue.reuse()
    queueStart = 0
    if case .queued = fence { fence = .written(now) }
    // Without fences, only the time that writing took can be measured.
    if !isFenced { recordFrame(at: now) }
  }

  mutating func replyArrived(at now: Instant) {
    expireFence(at: now)
    receivedReply = true
    if overdueReplies > 0 {
      overdueReplies -= 1
      // The terminal does reply, only later than expected, so fences are used (again).
      timeout = Self.slowFenceTimeout
      consecutiveTimeouts = 0
      isFenced = true
      return
    }
    guard case .written = fence else { return }
    recordFrame(at: now)
    consecutiveTimeouts = 0
    fence = .none
  }

  /// Drops all unwritten bytes, and stops waiting for replies.
  mutating func discard() {
    queue = []
    queueStart = 0
    fence = .none
    overdueReplies = 0
  }

  private mutating func recordFrame(at now: Instant) {
    guard let startTime else { return }
    linkSpeed.recordFrame(byteCount: frameByteCount, seconds: now.seconds(since: startTime))
    self.startTime = nil
  }

  private mutating func expireFence(at now: Instant) {
    guard let deadline = nextDeadline, now >= deadline else { return }
    fence = .none
    if receivedReply {
      // The reply that has arrived was this frame's, so the one counted as overdue is lost.
      overdueReplies = 0
      consecutiveTimeouts = 0
      return
    }
    overdueReplies += 1
    consecutiveTimeouts += 1
    if consecutiveTimeouts >= Self.maxConsecutiveTimeouts { isFenced = false }
  }
}
