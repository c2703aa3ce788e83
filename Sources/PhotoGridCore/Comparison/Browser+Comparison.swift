/// The compared photos and their connection to the grid.
extension Browser {
  /// The compared photos, in any phase; nil if none are compared.
  package var comparison: Comparison? { mode.comparison }

  /// Whether photos are compared, rather than flying to their tiles.
  var isComparing: Bool { mode.comparison?.isClosing == false }

  /// The index of the focused photo; nil unless photos are compared.
  var comparedIndex: Int? {
    guard isComparing else { return nil }
    return mode.comparison.flatMap { collection.index(of: $0.focused) }
  }

  /// Returns the sizes and tiles of photos for a comparison.
  func comparisonContext(
    of photos: some Sequence<Photo.ID>, focused: Photo.ID?, at now: Instant
  ) -> Comparison.Context {
    let offset = focused.flatMap { collection.index(of: $0) }
      .map { grid.scrollOffset(showing: $0, from: grid.scroll.target, in: viewport) }
    let gridContext = gridContext(at: now)
    var surroundings: [Photo.ID: Comparison.Surroundings] = [:]
    for photo in photos {
      guard let index = collection.index(of: photo) else { continue }
      surroundings[photo] = Comparison.Surroundings(
        size: size(of: photo), tile: tilePose(of: index, in: gridContext).frame,
        home: restingTileFrame(of: index, scrolledTo: offset).waitingNearby(in: viewport))
    }
    return Comparison.Context(
      viewport: viewport, motion: options.motion, now: now, photos: surroundings)
  }

  /// Changes the comparison, if there is one; the focused photo becomes the selected one.
  mutating func changeComparison(
    at now: Instant, _ change: (inout Comparison, Comparison.Context) -> Void
  ) {
    guard var comparison = mode.comparison else { return }
    let context = comparisonContext(
      of: (comparison.panes + comparison.leaving).map(\.photo), focused: comparison.focused,
      at: now)
    change(&comparison, context)
    if !comparison.isClosing, !comparison.panes.isEmpty { grid.selected = comparison.focused }
    mode.comparison = comparison
  }

  /// The photos in display order, without the folders.
  var comparisonOrder: Comparison.Order {
    let start = collection.folderCount
    let skipped = (mode.comparison?.excluded ?? []).compactMap { collection.index(of: $0) }
    guard !skipped.isEmpty else {
      return Comparison.Order(photos: photos[start...]) { [collection] photo in
        collection.index(of: photo).map { $0 - start }
      }
    }
    let places = Set(skipped)
    let kept = photos.indices[start...].lazy.filter { !places.contains($0) }.map { photos[$0] }
    return Comparison.Order(photos: Array(kept)[...]) { [collection] photo in
      guard let index = collection.index(of: photo), !places.contains(index) else { return nil }
      return index - start - skipped.count { $0 < index }
    }
  }

  // MARK: - Opening

  /// Opens photos side by side: the range that is being selected, or several marked photos, or the
  /// current photo with the only marked one, or with the next.
  mutating func compare(at now: Instant) {
    let photos = photosToCompare
    guard Comparison.possibleCounts.contains(photos.count) else {
      let limits = Comparison.possibleCounts
      return showNotice(
        photos.count > limits.upperBound
          ? "\(photos.count) photos are too many to compare, \(limits.upperBound) at most"
          : "there is nothing to compare with", for: 2, at: now)
    }
    endDrag(at: now)
    collection.rangeAnchor = nil
    let focused = current.flatMap { photos.contains($0) ? $0 : nil } ?? photos[0]
    let context = comparisonContext(of: photos, focused: focused, at: now)
    let earlier = mode.comparison
    mode = .comparison(
      Comparison(opening: photos, focused: focused, after: earlier, in: context), nil)
    grid.selected = focused
  }

  private var photosToCompare: [Photo.ID] {
    if let range { return photos[range].filter { !album.isFolder($0) } }
    var chosen = album.markedInOrder.filter { collection.index(of: $0) != nil }
    if chosen.count > 1 { return chosen }
    guard let index = currentIndex else { return chosen }
    if !chosen.contains(photos[index]) { chosen.append(photos[index]) }
    if chosen.count == 1,
      let other = collection.photoIndex(index + 1)
        ?? collection.photoIndex(index - 1)
    {
      chosen.append(photos[other])
    }
    return chosen.sorted { (collection.index(of: $0) ?? 0) < (collection.index(of: $1) ?? 0) }
  }

  // MARK: - Closing

  /// Sends all photos to their tiles, and scrolls to the tile of the focused one.
  mutating func closeComparison(at now: Instant) {
    guard let comparison = mode.comparison, let index = comparedIndex else {
      mode.comparison = nil
      return
    }
    let isGridHidden = comparison.backdrop.value(at: now) < 1 / 64
    changeComparison(at: now) { $0.close(in: $1) }
    let offset = grid.scrollOffset(showing: index, from: grid.scroll.target, in: viewport)
    if isGridHidden {
      grid.scroll.jump(to: offset)
    } else {
      grid.scroll(to: offset, in: gridContext(at: now))
    }
    // Without motion, the photos are in their tiles immediately.
    if options.motion == .none { mode.comparison = nil }
  }

  /// Opens the focused photo alone, starting at its pane and showing the same part of it.
  mutating func openFocused(at now: Instant) {
    guard let comparison = mode.comparison, let pane = comparison.pane(of: comparison.focused),
      let index = comparedIndex, let context = viewerContext(of: index, at: now)
    else { return }
    var viewer = Viewer(photo: pane.photo, phase: .resting)
    if let stage = pane.stage(context.size, quantum: viewport.metrics.quantum) {
      viewer.view = comparison.view.magnification(of: pane, on: stage)
    }
    if options.motion.travels {
      let whole = pane.whole.value(at: now).frame
      let frame =
        viewer.view.scale == .fit ? visibleFrame(of: pane, at: now) ?? pane.frame : whole
      let pose = Pose(frame: frame, backdrop: comparison.backdrop.value(at: now))
      viewer.phase = .flying(Animated(pose), to: .screen)
      viewer.fly(to: .screen, options.motion.tap, in: context)
    }
    mode = .viewer(viewer, nil)
  }

  /// Returns the visible part of the frame of a pane's photo; nil if no part is visible.
  private func visibleFrame(of pane: ComparisonPane, at now: Instant) -> PixelRect? {
    pane.whole.value(at: now).frame.intersection(pane.window.value(at: now).frame)
  }

  // MARK: - Changes from outside

  /// Ends motions that are over; if a single photo is left, it becomes the open photo.
  mutating func settleComparison(at now: Instant) {
    guard mode.comparison != nil else { return }
    var ending: Comparison.Ending?
    changeComparison(at: now) { ending = $0.settle(in: $1) }
    switch ending {
    case .closed: mode.comparison = nil
    case .alone(let photo, let view):
      mode = .viewer(Viewer(photo: photo, phase: .resting, view: view), mode.modal)
    case nil: break
    }
  }

  /// Removes photos from the comparison that no longer have a tile in the grid.
  mutating func followComparison(at now: Instant) {
    changeComparison(at: now) { $0.removeMissing(in: $1) }
    if mode.comparison?.panes.isEmpty == true { mode.comparison = nil }
  }

  /// Removes the focused photo from the comparison and unmarks it, so that the photos that are left
  /// are the marked ones.
  mutating func takeOutFocused(at now: Instant) {
    guard let photo = mode.comparison?.focused else { return }
    changeComparison(at: now) {
      $0.excluded.insert(photo)
      $0.remove(photo, in: $1)
    }
    if mode.comparison?.panes.isEmpty == true { mode.comparison = nil }
    if album.marks.contains(photo) { changeCollection(at: now) { $0.mark([photo], false) } }
  }

  /// Replaces all photos except the pinned one with the photos a number of places further.
  mutating func stepComparison(by count: Int, at now: Instant) {
    guard let comparison = mode.comparison else { return }
    guard let next = comparison.stepped(by: count, in: comparisonOrder) else {
      return showNotice(
        count > 0 ? "Already at the last photo" : "Already at the first photo",
        for: 1, at: now)
    }
    let index = comparison.focusIndex
    let context = comparisonContext(of: next, focused: next[index], at: now)
    changeComparison(at: now) { comparison, _ in comparison.show(next, in: context) }
  }
}
