import Geometry

/// The queries sent to the terminal, its responses so far, and how long to wait for the others.
struct QueryState {
  var responses = TerminalResponses()
  /// Whether capabilities can be decided now: all responses have arrived or timed out.
  ///
  /// Responses that arrive later still count.
  private(set) var isReadyToDecide = false

  private var queries: TerminalQueries?
  private var startTime: Instant?
  /// When the queries about media were sent; nil before.
  private var mediaTime: Instant?
  /// When the queries were sent for what no frame needs; nil before.
  private var lateTime: Instant?
  /// The queries that were sent again and have no response yet, and when the last was sent.
  private var repeated: (queries: [TerminalQuery], time: Instant)?
  /// When the terminal around tmux is queried.
  private(set) var outer = OuterTerminal()
  /// The pictures that the terminal reads by name; nil before the queries about media, and after
  /// them.
  private var objects: TransferObjects?

  /// The time after which capabilities are decided without the missing responses, in seconds.
  static let responseTimeout = 0.15
  /// The time after the queries in which an ESC is probably the start of a response, not the Escape
  /// key, in seconds.
  static let escapeWindow = 3.0
  /// The time in place of `escapeWindow` if only optional responses are missing, in seconds.
  static let shortEscapeWindow = 1.0
  /// The time after the queries in which leaving the screen waits for responses, which the shell
  /// would read as input, in seconds.
  static let leaveTimeout = 1.5
  /// The time in place of `leaveTimeout` if only optional responses are missing, in seconds.
  static let shortLeaveTimeout = 0.3

  /// When to call `update` even if nothing arrives; nil if there is no need to.
  var nextDeadline: Instant? {
    isReadyToDecide ? nil : (mediaTime ?? startTime)?.advanced(bySeconds: Self.responseTimeout)
  }

  var hasStarted: Bool { startTime != nil }

  /// Starts the first queries, and expects their responses.
  ///
  /// - Returns: The bytes to send.
  mutating func start(_ queries: TerminalQueries, at now: Instant) -> [UInt8] {
    self.queries = queries
    startTime = now
    return send(queries.list).bytes
  }

  /// Queries the terminal around tmux if that is due; call it only while tmux passes queries on.
  ///
  /// - Returns: The bytes to send.
  mutating func requestOuter(at now: Instant) -> [UInt8] {
    guard let queries, outerDeadline.map({ $0 <= now }) ?? false else { return [] }
    let list = outer.queries(queries.outer, responses, at: now)
    responses.expect(list)
    return queries.bytes(for: list, nil).bytes
  }

  /// When the terminal around tmux has to be queried; nil without tmux.
  var outerDeadline: Instant? { isInTmux ? outer.deadline : nil }

  /// Queries the terminal around tmux soon, because another one may have taken its place.
  mutating func checkOuter(at now: Instant) { outer.check(at: now) }

  /// Does not query the terminal around tmux until the next check.
  mutating func cancelOuter() { outer.cancel() }

  /// Whether the terminal is tmux.
  var isInTmux: Bool { queries?.policy == .tmux }

  /// Repeats queries whose responses may have changed.
  ///
  /// Queries whose response is pending are not repeated, and none are before `start`.
  ///
  /// - Returns: The bytes to send.
  mutating func request(_ list: [TerminalQuery], at now: Instant) -> [UInt8] {
    let (bytes, sent) = send(list)
    if !sent.isEmpty {
      repeated = (sent + (repeated?.queries ?? []).filter(responses.awaits), now)
    }
    return bytes
  }

  /// Expects responses to those queries of a list that may be sent and have no response pending.
  ///
  /// - Returns: The bytes to send, and the queries in them.
  private mutating func send(_ list: [TerminalQuery]) -> (bytes: [UInt8], sent: [TerminalQuery]) {
    guard let queries else { return ([], []) }
    let unsent = list.filter { queries.covers($0) && !responses.awaits($0) }
    let (bytes, sent) = queries.bytes(for: unsent, objects)
    responses.expect(sent)
    return (bytes, sent)
  }

  /// Asks a terminal that supports kitty's protocol whether it can read pictures by name, from shared
  /// memory and from files, and in tmux whether characters can show them.
  ///
  /// Other terminals get no such queries, since a picture has to be stored for each.
  ///
  /// - Returns: The bytes to send.
  mutating func requestMedia(at now: Instant) -> [UInt8] {
    guard let queries, mediaTime == nil, responses.supportsGraphics(.kittyDirect),
      !queries.media.isEmpty
    else { return [] }
    mediaTime = now
    isReadyToDecide = false
    objects = TransferObjects()
    return send(queries.media).bytes
  }

  /// Asks for what no frame needs, once the terminal has responded to the first queries.
  ///
  /// - Returns: The bytes to send.
  mutating func requestLate(at now: Instant) -> [UInt8] {
    guard let queries, lateTime == nil, responses.isComplete else { return [] }
    lateTime = now
    return send(queries.late(responses)).bytes
  }

  mutating func handle(_ reply: TerminalReply) -> Bool {
    startTime != nil && responses.handle(reply)
  }

  /// Updates `isReadyToDecide`, and removes pictures that the terminal no longer needs.
  mutating func update(at now: Instant) {
    if outer.update(&responses, at: now) { mediaTime = nil }
    // Once the terminal has responded, it has read the objects.
    if objects != nil, !isMediaMissing || !awaitsResponses(at: now) { objects = nil }
    guard let deadline = nextDeadline else { return }
    isReadyToDecide = responses.isComplete && !isMediaMissing || now >= deadline
  }

  func awaitsResponses(at now: Instant) -> Bool {
    isMissingResponses(at: now, within: Self.escapeWindow, or: Self.shortEscapeWindow)
  }

  /// Whether the screen should not be left yet, because responses may be arriving.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - lastInput: When input last arrived, perhaps a part of a response that arrives slowly; nil
  ///     if none has.
  /// - Returns: False once the responses have arrived or timed out.
  func delaysLeaving(at now: Instant, lastInput: Instant? = nil) -> Bool {
    isMissingResponses(
      at: now, within: Self.leaveTimeout, or: Self.shortLeaveTimeout, lastInput: lastInput)
  }

  /// Whether responses are missing that have not timed out.
  ///
  /// - Returns: False once they have timed out.
  private func isMissingResponses(
    at now: Instant, within timeout: Double, or shortTimeout: Double, lastInput: Instant? = nil
  ) -> Bool {
    guard let startTime else { return false }
    let time = now.seconds(since: startTime)
    if !responses.isComplete, time < timeout { return true }
    // Only queries that the terminal has responded to before are sent again.
    if let repeated, now.seconds(since: repeated.time) < timeout,
      repeated.queries.contains(where: responses.awaits)
    {
      return true
    }
    // Nothing responds to a query that tmux did not pass on.
    let outerTime = max(outer.lastQuery ?? startTime, lastInput ?? startTime)
    if isInTmux, responses.awaits(.outerAttributes) || !responses.isOuterComplete,
      now.seconds(since: outerTime) < shortTimeout
    {
      return true
    }
    if queries?.policy == .screen, responses.awaits(.outerBackground), time < shortTimeout {
      return true
    }
    // The late queries end with DA1, too.
    let isLateMissing = queries?.policy == .full && responses.awaits(.attributes)
    return [isMediaMissing ? mediaTime : nil, isLateMissing ? lateTime : nil].compactMap { $0 }
      .contains { now.seconds(since: $0) < shortTimeout }
  }

  private var isMediaMissing: Bool {
    [.kittySharedMemory, .kittyFile, .kittyPlaceholders].contains(where: responses.awaits)
  }
}
