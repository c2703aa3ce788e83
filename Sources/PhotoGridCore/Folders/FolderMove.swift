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
    /// Into a folder that has a tile.
    case into(Photo.ID)
    /// Out of a folder; nil if the folder is not known as an item.
    case outOf(Photo.ID?)
  }

  /// Creates a move between two locations.
  package init(from: [UInt8], to: [UInt8], _ direction: Direction, photos: [Photo.ID]) {
    (self.from, self.to, self.direction, self.photos) = (from, to, direction, photos)
  }

  /// Whether the move leads into a folder that has a tile.
  var isInward: Bool {
    if case .into = direction { true } else { false }
  }

  /// The folder that is entered or left; nil if it is unknown.
  var folder: Photo.ID? {
    switch direction {
    case .into(let folder): folder
    case .outOf(let folder): folder
    }
  }
}
