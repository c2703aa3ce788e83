import PhotoGridCore

/// Asking the terminal about itself.
extension TerminalSession {
  /// What the terminal has told so far.
  package var answers: TerminalAnswers { inquiry.answers }

  /// Whether it was asked.
  package var isAsked: Bool { inquiry.hasBegun }

  /// Whether the answers are complete enough to judge by, or late; more may come at any time.
  package var isJudgementDue: Bool { inquiry.isJudgementDue }

  /// Whether answers are on their way: those that do not come are given up.
  package func awaitsAnswers(at now: Instant) -> Bool { inquiry.awaitsAnswers(at: now) }

  /// Whether the terminal's input is this program's, so that answers would reach it.
  ///
  /// - Throws: Why there is no terminal.
  package static func isInForeground(_ options: Options) throws(TerminalError) -> Bool {
    let device = try TerminalDevice(path: options.path)
    defer { device.close() }
    return device.isInForeground
  }

  /// Asks the terminal, behind whatever it was sent before; nothing waits for the answers.
  package func ask(_ questions: TerminalQuestions, at now: Instant) {
    guard !isAsked else { return }
    send(inquiry.begin(questions, at: now))
  }

  /// Asks again for what may change with the size.
  func askForCell() { send(inquiry.ask([.cell, .textArea, .itermCell])) }

  /// Takes what arrived if it is an answer, or news about what was asked.
  ///
  /// - Returns: Whether it was nobody else's business.
  func takeAnswer(_ reply: TerminalReply) -> Bool {
    // `?997;1n` is dark, `?997;2n` light; which it is, the background itself tells better.
    if reply == TerminalReply(.control, "?997;1n") || reply == TerminalReply(.control, "?997;2n") {
      send(inquiry.ask([.background, .outerBackground]))
      return true
    }
    let knewColorScheme = answers.knowsMode(.colorScheme)
    guard inquiry.take(reply) else { return false }
    if isEntered, knewColorScheme == nil, answers.knowsMode(.colorScheme) == true {
      send(ControlBytes.colorSchemeOn)
    }
    return true
  }
}
