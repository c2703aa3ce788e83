/// The photos of recent deliveries, for which the decoder may still send thumbnails.
struct DeliveredPhotos {
  private var photos: [(number: UInt32, photo: ThumbnailCache.Photo)] = []

  /// The most photos that are remembered, which is more than the requests in flight.
  private static let mostCount = 64

  /// Adds the photo of the latest delivery.
  mutating func append(_ photo: ThumbnailCache.Photo, number: UInt32) {
    photos.append((number, photo))
    if photos.count > Self.mostCount { photos.removeFirst() }
  }

  /// Returns the photo of a delivery, and drops the photos before it, which are done; nil if the
  /// number is unknown.
  mutating func photo(ofDelivery number: UInt32) -> ThumbnailCache.Photo? {
    guard let index = photos.firstIndex(where: { $0.number == number }) else { return nil }
    photos.removeFirst(index)
    return photos.first?.photo
  }
}
