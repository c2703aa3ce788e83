/// Drawing compared photos, and the pictures that they need.
extension Browser {
  // MARK: - Drawing

  /// Adds the compared photos; photos that were removed and still move lie behind the others.
  func add(
    _ comparison: Comparison, to scene: inout Scene, at now: Instant,
    _ closeUp: (Photo.ID) -> CloseUp?
  ) {
    for pane in comparison.leaving + comparison.panes {
      add(pane, to: &scene, at: now, closeUp)
    }
    let isInFront = comparison.backdrop.value(at: now) <= 1 / 256
    guard isInFront, !comparison.isClosing, comparison.panes.count > 1,
      let pane = comparison.pane(of: comparison.focused)
    else { return }
    let marked = comparison.panes.filter { album.marks.contains($0.photo) }
    // If all photos are marked, as most often at first, rings would distinguish none.
    let showsMarks = marked.count < comparison.panes.count
    scene.ring = Scene.Ring(
      tile: pane.window.value(at: now).frame, opacity: 1,
      meaning: showsMarks && marked.contains(pane) ? .selectedAndMarked : .selected)
    guard showsMarks else { return scene.marks = [] }
    scene.marks = marked.filter { $0.photo != pane.photo }.map {
      Scene.Ring(tile: $0.window.value(at: now).frame, opacity: 1, meaning: .marked)
    }
  }

  private func add(
    _ pane: ComparisonPane, to scene: inout Scene, at now: Instant,
    _ closeUp: (Photo.ID) -> CloseUp?
  ) {
    guard collection.index(of: pane.photo) != nil else { return }
    let window = pane.window.value(at: now)
    let frame = pane.whole.value(at: now).frame
    let visible = placement(of: pane.photo, in: frame, opacity: window.opacity)
      .masked(by: window.frame)?.masked(by: viewport.pictureArea)
    guard let visible else { return }
    guard let closeUp = closeUp(pane.photo), let stage = stage(of: pane) else {
      return scene.placements.append(visible)
    }
    scene.placements += closeUp.placements(over: visible, in: frame, on: stage)
  }

  /// Returns the photo of a pane and the area that displays it; nil until its size is known.
  func stage(of pane: ComparisonPane) -> Magnification.Stage? {
    pane.stage(size(of: pane.photo), quantum: viewport.metrics.quantum)
  }

  /// The scale of the focused photo in percent; nil at fit.
  var comparisonPercentage: Int? {
    guard isComparing, let comparison = mode.comparison,
      let pane = comparison.pane(of: comparison.focused), let stage = stage(of: pane)
    else { return nil }
    let view = comparison.view.magnification(of: pane, on: stage)
    return view.isFit(on: stage) ? nil : Int((stage.factor(of: view.scale) * 100).rounded())
  }

  /// The numbers of the compared photos for the bar, the focused one in brackets, such as
  /// "comparing 3 [4] 7 pinned"; nil unless photos are compared.
  var comparisonStatus: String? {
    guard isComparing, let comparison = mode.comparison else { return nil }
    let numbers = comparison.panes.map { pane in
      let number = (collection.index(of: pane.photo) ?? 0) - collection.folderCount + 1
      let text = "\(number)" + (pane.photo == comparison.pinned ? " pinned" : "")
      return pane.photo == comparison.focused ? "[\(text)]" : text
    }
    return "comparing " + numbers.joined(separator: " ")
  }

  // MARK: - Pictures

  /// The pictures that the compared photos need, with the focused photo first.
  var comparisonDemands: [Demand] {
    guard isComparing, let comparison = mode.comparison else { return [] }
    let panes = comparison.panes.sorted {
      ($0.photo == comparison.focused ? 0 : 1) < ($1.photo == comparison.focused ? 0 : 1)
    }
    let closeUps = panes.map { closeUpDemand(of: $0, in: comparison) }
    let wholes = zip(panes, closeUps).map { pane, closeUp in
      var whole = demand(for: pane.photo, in: pane.frame.size, mode: .fit)
      // A cell averages pixels anyway, so it looks the same with a larger picture.
      whole.isExact = closeUp == nil && viewport.metrics.samplesPerPixel >= 1
      return whole
    }
    return closeUps.compactMap(\.self) + wholes + demandsAhead(in: comparison)
  }

  /// Returns the pictures of the photos that the panes show after the next step.
  private func demandsAhead(in comparison: Comparison) -> [Demand] {
    guard let next = comparison.stepped(by: 1, in: comparisonOrder) else { return [] }
    return zip(next, comparison.panes).flatMap { photo, pane -> [Demand] in
      guard photo != pane.photo else { return [] }
      var other = pane
      other.photo = photo
      other.resetView()
      var whole = demand(for: photo, in: pane.frame.size, mode: .fit)
      whole.place = .neighbor
      let part = closeUpDemand(of: other, in: comparison, isAhead: true)
      return [part, whole].compactMap(\.self)
    }
  }

  /// The picture that the focused photo needs, which plays if it is animated; nil unless photos are
  /// compared.
  var comparedPictureDemand: Demand? {
    guard isComparing, let comparison = mode.comparison,
      let pane = comparison.pane(of: comparison.focused)
    else { return nil }
    return closeUpDemand(of: pane, in: comparison)
      ?? demand(for: pane.photo, in: pane.frame.size, mode: .fit)
  }

  private func closeUpDemand(
    of pane: ComparisonPane, in comparison: Comparison, isAhead: Bool = false
  ) -> Demand? {
    guard let stage = stage(of: pane) else { return nil }
    return closeUpDemand(
      of: pane.photo, comparison.view.magnification(of: pane, on: stage), on: stage,
      panDirection: pane.panDirection, isAhead: isAhead)
  }
}
