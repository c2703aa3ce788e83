import Geometry
import Testing

@testable import TerminalIO

@Suite struct InputQueueTests {
  private static let interrupt = InputEvent.key(.control("c"))

  @Test func `events are handled in the order in which they arrived`() {
    var queue = InputQueue()
    queue.enqueue([.key(.character("a")), .focusLost])
    let first = queue.next()
    queue.enqueue([.paste([1])])

    #expect(first == .key(.character("a")))
    #expect(queue.rest() == [.focusLost, .paste([1])])
    #expect(queue.isEmpty)
  }

  @Test func `what is typed before Ctrl-C is kept`() {
    var queue = InputQueue()
    let typed = Array(repeating: InputEvent.key(.character("j")), count: 64)
    queue.enqueue(typed + [Self.interrupt])

    #expect(queue.rest() == typed + [Self.interrupt])
  }

  @Test func `Ctrl-C discards a flood of keys before it, and nothing else`() {
    var queue = InputQueue()
    queue.enqueue(Array(repeating: .key(.character("1")), count: 40_000))
    _ = queue.next()
    queue.enqueue([
      .reply(TerminalReply(.control, "?62c")), .focusLost, Self.interrupt, .key(.character("k")),
    ])

    let left = queue.rest()

    #expect(
      left == [
        .reply(TerminalReply(.control, "?62c")), .focusLost, Self.interrupt, .key(.character("k")),
      ])
  }

  @Test func `a full queue discards events, except Ctrl-C`() {
    var queue = InputQueue()
    queue.enqueue(Array(repeating: .focusGained, count: InputQueue.maximumCount))
    queue.enqueue([.focusLost, .key(.character("1")), Self.interrupt, .disconnected])

    let rest = queue.rest()

    #expect(rest.count == InputQueue.maximumCount + 2)
    #expect(rest.suffix(3) == [.focusGained, Self.interrupt, .disconnected])
  }

  @Test func `more keys than anybody types are a flood`() {
    var queue = InputQueue()
    queue.enqueue(Array(repeating: .key(.character("1")), count: 65))

    let wasFlood = queue.isFlood
    _ = queue.next()

    #expect(wasFlood && !queue.isFlood)
  }
}

extension InputQueue {
  /// Removes and returns all events.
  fileprivate mutating func rest() -> [InputEvent] {
    var events: [InputEvent] = []
    while let event = next() { events.append(event) }
    return events
  }
}
