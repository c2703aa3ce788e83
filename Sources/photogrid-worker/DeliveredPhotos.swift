/// The photos of deliveries whose thumbnails may still come, by the numbers of the deliveries.
struct DeliveredPhotos {
  private var photos: [(number: UInt32, photo: ThumbnailCache.Photo)] = []

  /// The most photos that are remembered: more than requests are under way.
  private static let mostCount = 64

  /// Adds the photo of the latest delivery.
  mutating func append(_ photo: ThumbnailCache.Photo, number: UInt32) {
    photos.append((number, photo))
    if photos.count > Self.mostCount { photos.removeFirst() }
  }

  /// Returns the photo of a delivery, and forgets those before it, which are over; nil if it is not
  /// known.
  mutating func photo(ofDelivery number: UInt32) -> ThumbnailCache.Photo? {
    guard let index = photos.firstIndex(where: { $0.number == number }) else { return nil }
    photos.removeFirst(index)
    return photos.first?.photo
  }
}
