extension KeyBinding {
  /// The key that starts a comparison, in the grid.
  package static let comparing: [KeyBinding] = [
    // The help text of `markAll` mentions this key.
    KeyBinding(keys: ["="], command: .comparison(.start), help: nil)
  ]

  /// The keys that only the comparison has, and the keys for zoom and rotation.
  package static let compare: [KeyBinding] =
    [
      KeyBinding(
        keys: ["Tab"], command: .comparison(.focusNext), help: "focus (arrows too)"),
      KeyBinding(keys: ["Shift-Tab"], command: .comparison(.focusPrevious), help: nil),
      KeyBinding(keys: ["Left"], command: .comparison(.focus(.left)), help: nil),
      KeyBinding(keys: ["Right"], command: .comparison(.focus(.right)), help: nil),
      KeyBinding(keys: ["Up"], command: .comparison(.focus(.up)), help: nil),
      KeyBinding(keys: ["Down"], command: .comparison(.focus(.down)), help: nil),
      KeyBinding(keys: ["x"], command: .comparison(.remove), help: "take out, close up"),
      KeyBinding(keys: ["P"], command: .comparison(.pin), help: "pin (n p: the others)"),
      KeyBinding(
        keys: ["n", "Space"], command: .navigation(.next), help: "next photos (l)"),
      KeyBinding(
        keys: ["p", "BackSpace"], command: .navigation(.previous), help: "previous photos (h)"),
      KeyBinding(keys: ["Enter"], command: .navigation(.open), help: "open one, Esc all home"),
      KeyBinding(keys: ["h"], command: .navigation(.left), help: nil),
      KeyBinding(keys: ["l"], command: .navigation(.right), help: nil),
      KeyBinding(keys: ["k"], command: .navigation(.up), help: nil),
      KeyBinding(keys: ["j"], command: .navigation(.down), help: nil),
      KeyBinding(
        keys: ["z"], command: .viewer(.zoom(.toggleActualSize)), help: "100 %, fit (Z alone)"),
      KeyBinding(keys: ["Z"], command: .comparison(.zoomAlone), help: nil),
      KeyBinding(keys: ["H"], command: .comparison(.panAlone(.left)), help: "move one (J K L)"),
      KeyBinding(keys: ["J"], command: .comparison(.panAlone(.down)), help: nil),
      KeyBinding(keys: ["K"], command: .comparison(.panAlone(.up)), help: nil),
      KeyBinding(keys: ["L"], command: .comparison(.panAlone(.right)), help: nil),
    ] + fromDetail

  /// The keys for zoom and rotation, the same as in the viewer.
  private static var fromDetail: [KeyBinding] {
    detail.compactMap { binding in
      switch binding.command {
      case .viewer(.edge), .viewer(.zoom(.toggleActualSize)), .navigation: nil
      default: KeyBinding(keys: binding.keys, command: binding.command, help: nil)
      }
    }
  }

  /// The keys of `common` that also work in the comparison.
  static let commonInComparison: [KeyBinding] = common.filter { binding in
    switch binding.command {
    case .navigation(let command): command == .stepOut
    default: true
    }
  }
}
