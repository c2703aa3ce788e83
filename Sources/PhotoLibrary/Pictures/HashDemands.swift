import PhotoGridCore

/// The photos whose hashes are demanded, in their order.
struct HashDemands {
  /// The size of the picture that is hashed, in pixels.
  ///
  /// It is the smallest size of thumbnails, so that a photo decoded for its hash gets a thumbnail
  /// too.
  static let size = PixelSize(width: 128, height: 128)

  private var demands: [Photo.ID] = []
  /// The index of the first demand that may be open.
  private var firstOpen = 0
  /// The photos whose hashes are not known.
  private var open = PhotoSet()
  /// The photos that were found to have no preview.
  private var withoutPreview = PhotoSet()

  /// The number of open demands.
  var count: Int { open.count }

  /// The photos of the open demands.
  var photos: [Photo.ID] { open.photos }

  /// Replaces the demands.
  ///
  /// - Complexity: O(1) if these are the same array as before.
  /// - Returns: Whether they differ from the ones before.
  mutating func set(_ photos: [Photo.ID]) -> Bool {
    guard photos != demands else { return false }
    demands = photos
    firstOpen = 0
    open = PhotoSet(photos)
    return true
  }

  /// Closes the demand for a photo.
  mutating func remove(_ photo: Photo.ID) {
    open.remove(photo)
    withoutPreview.remove(photo)
  }

  /// Records that a photo has no preview, so that it is decoded for its hash.
  mutating func didTryPreview(_ photo: Photo.ID) { withoutPreview.insert(photo) }

  /// Returns the next request that can be sent now; nil if none can.
  mutating func next(_ isBusy: (Photo.ID) -> Bool) -> DecodeRequest? {
    for index in firstOpen..<demands.count {
      let photo = demands[index]
      if !open.contains(photo) {
        if index == firstOpen { firstOpen += 1 }
      } else if !isBusy(photo) {
        return .hash(photo, decodes: withoutPreview.contains(photo))
      }
    }
    return nil
  }
}
