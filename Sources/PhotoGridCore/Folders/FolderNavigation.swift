/// Previews of folders, the places to return to in them, and the transition between two folders.
struct FolderNavigation: Equatable, Sendable {
  /// What is known of folders that have or had a tile.
  private(set) var previews: [Photo.ID: FolderPreview] = [:]
  /// The transition from one folder to another while it is seen.
  var transition: FolderTransition?
  /// The selection and the scroll offset of folders that were left, by their paths.
  private var positions: [[UInt8]: Grid.Position] = [:]

  /// Whether a folder has to be read for its preview.
  func needsPreview(_ folder: Photo.ID) -> Bool { previews[folder]?.isCurrent != true }

  /// Stores the preview of a folder.
  mutating func receive(_ preview: FolderPreview, of folder: Photo.ID) {
    previews[folder] = preview
  }

  /// Has a folder read again when it is seen.
  mutating func expirePreview(of folder: Photo.ID) { previews[folder]?.isCurrent = false }

  /// Has all folders read again when they are seen.
  mutating func expirePreviews() {
    for folder in previews.keys { expirePreview(of: folder) }
  }

  /// Stores the selection and scroll offset of a folder that is left.
  mutating func leave(_ folder: [UInt8], at position: Grid.Position) {
    positions[folder] = position
  }

  /// The selection and scroll offset of a folder when it was left; nil where it never was.
  func position(in folder: [UInt8]) -> Grid.Position? { positions[folder] }

  /// Whether the transition goes on.
  func isAnimating(at now: Instant) -> Bool {
    transition.map { !$0.progress.isOver(at: now) } ?? false
  }

  /// Removes a transition that is over.
  mutating func settle(at now: Instant) {
    if !isAnimating(at: now) { transition = nil }
  }
}
