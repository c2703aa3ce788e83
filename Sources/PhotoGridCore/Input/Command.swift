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
    /// Quit.
    case quit
    /// Quit and print the current photo's name.
    case quitAndPrint
    /// End as Ctrl-C does.
    case interrupt
    /// Quit with the marked photos or the current one; into a folder, if that is selected.
    case choose
    /// Give the terminal back to the shell until the program goes on.
    case suspend
    /// Draw everything again.
    case redraw
    /// List the folder again.
    case reload
    /// The help on, off.
    case toggleHelp
    /// The bar on, off.
    case toggleBar
    /// A fifth of the speed of all motion, or the usual one.
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
    /// To the neighbour in a direction; sideways with an open photo that fits, the previous or next.
    case left, right, up, down
    /// One photo on or back.
    case next, previous
    /// To the first or last photo, or to the one of the number typed before.
    case first, last
    /// By a screen of tiles; with an open photo by ten.
    case pageForward, pageBack
    /// By half a screen of tiles; with an open photo by ten.
    case halfPageForward, halfPageBack
    /// Ten photos on or back.
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
    /// Another of the layouts.
    case nextLayout, previousLayout
    /// Tiles a step larger or smaller.
    case largerTiles, smallerTiles
    /// Tiles of the usual size.
    case resetTiles
    /// To the next section, or back.
    case nextSection, previousSection
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
    /// By a step.
    case larger, smaller
    /// All of the photo, as large as the screen allows.
    case fit
    /// One pixel of the photo on one of the terminal.
    case actualSize
    /// From 100 % to fit, from everything else to 100 %.
    case toggleActualSize
    /// As wide as the screen, or so that no part of it stays free.
    case width, fill
  }

  /// What has to do with many photos at once.
  package enum AlbumCommand: Hashable, Sendable {
    /// Search for photos, and go to the next or previous one that was found.
    case find, findNext, findPrevious
    /// Show only photos that meet a filter.
    case filter
    /// Sort the photos.
    case sort(SortOrder)
    /// Another order by chance.
    case shuffle
    /// Put the photos into sections, or into none.
    case group(Grouping)
    /// Mark the photos of the current section.
    case markSection
    /// Go to the photos of a date that is typed.
    case goToDate
    /// Mark the current photo, or remove its mark.
    case mark
    /// Mark and go on to the next photo.
    case markOn
    /// Begin a range to be marked, or mark it.
    case range
    /// Mark all photos, those that are not marked, or none.
    case markAll, invertMarks, unmarkAll
    /// Only marked photos, or all.
    case showMarked
    /// Run a command.
    case shell
  }

  /// What has to do with the photos' files.
  package enum FileCommand: Hashable, Sendable {
    /// Move to the trash, undo that or a rename, rename.
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
