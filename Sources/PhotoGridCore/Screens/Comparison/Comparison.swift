import Geometry
import Photos

/// Photos side by side on the whole screen, for comparing them.
///
/// Each photo has left its tile, which is empty until the photo is back. The comparison does not
/// access the grid: a `Context` supplies the sizes of the photos and the frames of their tiles.
package struct Comparison: Equatable, Sendable {
  /// The numbers of photos that can be compared.
  static let possibleCounts = 2...9

  /// The photos, in the order in which they are laid out.
  package var panes: [ComparisonPane]
  /// The photo that keys and ratings apply to.
  package var focused: Photo.ID
  /// The photo that stays while the others are replaced by their neighbors; nil if there is none.
  package var pinned: Photo.ID?
  /// Whether the photos fly to their tiles.
  package var isClosing = false
  var view = ComparisonView()
  /// The photos that the user took out, which steps skip.
  var excluded: Set<Photo.ID> = []
  /// The photos that were removed and still move.
  var leaving: [ComparisonPane] = []
  var backdrop: Animated<Double>
  /// The press of a mouse button; nil if none is held.
  var press: Press?

  /// A press of the left button on a pane.
  struct Press: Equatable, Sendable {
    var photo: Photo.ID
    var drag: Drag
    /// Whether the photo moves without the others.
    var isAlone: Bool
    /// The position of the pointer that the photo has followed last; nil until it is dragged.
    var panned: PixelPoint?
  }

  /// The surroundings of a comparison at a moment.
  struct Context {
    var viewport: Viewport
    var motion: MotionSetting
    var now: Instant
    /// The sizes and tiles of the photos that exist.
    var photos: [Photo.ID: Surroundings]

    func size(of photo: Photo.ID) -> PixelSize? { photos[photo]?.size }

    /// Returns the photo with its pane as the area that displays it; nil until its size is known.
    func stage(of pane: ComparisonPane) -> Magnification.PhotoInArea? {
      pane.stage(size(of: pane.photo), placementStep: viewport.metrics.placementStep)
    }
  }

  /// A photo's size and tile.
  struct Surroundings: Equatable, Sendable {
    /// The size as displayed; nil until it is known.
    var size: PixelSize?
    /// The frame of the tile now.
    var tile: PixelRect
    /// The frame of the tile after all motion of the grid.
    var home: PixelRect
  }

  /// The way in which a comparison ended, once its motions are over.
  enum Ending: Equatable, Sendable {
    /// All photos are in their tiles.
    case closed
    case alone(Photo.ID, Magnification)
  }

  var focusIndex: Int { panes.firstIndex { $0.photo == focused } ?? 0 }

  func pane(of photo: Photo.ID) -> ComparisonPane? { panes.first { $0.photo == photo } }

  func contains(_ photo: Photo.ID) -> Bool {
    panes.contains { $0.photo == photo } || leaving.contains { $0.photo == photo }
  }

  /// Whether time alone will make the next frame differ.
  func isAnimating(at now: Instant) -> Bool {
    (panes + leaving).contains { $0.isAnimating(at: now) } || !backdrop.isOver(at: now)
  }

  /// Ends motions that are over.
  mutating func settle(in context: Context) -> Ending? {
    let tolerance = context.viewport.metrics.placementStep.scaled(by: 0.5)
    for index in panes.indices { panes[index].settle(tolerance: tolerance, at: context.now) }
    for index in leaving.indices { leaving[index].settle(tolerance: tolerance, at: context.now) }
    leaving.removeAll { !$0.isAnimating(at: context.now) }
    if backdrop.isOver(at: context.now) { backdrop.jump(to: backdrop.target) }
    guard !isAnimating(at: context.now), press == nil else { return nil }
    if isClosing || panes.isEmpty { return .closed }
    guard panes.count == 1 else { return nil }
    let stage = context.stage(of: panes[0])
    return .alone(
      panes[0].photo, stage.map { view.magnification(of: panes[0], on: $0) } ?? Magnification())
  }

  // MARK: - Focus

  /// Moves the focus by a number of panes, wrapping around at both ends.
  mutating func moveFocus(by step: Int) {
    let count = panes.count
    focused = panes[((focusIndex + step) % count + count) % count].photo
  }

  /// Moves the focus to the nearest pane in a direction, if there is one.
  mutating func moveFocus(_ direction: Direction) {
    let nearest = TileLayout.nearest(
      to: panes[focusIndex].frame, among: panes.indices, in: direction
    ) { panes[$0].frame }
    if let nearest { focused = panes[nearest].photo }
  }

  mutating func togglePin() { pinned = pinned == focused ? nil : focused }
}

extension Comparison {
  /// Returns the photos that the panes show after a step in the display order.
  ///
  /// The pinned photo stays: of the photos A to E, the panes B and C would become C and D, or B and
  /// D while B is pinned.
  ///
  /// - Parameters:
  ///   - count: The number of places; negative to go back.
  ///   - order: The photos in display order.
  /// - Returns: The photos, by pane; nil if there are none in that direction.
  func stepped(by count: Int, in order: Order) -> [Photo.ID]? {
    let pin = pinned.flatMap(order.index)
    // The places of the photos in an order without the pinned photo.
    let indices = panes.map { pane -> Int? in
      guard pane.photo != pinned, let index = order.index(pane.photo) else { return nil }
      return pin.map { $0 < index } == true ? index - 1 : index
    }
    let moving = indices.compactMap(\.self)
    guard let first = moving.min(), let last = moving.max() else { return nil }
    let end = order.photos.count - (pin == nil ? 1 : 2)
    let step = min(max(count, -first), end - last)
    guard step != 0, step.signum() == count.signum() else { return nil }
    return zip(panes, indices).map { pane, index in
      guard let index = index.map({ $0 + step }) else { return pane.photo }
      return order.photos[
        order.photos.startIndex + (pin.map { $0 <= index } == true ? index + 1 : index)]
    }
  }

  struct Order {
    var photos: ArraySlice<Photo.ID>
    /// Returns a photo's place among them, from 0; nil if it is not there.
    var index: (Photo.ID) -> Int?
  }

  /// Shows other photos in the panes, without motion, at the same part of each.
  mutating func show(_ photos: [Photo.ID], in context: Context) {
    let focus = focusIndex
    press = nil
    for (index, photo) in photos.enumerated() where panes[index].photo != photo {
      panes[index].photo = photo
      panes[index].resetView()
      let target = Pose(frame: wholeFrame(of: panes[index], in: context), backdrop: 0)
      panes[index].whole.shift(by: target - panes[index].whole.target)
    }
    leaving.removeAll { photos.contains($0.photo) }
    focused = panes[focus].photo
  }

  mutating func removeMissing(in context: Context) {
    leaving.removeAll { context.photos[$0.photo] == nil }
    if isClosing { return panes.removeAll { context.photos[$0.photo] == nil } }
    for photo in panes.map(\.photo) where context.photos[photo] == nil {
      remove(photo, in: context)
    }
  }
}

/// The left button and the wheel on compared photos: a click focuses, a drag pans.
extension Comparison {
  /// Presses the photo under the pointer, which gets the focus.
  mutating func press(at position: PixelPoint, isAlone: Bool, in context: Context) {
    guard let pane = panes.first(where: { $0.frame.contains(position) }) else { return }
    focused = pane.photo
    press = Press(photo: pane.photo, drag: Drag(at: position, time: context.now), isAlone: isAlone)
  }

  /// Pans the photos with the pointer, once it has moved far enough.
  mutating func drag(to position: PixelPoint, in context: Context) {
    guard var press else { return }
    press.drag.move(to: position, at: context.now)
    let isClick = press.drag.isClick(on: context.viewport)
    guard press.panned != nil || !isClick else {
      self.press = press
      return
    }
    let from = press.panned ?? press.drag.start
    if let pane = pane(of: press.photo),
      let next = panned(
        pane, by: PixelPoint(x: position.x - from.x, y: position.y - from.y), in: context)
    {
      let moved = animated(to: next, at: press.photo, isAlone: press.isAlone, in: context)
      shift(to: moved, in: context)
    }
    press.panned = position
    self.press = press
  }

  /// Takes over another view without a new motion; motions in progress continue.
  private mutating func shift(to next: Comparison, in context: Context) {
    self = next
    for index in panes.indices {
      let target = Pose(frame: wholeFrame(of: panes[index], in: context), backdrop: 0)
      panes[index].whole.shift(by: target - panes[index].whole.target)
    }
  }

  /// Releases the pointer: panned photos glide on, and a double click shows all photos whole.
  mutating func release(isDoubleClick: Bool, in context: Context) {
    guard let press else { return }
    self.press = nil
    guard press.panned != nil else {
      if isDoubleClick { zoom(.fit, 1, isAlone: press.isAlone, in: context) }
      return
    }
    guard context.motion.travels,
      let translation = press.drag.glide(on: context.viewport, at: context.now)
    else { return }
    glide(press, by: translation, in: context)
  }

  /// Lets panned photos glide until friction, or the edge of each photo, stops them.
  private mutating func glide(_ press: Press, by translation: PixelPoint, in context: Context) {
    guard let lead = pane(of: press.photo),
      let next = panned(lead, by: translation, in: context)
    else { return }
    let before = panes.map { wholeFrame(of: $0, in: context) }
    let size = wholeFrame(of: lead, in: context).size
    self = animated(to: next, at: press.photo, isAlone: press.isAlone, in: context)
    for index in panes.indices {
      let after = wholeFrame(of: panes[index], in: context)
      guard after != before[index] else { continue }
      // All photos show the same part, so a larger photo glides farther.
      let (across, down) = (after.width / size.width, after.height / size.height)
      panes[index].whole = .gliding(
        from: panes[index].whole.value(at: context.now), to: Pose(frame: after, backdrop: 0),
        by: PixelPoint(x: translation.x * across, y: translation.y * down),
        context.motion, at: context.now)
    }
  }

  mutating func endDrag() { press = nil }
}

extension Comparison {
  /// Whether a photo is, or will be, larger than its pane and can be panned.
  func isMagnified(_ pane: ComparisonPane, on stage: Magnification.PhotoInArea) -> Bool {
    stage.isExceeded(by: view.magnification(of: pane, on: stage).frame(on: stage))
  }

  /// Whether all photos are as large as their panes allow.
  var isFit: Bool { view.zoom == .fit && panes.allSatisfy { $0.ownZoom == 1 } }

  /// Zooms the photos by a command, which is applied to the focused photo and then to the shared
  /// view.
  mutating func zoom(_ command: Command.Zoom, _ count: Int, isAlone: Bool, in context: Context) {
    guard let pane = pane(of: focused) else { return }
    if command == .fit, !isAlone { return fit(in: context) }
    guard let stage = context.stage(of: pane) else { return }
    var present = view.magnification(of: pane, on: stage)
    // A pane's own zoom is a factor, with which 100 % can have a rounding error.
    if command == .toggleActualSize, abs(stage.factor(of: present.scale) - 1) < 1e-9 {
      present.scale = Magnification.actualSize
    }
    guard let next = present.zoomed(command, count, on: stage) else { return }
    animate(to: next, at: focused, isAlone: isAlone, command.timing(context.motion), in: context)
  }

  /// Zooms by notches of the wheel; the point under the pointer stays in place.
  mutating func zoom(_ notches: Int, at point: PixelPoint, isAlone: Bool, in context: Context) {
    guard let pane = panes.first(where: { $0.frame.contains(point) }),
      let stage = context.stage(of: pane)
    else { return }
    let next = view.magnification(of: pane, on: stage).zoomed(
      byNotches: notches, keeping: point, of: pane.whole.value(at: context.now).frame, on: stage)
    guard let next else { return }
    // Start from rest: motions in progress would carry the point away from the pointer.
    for index in panes.indices {
      panes[index].whole.jump(to: panes[index].whole.value(at: context.now))
    }
    animate(to: next, at: pane.photo, isAlone: isAlone, context.motion.zoomStep, in: context)
  }

  /// Shows all photos whole, and lets them move together again.
  private mutating func fit(in context: Context) {
    view = ComparisonView()
    for index in panes.indices { panes[index].resetView() }
    moveWholes(context.motion.tap, in: context)
  }

  // MARK: - Panning

  /// Pans the photos to show more of them in a direction, by a number of steps.
  mutating func pan(_ direction: Direction, _ count: Int, isAlone: Bool, in context: Context) {
    guard let pane = pane(of: focused) else { return }
    let translation = direction.panTranslation(steps: count, in: pane.frame.size)
    guard let next = panned(pane, by: translation, in: context) else { return }
    animate(to: next, at: focused, isAlone: isAlone, context.motion.scroll, in: context)
  }

  /// Returns the magnification of a photo after a pan, which stops at the photo's edges; nil if the
  /// photo is not magnified.
  func panned(
    _ pane: ComparisonPane, by translation: PixelPoint, in context: Context
  ) -> Magnification? {
    guard let stage = context.stage(of: pane), isMagnified(pane, on: stage) else { return nil }
    return view.magnification(of: pane, on: stage).panned(by: translation, on: stage)
  }

  // MARK: - Motion

  /// Returns the comparison after a photo got a magnification; unless it moves alone, the other
  /// photos show the same part.
  func animated(
    to magnification: Magnification, at photo: Photo.ID, isAlone: Bool, in context: Context
  ) -> Comparison {
    var next = self
    guard let index = panes.firstIndex(where: { $0.photo == photo }),
      let stage = context.stage(of: panes[index])
    else { return self }
    if isAlone {
      next.panes[index].leave(view, for: magnification, on: stage)
    } else {
      next.view.follow(magnification, of: panes[index], on: stage)
    }
    for index in panes.indices {
      let before = wholeFrame(of: panes[index], in: context)
      let after = next.wholeFrame(of: next.panes[index], in: context)
      guard after != before else { continue }
      next.panes[index].panDirection =
        after.size == before.size ? before.direction(to: after) : .zero
    }
    return next
  }

  private mutating func animate(
    to magnification: Magnification, at photo: Photo.ID, isAlone: Bool, _ timing: Timing,
    in context: Context
  ) {
    self = animated(to: magnification, at: photo, isAlone: isAlone, in: context)
    moveWholes(timing, in: context)
  }

  /// Moves the whole photos to the frames that their magnifications give them.
  private mutating func moveWholes(_ timing: Timing, in context: Context) {
    for index in panes.indices {
      let target = Pose(frame: wholeFrame(of: panes[index], in: context), backdrop: 0)
      guard context.motion.travels else {
        panes[index].whole.jump(to: target)
        continue
      }
      let (from, to) = (panes[index].whole.target.frame.size, target.frame.size)
      panes[index].whole.retarget(
        to: target, timing.enlarging(by: (to.width + to.height) / (from.width + from.height)),
        at: context.now)
    }
  }
}

extension Comparison.Order {
  init(_ collection: PhotoCollection, without excluded: Set<Photo.ID>) {
    let start = collection.folderCount
    let skipped = excluded.compactMap { collection.index(of: $0) }
    guard !skipped.isEmpty else {
      self.init(photos: collection.items[start...]) { photo in
        collection.index(of: photo).map { $0 - start }
      }
      return
    }
    let indices = Set(skipped)
    let kept = collection.items.indices[start...].filter { !indices.contains($0) }
    self.init(photos: kept.map { collection.items[$0] }[...]) { photo in
      guard let index = collection.index(of: photo), !indices.contains(index) else { return nil }
      return index - start - skipped.count { $0 < index }
    }
  }
}
