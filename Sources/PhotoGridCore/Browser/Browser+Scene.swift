import Geometry
import Photos
import SceneModel

/// The output for the user: the scene, its pictures, and the animated photo that plays.
extension Browser {
  /// Returns the contents of the picture area at a moment, back to front.
  ///
  /// `name` returns the printable name of a photo or folder for its label, and `closeUp` a finer
  /// picture of a part of a photo, or nil if only the picture of the whole photo exists.
  package func scene(
    at now: Instant, name: @escaping (Photo.ID) -> String = { _ in "" },
    closeUp: @escaping (Photo.ID) -> CloseUp? = { _ in nil }
  ) -> Scene {
    screens.scene(of: gallery, at: now, name: name, closeUp: closeUp)
  }

  package func visibleTiles(at now: Instant) -> [Photo.ID] {
    let top = grid.scroll.value(at: now)
    return grid.visibleIndices(in: gallery.gridContext(at: now))
      .filter {
        grid.layout.frame(at: $0).offset(x: 0, y: -top).intersects(viewport.pictureArea)
      }
      .map { items[$0] }
  }

  /// The shape of the pointer, by what a press on the picture area does.
  package var pointerShape: PointerShape {
    switch modal {
    case .prompt, .palette: return .text
    case .help, .confirmation: return .standard
    case nil: break
    }
    switch activeScreen {
    case let viewer as Viewer: return viewer.pointerShape(in: gallery)
    case is Slideshow: return .standard
    case is Comparison: return activeScreen.traits.isGrabbed ? .grabbing : .standard
    default: return items.isEmpty ? .standard : .pointer
    }
  }

  /// The message in the bar; nil if there is none.
  package var notice: String? { statusBar.notice?.text }

  // MARK: - Pictures

  /// Returns the pictures that are needed now, most urgent first; none while the visible tiles are
  /// about to change.
  package func demands(at now: Instant) -> [Demand] {
    screens.isOrderProvisional(in: gallery, at: now) ? [] : demands
  }

  /// The pictures that the current screen needs, most urgent first.
  package var demands: [Demand] { screens.demands(in: gallery) }

  /// The memory that drawing takes, in bytes, which is a part of the memory for pictures.
  package var drawingByteCount: Int { gallery.drawingByteCount }

  /// A function that returns a photo's distance from the visible tiles, in items.
  ///
  /// The distance is 0 for a visible photo, also on the tile of a folder, a month or a year, and
  /// `Int.max` for a photo without a tile.
  package var distanceFromViewport: (Photo.ID) -> Int { screens.distanceFromViewport(in: gallery) }

  /// The demand for the frames needed now; nil if nothing plays.
  package var frameDemand: FrameDemand? { screens.frameDemand(in: gallery) }

  package func folderPreview(of folder: Photo.ID) -> FolderPreview? {
    gallery.folders.previews[folder]
  }

  // MARK: - What must be read

  /// The visible and nearly visible folders whose previews are missing or out of date, nearest to
  /// the selection first.
  package var missingPreviews: [Photo.ID] {
    screens.covering?.traits.replacesGrid == true ? [] : screens.grid.missingPreviews(in: gallery)
  }

  /// The photos whose files must be read: for the pattern while one is typed, else for the album.
  package var missingFacts: [Photo.ID] {
    guard let missing = modal?.missingFacts(in: album) else {
      // The same array as long as nothing changes, which is compared with the last one in no time.
      let urgent = gallery.missingCaptions + album.known.outdated.photos
      return urgent.isEmpty ? collection.missingFacts : urgent + collection.missingFacts
    }
    return missing.isEmpty ? collection.missingFacts : missing
  }

  /// The photos whose ratings must be read: for the pattern while one is typed, else for the album.
  package var missingRatings: [Photo.ID] {
    let missing = modal?.missingRatings(in: album) ?? []
    return missing.isEmpty ? collection.missingRatings : missing
  }

  /// The files on the screen whose ratings are not known: of the open photo, of compared photos,
  /// and of photos with visible tiles.
  package var visibleUnrated: [Photo.ID] { screens.visibleUnrated(in: gallery) }

  /// The photos in visible groups of near duplicates whose bytes must be compared.
  package var uncomparedFiles: [Photo.ID] { screens.uncomparedFiles(in: gallery) }
}

/// The status bar, the window title, and the panels.
extension Browser {
  package func bar(_ facts: Bar.Facts, at now: Instant) -> Bar {
    modal?.bar ?? statusBar.bar(statusContent(facts), at: now)
  }

  package func title(_ facts: Bar.Facts) -> String { statusBar.title(statusContent(facts)) }

  func statusContent(_ facts: Bar.Facts) -> StatusBar.Content {
    let frameCount = facts.info?.frameCount ?? 1
    var content = StatusBar.Content(
      facts: facts, collection: collection, selection: selection, photoIndex: currentIndex,
      isFolder: currentFolder != nil, commandPhotoCount: 0, count: keyboard.reader.count,
      fileProgress: files.progress, isLeaving: files.isLeaving,
      frames: frameCount > 1
        ? gallery.playback?.frameLabel(frameCount: frameCount) ?? "\(frameCount) frames"
        : current.flatMap { gallery.playback(of: $0)?.filmLabel },
      isReadOnly: options.isReadOnly,
      culling: keyboard.culling?.status(left: album.unratedCount),
      rating: current.flatMap { album.rating(of: $0) }?.symbols)
    let leaving = files.isLeaving ? "Will quit when file operations finish; q quits now" : nil
    content.question = leaving ?? modal?.question
    content.choice = options.keys.choiceSummary(in: keyView)
    modal?.describe(&content, over: activeScreen, in: gallery)
    for screen in screens.all { screen.describe(&content, in: gallery) }
    return content
  }

  /// Returns the panel to show; nil if the browser shows none, so that one about the current item
  /// may be shown.
  package func panel(at now: Instant) -> Panel? { keyHints(at: now)?.panel ?? panel }

  /// The panel that is open, apart from the keys that can complete a sequence.
  package var panel: Panel? {
    guard let modal else {
      return Panel(statusBar.notice?.text, in: viewport) ?? collection.emptyPanel(in: viewport)
    }
    return modal.panel(helpLayout, statusBar, in: gallery)
  }

  var helpLayout: HelpLayout {
    HelpLayout(keys: options.keys, view: keyView, room: viewport.pictureCells)
  }

  /// The keys that can complete the pending sequence; nil if no sequence is pending, before the
  /// delay is over, and if they are turned off.
  func keyHints(at now: Instant) -> KeyHints? {
    guard options.showsHints, modal == nil,
      let prefix = keyboard.hintedPrefix(at: now)
    else { return nil }
    return KeyHints(after: prefix, in: keyView, of: options.keys, room: viewport.pictureCells)
  }

  /// The photo that the panel describes; nil if the panel is hidden or describes a folder.
  package var inspectedPhoto: Photo.ID? { showsInformation ? current : nil }

  /// The folder that the panel describes; nil if the panel is hidden or describes a photo.
  package var inspectedFolder: Photo.ID? { showsInformation ? currentFolder : nil }

  private var showsInformation: Bool { hasInformation && modal?.coversScreen != true }

  /// Whether the panel about the current item is open, even if a list lies over it.
  var hasInformation: Bool {
    statusBar.showsInformation && screens.all.allSatisfy(\.traits.showsInformation)
  }

  /// Returns the side on which the panel is drawn: the left if a panel on the right would hide the
  /// selected tile and a panel on the left would not, otherwise the right.
  package func position(of panel: Panel) -> Panel.Position {
    panel.position(beside: screens.selectedTile(in: gallery), in: viewport)
  }
}
