import PhotoGridCore

/// The questions that the terminal was asked, what it answered, and for how long that is waited
/// for.
struct Inquiry {
  /// What is known so far.
  var answers = TerminalAnswers()
  /// Whether it is time to judge by the answers, complete or not.
  ///
  /// Late is too late for nothing: whatever comes afterwards counts all the same.
  private(set) var isJudgementDue = false

  private var questions: TerminalQuestions?
  private var start: Instant?
  private var objects: HandedObjects?

  /// Seconds until the first judgement.
  static let judgementDelay = 0.15
  /// Seconds for which an ESC is more likely to begin an answer than to be the key; and where only
  /// those of the terminal around tmux are missing, which may not have been passed on.
  static let patience = 3.0
  static let outerPatience = 1.0
  /// Seconds after the questions for which the screen is not given back, so that the shell does not
  /// get the answers; and likewise.
  static let parting = 1.5
  static let outerParting = 0.3

  /// When to look again even if nothing arrives.
  var nextDeadline: Instant? {
    isJudgementDue ? nil : start?.advanced(bySeconds: Self.judgementDelay)
  }

  /// Whether questions have been asked.
  var hasBegun: Bool { start != nil }

  /// Begins with questions.
  ///
  /// - Returns: The bytes that ask them.
  mutating func begin(_ questions: TerminalQuestions, at now: Instant) -> [UInt8] {
    self.questions = questions
    start = now
    if questions.isLocal { objects = HandedObjects() }
    return ask(questions.list)
  }

  /// Asks anew what may have changed; nothing before it was asked for the first time.
  ///
  /// - Returns: The bytes that ask.
  mutating func ask(_ list: [TerminalQuestion]) -> [UInt8] {
    guard let questions else { return [] }
    // What is still to be answered need not be asked twice.
    let wanted = list.filter { questions.list.contains($0) && !answers.awaits($0) }
    let (bytes, asked) = questions.bytes(asking: wanted, objects)
    answers.expect(asked)
    return bytes
  }

  /// Takes what arrived.
  ///
  /// - Returns: Whether it was an answer.
  mutating func take(_ reply: TerminalReply) -> Bool {
    guard start != nil, answers.take(reply) else { return false }
    // By then it has looked for the objects.
    if answers.graphicsAnswer(.kittyDirect) != nil { objects = nil }
    return true
  }

  /// Lets time pass.
  mutating func elapse(to now: Instant) {
    if objects != nil, !awaitsAnswers(at: now) { objects = nil }
    guard !isJudgementDue, let start else { return }
    isJudgementDue = answers.isComplete || now.seconds(since: start) >= Self.judgementDelay
  }

  /// Whether answers are on their way.
  func awaitsAnswers(at now: Instant) -> Bool {
    guard let start else { return false }
    let time = now.seconds(since: start)
    return !answers.isComplete && time < Self.patience
      || hasOuter && !answers.isOuterComplete && time < Self.outerPatience
  }

  /// Whether the terminal should not be left yet, as answers are on their way.
  func delaysParting(at now: Instant) -> Bool {
    guard let start else { return false }
    let time = now.seconds(since: start)
    return !answers.isComplete && time < Self.parting
      || hasOuter && !answers.isOuterComplete && time < Self.outerParting
  }

  private var hasOuter: Bool { questions?.manner == .tmux }
}
