@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

extension Story {
  /// The panes of the comparison.
  var panes: [ComparisonPane] { browser.comparison?.panes ?? [] }

  /// The front placement of a photo.
  func shown(_ photo: Photo.ID) -> Placement? { scene.placements.last { $0.photo == photo } }
}
