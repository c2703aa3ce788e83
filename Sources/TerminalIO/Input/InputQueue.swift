/// The input that has arrived and waits to be handled.
///
/// A flood of keys, such as a file pasted by mistake, takes longer to handle than a frame may take,
/// so that it waits here between frames.
package struct InputQueue: Sendable {
  /// The number of events at which no more is read.
  package static let maximumCount = 1 << 16
  /// More keys than anybody types ahead of Ctrl-C.
  private static let maximumTypedCount = 64

  private var events: [InputEvent] = []
  /// The index of the next event.
  private var first = 0

  package init() {}

  package var isEmpty: Bool { first == events.count }
  package var isFull: Bool { events.count - first >= Self.maximumCount }
  /// Whether more waits than anybody types.
  package var isFlood: Bool { events.count - first > Self.maximumTypedCount }

  /// Adds events.
  ///
  /// Ctrl-C discards a flood of keys before it, as a terminal does for programs that leave keys to
  /// it; otherwise the user would have to wait until all of them are handled.
  package mutating func append(_ arrived: [InputEvent]) {
    guard !arrived.isEmpty else { return }
    events.removeFirst(first)
    first = 0
    events += arrived
    guard let interrupt = events.firstIndex(of: .key(.control("c"))),
      events[..<interrupt].count(where: \.isTyped) > Self.maximumTypedCount
    else { return }
    events = events[..<interrupt].filter { !$0.isTyped } + events[interrupt...]
  }

  /// Removes and returns the oldest event; nil if there is none.
  package mutating func next() -> InputEvent? {
    guard !isEmpty else { return nil }
    defer { first += 1 }
    return events[first]
  }
}

extension InputEvent {
  /// Whether the event comes from the keyboard or the mouse.
  fileprivate var isTyped: Bool {
    switch self {
    case .key, .mouse, .paste: true
    case .focusGained, .focusLost, .reply, .disconnected: false
    }
  }
}
