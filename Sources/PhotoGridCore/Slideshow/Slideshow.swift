/// A sequence of photos on the whole screen that advances by itself.
package struct Slideshow: Equatable, Sendable {
  /// The time that each photo is shown between two cross-fades, in seconds.
  let seconds: Double
  /// The current photo.
  var photo: Photo.ID
  /// The state of the current photo's time.
  var clock = Clock.waiting
  /// The distance to the next photo, in photos; nil if no other photo can be shown.
  var step: Int? = 1
  /// The next photo; if another photo is at that distance now, the order has changed.
  var next: Photo.ID?
  /// Whether the next photo's picture is ready.
  var isNextReady = false
  /// The photos that cannot be shown.
  var failed: Set<Photo.ID> = []

  /// A state of the current photo's time.
  enum Clock: Equatable, Sendable {
    /// The photo's picture is not ready yet.
    case waiting
    /// Running until the next photo is due.
    case running(until: Instant)
    /// Paused with a number of seconds remaining; nil if the photo's picture is not ready yet.
    case paused(seconds: Double?)
  }

  /// Whether the slideshow is paused.
  package var isPaused: Bool { if case .paused = clock { true } else { false } }

  /// Creates a slideshow that starts with a photo.
  init(of photo: Photo.ID, seconds: Double) {
    self.photo = photo
    self.seconds = seconds
  }

  /// Whether the slideshow waits for the photo's picture, paused or not.
  var awaitsPhoto: Bool { clock == .waiting || clock == .paused(seconds: nil) }

  // MARK: - Events

  /// Pauses, or continues with the remaining time.
  mutating func togglePause(at now: Instant) {
    switch clock {
    case .waiting: clock = .paused(seconds: nil)
    case .running(let end):
      clock = .paused(seconds: min(max(end.seconds(since: now), 0), seconds))
    case .paused(let seconds?): clock = .running(until: now.advanced(bySeconds: seconds))
    case .paused(nil): clock = .waiting
    }
  }

  /// Receives whether a photo's picture for the screen is ready or has failed.
  mutating func receive(isShown: Bool, of photo: Photo.ID, at now: Instant) {
    guard isShown else {
      failed.insert(photo)
      return
    }
    if photo == next { isNextReady = true }
    if photo == self.photo, awaitsPhoto {
      clock =
        isPaused
        ? .paused(seconds: seconds) : .running(until: now.advanced(bySeconds: seconds))
    }
  }

  /// Retries a photo whose file has changed.
  mutating func forgetFailure(of photo: Photo.ID) {
    if failed.remove(photo) != nil { step = 1 }
  }

  /// Continues with the photo on the screen, which may have replaced a removed one.
  mutating func follow(_ photo: Photo.ID) {
    guard photo != self.photo else { return }
    self.photo = photo
    clock = isPaused ? .paused(seconds: nil) : .waiting
    step = 1
  }

  /// Chooses the next photo in order that has not failed, wrapping around at the end.
  mutating func chooseNext(after index: Int, in photos: PhotoCircle) {
    let before = next
    let isInPlace = step.map { photos.photo($0, after: index) == before } ?? false
    // Continue from the previous choice, unless the order has changed.
    var step = isInPlace ? self.step ?? 1 : 1
    while step < photos.count, failed.contains(photos.photo(step, after: index)) { step += 1 }
    self.step = step < photos.count ? step : nil
    next = self.step.map { photos.photo($0, after: index) }
    if next != before { isNextReady = false }
  }

  /// The time at which the next photo is due; nil while the slideshow waits for something else.
  var nextChange: Instant? {
    guard isNextReady else { return nil }
    // A photo that cannot be shown is skipped immediately.
    if !isPaused, failed.contains(photo) { return Instant(nanoseconds: 0) }
    guard case .running(let end) = clock else { return nil }
    return end
  }
}

/// The photos in display order, without the folders before them, as a circle.
struct PhotoCircle {
  private let items: [Photo.ID]
  private let folderCount: Int

  /// Creates a circle from items of which the first `folderCount` are folders.
  init(_ items: [Photo.ID], folderCount: Int) {
    self.items = items
    self.folderCount = folderCount
  }

  /// The number of photos.
  var count: Int { items.count - folderCount }

  /// Returns the index of the photo that is `step` photos after an index; there must be at least
  /// one photo.
  func place(_ step: Int, after index: Int) -> Int {
    folderCount + (index - folderCount + step) % count
  }

  /// Returns the photo that is `step` photos after an index; there must be at least one photo.
  func photo(_ step: Int, after index: Int) -> Photo.ID { items[place(step, after: index)] }
}
