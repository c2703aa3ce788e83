/// A key, regardless of the bytes that the terminal sends for it.
package enum Key: Hashable, Sendable {
  /// A key that types a character.
  case character(Character)
  /// A character with the Control key.
  case control(Character)
  /// Keys that end, cancel or remove what is typed.
  case enter, escape, tab, backTab, backspace, delete
  /// Keys that move the selection or the caret.
  case up, down, left, right, home, end, pageUp, pageDown
  /// A function key by its number, from 1.
  case function(Int)
}

/// A press, a release, a movement or a notch of the wheel of the mouse.
package struct MouseEvent: Equatable, Sendable {
  package var kind: Kind
  /// The position of the pointer, in pixels of the picture area.
  package var position: PixelPoint
  package var modifiers: Modifiers

  package init(_ kind: Kind, at position: PixelPoint, modifiers: Modifiers = []) {
    self.kind = kind
    self.position = position
    self.modifiers = modifiers
  }

  package enum Kind: Equatable, Sendable {
    case pressed(Button)
    case released(Button)
    /// Movement with the button held.
    case dragged(Button)
    /// Movement with no button held.
    case moved
    /// The wheel turned by a notch.
    case wheel(Wheel)
  }

  package enum Button: Equatable, Sendable { case left, middle, right }

  /// One notch of a wheel.
  package enum Wheel: Equatable, Sendable { case up, down, left, right }

  package struct Modifiers: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }
}

/// An input, a result, or the passing of time, which the browser handles.
package enum Event: Equatable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  case pasted(String)
  /// The terminal lost the keyboard focus.
  case focusLost
  /// The terminal has the keyboard focus.
  case focusGained
  /// The terminal or its cells were resized.
  case resized(CellSize, CellMetrics)
  /// The listing found more photos and folders, in its order.
  ///
  /// The names of the folders arrive before them, in `named`, and end in a slash.
  case found([Photo.ID])
  /// The folder changed: these photos, in this order, each at most once, replace the listing.
  case listingReplaced([Photo.ID])
  /// Names of photos and folders became known, possibly before these are found.
  case named(NameBatch)
  /// Files of photos were read, in this session or as `isRecorded` says in an earlier one; unknown
  /// photos of the block stay as they are.
  case filesRead([Photo.ID], InfoBlock, isRecorded: Bool = false)
  /// Files of photos have changed and must be read again, or the contents of folders.
  case filesChanged([Photo.ID])
  /// Sidecars of photos have changed, so that their metadata must be read again.
  case sidecarsChanged([Photo.ID])
  case listed(ListingNotes)
  /// Frames of an animated photo were decoded or evicted.
  case framesUpdated(Photo.ID, Animation)
  /// A frame was drawn: all of it, or only a part if the connection is slow.
  case drawn(isWhole: Bool)
  /// A request to select the photo at an index, without motion.
  case jumped(to: Int)
  /// Another folder was opened; its photos replace the previous ones.
  case moved(FolderMove)
  /// The listing found the folder that was left, or a photo of it.
  case pendingSelectionFound(Photo.ID)
  /// The saved filters that get tiles in the present folder, instead of those before.
  case filtersFound([FilterTile])
  /// The preview of a folder arrived.
  case folderPreviewed(Photo.ID, FolderPreview)
  case slideshowRequested
  /// A picture that the slideshow waits for is ready, or cannot be shown.
  case prepared(Photo.ID, isShown: Bool)
  /// The file name of a photo, the answer to `Effect.requestName`.
  case nameReceived(Photo.ID, [UInt8])
  /// The file names of photos, the answer to `Effect.requestNames`.
  case namesReceived([RenamedFile])
  /// File operations ended; the listing has their results already.
  case fileOperationsFinished([FileResult])
  /// The share of the current files that has been copied, in percent.
  case filesCopied(Int)
  /// The folders that complete the path in the prompt, the answer to `Effect.findFolders`.
  case foldersFound(FolderMatches)
  /// Ratings were read from photos' files and sidecars.
  case ratingsUpdated([RatingUpdate])
  /// Pictures of photos were hashed, or cannot be hashed.
  case hashesUpdated([HashUpdate])
  /// The bytes of photos' files were hashed, or could not be read.
  case digestsUpdated([DigestUpdate])
  /// Ratings were written, or could not be written.
  case ratingsWritten([RatingResult])
  /// A day began.
  case dayBegan(CalendarDate)
  /// A message for the bar.
  case notice(String)
  /// The session ends as soon as the running file operations are complete; the bar says so.
  case leaving
  /// A frame is due, or a deadline has passed.
  case tick
}

/// Work for the program to do after an event.
package enum Effect: Equatable, Sendable {
  case quit
  /// Quit and print the name of a photo.
  case quitPrinting(Photo.ID)
  /// Quit and print the names of the chosen photos.
  case choose([Photo.ID])
  /// Quit as Ctrl-C does.
  case interrupt
  /// Give the terminal back to the shell until the program is resumed.
  case suspend
  /// Give the terminal to a command until it ends.
  case run(ShellCommand)
  /// Run file operations, in this order; `fileOperationsFinished` answers each.
  case file([FileTask])
  /// Write ratings, in this order; `ratingsWritten` answers each.
  case rate([RatingTask])
  /// Read the ratings of photos again; `ratingsUpdated` answers.
  case readRatings([Photo.ID])
  /// Look up the photo's file name; `nameReceived` answers.
  case requestName(Photo.ID)
  /// Look for the folders that complete a path; `foldersFound` answers.
  case findFolders(String)
  /// Offer a folder again in later sessions.
  case rememberFolder(String)
  /// Save a filter, with the folder that is shown.
  case saveFilter(NamedFilter)
  /// Look up the photos' file names; `namesReceived` answers.
  case requestNames([Photo.ID])
  /// Copy the path of the photo or folder to the terminal's clipboard.
  ///
  /// `quitsNext` is whether the same key ends the program if it is pressed again.
  case copyPath(Photo.ID, quitsNext: Bool = false)
  /// Copy the picture itself to the clipboard.
  case copyPicture(Photo.ID)
  /// Make the photo the wallpaper of the desktop.
  case setWallpaper(Photo.ID)
  case open(Photo.ID)
  case redraw
  case reload
  case enter(Photo.ID)
  case goUp
}

package struct ListingNotes: Equatable, Sendable {
  /// The number of files that are neither images nor videos, and belong to no image.
  package var skipped: Int
  /// The number of videos, apart from the films of live photos.
  package var videos: Int
  /// Whether subfolders were entered because the folder has no photos of its own.
  package var wentDeeper: Bool
  package var unreadable: Int
  /// The number of folders whose changes will not be noticed.
  package var unwatched: Int
  /// Why the only folder to list could not be read, printable; nil if it was read, or if there are
  /// several folders.
  package var failure: String?
  /// Whether a single photo was given, rather than found in a folder.
  package var isOnePhoto = false

  package init(
    skipped: Int = 0, videos: Int = 0, wentDeeper: Bool = false, unreadable: Int = 0,
    unwatched: Int = 0
  ) {
    self.skipped = skipped
    self.videos = videos
    self.wentDeeper = wentDeeper
    self.unreadable = unreadable
    self.unwatched = unwatched
  }
}
