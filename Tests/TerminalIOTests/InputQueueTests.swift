import PhotoGridCore
import Testing

@testable import TerminalIO

@Suite struct InputQueueTests {
  private static let interrupt = InputEvent.key(.control("c"))

  @Test func `events are handled in the order in which they arrived`() {
    var queue = InputQueue()
    queue.append([.key(.character("a")), .focusLost])
    let first = queue.next()
    queue.append([.paste([1])])

    #expect(first == .key(.character("a")))
    #expect(queue.rest() == [.focusLost, .paste([1])])
    #expect(queue.isEmpty)
  }

  @Test func `what is typed before Ctrl-C is kept`() {
    var queue = InputQueue()
    let typed = Array(repeating: InputEvent.key(.character("j")), count: 64)
    queue.append(typed + [Self.interrupt])

    #expect(queue.rest() == typed + [Self.interrupt])
  }

  @Test func `Ctrl-C discards a flood of keys before it, and nothing else`() {
    var queue = InputQueue()
    queue.append(Array(repeating: .key(.character("1")), count: 40_000))
    _ = queue.next()
    queue.append([
      .reply(TerminalReply(.control, "?62c")), .focusLost, Self.interrupt, .key(.character("k")),
    ])

    let left = queue.rest()

    #expect(
      left == [
        .reply(TerminalReply(.control, "?62c")), .focusLost, Self.interrupt, .key(.character("k")),
      ])
  }

  @Test func `no more is read while too many events wait`() {
    var queue = InputQueue()
    queue.append(Array(repeating: .focusGained, count: InputQueue.maximumCount))

    let isFull = queue.isFull
    _ = queue.next()

    #expect(isFull)
    #expect(!queue.isFull)
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
