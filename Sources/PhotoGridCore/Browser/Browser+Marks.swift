/// Marking photos, with the keyboard and the mouse.
extension Browser {
  /// Runs a command that marks photos; `count` is the number of photos that `markOn` marks.
  mutating func runMark(
    _ command: Command.AlbumCommand, count: Int, at now: Instant
  ) {
    switch command {
    case .mark where collection.rangeAnchor != nil, .markOn where collection.rangeAnchor != nil,
      .range where collection.rangeAnchor != nil:
      mark(range.map { Array(items[$0]) } ?? [], true, at: now)
    case .mark: toggleMark(of: current, at: now)
    case .markOn:
      for number in 1...max(min(count, items.count), 1) {
        let isLast = selection == items.count - 1
        markAndAdvance(at: now)
        if isLast, number < count { break }
      }
    case .range:
      guard !isInDetail else { break }
      gallery.collection.rangeAnchor = current ?? currentFolder
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
    let photos = markedFiles(of: photos)
    changeCollection(at: now) { $0.mark(photos, isMarked) }
  }

  /// Returns the files to mark with photos: in the grid a tile stands for its whole stack.
  private func markedFiles(of photos: [Photo.ID]) -> [Photo.ID] {
    isInDetail ? photos : album.files(ofTiles: photos)
  }

  private mutating func toggleMark(of photo: Photo.ID?, at now: Instant) {
    guard let photo else {
      if currentFolder != nil { showNotice("Folders cannot be marked", for: 1, at: now) }
      return
    }
    let files = markedFiles(of: [photo])
    mark(files, !files.allSatisfy { album.marks.contains($0) }, at: now)
  }

  private mutating func markAndAdvance(at now: Instant) {
    let photo = current
    toggleMark(of: photo, at: now)
    // If marks decide what is shown, the next photo may be selected already.
    if current == photo { gallery.select(selection + 1, at: now) }
  }

  // MARK: - Ranges

  /// The indices of the range that is being selected, from its anchor to the selection; nil if no
  /// range is.
  var range: ClosedRange<Int>? { collection.range(to: selection) }

  /// Ends the selection of a range, after a command has used it.
  mutating func endRange() {
    if range != nil, !isInDetail { gallery.collection.rangeAnchor = nil }
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
}
