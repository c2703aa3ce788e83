import Testing

@testable import TerminalIO

struct LinkSpeedTests {
  @Test(arguments: [0.05, 0.25, 1, 5, 50], [0.0002, 0.01, 0.15])
  func `frames within the budget take the time that they may`(megabytes: Double, way: Double) {
    var linkSpeed = LinkSpeed()
    var longest = 0.0
    for step in 0..<40 {
      // Small frames in between, as on a screen where nothing moves; never more than a screen.
      let byteCount = step % 3 == 0 ? 200 : min(linkSpeed.byteBudget, 400_000)
      let line = Double(byteCount) / (megabytes * 1e6)
      linkSpeed.recordFrame(byteCount: byteCount, seconds: way + line)
      if step >= 20 { longest = max(longest, line) }
    }
    // The smallest budget takes longer on the slowest link.
    #expect(longest <= max(LinkSpeed.frameTime * 1.05, 4096 / (megabytes * 1e6)))
    #expect(longest >= LinkSpeed.frameTime * 0.8 || megabytes == 50)
  }

  @Test func `a second large frame that is slow lowers the speed`() {
    var linkSpeed = LinkSpeed()
    for _ in 0..<10 { linkSpeed.recordFrame(byteCount: 100_000, seconds: 0.01) }
    let fast = linkSpeed.byteBudget
    linkSpeed.recordFrame(byteCount: 100_000, seconds: 1)
    #expect(linkSpeed.byteBudget == fast)
    linkSpeed.recordFrame(byteCount: 100_000, seconds: 1)
    #expect(linkSpeed.byteBudget < fast / 50)
  }

  @Test func `small frames that were delayed do not lower the speed`() {
    var linkSpeed = LinkSpeed()
    for step in 0..<40 {
      linkSpeed.recordFrame(byteCount: 5_000, seconds: step % 6 == 0 ? 0.001 : 0.1)
    }
    #expect(linkSpeed.byteBudget > 100_000)
  }

  @Test func `while the speed is unknown, the budget is limited on remote links only`() {
    var linkSpeed = LinkSpeed()
    #expect(linkSpeed.byteBudget == .max)
    linkSpeed.recordFrame(byteCount: 300, seconds: 0.002)
    #expect(linkSpeed.byteBudget == .max)
    linkSpeed = LinkSpeed()
    linkSpeed.recordFrame(byteCount: 300, seconds: 0.12)
    #expect(linkSpeed.byteBudget == 32_768)
  }

  @Test func `implausible times change nothing`() {
    var linkSpeed = LinkSpeed()
    for seconds in [-1, .nan, .infinity] {
      linkSpeed.recordFrame(byteCount: 10_000, seconds: seconds)
    }
    #expect(linkSpeed == LinkSpeed())
  }
}
