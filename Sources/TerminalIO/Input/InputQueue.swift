import Geometry

/// The input that has arrived and waits to be handled.
///
/// A flood of keys, such as a file pasted by mistake, takes longer to handle than a frame may take,
/// so that it waits here between frames.
package struct InputQueue: Sendable {
  /// The most events that wait; further ones are discarded, apart from Ctrl-C.
  package static let maximumCount = 1 << 16
  /// More keys than anybody types ahead of Ctrl-C.
  private static let maximumTypedCount = 64
  private static let interrupt = InputEvent.key(.control("c"))

  private var events: [InputEvent] = []
  /// The index of the next event.
  private var first = 0

  package init() {}

  package var isEmpty: Bool { first == events.count }
  /// Whether more waits than anybody types.
  package var isFlood: Bool { events.count - first > Self.maximumTypedCount }

  /// Adds events.
  ///
  /// Ctrl-C discards a flood of keys before it, as a terminal does for programs that leave keys to
  /// it; otherwise the user would have to wait until all of them are handled. To find it, the program
  /// goes on reading when the queue is full.
  package mutating func enqueue(_ arrived: [InputEvent]) {
    guard !arrived.isEmpty else { return }
    events.removeFirst(first)
    first = 0
    events += arrived
    if arrived.contains(Self.interrupt) { discardFlood() }
    guard events.count > Self.maximumCount else { return }
    let rest = events[Self.maximumCount...].filter { $0 == Self.interrupt || $0 == .disconnected }
    events.removeLast(events.count - Self.maximumCount)
    events += rest
  }

  /// Discards the keys before Ctrl-C, if they are more than anybody types ahead of it.
  private mutating func discardFlood() {
    guard let interrupt = events.firstIndex(of: Self.interrupt),
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
