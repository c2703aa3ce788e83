/// One of the views that take turns on the picture area: the grid, an open photo, a slideshow,
/// photos side by side, or months and years.
///
/// The grid is always there, and at most one other screen lies over it. A screen handles commands
/// and the pointer, draws itself, and says which pictures it needs. It changes only itself and the
/// gallery that all screens share; everything else it returns as outcomes, which the browser
/// interprets in order.
protocol Screen: Sendable {
  /// The view whose keys apply.
  var keyView: KeyMap.View { get }
  /// Whether the photos fly to their tiles; the grid receives the keys already.
  var isClosing: Bool { get }
  var replacesGrid: Bool { get }
  /// Whether a mouse button is held on a photo.
  var isGrabbed: Bool { get }

  /// Returns the index of the photo that commands apply to; nil if there is none.
  func currentIndex(in gallery: Gallery) -> Int?

  // MARK: - Input

  /// Handles a key that does not begin a command; nil if the screen leaves the key to commands.
  mutating func press(_ key: Key, in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome]?
  mutating func run(
    _ command: Command, _ count: Int?, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome]?
  /// Handles a mouse event; nil if the screen leaves it to the grid.
  mutating func point(_ event: MouseEvent, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]?
  /// Ends every drag and press, as a release at rest would.
  mutating func endDrag(in gallery: inout Gallery, at now: Instant)
  /// Shows or selects the photo at an index.
  mutating func go(to index: Int, in gallery: inout Gallery, at now: Instant)
  /// Goes to the photos of a date, or the nearest one.
  mutating func go(to date: CalendarDate, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  /// Advances in culling mode after the current photo was rated, or passed if `edit` is nil;
  /// returns nil if the next photo in the grid's order follows.
  mutating func advance(after edit: RatingEdit?, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]?

  // MARK: - Changes

  /// Ends motions that are over; called before every event.
  mutating func settle(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome]
  /// Does what is due; called after every event.
  mutating func advance(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome]
  /// Adapts to a change of the gallery.
  mutating func follow(_ change: GalleryChange, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  /// The screen that stays while a prompt, a question or the help is open.
  var screenUnderModal: any Screen { get }

  // MARK: - Output

  func draw(into scene: inout Scene, _ frame: SceneFrame)
  /// Returns the opacity of the grid behind the screen; nil to leave it as it is.
  func gridOpacity(in gallery: Gallery, at now: Instant) -> Double?
  /// Whether the tile of an item behind the screen stays empty, as the item is out of it.
  func hidesTile(of item: Photo.ID, in gallery: Gallery) -> Bool
  func demands(in gallery: Gallery) -> ScreenDemands
  /// Returns the picture of the photo at an index that its animation needs.
  func playedPicture(of index: Int, in gallery: Gallery) -> Demand
  /// Adds to the status bar what it says about the screen.
  func describe(_ content: inout StatusBar.Content, in gallery: Gallery)
  /// Whether time alone will make the next frame differ.
  func isAnimating(in gallery: Gallery, at now: Instant) -> Bool
  /// Returns the time of the next change without an event and without motion; nil if none is due.
  func nextChange(in gallery: Gallery) -> Instant?
}

/// What a screen leaves to the browser.
enum ScreenOutcome {
  /// Show a message in the bar for a number of seconds.
  case notice(String, seconds: Double)
  /// Put a screen over the grid, in place of the present one; nil removes that one.
  case show((any Screen)?)
  /// Zoom to another grid.
  case zoom(GridZoom)
  /// Open the item at an index: a photo, a stack or a folder.
  case open(Int)
  /// Change the items.
  case change(@Sendable (inout PhotoCollection) -> Void)
  /// Mark photos, or remove their marks.
  case mark([Photo.ID], Bool)
  /// Lay out the tiles of photos that the user has rotated.
  case turned
  /// Take one step out of the range, the search, the filter or the marks.
  case stepOut
  case select(Photo.ID)
  /// Let the program do something.
  case effect(Effect)
  /// Begin the sequence of keys that a key begins.
  case beginSequence(Key)
}

/// A change of the gallery that a screen adapts to.
indirect enum GalleryChange {
  /// Items may have been added, removed or moved, or the listing is complete; `areOther` is whether
  /// the items or their order differ.
  case items(before: Gallery, areOther: Bool)
  /// More photos were found; their dates are not known yet.
  case appended
  /// Tiles have moved, and photos that fly to them follow with this timing.
  case tiles(Timing)
  case viewport
  /// Photos have another size than before, or one that was not known.
  case sizes([Photo.ID])
}

/// A zoom between the grid of photos and months or years.
struct GridZoom {
  var isInward: Bool
  /// The item of the outer grid whose contents the inner one shows; nil if there is none.
  var item: ItemID?
  var tile: PixelRect
  var destination: Destination

  /// What a zoom leads to.
  indirect enum Destination {
    /// Months or years.
    case periods(PeriodGrid)
    /// The photos of a month; nil for the photos without a date.
    case month(CalendarDate?)
    /// The photos as the user left them.
    case photos
  }
}

/// The pictures that a screen needs, most urgent first.
struct ScreenDemands {
  /// The pictures on the screen.
  var visible: [Demand] = []
  /// The pictures that a step or a little scrolling would show.
  var ahead: [Demand] = []
}

/// What a screen is drawn with.
struct SceneFrame {
  var gallery: Gallery
  var now: Instant
  var gridOpacity = 1.0
  var overlay: (any Screen)?
  /// Whether a photo is open over the grid, in any phase.
  var hasOpenPhoto = false
  var name: (Photo.ID) -> String
  /// Returns a finer picture of a part of a photo; nil if there is none.
  var closeUp: (Photo.ID) -> CloseUp?
}

/// What most screens do.
extension Screen {
  var isClosing: Bool { false }
  var replacesGrid: Bool { false }
  var isGrabbed: Bool { false }

  mutating func press(_ key: Key, in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome]? {
    nil
  }
  mutating func endDrag(in gallery: inout Gallery, at now: Instant) {}
  mutating func go(to index: Int, in gallery: inout Gallery, at now: Instant) {}

  mutating func go(to date: CalendarDate, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    GridScreen().go(to: date, in: &gallery, at: now)
  }

  mutating func advance(after edit: RatingEdit?, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]?
  {
    nil
  }

  mutating func advance(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] { [] }
  var screenUnderModal: any Screen { self }

  func gridOpacity(in gallery: Gallery, at now: Instant) -> Double? { nil }
  func hidesTile(of item: Photo.ID, in gallery: Gallery) -> Bool { false }
  func describe(_ content: inout StatusBar.Content, in gallery: Gallery) {}
  func nextChange(in gallery: Gallery) -> Instant? { nil }
}
