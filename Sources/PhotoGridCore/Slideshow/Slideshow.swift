/// Photos on the whole screen, one after the other by themselves.
package struct Slideshow: Equatable, Sendable {
  /// How long each photo is shown between two fades, in seconds.
  let seconds: Double
  /// The photo whose turn it is.
  var photo: Photo.ID
  /// How long the photo stays.
  var clock = Clock.waiting
  /// How many places further on the photo is that comes next; nil where no other can be shown.
  var step: Int? = 1
  /// The photo that comes next, by which a change of the order is noticed.
  var next: Photo.ID?
  /// Whether its picture is there.
  var isNextReady = false
  /// Photos that cannot be shown.
  var failed: Set<Photo.ID> = []

  /// How long the present photo stays.
  enum Clock: Equatable, Sendable {
    /// Its picture is not there yet.
    case waiting
    case running(until: Instant)
    /// Stopped with so many seconds to go.
    case paused(seconds: Double)
  }

  /// Whether it waits to be told to go on.
  package var isPaused: Bool { if case .paused = clock { true } else { false } }

  /// A show that begins with a photo.
  init(of photo: Photo.ID, seconds: Double) {
    self.photo = photo
    self.seconds = seconds
  }

  // MARK: - Events

  /// Pauses, or goes on with the time that was left.
  mutating func togglePause(at now: Instant) {
    switch clock {
    case .waiting: clock = .paused(seconds: seconds)
    case .running(let end):
      clock = .paused(seconds: min(max(end.seconds(since: now), 0), seconds))
    case .paused(let seconds): clock = .running(until: now.advanced(bySeconds: seconds))
    }
  }

  /// Receives whether a photo's picture for the screen is there; if not, there will be none.
  mutating func receive(isShown: Bool, of photo: Photo.ID, at now: Instant) {
    guard isShown else {
      failed.insert(photo)
      return
    }
    if photo == next { isNextReady = true }
    if photo == self.photo, clock == .waiting {
      clock = .running(until: now.advanced(bySeconds: seconds))
    }
  }

  /// Tries a photo again whose file has changed.
  mutating func forgetFailure(of photo: Photo.ID) {
    if failed.remove(photo) != nil { step = 1 }
  }

  /// Goes on with the photo on the screen, which may have taken the place of one that was removed.
  mutating func follow(_ photo: Photo.ID) {
    guard photo != self.photo else { return }
    self.photo = photo
    if !isPaused { clock = .waiting }
    step = 1
  }

  /// Finds the next photo in order, after the last the first, that is not known to be broken.
  mutating func chooseNext(after index: Int, in photos: PhotoCircle) {
    let before = next
    let isInPlace = step.map { photos.photo($0, after: index) == before } ?? false
    // From where it was, unless the order has changed since.
    var step = isInPlace ? self.step ?? 1 : 1
    while step < photos.count, failed.contains(photos.photo(step, after: index)) { step += 1 }
    self.step = step < photos.count ? step : nil
    next = self.step.map { photos.photo($0, after: index) }
    if next != before { isNextReady = false }
  }

  /// When the next photo comes if nothing else happens; nil where something has to happen first.
  var nextChange: Instant? {
    guard isNextReady else { return nil }
    // A photo that cannot be shown is not waited for.
    if !isPaused, failed.contains(photo) { return Instant(nanoseconds: 0) }
    guard case .running(let end) = clock else { return nil }
    return end
  }
}

/// The photos behind the folders in the order on screen, the last one followed by the first.
struct PhotoCircle {
  private let items: [Photo.ID]
  private let folderCount: Int

  /// The photos among items of which the first ones are folders.
  init(_ items: [Photo.ID], folderCount: Int) {
    self.items = items
    self.folderCount = folderCount
  }

  /// The number of photos.
  var count: Int { items.count - folderCount }

  /// The index of the item some steps after a photo; there must be at least one photo.
  func place(_ step: Int, after index: Int) -> Int {
    folderCount + (index - folderCount + step) % count
  }

  /// The photo some steps after another one; there must be at least one photo.
  func photo(_ step: Int, after index: Int) -> Photo.ID { items[place(step, after: index)] }
}
