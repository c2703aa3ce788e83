import Geometry
import Photos
import SceneModel

/// An input, a result, or the passing of time, which the browser handles.
package enum Event: Equatable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  case pasted(String)
  /// The terminal can carry what the left button drags to other windows, for as long as it is held.
  case dragOffered
  /// Another program dropped files at a position in pixels of the picture area; the folder that is shown
  /// has this absolute path.
  case dropped(DroppedFiles, in: [UInt8], at: PixelPoint)
  /// Files became known, which are to be copied into a folder: those of a group together; the answer to
  /// `Effect.identify`.
  case identified([[Photo.ID]], FileDestination)
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
  /// Frames of a video were decoded or evicted.
  case framesUpdated(Photo.ID, DecodedFrames)
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
  /// Another folder is shown, or the folders to go back to have changed.
  case placesChanged(Places)
  case slideshowRequested
  /// A picture that the slideshow waits for is ready, or cannot be shown.
  case prepared(Photo.ID, isShown: Bool)
  /// The file name of a photo, the answer to `Effect.requestName`.
  case nameReceived(Photo.ID, [UInt8])
  /// The file names of photos, the answer to `Effect.requestNames`.
  case namesReceived([RenamedFile])
  /// File operations were performed; the listing has their results already.
  case fileOperationsFinished([FileOperation])
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
  /// Ratings and keywords were written, or could not be.
  case annotationsWritten([AnnotationResult])
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
  case file([FileOperation])
  /// Let the terminal carry the files of photos to other windows, with the picture of one of them.
  case dragOut([Photo.ID], showing: Photo.ID)
  /// Give files an identity, by their paths, so that they can be copied; `identified` answers.
  case identify([[[UInt8]]], FileDestination)
  /// Write ratings and keywords, in this order; `annotationsWritten` answers each.
  case annotate([AnnotationTask])
  /// Read the ratings of photos again; `ratingsUpdated` answers.
  case readRatings([Photo.ID])
  /// Look up the photo's file name; `nameReceived` answers.
  case requestName(Photo.ID)
  /// Look for the folders that complete a path; `foldersFound` answers.
  case findFolders(String)
  /// Offer a folder again in later sessions.
  case rememberFolder(String)
  /// Go to the folder of a path that the user typed.
  case openFolder(String)
  /// Bookmark a folder in later sessions, or not.
  case bookmark(String, Bool)
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
  case open(Photo.ID)
  case redraw
  case reload
  case enter(Photo.ID)
  case goUp
}
