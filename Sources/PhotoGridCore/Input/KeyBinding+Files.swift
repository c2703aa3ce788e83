extension KeyBinding {
  /// The keys for the photos' files.
  static let files: [KeyBinding] = [
    KeyBinding(keys: ["d"], command: .files(.trash), help: "to the trash (u undo)"),
    KeyBinding(keys: ["u"], command: .files(.undo), help: nil),
    KeyBinding(keys: ["r"], command: .files(.rename), help: "rename (o opens, yy copies)"),
    KeyBinding(keys: ["o"], command: .files(.open), help: nil),
    KeyBinding(keys: ["yy"], command: .files(.copyPath), help: nil),
  ]
}
