/// Marking photos, with the keyboard and the mouse.
extension Browser {
  /// Runs a command that marks photos; `count` is the number of photos that `markOn` marks.
  mutating func runMark(
    _ command: Command.AlbumCommand, count: Int, at now: Instant
  ) {
    switch command {
    case .mark where collection.rangeAnchor != nil, .markOn where collection.rangeAnchor != nil,
      .range where collection.rangeAnchor != nil:
      mark(range.map { Array(photos[$0]) } ?? [], true, at: now)
    case .mark: toggleMark(of: current, at: now)
    case .markOn:
      for number in 1...max(min(count, photos.count), 1) {
        let isLast = selection == photos.count - 1
        markAndAdvance(at: now)
        if isLast, number < count { break }
      }
    case .range:
      guard !isInDetail else { break }
      collection.rangeAnchor = current ?? currentFolder
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

  private mutating func mark(_ photos: [Photo.ID], _ isMarked: Bool, at now: Instant) {
    // In the grid a tile stands for its whole stack.
    let photos = isInDetail ? photos : album.files(ofTiles: photos)
    changeCollection(at: now) { $0.mark(photos, isMarked) }
  }

  private mutating func toggleMark(of photo: Photo.ID?, at now: Instant) {
    guard let photo else {
      if currentFolder != nil { showNotice("Folders cannot be marked", for: 1, at: now) }
      return
    }
    let files = isInDetail ? [photo] : album.files(ofTiles: [photo])
    mark(files, !files.allSatisfy { album.marks.contains($0) }, at: now)
  }

  private mutating func markAndAdvance(at now: Instant) {
    let photo = current
    toggleMark(of: photo, at: now)
    // If marks decide what is shown, the next photo may be selected already.
    if current == photo { select(selection + 1, at: now) }
  }

  // MARK: - Ranges

  /// The indices of the range that is being selected, from its anchor to the selection; nil if no
  /// range is.
  var range: ClosedRange<Int>? { collection.range(to: selection) }

  // MARK: - Stepping out

  /// Ends the first of these that is active: the range, the search, the filter, the marks.
  mutating func stepOutOfCollection(at now: Instant) {
    if collection.rangeAnchor != nil {
      collection.rangeAnchor = nil
    } else if collection.search != nil {
      collection.resume(nil)
    } else if album.isFiltered {
      let wasEmpty = photos.isEmpty
      changeCollection(at: now) { $0.showAll() }
      if wasEmpty { returnFromFilter(at: now) }
      grid.positionBeforeFilter = nil
    } else if !album.marks.isEmpty {
      mark(album.markedInOrder, false, at: now)
    }
  }

  /// Restores the position from before a filter that no photo passed.
  private mutating func returnFromFilter(at now: Instant) {
    guard let position = grid.positionBeforeFilter, let selected = position.selected,
      let index = collection.index(of: selected)
    else { return }
    grid.selected = selected
    grid.scrollIntoView(
      index, from: min(position.scroll, grid.scrollLimit(in: viewport)), in: viewport)
  }

  // MARK: - Mouse

  /// Handles a click that may mark: with Control it toggles the mark of the photo, with Alt it
  /// marks all photos from the selection to the clicked one.
  ///
  /// - Returns: Whether the click has one of these modifiers.
  mutating func markByClick(on index: Int, _ modifiers: MouseEvent.Modifiers, at now: Instant)
    -> Bool
  {
    let photo = photos[index]
    if modifiers.contains(.control) {
      toggleMark(of: photo, at: now)
    } else if modifiers.contains(.alt) {
      mark(Array(photos[min(selection, index)...max(selection, index)]), true, at: now)
    } else {
      return false
    }
    if let place = collection.index(of: photo) { select(place, at: now) }
    return true
  }

  /// Starts painting with the right button: it marks photos, or removes marks if it starts on a
  /// marked photo.
  mutating func beginPainting(at position: PixelPoint, _ now: Instant) {
    guard viewer == nil, let index = index(at: position, now) else { return }
    pointer.painting = Pointer.Painting(
      isMarking: !album.isMarked(photos[index]), last: position)
    paint(to: position, at: now)
  }

  /// Marks the photos between the last position of the pointer and this one, or removes their
  /// marks.
  mutating func paint(to position: PixelPoint, at now: Instant) {
    guard let painting = pointer.painting else { return }
    pointer.painting?.last = position
    // A fast pointer is reported at few positions only.
    let step = viewport.metrics.cell.height
    let distance = painting.last.distance(to: position)
    let count = max(Int(min(distance / step, 1000).rounded(.up)), 1)
    var touched: [Photo.ID] = []
    for number in 0...count {
      let share = Double(number) / Double(count)
      let place = PixelPoint(
        x: painting.last.x + (position.x - painting.last.x) * share,
        y: painting.last.y + (position.y - painting.last.y) * share)
      if let index = index(at: place, now) { touched.append(photos[index]) }
    }
    guard !touched.isEmpty else { return }
    mark(touched, painting.isMarking, at: now)
  }
}
