/// What the user asks for by a key, by what it is about.
package enum Command: Hashable, Sendable {
  /// The program as a whole, or whatever is shown.
  case app(AppCommand)
  /// Another photo, or another part of one that is larger than the screen.
  case navigation(Navigation)
  /// The tiles of the grid.
  case grid(GridCommand)
  /// The open photo.
  case viewer(ViewerCommand)
  /// Which photos are shown, marked and searched for.
  case album(AlbumCommand)
  /// The photos' files.
  case files(FileCommand)

  /// Commands that mean the same in the grid and with an open photo.
  package enum AppCommand: Hashable, Sendable {
    case quit
    /// Quit and print the current photo's name.
    case quitAndPrint
    /// End as Ctrl-C does.
    case interrupt
    /// Quit with the marked photos or the current one; into a folder, if that is selected.
    case choose
    case suspend
    /// Draw everything again.
    case redraw
    /// List the folder again.
    case reload
    case toggleHelp
    case toggleBar
    case toggleSlowMotion
    /// The panel about the current photo.
    case toggleInformation
    /// Photos one after the other by themselves.
    case startSlideshow
    /// Play or pause an animated photo.
    case togglePlaying
    /// Go on by a frame of an animated photo.
    case stepFrame
  }

  /// Ways from one photo to another; the grid moves the selection, the viewer shows another photo,
  /// or moves the open one where it is larger than the screen.
  package enum Navigation: Hashable, Sendable {
    case left, right, up, down
    case next, previous
    case first, last
    case pageForward, pageBack
    case halfPageForward, halfPageBack
    case forwardTen, backTen
    /// Into the photo or folder; out of a photo that is open.
    case open
    /// Out of the last thing that was entered.
    case stepOut
  }

  /// How the tiles of the grid are laid out, and the folder that they are of.
  package enum GridCommand: Hashable, Sendable {
    /// To the folder that this one is in.
    case goUp
    /// Names under the tiles.
    case toggleLabels
    case nextLayout, previousLayout
    case largerTiles, smallerTiles
    /// Tiles of the usual size.
    case resetTiles
    /// Clipped photos or whole ones in their tiles.
    case toggleCrop
  }

  /// How the open photo is seen.
  package enum ViewerCommand: Hashable, Sendable {
    /// Larger, smaller, or as the screen allows.
    case zoom(Zoom)
    /// Moves a photo that is larger than the screen so that its edge is in sight.
    case edge(Direction)
    /// Turns or flips the photo on the screen; its file stays as it is.
    case turn(Orientation)
  }

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
