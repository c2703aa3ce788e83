/// The open photo and its connection to the grid.
extension Browser {
  // MARK: - Context

  /// Returns the context of the photo at an index, as if it were open; nil if there is no such
  /// photo.
  func viewerContext(of index: Int, at now: Instant) -> Viewer.Context? {
    guard photos.indices.contains(index) else { return nil }
    let offset = grid.scrollOffset(showing: index, from: grid.scroll.target, in: viewport)
    return Viewer.Context(
      viewport: viewport, motion: options.motion, now: now, size: size(of: photos[index]),
      tile: restingTileFrame(of: index),
      tileAfterScrolling: restingTileFrame(of: index, scrolledTo: offset),
      previous: photo(at: index - 1), next: photo(at: index + 1))
  }

  /// Returns the photo at an index; nil for the index of a folder, or an index out of bounds.
  private func photo(at index: Int) -> Photo.ID? {
    collection.photoIndex(index).map { photos[$0] }
  }

  /// The index of the open photo; nil if no photo is open.
  package var viewerIndex: Int? { viewer.flatMap { collection.index(of: $0.photo) } }

  /// Changes the open photo and updates the grid accordingly; does nothing if no photo is open.
  mutating func changeViewer(
    at now: Instant, _ change: (inout Viewer, Viewer.Context) -> Viewer.Outcome?
  ) {
    guard var viewer, let index = viewerIndex, let context = viewerContext(of: index, at: now)
    else { return }
    let outcome = change(&viewer, context)
    self.viewer = viewer
    switch outcome {
    case .closing(let isGridHidden):
      let offset = grid.scrollOffset(showing: index, from: grid.scroll.target, in: viewport)
      if isGridHidden {
        grid.scroll.jump(to: offset)
      } else {
        grid.scroll(to: offset, in: gridContext(at: now))
      }
    case .changed(let photo):
      grid.selected = photo
      collection.index(of: photo).map { grid.scrollIntoView($0, in: viewport) }
    case nil: break
    }
    // Without motion, the photo is in its tile immediately.
    if options.motion == .none, viewer.isClosing { self.viewer = nil }
  }

  /// Returns the photo at an index with the area that displays it; nil until its size is known.
  func stage(of index: Int) -> Magnification.Stage? {
    guard photos.indices.contains(index), let size = size(of: photos[index]) else { return nil }
    return viewport.stage(for: size)
  }

  // MARK: - Opening and closing

  /// Opens the photo, fans the stack out or enters the folder at an index.
  mutating func open(_ index: Int, at now: Instant, effects: inout [Effect]) {
    guard photos.indices.contains(index) else { return }
    guard index < folderCount else {
      return fanOutStack(index, at: now) ? () : openPhoto(index, at: now)
    }
    grid.selected = photos[index]
    enter(photos[index], at: now, effects: &effects)
  }

  /// Opens the photo at an index, or reverses its flight if it is closing.
  mutating func openPhoto(_ index: Int, at now: Instant) {
    grid.selected = photos[index]
    guard viewerIndex != index else {
      return changeViewer(at: now) { viewer, context in
        viewer.fly(to: .screen, context.motion.tap, in: context)
        return nil
      }
    }
    guard let context = viewerContext(of: index, at: now) else { return }
    // Another photo that is still closing reaches its tile immediately: only one is open at a time.
    let tile =
      folders.transition == nil
      ? Pose(frame: context.tile, backdrop: 1) : tilePose(of: index, in: gridContext(at: now))
    viewer = Viewer(opening: photos[index], from: tile, in: context)
  }

  /// Shows another photo in place of the open one, without animation.
  mutating func show(_ index: Int, at now: Instant) {
    guard !album.shown.isEmpty else { return }
    let target = min(max(index, folderCount), photos.count - 1)
    guard target != viewerIndex else { return }
    let photo = photos[target]
    let isBack = viewerIndex.map { target < $0 } ?? false
    changeViewer(at: now) { viewer, _ in
      viewer.show(photo, isBack: isBack, at: now)
    }
  }

  /// Redirects a closing photo to its tile after the grid has scrolled or changed.
  mutating func retargetClosing(_ timing: Timing, at now: Instant) {
    guard options.motion.travels else { return }
    if mode.comparison?.isClosing == true {
      changeComparison(at: now) { $0.retarget(timing, in: $1) }
    }
    guard viewer?.isClosing == true else { return }
    changeViewer(at: now) { viewer, context in
      viewer.retarget(to: .tile, timing, in: context)
      return nil
    }
  }

  /// Redirects an opening photo to its frame on the screen after the frame has changed.
  mutating func retargetScreen(at now: Instant) {
    changeViewer(at: now) { viewer, context in
      viewer.retarget(to: .screen, context.motion.tap, in: context)
      return nil
    }
  }

  /// Resets the zoom of the open photo to fit.
  mutating func fitViewer(at now: Instant) {
    changeFreeViewer(at: now) { viewer, context in viewer.zoom(.fit, 1, in: context) }
  }

  // MARK: - Keys

  /// Handles a navigation command in the viewer: shows another photo, pans the open one, or closes
  /// it.
  mutating func navigateInViewer(_ command: Command.Navigation, _ count: Int?, at now: Instant) {
    guard let index = viewerIndex else { return }
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

  /// Runs a command that changes the view of the open photo.
  mutating func run(_ command: Command.ViewerCommand, _ count: Int, at now: Instant) {
    switch command {
    case .edge(let direction):
      changeFreeViewer(at: now) { viewer, context in viewer.panToEdge(direction, in: context) }
    case .zoom(let zoom):
      changeFreeViewer(at: now) { viewer, context in viewer.zoom(zoom, count, in: context) }
    case .turn(let turning): turn(turning, count, at: now)
    }
  }

  /// Changes the open photo, unless a mouse button is held.
  mutating func changeFreeViewer(
    at now: Instant, _ change: (inout Viewer, Viewer.Context) -> Void
  ) {
    guard !isPointerDown else { return }
    changeViewer(at: now) { viewer, context in
      change(&viewer, context)
      return nil
    }
  }

  /// Goes one step back: ends a drag, resets the zoom, or closes the photo.
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

  /// Rotates or flips the open photo.
  private mutating func turn(_ turning: Orientation, _ count: Int, at now: Instant) {
    guard let photo = viewer?.photo, !isPointerDown else { return }
    changeFreeViewer(at: now) { viewer, context in viewer.turn(turning, count, in: context) }
    for _ in 0..<count % 4 { collection.turn(photo, by: turning) }
    reshapeIfDue(at: now)
  }

  // MARK: - Poses

  /// Returns the current pose of the open photo; nil if none is open.
  func currentPose(at now: Instant) -> Pose? {
    guard let viewer, let index = viewerIndex, let context = viewerContext(of: index, at: now)
    else { return nil }
    return viewer.pose(in: context)
  }

  /// Returns the frame on the screen of the photo at an index: magnified if it is open, otherwise
  /// fitted.
  func screenFrame(of index: Int) -> PixelRect {
    let view = viewerIndex == index ? viewer?.view : nil
    let size = photos.indices.contains(index) ? size(of: photos[index]) : nil
    return viewport.screenFrame(of: size, view ?? Magnification())
  }

  /// Whether the open photo is, or will be, larger than the screen, so that it can be moved.
  var isMagnified: Bool {
    viewer.map { $0.isMagnified(on: viewerIndex.flatMap(stage(of:))) } ?? false
  }

  /// The scale of the open photo in percent; nil at fit.
  var percentage: Int? {
    guard let viewer, !viewer.isClosing, let stage = viewerIndex.flatMap(stage(of:)),
      viewer.isZoomed(on: stage)
    else { return nil }
    return Int((stage.factor(of: viewer.view.scale) * 100).rounded())
  }
}
