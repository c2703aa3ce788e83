/// The keys that were typed of a command that is not complete, and when to show how it may go on.
struct Keyboard: Equatable, Sendable {
  /// Counts and sequences so far.
  var reader = KeyReader()
  /// The lines that were accepted in prompts.
  var promptHistory = PromptHistory()
  /// When the bar shows what may follow; nil where nothing is pending.
  private var hintDue: Instant?

  /// Seconds from the first key of a sequence until the bar shows what may follow.
  private static let hintDelay = 0.5

  /// When the hint appears, if it has not appeared yet.
  var nextChange: Instant? { reader.prefix.isEmpty ? nil : hintDue }

  /// The keys that may follow those typed so far and what they do; nil until the time has come.
  func hint(in keys: KeyMap, _ view: KeyMap.View, at now: Instant) -> String? {
    guard let hintDue, hintDue <= now, !reader.prefix.isEmpty else { return nil }
    return keys.hint(after: reader.prefix, in: view)
  }

  /// Starts or stops the time of the hint after a key.
  mutating func updateHint(at now: Instant) {
    hintDue = reader.prefix.isEmpty ? nil : hintDue ?? now.advanced(bySeconds: Self.hintDelay)
  }
}
