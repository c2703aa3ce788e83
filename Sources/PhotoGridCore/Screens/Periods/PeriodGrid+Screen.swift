import Geometry
import Photos
import SceneModel

extension PeriodGrid: Screen {
  /// The delay from new photos in a listing until they are counted, in seconds.
  private static let updateDelay = 0.3

  var traits: ScreenTraits { ScreenTraits(keyView: .grid, replacesGrid: true) }

  func currentItem(in gallery: Gallery) -> Int? { nil }

  // MARK: - Commands

  /// Performs a command; those that concern photos are refused.
  mutating func perform(
    _ command: Command, _ count: Int?, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome]? {
    guard obstacle(to: command) == nil else {
      return [
        .notice("This works only on photos. Enter opens the month; Esc goes back.", seconds: 2)
      ]
    }
    switch command {
    case .app(.choose), .navigation(.open), .grid(.largerTiles):
      return zoomIn(in: gallery, at: now)
    case .navigation(.stepOut): return stepOut(in: gallery, at: now)
    case .navigation(.next), .navigation(.previous): return []
    case .navigation(let command):
      return changeByUser(in: gallery, at: now) { $0.navigate(command, count, in: $1) }
    case .grid: return zoomOut(in: gallery, at: now)
    case .app, .album, .viewer, .files, .culling, .comparison: return nil
    }
  }

  /// Returns why months and years refuse a command; nil if they do not.
  func obstacle(to command: Command) -> String? {
    switch command {
    case .app(.toggleInformation), .app(.startSlideshow), .app(.togglePlaying), .app(.stepFrame),
      .app(.stepFrameBack):
      Self.onlyOnPhotos
    case .app, .navigation, .album(.filter), .album(.goToDate), .grid(.largerTiles),
      .grid(.smallerTiles), .grid(.zoomOut), .grid(.goUp):
      nil
    case .grid, .viewer, .album, .files, .culling, .comparison: Self.onlyOnPhotos
    }
  }

  private static let onlyOnPhotos = "works only on photos; open a month first"

  private mutating func changeByUser(
    in gallery: Gallery, at now: Instant, _ change: (inout Grid, Grid.Context) -> Void
  ) -> [ScreenOutcome] {
    self.change(in: gallery.gridContext(at: now)) { grid, context in
      grid.hasUserInteracted = true
      change(&grid, context)
    }
    return []
  }

  /// Selects the month or year of a date; without photos there, the nearest one.
  mutating func go(to date: CalendarDate, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    guard let index = periods.date(nearestTo: date).flatMap({ periods.index(of: $0) }) else {
      return [.notice("The dates have not been read yet", seconds: 2)]
    }
    return changeByUser(in: gallery, at: now) { $0.select(index, in: $1) }
  }

  // MARK: - Zooming

  /// The zoom out to these periods, from the photos or the periods of the selected one.
  var zoomFromInside: GridZoom {
    GridZoom(
      isInward: false, item: grid.selected, tile: restingFrame(at: selection),
      destination: .periods(self))
  }

  private func zoomOut(in gallery: Gallery, at now: Instant) -> [ScreenOutcome] {
    guard periods.length == .month else { return [.notice("Cannot zoom out further", seconds: 1)] }
    var years = PeriodGrid(
      .year, of: gallery.gridContext(at: now), origin: samplePhoto,
      spacing: gallery.options.layout.spacing)
    years.months = grid.position
    return [.zoom(years.zoomFromInside)]
  }

  private func zoomIn(in gallery: Gallery, at now: Instant) -> [ScreenOutcome] {
    guard let item = grid.selected, let period = selected else { return [] }
    return switch periods.length {
    case .month: [leaveMonths(through: item, to: .month(period.date), in: gallery, at: now)]
    case .year: [showMonths(of: item, in: gallery, at: now)]
    }
  }

  /// Goes back from years to the months that the user came from, or from months to the photos.
  private func stepOut(in gallery: Gallery, at now: Instant) -> [ScreenOutcome] {
    switch periods.length {
    case .month:
      // The month of the photo that is selected in the grid.
      let date: CalendarDate?? =
        gallery.selectedPhoto.map { periods.date(of: $0, in: gallery.album) } ?? items.first
      return [leaveMonths(through: date.map { .period($0) }, to: .photos, in: gallery, at: now)]
    case .year: return [showMonths(of: nil, in: gallery, at: now)]
    }
  }

  private func leaveMonths(
    through item: ItemID?, to destination: GridZoom.Destination, in gallery: Gallery,
    at now: Instant
  ) -> ScreenOutcome {
    .zoom(
      GridZoom(
        isInward: true, item: item, tile: visibleFrame(of: item, in: gallery, at: now),
        destination: destination))
  }

  /// Goes from years to the months of a year, or back to those that the user came from.
  private func showMonths(of wanted: ItemID?, in gallery: Gallery, at now: Instant)
    -> ScreenOutcome
  {
    let context = gallery.gridContext(at: now)
    var months = PeriodGrid(
      .month, of: context, origin: gallery.selectedPhoto, at: self.months,
      spacing: gallery.options.layout.spacing)
    func year(of month: CalendarDate?) -> ItemID {
      .period(month.map { CalendarDate(year: $0.year) })
    }
    let left = months.selected.map { year(of: $0.date) }
    if let wanted, wanted != left {
      let first = months.items.first { year(of: $0) == wanted }
      months.select(first.map { .period($0) }, in: context)
    }
    let item = wanted ?? left
    return .zoom(
      GridZoom(
        isInward: true, item: item, tile: visibleFrame(of: item, in: gallery, at: now),
        destination: .periods(months)))
  }

  /// Returns the frame of a period's tile; a small frame in the middle of the screen if the tile is
  /// not visible.
  private func visibleFrame(of item: ItemID?, in gallery: Gallery, at now: Instant) -> PixelRect {
    let screen = gallery.viewport.pictureArea
    if let index = index(of: item) {
      let frame = grid.tilePose(of: index, in: inside(gallery.gridContext(at: now))).frame
      if frame.intersects(screen) { return frame }
    }
    return PixelRect(center: screen.center, size: screen.size.scaled(by: 0.2))
  }

  // MARK: - The pointer

  /// Handles a mouse event: a click zooms into a month or year, the wheel scrolls.
  mutating func point(_ event: MouseEvent, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]?
  {
    switch event.kind {
    case .pressed(.left): gallery.pointer.gridPress = Drag(at: event.position, time: now)
    case .dragged(.left): gallery.pointer.gridPress?.move(to: event.position, at: now)
    case .released(.left):
      gallery.pointer.gridPress?.move(to: event.position, at: now)
      if gallery.endsClick(at: event.position, now),
        select(at: event.position, in: gallery, at: now)
      {
        return zoomIn(in: gallery, at: now)
      }
    case .wheel(let wheel):
      return turn(
        wheel, isZoom: event.modifiers.contains(.control), at: event.position, in: gallery, now)
    case .pressed, .dragged, .released, .moved: break
    }
    return []
  }

  private mutating func turn(
    _ wheel: MouseEvent.Wheel, isZoom: Bool, at position: PixelPoint, in gallery: Gallery,
    _ now: Instant
  ) -> [ScreenOutcome] {
    switch wheel {
    // One turn of the wheel has many notches; the remaining ones must not zoom by another level.
    case .up where isZoom:
      guard !gallery.isZooming(inward: true) else { return [] }
      if !gallery.isZooming(inward: false) { _ = select(at: position, in: gallery, at: now) }
      return zoomIn(in: gallery, at: now)
    case .down where isZoom:
      return gallery.isZooming(inward: false) ? [] : zoomOut(in: gallery, at: now)
    case .up: return changeByUser(in: gallery, at: now) { $0.scrollRows(-1, in: $1) }
    case .down: return changeByUser(in: gallery, at: now) { $0.scrollRows(1, in: $1) }
    case .left, .right: return []
    }
  }

  /// Selects the month or year whose tile or label is at a point.
  ///
  /// - Returns: Whether there is one.
  private mutating func select(at point: PixelPoint, in gallery: Gallery, at now: Instant) -> Bool {
    let context = inside(gallery.gridContext(at: now))
    let scroll = grid.scroll.value(at: now)
    let index = grid.visibleIndices(in: context).last {
      pose(of: $0, in: gallery, at: now).frame.contains(point)
        || grid.layout.labelFrame(at: $0)?.offset(x: 0, y: -scroll).contains(point) == true
    }
    guard let index else { return false }
    _ = changeByUser(in: gallery, at: now) { $0.selected = $1.items[index] }
    return true
  }

  // MARK: - Changes

  mutating func settle(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    settle(at: now)
    return []
  }

  /// Counts the photos if a count is due.
  mutating func advance(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    if let due = nextChange(in: gallery), due <= now { update(in: gallery.gridContext(at: now)) }
    return []
  }

  mutating func follow(_ change: GalleryChange, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    switch change {
    case .items: scheduleUpdate(now)
    // A delay collects many additions.
    case .appended: scheduleUpdate(now.advanced(bySeconds: Self.updateDelay))
    case .viewport: resize(in: gallery.gridContext(at: now))
    case .pressesEnded, .tiles, .sizes, .resized, .prepared, .filesChanged, .room: break
    }
    return []
  }

  func isAnimating(in gallery: Gallery, at now: Instant) -> Bool { grid.isAnimating(at: now) }

  /// Returns the time at which to count the photos again; nil if no count is due, and during a
  /// transition, whose tile would jump.
  func nextChange(in gallery: Gallery) -> Instant? {
    gallery.folders.transition == nil ? updateDue : nil
  }

  // MARK: - Scene

  func draw(into scene: inout Scene, _ frame: SceneFrame) {
    let (gallery, now) = (frame.gallery, frame.now)
    let context = inside(gallery.gridContext(at: now))
    for (_, pose) in grid.exitingTiles(in: context) { addPlate(pose, to: &scene, frame) }
    guard !items.isEmpty else { return }
    let isArranged = grid.rearrangement.isOver(at: now) && gallery.folders.transition == nil
    var labels: [(period: PhotoPeriod, frame: PixelRect)] = []
    for index in grid.visibleIndices(in: context) {
      let pose = pose(of: index, in: gallery, at: now)
      guard pose.frame.intersects(gallery.viewport.pictureArea) else { continue }
      addPlate(pose, to: &scene, frame)
      for (photo, part) in samples(at: index, in: pose.frame, metrics: gallery.viewport.metrics) {
        scene.placements.append(
          gallery.placement(of: photo, in: part, opacity: frame.gridOpacity * pose.opacity)
            .clipped(to: gallery.viewport.pictureArea))
      }
      if isArranged, let label = grid.layout.labelFrame(at: index), let period = period(at: index) {
        labels.append((period, label.offset(x: 0, y: -grid.scroll.value(at: now))))
      }
    }
    addLabels(of: labels, to: &scene, frame)
    let pose = pose(of: selection, in: gallery, at: now)
    let isStill = gallery.folders.transition == nil
    scene.ring = Scene.Ring(
      tile: pose.frame, opacity: frame.gridOpacity * (isStill ? 1 : pose.opacity))
  }

  /// Returns the current pose of a tile, in the picture area.
  private func pose(of index: Int, in gallery: Gallery, at now: Instant) -> Pose {
    let pose = grid.tilePose(of: index, in: inside(gallery.gridContext(at: now)))
    return gallery.folders.transition?.arriving(pose, at: now) ?? pose
  }

  /// Adds the background of a tile, over which its photos are drawn.
  private func addPlate(_ pose: Pose, to scene: inout Scene, _ frame: SceneFrame) {
    scene.placements.append(
      Placement(
        photo: .unlisted, frame: pose.frame, crop: .unit,
        opacity: frame.gridOpacity * pose.opacity
      ).clipped(to: frame.gallery.viewport.pictureArea))
  }

  /// Adds the labels of months or years, all in the longest form that fits below every tile.
  private func addLabels(
    of periods: [(period: PhotoPeriod, frame: PixelRect)], to scene: inout Scene,
    _ frame: SceneFrame
  ) {
    let labels = periods.map { period, index in
      (
        forms: labelForms(of: period, in: frame.gallery), frame: index,
        columns: frame.gallery.viewport.metrics.columns(inside: index).count
      )
    }
    let form =
      labels.map { label in
        label.forms.firstIndex { CellText($0).width <= label.columns } ?? label.forms.count - 1
      }.max() ?? 0
    for label in labels {
      let text = CellText(label.forms[form]).truncatedTail(to: label.columns).string
      scene.labels.append(Scene.Label(text: text, frame: label.frame, opacity: frame.gridOpacity))
    }
  }

  /// Returns the forms of a period's label, from the longest to the shortest: its name with the
  /// number of its photos, down to the name alone.
  private func labelForms(of period: PhotoPeriod, in gallery: Gallery) -> [String] {
    let title = title(of: period, in: gallery)
    let unit = period.count == 1 ? "photo" : "photos"
    let short = period.date.flatMap { date in
      date.month.flatMap(gallery.options.dates.shortMonth).map { "\($0) \(date.year)" }
    }
    return [
      "\(title) · \(period.count) \(unit)", "\(title) · \(period.count)",
      "\(short ?? title) · \(period.count)", short ?? title,
    ]
  }

  private func title(of period: PhotoPeriod, in gallery: Gallery) -> String {
    gallery.album.title(
      of: period.date.map { .date($0) } ?? .rest, gallery.options.dates,
      isSettled: gallery.collection.isComplete)
  }

  func describe(_ content: inout StatusBar.Content, in gallery: Gallery) {
    let unit = periods.length == .month ? "month" : "year"
    let photos = selected.map { "\($0.count) \($0.count == 1 ? "photo" : "photos")" }
    content.period = StatusBar.PeriodStatus(
      title: selected.map { title(of: $0, in: gallery) } ?? "",
      position: ["\(unit) \(selection + 1)/\(items.count)"] + [photos].compactMap(\.self))
  }

  // MARK: - Pictures

  func demands(in gallery: Gallery) -> ScreenDemands {
    guard !items.isEmpty else { return ScreenDemands() }
    let indices = grid.demandedIndices(around: selection, in: gallery.viewport)
    func demands(of indices: [Int], _ proximity: Demand.Proximity) -> [Demand] {
      indices.flatMap { index in
        samples(at: index, in: grid.layout.frame(at: index), metrics: gallery.viewport.metrics)
          .map { gallery.demand(for: $0.photo, in: $0.frame.size, mode: .fill, proximity) }
      }
    }
    return ScreenDemands(
      visible: demands(of: indices.visible, .visible),
      ahead: demands(of: indices.nearby, .nearby))
  }

  func visibleItems(in gallery: Gallery) -> [Int] { [] }
}
