import Geometry
import Photos

/// A command that a key can trigger, grouped by what it affects.
///
/// Raw values are the names of commands in a configuration.
package enum Command: Hashable, Sendable {
  /// Affects the program as a whole, or whatever is shown.
  case app(AppCommand)
  /// Goes to another photo, or to another part of a photo larger than the screen.
  case navigation(Navigation)
  case grid(GridCommand)
  case viewer(ViewerCommand)
  /// Affects which photos are shown, marked and searched for.
  case album(AlbumCommand)
  /// Affects the photos' files.
  case files(FileCommand)
  case culling(CullingCommand)
  case comparison(ComparisonCommand)

  /// Commands that have the same meaning in every view.
  package enum AppCommand: String, Hashable, Sendable {
    case quit
    /// Quits and prints the current photo's name.
    case quitAndPrint = "quit-and-print"
    /// Quits as Ctrl-C does where it does not copy.
    case interrupt
    /// Quits with the marked photos or the current one; enters the folder instead if one is
    /// selected.
    case choose
    /// Suspends the program, so that the shell can use the terminal.
    case suspend
    case redraw
    case reload
    case toggleHelp = "help"
    /// Opens the prompt for commands at the path of a folder, or at the bookmarks.
    case openFolder = "open-folder"
    case showBookmarks = "bookmarks"
    /// Bookmarks the folder that is shown, or removes its bookmark.
    case toggleBookmark = "bookmark-folder"
    /// Opens the prompt for commands.
    case showPalette = "palette"
    case toggleBar = "bar"
    /// Slows all motion to a fifth of its speed, or returns to the usual speed.
    case toggleSlowMotion = "slow-motion"
    /// Changes the speed of an open film or animation; without one, turns slow motion on or off.
    case changeSpeed = "speed"
    case fullMotion = "motion-full"
    case reducedMotion = "motion-reduced"
    case noMotion = "motion-none"
    /// Shows or hides the panel about the current photo.
    case toggleInformation = "information"
    case startSlideshow = "slideshow"
    /// Plays or pauses an animated photo.
    case togglePlaying = "play"
    /// Advances an animated photo by one frame, or by the number of frames typed before.
    case stepFrame = "step-frame"
    /// Goes back in a film by one frame, or by the number of frames typed before.
    case stepFrameBack = "step-frame-back"
  }

  /// Movements between photos.
  ///
  /// The grid moves the selection; the viewer shows another photo, or moves the open one if it is
  /// larger than the screen.
  package enum Navigation: String, Hashable, Sendable {
    /// To the neighbor in a direction; in the viewer, left and right of a photo that fits the
    /// screen are the previous and next photo.
    case left, right, up, down
    case next, previous
    /// To the first or last photo, or to the number typed before.
    case first, last
    /// By a screen of tiles; in the viewer, by ten photos.
    case pageForward = "page-forward"
    case pageBack = "page-back"
    /// By half a screen of tiles; in the viewer, by ten photos.
    case halfPageForward = "half-page-forward"
    case halfPageBack = "half-page-back"
    case tenForward = "ten-forward"
    case tenBack = "ten-back"
    /// Into the selected photo or folder; out of an open photo.
    case open
    /// Out of whatever was entered last.
    case stepOut = "step-out"
  }

  package enum GridCommand: String, Hashable, Sendable {
    /// Goes to the parent folder.
    case goUp = "up-a-folder"
    case toggleLabels = "labels"
    case nextLayout = "next-layout"
    case previousLayout = "previous-layout"
    case gridLayout = "layout-grid"
    case mosaicLayout = "layout-mosaic"
    case bentoLayout = "layout-bento"
    case rowsLayout = "layout-rows"
    /// Enlarges the tiles by a step.
    case largerTiles = "larger-tiles"
    case smallerTiles = "smaller-tiles"
    /// Zooms out from photos to months, or from months to years.
    case zoomOut = "months"
    case resetTiles = "reset-tiles"
    case nextSection = "next-section"
    case previousSection = "previous-section"
    /// Switches between clipped and whole photos in the tiles.
    case toggleCrop = "crop"

    /// The layout that the command chooses by its name; nil for other commands.
    var layout: LayoutStyle.Kind? {
      switch self {
      case .gridLayout: .grid
      case .mosaicLayout: .mosaic
      case .bentoLayout: .bento
      case .rowsLayout: .rows
      default: nil
      }
    }
  }

  /// Commands that change the view of the open photo.
  package enum ViewerCommand: Hashable, Sendable {
    case zoom(Zoom)
    /// Moves a photo larger than the screen until its edge in a direction is visible.
    case edge(Direction)
    /// Rotates or flips the open photo, or the chosen tiles, on the screen; files remain unchanged.
    case turn(Orientation)
  }

  /// Changes of the zoom in the viewer.
  package enum Zoom: String, Hashable, Sendable {
    /// In or out by a step.
    case larger = "zoom-in"
    case smaller = "zoom-out"
    /// To the whole photo, as large as the screen allows.
    case fit = "zoom-fit"
    /// To one pixel of the photo per pixel of the terminal.
    case actualSize = "zoom-actual-size"
    /// From 100 % to fit; from everything else to 100 %.
    case toggleActualSize = "zoom-toggle"
    /// To the screen's width.
    case width = "zoom-width"
    /// Large enough to cover the screen.
    case fill = "zoom-fill"
  }

  /// Commands that concern many photos at once.
  package enum AlbumCommand: Hashable, Sendable {
    /// Searches for photos, or goes to the next or previous match.
    case find, findNext, findPrevious
    case filter
    /// Waits for a digit or `*`, and shows only photos with that rating, or all again.
    case filterStars
    case sort(SortOrder)
    /// Shuffles the photos into a new random order.
    case shuffle
    /// Groups the photos into sections, or ends the grouping.
    case group(Grouping)
    /// Marks or unmarks the photos of the current section.
    case markSection
    case goToDate
    case mark
    /// Marks the current photo and goes to the next.
    case markOn
    /// Begins a range of photos, or ends it and marks its photos.
    case range
    case markAll, invertMarks, unmarkAll
    case showMarked
    /// Folds photos into stacks, or shows all of them.
    case toggleStacks
    /// Folds the stack of the current photo, or makes the photo the cover of its stack.
    case foldStack, stackFace
    case shell
  }

  package enum CullingCommand: Hashable, Sendable {
    /// Changes the rating of the marked photos or the current one.
    case rate(AnnotationEdit)
    case toggleMode
    /// Opens the prompt for the keywords of photos.
    case keywords
    /// Opens the prompt for the titles or the captions of photos.
    case text(TextEdit.Field)

    /// What the command changes, in the plural unless it is a rating.
    var noun: String {
      switch self {
      case .rate, .toggleMode: "rating"
      case .keywords: "keywords"
      case .text(let field): "\(field.rawValue)s"
      }
    }
  }

  package enum ComparisonCommand: Hashable, Sendable {
    /// Opens the marked photos side by side; without marks, the selected one and the next.
    case start
    case focusNext, focusPrevious
    /// Moves the focus to the neighbor in a direction.
    case focus(Direction)
    case remove
    /// Pins the focused photo, so that it stays while the others are replaced, or unpins it.
    case pin
    /// Zooms only the focused photo, from 100 % to fit; from everything else to 100 %.
    case zoomAlone
    /// Moves only the focused photo, to show more of it in a direction.
    case panAlone(Direction)
  }

  package enum FileCommand: String, Hashable, Sendable {
    case trash
    /// Undoes the last change of files or ratings, or does again what was undone last.
    case undo, redo
    case rename, move, copy
    /// Saves the rotations of the chosen photos in their files or sidecars.
    case turn = "write-turn"
    case copyPath = "copy-path"
    case copyPicture = "copy-picture"
    case open = "open-with"

    /// The command's name in a message that it is unavailable.
    var label: String {
      switch self {
      case .trash: "the trash"
      case .undo: "undoing"
      case .redo: "redoing"
      case .rename: "renaming"
      case .move: "moving"
      case .copy: "copying"
      case .turn: "saving rotations"
      case .copyPath: "copying paths"
      case .copyPicture: "copying pictures"
      case .open: "other programs"
      }
    }
  }
}

// MARK: - Names

extension Command {
  /// The command's name in a configuration, such as `page-forward`.
  package var name: String {
    switch self {
    case .app(let command): command.rawValue
    case .navigation(let command): command.rawValue
    case .grid(let command): command.rawValue
    case .viewer(let command): command.name
    case .album(let command): command.name
    case .files(let command): command.rawValue
    case .culling(let command): command.name
    case .comparison(let command): command.name
    }
  }

  /// Creates the command with the given name; nil if no key can be bound to it.
  package init?(named name: String) {
    guard let command = KeyMap.commands.first(where: { $0.name == name }) else { return nil }
    self = command
  }
}

extension Command.ViewerCommand {
  fileprivate var name: String {
    switch self {
    case .zoom(let zoom): zoom.rawValue
    case .edge(let direction): "edge-\(direction.name)"
    case .turn(.quarterTurn): "turn-right"
    case .turn(.quarterTurnBack): "turn-left"
    case .turn(.mirrored): "mirror"
    case .turn(let orientation): orientation == .flipped ? "flip" : "turn-\(orientation.number)"
    }
  }
}

extension Command.CullingCommand {
  fileprivate var name: String {
    switch self {
    case .rate(.stars(Rating.rejected)): "reject"
    case .rate(.stars(let stars)): "rate-\(stars)"
    case .rate(.label(let label)): "label-\(label?.rawValue ?? "none")"
    // Opened by a prompt, not by a key.
    case .rate(.keywords), .rate(.text): "words"
    case .toggleMode: "cull"
    case .keywords: "keywords"
    case .text(let field): "edit-\(field.rawValue)"
    }
  }
}

extension Command.ComparisonCommand {
  fileprivate var name: String {
    switch self {
    case .start: "compare"
    case .focusNext: "focus-next"
    case .focusPrevious: "focus-previous"
    case .focus(let direction): "focus-\(direction.name)"
    case .remove: "take-out"
    case .pin: "pin"
    case .zoomAlone: "zoom-toggle-alone"
    case .panAlone(let direction): "move-\(direction.name)-alone"
    }
  }
}

extension Command.AlbumCommand {
  fileprivate var name: String {
    switch self {
    case .find: "find"
    case .findNext: "find-next"
    case .findPrevious: "find-previous"
    case .filter: "filter"
    case .filterStars: "filter-stars"
    case .sort(let order): "sort-\(order.keyName)\(order.isReversed ? "-reversed" : "")"
    case .shuffle: "shuffle"
    case .group(let grouping): "group-\(grouping.rawValue)"
    case .markSection: "mark-section"
    case .goToDate: "go-to-date"
    case .mark: "mark"
    case .markOn: "mark-and-next"
    case .range: "mark-range"
    case .markAll: "mark-all"
    case .invertMarks: "invert-marks"
    case .unmarkAll: "unmark-all"
    case .showMarked: "show-marked"
    case .toggleStacks: "stacks"
    case .foldStack: "fold-stack"
    case .stackFace: "stack-face"
    case .shell: "shell"
    }
  }
}

extension Direction {
  fileprivate var name: String {
    switch self {
    case .left: "left"
    case .right: "right"
    case .up: "up"
    case .down: "down"
    }
  }
}
