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
    if case .confirmation? = mode.modal { mode.modal = nil }
    // From a folder on, the first photo is next.
    guard let index = currentIndex ?? (album.shown.isEmpty ? nil : folderCount) else {
      showNotice("there are no photos to show", for: 2, at: now)
      return
    }
    endDrag(at: now)
    if viewer?.isClosing ?? true { openPhoto(index, at: now) } else { fitViewer(at: now) }
    let seconds = seconds.map { min($0, Self.longestSlide) } ?? options.slideSeconds
    mode.show(Slideshow(of: photos[index], seconds: seconds))
    followSlideshow(at: now)
  }

  /// Takes a key while a show runs: nearly every one ends it and does nothing else.
  mutating func pressInSlideshow(_ key: Key, at now: Instant, effects: inout [Effect]) {
    switch key {
    case .character("q"): effects.append(.quit)
    case .control("c"): effects.append(.interrupt)
    case .character(" "): mode.updateSlideshow { $0.togglePause(at: now) }
    default:
      mode.endSlideshow()
      // The rest of a sequence does not act by itself.
      keyboard.reader.begin(key, by: options.keys)
    }
  }

  /// The pointer, too, ends the show where more is done than to move it.
  mutating func pointInSlideshow(_ event: MouseEvent) {
    switch event.kind {
    case .pressed, .wheel: mode.endSlideshow()
    case .released, .dragged, .moved: break
    }
  }

  // MARK: - What is waited for

  /// Pictures of which the show has to be told by `Event.prepared` that they are there, or that
  /// there will be none.
  package var awaitedPictures: [Demand] {
    guard let show = slideshow, let index = viewerIndex else { return [] }
    var result: [Demand] = []
    if show.clock == .waiting, !show.failed.contains(show.photo) {
      result.append(screenDemand(of: index))
    }
    if let next = nextSlide, !show.isNextReady { result.append(screenDemand(of: next)) }
    return result
  }

  /// The place of the photo that comes next.
  var nextSlide: Int? {
    guard let step = slideshow?.step, let index = viewerIndex, !album.shown.isEmpty else {
      return nil
    }
    return PhotoCircle(photos, folderCount: folderCount).place(step, after: index)
  }

  // MARK: - Going on

  /// Sees to it that the show is about what is on the screen, and goes on if it is time.
  mutating func followSlideshow(at now: Instant) {
    guard case .slideshow(let viewer, var show) = mode, let index = viewerIndex else { return }
    show.follow(viewer.photo)
    show.chooseNext(after: index, in: PhotoCircle(photos, folderCount: folderCount))
    mode.show(show)
    if show.step == nil, show.failed.contains(show.photo) {
      mode.endSlideshow()
      showNotice("no photo here can be shown", for: 5, at: now)
    } else if isSlideDue(at: now), let next = nextSlide {
      fade(to: next, at: now)
    }
  }

  /// When the next photo comes if nothing else happens; nil where something has to happen first.
  var nextSlideChange: Instant? {
    guard case .resting = viewer?.phase else { return nil }
    return slideshow?.nextChange
  }

  private func isSlideDue(at now: Instant) -> Bool { nextSlideChange.map { $0 <= now } ?? false }

  private mutating func fade(to index: Int, at now: Instant) {
    guard let show = slideshow, let viewer, let present = viewerIndex,
      photos.indices.contains(index)
    else { return }
    let old = placement(of: viewer.photo, in: screenFrame(of: present), opacity: 1)
    self.show(index, at: now)
    self.viewer?.view = Magnification()
    let duration = options.motion.crossFadeSeconds
    if duration > 0 {
      let share = Animated(from: 0, to: 1, options.motion.crossFade, at: now)
      let crossFade = CrossFade(placement: old, next: photos[index], share: share)
      self.viewer?.crossFade = crossFade
    }
    var following = Slideshow(of: photos[index], seconds: show.seconds)
    following.failed = show.failed
    following.clock = .running(until: now.advanced(bySeconds: duration + show.seconds))
    following.chooseNext(after: index, in: PhotoCircle(photos, folderCount: folderCount))
    mode.show(following)
  }

  // MARK: - Fading

  /// Drops a fade that is over, or whose photo is no longer what rests on the screen.
  mutating func settleCrossFade(at now: Instant) {
    let photo = current
    viewer?.settleCrossFade(to: photo, at: now)
  }

  /// The place of the photo that plays: while one gives way to another, the one before.
  var playedIndex: Int? {
    guard let fade = viewer?.crossFade else { return currentIndex }
    return collection.index(of: fade.placement.photo)
  }

  /// What is seen of a photo that gives way to one in a frame.
  ///
  /// Where the next photo will be it lies behind that one, whole; beside it, it goes by itself. So
  /// the two together are never darker than both.
  func fading(_ fade: CrossFade, behind frame: PixelRect, at now: Instant) -> Placement {
    var old = fade.placement
    old.frameIndex = animator.frameIndex(of: old.photo)
    old.outside = Placement.Outside(
      frame: frame, opacity: 1 - min(max(fade.share.value(at: now), 0), 1))
    return old
  }
}
