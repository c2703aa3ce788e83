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
  /// When it was asked whether it finds pictures by name.
  private var mediaStart: Instant?
  private var objects: HandedObjects?

  /// Seconds until one judges by what there is.
  static let judgementDelay = 0.15
  /// Seconds for which an ESC is more likely to begin an answer than to be the key; and where all
  /// that is missing need not be answered at all.
  static let patience = 3.0
  static let shortPatience = 1.0
  /// Seconds after the questions for which the screen is not given back, so that the shell does not
  /// get the answers; and likewise.
  static let parting = 1.5
  static let shortParting = 0.3

  /// When to look again even if nothing arrives.
  var nextDeadline: Instant? {
    isJudgementDue ? nil : (mediaStart ?? start)?.advanced(bySeconds: Self.judgementDelay)
  }

  /// Whether questions have been asked.
  var hasBegun: Bool { start != nil }

  /// Begins with questions.
  ///
  /// - Returns: The bytes that ask them.
  mutating func begin(_ questions: TerminalQuestions, at now: Instant) -> [UInt8] {
    self.questions = questions
    start = now
    return ask(questions.list)
  }

  /// Asks anew what may have changed; nothing before it was asked for the first time.
  ///
  /// - Returns: The bytes that ask.
  mutating func ask(_ list: [TerminalQuestion]) -> [UInt8] {
    guard let questions else { return [] }
    // What is still to be answered need not be asked twice.
    let wanted = list.filter { questions.covers($0) && !answers.awaits($0) }
    let (bytes, asked) = questions.bytes(asking: wanted, objects)
    answers.expect(asked)
    return bytes
  }

  /// Asks what is worth asking only now that other answers are there.
  ///
  /// That is a terminal that takes pictures, whether it finds them by name; for no other are
  /// objects made.
  ///
  /// - Returns: The bytes that ask.
  mutating func followUp(at now: Instant) -> [UInt8] {
    guard let questions, mediaStart == nil, answers.takesGraphics(.kittyDirect),
      !questions.media.isEmpty
    else { return [] }
    mediaStart = now
    isJudgementDue = false
    objects = HandedObjects()
    return ask(questions.media)
  }

  /// Takes what arrived.
  ///
  /// - Returns: Whether it was an answer.
  mutating func take(_ reply: TerminalReply) -> Bool { start != nil && answers.take(reply) }

  /// Lets time pass.
  mutating func elapse(to now: Instant) {
    // Once it has answered, it has looked for them.
    if objects != nil, !isMediaMissing || !awaitsAnswers(at: now) { objects = nil }
    guard let deadline = nextDeadline else { return }
    isJudgementDue = answers.isComplete && !isMediaMissing || now >= deadline
  }

  /// Whether answers are on their way.
  func awaitsAnswers(at now: Instant) -> Bool {
    isMissingAnswers(at: now, for: Self.patience, orBriefly: Self.shortPatience)
  }

  /// Whether the terminal should not be left yet, as answers are on their way.
  func delaysParting(at now: Instant) -> Bool {
    isMissingAnswers(at: now, for: Self.parting, orBriefly: Self.shortParting)
  }

  /// Whether answers are missing that are not given up after so many seconds.
  private func isMissingAnswers(
    at now: Instant, for patience: Double, orBriefly shortPatience: Double
  ) -> Bool {
    guard let start else { return false }
    let time = now.seconds(since: start)
    if !answers.isComplete, time < patience { return true }
    // What was not passed on by tmux is not answered.
    if questions?.manner == .tmux, !answers.isOuterComplete, time < shortPatience { return true }
    return isMediaMissing && mediaStart.map { now.seconds(since: $0) < shortPatience } ?? false
  }

  private var isMediaMissing: Bool {
    answers.awaits(.kittySharedMemory) || answers.awaits(.kittyFile)
  }
}
