/// The record of hints that were shown: a name per line in `$XDG_STATE_HOME/photogrid/hints`.
struct HintRecord {
  /// The names of hints that were shown.
  private(set) var names: Set<String>
  private let file: StateFile

  /// Reads the record, or creates its folder; nil if it cannot be written.
  init?(_ environment: [String: String]) {
    guard let file = StateFile("hints", environment) else { return nil }
    self.file = file
    names = Set(file.lines ?? [])
    guard file.makeWritable() else { return nil }
  }

  /// Records that a hint was shown; if the file cannot be written, the hint is shown again next
  /// time.
  mutating func add(_ name: String) {
    if names.insert(name).inserted { file.append(name) }
  }
}
