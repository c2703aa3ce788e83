import Geometry
import Testing

@testable import photogrid

struct ProgressLineTests {
  private static func at(_ seconds: Double) -> Instant {
    Instant(nanoseconds: 0).advanced(bySeconds: 100 + seconds)
  }

  @Test func `the line contains the count, the speed and the remaining time`() {
    var line = ProgressLine()

    #expect(line.text(0, of: nil, at: Self.at(0)) == "0")
    #expect(line.text(30, of: nil, at: Self.at(1)) == "30  30/s")
    #expect(
      line.text(60, of: 120, at: Self.at(2))
        == "[##########----------] 60/120  30/s  2 s left")
    #expect(line.text(120, of: 120, at: Self.at(3)) == "[####################] 120/120  40/s")
  }

  @Test func `the speed is that of the last seconds`() {
    var line = ProgressLine()
    // A thousand that existed, then one a second.
    _ = line.text(0, of: 2000, at: Self.at(0))
    for second in 0...20 {
      let text = line.text(1000 + second, of: 2000, at: Self.at(1 + Double(second)))
      if second == 20 { #expect(text.hasSuffix("1020/2000  1.0/s  17 min left"), "\(text)") }
    }
  }

  @Test func `the line of an empty folder is complete`() {
    var line = ProgressLine()

    #expect(line.text(0, of: 0, at: Self.at(0)) == "[####################] 0/0")
    #expect(line.text(0, of: 0, at: Self.at(0)) == "[####################] 0/0")
  }

  @Test(arguments: [
    (0, "0 s"), (0.2, "1 s"), (99, "99 s"), (99.5, "2 min"), (3600, "60 min"), (7500, "2 h 5 min"),
    (1e18, "277777 h 47 min"),
  ])
  func `durations are rounded up and have at most two units`(seconds: Double, words: String) {
    #expect(ProgressLine.duration(seconds) == words)
  }
}
