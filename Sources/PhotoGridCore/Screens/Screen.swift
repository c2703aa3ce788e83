import Geometry
import Photos
import SceneModel

/// One of the views that take turns on the picture area: the grid, an open photo, a slideshow,
/// photos side by side, or months and years.
///
/// The grid is always there, and at most one other screen lies over it. A screen handles commands
/// and the pointer, draws itself, and says which pictures it needs. It changes only itself and the
/// gallery that all screens share; everything else it returns as outcomes, which the browser
/// interprets in order.
protocol Screen: Sendable {
  var traits: ScreenTraits { get }
  /// Returns the index of the photo, folder or saved filter that commands apply to; nil if there is
  /// none.
  func currentItem(in gallery: Gallery) -> Int?

  // MARK: - Input

  mutating func perform(
    _ command: Command, _ count: Int?, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome]?
  /// Handles a mouse event; nil if the screen leaves it to the grid.
  mutating func point(_ event: MouseEvent, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]?
  /// Shows or selects the photo at an index.
  mutating func go(to index: Int, in gallery: inout Gallery, at now: Instant)
  /// Goes to the photos of a date, or the nearest one.
  mutating func go(to date: CalendarDate, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]

  // MARK: - Changes

  /// Ends motions that are over; called before every event.
  mutating func settle(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome]
  /// Does what is due; called after every event.
  mutating func advance(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome]
  /// Adapts to a change of the gallery.
  mutating func follow(_ change: GalleryChange, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]

  // MARK: - Output

  func draw(into scene: inout Scene, _ frame: SceneFrame)
  func demands(in gallery: Gallery) -> ScreenDemands
  /// Returns the indices of the items that are, or will be, visible.
  func visibleItems(in gallery: Gallery) -> [Int]
  /// Adds to the status bar what it says about the screen.
  func describe(_ content: inout StatusBar.Content, in gallery: Gallery)
  /// Whether time alone will make the next frame differ.
  func isAnimating(in gallery: Gallery, at now: Instant) -> Bool
  /// Returns the time of the next change without an event and without motion; nil if none is due.
  func nextChange(in gallery: Gallery) -> Instant?
}

/// A screen of open photos over the grid: commands apply to the current one only, regardless of
/// marks.
protocol PhotoScreen: Screen {
  /// Returns the photo with which a slideshow begins, alone and whole; nil if no photo is open.
  func photoAlone(in gallery: inout Gallery, at now: Instant) -> Viewer?
  /// Returns the photo at an index after a turn back to the screen; nil if another photo or none is
  /// open.
  func reopened(at index: Int, in gallery: inout Gallery, at now: Instant) -> Viewer?
  /// Returns the opacity of the grid behind the screen; nil to leave it as it is.
  func gridOpacity(in gallery: Gallery, at now: Instant) -> Double?
  /// Whether the tile of an item behind the screen stays empty, as the item is out of it.
  func hidesTile(of item: Photo.ID, in gallery: Gallery) -> Bool
  /// Returns the photo whose video plays; nil if there is none.
  func playedPhoto(in gallery: Gallery) -> PlayedPhoto?
  /// Returns the picture of the photo at an index that its frames need.
  func playedPicture(of index: Int, in gallery: Gallery) -> Demand
  /// Whether any of the current photo, which is at an index, is visible.
  func showsPhoto(at index: Int, in gallery: Gallery) -> Bool
}

/// The properties of a screen at a moment.
struct ScreenTraits {
  /// The view whose keys apply.
  var keyView: KeyMap.View
  /// Whether the photos fly to their tiles; the grid receives the keys already.
  var isClosing = false
  var replacesGrid = false
  /// Whether a mouse button is held on a photo.
  var isGrabbed = false
  /// Whether the information panel may lie over the screen.
  var showsInformation = true
  /// The photo that is open alone, also while it opens or closes; nil if no photo is.
  var openPhoto: Photo.ID?
}

/// A task that a screen or a command leaves to the browser.
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
  /// Change files.
  case request([FileOperation])
  /// Open a prompt, a page of the help, or a question.
  case present(Modal)
  /// Open the prompt of a kind about the current photo or the chosen ones.
  case ask(Prompt.Kind)
  /// Lay out the tiles of photos that the user has rotated.
  case turned
  case select(Photo.ID)
  /// Show or select the item at an index.
  case go(to: Int)
  /// Apply new facts, if they are due.
  case refresh
  /// Start queued file operations, unless one is running or the user is asked about one.
  case startQueued
  /// Let the program do something.
  case effect(Effect)
  /// Begin the sequence of keys that a key begins.
  case beginSequence(Key)
  /// Take the next key as a number of stars.
  case awaitStars
  /// Go on with what the outcomes before this one decide, such as which photos are shown; the screen
  /// is the one that receives the keys by then.
  case then(@Sendable (inout Gallery, any Screen, Instant) -> [ScreenOutcome])
}

/// A change of the gallery that a screen adapts to.
enum GalleryChange {
  /// Items may have been added, removed or moved, or the listing is complete; `areOther` is whether
  /// the items or their order differ.
  case items(before: Gallery, areOther: Bool)
  /// More photos were found; their dates are not known yet.
  case appended
  /// Every press and drag of the mouse has ended, as a release at rest would end it.
  case pressesEnded
  /// Tiles have moved, and photos that fly to them follow with this timing.
  case tiles(Timing)
  case viewport
  /// Open photos have another part of the picture area than in the former viewport.
  case room(before: Viewport)
  /// The size of the picture area or of its pixels is another.
  case resized
  /// The picture that fills the screen is ready, or cannot be shown.
  case prepared(Photo.ID, isShown: Bool)
  /// Files have changed.
  case filesChanged([Photo.ID])
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

  /// The grid to which a zoom leads.
  enum Destination {
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

/// The photo of a screen whose video plays.
struct PlayedPhoto {
  /// The index of the photo; nil if it has no tile.
  var index: Int?
  /// Whether the photo is on the whole screen, where a film plays at once and once.
  var isOpen: Bool
}

/// The values with which a screen is drawn.
struct SceneFrame {
  var gallery: Gallery
  var now: Instant
  var gridOpacity = 1.0
  /// The screen of open photos over the grid; nil if there is none.
  var photoScreen: (any PhotoScreen)?
  var name: (Photo.ID) -> String
  /// Returns a finer picture of a part of a photo; nil if there is none.
  var closeUp: (Photo.ID) -> CloseUp?
}

extension Screen {
  mutating func go(to index: Int, in gallery: inout Gallery, at now: Instant) {}

  mutating func go(to date: CalendarDate, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    GridScreen().go(to: date, in: &gallery, at: now)
  }

  mutating func advance(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] { [] }
  func describe(_ content: inout StatusBar.Content, in gallery: Gallery) {}
  func nextChange(in gallery: Gallery) -> Instant? { nil }
}

extension PhotoScreen {
  func reopened(at index: Int, in gallery: inout Gallery, at now: Instant) -> Viewer? { nil }

  func playedPhoto(in gallery: Gallery) -> PlayedPhoto? {
    currentIndex(in: gallery).map { PlayedPhoto(index: $0, isOpen: true) }
  }

  func showsPhoto(at index: Int, in gallery: Gallery) -> Bool { !traits.isClosing }
}
