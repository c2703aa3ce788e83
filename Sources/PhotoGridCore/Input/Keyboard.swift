/// The state of the keyboard: the keys of an incomplete command, the time at which to show how it
/// can continue, culling mode, and the history of prompts.
struct Keyboard: Equatable, Sendable {
  /// The pending count and sequence.
  var reader = KeyReader()
  /// Culling mode, in which single keys rate; nil unless it is on.
  var culling: Culling?
  /// The lines entered in prompts.
  var promptHistory = PromptHistory()
  /// The time at which the bar shows the keys that can follow; nil if no sequence is pending.
  private var hintDue: Instant?

  /// The delay from the first key of a sequence to the hint, in seconds.
  private static let hintDelay = 0.5

  /// The time at which the hint appears or appeared; nil if no sequence is pending.
  var nextChange: Instant? { reader.prefix.isEmpty ? nil : hintDue }

  /// Returns the keys that can complete the pending sequence, with their commands; nil before the
  /// delay is over, and without a pending sequence.
  func hint(in keys: KeyMap, _ view: KeyMap.View, at now: Instant) -> String? {
    guard let hintDue, hintDue <= now, !reader.prefix.isEmpty else { return nil }
    return keys.hint(after: reader.prefix, in: view)
  }

  /// Starts or cancels the delay of the hint after a key.
  mutating func updateHint(at now: Instant) {
    hintDue = reader.prefix.isEmpty ? nil : hintDue ?? now.advanced(bySeconds: Self.hintDelay)
  }
}
