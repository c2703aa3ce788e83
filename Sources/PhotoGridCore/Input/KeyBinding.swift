/// A line of the key map: the keys, their command, and its help text.
package struct KeyBinding: Equatable, Sendable {
  /// The keys as the help writes them, such as "h", "gg", "Ctrl-f", "Enter" or "F1".
  package let keys: [String]
  /// The command that the keys trigger.
  package let command: Command
  /// The help text; nil if the help does not list the keys, or another line describes them.
  package let help: String?

  /// The keys that the grid and the viewer share.
  package static let common: [KeyBinding] = [
    KeyBinding(keys: ["gg", "Home"], command: .navigation(.first), help: "first, {n}gg nth"),
    KeyBinding(keys: ["G", "End"], command: .navigation(.last), help: "last, {n}G nth"),
    KeyBinding(keys: ["Ctrl-f", "PgDn"], command: .navigation(.pageForward), help: "page forward"),
    KeyBinding(keys: ["Ctrl-b", "PgUp"], command: .navigation(.pageBack), help: "page back"),
    KeyBinding(
      keys: ["Ctrl-d"], command: .navigation(.halfPageForward), help: "half a page (Ctrl-u)"),
    KeyBinding(keys: ["Ctrl-u"], command: .navigation(.halfPageBack), help: nil),
    KeyBinding(keys: ["]"], command: .navigation(.forwardTen), help: "ten on ([ back)"),
    KeyBinding(keys: ["["], command: .navigation(.backTen), help: nil),
    KeyBinding(keys: ["Esc"], command: .navigation(.stepOut), help: "one step out"),
    KeyBinding(keys: ["b"], command: .app(.toggleBar), help: "bar on, off"),
    KeyBinding(keys: ["i"], command: .app(.toggleInformation), help: "about the photo"),
    KeyBinding(keys: ["s"], command: .app(.startSlideshow), help: "slideshow, {n}s timed"),
    KeyBinding(keys: ["a"], command: .app(.togglePlaying), help: "play, pause (. steps)"),
    KeyBinding(keys: ["."], command: .app(.stepFrame), help: nil),
    KeyBinding(keys: ["A"], command: .app(.toggleSlowMotion), help: "slow motion on, off"),
    KeyBinding(keys: ["Ctrl-l"], command: .app(.redraw), help: "redraw (Ctrl-z stops)"),
    KeyBinding(keys: ["Ctrl-z"], command: .app(.suspend), help: nil),
    KeyBinding(keys: ["?", "F1"], command: .app(.toggleHelp), help: "this help"),
    KeyBinding(keys: ["q"], command: .app(.quit), help: "quit (Q prints name)"),
    KeyBinding(keys: ["Q"], command: .app(.quitAndPrint), help: nil),
    KeyBinding(keys: ["Ctrl-c"], command: .app(.interrupt), help: nil),
    // Bound by --choose.
    KeyBinding(keys: [], command: .app(.choose), help: nil),
    KeyBinding(keys: ["R", "F5"], command: .app(.reload), help: "list the folder again"),
  ]

  /// The keys of the grid only.
  package static let grid: [KeyBinding] = [
    KeyBinding(keys: ["h", "Left"], command: .navigation(.left), help: "left (l Right)"),
    KeyBinding(keys: ["j", "Down"], command: .navigation(.down), help: "down (k Up)"),
    KeyBinding(keys: ["k", "Up"], command: .navigation(.up), help: nil),
    KeyBinding(keys: ["l", "Right"], command: .navigation(.right), help: nil),
    KeyBinding(keys: ["}"], command: .grid(.nextSection), help: nil),
    KeyBinding(keys: ["{"], command: .grid(.previousSection), help: nil),
    KeyBinding(keys: ["Enter"], command: .navigation(.open), help: "open (BackSpace: up)"),
    KeyBinding(keys: ["t"], command: .grid(.toggleLabels), help: "names; zs: stacks (zc zt)"),
    KeyBinding(keys: ["Tab"], command: .grid(.nextLayout), help: "next layout"),
    KeyBinding(keys: ["Shift-Tab"], command: .grid(.previousLayout), help: nil),
    KeyBinding(keys: ["+"], command: .grid(.largerTiles), help: "larger (-); zo: months"),
    KeyBinding(keys: ["-"], command: .grid(.smallerTiles), help: nil),
    KeyBinding(keys: ["zo"], command: .grid(.zoomOut), help: nil),
    KeyBinding(keys: ["0"], command: .grid(.resetTiles), help: nil),
    KeyBinding(keys: ["c"], command: .grid(.toggleCrop), help: "whole photos, clipped"),
    KeyBinding(keys: ["BackSpace"], command: .grid(.goUp), help: nil),
  ]

  /// The keys of the viewer only.
  package static let detail: [KeyBinding] = [
    KeyBinding(
      keys: ["p", "BackSpace"], command: .navigation(.previous), help: "previous (h Left)"),
    KeyBinding(keys: ["n", "Space"], command: .navigation(.next), help: "next (l Right)"),
    KeyBinding(keys: ["h", "Left"], command: .navigation(.left), help: nil),
    KeyBinding(keys: ["l", "Right"], command: .navigation(.right), help: nil),
    KeyBinding(keys: ["k", "Up"], command: .navigation(.up), help: nil),
    KeyBinding(keys: ["j", "Down"], command: .navigation(.down), help: nil),
    KeyBinding(keys: ["Enter"], command: .navigation(.open), help: "to the grid"),
    KeyBinding(keys: ["+"], command: .viewer(.zoom(.larger)), help: "zoom in (- out, 0 fit)"),
    KeyBinding(keys: ["-"], command: .viewer(.zoom(.smaller)), help: nil),
    KeyBinding(keys: ["0"], command: .viewer(.zoom(.fit)), help: nil),
    KeyBinding(keys: ["z"], command: .viewer(.zoom(.toggleActualSize)), help: "100 %, fit"),
    KeyBinding(keys: ["="], command: .viewer(.zoom(.actualSize)), help: nil),
    KeyBinding(keys: ["w"], command: .viewer(.zoom(.width)), help: "fit width (f fill)"),
    KeyBinding(keys: ["f"], command: .viewer(.zoom(.fill)), help: nil),
    KeyBinding(keys: ["H"], command: .viewer(.edge(.left)), help: "to the edge (J K L)"),
    KeyBinding(keys: ["J"], command: .viewer(.edge(.down)), help: nil),
    KeyBinding(keys: ["K"], command: .viewer(.edge(.up)), help: nil),
    KeyBinding(keys: ["L"], command: .viewer(.edge(.right)), help: nil),
    KeyBinding(
      keys: [">"], command: .viewer(.turn(.quarterTurn)), help: "turn (<, | _; W saves)"),
    KeyBinding(keys: ["<"], command: .viewer(.turn(.quarterTurnBack)), help: nil),
    KeyBinding(keys: ["|"], command: .viewer(.turn(.mirrored)), help: nil),
    KeyBinding(keys: ["_"], command: .viewer(.turn(.flipped)), help: nil),
  ]
}

extension KeyBinding {
  /// The help text without its part in parentheses, or the command's name if there is no help text.
  ///
  /// The parentheses name other keys, which becomes wrong when those are rebound.
  package var plainHelp: String {
    guard let help else { return command.name.split(separator: "-").joined(separator: " ") }
    return help.split(separator: "(", maxSplits: 1)[0].trimmingSuffix(" ")
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ character: Character) -> String {
    var text = self
    while text.last == character { text.removeLast() }
    return String(text)
  }
}
