import Geometry
import Photos

extension Comparison {
  /// Creates a comparison whose photos fly out of their tiles.
  init(
    opening photos: [Photo.ID], focused: Photo.ID, after earlier: Comparison?, in context: Context
  ) {
    let backdrop = earlier?.backdrop.value(at: context.now) ?? 1
    self.backdrop = Animated(backdrop)
    self.focused = focused
    let layout = ComparisonLayout(photos.map(context.size(of:)), in: context.viewport)
    panes = zip(photos, layout.frames).map { photo, frame in
      let tile = context.photos[photo]?.tile ?? frame
      var pane = ComparisonPane(
        photo: photo, frame: frame, window: Pose(frame: tile, backdrop: 0),
        whole: tile.wholeFrame(filledBy: context.size(of: photo)))
      if let old = earlier?.pane(of: photo) {
        (pane.window, pane.whole) = (old.window, old.whole)
      } else if !context.motion.travels {
        pane.window = Animated(Pose(frame: frame, backdrop: 0, opacity: 0))
      }
      return pane
    }
    moveToPanes(context.motion.tap, in: context)
    fadeBackdrop(to: 0, in: context)
  }

  /// Sends all photos to their tiles.
  mutating func close(in context: Context) {
    isClosing = true
    press = nil
    moveHome(context.motion.tap, in: context)
    fadeBackdrop(to: 1, in: context)
  }

  /// Adapts to a resized screen: photos in motion continue to their new frames, and the others get
  /// theirs immediately.
  mutating func resize(in context: Context) {
    press = nil
    if isClosing { return moveHome(context.motion.tap, in: context) }
    layOut(in: context)
    for index in panes.indices {
      let isMoving = panes[index].isAnimating(at: context.now)
      movePane(index, isMoving ? context.motion.tap : nil, in: context)
    }
  }

  /// Divides another part of the screen among the photos, unless they leave it.
  mutating func move(in context: Context) {
    guard !isClosing else { return }
    press = nil
    layOut(in: context)
    moveToPanes(context.motion.tap, in: context)
  }

  /// Directs all photos to their current targets: their tiles while the comparison is closing,
  /// otherwise their panes.
  ///
  /// Tiles move when the grid scrolls, and panes change when the size of a photo becomes known.
  mutating func retarget(_ timing: Timing, in context: Context) {
    if isClosing { moveHome(timing, in: context) } else { moveToPanes(timing, in: context) }
  }

  /// Divides the screen among the photos, without moving them yet.
  private mutating func layOut(in context: Context) {
    let layout = ComparisonLayout(panes.map { context.size(of: $0.photo) }, in: context.viewport)
    for (index, frame) in layout.frames.enumerated() { panes[index].frame = frame }
  }

  // MARK: - Removing

  /// Removes a photo; the others take its space, and the last one fills the screen.
  mutating func remove(_ photo: Photo.ID, in context: Context) {
    guard let index = panes.firstIndex(where: { $0.photo == photo }) else { return }
    press = nil
    if pinned == photo { pinned = nil }
    let pane = panes.remove(at: index)
    drop(pane, in: context)
    guard !panes.isEmpty else { return }
    if focused == photo { focused = panes[min(index, panes.count - 1)].photo }
    layOut(in: context)
    moveToPanes(context.motion.rearrangement, in: context)
  }

  /// Lets a removed photo fall off the screen.
  private mutating func drop(_ pane: ComparisonPane, in context: Context) {
    guard context.motion != .none else { return }
    var pane = pane
    var window = pane.window.target
    var whole = pane.whole.target
    if context.motion.travels {
      let distance = context.viewport.pictureSize.height
      window = window + .moved(by: distance)
      whole = whole + .moved(by: distance)
    } else {
      window.opacity = 0
    }
    pane.window.retarget(to: window, context.motion.rearrangement, at: context.now)
    pane.whole.retarget(to: whole, context.motion.rearrangement, at: context.now)
    leaving.append(pane)
  }

  // MARK: - Frames

  func wholeFrame(of pane: ComparisonPane, in context: Context) -> PixelRect {
    guard let stage = context.stage(of: pane) else {
      return pane.frame.wholePhoto(
        of: PixelSize(width: 1, height: 1), placementStep: context.viewport.metrics.placementStep)
    }
    return view.magnification(of: pane, on: stage).frame(on: stage)
  }

  private mutating func moveToPanes(_ timing: Timing, in context: Context) {
    for index in panes.indices { movePane(index, timing, in: context) }
  }

  private mutating func movePane(_ index: Int, _ timing: Timing?, in context: Context) {
    let window = Pose(frame: panes[index].frame, backdrop: 0)
    let whole = wholeFrame(of: panes[index], in: context)
    if context.motion.travels {
      panes[index].move(window: window, whole: whole, timing, at: context.now)
    } else {
      // With reduced motion, only the opacity changes over time.
      var present = panes[index].window.value(at: context.now)
      present.frame = window.frame
      panes[index].move(window: present, whole: whole, nil, at: context.now)
      if context.motion == .none {
        panes[index].window.jump(to: window)
      } else {
        panes[index].window.retarget(to: window, context.motion.tap, at: context.now)
      }
    }
  }

  private mutating func moveHome(_ timing: Timing, in context: Context) {
    for index in panes.indices {
      let pane = panes[index]
      guard context.motion.travels else {
        var window = pane.window.target
        window.opacity = 0
        panes[index].window.retarget(to: window, timing, at: context.now)
        if context.motion == .none { panes[index].window.jump(to: window) }
        continue
      }
      let tile = context.photos[pane.photo]?.home ?? pane.frame
      panes[index].move(
        window: Pose(frame: tile, backdrop: 0),
        whole: tile.wholeFrame(filledBy: context.size(of: pane.photo)), timing, at: context.now)
    }
  }

  private mutating func fadeBackdrop(to opacity: Double, in context: Context) {
    if context.motion == .none {
      backdrop.jump(to: opacity)
    } else {
      backdrop.retarget(to: opacity, context.motion.tap, at: context.now)
    }
  }
}
