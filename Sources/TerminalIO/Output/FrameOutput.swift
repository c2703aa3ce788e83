import Geometry
import Glibc

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
  /// The numbers of fences and of their replies so far.
  private var (fenceCount, replyCount) = (0, 0)
  /// The number of fences after which a multiplexer has redrawn its window.
  private var redrawFence = 0

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

  /// Whether a fence that followed the last cause of a redraw was answered.
  ///
  /// tmux redraws its window after it has handled the bytes that cause it, and answers after that.
  var hasRedrawn: Bool { replyCount >= redrawFence }

  /// Waits with `hasRedrawn` for the reply to the next frame's fence, since something makes a
  /// multiplexer redraw its window.
  mutating func expectRedraw() { redrawFence = fenceCount + 1 }

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
      fenceCount += 1
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
    replyCount = min(replyCount + 1, fenceCount)
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
    fenceCount = replyCount
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
      replyCount = fenceCount
      consecutiveTimeouts = 0
      return
    }
    overdueReplies += 1
    consecutiveTimeouts += 1
    if consecutiveTimeouts >= Self.maxConsecutiveTimeouts { isFenced = false }
  }
}

struct LinkSpeed: Equatable, Sendable {
  /// The time that a frame may take, in seconds: a key that is pressed at the start of the frame
  /// then has a visible effect within a tenth of a second.
  static let frameTime = 0.04
  /// The byte budget of a frame on a remote link of unknown speed.
  private static let remoteBudget = 32 << 10
  /// The round trip in seconds above which a link is remote.
  private static let remoteRoundTrip = 0.02
  /// The size in bytes from which a frame is a sample of the speed; smaller frames only measure the
  /// round trip.
  private static let minSampleSize = 4 << 10
  /// The size in bytes from which a single frame is enough to know the speed, since delays are
  /// short compared with its transfer.
  private static let largeSampleSize = 32 << 10
  /// The number of smaller samples of which the fastest gives the speed, since delays only slow
  /// frames down.
  private static let sampleCount = 8
  private static let minSampleCount = 3

  /// The speeds of the last samples, in bytes a second.
  private var rates: [Double] = []
  private var hasLargeSample = false
  /// The shortest time from a frame's start to its reply, in seconds.
  private var roundTrip = Double.infinity

  init() {}

  /// Bytes a second; nil until enough frames were sent.
  var bytesPerSecond: Double? {
    hasLargeSample || rates.count >= Self.minSampleCount ? rates.max() : nil
  }

  /// The most bytes that a frame should have: at least enough for a few rows of cells.
  var byteBudget: Int {
    guard let bytesPerSecond else {
      let isRemote = roundTrip.isFinite && roundTrip > Self.remoteRoundTrip
      return isRemote ? Self.remoteBudget : .max
    }
    return Int(max(bytesPerSecond * Self.frameTime, Double(Self.minSampleSize)).rounded())
  }

  /// Records the length and the time of a frame.
  mutating func recordFrame(byteCount: Int, seconds: Double) {
    guard seconds >= 0, seconds.isFinite else { return }
    let previousRoundTrip = roundTrip
    roundTrip = min(roundTrip, seconds)
    guard byteCount >= Self.minSampleSize else { return }
    // At least a tenth of a millisecond, so that the fastest link is not infinitely fast.
    let transferTime = seconds - (previousRoundTrip < seconds ? previousRoundTrip : 0)
    let rate = Double(byteCount) / max(transferTime, 1e-4)
    if byteCount >= Self.largeSampleSize {
      // The last two large samples, so that a terminal that stalled once does not count as slow.
      rates = hasLargeSample ? rates.suffix(1) + [rate] : [rate]
      hasLargeSample = true
    } else {
      rates = rates.suffix(Self.sampleCount - 1) + [rate]
    }
  }
}
