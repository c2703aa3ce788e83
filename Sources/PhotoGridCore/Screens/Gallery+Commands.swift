import Geometry
import Photos
import SceneModel

/// Commands about many photos, which are the same on all screens.
extension Gallery {
  mutating func perform(
    _ command: Command.AlbumCommand, _ count: Int?, on screen: any Screen, at now: Instant
  ) -> [ScreenOutcome] {
    if collection.rangeAnchor != nil, [.mark, .markOn, .range].contains(command) {
      return [.mark(range.map { Array(items[$0]) } ?? [], true)]
    }
    switch command {
    case .find: return [.ask(.find)]
    case .filter: return [.ask(.filter)]
    case .filterStars:
      let keys = ";;  1 to 5 stars or more · 0 unrated · * any stars · repeat to show all"
      return [.awaitStars, .notice(keys, seconds: 10)]
    // A shell command may do anything to files.
    case .shell: return [options.refusal(of: "running commands") ?? .ask(.command)]
    case .findNext: return goToMatch(count ?? 1, at: now)
    case .findPrevious: return goToMatch(-(count ?? 1), at: now)
    case .sort(let order): return sort(by: order)
    // The seed comes from the clock, as time is the only outside input.
    case .shuffle:
      return sort(by: SortOrder(by: .random(seed: UInt64(bitPattern: now.nanoseconds))))
    case .group(let grouping): return group(by: grouping)
    case .markSection:
      return collection.section(ofItem: selection)
        .map { GridScreen.mark(section: $0, of: collection) } ?? [.noSections]
    case .goToDate: return [.ask(.date)]
    case .toggleStacks: return toggleStacks()
    case .foldStack: return foldStack(of: screen.current(in: self))
    case .stackFace: return chooseFace(screen.current(in: self))
    case .mark: return toggleMark(on: screen)
    case .markOn: return markOn(max(min(count ?? 1, items.count), 1), on: screen)
    case .range: return []  // only the grid begins one
    case .markAll: return [.mark(album.files(ofTiles: album.shown), true)]
    case .invertMarks: return [.change { $0.invertMarks() }]
    case .unmarkAll: return [.mark(album.markedInOrder, false)]
    case .showMarked:
      return album.marks.isEmpty
        ? [.notice("Nothing is marked", seconds: 1)] : [.change { $0.toggleMarkedOnly() }]
    }
  }

  // MARK: - Order

  private func sort(by order: SortOrder) -> [ScreenOutcome] {
    let wasGrouped = collection.grouping != .none
    return [
      .change { $0.sort(by: order) },
      .then { gallery, _, _ in
        let isEnded = wasGrouped && gallery.collection.grouping == .none
        return [.notice("Sort: \(order.label)\(isEnded ? ", not grouped" : "")", seconds: 1)]
      },
    ]
  }

  /// Groups the photos into sections; each photo flies to its new place.
  private func group(by grouping: Grouping) -> [ScreenOutcome] {
    [
      .change { $0.group(by: grouping) },
      .then { gallery, _, _ in
        let words =
          switch grouping {
          case .none: "Not grouped"
          case .similar: "Grouped by similarity"
          default: "Grouped by \(grouping.rawValue) · sort: \(gallery.album.order.label)"
          }
        return [.notice(words, seconds: 1)]
      },
    ]
  }

  /// Sorts the photos by date, and scrolls to the photos of a month, or to those without a date; if
  /// one of them is selected, scrolls only as far as needed to show it.
  func show(month: CalendarDate?) -> [ScreenOutcome] {
    let scroll = ScreenOutcome.then { gallery, _, now in
      gallery.scroll(toMonth: month, at: now)
      return []
    }
    guard album.order.key != .taken else { return [scroll] }
    let rearrange = ScreenOutcome.then { gallery, _, _ in
      gallery.grid.rearrangement = Rearrangement()
      return [.notice("Sort: \(gallery.album.order.label)", seconds: 1)]
    }
    return [.change { $0.sort(by: SortOrder(by: .taken)) }, rearrange, scroll]
  }

  private mutating func scroll(toMonth month: CalendarDate?, at now: Instant) {
    let isThere = { [album] (photo: Photo.ID) in album.date(of: photo, by: .month) == month }
    if let photo = selectedPhoto, isThere(photo) {
      return grid.scrollIntoView(selection, in: viewport)
    }
    let photos = items.indices.dropFirst(collection.folderCount)
    guard let index = photos.first(where: { isThere(items[$0]) }) else { return }
    changeGrid(at: now, options.motion.tap) { grid, context in
      grid.selected = context.items[index]
      let offset = min(grid.offset(showingAtTop: index), grid.scrollLimit(in: context.viewport))
      grid.scrollIntoView(index, from: offset, in: context.viewport)
    }
  }

  // MARK: - Search

  /// Searches for photos, and selects the first match at or after the position where the search
  /// began, wrapping around at the end; without a match, returns to that position.
  mutating func find(_ filter: Filter, from photo: Photo.ID?, at now: Instant) {
    collection.find(filter)
    let start = photo.flatMap { collection.index(of: $0) } ?? selection
    let match = collection.search.flatMap { search in
      search.matches.first { $0 >= start } ?? search.matches.first
    }
    select(match ?? start, at: now)
  }

  func reportMatches(of text: String) -> [ScreenOutcome] {
    collection.search?.matches.isEmpty == true
      ? [.notice("No match for '\(text)'", seconds: 2)] : []
  }

  private mutating func goToMatch(_ steps: Int, at now: Instant) -> [ScreenOutcome] {
    guard let search = collection.search else {
      return [.notice("/ finds photos; then n and N go from match to match", seconds: 2)]
    }
    guard let match = search.match(steps, from: selection) else {
      return [.notice("No match for '\(search.filter.text)'", seconds: 2)]
    }
    select(match, at: now)
    return []
  }

  // MARK: - Marks

  private func toggleMark(on screen: any Screen) -> [ScreenOutcome] {
    guard let photo = screen.current(in: self) else {
      guard screen.currentTile(in: self) != nil else { return [] }
      let isFolder = screen.currentFolder(in: self) != nil
      return [
        .notice(isFolder ? "Folders cannot be marked" : "Only photos can be marked", seconds: 1)
      ]
    }
    let files = screen.files(of: [photo], in: album)
    return [.mark(files, !files.allSatisfy { album.marks.contains($0) })]
  }

  /// Marks photos from the current one on, and goes to the next one.
  private func markOn(_ count: Int, on screen: any Screen) -> [ScreenOutcome] {
    let photo = screen.current(in: self)
    let isLast = selection == items.count - 1
    let advance = ScreenOutcome.then { gallery, screen, now in
      // If marks decide what is shown, the next photo may be selected already.
      if screen.current(in: gallery) == photo { gallery.select(gallery.selection + 1, at: now) }
      return isLast || count == 1 ? [] : gallery.markOn(count - 1, on: screen)
    }
    return toggleMark(on: screen) + [advance]
  }

  // MARK: - Stepping out

  /// Ends the first of these that is active: the range, the selected stack that is unfolded, the
  /// search, the filter, the marks.
  mutating func stepOut() -> [ScreenOutcome] {
    if collection.rangeAnchor != nil {
      collection.rangeAnchor = nil
    } else if let photo = photo(at: selection), album.isFannedOut(photo) {
      return foldStack(of: photo)
    } else if collection.search != nil {
      collection.resume(nil)
    } else if album.isFiltered {
      let wasEmpty = items.isEmpty
      let restore = ScreenOutcome.then { gallery, _, _ in
        if wasEmpty { gallery.returnFromFilter() }
        gallery.grid.positionBeforeFilter = nil
        return []
      }
      return [.change { $0.showAll() }, restore]
    } else if !album.marks.isEmpty {
      return [.mark(album.markedInOrder, false)]
    }
    return []
  }

  mutating func rememberPositionBeforeFilter(_ item: Photo.ID?) {
    guard !album.isFiltered else { return }
    grid.positionBeforeFilter = Grid.Position(
      selected: item.map { collection.item(of: $0) }, scroll: grid.scroll.target)
  }

  /// Restores the position from before a filter that no photo passed.
  private mutating func returnFromFilter() {
    guard let position = grid.positionBeforeFilter, let selected = position.selected,
      let index = tiles.index(of: selected)
    else { return }
    grid.selected = selected
    grid.scrollIntoView(
      index, from: min(position.scroll, grid.scrollLimit(in: viewport)), in: viewport)
  }

  // MARK: - Stacks

  func toggleStacks() -> [ScreenOutcome] {
    let seconds = options.stackSeconds
    guard !album.hasStacks else {
      return [.change { $0.stack(within: nil) }, .notice("Stacks off", seconds: 2)]
    }
    let words = "Stacks on: photos taken less than \(seconds.shortText) s apart · Enter unfolds one"
    return [.change { $0.stack(within: seconds) }, .notice(words, seconds: 2)]
  }

  /// Unfolds the stack at an index; nil if the item there is not a stack.
  mutating func fanOutStack(_ index: Int) -> [ScreenOutcome]? {
    let photo = items[index]
    let count = album.stackCount(of: photo)
    guard count > 1 else { return nil }
    grid.selected = .photo(photo)
    let words = "\(count) photos · Esc folds the stack · zt makes this its cover"
    return [.change { $0.fanOut(photo, true) }, .notice(words, seconds: 2)]
  }

  private func foldStack(of photo: Photo.ID?) -> [ScreenOutcome] {
    guard let photo, isStacked(photo) else { return [notStacked] }
    return [.change { $0.fanOut(photo, false) }]
  }

  /// Makes a photo the face of its stack.
  private func chooseFace(_ photo: Photo.ID?) -> [ScreenOutcome] {
    guard let photo, isStacked(photo) else { return [notStacked] }
    return [
      .change { $0.chooseFace(photo) },
      .notice("Now the stack's cover · Esc folds the stack", seconds: 2),
    ]
  }

  private func isStacked(_ photo: Photo.ID) -> Bool {
    album.hasStacks && album.stack(of: photo) != nil
  }

  private var notStacked: ScreenOutcome {
    let words =
      album.hasStacks ? "Not in a stack" : "Stacks are off. zs folds bursts into stacks."
    return .notice(words, seconds: 2)
  }

  // MARK: - Filters

  /// Parses a filter on the current day; nil if it is invalid.
  func filter(_ text: String) -> Filter? {
    try? Filter(parsing: text, today: options.dating.today)
  }

  /// Shows only photos of at least as many stars as a key says, or all again; nil for other keys.
  func show(stars key: Key) -> [ScreenOutcome]? {
    guard case .character(let character) = key,
      let stars = character == "*" ? 1 : Int(String(character)), (0...5).contains(stars)
    else { return nil }
    let term = Rating.term(forStars: stars)
    let typed = album.filter?.text ?? ""
    let text = Filter.text(typed, toggling: term)
    guard let filter = self.filter(text) else {
      return [.notice("'\(typed)' cannot be combined with \(term)", seconds: 2)]
    }
    let words = filter.isEmpty ? "All photos" : "Only '\(text)' · ;;\(character) again clears it"
    return [.change { $0.show(only: filter) }, .notice(words, seconds: 2)]
  }

  /// Shows the tiles of saved filters, each with the first photos that it shows.
  func show(_ filters: [FilterTile]) -> [ScreenOutcome] {
    let addPreviews = ScreenOutcome.then { gallery, _, _ in
      let album = gallery.album
      for tile in filters {
        let photos =
          gallery.filter(tile.filter.filter).map {
            album.photos(among: album.photos, passing: $0).passing
          } ?? []
        let samples = Array(photos.prefix(FolderPreview.maxSamples))
        gallery.folders.receive(FolderPreview(samples: samples), of: tile.item)
      }
      return []
    }
    return [.change { $0.show(filters) }, addPreviews]
  }

  mutating func saveFilter(as name: String) -> [ScreenOutcome] {
    guard album.isFiltered || album.order != .listed || collection.grouping != .none else {
      return [.notice("Nothing to save: no filter, order, or grouping", seconds: 3)]
    }
    let saved = NamedFilter(
      name: name, filter: album.filter?.text ?? "", order: album.order,
      grouping: collection.grouping)
    options.namedFilters.removeAll { $0.name == name }
    options.namedFilters.append(saved)
    return [.effect(.saveFilter(saved))]
  }

  /// Shows photos by the filter, the order and the grouping of a name.
  func show(filterNamed name: String) -> [ScreenOutcome] {
    guard let saved = options.namedFilters.first(where: { $0.name == name }) else {
      return [.notice("No saved filter is named '\(name)'", seconds: 3)]
    }
    guard let filter = self.filter(saved.filter) else {
      return [.notice("@\(name): '\(saved.filter)' is not a valid filter", seconds: 5)]
    }
    let show = ScreenOutcome.change { collection in
      collection.show(only: filter.isEmpty ? nil : filter)
      collection.sort(by: saved.order)
      if saved.grouping != .none { collection.group(by: saved.grouping) }
    }
    return [show]
  }
}

extension Browser.Options {
  /// Returns the answer to a command that may change files; nil if it may.
  func refusal(of what: String) -> ScreenOutcome? {
    isReadOnly ? .notice("--read-only turns off \(what)", seconds: 3) : nil
  }
}

extension Double {
  /// The number as text, without a fraction if it is whole: "5", "2.5".
  var shortText: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
