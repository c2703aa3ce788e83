/// Zooming out from the photos to months and years, and in again.
extension Browser {
  /// The delay from new photos in a listing until they are counted, in seconds.
  private static let updateDelay = 0.3

  /// Whether a transition between photos, months and years is in progress in a direction.
  func isZooming(inward isInward: Bool) -> Bool {
    guard let transition = folders.transition, case .period? = transition.tileItem else {
      return false
    }
    return transition.isInward == isInward
  }

  // MARK: - Out

  /// Goes from the photos to months, or from months to years.
  mutating func zoomOut(at now: Instant) {
    guard let periods = mode.periods else { return showMonths(at: now) }
    guard periods.periods.length == .month else {
      return showNotice("Cannot zoom out further", for: 1, at: now)
    }
    var years = PeriodGrid(
      .year, of: gridContext(at: now), origin: periods.samplePhoto, spacing: options.layout.spacing)
    years.months = periods.grid.position
    zoomOut(to: years, at: now)
  }

  private mutating func showMonths(at now: Instant) {
    guard !album.shown.isEmpty else {
      return showNotice("No photos to group", for: 2, at: now)
    }
    endDrag(at: now)
    collection.needDates(true)
    let months = PeriodGrid(
      .month, of: gridContext(at: now), origin: currentPhoto, spacing: options.layout.spacing)
    zoomOut(to: months, at: now)
  }

  private mutating func zoomOut(to periods: PeriodGrid, at now: Instant) {
    let tile = periods.restingFrame(at: periods.selection)
    let item = periods.grid.selected.map { FolderTransition.Item.period($0) }
    beginZoom(isInward: false, of: item, tile: tile, at: now)
    mode = .periods(periods, nil)
  }

  // MARK: - In

  /// Goes into the selected year or month.
  mutating func zoomIn(at now: Instant) {
    guard let periods = mode.periods, let item = periods.grid.selected,
      let period = periods.selected
    else { return }
    switch periods.periods.length {
    case .month: leaveMonths(through: item, to: period.date, isReturning: false, at: now)
    case .year: showMonths(of: item, at: now)
    }
  }

  /// Goes back from years to the months that the user came from, or from months to the photos.
  mutating func stepOutOfPeriods(at now: Instant) {
    guard let periods = mode.periods else { return }
    switch periods.periods.length {
    case .month:
      let origin = current(in: periods)
      leaveMonths(through: origin, to: nil, isReturning: true, at: now)
    case .year: showMonths(of: nil, at: now)
    }
  }

  /// Returns the item of the period that contains the photo selected in the grid; the first period
  /// if no photo is selected.
  private func current(in periods: PeriodGrid) -> Photo.ID? {
    guard let photo = currentPhoto else { return periods.items.first }
    return periods.periods.item(of: photo, in: album)
  }

  /// Goes from years to months.
  ///
  /// - Parameters:
  ///   - year: The item of the year to go into; nil for the year that the user came from.
  ///   - now: The current time.
  private mutating func showMonths(of year: Photo.ID?, at now: Instant) {
    guard let years = mode.periods else { return }
    let context = gridContext(at: now)
    var months = PeriodGrid(
      .month, of: context, origin: currentPhoto, at: years.months, spacing: options.layout.spacing)
    func yearItem(of month: Photo.ID?) -> Photo.ID? {
      month.map { item in
        PhotoPeriod.item(of: months.periods[item]?.date.map { CalendarDate(year: $0.year) })
      }
    }
    let left = yearItem(of: months.grid.selected)
    if let year, year != left {
      let first = months.items.first { yearItem(of: $0) == year }
      months.select(first, in: context)
    }
    let item = year ?? left
    beginZoom(
      isInward: true, of: item.map { .period($0) }, tile: tileFrame(of: item, in: years, at: now),
      at: now)
    mode = .periods(months, nil)
  }

  /// Goes from months to the photos.
  ///
  /// - Parameters:
  ///   - item: The item of the month to zoom into.
  ///   - date: The month to show.
  ///   - isReturning: Whether to restore the photos as the user left them, instead of showing
  ///     `date`.
  ///   - now: The current time.
  private mutating func leaveMonths(
    through item: Photo.ID?, to date: CalendarDate?, isReturning: Bool, at now: Instant
  ) {
    guard let months = mode.periods else { return }
    let tile = tileFrame(of: item, in: months, at: now)
    beginZoom(isInward: true, of: item.map { .period($0) }, tile: tile, at: now)
    mode = .grid(closing: nil, nil)
    collection.needDates(false)
    if !isReturning { show(date, at: now) }
    refreshIfDue(at: now)
  }

  /// Sorts the photos by date, and scrolls to the photos of a month; if one of them is selected,
  /// scrolls only as far as needed to show it.
  private mutating func show(_ month: CalendarDate?, at now: Instant) {
    if album.order.key != .taken {
      changeCollection(at: now) { $0.sort(by: SortOrder(by: .taken)) }
      grid.rearrangement = Rearrangement()
      showNotice("Sort: \(album.order.label)", for: 1, at: now)
    }
    let isThere = { [album] (photo: Photo.ID) in album.date(of: photo, by: .month) == month }
    if let photo = currentPhoto, isThere(photo) {
      return grid.scrollIntoView(selection, in: viewport)
    }
    guard
      let index = photos.indices.first(where: {
        $0 >= folderCount && isThere(photos[$0])
      })
    else { return }
    goToTop(index, at: now)
  }

  /// The photo that is selected in the grid, even while the grid is hidden; nil for a folder.
  private var currentPhoto: Photo.ID? { collection.photoIndex(selection).map { photos[$0] } }

  /// Selects a photo, and puts its tile at the top as far as possible, without motion.
  private mutating func goToTop(_ index: Int, at now: Instant) {
    changeGrid(at: now, options.motion.tap) { grid, context in
      grid.selected = context.collection.items[index]
      let offset = min(
        grid.offset(showingAtTop: index), grid.scrollLimit(in: context.viewport))
      grid.scrollIntoView(index, from: offset, in: context.viewport)
    }
  }

  // MARK: - Motion

  /// Starts the transition to another grid, from the current screen.
  private mutating func beginZoom(
    isInward: Bool, of item: FolderTransition.Item?, tile: PixelRect, at now: Instant
  ) {
    endDrag(at: now)
    folders.transition =
      options.motion == .none
      ? nil : transition(isInward: isInward, of: item, tile: tile, at: now)
    removalFade = nil
  }

  /// Returns the frame of a period's tile; a small frame in the middle of the screen if the tile is
  /// not visible.
  private func tileFrame(
    of item: Photo.ID?, in periods: PeriodGrid, at now: Instant
  ) -> PixelRect {
    let screen = viewport.pictureArea
    let context = periods.inside(gridContext(at: now))
    if let index = item.flatMap({ periods.index(of: $0) }) {
      let frame = periods.grid.tilePose(of: index, in: context).frame
      if frame.intersects(screen) { return frame }
    }
    return PixelRect(center: screen.center, size: screen.size.scaled(by: 0.2))
  }

  // MARK: - Changes

  /// Changes the grid of months or years.
  mutating func changePeriods(
    at now: Instant, _ change: (inout Grid, Grid.Context) -> Void
  ) {
    let context = gridContext(at: now)
    mode.updatePeriods { $0.change(in: context, change) }
  }

  /// Selects the month or year of a date; without photos there, the nearest one.
  mutating func goToPeriod(_ date: CalendarDate, at now: Instant) {
    guard let periods = mode.periods else { return }
    guard let index = periods.periods.item(nearestTo: date).flatMap({ periods.index(of: $0) })
    else { return showNotice("No dates are known yet", for: 2, at: now) }
    changePeriods(at: now) { grid, context in
      grid.hasUserInteracted = true
      grid.select(index, in: context)
    }
  }

  /// Schedules a count of the photos of months or years, if they are shown.
  ///
  /// - Parameters:
  ///   - isSoon: Whether to count immediately; otherwise a delay collects many additions.
  ///   - now: The current time.
  mutating func countPeriods(soon isSoon: Bool, at now: Instant) {
    let due = isSoon ? now : now.advanced(bySeconds: Self.updateDelay)
    mode.updatePeriods { $0.scheduleUpdate(due) }
  }

  /// The time at which to count the photos of months or years again; nil if no count is scheduled,
  /// and during a transition.
  var periodUpdateDue: Instant? { folders.transition == nil ? mode.periods?.updateDue : nil }

  /// Counts the photos if a count is due, except during a transition, whose tile would jump.
  mutating func updatePeriodsIfDue(at now: Instant) {
    guard let due = periodUpdateDue, due <= now else { return }
    let context = gridContext(at: now)
    mode.updatePeriods { $0.update(in: context) }
  }

  /// Ends the motions of months or years that are over.
  mutating func settlePeriods(at now: Instant) {
    mode.updatePeriods { $0.settle(at: now) }
  }
}
