import Geometry

/// When to query the terminal around tmux, and whether it is still the same one.
///
/// tmux says nothing when a client is attached, and drops what it should pass on while a pane is out
/// of sight. So the queries are repeated soon if there is no response, and once in a while as the
/// user types.
struct OuterTerminal {
  /// The time after which queries may be repeated, in seconds.
  static let interval = 1.0
  /// The time after which a query without a response is repeated, in seconds.
  static let retryInterval = 0.3
  /// The most queries in a row of which each is a repetition of one without a response.
  static let maxTries = 3
  /// The time after the last response in which others may arrive from a second client, in seconds.
  static let grace = 0.5

  /// When the last queries were sent; nil before.
  private(set) var lastQuery: Instant?
  /// The number of times that it responded to all queries.
  private(set) var responseCount = 0
  /// The number of times that it responded after a silence, or another one did instead of it.
  private(set) var changeCount = 0
  /// When to query next; nil if there is no need to.
  private(set) var deadline: Instant? = Instant(nanoseconds: 0)

  /// The number of queries without a response since the last check.
  private var tries = 0
  /// Whether there was no response to the last queries, however often they were repeated.
  private var isSilent = false
  private var name: String?
  /// Whether queries were sent that have no response.
  private var isAwaiting = false
  /// When it responded to the last query but not to one before it; nil if it did to all.
  private var gapTime: Instant?
  private var asksAll = true

  /// Queries as soon as possible, unless it was queried just now.
  mutating func check(at now: Instant) {
    if let lastQuery, now < lastQuery.advanced(bySeconds: Self.interval) { return }
    deadline = now
    tries = 0
  }

  /// Gives up the queries that are due.
  mutating func cancel() { deadline = nil }

  /// Returns the queries to send now.
  ///
  /// A terminal that has not responded to kitty's queries gets no more of them, as some show them as
  /// text, until another one takes its place.
  mutating func queries(
    _ all: [TerminalQuery], _ responses: TerminalResponses, at now: Instant
  ) -> [TerminalQuery] {
    tries += 1
    lastQuery = now
    isAwaiting = true
    isSilent = isSilent || tries >= Self.maxTries
    deadline = tries < Self.maxTries ? now.advanced(bySeconds: Self.retryInterval) : nil
    let isKnown = responses.isOuterComplete && !asksAll && !responses.supportsGraphics(.kittyDirect)
    return isKnown ? all.filter { $0.graphicsID == nil } : all
  }

  /// Takes note of the responses so far, and drops those of a terminal that is no longer there.
  ///
  /// - Returns: Whether another terminal has taken its place.
  mutating func update(_ responses: inout TerminalResponses, at now: Instant) -> Bool {
    if let gapDeadline, now >= gapDeadline {
      responses.dropUnrepeated()
      gapTime = nil
      name = responses.outerVersion
      changeCount += 1
    }
    guard isAwaiting, !responses.awaits(.outerAttributes) else { return false }
    isAwaiting = false
    responseCount += 1
    deadline = nil
    asksAll = false
    let isComplete = !responses.awaits(.kittyDirect) && !responses.awaits(.outerVersion)
    gapTime = isComplete ? nil : now
    let isOther = responses.outerVersion != name && responseCount > 1
    name = responses.outerVersion
    if isOther {
      // All queries, at once.
      asksAll = true
      deadline = now
    }
    if isOther || isSilent { changeCount += 1 }
    isSilent = false
    return isOther
  }

  /// When to call `update` even if nothing arrives; nil if there is no need to.
  var gapDeadline: Instant? { gapTime?.advanced(bySeconds: Self.grace) }
}
