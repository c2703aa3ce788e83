/// A change from one folder to another.
package struct FolderMove: Equatable, Sendable {
  /// What names the place that is left, and the one that is gone to.
  package var from: [UInt8]
  package var to: [UInt8]
  package var way: Way
  /// What is known to be there, folders too, in the order of the listing; the rest is found later.
  package var photos: [Photo.ID]

  /// Where a move leads.
  package enum Way: Equatable, Sendable {
    /// Into a folder, by its tile.
    case into(Photo.ID)
    /// Out of a folder; its tile, if it is known.
    case outOf(Photo.ID?)
  }

  /// A change of place.
  package init(from: [UInt8], to: [UInt8], _ way: Way, photos: [Photo.ID]) {
    (self.from, self.to, self.way, self.photos) = (from, to, way, photos)
  }

  var isInward: Bool {
    if case .into = way { true } else { false }
  }

  /// The tile of the folder that is entered or left.
  var folder: Photo.ID? {
    switch way {
    case .into(let folder): folder
    case .outOf(let folder): folder
    }
  }
}
