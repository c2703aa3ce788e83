import Geometry
import Glibc
import Testing

@testable import TerminalIO

struct FrameOutputTests {
  private static let fence = "\u{1B}[5n"

  @Test
  func `a frame is written with a fence after it`() throws {
    let pipe = try SmallPipe()
    var output = FrameOutput(descriptor: pipe.writing)

    output.begin(Array("frame".utf8), at: Instant(seconds: 0))

    #expect(pipe.takeAll() == Array(("frame" + Self.fence).utf8))
    #expect(output.frameCount == 1)
    #expect(output.writtenByteCount == 9)
  }

  @Test
  func `a slow reader gets all bytes once and in order`() throws {
    let pipe = try SmallPipe()
    var output = FrameOutput(descriptor: pipe.writing)
    let frame = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let now = Instant(seconds: 0)

    output.begin(frame, at: now)
    output.write(at: now)
    let stalledAt = output.writtenByteCount
    var received: [UInt8] = []
    var rounds = 0
    while !output.isDrained, rounds < 1000 {
      #expect(!output.canSendFrame(at: now))
      received += pipe.take(1000)
      output.write(at: now)
      rounds += 1
    }
    received += pipe.takeAll()

    #expect(stalledAt == 4096)
    let isWhole = received == frame + Array(Self.fence.utf8)
    #expect(isWhole)
    #expect(output.writtenByteCount == received.count)
  }

  @Test
  func `a redraw is over at the reply to the first fence after its cause`() throws {
    let pipe = try SmallPipe()
    var output = FrameOutput(descriptor: pipe.writing)
    let now = Instant(seconds: 1)
    #expect(output.hasRedrawn)

    output.begin(Array("one".utf8), at: now)
    output.expectRedraw()
    output.replyArrived(at: now)
    #expect(!output.hasRedrawn, "the reply is to a fence before it")
    output.begin(Array("two".utf8), at: now)
    #expect(!output.hasRedrawn)
    output.replyArrived(at: now)
    #expect(output.hasRedrawn)
  }

  @Test
  func `after a fence without a reply, the redraw is over at the reply to the next`() throws {
    let pipe = try SmallPipe()
    var output = FrameOutput(descriptor: pipe.writing)

    output.expectRedraw()
    output.begin(Array("one".utf8), at: Instant(seconds: 1))
    output.begin(Array("two".utf8), at: Instant(seconds: 2))
    #expect(!output.hasRedrawn)
    output.replyArrived(at: Instant(seconds: 2.1))
    #expect(output.hasRedrawn)
  }

  @Test
  func `the next frame waits for the reply to the last`() throws {
    let pipe = try SmallPipe()
    var output = FrameOutput(descriptor: pipe.writing)

    output.begin(Array("one".utf8), at: Instant(seconds: 1))
    let before = output.canSendFrame(at: Instant(seconds: 1.2))
    output.replyArrived(at: Instant(seconds: 1.21))
    let after = output.canSendFrame(at: Instant(seconds: 1.21))

    #expect(!before)
    #expect(after)
    #expect(output.nextDeadline == nil)
  }

  @Test
  func `the reply timeout starts when the last byte is written`() throws {
    let pipe = try SmallPipe()
    var output = FrameOutput(descriptor: pipe.writing)

    output.begin([UInt8](repeating: 0x61, count: 5000), at: Instant(seconds: 0))
    let whileStalled = output.nextDeadline
    _ = pipe.takeAll()
    output.write(at: Instant(seconds: 7))

    #expect(whileStalled == nil)
    #expect(output.nextDeadline == Instant(seconds: 7.25))
  }

  @Test
  func `a reply times out after a quarter of a second`() throws {
    let pipe = try SmallPipe()
    var output = FrameOutput(descriptor: pipe.writing)

    output.begin(Array("one".utf8), at: Instant(seconds: 1))

    #expect(output.nextDeadline == Instant(seconds: 1.25))
    #expect(!output.canSendFrame(at: Instant(seconds: 1.249)))
    #expect(output.canSendFrame(at: Instant(seconds: 1.25)))
  }

  @Test
  func `after three frames without a reply no more fences are sent`() throws {
    let pipe = try SmallPipe()
    var output = FrameOutput(descriptor: pipe.writing)

    for second in 1...3 {
      output.begin(Array("frame".utf8), at: Instant(seconds: Double(second)))
      #expect(pipe.takeAll() == Array(("frame" + Self.fence).utf8))
      #expect(output.canSendFrame(at: Instant(seconds: Double(second) + 0.5)))
    }
    output.begin(Array("frame".utf8), at: Instant(seconds: 4))

    #expect(pipe.takeAll() == Array("frame".utf8))
    #expect(output.canSendFrame(at: Instant(seconds: 4)))
    #expect(!output.awaitsReply)
  }

  @Test
  func `after a late reply fences are sent again, with a longer timeout`() throws {
    let pipe = try SmallPipe()
    var output = FrameOutput(descriptor: pipe.writing)

    for second in 1...3 {
      output.begin(Array("frame".utf8), at: Instant(seconds: Double(second)))
      output.write(at: Instant(seconds: Double(second) + 0.5))
    }
    for _ in 1...3 { output.replyArrived(at: Instant(seconds: 3.9)) }
    _ = pipe.takeAll()
    output.begin(Array("frame".utf8), at: Instant(seconds: 4))

    #expect(pipe.takeAll() == Array(("frame" + Self.fence).utf8))
    #expect(!output.canSendFrame(at: Instant(seconds: 4.9)))
    #expect(output.nextDeadline == Instant(seconds: 5))
  }

  @Test
  func `a late reply does not count as the next frame's`() throws {
    let pipe = try SmallPipe()
    var output = FrameOutput(descriptor: pipe.writing)

    output.begin(Array("one".utf8), at: Instant(seconds: 1))
    output.write(at: Instant(seconds: 1.3))
    output.begin(Array("two".utf8), at: Instant(seconds: 1.3))
    output.replyArrived(at: Instant(seconds: 1.4))
    let afterFirst = output.canSendFrame(at: Instant(seconds: 1.4))
    output.replyArrived(at: Instant(seconds: 1.5))
    let afterSecond = output.canSendFrame(at: Instant(seconds: 1.5))

    #expect(!afterFirst)
    #expect(afterSecond)
  }

  @Test
  func `lost replies delay one frame, not all that follow`() throws {
    let pipe = try SmallPipe()
    var output = FrameOutput(descriptor: pipe.writing)

    for second in [0.0, 1.0] {
      output.begin(Array("lost".utf8), at: Instant(seconds: second))
      output.write(at: Instant(seconds: second + 0.3))
    }
    output.begin(Array("delayed".utf8), at: Instant(seconds: 2))
    output.replyArrived(at: Instant(seconds: 2.01))
    let delayed = output.canSendFrame(at: Instant(seconds: 2.02))
    output.write(at: Instant(seconds: 3.1))
    output.begin(Array("prompt".utf8), at: Instant(seconds: 4))
    output.replyArrived(at: Instant(seconds: 4.01))

    #expect(!delayed)
    #expect(output.canSendFrame(at: Instant(seconds: 4.01)))
  }

  @Test
  func `a reply without a fence changes nothing`() throws {
    let pipe = try SmallPipe()
    var output = FrameOutput(descriptor: pipe.writing)

    output.replyArrived(at: Instant(seconds: 0))
    output.begin(Array("one".utf8), at: Instant(seconds: 1))

    #expect(!output.canSendFrame(at: Instant(seconds: 1)))
  }

  @Test
  func `a closed terminal breaks the output for good`() throws {
    let pipe = try SmallPipe()
    var output = FrameOutput(descriptor: pipe.writing)
    // The session ignores SIGPIPE for the process; here the thread does.
    var brokenPipe = sigset_t()
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &brokenPipe, nil)

    pipe.closeReading()
    output.begin(Array("one".utf8), at: Instant(seconds: 1))

    #expect(output.isBroken)
    #expect(!output.awaitsReply)
    #expect(!output.canSendFrame(at: Instant(seconds: 9)))
    var none = timespec()
    sigtimedwait(&brokenPipe, nil, &none)
    pthread_sigmask(SIG_UNBLOCK, &brokenPipe, nil)
  }
}

/// A pipe with room for one page, whose writing end does not block.
private final class SmallPipe {
  let writing: Int32
  private var reading: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
    try #require(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
    try #require(fcntl(reading, F_SETFL, O_NONBLOCK) == 0)
    let setPipeSize: Int32 = 1031  // F_SETPIPE_SZ, which the Glibc module does not show.
    try #require(fcntl(writing, setPipeSize, 4096) == 4096)
  }

  deinit {
    closeReading()
    close(writing)
  }

  func closeReading() {
    if reading >= 0 { close(reading) }
    reading = -1
  }

  func take(_ limit: Int) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = read(reading, &buffer, limit)
    return Array(buffer.prefix(max(0, count)))
  }

  func takeAll() -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let more = take(4096)
      guard !more.isEmpty else { return bytes }
      bytes += more
    }
  }
}
