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
  /// The zoom and the visible part that the photos share.
  var view = ComparisonView()
  /// The photos that the user took out, which steps skip.
  var excluded: Set<Photo.ID> = []
  /// The photos that were removed and still move.
  var leaving: [ComparisonPane] = []
  /// The opacity of the grid behind the photos.
  var backdrop: Animated<Double>
  /// The press of a mouse button; nil if none is held.
  var press: Press?

  /// A press of the left button on a pane.
  struct Press: Equatable, Sendable {
    /// The photo under the pointer.
    var photo: Photo.ID
    /// The path of the pointer.
    var drag: Drag
    /// Whether the photo moves without the others.
    var isAlone: Bool
    /// The position of the pointer that the photo has followed last; nil until it is dragged.
    var panned: PixelPoint?
  }

  /// The surroundings of a comparison at a moment.
  struct Context {
    /// The screen's size and metrics.
    var viewport: Viewport
    /// The amount and speed of motion.
    var motion: MotionSetting
    /// The current time.
    var now: Instant
    /// The sizes and tiles of the photos that exist.
    var photos: [Photo.ID: Surroundings]

    /// Returns a photo's size as displayed; nil if it is unknown.
    func size(of photo: Photo.ID) -> PixelSize? { photos[photo]?.size }

    /// Returns the photo with its pane as the area that displays it; nil until its size is known.
    func stage(of pane: ComparisonPane) -> Magnification.Stage? {
      pane.stage(size(of: pane.photo), quantum: viewport.metrics.quantum)
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
    /// One photo is left, and fills the screen.
    case alone(Photo.ID, Magnification)
  }

  /// The index of the focused photo.
  var focusIndex: Int { panes.firstIndex { $0.photo == focused } ?? 0 }

  /// Returns the pane of a photo; nil if it is not compared.
  func pane(of photo: Photo.ID) -> ComparisonPane? { panes.first { $0.photo == photo } }

  /// Whether a photo has left its tile, including photos that were removed and still move.
  func contains(_ photo: Photo.ID) -> Bool {
    panes.contains { $0.photo == photo } || leaving.contains { $0.photo == photo }
  }

  /// Whether time alone will make the next frame differ.
  func isAnimating(at now: Instant) -> Bool {
    (panes + leaving).contains { $0.isAnimating(at: now) } || !backdrop.isOver(at: now)
  }

  /// Ends motions that are over.
  ///
  /// - Returns: Why the comparison is over; nil if it goes on.
  mutating func settle(in context: Context) -> Ending? {
    let tolerance = context.viewport.metrics.quantum.scaled(by: 0.5)
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

  /// Pins the focused photo, or releases it.
  mutating func togglePin() { pinned = pinned == focused ? nil : focused }
}
