/// The open photo: what it needs to know of the grid, and what the grid does about it.
extension Browser {
  // MARK: - Around the photo

  /// What is around the photo at an index, as if it were open; nil where there is no such photo.
  func viewerContext(of index: Int, at now: Instant) -> Viewer.Context? {
    guard photos.indices.contains(index) else { return nil }
    let offset = grid.scrollOffset(showing: index, from: grid.scroll.target, in: viewport)
    return Viewer.Context(
      viewport: viewport, motion: options.motion, now: now, size: size(of: photos[index]),
      tile: restingTileFrame(of: index),
      tileInSight: restingTileFrame(of: index, scrolledTo: offset),
      hasPrevious: isPhoto(index - 1), hasNext: isPhoto(index + 1))
  }

  /// Whether there is a photo, rather than a folder, at an index.
  func isPhoto(_ index: Int) -> Bool { index >= folderCount && photos.indices.contains(index) }

  /// Changes the open photo, and has the grid follow; does nothing where no photo is open.
  mutating func changeViewer(
    at now: Instant, _ change: (inout Viewer, Viewer.Context) -> Viewer.Outcome?
  ) {
    guard var viewer, let context = viewerContext(of: viewer.index, at: now) else { return }
    let outcome = change(&viewer, context)
    self.viewer = viewer
    switch outcome {
    case .closing(let isGridHidden):
      let offset = grid.scrollOffset(
        showing: viewer.index, from: grid.scroll.target, in: viewport)
      if isGridHidden {
        grid.scroll.jump(to: offset)
      } else {
        grid.scroll(to: offset, in: gridContext(at: now))
      }
    case .changed(let index):
      grid.selected = photos[index]
      grid.scrollIntoSight(index, in: viewport)
    case nil: break
    }
    // Without motion it is in its tile at once.
    if options.motion == .none, viewer.isClosing { self.viewer = nil }
  }

  /// The photo at an index and the screen that it is magnified on; nil until its size is known.
  func stage(of index: Int) -> Magnification.Stage? {
    guard photos.indices.contains(index), let size = size(of: photos[index]) else { return nil }
    return viewport.stage(for: size)
  }

  // MARK: - Opening and closing

  /// Opens the photo at an index, or goes into the folder there.
  mutating func open(_ index: Int, at now: Instant, effects: inout [Effect]) {
    guard photos.indices.contains(index) else { return }
    guard index < folderCount else { return openPhoto(index, at: now) }
    grid.selected = photos[index]
    enter(photos[index], at: now, effects: &effects)
  }

  /// Opens the photo at an index, or turns it around if it is on its way to its tile.
  mutating func openPhoto(_ index: Int, at now: Instant) {
    grid.selected = photos[index]
    guard viewer?.index != index else {
      return changeViewer(at: now) { viewer, context in
        viewer.fly(to: .screen, context.motion.tap, in: context)
        return nil
      }
    }
    guard let context = viewerContext(of: index, at: now) else { return }
    // Another photo still on its way to its tile is there at once: only one is open at a time.
    let tile =
      folders.transition == nil
      ? Pose(frame: context.tile, backdrop: 1) : tilePose(of: index, in: gridContext(at: now))
    viewer = Viewer(opening: index, from: tile, in: context)
  }

  /// Shows another photo in place of the open one, without motion.
  mutating func show(_ index: Int, at now: Instant) {
    guard !album.shown.isEmpty else { return }
    let target = min(max(index, folderCount), photos.count - 1)
    guard target != viewer?.index else { return }
    changeViewer(at: now) { viewer, _ in viewer.show(target) }
  }

  /// A scrolling or changing grid takes the tile along that a photo flies to.
  mutating func retargetReturn(_ timing: Timing, at now: Instant) {
    guard options.motion.travels, viewer?.isClosing == true else { return }
    changeViewer(at: now) { viewer, context in
      viewer.retarget(to: .tile, timing, in: context)
      return nil
    }
  }

  /// A photo on its way to the screen follows a change of its place there.
  mutating func retargetScreen(at now: Instant) {
    changeViewer(at: now) { viewer, context in
      viewer.retarget(to: .screen, context.motion.tap, in: context)
      return nil
    }
  }

  /// Takes the open photo back to fit.
  mutating func fitViewer(at now: Instant) {
    changeFreeViewer(at: now) { viewer, context in viewer.zoom(.fit, 1, in: context) }
  }

  // MARK: - Keys

  /// Goes to another photo, about on the open one, or out of it.
  mutating func navigateInViewer(_ command: Command.Navigation, _ count: Int?, at now: Instant) {
    guard let index = viewer?.index else { return }
    let number = count ?? 1
    switch command {
    case .stepOut: stepOut(at: now)
    case .open:
      if viewer?.isGrabbed == true { pointer.release() }
      changeViewer(at: now) { viewer, context in viewer.leave(in: context) }
    case .left where isMagnified: pan(.left, number, at: now)
    case .right where isMagnified: pan(.right, number, at: now)
    case .up: pan(.up, number, at: now)
    case .down: pan(.down, number, at: now)
    case .left: show(index - number, at: now)
    case .right: show(index + number, at: now)
    case .next, .previous, .first, .last, .forwardTen, .backTen:
      if let target = destination(of: command, count, from: index) { show(target, at: now) }
    case .pageForward, .halfPageForward: show(index + 10 * number, at: now)
    case .pageBack, .halfPageBack: show(index - 10 * number, at: now)
    }
  }

  /// Runs a command about how the open photo is seen.
  mutating func run(_ command: Command.ViewerCommand, _ count: Int, at now: Instant) {
    switch command {
    case .edge(let direction):
      changeFreeViewer(at: now) { viewer, context in viewer.panToEdge(direction, in: context) }
    case .zoom(let zoom):
      changeFreeViewer(at: now) { viewer, context in viewer.zoom(zoom, count, in: context) }
    case .turn(let turning): turn(turning, count, at: now)
    }
  }

  /// Changes the open photo unless the pointer holds something.
  mutating func changeFreeViewer(
    at now: Instant, _ change: (inout Viewer, Viewer.Context) -> Void
  ) {
    guard !isPointerDown else { return }
    changeViewer(at: now) { viewer, context in
      change(&viewer, context)
      return nil
    }
  }

  /// One step: out of a drag, out of the zoom, out of the photo.
  private mutating func stepOut(at now: Instant) {
    if isPointerDown {
      endDrag(at: now)
    } else {
      changeViewer(at: now) { viewer, context in
        guard viewer.isZoomed(on: context.stage) else { return viewer.leave(in: context) }
        viewer.zoom(.fit, 1, in: context)
        return nil
      }
    }
  }

  private mutating func pan(_ direction: Direction, _ count: Int, at now: Instant) {
    changeFreeViewer(at: now) { viewer, context in viewer.pan(direction, count, in: context) }
  }

  /// Turns or flips the photo on the screen.
  private mutating func turn(_ turning: Orientation, _ count: Int, at now: Instant) {
    guard let viewer, photos.indices.contains(viewer.index), !isPointerDown else { return }
    changeFreeViewer(at: now) { viewer, context in viewer.turn(turning, count, in: context) }
    let photo = photos[viewer.index]
    for _ in 0..<count % 4 { collection.turn(photo, by: turning) }
    reshapeIfDue(at: now)
  }

  // MARK: - What is seen

  /// How the open photo is seen; nil where none is open.
  func currentPose(at now: Instant) -> Pose? {
    guard let viewer, let context = viewerContext(of: viewer.index, at: now) else { return nil }
    return viewer.pose(in: context)
  }

  /// Where the photo at an index has its place on the screen: as it is magnified if it is open, else
  /// fitted.
  func screenFrame(of index: Int) -> PixelRect {
    let view = viewer.flatMap { $0.index == index ? $0.view : nil }
    let size = photos.indices.contains(index) ? size(of: photos[index]) : nil
    return viewport.screenFrame(of: size, view ?? Magnification())
  }

  /// Whether the open photo is, or will be, larger than the screen, so that it can be moved.
  var isMagnified: Bool { viewer.map { $0.isMagnified(on: stage(of: $0.index)) } ?? false }

  /// How large the photo on the screen is, in hundredths of its pixels' number; nil at fit.
  var percentage: Int? {
    guard let viewer, !viewer.isClosing, let stage = stage(of: viewer.index),
      viewer.isZoomed(on: stage)
    else { return nil }
    return Int((stage.factor(of: viewer.view.scale) * 100).rounded())
  }
}
