import Geometry
import Photos
import SceneModel

/// Previews of folders, the positions to return to in them, and the transition between two grids.
struct FolderNavigation: Equatable, Sendable {
  /// The previews of folders that have or had a tile.
  private(set) var previews: [Photo.ID: FolderPreview] = [:]
  /// The running transition between two folders, or to or from months and years; nil if there is
  /// none.
  var transition: FolderTransition?
  /// The selection and the scroll offset of folders that were left, by their identifiers.
  private var positions: [[UInt8]: Grid.Position] = [:]

  /// Whether a folder must be read for its preview.
  func needsPreview(_ folder: Photo.ID) -> Bool { previews[folder]?.isCurrent != true }

  mutating func receive(_ preview: FolderPreview, of folder: Photo.ID) {
    previews[folder] = preview
  }

  /// Marks a folder's preview as out of date, so that the folder is read again once visible.
  mutating func expirePreview(of folder: Photo.ID) { previews[folder]?.isCurrent = false }

  /// Marks all previews as out of date, so that the folders are read again once visible.
  mutating func expirePreviews() {
    for folder in previews.keys { expirePreview(of: folder) }
  }

  mutating func leave(_ folder: [UInt8], at position: Grid.Position) {
    positions[folder] = position
  }

  /// Returns the selection and the scroll offset after a move; nil for the first ones of a grid.
  ///
  /// They are the ones with which the folder was last left, but after leaving a subfolder, the
  /// subfolder is selected.
  func position(after move: FolderMove, in collection: PhotoCollection) -> Grid.Position? {
    let position = positions[move.to]
    guard case .outOf(let folder?) = move.direction, collection.index(of: folder) != nil else {
      return position
    }
    return Grid.Position(selected: .folder(folder), scroll: position?.scroll ?? 0)
  }

  func isAnimating(at now: Instant) -> Bool {
    transition.map { !$0.progress.isOver(at: now) } ?? false
  }

  mutating func settle(at now: Instant) {
    if !isAnimating(at: now) { transition = nil }
  }
}

/// A change from one folder to another.
package struct FolderMove: Equatable, Sendable {
  /// The identifier of the location that was left.
  package var from: [UInt8]
  /// The identifier of the new location.
  package var to: [UInt8]
  /// The direction, with the folder that was entered or left.
  package var direction: Direction
  /// The known photos and folders of the new location, in listing order; the others are found
  /// later.
  package var photos: [Photo.ID]

  /// The direction of a move.
  package enum Direction: Equatable, Sendable {
    case into(Photo.ID)
    /// Out of a folder; nil if the folder is not known as an item.
    case outOf(Photo.ID?)
  }

  package init(from: [UInt8], to: [UInt8], _ direction: Direction, photos: [Photo.ID]) {
    (self.from, self.to, self.direction, self.photos) = (from, to, direction, photos)
  }

  var isInward: Bool {
    if case .into = direction { true } else { false }
  }

  var folder: Photo.ID? {
    switch direction {
    case .into(let folder): folder
    case .outOf(let folder): folder
    }
  }
}

/// The transition from one grid to another: the screen of the inner grid grows out of its tile on
/// the outer one, or shrinks into it.
///
/// The inner grid shows the contents of an item of the outer one: of a folder, a month or a year.
/// Both grids are visible during the transition: the departing one as a still of its last screen,
/// the arriving one live.
struct FolderTransition: Equatable, Sendable {
  /// Whether the arriving grid is the inner one.
  var isInward: Bool
  /// The item whose contents the inner grid shows; nil if it is unknown.
  var tileItem: ItemID?
  /// The frame of the item's tile on the screen of the outer grid, in pixels of the picture area.
  var tile: PixelRect
  /// The placements on the last screen of the departing grid.
  var left: [Placement]
  var screen: PixelRect
  /// The frame of the inner grid's screen, its opacity and, as `backdrop`, the opacity of the outer
  /// grid.
  var progress: Animated<Pose>

  /// Returns the pose of a tile of the arriving grid at a moment, given its pose in that grid.
  func arriving(_ pose: Pose, at now: Instant) -> Pose {
    let present = progress.value(at: now)
    return Pose(
      frame: pose.frame.carried(from: isInward ? screen : tile, to: present.frame),
      backdrop: pose.backdrop,
      opacity: pose.opacity * (isInward ? present.opacity : present.backdrop))
  }

  /// Returns the placements of the departing grid at a moment, clipped to an area; empty once the
  /// grid has faded out.
  func departing(at now: Instant, on area: PixelRect, opacity: Double) -> [Placement] {
    let present = progress.value(at: now)
    let share = opacity * (isInward ? present.backdrop : present.opacity)
    guard share > 1 / 256 else { return [] }
    return left.compactMap { placement in
      var placement = placement
      placement.frame = placement.frame.carried(from: isInward ? tile : screen, to: present.frame)
      guard placement.frame.intersects(area) else { return nil }
      placement.opacity *= share
      return placement.clipped(to: area)
    }
  }
}

extension PixelRect {
  /// Returns this rectangle after the move and the scaling that map `from` to `to`.
  ///
  /// A side of `from` shorter than a pixel counts as a pixel.
  func carried(from: PixelRect, to: PixelRect) -> PixelRect {
    let (x, y) = (to.width / max(from.width, 1), to.height / max(from.height, 1))
    return PixelRect(
      x: to.minX + (minX - from.minX) * x, y: to.minY + (minY - from.minY) * y, width: width * x,
      height: height * y)
  }
}
