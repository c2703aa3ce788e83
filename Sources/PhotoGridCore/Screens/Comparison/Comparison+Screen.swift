import Geometry
import Photos
import SceneModel

/// Photos side by side as a screen: their commands and mouse events, their scene and their
/// pictures.
extension Comparison: PhotoScreen {
  var traits: ScreenTraits {
    ScreenTraits(keyView: .comparison, isClosing: isClosing, isGrabbed: isGrabbed)
  }
  private var isGrabbed: Bool { press != nil }

  func currentItem(in gallery: Gallery) -> Int? {
    gallery.collection.photoIndex(gallery.collection.index(of: focused) ?? gallery.selection)
  }

  // MARK: - Context

  /// Changes the compared photos; the focused one becomes the selected one.
  private mutating func change(
    in gallery: inout Gallery, at now: Instant, _ change: (inout Comparison, Context) -> Void
  ) {
    let context = Context(
      of: (panes + leaving).map(\.photo), focused: focused, in: gallery, at: now)
    change(&self, context)
    if !isClosing, !panes.isEmpty { gallery.grid.selected = .photo(focused) }
  }

  // MARK: - Opening

  /// Opens photos side by side, or explains why that is impossible: the range that is being
  /// selected, or several marked photos, or the current photo with the only marked one, or with the
  /// next.
  ///
  /// Photos of an earlier comparison that still fly to their tiles continue from there.
  static func open(
    current: Int?, after earlier: (any Screen)?, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    let photos = photosToCompare(current: current, in: gallery)
    guard possibleCounts.contains(photos.count) else {
      let limit = possibleCounts.upperBound
      return [
        .notice(
          photos.count > limit
            ? "Cannot compare \(photos.count) photos; the limit is \(limit)"
            : "No other photo to compare with", seconds: 2)
      ]
    }
    gallery.collection.rangeAnchor = nil
    let focused =
      gallery.photo(at: current ?? -1).flatMap { photos.contains($0) ? $0 : nil }
      ?? photos[0]
    let context = Context(of: photos, focused: focused, in: gallery, at: now)
    gallery.grid.selected = .photo(focused)
    return [
      .show(
        Comparison(
          opening: photos, focused: focused, after: earlier as? Comparison, in: context))
    ]
  }

  private static func photosToCompare(current: Int?, in gallery: Gallery) -> [Photo.ID] {
    let (collection, items) = (gallery.collection, gallery.items)
    if let range = collection.range(to: gallery.selection) {
      return items[range].filter { !gallery.album.isFolder($0) }
    }
    if let group = groupToCompare(with: current, in: collection) { return group }
    var chosen = gallery.album.markedInOrder.filter { collection.index(of: $0) != nil }
    if chosen.count > 1 { return chosen }
    guard let index = current else { return chosen }
    if !chosen.contains(items[index]) { chosen.append(items[index]) }
    if chosen.count == 1,
      let other = collection.photoIndex(index + 1) ?? collection.photoIndex(index - 1)
    {
      chosen.append(items[other])
    }
    return chosen.sorted { (collection.index(of: $0) ?? 0) < (collection.index(of: $1) ?? 0) }
  }

  /// Returns the near duplicates of a photo, unless only some of them are marked to be compared.
  private static func groupToCompare(
    with current: Int?, in collection: PhotoCollection
  ) -> [Photo.ID]? {
    guard let section = current.flatMap({ collection.group(ofItem: $0) }) else { return nil }
    let group = collection.photos(inSection: section)
    let markedCount = group.count { collection.album.isMarked($0) }
    guard group.count > 1, markedCount == 0 || markedCount >= group.count - 1 else { return nil }
    return group
  }

  // MARK: - Closing

  private mutating func close(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    guard let index = gallery.collection.index(of: focused) else { return [.show(nil)] }
    let isGridHidden = backdrop.value(at: now) < 1 / 64
    change(in: &gallery, at: now) { $0.close(in: $1) }
    gallery.reveal(index, isHidden: isGridHidden, at: now)
    return []
  }

  /// Returns the focused photo alone, starting at its pane and showing the same part of it; nil if
  /// it has no tile.
  func focusedAlone(in gallery: Gallery, at now: Instant) -> Viewer? {
    guard let pane = pane(of: focused), let index = gallery.collection.index(of: focused) else {
      return nil
    }
    let context = Viewer.Context(ofItemAt: index, in: gallery, at: now)
    var viewer = Viewer(photo: pane.photo, phase: .resting)
    if let stage = stage(of: pane, in: gallery) {
      viewer.view = view.magnification(of: pane, on: stage)
    }
    if context.motion.travels {
      let whole = pane.whole.value(at: now).frame
      let visible = whole.intersection(pane.window.value(at: now).frame)
      let frame = viewer.view.scale == .fit ? visible ?? pane.frame : whole
      let pose = Pose(frame: frame, backdrop: backdrop.value(at: now))
      viewer.phase = .flying(Animated(pose), to: .screen)
      viewer.fly(to: .screen, context.motion.tap, in: context)
    }
    return viewer
  }

  func photoAlone(in gallery: inout Gallery, at now: Instant) -> Viewer? {
    focusedAlone(in: gallery, at: now)?.photoAlone(in: &gallery, at: now)
  }

  // MARK: - Commands

  /// Whether what a command of the comparison toggles is on; nil for other commands.
  func isOn(_ command: Command) -> Bool? {
    command == .comparison(.pin) ? pinned != nil && pinned == focused : nil
  }

  mutating func perform(
    _ command: Command, _ count: Int?, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome]? {
    switch command {
    case .navigation(let command): navigate(command, count ?? 1, in: &gallery, at: now)
    case .viewer(let command): perform(command, count ?? 1, in: &gallery, at: now)
    case .comparison(.start): nil
    case .comparison(let command): perform(command, count ?? 1, in: &gallery, at: now)
    case .app, .grid, .album, .files, .culling: nil
    }
  }

  private mutating func perform(
    _ command: Command.ComparisonCommand, _ count: Int, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    guard !isGrabbed, !gallery.isPointerDown else { return [] }
    switch command {
    case .start: break
    case .remove: return takeOutFocused(in: &gallery, at: now)
    case .pin:
      togglePin()
      let words = pinned == nil ? "Unpinned" : "Pinned: n and p change the others"
      return [.notice(words, seconds: 2)]
    case .focusNext: moveFocus(by: count)
    case .focusPrevious: moveFocus(by: -count)
    case .focus(let direction):
      for _ in 0..<min(count, Self.possibleCounts.upperBound) { moveFocus(direction) }
    case .zoomAlone:
      change(in: &gallery, at: now) { $0.zoom(.toggleActualSize, 1, isAlone: true, in: $1) }
    case .panAlone(let direction):
      change(in: &gallery, at: now) { $0.pan(direction, count, isAlone: true, in: $1) }
    }
    gallery.grid.selected = .photo(focused)
    return []
  }

  private mutating func navigate(
    _ command: Command.Navigation, _ count: Int, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    let isMagnified = isFocusedMagnified(in: gallery)
    switch command {
    case .stepOut: return stepOut(in: &gallery, at: now)
    case .open: return focusedAlone(in: gallery, at: now).map { [.show($0)] } ?? []
    case .next: return step(by: count, in: &gallery, at: now)
    case .previous: return step(by: -count, in: &gallery, at: now)
    case .left where !isMagnified: return step(by: -count, in: &gallery, at: now)
    case .right where !isMagnified: return step(by: count, in: &gallery, at: now)
    case .left: pan(.left, count, in: &gallery, at: now)
    case .right: pan(.right, count, in: &gallery, at: now)
    case .up: pan(.up, count, in: &gallery, at: now)
    case .down: pan(.down, count, in: &gallery, at: now)
    case .first, .last, .tenForward, .tenBack, .pageForward, .pageBack, .halfPageForward,
      .halfPageBack:
      break  // no keys of the comparison
    }
    return []
  }

  /// Zooms all photos, or rotates the focused one.
  private mutating func perform(
    _ command: Command.ViewerCommand, _ count: Int, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    guard !isGrabbed, !gallery.isPointerDown else { return [] }
    switch command {
    case .zoom(let zoom):
      change(in: &gallery, at: now) { $0.zoom(zoom, count, isAlone: false, in: $1) }
    case .edge(let direction): pan(direction, 1000, in: &gallery, at: now)
    case .turn(let turning):
      for file in files(of: [focused], in: gallery.album) {
        gallery.turn(file, by: turning, count)
      }
      change(in: &gallery, at: now) { $0.retarget($1.motion.tap, in: $1) }
      return [.turned]
    }
    return []
  }

  private func isFocusedMagnified(in gallery: Gallery) -> Bool {
    guard let pane = pane(of: focused), let stage = stage(of: pane, in: gallery) else {
      return false
    }
    return isMagnified(pane, on: stage)
  }

  private mutating func pan(
    _ direction: Direction, _ count: Int, in gallery: inout Gallery, at now: Instant
  ) {
    guard !isGrabbed, !gallery.isPointerDown else { return }
    change(in: &gallery, at: now) { $0.pan(direction, count, isAlone: false, in: $1) }
  }

  /// Goes one step back: ends a drag, shows all photos whole, or sends them to their tiles.
  private mutating func stepOut(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    if isGrabbed || gallery.isPointerDown {
      gallery.endPresses(at: now)
      press = nil
    } else if !isFit {
      change(in: &gallery, at: now) { $0.zoom(.fit, 1, isAlone: false, in: $1) }
    } else {
      return close(in: &gallery, at: now)
    }
    return []
  }

  /// Replaces all photos except the pinned one with the photos a number of places further.
  private mutating func step(
    by count: Int, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome] {
    guard let next = stepped(by: count, in: Order(gallery.collection, without: excluded)) else {
      return [.notice("Already at the \(count > 0 ? "last" : "first") photo", seconds: 1)]
    }
    let context = Context(of: next, focused: next[focusIndex], in: gallery, at: now)
    change(in: &gallery, at: now) { comparison, _ in comparison.show(next, in: context) }
    return []
  }

  /// Removes the focused photo from the comparison and unmarks it, so that the photos that are left
  /// are the marked ones.
  private mutating func takeOutFocused(in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    let photo = focused
    change(in: &gallery, at: now) {
      $0.excluded.insert(photo)
      $0.remove(photo, in: $1)
    }
    return (panes.isEmpty ? [.show(nil)] : [])
      + (gallery.album.marks.contains(photo) ? [.change { $0.mark([photo], false) }] : [])
  }

  /// Advances in culling mode after the focused photo was rated, or passed if `edit` is nil:
  /// removes a rejected photo; otherwise the next photo gets the focus.
  mutating func advance(after edit: AnnotationEdit?, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    if edit == .stars(Rating.rejected) { return takeOutFocused(in: &gallery, at: now) }
    change(in: &gallery, at: now) { comparison, _ in comparison.moveFocus(by: 1) }
    return []
  }

  // MARK: - The pointer

  /// Handles a mouse event: a click focuses, a drag pans, and the wheel zooms at the pointer.
  ///
  /// With Shift or Alt, only the photo under the pointer moves. Alt is for terminals in which Shift
  /// selects text, such as xterm and kitty.
  mutating func point(_ event: MouseEvent, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]?
  {
    guard !isClosing else { return nil }
    let isAlone = !event.modifiers.isDisjoint(with: [.shift, .alt])
    switch event.kind {
    case .pressed(.left):
      change(in: &gallery, at: now) { $0.press(at: event.position, isAlone: isAlone, in: $1) }
    case .dragged(.left):
      change(in: &gallery, at: now) { $0.drag(to: event.position, in: $1) }
    case .released(.left):
      change(in: &gallery, at: now) { $0.drag(to: event.position, in: $1) }
      let isClick = press.map { $0.panned == nil } ?? false
      let isDouble = isClick && gallery.isDoubleClick(at: event.position, now)
      change(in: &gallery, at: now) { $0.release(isDoubleClick: isDouble, in: $1) }
    case .wheel(.up):
      change(in: &gallery, at: now) { $0.zoom(1, at: event.position, isAlone: isAlone, in: $1) }
    case .wheel(.down):
      change(in: &gallery, at: now) { $0.zoom(-1, at: event.position, isAlone: isAlone, in: $1) }
    case .wheel, .pressed, .dragged, .released, .moved: break
    }
    return []
  }

  // MARK: - Changes

  /// Ends motions that are over; if a single photo is left, it becomes the open photo.
  mutating func settle(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    var ending: Ending?
    change(in: &gallery, at: now) { ending = $0.settle(in: $1) }
    return switch ending {
    case .closed: [.show(nil)]
    case .alone(let photo, let view): [.show(Viewer(photo: photo, phase: .resting, view: view))]
    case nil: []
    }
  }

  mutating func follow(_ change: GalleryChange, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    switch change {
    case .items(_, areOther: true):
      self.change(in: &gallery, at: now) { $0.removeMissing(in: $1) }
      if panes.isEmpty { return [.show(nil)] }
    case .pressesEnded: press = nil
    case .tiles(let timing):
      if isClosing, gallery.options.motion.travels {
        self.change(in: &gallery, at: now) { $0.retarget(timing, in: $1) }
      }
    case .viewport: self.change(in: &gallery, at: now) { $0.resize(in: $1) }
    case .room: self.change(in: &gallery, at: now) { $0.move(in: $1) }
    case .sizes(let photos):
      if photos.contains(where: contains) {
        self.change(in: &gallery, at: now) { $0.retarget($1.motion.tap, in: $1) }
      }
    case .items, .appended, .resized, .prepared, .filesChanged: break
    }
    return []
  }

  // MARK: - Scene

  /// Draws the photos; those that were removed and still move lie behind the others.
  func draw(into scene: inout Scene, _ frame: SceneFrame) {
    for pane in leaving + panes { draw(pane, into: &scene, frame) }
    let now = frame.now
    let isInFront = backdrop.value(at: now) <= 1 / 256
    guard isInFront, !isClosing, panes.count > 1, let pane = pane(of: focused) else { return }
    let marked = panes.filter { frame.gallery.album.marks.contains($0.photo) }
    // If all photos are marked, as most often at first, rings would distinguish none.
    let showsMarks = marked.count < panes.count
    scene.ring = Scene.Ring(
      tile: pane.window.value(at: now).frame, opacity: 1,
      meaning: showsMarks && marked.contains(pane) ? .selectedAndMarked : .selected)
    scene.outlines = []
    guard showsMarks else { return scene.marks = [] }
    scene.marks = marked.filter { $0.photo != pane.photo }.map {
      Scene.Ring(tile: $0.window.value(at: now).frame, opacity: 1, meaning: .marked)
    }
  }

  private func draw(_ pane: ComparisonPane, into scene: inout Scene, _ frame: SceneFrame) {
    let gallery = frame.gallery
    guard gallery.collection.index(of: pane.photo) != nil else { return }
    let window = pane.window.value(at: frame.now)
    let target = pane.whole.value(at: frame.now).frame
    let visible = gallery.placement(of: pane.photo, in: target, opacity: window.opacity)
      .masked(by: window.frame)?.masked(by: gallery.viewport.pictureArea)
    guard let visible else { return }
    var parts = [visible]
    if let closeUp = frame.closeUp(pane.photo), let stage = stage(of: pane, in: gallery) {
      parts = closeUp.placements(over: visible, in: target, on: stage)
    }
    // A rejected photo is as bright as the others, to be judged again.
    let badged = parts.last?.frame == visible.frame ? parts.count - 1 : 0
    parts[badged].badges = gallery.badges(of: pane.photo)
    scene.placements += parts
  }

  func gridOpacity(in gallery: Gallery, at now: Instant) -> Double? { backdrop.value(at: now) }

  func hidesTile(of item: Photo.ID, in gallery: Gallery) -> Bool {
    gallery.options.motion.travels && contains(item)
  }

  func isAnimating(in gallery: Gallery, at now: Instant) -> Bool { isAnimating(at: now) }

  /// Returns the photo of a pane and the area that displays it; nil until its size is known.
  private func stage(of pane: ComparisonPane, in gallery: Gallery) -> Magnification.PhotoInArea? {
    pane.stage(gallery.size(of: pane.photo), placementStep: gallery.viewport.metrics.placementStep)
  }

  // MARK: - Pictures

  /// Returns the pictures that the photos need, with the focused photo first, and those of the
  /// photos that the panes show after the next step.
  func demands(in gallery: Gallery) -> ScreenDemands {
    guard !isClosing else { return ScreenDemands() }
    let panes = self.panes.sorted {
      ($0.photo == focused ? 0 : 1) < ($1.photo == focused ? 0 : 1)
    }
    let closeUps = panes.map { closeUpDemand(of: $0, in: gallery) }
    let wholes = zip(panes, closeUps).map { pane, closeUp in
      var whole = gallery.demand(for: pane.photo, in: pane.frame.size, mode: .fit)
      // A cell averages pixels anyway, so it looks the same with a larger picture.
      whole.isExact = closeUp == nil && gallery.viewport.metrics.samplesPerPixel >= 1
      return whole
    }
    return ScreenDemands(visible: closeUps.compactMap(\.self) + wholes + demandsAhead(in: gallery))
  }

  private func demandsAhead(in gallery: Gallery) -> [Demand] {
    guard let next = stepped(by: 1, in: Order(gallery.collection, without: excluded)) else {
      return []
    }
    return zip(next, panes).flatMap { photo, pane -> [Demand] in
      guard photo != pane.photo else { return [] }
      var other = pane
      other.photo = photo
      other.resetView()
      let part = closeUpDemand(of: other, in: gallery, isAhead: true)
      let whole = gallery.demand(for: photo, in: pane.frame.size, mode: .fit, .neighbor)
      return [part, whole].compactMap(\.self)
    }
  }

  private func closeUpDemand(
    of pane: ComparisonPane, in gallery: Gallery, isAhead: Bool = false
  ) -> Demand? {
    stage(of: pane, in: gallery).flatMap { stage in
      gallery.closeUpDemand(
        of: pane.photo, view.magnification(of: pane, on: stage), on: stage,
        panDirection: pane.panDirection, beside: panes.count - 1, isAhead: isAhead)
    }
  }

  func visibleItems(in gallery: Gallery) -> [Int] {
    panes.compactMap { gallery.collection.index(of: $0.photo) }
  }

  func playedPicture(of index: Int, in gallery: Gallery) -> Demand {
    guard let pane = pane(of: focused) else { return gallery.screenDemand(of: index) }
    return closeUpDemand(of: pane, in: gallery)
      ?? gallery.demand(for: pane.photo, in: pane.frame.size, mode: .fit)
  }

  // MARK: - Status bar

  /// Adds the numbers of the photos, the focused one in brackets, such as "comparing 3 [4] 7
  /// pinned".
  func describe(_ content: inout StatusBar.Content, in gallery: Gallery) {
    content.hasViewer = true
    guard !isClosing else { return }
    let collection = gallery.collection
    let numbers = panes.map { pane in
      let number = (collection.index(of: pane.photo) ?? 0) - collection.folderCount + 1
      let text = "\(number)" + (pane.photo == pinned ? " pinned" : "")
      return pane.photo == focused ? "[\(text)]" : text
    }
    content.comparison = "comparing " + numbers.joined(separator: " ")
    content.rotation = gallery.orientation(of: focused).label
    guard let pane = pane(of: focused), let stage = stage(of: pane, in: gallery) else { return }
    let view = view.magnification(of: pane, on: stage)
    content.percentage =
      view.isFit(on: stage) ? nil : Int((stage.factor(of: view.scale) * 100).rounded())
  }
}

extension Comparison.Context {
  init(
    of photos: some Sequence<Photo.ID>, focused: Photo.ID, in gallery: Gallery, at now: Instant
  ) {
    let offset = gallery.collection.index(of: focused).map(gallery.scrollOffset(showing:))
    let context = gallery.gridContext(at: now)
    var surroundings: [Photo.ID: Comparison.Surroundings] = [:]
    for photo in photos {
      guard let index = gallery.collection.index(of: photo) else { continue }
      surroundings[photo] = Comparison.Surroundings(
        size: gallery.size(of: photo), tile: gallery.tilePose(of: index, in: context).frame,
        home: gallery.restingTileFrame(of: index, scrolledTo: offset)
          .waitingNearby(in: gallery.viewport))
    }
    self.init(
      viewport: gallery.viewport, motion: gallery.options.motion, now: now, photos: surroundings)
  }
}
