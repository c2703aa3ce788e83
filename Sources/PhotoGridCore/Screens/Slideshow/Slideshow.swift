import Geometry
import Photos
import SceneModel

/// A sequence of photos on the whole screen that advances by itself.
package struct Slideshow: Equatable, Sendable {
  /// The photo on the screen, or on its way there.
  var viewer: Viewer
  /// The time that each photo is shown between two cross-fades, in seconds.
  let seconds: Double
  /// The photo whose time is counted.
  private(set) var photo: Photo.ID
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
    case running(until: Instant)
    /// Paused with a number of seconds remaining; nil if the photo's picture is not ready yet.
    case paused(seconds: Double?)
  }

  package var isPaused: Bool { if case .paused = clock { true } else { false } }

  init(from viewer: Viewer, seconds: Double) {
    self.viewer = viewer
    photo = viewer.photo
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
  private mutating func followViewer() {
    guard viewer.photo != photo else { return }
    photo = viewer.photo
    clock = isPaused ? .paused(seconds: nil) : .waiting
    step = 1
  }

  /// Chooses the next photo in order that has not failed, wrapping around at the end.
  private mutating func chooseNext(after index: Int, in photos: CyclicOrder) {
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
  private func nextPhotoDue(in gallery: Gallery) -> Instant? {
    guard case .resting = viewer.phase, isNextReady else { return nil }
    // A photo that cannot be shown is skipped immediately.
    if !isPaused, failed.contains(photo) { return Instant(nanoseconds: 0) }
    // A film plays to its end, however long that takes.
    guard case .running(let end) = clock, gallery.playback(of: photo)?.isPlayingFilm != true
    else { return nil }
    return end
  }

  // MARK: - Advancing

  /// Follows the photo on the screen, and fades to the next one if it is due.
  mutating func advance(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    viewer.settleCrossFade(at: now)
    guard let index = gallery.collection.index(of: viewer.photo) else { return [] }
    followViewer()
    chooseNext(after: index, in: CyclicOrder(gallery.collection))
    if step == nil, failed.contains(photo) {
      return [.show(viewer), .notice("None of these photos can be shown", seconds: 5)]
    }
    if let due = nextPhotoDue(in: gallery), due <= now, let next = nextIndex(in: gallery) {
      fade(from: index, to: next, in: &gallery, at: now)
    }
    return []
  }

  /// The index of the next photo; nil if no other photo can be shown.
  func nextIndex(in gallery: Gallery) -> Int? {
    guard let step, let index = gallery.collection.index(of: viewer.photo),
      !gallery.album.shown.isEmpty
    else { return nil }
    return CyclicOrder(gallery.collection).index(step, after: index)
  }

  private mutating func fade(
    from present: Int, to index: Int, in gallery: inout Gallery, at now: Instant
  ) {
    let photo = gallery.items[index]
    let frame = gallery.viewport.screenFrame(of: gallery.size(of: viewer.photo), viewer.view)
    let old = gallery.placement(of: viewer.photo, in: frame, opacity: 1)
    viewer.go(to: index, in: &gallery, at: now)
    viewer.view = Magnification()
    let motion = gallery.options.motion
    let duration = motion.crossFadeSeconds
    if duration > 0 {
      let progress = Animated(from: 0, to: 1, motion.crossFade, at: now)
      viewer.crossFade = CrossFade(placement: old, next: photo, progress: progress)
    }
    var following = Slideshow(from: viewer, seconds: seconds)
    following.failed = failed
    following.clock = .running(until: now.advanced(bySeconds: duration + seconds))
    following.chooseNext(after: index, in: CyclicOrder(gallery.collection))
    self = following
  }

  /// Returns the pictures that the slideshow waits for: `GalleryChange.prepared` must report each.
  func awaitedPictures(in gallery: Gallery) -> [Demand] {
    guard let index = gallery.collection.index(of: viewer.photo) else { return [] }
    var result: [Demand] = []
    if awaitsPhoto, !failed.contains(photo) { result.append(gallery.screenDemand(of: index)) }
    if let next = nextIndex(in: gallery), !isNextReady {
      result.append(gallery.screenDemand(of: next))
    }
    return result
  }
}

/// The slideshow is a screen with an open photo, which nearly every key and press ends.
extension Slideshow: PhotoScreen {
  var traits: ScreenTraits {
    var traits = viewer.traits
    traits.showsInformation = false
    return traits
  }

  func currentItem(in gallery: Gallery) -> Int? { viewer.currentItem(in: gallery) }

  /// Handles a key: keys that go to another photo do so, and the slideshow goes on after that one's
  /// full time; nearly every other key ends it and does nothing else.
  mutating func press(_ key: Key, in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome]? {
    switch key {
    case .character("q"): return [.effect(.quit)]
    case .control("c"): return [.effect(.interrupt)]
    case .character(" "):
      togglePause(at: now)
      return []
    default:
      if let step = step(of: key, in: gallery.options.keys) {
        return viewer.perform(.navigation(step), nil, in: &gallery, at: now)
      }
      // Keep the rest of a sequence from acting by itself.
      return [.show(viewer), .beginSequence(key)]
    }
  }

  /// Returns the command of a key that goes to another photo; nil for other keys.
  private func step(of key: Key, in keys: KeyMap) -> Command.Navigation? {
    guard case .navigation(let step)? = keys[traits.keyView][key.name] else { return nil }
    let steps: [Command.Navigation] = [.left, .right, .next, .previous, .tenForward, .tenBack]
    return steps.contains(step) ? step : nil
  }

  mutating func perform(
    _ command: Command, _ count: Int?, in gallery: inout Gallery, at now: Instant
  ) -> [ScreenOutcome]? {
    viewer.perform(command, count, in: &gallery, at: now)
  }

  func point(_ event: MouseEvent, in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome]? {
    switch event.kind {
    case .pressed, .wheel: [.show(viewer)]
    case .released, .dragged, .moved: []
    }
  }

  mutating func go(to index: Int, in gallery: inout Gallery, at now: Instant) {
    viewer.go(to: index, in: &gallery, at: now)
  }

  mutating func settle(in gallery: inout Gallery, at now: Instant) -> [ScreenOutcome] {
    viewer.settle(in: &gallery, at: now)
  }

  mutating func follow(_ change: GalleryChange, in gallery: inout Gallery, at now: Instant)
    -> [ScreenOutcome]
  {
    switch change {
    case .prepared(let photo, let isShown): receive(isShown: isShown, of: photo, at: now)
    case .filesChanged(let photos): for photo in photos { forgetFailure(of: photo) }
    // The next slide was prepared for the previous size.
    case .resized: isNextReady = false
    case .items, .appended, .pressesEnded, .tiles, .viewport, .sizes, .room: break
    }
    return viewer.follow(change, in: &gallery, at: now)
  }

  func draw(into scene: inout Scene, _ frame: SceneFrame) {
    viewer.draw(into: &scene, frame)
  }

  func gridOpacity(in gallery: Gallery, at now: Instant) -> Double? {
    viewer.gridOpacity(in: gallery, at: now)
  }

  func hidesTile(of item: Photo.ID, in gallery: Gallery) -> Bool {
    viewer.hidesTile(of: item, in: gallery)
  }

  func demands(in gallery: Gallery) -> ScreenDemands {
    var demands = viewer.demandsWithoutRegionsAhead(in: gallery)
    if let next = nextIndex(in: gallery), gallery.photo(at: next) != nil {
      demands.visible.append(gallery.screenDemand(of: next))
    }
    return demands
  }

  func photoAlone(in gallery: inout Gallery, at now: Instant) -> Viewer? {
    viewer.photoAlone(in: &gallery, at: now)
  }

  func reopened(at index: Int, in gallery: inout Gallery, at now: Instant) -> Viewer? {
    viewer.reopened(at: index, in: &gallery, at: now)
  }

  func visibleItems(in gallery: Gallery) -> [Int] { viewer.visibleItems(in: gallery) }
  func playedPhoto(in gallery: Gallery) -> PlayedPhoto? { viewer.playedPhoto(in: gallery) }

  func showsPhoto(at index: Int, in gallery: Gallery) -> Bool {
    viewer.showsPhoto(at: index, in: gallery)
  }

  func playedPicture(of index: Int, in gallery: Gallery) -> Demand {
    viewer.playedPicture(of: index, in: gallery)
  }

  func describe(_ content: inout StatusBar.Content, in gallery: Gallery) {
    viewer.describe(&content, in: gallery)
    content.isSlideshowPaused = isPaused
  }

  func isAnimating(in gallery: Gallery, at now: Instant) -> Bool { viewer.isAnimating(at: now) }

  func nextChange(in gallery: Gallery) -> Instant? {
    [nextPhotoDue(in: gallery), viewer.fullPictureDue].compactMap(\.self).min()
  }
}

/// The photos in display order, without the folders before them, as a circle.
private struct CyclicOrder {
  private let items: [Photo.ID]
  private let folderCount: Int

  init(_ collection: PhotoCollection) {
    (items, folderCount) = (collection.items, collection.folderCount)
  }

  var count: Int { items.count - folderCount }

  /// Returns the index of the photo that is `step` photos after an index; there must be at least
  /// one photo.
  func index(_ step: Int, after index: Int) -> Int {
    folderCount + (index - folderCount + step) % count
  }

  /// Returns the photo that is `step` photos after an index; there must be at least one photo.
  func photo(_ step: Int, after index: Int) -> Photo.ID { items[self.index(step, after: index)] }
}
