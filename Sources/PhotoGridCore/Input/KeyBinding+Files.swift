extension KeyBinding {
  /// The keys for commands on the photos' files, in every view.
  static let files: [KeyBinding] = [
    KeyBinding(keys: ["d"], command: .files(.trash), help: "to the trash (u undo)"),
    KeyBinding(keys: ["u"], command: .files(.undo), help: nil),
    KeyBinding(keys: ["r"], command: .files(.rename), help: "rename (M moves, yc copies)"),
    KeyBinding(keys: ["M"], command: .files(.move), help: nil),
    KeyBinding(keys: ["yc"], command: .files(.copy), help: nil),
    KeyBinding(keys: ["W"], command: .files(.turn), help: nil),
    KeyBinding(keys: ["o"], command: .files(.open), help: nil),
    KeyBinding(keys: ["yy"], command: .files(.copyPath), help: nil),
  ]
}
