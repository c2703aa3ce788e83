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
  /// The view whose keys apply.
  var keyView: KeyMap.View { get }
  /// Whether the photos fly to their tiles; the grid receives the keys already.
  var isClosing: Bool { get }
  var replacesGrid: Bool { get }
  /// Whether a mouse button is held on a photo.
  var isGrabbed: Bool { get }

  // MARK: - What commands apply to

  /// Returns the index of the photo, folder or saved filter that commands apply to; nil if there is
  /// none.
  func currentItem(in gallery: Gallery) -> Int?
  /// Returns the files that a command on photos applies to.
  func files(of photos: [Photo.ID], in album: Album) -> [Photo.ID]
  /// Returns the files that commands on several photos apply to.
  func chosenFiles(in gallery: Gallery) -> [Photo.ID]
  /// Returns what is said about marked photos that commands leave alone; nil if there are none.
  func keptMarksNote(in gallery: Gallery) -> String?
  /// Returns the note of a prompt about the chosen files, which is otherwise `hint`.
  func promptNote(or hint: String?, in gallery: Gallery) -> String?
  /// Returns the effect by which the program asks for new names of the chosen photos.
  func renaming(in gallery: Gallery) -> Effect?
  /// Trashes the chosen photos, or as many as `count`, perhaps after a question.
  func trash(_ count: Int?, in gallery: inout Gallery) -> [ScreenOutcome]
  /// Ends the range of photos that a command was applied to.
  func endRange(in gallery: inout Gallery)
  /// Returns the photo or folder whose path Ctrl-C copies at first; nil if it ends the program.
  func copiedItem(in gallery: Gallery) -> Photo.ID?

  // MARK: - Input

  /// Returns the command of a key that has a meaning of its own for the current photo; nil for other
  /// keys.
  func command(of key: Key, in gallery: Gallery) -> Command?
  /// Returns why the screen refuses a command; nil if it does not.
  func obstacle(to command: Command) -> String?
  /// Whether what a command of this screen alone toggles is on; nil for other commands.
  func isOn(_ command: Command) -> Bool?
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
  /// Returns the photo with which a slideshow begins, alone and whole; nil if no photo is open.
  mutating func photoAlone(in gallery: inout Gallery, at now: Instant) -> Viewer?
  /// Returns the photo at an index after a turn back to the screen; nil if another photo or none is
  /// open.
  func reopened(at index: Int, in gallery: inout Gallery, at now: Instant) -> Viewer?
  /// The screen that stays while a prompt, a question or the help is open.
  var screenUnderModal: any Screen { get }
  /// The photo that is open alone, also while it opens or closes; nil if no photo is.
  var openPhoto: Photo.ID? { get }

  // MARK: - Output

  func draw(into scene: inout Scene, _ frame: SceneFrame)
  /// Returns the opacity of the grid behind the screen; nil to leave it as it is.
  func gridOpacity(in gallery: Gallery, at now: Instant) -> Double?
  /// Whether the tile of an item behind the screen stays empty, as the item is out of it.
  func hidesTile(of item: Photo.ID, in gallery: Gallery) -> Bool
  func demands(in gallery: Gallery) -> ScreenDemands
  /// Returns the pictures that the screen waits for: `GalleryChange.prepared` must report each.
  func awaitedPictures(in gallery: Gallery) -> [Demand]
  /// Returns the indices of the items that are, or will be, visible.
  func visibleItems(in gallery: Gallery) -> [Int]
  /// Returns the visible and nearly visible folders whose previews are missing or out of date.
  func missingPreviews(in gallery: Gallery) -> [Photo.ID]
  /// Returns the photo whose animation plays; nil if there is none.
  func playedPhoto(in gallery: Gallery) -> PlayedPhoto?
  /// Whether any of the current photo, which is at an index, is visible.
  func showsPhoto(at index: Int, in gallery: Gallery) -> Bool
  /// Returns the picture of the photo at an index that its animation needs.
  func playedPicture(of index: Int, in gallery: Gallery) -> Demand
  /// Adds to the status bar what it says about the screen.
  func describe(_ content: inout StatusBar.Content, in gallery: Gallery)
  /// Returns the frame of the selected tile, which a panel should not hide; nil if there is none.
  func selectedTile(in gallery: Gallery) -> PixelRect?
  /// Whether the information panel may lie over the screen.
  var showsInformation: Bool { get }
  /// Whether the next event of the mouse may move what the screen shows.
  func followsPointer(in gallery: Gallery) -> Bool
  /// Whether time alone will make the next frame differ.
  func isAnimating(in gallery: Gallery, at now: Instant) -> Bool
  /// Returns the time of the next change without an event and without motion; nil if none is due.
  func nextChange(in gallery: Gallery) -> Instant?
}

/// What a screen or a command leaves to the browser.
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
  /// Tiles have moved, and photos that fly to them follow with this timing.
  case tiles(Timing)
  case viewport
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

  /// What a zoom leads to.
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

/// The photo of a screen whose animation or film plays.
struct PlayedPhoto {
  /// The index of the photo; nil if it has no tile.
  var index: Int?
  /// Whether the photo is on the whole screen, where a film plays at once and once.
  var isOpen: Bool
}

/// What a screen is drawn with.
struct SceneFrame {
  var gallery: Gallery
  var now: Instant
  var gridOpacity = 1.0
  var overlay: (any Screen)?
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

  func command(of key: Key, in gallery: Gallery) -> Command? { nil }
  func obstacle(to command: Command) -> String? { nil }
  func isOn(_ command: Command) -> Bool? { nil }
  var openPhoto: Photo.ID? { nil }
  func missingPreviews(in gallery: Gallery) -> [Photo.ID] { [] }
  func awaitedPictures(in gallery: Gallery) -> [Demand] { [] }
  func photoAlone(in gallery: inout Gallery, at now: Instant) -> Viewer? { nil }
  func reopened(at index: Int, in gallery: inout Gallery, at now: Instant) -> Viewer? { nil }
  var showsInformation: Bool { true }
}

extension Screen {
  /// Returns the index of the photo that commands apply to; nil if there is none.
  func currentIndex(in gallery: Gallery) -> Int? {
    currentItem(in: gallery).flatMap { gallery.collection.photoIndex($0) }
  }

  func current(in gallery: Gallery) -> Photo.ID? {
    currentIndex(in: gallery).map { gallery.items[$0] }
  }

  /// Returns the index of the folder or saved filter that is selected, to which commands about photos
  /// do not apply; nil if none is.
  func currentTile(in gallery: Gallery) -> Int? {
    currentItem(in: gallery).flatMap { $0 < gallery.collection.folderCount ? $0 : nil }
  }

  /// Returns the selected folder; nil if something else is selected.
  func currentFolder(in gallery: Gallery) -> Photo.ID? {
    currentTile(in: gallery).flatMap {
      $0 < gallery.album.shownFilterCount ? nil : gallery.items[$0]
    }
  }

  /// Returns the selected saved filter; nil if something else is selected.
  func currentFilter(in gallery: Gallery) -> FilterTile? {
    currentTile(in: gallery).flatMap { gallery.album.filterTile(gallery.items[$0]) }
  }

  func currentFiles(in gallery: Gallery) -> [Photo.ID] {
    current(in: gallery).map { files(of: [$0], in: gallery.album) } ?? []
  }
}

/// How tiles are shown.
extension Screen {
  func playedPhoto(in gallery: Gallery) -> PlayedPhoto? {
    currentIndex(in: gallery).map { PlayedPhoto(index: $0, isOpen: false) }
  }

  func showsPhoto(at index: Int, in gallery: Gallery) -> Bool {
    gallery.restingTileFrame(of: index).intersects(gallery.viewport.pictureArea)
  }

  func followsPointer(in gallery: Gallery) -> Bool { false }

  func selectedTile(in gallery: Gallery) -> PixelRect? {
    gallery.items.isEmpty ? nil : gallery.restingTileFrame(of: gallery.selection)
  }
}

/// What commands apply to among tiles: the range being selected, or else the marked photos, or else
/// the selected tile, which stands for its whole stack.
extension Screen {
  func files(of photos: [Photo.ID], in album: Album) -> [Photo.ID] { album.files(ofTiles: photos) }

  func chosenFiles(in gallery: Gallery) -> [Photo.ID] {
    let album = gallery.album
    if let range = gallery.rangePhotos { return album.files(ofTiles: range) }
    return album.marks.isEmpty ? currentFiles(in: gallery) : album.markedInOrder
  }

  func keptMarksNote(in gallery: Gallery) -> String? { nil }
  func promptNote(or hint: String?, in gallery: Gallery) -> String? { hint }

  /// Asks for the name of a single photo, or else for a pattern; marked photos get one in any case.
  func renaming(in gallery: Gallery) -> Effect? {
    let album = gallery.album
    let photos = album.grouped(chosenFiles(in: gallery)).map { $0[0] }
    guard photos.count > 1 || gallery.range == nil && !album.marks.isEmpty else {
      let isOther = current(in: gallery) == nil
      return (isOther ? photos.first : current(in: gallery)).map { .requestName($0) }
    }
    return .requestNames(photos)
  }

  /// Trashes photos from the selection on if there is a count, otherwise the chosen ones; the user
  /// must confirm if these are several tiles or in a stack.
  func trash(_ count: Int?, in gallery: inout Gallery) -> [ScreenOutcome] {
    let (album, range) = (gallery.album, gallery.rangePhotos)
    if let count {
      gallery.collection.rangeAnchor = nil
      guard gallery.selection >= gallery.collection.folderCount else {
        return [.notice("This works on photos, not folders", seconds: 2)]
      }
      return [album.trash(tiles: gallery.items[gallery.selection...].prefix(count))]
    }
    let chosen = range ?? album.markedInOrder
    // A range of one photo needs no confirmation, as it is the selected photo.
    guard !chosen.isEmpty, range == nil || chosen.count > 1 else {
      gallery.collection.rangeAnchor = nil
      let tiles = chosen.isEmpty ? current(in: gallery).map { [$0] } ?? [] : chosen
      return [album.trash(tiles: tiles[...])]
    }
    return [
      range == nil
        ? album.confirmTrash(of: album.files(of: chosen), .marked)
        : album.confirmTrash(of: album.files(ofTiles: chosen), .range)
    ]
  }

  func endRange(in gallery: inout Gallery) {
    if gallery.range != nil { gallery.collection.rangeAnchor = nil }
  }

  func copiedItem(in gallery: Gallery) -> Photo.ID? { nil }
}

extension Album {
  /// Returns what trashes the files that tiles stand for; if a tile is a stack, the user must
  /// confirm first.
  fileprivate func trash(tiles: ArraySlice<Photo.ID>) -> ScreenOutcome {
    let files = files(ofTiles: tiles)
    return tiles.contains { stackCount(of: $0) > 1 }
      ? confirmTrash(of: files, .tiles) : .request(trashing(files))
  }

  fileprivate func confirmTrash(of files: [Photo.ID], _ subject: Confirmation.Subject)
    -> ScreenOutcome
  {
    .present(
      .confirmation(
        .trash(
          Confirmation.Trashing(photos: files, count: photoCount(of: files), subject: subject))))
  }
}

/// A screen of open photos: commands apply to the current one only, regardless of marks.
protocol PhotoScreen: Screen {}

extension PhotoScreen {
  func files(of photos: [Photo.ID], in album: Album) -> [Photo.ID] { album.files(of: photos) }
  func chosenFiles(in gallery: Gallery) -> [Photo.ID] { currentFiles(in: gallery) }

  func keptMarksNote(in gallery: Gallery) -> String? {
    let isMarked = current(in: gallery).map { gallery.album.marks.contains($0) } ?? false
    let others = gallery.album.markedCount - (isMarked ? 1 : 0)
    return others > 0 ? "\(others) marked photo\(others == 1 ? "" : "s") not included" : nil
  }

  func promptNote(or hint: String?, in gallery: Gallery) -> String? {
    keptMarksNote(in: gallery).map { "only this photo; \($0)" }
  }

  func renaming(in gallery: Gallery) -> Effect? { current(in: gallery).map { .requestName($0) } }

  func trash(_ count: Int?, in gallery: inout Gallery) -> [ScreenOutcome] {
    [.request(gallery.album.trashing(currentFiles(in: gallery)))]
  }

  func endRange(in gallery: inout Gallery) {}

  func playedPhoto(in gallery: Gallery) -> PlayedPhoto? {
    currentIndex(in: gallery).map { PlayedPhoto(index: $0, isOpen: true) }
  }

  func showsPhoto(at index: Int, in gallery: Gallery) -> Bool { !isClosing }
  func selectedTile(in gallery: Gallery) -> PixelRect? { nil }
  func followsPointer(in gallery: Gallery) -> Bool { isGrabbed || gallery.isPointerDown }
}

/// The state of the pointer: a press on the grid, painting of marks, and double clicks.
struct Pointer: Equatable, Sendable {
  /// A press on the grid that may become a click.
  var gridPress: Drag?
  /// The current painting of marks with the right button.
  var painting: Painting?
  /// The time at which a drag ends by itself after the terminal has lost the focus; nil if none is
  /// scheduled.
  var lostDragEnd: Instant?
  /// The previous click, which a second one can make a double click.
  private var lastClick: Click?

  /// The longest time between the two clicks of a double click, in seconds.
  private static let doubleClickTime = 0.3
  /// The time after the loss of focus at which a drag ends, in seconds: another window may have
  /// received the release.
  private static let lostFocusTimeout = 5.0

  private struct Click: Equatable, Sendable {
    var position: PixelPoint
    var time: Instant
  }

  /// A drag with the right button that paints or removes marks.
  struct Painting: Equatable, Sendable {
    /// Whether the drag adds marks rather than removes them.
    var isMarking: Bool
    /// The pointer's last position, in pixels of the picture area.
    var last: PixelPoint
  }

  /// Whether a button is down on the grid.
  var isDown: Bool { gridPress != nil || painting != nil }

  mutating func release() { (gridPress, painting, lostDragEnd) = (nil, nil, nil) }

  /// Schedules the end of a drag, unless the pointer returns first.
  mutating func focusLost(at now: Instant) {
    lostDragEnd = now.advanced(bySeconds: Self.lostFocusTimeout)
  }

  /// Records a click.
  ///
  /// Every further quick click counts as the second of a double click too, so that the third click
  /// of a hasty hand does not close the photo that the first one opened.
  ///
  /// - Returns: Whether this click and the previous one make a double click.
  mutating func isDoubleClick(at position: PixelPoint, within reach: Double, _ now: Instant)
    -> Bool
  {
    defer { lastClick = Click(position: position, time: now) }
    guard let lastClick, now.seconds(since: lastClick.time) < Self.doubleClickTime else {
      return false
    }
    return lastClick.position.distance(to: position) < reach
  }
}
