/// What may follow the first key of a sequence, as the bar shows it.
extension Browser {
  /// The keys that may follow those typed so far and what they do, after a short wait; nil where
  /// nothing is pending.
  package func keyHint(at now: Instant) -> String? {
    keyboard.hint(in: options.keys, keyView, at: now)
  }

  /// What the next key is about: a question to be answered, or a sequence to be completed.
  func keyQuestion(at now: Instant) -> String? {
    if case .confirmation(let confirmation)? = mode.modal { return confirmation.question }
    return keyHint(at: now)
  }
}

extension KeyMap {
  /// The second keys of the sequences that begin with a key, with a word for each command.
  func hint(after prefix: String, in view: View) -> String {
    var names: [Command: [String]] = [:]
    for (name, command) in self[view] where name.count == 2 && name.hasPrefix(prefix) {
      names[command, default: []].append(String(name.dropFirst()))
    }
    // Of several keys the small letter; orders from the last to the first have words in common.
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
  /// Whether it sorts from the last to the first.
  fileprivate var isReversed: Bool {
    if case .album(.sort(let order)) = self { order.isReversed } else { false }
  }

  /// What it does, as short as can be.
  fileprivate var hintWord: String {
    switch self {
    case .album(.sort(let order)): order.words
    case .album(.shuffle): "random"
    case .album(.group(.none)): "no sections"
    case .album(.group(let grouping)): "by \(grouping.rawValue)"
    default: name.split(separator: "-").joined(separator: " ")
    }
  }
}
