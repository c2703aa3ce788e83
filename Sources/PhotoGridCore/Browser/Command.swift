/// What a person can ask the browser to do by a key.
package enum Command: Hashable, Sendable {
  case left, right, up, down
  case open
  case next, previous
  case first, last
  case pageForward, pageBack, halfPageForward, halfPageBack
  case forwardTen, backTen
  case stepOut
  case toggleHelp, toggleBar, toggleLabels, toggleSlowMotion
  /// The panel about the present photo.
  case toggleInformation
  /// Photos one after the other by themselves.
  case startSlideshow
  case nextLayout, previousLayout
  case largerTiles, smallerTiles, resetTiles
  /// Clipped photos or whole ones in their tiles.
  case toggleCrop
  /// Sees the photo on the screen larger, smaller, or as the screen allows.
  case zoom(Zoom)
  /// Moves a photo that is larger than the screen so that its edge is in sight.
  case edge(Direction)
  /// Turns or flips the photo on the screen, for the eye alone.
  case turn(Orientation)
  /// An animated photo plays or stands; or goes on by a frame.
  case togglePlaying, stepFrame
  /// Which photos are shown, marked and looked for.
  case album(AlbumCommand)
  case redraw, reload, suspend, interrupt
  case quit, quitAndPrint
  /// A key of the interface whose work is not done yet.
  case unbuilt(String)

  /// The ways to change how large a photo is on the screen.
  package enum Zoom: Hashable, Sendable {
    case larger, smaller
    case fit
    /// One pixel of the photo on one of the terminal.
    case actualSize
    /// From 100 % to fit, from everything else to 100 %.
    case toggleActualSize
    case width, fill
  }

  /// What has to do with many photos at once.
  package enum AlbumCommand: Hashable, Sendable {
    case find, findNext, findPrevious
    case filter
    case sort(SortOrder)
    /// Another order by chance.
    case shuffle
    case mark
    /// Mark and go on to the next photo.
    case markOn
    /// Begin a range to be marked, or mark it.
    case range
    case markAll, invertMarks, unmarkAll
    /// Only marked photos, or all.
    case showMarked
    /// Run a command.
    case shell
  }
}

/// One line of the key map: the keys, what they do, and the words of the help.
package struct KeyBinding: Sendable {
  /// Each as it is written: "h", "gg", "Ctrl-f", "Enter", "F1".
  package let keys: [String]
  package let command: Command
  /// Nil: not listed in the help (because it is not built yet).
  package let help: String?

  /// The keys of both views.
  package static let common: [KeyBinding] = [
    KeyBinding(keys: ["gg", "Home"], command: .first, help: "first, {n}gg nth"),
    KeyBinding(keys: ["G", "End"], command: .last, help: "last, {n}G nth"),
    KeyBinding(keys: ["Ctrl-f", "PgDn"], command: .pageForward, help: "page forward"),
    KeyBinding(keys: ["Ctrl-b", "PgUp"], command: .pageBack, help: "page back"),
    KeyBinding(keys: ["Ctrl-d"], command: .halfPageForward, help: "half a page (Ctrl-u)"),
    KeyBinding(keys: ["Ctrl-u"], command: .halfPageBack, help: nil),
    KeyBinding(keys: ["]"], command: .forwardTen, help: "ten on ([ back)"),
    KeyBinding(keys: ["["], command: .backTen, help: nil),
    KeyBinding(keys: ["Esc"], command: .stepOut, help: "one step out"),
    KeyBinding(keys: ["b"], command: .toggleBar, help: "bar on, off"),
    KeyBinding(keys: ["i"], command: .toggleInformation, help: "about the photo"),
    KeyBinding(keys: ["s"], command: .startSlideshow, help: "slideshow, Space waits"),
    KeyBinding(keys: ["a"], command: .togglePlaying, help: "play, pause (. steps)"),
    KeyBinding(keys: ["."], command: .stepFrame, help: nil),
    KeyBinding(keys: ["A"], command: .toggleSlowMotion, help: "slow motion on, off"),
    KeyBinding(keys: ["Ctrl-l"], command: .redraw, help: "draw everything again"),
    KeyBinding(keys: ["Ctrl-z"], command: .suspend, help: "suspend"),
    KeyBinding(keys: ["?", "F1"], command: .toggleHelp, help: "this help"),
    KeyBinding(keys: ["q"], command: .quit, help: "quit (Q prints name)"),
    KeyBinding(keys: ["Q"], command: .quitAndPrint, help: nil),
    KeyBinding(keys: ["Ctrl-c"], command: .interrupt, help: nil),
    KeyBinding(keys: ["d"], command: .unbuilt("trash"), help: nil),
    KeyBinding(keys: ["u"], command: .unbuilt("undo"), help: nil),
    KeyBinding(keys: ["r"], command: .unbuilt("rename"), help: nil),
    KeyBinding(keys: ["yy"], command: .unbuilt("copying the path"), help: nil),
    KeyBinding(keys: ["o"], command: .unbuilt("opening with another program"), help: nil),
    KeyBinding(keys: ["R", "F5"], command: .reload, help: "list the folder anew"),
  ]

  /// The keys of the grid alone.
  package static let grid: [KeyBinding] = [
    KeyBinding(keys: ["h", "Left"], command: .left, help: "left (l Right)"),
    KeyBinding(keys: ["j", "Down"], command: .down, help: "down (k Up)"),
    KeyBinding(keys: ["k", "Up"], command: .up, help: nil),
    KeyBinding(keys: ["l", "Right"], command: .right, help: nil),
    KeyBinding(keys: ["Enter"], command: .open, help: "open"),
    KeyBinding(keys: ["t"], command: .toggleLabels, help: "names under tiles on, off"),
    KeyBinding(keys: ["Tab"], command: .nextLayout, help: "next layout"),
    KeyBinding(keys: ["Shift-Tab"], command: .previousLayout, help: nil),
    KeyBinding(keys: ["+"], command: .largerTiles, help: "larger (- smaller)"),
    KeyBinding(keys: ["-"], command: .smallerTiles, help: nil),
    KeyBinding(keys: ["0"], command: .resetTiles, help: nil),
    KeyBinding(keys: ["c"], command: .toggleCrop, help: "whole photos, clipped"),
    KeyBinding(keys: ["BackSpace"], command: .unbuilt("going up a folder"), help: nil),
  ]

  /// The keys of a photo on the whole screen.
  package static let detail: [KeyBinding] = [
    KeyBinding(keys: ["p", "BackSpace"], command: .previous, help: "previous (h Left)"),
    KeyBinding(keys: ["n", "Space"], command: .next, help: "next (l Right)"),
    KeyBinding(keys: ["h", "Left"], command: .left, help: nil),
    KeyBinding(keys: ["l", "Right"], command: .right, help: nil),
    KeyBinding(keys: ["k", "Up"], command: .up, help: nil),
    KeyBinding(keys: ["j", "Down"], command: .down, help: nil),
    KeyBinding(keys: ["Enter"], command: .open, help: "to the grid"),
    KeyBinding(keys: ["+"], command: .zoom(.larger), help: "zoom in (- out, 0 fit)"),
    KeyBinding(keys: ["-"], command: .zoom(.smaller), help: nil),
    KeyBinding(keys: ["0"], command: .zoom(.fit), help: nil),
    KeyBinding(keys: ["z"], command: .zoom(.toggleActualSize), help: "100 %, fit"),
    KeyBinding(keys: ["="], command: .zoom(.actualSize), help: nil),
    KeyBinding(keys: ["w"], command: .zoom(.width), help: "fit width (f fill)"),
    KeyBinding(keys: ["f"], command: .zoom(.fill), help: nil),
    KeyBinding(keys: ["H"], command: .edge(.left), help: "to the edge (J K L)"),
    KeyBinding(keys: ["J"], command: .edge(.down), help: nil),
    KeyBinding(keys: ["K"], command: .edge(.up), help: nil),
    KeyBinding(keys: ["L"], command: .edge(.right), help: nil),
    KeyBinding(keys: [">"], command: .turn(.quarterTurn), help: "turn (<), flip (| _)"),
    KeyBinding(keys: ["<"], command: .turn(.quarterTurnBack), help: nil),
    KeyBinding(keys: ["|"], command: .turn(.mirrored), help: nil),
    KeyBinding(keys: ["_"], command: .turn(.flipped), help: nil),
  ]
}

/// Turns keys into commands: prefixes such as `gg`, and counts.
package struct KeyReader: Equatable, Sendable {
  /// A command with the count typed before it.
  package struct Reading: Equatable, Sendable {
    package var command: Command
    /// Nil where no digits were typed.
    package var count: Int?
  }

  /// Digits typed so far.
  package private(set) var count: Int?
  /// Keys typed of a longer sequence, as they are written.
  private var prefix = ""

  private static let gridMap = map(
    KeyBinding.grid + KeyBinding.gridAlbum + KeyBinding.common + KeyBinding.album)
  private static let detailMap = map(
    KeyBinding.detail + KeyBinding.common + KeyBinding.album)

  /// The keys that sequences of two begin with: `gg`, `,n`, but not `F1` or `Up`.
  private static let prefixes: Set<Character> = {
    var first: Set<Character> = []
    for key in [gridMap, detailMap].flatMap(\.keys) where key.count == 2 {
      if let character = key.first, !character.isUppercase { first.insert(character) }
    }
    return first
  }()

  private static func map(_ bindings: [KeyBinding]) -> [String: Command] {
    var result: [String: Command] = [:]
    for binding in bindings {
      for key in binding.keys { result[key] = binding.command }
    }
    return result
  }

  /// A reader that has seen nothing.
  package init() {}

  /// Takes one key; returns the command that it completes, if any.
  package mutating func read(_ key: Key, inDetail: Bool) -> Reading? {
    let name = Self.name(of: key)
    if prefix.isEmpty, let digit = key.digit, digit > 0 || count != nil {
      // Enough for any folder, and no overflow however long one types.
      count = min((count ?? 0) * 10 + digit, 99_999_999)
      return nil
    }
    let map = inDetail ? Self.detailMap : Self.gridMap
    let typed = prefix + name
    prefix = ""
    if let command = map[typed] ?? map[name] {
      defer { count = nil }
      return Reading(command: command, count: count)
    }
    if let first = typed.first, typed.count == 1, Self.prefixes.contains(first) {
      prefix = typed
    } else {
      count = nil
    }
    return nil
  }

  /// Forgets digits and prefixes.
  package mutating func reset() { self = KeyReader() }

  /// Whether something is typed that waits for more.
  package var isPending: Bool { count != nil || !prefix.isEmpty }

  private static func name(of key: Key) -> String {
    switch key {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .control(let character): "Ctrl-\(character)"
    case .enter: "Enter"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backTab: "Shift-Tab"
    case .backspace: "BackSpace"
    case .delete: "Delete"
    case .up: "Up"
    case .down: "Down"
    case .left: "Left"
    case .right: "Right"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .function(let number): "F\(number)"
    }
  }
}

extension Key {
  /// The value of a digit key.
  fileprivate var digit: Int? {
    guard case .character(let character) = self, character.isASCII else { return nil }
    return character.wholeNumberValue
  }
}
