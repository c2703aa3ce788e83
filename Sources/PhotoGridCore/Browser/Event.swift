/// A key, whatever bytes the terminal sent for it.
package enum Key: Hashable, Sendable {
  /// A key that types a character.
  case character(Character)
  /// A character with the Control key.
  case control(Character)
  /// Keys that end, cancel or remove what is typed.
  case enter, escape, tab, backTab, backspace, delete
  /// Keys that move.
  case up, down, left, right, home, end, pageUp, pageDown
  /// A function key by its number, from 1.
  case function(Int)
}

/// Something the mouse did, in pixels of the picture area.
package struct MouseEvent: Equatable, Sendable {
  /// What happened.
  package var kind: Kind
  /// Where the pointer was, in pixels of the picture area.
  package var position: PixelPoint
  /// Which keys were held.
  package var modifiers: Modifiers

  /// A mouse event at a place.
  package init(_ kind: Kind, at position: PixelPoint, modifiers: Modifiers = []) {
    self.kind = kind
    self.position = position
    self.modifiers = modifiers
  }

  /// What happened.
  package enum Kind: Equatable, Sendable {
    /// A button went down.
    case pressed(Button)
    /// A button went up.
    case released(Button)
    /// Movement with the button held.
    case dragged(Button)
    /// Movement with no button held.
    case moved
    /// The wheel turned by a notch.
    case wheel(Wheel)
  }

  /// A button that can be held.
  package enum Button: Equatable, Sendable { case left, middle, right }

  /// One notch of a wheel.
  package enum Wheel: Equatable, Sendable { case up, down, left, right }

  /// Keys held meanwhile.
  package struct Modifiers: OptionSet, Sendable {
    /// A bit for each key.
    package let rawValue: Int

    /// The set with the given bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The Shift key.
    package static let shift = Modifiers(rawValue: 1)
    /// The Alt key.
    package static let alt = Modifiers(rawValue: 2)
    /// The Control key.
    package static let control = Modifiers(rawValue: 4)
  }
}

/// What happened, for the browser to handle.
package enum Event: Equatable, Sendable {
  /// A key was typed.
  case key(Key)
  /// The mouse did something.
  case mouse(MouseEvent)
  /// Text came in as a whole, rather than key by key.
  case pasted(String)
  /// The terminal is no longer the one that keys go to.
  case focusLost
  /// The terminal is the one that keys go to.
  case focusGained
  /// The terminal has this size, and its cells these measures.
  case resized(CellSize, CellMetrics)
  /// More photos turned up in the listing, in its order; folders too, which `named` told by names
  /// that end in a slash.
  case found([Photo.ID])
  /// The photos on screen become these, in this order, each at most once: some may be new, others
  /// are gone.
  case arranged([Photo.ID])
  /// Photos have these names, those that are found later too.
  case named(NameBatch)
  /// Photos' files were looked at.
  case learned([Learned])
  /// Facts of photos' files, in the order of the photos, are known from an earlier session.
  case known([Photo.ID], FactBlock)
  /// The listing is complete.
  case listed(ListingNotes)
  /// A photo's size after orientation became known, and how many frames it has.
  case measured(Photo.ID, PixelSize, frames: Int = 1)
  /// What there is of an animated photo's frames has changed.
  case reeled(Photo.ID, Animation)
  /// A frame of the program was drawn, all of it or a part, since the line is slow.
  case drawn(isWhole: Bool)
  /// The selection is to go to the photo at an index, without motion.
  case jumped(to: Int)
  /// The photos of another folder take the place of those before.
  case moved(FolderMove)
  /// The folder that one came from turned up in the listing, or a photo of it.
  case landed(on: Photo.ID)
  /// A folder was looked into.
  case glanced(Photo.ID, FolderPreview)
  /// A slideshow is to begin.
  case slideshowAsked
  /// The picture of a photo on the screen is there, or there will be none.
  case prepared(Photo.ID, isShown: Bool)
  /// The last part of a photo's path, as it was asked for.
  case nameTold(Photo.ID, [UInt8])
  /// Tasks came to an end; photos that are trashed, or back, are out of the listing, or in it,
  /// already.
  case filed([FileResult])
  /// The bar shows a message for a while.
  case told(String)
  /// The session ends when the ordered file operations have; the bar says so.
  case leaving
  /// A frame is due, or something that was waited for has run out.
  case tick
}

/// What became known of a photo's file.
package struct Learned: Equatable, Sendable {
  /// The photo.
  package var photo: Photo.ID
  /// Nil where the file has changed and has to be read again.
  package var facts: FileFacts?

  /// Facts of a photo.
  package init(_ photo: Photo.ID, _ facts: FileFacts?) {
    self.photo = photo
    self.facts = facts
  }
}

/// What the program has to do after an event.
package enum Effect: Equatable, Sendable {
  /// Leave.
  case quit
  /// Leave and print the name of a photo.
  case quitPrinting(Photo.ID)
  /// Leave and print the names of photos that were chosen.
  case choose([Photo.ID])
  /// Leave as Ctrl-C does.
  case interrupt
  /// Give the terminal back to the shell until the program goes on.
  case suspend
  /// Give the terminal to a command until it ends.
  case run(ShellCommand)
  /// Do something to files, in this order; each task is answered by `filed`.
  case file([FileTask])
  /// Answer with the photo's name by `nameTold`.
  case tellName(Photo.ID)
  /// Hand the photo's path to the terminal's clipboard.
  case copyPath(Photo.ID)
  /// Open the photo with another program.
  case open(Photo.ID)
  /// Draw everything again, whatever is believed to be on the screen.
  case redraw
  /// Look at the folders once more.
  case reload
  /// Go into a folder that has a tile.
  case enter(Photo.ID)
  /// Go to the folder that this one is in.
  case goUp
}

/// What is left to say when a folder has been listed.
package struct ListingNotes: Equatable, Sendable {
  /// Files that are no images.
  package var skipped: Int
  /// Whether subfolders were entered because the folder has no photos of its own.
  package var wentDeeper: Bool
  /// Folders that could not be read.
  package var unreadable: Int
  /// Folders whose changes will not be noticed.
  package var unwatched: Int
  /// Why the one folder that was to be listed could not be read; printable words.
  package var failure: String?

  /// A summary of a listing.
  package init(
    skipped: Int = 0, wentDeeper: Bool = false, unreadable: Int = 0, unwatched: Int = 0
  ) {
    self.skipped = skipped
    self.wentDeeper = wentDeeper
    self.unreadable = unreadable
    self.unwatched = unwatched
  }
}
