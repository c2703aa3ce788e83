/// A command that a key can trigger, grouped by what it affects.
package enum Command: Hashable, Sendable {
  /// Affects the program as a whole, or whatever is shown.
  case app(AppCommand)
  /// Goes to another photo, or to another part of a photo larger than the screen.
  case navigation(Navigation)
  /// Affects the tiles of the grid.
  case grid(GridCommand)
  /// Affects the open photo.
  case viewer(ViewerCommand)
  /// Affects which photos are shown, marked and searched for.
  case album(AlbumCommand)
  /// Affects the photos' files.
  case files(FileCommand)
  /// Rates photos.
  case culling(CullingCommand)
  /// Compares photos.
  case comparison(ComparisonCommand)

  /// Commands that have the same meaning in the grid and in the viewer.
  package enum AppCommand: Hashable, Sendable {
    /// Quits.
    case quit
    /// Quits and prints the current photo's name.
    case quitAndPrint
    /// Quits as Ctrl-C does.
    case interrupt
    /// Quits with the marked photos or the current one; enters the folder instead if one is
    /// selected.
    case choose
    /// Suspends the program, so that the shell can use the terminal.
    case suspend
    /// Redraws the whole screen.
    case redraw
    /// Lists the folder again.
    case reload
    /// Shows or hides the help.
    case toggleHelp
    /// Shows or hides the status bar.
    case toggleBar
    /// Slows all motion to a fifth of its speed, or returns to the usual speed.
    case toggleSlowMotion
    /// Shows or hides the panel about the current photo.
    case toggleInformation
    /// Starts a slideshow.
    case startSlideshow
    /// Plays or pauses an animated photo.
    case togglePlaying
    /// Advances an animated photo by one frame, or by the number of frames typed before.
    case stepFrame
  }

  /// Movements between photos.
  ///
  /// The grid moves the selection; the viewer shows another photo, or moves the open one if it is
  /// larger than the screen.
  package enum Navigation: Hashable, Sendable {
    /// To the neighbor in a direction; in the viewer, left and right of a photo that fits the
    /// screen are the previous and next photo.
    case left, right, up, down
    /// To the next or previous photo.
    case next, previous
    /// To the first or last photo, or to the number typed before.
    case first, last
    /// By a screen of tiles; in the viewer, by ten photos.
    case pageForward, pageBack
    /// By half a screen of tiles; in the viewer, by ten photos.
    case halfPageForward, halfPageBack
    /// By ten photos.
    case forwardTen, backTen
    /// Into the selected photo or folder; out of an open photo.
    case open
    /// Out of whatever was entered last.
    case stepOut
  }

  /// Commands that change the layout of the tiles or leave the folder.
  package enum GridCommand: Hashable, Sendable {
    /// Goes to the parent folder.
    case goUp
    /// Shows or hides the names under the tiles.
    case toggleLabels
    /// Switches to another layout.
    case nextLayout, previousLayout
    /// Enlarges or shrinks the tiles by a step.
    case largerTiles, smallerTiles
    /// Zooms out from photos to months, or from months to years.
    case zoomOut
    /// Resets the tiles to their usual size.
    case resetTiles
    /// Goes to the next or the previous section.
    case nextSection, previousSection
    /// Switches between clipped and whole photos in the tiles.
    case toggleCrop
  }

  /// Commands that change the view of the open photo.
  package enum ViewerCommand: Hashable, Sendable {
    /// Zooms the photo.
    case zoom(Zoom)
    /// Moves a photo larger than the screen until its edge in a direction is visible.
    case edge(Direction)
    /// Rotates or flips the photo on the screen; its file remains unchanged.
    case turn(Orientation)
  }

  /// Changes of the zoom in the viewer.
  package enum Zoom: Hashable, Sendable {
    /// In or out by a step.
    case larger, smaller
    /// To the whole photo, as large as the screen allows.
    case fit
    /// To one pixel of the photo per pixel of the terminal.
    case actualSize
    /// From 100 % to fit; from everything else to 100 %.
    case toggleActualSize
    /// To the screen's width, or large enough to cover the screen.
    case width, fill
  }

  /// Commands that concern many photos at once.
  package enum AlbumCommand: Hashable, Sendable {
    /// Searches for photos, or goes to the next or previous match.
    case find, findNext, findPrevious
    /// Shows only the photos that pass a filter.
    case filter
    /// Sorts the photos.
    case sort(SortOrder)
    /// Shuffles the photos into a new random order.
    case shuffle
    /// Groups the photos into sections, or ends the grouping.
    case group(Grouping)
    /// Marks or unmarks the photos of the current section.
    case markSection
    /// Opens the prompt for a date to go to.
    case goToDate
    /// Marks or unmarks the current photo.
    case mark
    /// Marks the current photo and goes to the next.
    case markOn
    /// Begins a range of photos, or ends it and marks its photos.
    case range
    /// Marks all photos, inverts the marks, or removes them all.
    case markAll, invertMarks, unmarkAll
    /// Switches between marked photos and all.
    case showMarked
    /// Folds photos into stacks, or shows all of them.
    case toggleStacks
    /// Folds the stack of the current photo, or makes the photo the face of its stack.
    case foldStack, stackFace
    /// Runs a shell command.
    case shell
  }

  /// Commands that rate photos.
  package enum CullingCommand: Hashable, Sendable {
    /// Changes the rating of the marked photos or the current one.
    case rate(RatingEdit)
    /// Starts or ends culling mode.
    case toggleMode
  }

  /// Commands that compare photos side by side.
  package enum ComparisonCommand: Hashable, Sendable {
    /// Opens the marked photos side by side; without marks, the selected one and the next.
    case start
    /// Moves the focus to the next or previous photo.
    case focusNext, focusPrevious
    /// Moves the focus to the neighbor in a direction.
    case focus(Direction)
    /// Removes the focused photo from the comparison.
    case remove
    /// Pins the focused photo, so that it stays while the others are replaced, or unpins it.
    case pin
    /// Zooms only the focused photo, from 100 % to fit; from everything else to 100 %.
    case zoomAlone
    /// Moves only the focused photo, to show more of it in a direction.
    case panAlone(Direction)
  }

  /// Commands that concern the photos' files.
  package enum FileCommand: Hashable, Sendable {
    /// Moves photos to the trash, undoes the last change of files or ratings, or renames photos.
    case trash, undo, rename
    /// Moves or copies photos into a folder.
    case move, copy
    /// Writes the rotation chosen in the viewer into the photo's file.
    case turn
    /// Copies the path to the terminal's clipboard.
    case copyPath
    /// Opens the file with another program.
    case open

    /// The command's name in a message that it is unavailable.
    var label: String {
      switch self {
      case .trash: "the trash"
      case .undo: "undoing"
      case .rename: "renaming"
      case .move: "moving"
      case .copy: "copying"
      case .turn: "turning files"
      case .copyPath: "copying the path"
      case .open: "opening with another program"
      }
    }
  }
}
