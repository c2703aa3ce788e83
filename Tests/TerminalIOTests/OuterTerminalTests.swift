import Geometry
import Testing

@testable import TerminalIO

/// The terminal around tmux, which may be exchanged or out of reach.
struct OuterTerminalTests {
  /// The terminal around tmux, and a clock.
  private struct Story {
    var state = QueryState()
    var time = 10.0
    /// The kitty's name that it reports; nil if it is no kitty.
    var kitty: String? = "kitty(0.40.1)"
    /// When queries were sent, and whether kitty's were among them.
    var log: [(time: Double, asksForGraphics: Bool)] = []

    init() {
      _ = state.start(TerminalQueries(policy: .tmux, isLocal: false), at: Instant(seconds: 10))
      // tmux itself responds first.
      _ = state.handle(TerminalReply(.control, "?1;2;4c"))
    }

    /// Lets time pass in steps of 50 ms.
    ///
    /// - Parameters:
    ///   - end: The time at the end, in seconds.
    ///   - responds: Whether the terminal responds.
    mutating func run(until end: Double, responds: Bool) {
      while time < end {
        let now = Instant(seconds: time)
        let text = String(decoding: state.requestOuter(at: now), as: UTF8.self)
        if !text.isEmpty {
          log.append((time, text.contains("_Gi=33")))
          if responds { respond(to: text) }
        }
        state.update(at: now)
        time += 0.05
      }
    }

    mutating func check() { state.checkOuter(at: Instant(seconds: time)) }

    private mutating func respond(to text: String) {
      if let kitty {
        if text.contains("_Gi=33") { _ = state.handle(TerminalReply(.application, "Gi=33;OK")) }
        _ = state.handle(TerminalReply(.device, ">|\(kitty)"))
      }
      _ = state.handle(TerminalReply(.control, "?62;c"))
    }
  }

  private static func isNear(_ times: [Double], _ expected: [Double]) -> Bool {
    times.count == expected.count && zip(times, expected).allSatisfy { abs($0 - $1) < 0.06 }
  }

  @Test func `leaving waits for a response as long as parts of it arrive`() {
    var story = Story()
    story.run(until: 12, responds: true)
    story.check()
    story.run(until: 12.1, responds: false)

    func delays(lastInput: Double?, at time: Double) -> Bool {
      story.state.delaysLeaving(
        at: Instant(seconds: time), lastInput: lastInput.map { Instant(seconds: $0) })
    }
    #expect(delays(lastInput: nil, at: 12.2))
    #expect(!delays(lastInput: nil, at: 12.5))
    #expect(!delays(lastInput: 12.1, at: 12.5))
    #expect(delays(lastInput: 12.4, at: 12.5))
  }

  @Test func `it is queried at a check, and again a few times without a response`() {
    var story = Story()
    story.run(until: 12, responds: true)
    story.check()
    story.check()
    story.run(until: 17, responds: true)
    #expect(Self.isNear(story.log.map(\.time), [10, 12]))
    #expect(story.state.outer.responseCount == 2 && story.state.outer.changeCount == 0)

    var silent = Story()
    silent.run(until: 17, responds: false)
    #expect(Self.isNear(silent.log.map(\.time), [10, 10.3, 10.6]))
    #expect(silent.state.outer.responseCount == 0)
    silent.check()
    silent.run(until: 20, responds: true)
    #expect(silent.state.outer.changeCount == 1, "after a silence")
    #expect(silent.state.responses.supportsGraphics(.kittyDirect))
  }

  @Test func `it is not queried again within a second, nor after the check was given up`() {
    var story = Story()
    story.run(until: 10.5, responds: true)
    story.check()
    story.run(until: 12, responds: true)
    #expect(story.log.count == 1)
    story.check()
    story.state.cancelOuter()
    story.run(until: 14, responds: true)
    #expect(story.log.count == 1)
  }

  @Test func `another terminal in its place gets all queries at once`() {
    var story = Story()
    story.run(until: 12, responds: true)
    story.kitty = "kitty(0.48.2)"
    story.check()
    story.run(until: 15, responds: true)

    #expect(Self.isNear(story.log.map(\.time), [10, 12, 12.05]))
    #expect(story.state.outer.changeCount == 1)
    #expect(story.state.responses.outerVersion == "kitty(0.48.2)")
  }

  @Test func `a terminal without kitty's protocol is recognized, and not asked for it again`() {
    var story = Story()
    story.run(until: 12, responds: true)
    story.kitty = nil
    story.check()
    story.run(until: 12.4, responds: true)
    #expect(story.state.responses.supportsGraphics(.kittyDirect), "it may still respond")
    story.run(until: 14, responds: true)
    #expect(!story.state.responses.supportsGraphics(.kittyDirect))
    #expect(story.state.responses.outerVersion == nil)
    story.check()
    story.run(until: 16, responds: true)
    #expect(story.log.map(\.asksForGraphics) == [true, true, false])

    story.kitty = "kitty(0.40.1)"
    story.check()
    story.run(until: 18, responds: true)
    #expect(story.state.responses.supportsGraphics(.kittyDirect))
  }

  @Test func `outside of tmux nothing is queried`() {
    var state = QueryState()
    _ = state.start(TerminalQueries(policy: .full), at: Instant(seconds: 1))
    let bytes = state.requestOuter(at: Instant(seconds: 9))
    #expect(bytes.isEmpty && state.outerDeadline == nil && !state.isInTmux)
  }
}
