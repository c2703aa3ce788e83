import PhotoGridCore

/// Reading what is typed and answered.
extension TerminalSession {
  /// Bytes of input taken at a time, so that a flood of it does not keep frames from being drawn.
  private static let bytesPerTurn = 64 << 10
  /// Bytes read at a time: what the system holds of a terminal's input.
  private static let bytesPerRead = 4096

  /// What came in since the last call; does not wait, but 25 ms for what may follow an ESC.
  package func readInput(at now: Instant) -> [InputEvent] {
    guard isOpen, !isGone else { return [] }
    // A reply that is on its way may come in pieces, and its ESC is not the key.
    let awaitsAnswers = inquiry.awaitsAnswers(at: now)
    decoder.expectsReplies = awaitsAnswers
    let isAllRead = takeBytes(
      escapeDelay: output.awaitsReply || awaitsAnswers ? 100 : 25, at: now)
    unreadSince = isAllRead ? nil : now
    var events = isAllRead ? decoder.pause() : decoder.takeEvents()
    let readyCount = events.count { $0 == .reply(.ready) }
    if readyCount > 0 {
      events.removeAll { $0 == .reply(.ready) }
      for _ in 0..<readyCount { output.replyArrived(at: now) }
    }
    let pixelAnswers = events.count {
      if case .reply(let reply) = $0 { reply.body.hasPrefix("?1016;") } else { false }
    }
    missingPixelAnswers = max(missingPixelAnswers - pixelAnswers, 0)
    events.removeAll {
      if case .reply(let reply) = $0 { takeAnswer(reply, at: now) } else { false }
    }
    inquiry.elapse(to: now)
    if CellMeasurement(inquiry.answers, window: window) != measurement { measure() }
    if output.isBroken || device.isHungUp() {
      isGone = true
      output.abandon()
      events.append(.disconnected)
    }
    return events
  }

  /// Has the decoder take what is there to be read, up to a turn's limit.
  ///
  /// - Parameters:
  ///   - escapeDelay: How long to wait for what may belong to a key that has begun, in milliseconds.
  ///   - now: The time.
  /// - Returns: Whether that was all.
  private func takeBytes(escapeDelay: Int32, at now: Instant) -> Bool {
    var left = Self.bytesPerTurn
    while left > 0 {
      let bytes = device.read(
        atMost: min(left, Self.bytesPerRead), milliseconds: keys.isWaiting ? escapeDelay : 0)
      if bytes.isEmpty {
        guard let unit = keys.next(isOver: true) else { return true }
        decoder.feed(unit, at: now)
      }
      left -= bytes.count
      keys.append(bytes)
      while let unit = keys.next() { decoder.feed(unit, at: now) }
    }
    return false
  }
}
