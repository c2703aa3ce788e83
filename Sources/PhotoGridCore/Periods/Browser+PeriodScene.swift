/// The scene of months and years, and the demands for their pictures.
extension Browser {
  /// Returns the current pose of the tile of a month or year, in the picture area.
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
    var labels: [(period: PhotoPeriod, frame: PixelRect)] = []
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
        labels.append((period, label.offset(x: 0, y: -grid.scroll.value(at: now))))
      }
    }
    addLabels(of: labels, to: &scene, opacity: opacity)
    let pose = periodPose(of: periods.selection, in: periods, at: now)
    scene.ring = Scene.Ring(
      tile: pose.frame,
      opacity: folders.transition == nil ? opacity : opacity * pose.opacity)
  }

  /// Adds the background of a tile, over which its photos are drawn.
  private func addPlate(_ pose: Pose, to scene: inout Scene, opacity: Double) {
    scene.placements.append(
      Placement(
        photo: .unlisted, frame: pose.frame, crop: .unit, opacity: opacity * pose.opacity
      ).clipped(to: viewport.pictureArea))
  }

  // MARK: - Texts

  /// Returns the name of a period, printable: "May 2024", "2024", "No date".
  private func title(of period: PhotoPeriod) -> String {
    album.title(
      of: period.date.map { .date($0) } ?? .rest, options.dates,
      isSettled: collection.isComplete)
  }

  /// Returns the forms of a period's label, from the longest to the shortest: its name with the
  /// number of its photos, down to the name alone.
  private func labelForms(of period: PhotoPeriod) -> [String] {
    let title = title(of: period)
    let unit = period.count == 1 ? "photo" : "photos"
    let short = period.date.flatMap { date in
      date.month.flatMap(options.dates.shortMonth).map { "\($0) \(date.year)" }
    }
    return [
      "\(title) · \(period.count) \(unit)", "\(title) · \(period.count)",
      "\(short ?? title) · \(period.count)", short ?? title,
    ]
  }

  /// Adds the labels of months or years, all in the longest form that fits below every tile.
  private func addLabels(
    of periods: [(period: PhotoPeriod, frame: PixelRect)], to scene: inout Scene, opacity: Double
  ) {
    let labels = periods.map { period, frame in
      (
        forms: labelForms(of: period), frame: frame,
        columns: viewport.metrics.columns(inside: frame).count
      )
    }
    let form =
      labels.map { label in
        label.forms.firstIndex { CellText($0).width <= label.columns } ?? label.forms.count - 1
      }.max() ?? 0
    for label in labels {
      let text = CellText(label.forms[form]).truncatedTail(to: label.columns).string
      scene.labels.append(Scene.Label(text: text, frame: label.frame, opacity: opacity))
    }
  }

  /// The status bar's text about the selected month or year; nil while photos are shown.
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

  /// The demands for the pictures of months or years, most urgent first; empty while photos are
  /// shown.
  var periodDemands: [Demand] {
    guard let periods = mode.periods, !periods.items.isEmpty else { return [] }
    let indices = periods.grid.demandedIndices(around: periods.selection, in: viewport)
    return demands(of: indices.visible, .visible) + demands(of: indices.nearby, .nearby)

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
