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

  /// Stores the preview of a folder.
  mutating func receive(_ preview: FolderPreview, of folder: Photo.ID) {
    previews[folder] = preview
  }

  /// Marks a folder's preview as out of date, so that the folder is read again once visible.
  mutating func expirePreview(of folder: Photo.ID) { previews[folder]?.isCurrent = false }

  /// Marks all previews as out of date, so that the folders are read again once visible.
  mutating func expirePreviews() {
    for folder in previews.keys { expirePreview(of: folder) }
  }

  /// Stores the selection and scroll offset of a folder that is being left.
  mutating func leave(_ folder: [UInt8], at position: Grid.Position) {
    positions[folder] = position
  }

  /// Returns the selection and scroll offset with which a folder was last left; nil if it was not.
  func position(in folder: [UInt8]) -> Grid.Position? { positions[folder] }

  /// Whether a transition is in progress.
  func isAnimating(at now: Instant) -> Bool {
    transition.map { !$0.progress.isOver(at: now) } ?? false
  }

  /// Removes a finished transition.
  mutating func settle(at now: Instant) {
    if !isAnimating(at: now) { transition = nil }
  }
}
