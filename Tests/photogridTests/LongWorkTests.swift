import Geometry
import Testing

@testable import photogrid

/// When operations on files are told outside of the window.
struct LongWorkTests {
  @Test(arguments: [
    (0.5, false, nil as Int?, false), (9, false, 40, false), (11, false, 40, true),
    (11, true, 40, false),
  ])
  func `progress is shown after a second, and the end told after ten without the focus`(
    seconds: Double, hasFocus: Bool, shown: Int?, isTold: Bool
  ) {
    var work = LongWork()
    work.hasFocus = hasFocus
    let start = Instant(seconds: 100)
    var told: [Bool] = []
    var percentages: [Int?] = []
    for (delay, percentage) in [
      (0, nil), (0, 0), (seconds, 40), (seconds + 0.1, nil), (seconds + 0.2, nil),
    ] as [(Double, Int?)] {
      let (shown, hasEnded) = work.follow(percentage, at: start.advanced(bySeconds: delay))
      percentages.append(shown)
      told.append(hasEnded)
    }
    #expect(percentages == [nil, nil, shown, nil, nil])
    #expect(told == [false, false, false, isTold, false])
  }
}
