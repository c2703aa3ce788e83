import PhotoGridCore

/// Reading keys, mouse reports and replies.
extension TerminalSession {
  /// The most bytes read by one call, so that a flood of input does not delay frames.
  private static let bytesPerTurn = 64 << 10
  /// The most bytes read by one system call: the size of Linux's buffer for a terminal's input.
  private static let bytesPerRead = 4096

  /// Returns the events that arrived since the last call.
  ///
  /// After an ESC, it waits up to 25 ms for the rest of a sequence, or 100 ms while the terminal
  /// may be responding; otherwise it does not wait.
  package func readInput(at now: Instant) -> [InputEvent] {
    guard isOpen, !isDisconnected else { return [] }
    // A reply may arrive in pieces, so an ESC may be its start rather than the Escape key.
    let awaitsResponses =
      queryState.awaitsResponses(at: now) || awaitsPixelMouseResponse(at: now)
    decoder.expectsReplies = awaitsResponses
    let isAllRead = feedDecoder(
      escapeDelay: output.awaitsReply || awaitsResponses ? 100 : 25, at: now)
    unreadSince = isAllRead ? nil : now
    var events = isAllRead ? decoder.flush() : decoder.drainEvents()
    let readyCount = events.count { $0 == .reply(.ready) }
    if readyCount > 0 {
      events.removeAll { $0 == .reply(.ready) }
      for _ in 0..<readyCount { output.replyArrived(at: now) }
    }
    let pixelMouseResponses = events.count {
      if case .reply(let reply) = $0 { reply.body.hasPrefix("?1016;") } else { false }
    }
    if pixelMouseResponses > 0 {
      pendingPixelMouseResponses = max(pendingPixelMouseResponses - pixelMouseResponses, 0)
    }
    events.removeAll {
      if case .reply(let reply) = $0 { handleResponse(reply, at: now) } else { false }
    }
    queryState.update(at: now)
    if currentMeasurement != measurement { measure() }
    if output.isBroken || device.isHungUp() {
      isDisconnected = true
      output.discard()
      events.append(.disconnected)
    }
    return events
  }

  /// Feeds the decoder with available input, at most `bytesPerTurn` bytes.
  ///
  /// - Parameters:
  ///   - escapeDelay: The milliseconds to wait for the rest of a key.
  ///   - now: The current time.
  /// - Returns: Whether all input was read.
  private func feedDecoder(escapeDelay: Int32, at now: Instant) -> Bool {
    var left = Self.bytesPerTurn
    while left > 0 {
      let bytes = device.read(
        atMost: min(left, Self.bytesPerRead), milliseconds: keys.isWaiting ? escapeDelay : 0)
      if bytes.isEmpty {
        guard let unit = keys.next(isFlushing: true) else { return true }
        decoder.feed(unit, at: now)
      }
      left -= bytes.count
      keys.append(bytes)
      while let unit = keys.next() { decoder.feed(unit, at: now) }
    }
    return false
  }
}
