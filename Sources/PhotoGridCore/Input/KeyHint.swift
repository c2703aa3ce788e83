/// Hints in the status bar about the keys that can follow a prefix.
extension Browser {
  /// Returns the keys that can complete the pending sequence, with their commands; nil if no
  /// sequence is pending, and during its first half second.
  package func keyHint(at now: Instant) -> String? {
    keyboard.hint(in: options.keys, keyView, at: now)
  }

  /// Returns the text about the next key: a question to answer, or a sequence to complete; nil if
  /// neither is pending.
  func keyQuestion(at now: Instant) -> String? {
    if case .confirmation(let confirmation)? = mode.modal { return confirmation.question }
    return keyHint(at: now)
  }
}

extension KeyMap {
  /// Returns the second keys of the sequences that begin with a prefix, each with a word for its
  /// command.
  func hint(after prefix: String, in view: View) -> String {
    var names: [Command: [String]] = [:]
    for (name, command) in self[view] where name.count == 2 && name.hasPrefix(prefix) {
      names[command, default: []].append(String(name.dropFirst()))
    }
    // Of several keys for a command, prefer lowercase; all reversed orders share one note.
    var parts: [String] = []
    for command in Self.commands where !command.isReversed {
      guard let key = names[command]?.max() else { continue }
      parts.append("\(key) \(command.hintWord)")
    }
    if names.keys.contains(where: \.isReversed) { parts.append("capitals reverse") }
    return prefix + "  " + parts.joined(separator: " · ")
  }
}

extension Command {
  /// Whether the command sorts in reverse.
  fileprivate var isReversed: Bool {
    if case .album(.sort(let order)) = self { order.isReversed } else { false }
  }

  /// The shortest description of the command.
  fileprivate var hintWord: String {
    switch self {
    case .album(.sort(let order)): order.label
    case .album(.shuffle): "random"
    case .album(.group(.none)): "no sections"
    case .album(.group(let grouping)): "by \(grouping.rawValue)"
    default: name.split(separator: "-").joined(separator: " ")
    }
  }
}
