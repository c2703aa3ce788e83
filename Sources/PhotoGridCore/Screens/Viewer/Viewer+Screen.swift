import Geometry
import Photos
import SceneModel

/// The open photo as a screen: its commands and mouse events, its scene and its pictures.
extension Viewer: PhotoScreen {
  var traits: ScreenTraits {
    ScreenTraits(
      keyView: .viewer, isClosing: isClosing, isGrabbed: isGrabbed, openPhoto: photo)
  }

  func currentItem(in gallery: Gallery) -> Int? {
    gallery.collection.photoIndex(gallery.collection.index(of: photo) ?? gallery.selection)
  }

  // MARK: - Context

  /// Returns the surroundings of the photo; nil if it has no tile.
  func context(in gallery: Gallery, at now: Instant) -> Context? {
    gallery.collection.index(of: photo).map { Context(ofItemAt: $0, in: gallery, at: now) }
  }

  /// Returns the photo with the area that displays it; nil until its size is known.
  private func stage(in gallery: Gallery) -> Magnification.PhotoInArea? {
    gallery.collection.index(of: photo).flatMap(gallery.stage(of:))
  }

  /// Returns the shape of the pointer, by what a press on the photo does.
  func pointerShape(in gallery: Gallery) -> PointerShape {
    if isGrabbed { return .grabbing }
    return isMagnified(on: stage(in: gallery)) ? .grab : .zoomOut
  }

  /// Changes the photo, and updates the grid accordingly.
  private mutating func change(
    in gallery: inout Gallery, at now: Instant, _ change: (inout Viewer, Context) -> Outcome?
  ) {
    guard let index = gallery.collection.index(of: photo) else { return }
    switch change(&self, Context(ofItemAt: index, in: gallery, at: now)) {
    case .closing(let isGridHidden): gallery.reveal(index, isHidden: isGridHidden, at: now)
    case .changed(let photo):
      gallery.grid.selected = .photo(photo)
      gallery.collection.index(of: photo).map {
        gallery.grid.scrollIntoView($0, in: gallery.viewport)
      }
    case nil: break
    }
  }

  /// Changes the photo, unless a mouse button is held.
  private mutating func changeIfFree(
    in gallery: inout Gallery, at now: Instant, _ change: (inout Viewer, Context) -> Void
  ) {
    guard !isGrabbed, !gallery.isPointerDown else { return }
    self.change(in: &gallery, at: now) { viewer, context in
      change(&viewer, context)
      return nil
    }
  }

  func reopened(at index: Int, in gallery: inout Gallery, at now: Instant) -> Viewer? {
    guard gallery.collection.index(of: photo) == index else { return nil }
    var viewer = self
    viewer.change(in: &gallery, at: now) { viewer, context in
      viewer.fly(to: .screen, context.motion.tap, in: context)
      return nil
    }
    return viewer
  }

  /// Resets the zoom to fit, unless a mouse button is held.
  func photoAlone(in gallery: inout Gallery, at now: Instant) -> Viewer? {
    var viewer = self
    viewer.changeIfFree(in: &gallery, at: now) { $0.zoom(.fit, 1, in: $1) }
    return viewer
  }

  // MARK: - Commands

  /// Returns the command of the comma, which steps a film back, and sorts elsewhere.
  func command(of key: Key, in gallery: Gallery) -> Command? {
    key == .character(",") && current(in: gallery).flatMap(gallery.playback(of:))?.film != nil
      ? .app(.stepFrameBack) : nil
  }

  mutating func perform(
    _ command: Command, _ count: Int?, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome]? {
    switch command {
    case .navigation(let command): navigate(command, count, in: &gallery, at: now)
    case .viewer(.edge(let direction)):
      changeIfFree(in: &gallery, at: now) { $0.panToEdge(direction, in: $1) }
    case .viewer(.zoom(let zoom)):
      changeIfFree(in: &gallery, at: now) { $0.zoom(zoom, count ?? 1, in: $1) }
    case .viewer(.turn(let turning)):
      guard !isGrabbed, !gallery.isPointerDown else { return [] }
      changeIfFree(in: &gallery, at: now) { $0.turn(turning, count ?? 1, in: $1) }
      for file in files(of: [photo], in: gallery.album) {
        gallery.turn(file, by: turning, count ?? 1)
      }
      return [.turned]
    case .app, .grid, .album, .files, .culling, .comparison: return nil
    }
    return []
  }

  /// Shows another photo, pans the open one, or closes it.
  private mutating func navigate(
    _ command: Command.Navigation, _ count: Int?, in gallery: inout Gallery, at now: Instant
  ) {
    guard let index = gallery.collection.index(of: photo) else { return }
    let number = count ?? 1
    let isMagnified = isMagnified(on: stage(in: gallery))
    func pan(_ direction: Direction) {
      changeIfFree(in: &gallery, at: now) { $0.pan(direction, number, in: $1) }
    }
    switch command {
    case .stepOut: stepOut(in: &gallery, at: now)
    case .open:
      if isGrabbed { gallery.pointer.release() }
      change(in: &gallery, at: now) { $0.leave(in: $1) }
    case .left where isMagnified: pan(.left)
    case .right where isMagnified: pan(.right)
    case .up: pan(.up)
    case .down: pan(.down)
    case .left where gallery.playback(of: photo)?.isPlayingFilm == true:
      gallery.playback?.seek(by: -Self.seekSeconds * Double(number), at: now)
    case .right where gallery.playback(of: photo)?.isPlayingFilm == true:
      gallery.playback?.seek(by: Self.seekSeconds * Double(number), at: now)
    case .left: go(to: index - number, in: &gallery, at: now)
    case .right: go(to: index + number, in: &gallery, at: now)
    case .next, .previous, .first, .last, .tenForward, .tenBack:
      let target = command.destination(count, from: index, in: gallery.tiles)
      if let target { go(to: target, in: &gallery, at: now) }
    case .pageForward, .halfPageForward: go(to: index + 10 * number, in: &gallery, at: now)
    case .pageBack, .halfPageBack: go(to: index - 10 * number, in: &gallery, at: now)
    }
  }

  /// Goes one step back: ends a drag, resets the zoom, or closes the photo.
  private mutating func stepOut(in gallery: inout Gallery, at now: Instant) {
    guard !isGrabbed, !gallery.isPointerDown else {
      gallery.endPresses(at: now)
      return endDrag(in: &gallery, at: now)
    }
    change(in: &gallery, at: now) { viewer, context in
      guard viewer.isZoomed(on: context.stage) else { return viewer.leave(in: context) }
      viewer.zoom(.fit, 1, in: context)
      return nil
    }
  }

  /// Shows another photo in place of this one, without animation.
  mutating func go(to index: Int, in gallery: inout Gallery, at now: Instant) {
    guard !gallery.album.shown.isEmpty else { return }
    let present = gallery.collection.index(of: photo)
    let target = min(max(index, gallery.collection.folderCount), gallery.items.count - 1)
    guard target != present else { return }
    let photo = gallery.items[target]
    let isBack = present.map { target < $0 } ?? false
    change(in: &gallery, at: now) { viewer, _ in viewer.show(photo, isBack: isBack, at: now) }
  }

  // MARK: - The pointer

  mutating func point(_ event: MouseEvent, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]?
  {
    if pointOnProgress(event, in: &gallery, at: now) { return [] }
    switch event.kind {
    case .pressed(.left):
      var isOnPhoto = false
      change(in: &gallery, at: now) { viewer, context in
        isOnPhoto = viewer.press(at: event.position, in: context)
        return nil
      }
      return isOnPhoto ? [] : nil
    // A press that began in the grid ends there, even while the photo flies to its tile.
    case .dragged where !isGrabbed, .released where !isGrabbed: return nil
    case .dragged(.left): drag(to: event.position, in: &gallery, at: now)
    case .released(.left):
      drag(to: event.position, in: &gallery, at: now)
      var isDouble = false
      if case .held = phase { isDouble = gallery.isDoubleClick(at: event.position, now) }
      change(in: &gallery, at: now) { $0.release(isDoubleClick: isDouble, in: $1) }
    case .wheel where isClosing: return nil
    case .wheel(.up):
      changeIfFree(in: &gallery, at: now) { $0.zoom(1, at: event.position, in: $1) }
    case .wheel(.down):
      changeIfFree(in: &gallery, at: now) { $0.zoom(-1, at: event.position, in: $1) }
    case .wheel, .pressed, .dragged, .released, .moved: break
    }
    return []
  }

  private mutating func drag(to position: PixelPoint, in gallery: inout Gallery, at now: Instant) {
    change(in: &gallery, at: now) { viewer, context in
      viewer.drag(to: position, in: context)
      return nil
    }
  }

  private mutating func endDrag(in gallery: inout Gallery, at now: Instant) {
    gallery.playback?.progress.release(at: now)
    change(in: &gallery, at: now) { $0.endDrag(in: $1) }
  }

  // MARK: - Changes

  mutating func settle(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    if let context = context(in: gallery, at: now), settle(in: context) { return [.show(nil)] }
    settleCrossFade(at: now)
    return []
  }

  mutating func advance(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    settleCrossFade(at: now)
    return []
  }

  mutating func follow(_ change: GalleryChange, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    switch change {
    case .items(let before, areOther: true):
      return followPhoto(from: before, in: &gallery, at: now) ? [] : [.show(nil)]
    case .pressesEnded: endDrag(in: &gallery, at: now)
    case .tiles(let timing):
      if gallery.options.motion.travels { retarget(to: .tile, timing, in: gallery, at: now) }
    case .viewport:
      retarget(to: .tile, gallery.options.motion.tap, in: gallery, at: now)
      retarget(to: .screen, gallery.options.motion.tap, in: gallery, at: now)
    case .room(let before):
      if let context = context(in: gallery, at: now) { move(from: before, in: context) }
    case .sizes(let photos) where photos.contains(photo):
      retarget(to: .screen, gallery.options.motion.tap, in: gallery, at: now)
    case .items, .sizes, .appended, .resized, .prepared, .filesChanged: break
    }
    return []
  }

  private mutating func retarget(
    to destination: Destination, _ timing: Timing, in gallery: Gallery, at now: Instant
  ) {
    guard let context = context(in: gallery, at: now) else { return }
    retarget(to: destination, timing, in: context)
  }

  /// Keeps the photo open if it still exists.
  ///
  /// A removed photo fades out where it is; if it was on the screen, its replacement appears there.
  ///
  /// - Returns: Whether a photo is open.
  mutating func followPhoto(
    from before: Gallery, in gallery: inout Gallery, at now: Instant
  ) -> Bool {
    let replacement = gallery.collection.replacement(for: photo, in: before.collection)
    guard replacement != photo, let old = context(in: before, at: now) else { return true }
    let pose = pose(in: old)
    let motion = gallery.options.motion
    if motion != .none {
      gallery.removalFade = RemovalFade(
        photo: photo,
        animatedPose: Animated(
          from: pose, to: pose.vanished(in: motion), motion.rearrangement, at: now))
    }
    guard isOnScreen, let replacement,
      let index = gallery.collection.index(of: replacement),
      gallery.collection.photoIndex(index) != nil
    else { return false }
    let context = Context(ofItemAt: index, in: gallery, at: now)
    gallery.grid.selected = .photo(replacement)
    self = Viewer(replacing: pose, with: replacement, in: context)
    return true
  }

  /// Whether the photo is on the screen or on its way there, and not held.
  private var isOnScreen: Bool {
    switch phase {
    case .flying(_, to: .tile), .held, .dragging, .panning: false
    case .flying(_, to: .screen), .resting, .swiping, .snapping: true
    }
  }

  // MARK: - Scene

  func draw(into scene: inout Scene, _ frame: SceneFrame) {
    let gallery = frame.gallery
    guard let index = gallery.collection.index(of: photo) else { return }
    let context = Context(ofItemAt: index, in: gallery, at: frame.now)
    let pose = pose(in: context)
    let offset = neighborOffset(in: context)
    if offset != 0, let neighbor = context.neighbor(at: offset) {
      let beside = offset < 0 ? offset + context.swipePitch : offset - context.swipePitch
      let frame = gallery.viewport.screenFrame(of: gallery.size(of: neighbor), Magnification())
      var other = gallery.placement(of: neighbor, in: frame.offset(x: beside, y: 0), opacity: 1)
      other.badges = gallery.badges(ofOpen: neighbor)
      scene.placements.append(other)
    }
    var whole = gallery.placement(of: photo, in: pose.frame, opacity: pose.opacity)
      .clipped(to: gallery.viewport.pictureArea.withoutRight(pose.margin))
    showBadges(at: pose, in: context, of: gallery, index, on: &whole)
    if let crossFade, crossFade.next == photo {
      scene.placements.append(
        crossFade.outgoing(behind: pose.frame, in: gallery, at: frame.now))
      var incoming = whole
      incoming.opacity = crossFade.progress.value(at: frame.now)
      scene.placements.append(incoming)
      return
    }
    if let closeUp = frame.closeUp(photo), let stage = context.stage {
      var parts = closeUp.placements(over: whole, in: pose.frame, on: stage)
      // The sharp picture of the whole screen covers the badges below it.
      if parts.count > 1, let last = parts.last, last.frame == whole.frame {
        (parts[0].badges, parts[parts.count - 1].badges) = (nil, whole.badges)
      }
      scene.placements += parts
    } else {
      scene.placements.append(whole)
    }
    if phase == .resting, gallery.album.marks.contains(photo) {
      let gap = gallery.viewport.metrics.gap
      let frame = whole.frame
      scene.ring = Scene.Ring(
        tile: PixelRect(
          x: frame.minX + gap.width, y: frame.minY + gap.height,
          width: frame.width - 2 * gap.width, height: frame.height - 2 * gap.height),
        opacity: 1, meaning: .marked, isRaised: true)
    }
    drawProgress(into: &scene, in: gallery)
  }

  /// Shows the badges of the photo, or of its tile if it is almost there; between the two it has none.
  private func showBadges(
    at pose: Pose, in context: Context, of gallery: Gallery, _ index: Int,
    on placement: inout Placement
  ) {
    let screen = screenFrame(in: context)
    if case .flying = phase, context.motion.travels {
      placement.show(
        gallery.badges(onTileOf: index),
        opacity: screen.badgeOpacity(at: pose.frame, onWayTo: context.tile))
      guard placement.badges == nil else { return }
      placement.badgeOpacity = context.tile.badgeOpacity(at: pose.frame, onWayTo: screen)
    }
    // A rejected photo is as bright as the others, to be judged again.
    placement.badges = placement.badgeOpacity > 0 ? gallery.badges(ofOpen: photo) : nil
  }

  func gridOpacity(in gallery: Gallery, at now: Instant) -> Double? {
    context(in: gallery, at: now).map { pose(in: $0).backdrop }
  }

  func hidesTile(of item: Photo.ID, in gallery: Gallery) -> Bool {
    gallery.options.motion.travels && item == photo
  }

  func isAnimating(in gallery: Gallery, at now: Instant) -> Bool { isAnimating(at: now) }

  func nextChange(in gallery: Gallery) -> Instant? { fullPictureDue }

  // MARK: - Pictures

  /// The distances, in the direction of the last step, of the photos that are decoded in advance
  /// while the open one is magnified.
  ///
  /// If the user steps quickly, there is no time to decode a photo after the step to it.
  private static let stepsAhead = [1, -1, 2, 3]

  func demands(in gallery: Gallery) -> ScreenDemands {
    var demands = demandsWithoutRegionsAhead(in: gallery)
    demands.ahead = regionsAhead(in: gallery) + demands.ahead
    return demands
  }

  /// Returns the pictures that the photo needs, and the whole pictures of its neighbors.
  func demandsWithoutRegionsAhead(in gallery: Gallery) -> ScreenDemands {
    guard !isClosing, let index = gallery.collection.index(of: photo) else {
      return ScreenDemands()
    }
    var demands = ScreenDemands()
    let closeUp = closeUpDemand(in: gallery)
    if let closeUp { demands.visible.append(closeUp) }
    // While the user steps through magnified photos, only parts of them are needed.
    let isStepping = fullPictureDue != nil && closeUp?.region != nil
    func addScreen(_ index: Int, _ proximity: Demand.Proximity, to demands: inout [Demand]) {
      guard gallery.collection.photoIndex(index) != nil else { return }
      demands.append(gallery.screenDemand(of: index, proximity))
    }
    if !isStepping { addScreen(index, .visible, to: &demands.visible) }
    if let old = crossFade.flatMap({ gallery.collection.index(of: $0.placement.photo) }),
      old != index
    {
      addScreen(old, .visible, to: &demands.visible)
    }
    if !isStepping {
      addScreen(index + 1, .neighbor, to: &demands.ahead)
      addScreen(index - 1, .neighbor, to: &demands.ahead)
    }
    return demands
  }

  /// Returns the parts of the next photos that a step to them would show.
  private func regionsAhead(in gallery: Gallery) -> [Demand] {
    guard !isClosing, let index = gallery.collection.index(of: photo) else { return [] }
    return Self.stepsAhead.compactMap { step in
      let other = index + (lastStepWasBackward ? -step : step)
      guard let photo = gallery.photo(at: other), let stage = gallery.stage(of: other) else {
        return nil
      }
      return gallery.closeUpDemand(
        of: photo, viewForNext, on: stage, panDirection: .zero, isAhead: true)
    }
  }

  /// Returns the demand for a sharper picture of the photo; nil if its fitted picture is sharp
  /// enough.
  func closeUpDemand(in gallery: Gallery) -> Demand? {
    stage(in: gallery).flatMap {
      gallery.closeUpDemand(of: photo, view, on: $0, panDirection: panDirection)
    }
  }

  func visibleItems(in gallery: Gallery) -> [Int] {
    gallery.collection.index(of: photo).map { [$0] } ?? []
  }

  /// Returns the photo that plays; during a cross-fade, the previous one.
  func playedPhoto(in gallery: Gallery) -> PlayedPhoto? {
    PlayedPhoto(
      index: crossFade.map { gallery.collection.index(of: $0.placement.photo) }
        ?? currentIndex(in: gallery),
      isOpen: true)
  }

  func showsPhoto(at index: Int, in gallery: Gallery) -> Bool {
    !isClosing || gallery.collection.index(of: photo) == index
  }

  func playedPicture(of index: Int, in gallery: Gallery) -> Demand {
    (crossFade == nil ? closeUpDemand(in: gallery) : nil) ?? gallery.screenDemand(of: index)
  }

  // MARK: - Status bar

  func describe(_ content: inout StatusBar.Content, in gallery: Gallery) {
    content.hasViewer = true
    guard !isClosing else { return }
    content.percentage = percentage(in: gallery)
    content.rotation = gallery.orientation(of: photo).label
  }

  /// Returns the scale of the photo in percent; nil at fit, unless that shows its pixels as squares.
  private func percentage(in gallery: Gallery) -> Int? {
    guard let stage = stage(in: gallery) else { return nil }
    let factor = stage.factor(of: view.scale)
    guard isZoomed(on: stage) || factor >= Mipmap.squareScale else { return nil }
    return Int((factor * 100).rounded())
  }
}

extension Orientation {
  /// A label for a photo's rotation on the screen; nil if it is not rotated.
  var label: String? {
    switch number {
    case 2: "flipped horizontally"
    case 3: "rotated 180°"
    case 4: "flipped vertically"
    case 5: "rotated 270°, flipped"
    case 6: "rotated 90°"
    case 7: "rotated 90°, flipped"
    case 8: "rotated 270°"
    default: nil
    }
  }
}
