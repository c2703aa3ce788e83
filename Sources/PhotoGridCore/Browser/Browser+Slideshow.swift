/// The slideshow: from one photo to the next when its time is over and the next one's picture is
/// there.
extension Browser {
  /// The longest time that a count gives a photo, in seconds: a day.
  private static let longestSlide = 86_400.0

  /// Begins a show with the photo that keys are about, on the whole screen.
  ///
  /// - Parameters:
  ///   - seconds: How long each photo is shown; nil for as long as the options say.
  ///   - now: The present.
  mutating func startSlideshow(_ seconds: Double?, at now: Instant) {
    guard prompt == nil else { return }
    confirmation = nil
    // From a folder on, the first photo is next.
    guard let index = currentIndex ?? (album.shown.isEmpty ? nil : folderCount) else {
      say("there are no photos to show", for: 2, at: now)
      return
    }
    helpPage = nil
    endDrag(at: now)
    if outing?.isReturning ?? true { open(index, at: now) } else { zoom(.fit, 1, at: now) }
    slideshow = Slideshow(
      of: photos[index], seconds: seconds.map { min($0, Self.longestSlide) } ?? options.slideSeconds
    )
    followSlideshow(at: now)
  }

  /// Takes a key while a show runs: nearly every one ends it and does nothing else.
  mutating func pressInSlideshow(_ key: Key, at now: Instant) -> [Effect] {
    switch key {
    case .character("q"): return [.quit]
    case .control("c"): return [.interrupt]
    case .character(" "): togglePause(at: now)
    default:
      endSlideshow()
      // The rest of a sequence does not act by itself.
      keys.begin(key, by: options.keys)
    }
    return []
  }

  /// The pointer, too, ends the show where more is done than to move it.
  mutating func pointInSlideshow(_ event: MouseEvent) {
    switch event.kind {
    case .pressed, .wheel: endSlideshow()
    case .released, .dragged, .moved: break
    }
  }

  /// Ends the show; the photo stays on the screen, and a fade that has begun comes to its end.
  mutating func endSlideshow() { slideshow = nil }

  private mutating func togglePause(at now: Instant) {
    guard let show = slideshow else { return }
    switch show.clock {
    case .waiting: slideshow?.clock = .paused(seconds: show.seconds)
    case .running(let end):
      slideshow?.clock = .paused(seconds: min(max(end.seconds(since: now), 0), show.seconds))
    case .paused(let seconds):
      slideshow?.clock = .running(until: now.advanced(bySeconds: seconds))
    }
  }

  // MARK: - What is waited for

  /// Pictures of which the show has to be told by `Event.prepared` that they are there, or that
  /// there will be none.
  package var awaitedPictures: [Demand] {
    guard let show = slideshow, let index = outing?.index, photos.indices.contains(index) else {
      return []
    }
    var result: [Demand] = []
    if show.clock == .waiting, !show.failed.contains(show.photo) {
      result.append(screenDemand(of: index))
    }
    if let next = nextSlide, !show.isNextReady { result.append(screenDemand(of: next)) }
    return result
  }

  /// The place of the photo that comes next.
  var nextSlide: Int? {
    guard let step = slideshow?.step, let index = outing?.index, !album.shown.isEmpty else {
      return nil
    }
    return slide(step, after: index)
  }

  /// The place of the photo some steps after another one, in a circle that leaves out folders.
  private func slide(_ step: Int, after index: Int) -> Int {
    folderCount + (index - folderCount + step) % album.shown.count
  }

  /// Takes the news that a photo's picture for the screen is there, or that there will be none.
  mutating func prepare(_ photo: Photo.ID, isShown: Bool, at now: Instant) {
    guard let show = slideshow else { return }
    if isShown {
      if photo == show.next { slideshow?.isNextReady = true }
      if photo == show.photo, show.clock == .waiting {
        slideshow?.clock = .running(until: now.advanced(bySeconds: show.seconds))
      }
    } else {
      slideshow?.failed.insert(photo)
    }
  }

  /// Notes that a photo's file has changed, so that it is worth another try.
  mutating func forgetSlideFailure(of photo: Photo.ID) {
    if slideshow?.failed.remove(photo) != nil { slideshow?.step = 1 }
  }

  // MARK: - Going on

  /// Sees to it that the show is about what is on the screen, and goes on if it is time.
  mutating func followSlideshow(at now: Instant) {
    guard var show = slideshow else { return }
    guard let outing, !outing.isReturning, photos.indices.contains(outing.index) else {
      return endSlideshow()
    }
    if photos[outing.index] != show.photo {
      // The photo is gone, and another one took its place.
      show.photo = photos[outing.index]
      if !show.isPaused { show.clock = .waiting }
      show.step = 1
    }
    chooseNext(of: &show, after: outing.index)
    slideshow = show
    if show.step == nil, show.failed.contains(show.photo) {
      endSlideshow()
      say("no photo here can be shown", for: 5, at: now)
    } else if isSlideDue(at: now), let next = nextSlide {
      fade(to: next, at: now)
    }
  }

  /// Finds the next photo in order, after the last the first, that is not known to be broken.
  private func chooseNext(of show: inout Slideshow, after index: Int) {
    let count = album.shown.count
    let before = show.next
    let isInPlace = show.step.map { photos[slide($0, after: index)] == before } ?? false
    // From where it was, unless the order has changed since.
    var step = isInPlace ? show.step ?? 1 : 1
    while step < count, show.failed.contains(photos[slide(step, after: index)]) { step += 1 }
    show.step = step < count ? step : nil
    show.next = show.step.map { photos[slide($0, after: index)] }
    if show.next != before { show.isNextReady = false }
  }

  /// When the next photo comes if nothing else happens; nil where something has to happen first.
  var nextSlideChange: Instant? {
    guard let show = slideshow, show.isNextReady, case .resting = outing?.activity else {
      return nil
    }
    // A photo that cannot be shown is not waited for.
    if !show.isPaused, show.failed.contains(show.photo) { return Instant(nanoseconds: 0) }
    guard case .running(let end) = show.clock else { return nil }
    return end
  }

  private func isSlideDue(at now: Instant) -> Bool { nextSlideChange.map { $0 <= now } ?? false }

  private mutating func fade(to index: Int, at now: Instant) {
    guard let show = slideshow, let outing, photos.indices.contains(index) else { return }
    let old = placement(
      of: photos[outing.index], in: screenFrame(of: outing.index), opacity: 1)
    crossFade = nil
    self.show(index, at: now)
    self.outing?.view = Magnification()
    let duration = options.motion.crossFadeSeconds
    if duration > 0 {
      crossFade = CrossFade(
        placement: old, next: photos[index],
        share: Animated(from: 0, to: 1, options.motion.crossFade, at: now))
    }
    var following = Slideshow(of: photos[index], seconds: show.seconds)
    following.failed = show.failed
    following.clock = .running(until: now.advanced(bySeconds: duration + show.seconds))
    slideshow = following
    chooseNext(of: &following, after: index)
    slideshow = following
  }

  // MARK: - Fading

  /// Drops a fade that is over, or whose photo is no longer what rests on the screen.
  mutating func settleCrossFade(at now: Instant) {
    guard let fade = crossFade else { return }
    let isThere =
      outing?.activity == .resting && outing?.view == Magnification()
      && current == fade.next
    if !isThere || fade.share.isOver(at: now) { crossFade = nil }
  }

  /// The place of the photo that plays: while one gives way to another, the one before.
  var playedIndex: Int? {
    guard let fade = crossFade else { return currentIndex }
    return photos.firstIndex(of: fade.placement.photo)
  }

  /// What is seen of a photo that gives way to one in a frame.
  ///
  /// Where the next photo will be it lies behind that one, whole; beside it, it goes by itself. So
  /// the two together are never darker than both.
  func fading(_ fade: CrossFade, behind frame: PixelRect, at now: Instant) -> Placement {
    var old = fade.placement
    old.page = page(of: old.photo)
    old.outside = Placement.Outside(
      frame: frame, opacity: 1 - min(max(fade.share.value(at: now), 0), 1))
    return old
  }
}
