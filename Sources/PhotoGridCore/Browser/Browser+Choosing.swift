/// Choosing photos for other programs, and the hint for first-time users.
extension Browser {
  /// Quits with the marked photos, or with the current one if none is marked; if a folder is
  /// selected, opens it instead.
  mutating func choose(at now: Instant) {
    guard currentFolder == nil else { return open(selection, at: now) }
    let chosen = album.marks.isEmpty ? current.map { [$0] } ?? [] : album.markedInOrder
    if !chosen.isEmpty { effects.append(.choose(chosen)) }
  }

  /// Returns a line with the most important keys, as they are bound.
  package var keyHint: String {
    func key(_ command: Command, in view: KeyMap.View = .grid) -> String? {
      let entry = KeyMap.entry(of: command, in: view)
      return entry.flatMap { options.keys.keys(of: $0, in: view).first }
    }
    let parts = [
      key(.app(.choose)).map { "\($0) chooses" }, key(.navigation(.open)).map { "\($0) opens" },
      key(.app(.showPalette)).map { "\($0) finds commands" },
      key(.app(.toggleHelp)).map { "\($0) lists all keys" },
    ]
    return parts.compactMap(\.self).joined(separator: " · ")
  }
}
