import Testing

@testable import TerminalIO

struct LinkPaceTests {
  @Test(arguments: [0.05, 0.25, 1, 5, 50], [0.0002, 0.01, 0.15])
  func `frames of the budget take the time that they may`(megabytes: Double, way: Double) {
    var pace = LinkPace()
    var longest = 0.0
    for step in 0..<40 {
      // Short frames between, as there are when nothing moves; never more than a screen.
      let byteCount = step % 3 == 0 ? 200 : min(pace.byteBudget, 400_000)
      let line = Double(byteCount) / (megabytes * 1e6)
      pace.frameTaken(byteCount: byteCount, seconds: way + line)
      if step >= 20 { longest = max(longest, line) }
    }
    // The smallest budget takes longer on the slowest line.
    #expect(longest <= max(LinkPace.frameTime * 1.05, 4096 / (megabytes * 1e6)))
    #expect(longest >= LinkPace.frameTime * 0.8 || megabytes == 50)
  }

  @Test func `a second long frame that took long is believed`() {
    var pace = LinkPace()
    for _ in 0..<10 { pace.frameTaken(byteCount: 100_000, seconds: 0.01) }
    let fast = pace.byteBudget
    pace.frameTaken(byteCount: 100_000, seconds: 1)
    #expect(pace.byteBudget == fast)
    pace.frameTaken(byteCount: 100_000, seconds: 1)
    #expect(pace.byteBudget < fast / 50)
  }

  @Test func `short frames that chance has delayed do not make a line slow`() {
    var pace = LinkPace()
    for step in 0..<40 { pace.frameTaken(byteCount: 5_000, seconds: step % 6 == 0 ? 0.001 : 0.1) }
    #expect(pace.byteBudget > 100_000)
  }

  @Test func `before anything is known a frame is short only if the terminal is far away`() {
    var pace = LinkPace()
    #expect(pace.byteBudget == .max)
    pace.frameTaken(byteCount: 300, seconds: 0.002)
    #expect(pace.byteBudget == .max)
    pace = LinkPace()
    pace.frameTaken(byteCount: 300, seconds: 0.12)
    #expect(pace.byteBudget == 32_768)
  }

  @Test func `times that cannot be change nothing`() {
    var pace = LinkPace()
    for seconds in [-1, .nan, .infinity] {
      pace.frameTaken(byteCount: 10_000, seconds: seconds)
    }
    #expect(pace == LinkPace())
  }
}
