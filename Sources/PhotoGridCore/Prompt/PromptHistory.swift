/// The lines entered in prompts.
struct PromptHistory: Equatable, Sendable {
  private var lines: [Prompt.Kind: [String]] = [:]

  /// Returns the lines of a kind of prompt, oldest first.
  func lines(of kind: Prompt.Kind) -> [String] { lines[key(of: kind)] ?? [] }

  /// Returns the kind whose lines a prompt recalls: moving and copying share their folders.
  private func key(of kind: Prompt.Kind) -> Prompt.Kind { kind == .copy ? .move : kind }

  /// Adds a line as the newest one; file names are not stored.
  mutating func add(_ text: String, of kind: Prompt.Kind) {
    guard !text.isEmpty, kind != .rename else { return }
    lines[key(of: kind), default: []].removeAll { $0 == text }
    lines[key(of: kind), default: []].append(text)
  }
}
