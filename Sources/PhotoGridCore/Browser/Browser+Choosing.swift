/// Choosing photos for other programs, and the hint for first-time users.
extension Browser {
  /// Quits with the marked photos, or with the current one if none is marked; if a folder is
  /// selected, opens it instead.
  mutating func choose(at now: Instant, effects: inout [Effect]) {
    guard currentFolder == nil else { return open(selection, at: now, effects: &effects) }
    let chosen = album.marks.isEmpty ? current.map { [$0] } ?? [] : album.markedInOrder
    if !chosen.isEmpty { effects.append(.choose(chosen)) }
  }

  /// Returns a line with the most important keys, as they are bound.
  package func keyHint(usesMouse: Bool) -> String {
    func key(_ command: Command, in view: KeyMap.View = .grid) -> String? {
      let binding = KeyMap.binding(of: command, in: view)
      return binding.flatMap { options.keys.keys(of: $0, in: view).first }
    }
    let back = usesMouse ? "drag down" : key(.navigation(.stepOut), in: .detail)
    let parts = [
      key(.app(.choose)).map { "\($0) choose" }, key(.navigation(.open)).map { "\($0) open" },
      back.map { "\($0) to put back" }, key(.app(.toggleHelp)).map { "\($0) all keys" },
    ]
    return parts.compactMap(\.self).joined(separator: " · ")
  }
}
