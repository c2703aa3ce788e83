/// The lines that were accepted in prompts.
struct PromptHistory: Equatable, Sendable {
  private var lines: [Prompt.Kind: [String]] = [:]

  /// The lines of a kind of prompt, oldest first.
  func lines(of kind: Prompt.Kind) -> [String] { lines[kind] ?? [] }

  /// Adds the line of a prompt as the newest one; names of files are not kept.
  mutating func add(_ text: String, of kind: Prompt.Kind) {
    guard !text.isEmpty, kind != .rename else { return }
    lines[kind, default: []].removeAll { $0 == text }
    lines[kind, default: []].append(text)
  }
}
