extension Browser {
  mutating func run(_ command: Command.AlbumCommand, _ count: Int?, at now: Instant) {
    switch command {
    case .find: ask(.find, at: now)
    case .filter: ask(.filter, at: now)
    case .filterStars:
      keyboard.awaitsStars = true
      showNotice(";;  0 to 5 stars · * 1 star or more · repeat to show all", for: 10, at: now)
    case .shell:
      // A shell command may do anything to files.
      if mayChangeFiles("running commands", at: now) { ask(.command, at: now) }
    case .findNext: goToMatch(count ?? 1, at: now)
    case .findPrevious: goToMatch(-(count ?? 1), at: now)
    case .sort(let order): sort(by: order, at: now)
    case .shuffle:
      // The seed comes from the clock, as time is the only outside input.
      sort(by: SortOrder(by: .random(seed: UInt64(bitPattern: now.nanoseconds))), at: now)
    case .group(let grouping): group(by: grouping, at: now)
    case .markSection:
      let outcomes =
        collection.section(ofItem: selection)
        .map { GridScreen.mark(section: $0, of: collection) } ?? [.noSections]
      for outcome in outcomes { perform(outcome, at: now) }
    case .goToDate: ask(.date, at: now)
    case .toggleStacks: toggleStacks(at: now)
    case .foldStack: foldStack(at: now)
    case .stackFace: chooseFace(at: now)
    case .mark, .markOn, .range, .markAll, .invertMarks, .unmarkAll, .showMarked:
      runMark(command, count: count ?? 1, at: now)
    }
  }

  // MARK: - Order and filter

  /// Handles the key after `;;`: a digit or `*` shows only photos of so many stars, or all again.
  ///
  /// - Returns: Whether it was one of these keys.
  mutating func press(starKey key: Key, at now: Instant) -> Bool {
    guard keyboard.awaitsStars else { return false }
    keyboard.awaitsStars = false
    guard case .character(let character) = key, ("0"..."5").contains(character) || character == "*"
    else { return false }
    let term = character == "*" ? "rating:>=1" : "rating:\(character)"
    let typed = album.filter?.text ?? ""
    let text = Filter.text(typed, toggling: term)
    guard let filter = try? Filter(parsing: text, today: options.dating.today) else {
      showNotice("'\(typed)' cannot be combined with \(term)", for: 2, at: now)
      return true
    }
    changeCollection(at: now) { $0.show(only: filter) }
    showNotice(
      filter.isEmpty ? "All photos" : "Only '\(text)' · ;;\(character) again clears it", for: 2,
      at: now)
    return true
  }

  private mutating func sort(by order: SortOrder, at now: Instant) {
    let grouping = collection.grouping
    changeCollection(at: now) { $0.sort(by: order) }
    let end = grouping != .none && collection.grouping == .none ? ", not grouped" : ""
    showNotice("Sort: \(order.label)\(end)", for: 1, at: now)
  }

  /// Groups the photos into sections; each photo flies to its new place.
  private mutating func group(by grouping: Grouping, at now: Instant) {
    changeCollection(at: now) { $0.group(by: grouping) }
    showNotice(
      grouping == .none
        ? "Not grouped"
        : grouping == .similar
          ? "Grouped by similarity"
          : "Grouped by \(grouping.rawValue) · sort: \(album.order.label)",
      for: 1, at: now)
  }

  // MARK: - Search

  /// Searches for photos, and selects the first match at or after the position where the search
  /// began, wrapping around at the end; without a match, returns to that position.
  mutating func find(_ filter: Filter, from origin: Prompt.Origin, at now: Instant) {
    gallery.collection.find(filter)
    let start = origin.photo.flatMap { collection.index(of: $0) } ?? selection
    let match = collection.search.flatMap { search in
      search.matches.first { $0 >= start } ?? search.matches.first
    }
    gallery.select(match ?? start, at: now)
  }

  private mutating func goToMatch(_ steps: Int, at now: Instant) {
    guard let search = collection.search else {
      showNotice("No search yet. Press / to search.", for: 2, at: now)
      return
    }
    guard let match = search.match(steps, from: selection) else {
      showNotice("No match for '\(search.filter.text)'", for: 2, at: now)
      return
    }
    gallery.select(match, at: now)
  }

  mutating func runMark(_ command: Command.AlbumCommand, count: Int, at now: Instant) {
    switch command {
    case .mark where collection.rangeAnchor != nil, .markOn where collection.rangeAnchor != nil,
      .range where collection.rangeAnchor != nil:
      mark(gallery.range.map { Array(items[$0]) } ?? [], true, at: now)
    case .mark: toggleMark(of: current, at: now)
    case .markOn:
      for number in 1...max(min(count, items.count), 1) {
        let isLast = selection == items.count - 1
        markAndAdvance(at: now)
        if isLast, number < count { break }
      }
    case .markAll: mark(album.files(ofTiles: album.shown), true, at: now)
    case .invertMarks: changeCollection(at: now) { $0.invertMarks() }
    case .unmarkAll: mark(album.markedInOrder, false, at: now)
    case .showMarked:
      if album.marks.isEmpty {
        showNotice("Nothing is marked", for: 1, at: now)
      } else {
        changeCollection(at: now) { $0.toggleMarkedOnly() }
      }
    default: break  // the others do not mark
    }
  }

  mutating func mark(_ photos: [Photo.ID], _ isMarked: Bool, at now: Instant) {
    let photos = activeScreen.files(of: photos, in: album)
    changeCollection(at: now) { $0.mark(photos, isMarked) }
  }

  private mutating func toggleMark(of photo: Photo.ID?, at now: Instant) {
    guard let photo else {
      if currentFolder != nil { showNotice("Folders cannot be marked", for: 1, at: now) }
      if currentFilter != nil { showNotice("Only photos can be marked", for: 1, at: now) }
      return
    }
    let files = activeScreen.files(of: [photo], in: album)
    mark(files, !files.allSatisfy { album.marks.contains($0) }, at: now)
  }

  private mutating func markAndAdvance(at now: Instant) {
    let photo = current
    toggleMark(of: photo, at: now)
    // If marks decide what is shown, the next photo may be selected already.
    if current == photo { gallery.select(selection + 1, at: now) }
  }

  // MARK: - Stepping out

  /// Ends the first of these that is active: the range, the search, the filter, the marks.
  mutating func stepOutOfCollection(at now: Instant) {
    if collection.rangeAnchor != nil {
      gallery.collection.rangeAnchor = nil
    } else if collection.search != nil {
      gallery.collection.resume(nil)
    } else if album.isFiltered {
      let wasEmpty = items.isEmpty
      changeCollection(at: now) { $0.showAll() }
      if wasEmpty { returnFromFilter(at: now) }
      gallery.grid.positionBeforeFilter = nil
    } else if !album.marks.isEmpty {
      mark(album.markedInOrder, false, at: now)
    }
  }

  /// Restores the position from before a filter that no photo passed.
  private mutating func returnFromFilter(at now: Instant) {
    guard let position = grid.positionBeforeFilter, let selected = position.selected,
      let index = gallery.tiles.index(of: selected)
    else { return }
    gallery.grid.selected = selected
    gallery.grid.scrollIntoView(
      index, from: min(position.scroll, grid.scrollLimit(in: viewport)), in: viewport)
  }

  mutating func toggleStacks(at now: Instant) {
    let isOn = !album.hasStacks
    let seconds = options.stackSeconds
    changeCollection(at: now) { $0.stack(within: isOn ? seconds : nil) }
    let number = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    showNotice(
      isOn
        ? "Stacks on: photos taken less than \(number) s apart · Enter unfolds one" : "Stacks off",
      for: 2, at: now)
  }

  /// Fans out the stack at an index.
  ///
  /// - Returns: Whether there is a stack.
  mutating func fanOutStack(_ index: Int, at now: Instant) -> Bool {
    let photo = items[index]
    let count = album.stackCount(of: photo)
    guard count > 1 else { return false }
    gallery.grid.selected = .photo(photo)
    changeCollection(at: now) { $0.fanOut(photo, true) }
    showNotice("\(count) photos · zc folds the stack · zt makes this its cover", for: 2, at: now)
    return true
  }

  mutating func foldStack(at now: Instant) {
    guard let photo = stackedPhoto(at: now) else { return }
    changeCollection(at: now) { $0.fanOut(photo, false) }
  }

  /// Makes the selected photo the face of its stack.
  mutating func chooseFace(at now: Instant) {
    guard let photo = stackedPhoto(at: now) else { return }
    changeCollection(at: now) { $0.chooseFace(photo) }
    showNotice("Now the stack's cover · zc folds the stack", for: 2, at: now)
  }

  /// The current photo if it is in a stack; shows a notice if it is not.
  private mutating func stackedPhoto(at now: Instant) -> Photo.ID? {
    if let current, album.hasStacks, album.stack(of: current) != nil { return current }
    showNotice(
      album.hasStacks ? "Not in a stack" : "Stacks are off. zs folds bursts into stacks.",
      for: 2, at: now)
    return nil
  }

  // MARK: - Saved filters

  /// Shows the tiles of saved filters, each with the first photos that it shows.
  mutating func show(_ filters: [FilterTile], at now: Instant) {
    changeCollection(at: now) { $0.show(filters) }
    for tile in filters {
      let filter = try? Filter(parsing: tile.filter.filter, today: options.dating.today)
      let photos = filter.map { album.photos(among: album.photos, passing: $0).passing } ?? []
      gallery.folders.receive(
        FolderPreview(samples: Array(photos.prefix(FolderPreview.maxSamples))), of: tile.item)
    }
  }

  mutating func saveFilter(as name: String, at now: Instant) {
    guard album.isFiltered || album.order != .listed || collection.grouping != .none else {
      return showNotice("Nothing to save: no filter, order, or grouping", for: 3, at: now)
    }
    let saved = NamedFilter(
      name: name, filter: album.filter?.text ?? "", order: album.order,
      grouping: collection.grouping)
    gallery.options.namedFilters.removeAll { $0.name == name }
    gallery.options.namedFilters.append(saved)
    effects.append(.saveFilter(saved))
  }

  /// Shows photos by the filter, the order and the grouping of a name.
  mutating func show(filterNamed name: String, at now: Instant) {
    guard let saved = options.namedFilters.first(where: { $0.name == name }) else {
      return showNotice("No saved filter is named '\(name)'", for: 3, at: now)
    }
    guard let filter = try? Filter(parsing: saved.filter, today: options.dating.today) else {
      return showNotice("@\(name): '\(saved.filter)' is not a valid filter", for: 5, at: now)
    }
    changeCollection(at: now) { collection in
      collection.show(only: filter.isEmpty ? nil : filter)
      collection.sort(by: saved.order)
      if saved.grouping != .none { collection.group(by: saved.grouping) }
    }
  }

  // MARK: - Changes

  /// Changes the items; tiles fly to their new places, and the open photo and the selection are
  /// kept if they still exist.
  mutating func changeCollection(at now: Instant, _ change: (inout PhotoCollection) -> Void) {
    moveTiles(at: now, change)
    refreshIfDue(at: now)
  }

  /// Applies new facts, immediately if all are known, otherwise after a delay.
  mutating func refreshIfDue(at now: Instant) {
    if gallery.collection.isRefreshDue(at: now) { moveTiles(at: now) { $0.refresh() } }
  }

  private mutating func moveTiles(at now: Instant, _ change: (inout PhotoCollection) -> Void) {
    let before = gallery
    change(&gallery.collection)
    moveTiles(from: before, at: now)
  }

  /// Moves the tiles to their places after a change of the collection.
  private mutating func moveTiles(from before: Gallery, at now: Instant) {
    let tiles = before.grid.snapshot(in: before.gridContext(at: now))
    let hasOtherItems = items != before.items
    gallery.grid.layOut(in: gallery.gridContext(at: now))
    if hasOtherItems {
      gallery.grid.followSelection(from: before.tiles, in: gallery.tiles)
      if let fade = gallery.removalFade, collection.index(of: fade.photo) != nil {
        gallery.removalFade = nil
      }
    }
    tellScreens(.items(before: before, areOther: hasOtherItems), at: now)
    guard hasOtherItems || grid.layout != tiles.layout else { return }
    let removed = gallery.removalFade.map { ItemID.photo($0.photo) }
    gallery.changeGrid(at: now, options.motion.rearrangement) {
      $0.moveTiles(from: tiles, removed: removed, in: $1)
    }
    followTiles(at: now)
  }

  /// Lays out rows again for photos whose proportions became known, for many photos at a time.
  mutating func reshapeIfDue(at now: Instant) {
    guard !collection.reshaped.isEmpty else { return }
    guard grid.style.kind == .rows else {
      _ = gallery.collection.drainReshaped()
      return
    }
    guard gallery.grid.isReshapeDue(at: now) else { return }
    let items = gallery.collection.drainReshaped()
    gallery.changeGrid(at: now, options.motion.rearrangement) {
      $0.updateAspectRatios(items, in: $1)
    }
    followTiles(at: now)
  }

  mutating func append(_ items: [Photo.ID], at now: Instant) {
    // The tile of a raw file is replaced by the tile of its picture.
    guard !album.hidesTiles(items) else { return changeCollection(at: now) { $0.append(items) } }
    let before = grid.isComplete ? grid.snapshot(in: gallery.gridContext(at: now)) : nil
    let folderCount = folderCount
    gallery.collection.append(items)
    gallery.grid.append(isAtEnd: folderCount == self.folderCount, in: gallery.gridContext(at: now))
    if let before, grid.layout.frame(at: 0) != before.layout.frame(at: 0) {
      gallery.changeGrid(at: now, options.motion.rearrangement) {
        $0.moveTiles(from: before, in: $1)
      }
    }
    tellScreens(.appended, at: now)
    refreshIfDue(at: now)
  }

  mutating func endListing(_ notes: ListingNotes, at now: Instant) {
    let isFirst = collection.listingNotes == nil
    gallery.collection.receive(notes)
    // If all facts were recorded, the photos are sorted now: the first one stays selected.
    let selectsFirst = isFirst && !grid.hasUserInteracted && collection.album.isStale
    if selectsFirst { gallery.grid.selected = nil }
    refreshIfDue(at: now)
    if selectsFirst { gallery.grid.selectFirst(of: gallery.tiles) }
    gallery.changeGrid(at: now, options.motion.rearrangement) { $0.complete(in: $1) }
    tellScreens(.items(before: gallery, areOther: false), at: now)
    if isFirst, options.opensSinglePhoto, notes.isOnePhoto, items.count == 1, folderCount == 0,
      screens.overlay == nil
    {
      screens.show(Viewer(photo: items[0], phase: .resting))
    }
  }
}
