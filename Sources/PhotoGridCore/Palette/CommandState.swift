import Photos

/// The commands that can run now, and those that have turned something on, as the palette shows
/// them.
struct CommandState {
  var gallery: Gallery
  var screens: ScreenStack
  var statusBar: StatusBar
  var isCulling: Bool

  private var album: Album { gallery.album }
  private var collection: PhotoCollection { gallery.collection }
  private var options: Browser.Options { gallery.options }
  private var keyView: KeyMap.View { screens.active.traits.keyView }
  private var current: Photo.ID? { screens.active.current(in: gallery) }

  var paletteItems: [PaletteItem] {
    let view = keyView
    let names = Dictionary(grouping: options.keys.boundKeys(in: view), by: \.command)
    let commands = (PaletteItem.entries[view] ?? []).map { entry, words in
      var item = PaletteItem(entry, words: words)
      let keys = names[entry.command]?.map(\.key) ?? []
      item.words.keys = keys
      item.keys = (entry.keys.first { keys.contains($0) } ?? keys.min()) ?? ""
      item.isOn = isOn(entry.command)
      item.obstacle = obstacle(to: entry.command)
      return item
    }
    func item(_ item: PaletteItem, of form: PaletteForm) -> PaletteItem {
      var item = item
      item.obstacle = obstacle(to: form.command)
      return item
    }
    return commands + PaletteForm.allCases.map { item(PaletteItem($0), of: $0) }
      + options.namedFilters.map { item(PaletteItem($0), of: .saved) }
      + options.places.others.map {
        item(PaletteItem(folder: $0.folder, isBookmark: $0.isBookmark), of: .folder)
      }
  }

  /// The commands that the screen offers most, which come first in the palette.
  var mainCommands: [Command] {
    switch keyView {
    case .grid:
      [
        .navigation(.open), .album(.find), .album(.filter), .album(.sort(SortOrder(by: .taken))),
        .album(.group(.month)), .app(.toggleInformation), .app(.startSlideshow), .album(.mark),
        .comparison(.start), .culling(.toggleMode), .files(.trash), .files(.move),
      ]
    case .viewer:
      [
        .viewer(.zoom(.toggleActualSize)), .app(.toggleInformation), .viewer(.turn(.quarterTurn)),
        .culling(.rate(.stars(5))), .culling(.keywords), .app(.startSlideshow), .files(.trash),
        .files(.rename), .files(.move), .files(.copyPicture), .files(.open),
      ]
    case .comparison:
      [
        .viewer(.zoom(.toggleActualSize)), .comparison(.zoomAlone), .comparison(.pin),
        .comparison(.remove), .comparison(.focusNext), .navigation(.next),
        .culling(.rate(.stars(5))), .culling(.rate(.stars(Rating.rejected))), .files(.trash),
      ]
    }
  }

  /// Whether what a command toggles or chooses is on; nil for other commands.
  private func isOn(_ command: Command) -> Bool? {
    let grid = gallery.grid
    return switch command {
    case .app(.toggleBar): statusBar.isVisible
    case .app(.toggleInformation): statusBar.showsInformation
    case .app(.toggleSlowMotion): options.motion == .slow
    case .app(.fullMotion): options.motion == .full
    case .app(.reducedMotion): options.motion == .reduced
    case .app(.noMotion): options.motion == .none
    case .app(.toggleBookmark): options.places.isBookmarked
    case .grid(.toggleLabels): grid.style.hasLabels
    case .grid(.toggleCrop): grid.contentMode == .fill
    case .grid(let command): command.layout.map { grid.style.kind == $0 }
    case .album(.showMarked): album.showsMarkedOnly
    case .album(.toggleStacks): album.hasStacks
    case .album(.sort(let order)): album.order == order
    case .album(.group(let grouping)): collection.grouping == grouping
    case .culling(.toggleMode): isCulling
    case .comparison: (screens.covering as? Comparison)?.isOn(command)
    case .app, .navigation, .viewer, .album, .files, .culling: nil
    }
  }

  /// Returns why a command would do nothing now, or could not do its work; nil if it can run.
  private func obstacle(to command: Command) -> String? {
    if KeyMap.entry(of: command, in: keyView) == nil {
      if KeyMap.entry(of: command, in: .grid) != nil { return "only in the grid; Esc goes there" }
      return KeyMap.entry(of: command, in: .viewer) != nil
        ? "only while a photo is open" : "only in a comparison"
    }
    if let obstacle = (screens.active as? PeriodGrid)?.obstacle(to: command) { return obstacle }
    switch command {
    case .files(.copyPath), .files(.copyPicture): return photoObstacle
    case .files(.undo), .files(.redo): return readOnlyObstacle
    case .files(.turn):
      let chosen = screens.active.chosenFiles(in: gallery)
      let isTurned = chosen.contains { collection.orientation(of: $0) != .upright }
      return readOnlyObstacle ?? photoObstacle
        ?? (isTurned ? nil : "rotate with > or < first")
    case .viewer(.turn): return photoObstacle
    case .culling(.toggleMode), .album(.shell): return readOnlyObstacle
    case .files, .culling: return readOnlyObstacle ?? photoObstacle
    case .album(.findNext), .album(.findPrevious):
      return collection.search == nil ? "no search yet" : nil
    case .album(.showMarked): return album.marks.isEmpty ? "nothing is marked" : nil
    case .album(.foldStack), .album(.stackFace):
      let isStacked = current.map { album.stack(of: $0) != nil } ?? false
      return album.hasStacks && isStacked ? nil : "not in a stack"
    case .album(.markSection), .grid(.nextSection), .grid(.previousSection):
      return collection.grouping == .none ? "nothing is grouped" : nil
    case .grid(.toggleCrop):
      return gallery.grid.style.kind == .rows ? "rows always show whole photos" : nil
    case .app(.changeSpeed):
      return screens.hasOpenFilm(in: gallery) ? nil : "only while a video is open"
    case .comparison(.start):
      return album.shown.count > 1 ? nil : "no other photo to compare with"
    default: return nil
    }
  }

  private var readOnlyObstacle: String? { options.isReadOnly ? "turned off by --read-only" : nil }

  private var photoObstacle: String? {
    current == nil && album.marks.isEmpty ? "no photo is selected" : nil
  }
}
