import PhotoGridCore

/// What a slideshow has to know of the pictures that it waits for.
extension BrowseLoop {
  /// Begins the show that the command line asks for, once all photos are in their places.
  mutating func startSlideshow(at now: Instant) {
    guard isSlideshowDue, browser.isSettled else { return }
    isSlideshowDue = false
    tell(.slideshowAsked, at: now)
  }

  /// Tells which of the pictures that the show waits for are there, or will never be.
  mutating func tellPrepared(at now: Instant) {
    // One that cannot be shown makes it wait for the next one.
    while true {
      let news = browser.awaitedPictures.compactMap { demand -> Event? in
        if store.failure(of: demand.photo) != nil {
          return .prepared(demand.photo, isShown: false)
        }
        return store.isFulfilled(demand) ? .prepared(demand.photo, isShown: true) : nil
      }
      guard !news.isEmpty else { return }
      for event in news { tell(event, at: now) }
    }
  }
}
