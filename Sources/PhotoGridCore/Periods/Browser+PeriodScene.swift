/// What is seen of months and years, and the pictures that they need.
extension Browser {
  /// The current pose of a month's or year's tile, in the picture area.
  func periodPose(of index: Int, in periods: PeriodGrid, at now: Instant) -> Pose {
    let pose = periods.grid.tilePose(of: index, in: periods.inside(gridContext(at: now)))
    return folders.transition?.arriving(pose, at: now) ?? pose
  }

  // MARK: - Drawing

  /// Adds the tiles of months or years, with their names, and a ring around the selected one.
  func addPeriods(
    _ periods: PeriodGrid, to scene: inout Scene, opacity: Double, at now: Instant
  ) {
    let grid = periods.grid
    let context = periods.inside(gridContext(at: now))
    for (_, pose) in grid.exitingTiles(in: context) {
      addPlate(pose, to: &scene, opacity: opacity)
    }
    guard !periods.items.isEmpty else { return }
    let isArranged = grid.rearrangement.isOver(at: now) && folders.transition == nil
    for index in grid.visibleIndices(in: context) {
      let pose = periodPose(of: index, in: periods, at: now)
      guard pose.frame.intersects(viewport.pictureArea) else { continue }
      addPlate(pose, to: &scene, opacity: opacity)
      for (photo, frame) in periods.samples(at: index, in: pose.frame, metrics: viewport.metrics) {
        scene.placements.append(
          placement(of: photo, in: frame, opacity: opacity * pose.opacity)
            .clipped(to: viewport.pictureArea))
      }
      if isArranged, let label = grid.layout.labelFrame(at: index),
        let period = periods.period(at: index)
      {
        let frame = label.offset(x: 0, y: -grid.scroll.value(at: now))
        let columns = viewport.metrics.columns(inside: frame).count
        scene.labels.append(
          Scene.Label(
            text: periodLabel(of: period, columns: columns), frame: frame, opacity: opacity))
      }
    }
    let pose = periodPose(of: periods.selection, in: periods, at: now)
    scene.ring = Scene.Ring(
      tile: pose.frame,
      opacity: folders.transition == nil ? opacity : opacity * pose.opacity)
  }

  /// Adds the ground of a tile, on which its photos lie.
  private func addPlate(_ pose: Pose, to scene: inout Scene, opacity: Double) {
    scene.placements.append(
      Placement(
        photo: .unlisted, frame: pose.frame, crop: .unit, opacity: opacity * pose.opacity
      ).clipped(to: viewport.pictureArea))
  }

  // MARK: - Texts

  /// The name of a period: "May 2024", "2024", "No date"; printable.
  private func title(of period: PhotoPeriod) -> String {
    album.title(
      of: period.date.map { .date($0) } ?? .rest, options.dates,
      isSettled: collection.isComplete)
  }

  /// The name of a period and the number of its photos, as long as there is room for.
  private func periodLabel(of period: PhotoPeriod, columns: Int) -> String {
    let title = title(of: period)
    let unit = period.count == 1 ? "photo" : "photos"
    let short = period.date.flatMap { date in
      date.month.flatMap(options.dates.shortMonth).map { "\($0) \(date.year)" }
    }
    let texts =
      ["\(title) · \(period.count) \(unit)", "\(title) · \(period.count)"]
      + (short.map { ["\($0) · \(period.count)", $0] } ?? [title])
    return texts.first { CellText($0).width <= columns }
      ?? CellText(title).truncatedTail(to: columns).string
  }

  /// What the bar says of the selected month or year; nil if the photos are shown.
  var periodStatus: StatusBar.PeriodStatus? {
    guard let periods = mode.periods else { return nil }
    let unit = periods.periods.length == .month ? "month" : "year"
    let photos = periods.selected.map { "\($0.count) \($0.count == 1 ? "photo" : "photos")" }
    return StatusBar.PeriodStatus(
      title: periods.selected.map(title(of:)) ?? "",
      position: ["\(unit) \(periods.selection + 1)/\(periods.items.count)"]
        + [photos].compactMap(\.self))
  }

  // MARK: - Pictures

  /// The pictures that months and years need, most urgent first; none while photos are shown.
  var periodDemands: [Demand] {
    guard let periods = mode.periods, !periods.items.isEmpty else { return [] }
    let view = periods.grid.restingView(in: viewport)
    let visible = periods.grid.layout.indices(in: view)
    let selection = periods.selection
    let margin = 2 * periods.grid.layout.scrollStep
    let near = periods.grid.layout.indices(
      in: PixelRect(
        x: 0, y: view.minY - margin, width: view.width, height: view.height + 2 * margin))
    let others = near.filter { !visible.contains($0) }
    return demands(of: visible.sorted { abs($0 - selection) < abs($1 - selection) }, .visible)
      + demands(of: others, .nearby)

    func demands(of indices: [Int], _ place: Demand.Place) -> [Demand] {
      indices.flatMap { index in
        let tile = periods.grid.layout.frame(at: index)
        return periods.samples(at: index, in: tile, metrics: viewport.metrics).map {
          var demand = demand(for: $0.photo, in: $0.frame.size, mode: .fill)
          demand.place = place
          return demand
        }
      }
    }
  }
}
