/// What a person can ask the browser to do by a key.
package enum Command: Hashable, Sendable {
  case left, right, up, down
  case open
  case next, previous
  case first, last
  case pageForward, pageBack, halfPageForward, halfPageBack
  case forwardTen, backTen
  case stepOut
  /// To the folder that this one is in.
  case goUp
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
  /// What is done to the photos' files.
  case files(FileCommand)
  case redraw, reload, suspend, interrupt
  case quit, quitAndPrint
  /// Leave with the marked photos or the present one; into a folder, if that is selected.
  case choose

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

  /// What has to do with the photos' files.
  package enum FileCommand: Hashable, Sendable {
    case trash, undo, rename
    /// Hand the path to the terminal's clipboard.
    case copyPath
    /// Open with another program.
    case open

    /// What it is called where it is refused.
    var words: String {
      switch self {
      case .trash: "the trash"
      case .undo: "undoing"
      case .rename: "renaming"
      case .copyPath: "copying the path"
      case .open: "opening with another program"
      }
    }
  }
}

/// One line of the key map: the keys, what they do, and the words of the help.
package struct KeyBinding: Equatable, Sendable {
  /// Each as it is written: "h", "gg", "Ctrl-f", "Enter", "F1".
  package let keys: [String]
  package let command: Command
  /// Nil: not listed in the help, or in the words of another line.
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
    KeyBinding(keys: ["s"], command: .startSlideshow, help: "slideshow, {n}s timed"),
    KeyBinding(keys: ["a"], command: .togglePlaying, help: "play, pause (. steps)"),
    KeyBinding(keys: ["."], command: .stepFrame, help: nil),
    KeyBinding(keys: ["A"], command: .toggleSlowMotion, help: "slow motion on, off"),
    KeyBinding(keys: ["Ctrl-l"], command: .redraw, help: "draw everything again"),
    KeyBinding(keys: ["Ctrl-z"], command: .suspend, help: "suspend"),
    KeyBinding(keys: ["?", "F1"], command: .toggleHelp, help: "this help"),
    KeyBinding(keys: ["q"], command: .quit, help: "quit (Q prints name)"),
    KeyBinding(keys: ["Q"], command: .quitAndPrint, help: nil),
    KeyBinding(keys: ["Ctrl-c"], command: .interrupt, help: nil),
    // Bound by --choose.
    KeyBinding(keys: [], command: .choose, help: nil),
    KeyBinding(keys: ["R", "F5"], command: .reload, help: "list the folder anew"),
  ]

  /// The keys of the grid alone.
  package static let grid: [KeyBinding] = [
    KeyBinding(keys: ["h", "Left"], command: .left, help: "left (l Right)"),
    KeyBinding(keys: ["j", "Down"], command: .down, help: "down (k Up)"),
    KeyBinding(keys: ["k", "Up"], command: .up, help: nil),
    KeyBinding(keys: ["l", "Right"], command: .right, help: nil),
    KeyBinding(keys: ["Enter"], command: .open, help: "open (BackSpace: up)"),
    KeyBinding(keys: ["t"], command: .toggleLabels, help: "names under tiles on, off"),
    KeyBinding(keys: ["Tab"], command: .nextLayout, help: "next layout"),
    KeyBinding(keys: ["Shift-Tab"], command: .previousLayout, help: nil),
    KeyBinding(keys: ["+"], command: .largerTiles, help: "larger (- smaller)"),
    KeyBinding(keys: ["-"], command: .smallerTiles, help: nil),
    KeyBinding(keys: ["0"], command: .resetTiles, help: nil),
    KeyBinding(keys: ["c"], command: .toggleCrop, help: "whole photos, clipped"),
    KeyBinding(keys: ["BackSpace"], command: .goUp, help: nil),
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

extension KeyBinding {
  /// The words of the help without those on other keys, which a key map of one's own makes wrong;
  /// what has no words is told by its name.
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
