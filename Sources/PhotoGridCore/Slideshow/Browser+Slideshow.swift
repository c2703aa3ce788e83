/// The slideshow: it advances when a photo's time is over and the next picture is ready.
extension Browser {
  /// The longest time per photo that a count can set, in seconds: a day.
  private static let maximumSlideSeconds = 86_400.0

  /// Starts a slideshow with the current photo, on the whole screen.
  ///
  /// - Parameters:
  ///   - seconds: The time per photo; nil for the time in the options.
  ///   - now: The current time.
  mutating func startSlideshow(_ seconds: Double?, at now: Instant) {
    guard prompt == nil else { return }
    if case .confirmation? = mode.modal { mode.modal = nil }
    // From a folder, start with the first photo.
    guard let index = currentIndex ?? (album.shown.isEmpty ? nil : folderCount) else {
      showNotice("No photos to show", for: 2, at: now)
      return
    }
    endDrag(at: now)
    if isComparing { openFocused(at: now) }
    if viewer?.isClosing ?? true { openPhoto(index, at: now) } else { fitViewer(at: now) }
    let seconds = seconds.map { min($0, Self.maximumSlideSeconds) } ?? options.slideSeconds
    mode.show(Slideshow(of: photos[index], seconds: seconds))
    followSlideshow(at: now)
  }

  /// Handles a key during a slideshow: keys that go to another photo do so, and the slideshow goes
  /// on after that one's full time, as in other viewers; nearly every other key ends it and does
  /// nothing else.
  mutating func pressInSlideshow(_ key: Key, at now: Instant, effects: inout [Effect]) {
    switch key {
    case .character("q"): effects.append(.quit)
    case .control("c"): effects.append(.interrupt)
    case .character(" "): mode.updateSlideshow { $0.togglePause(at: now) }
    default:
      if let step = step(of: key) { return navigateInViewer(step, nil, at: now) }
      mode.endSlideshow()
      // Keep the rest of a sequence from acting by itself.
      keyboard.reader.begin(key, in: keyView, by: options.keys)
    }
  }

  /// Returns the command of a key that goes to another photo; nil for other keys.
  private func step(of key: Key) -> Command.Navigation? {
    guard case .navigation(let step)? = options.keys[keyView][key.name] else { return nil }
    let steps: [Command.Navigation] = [.left, .right, .next, .previous, .forwardTen, .backTen]
    return steps.contains(step) ? step : nil
  }

  /// Handles a mouse event during a slideshow: a press or the wheel ends it.
  mutating func pointInSlideshow(_ event: MouseEvent) {
    switch event.kind {
    case .pressed, .wheel: mode.endSlideshow()
    case .released, .dragged, .moved: break
    }
  }

  // MARK: - Awaited pictures

  /// The pictures that the slideshow waits for; `Event.prepared` must report that each is ready or
  /// has failed.
  package var awaitedPictures: [Demand] {
    guard let show = slideshow, let index = viewerIndex else { return [] }
    var result: [Demand] = []
    if show.awaitsPhoto, !show.failed.contains(show.photo) {
      result.append(screenDemand(of: index))
    }
    if let next = nextSlide, !show.isNextReady { result.append(screenDemand(of: next)) }
    return result
  }

  /// The index of the next photo; nil without a slideshow, or if no other photo can be shown.
  var nextSlide: Int? {
    guard let step = slideshow?.step, let index = viewerIndex, !album.shown.isEmpty else {
      return nil
    }
    return PhotoCircle(photos, folderCount: folderCount).place(step, after: index)
  }

  // MARK: - Advancing

  /// Synchronizes the slideshow with the photo on the screen, and advances it if the next photo is
  /// due.
  mutating func followSlideshow(at now: Instant) {
    guard case .slideshow(let viewer, var show) = mode, let index = viewerIndex else { return }
    show.follow(viewer.photo)
    show.chooseNext(after: index, in: PhotoCircle(photos, folderCount: folderCount))
    mode.show(show)
    if show.step == nil, show.failed.contains(show.photo) {
      mode.endSlideshow()
      showNotice("None of these photos can be shown", for: 5, at: now)
    } else if isSlideDue(at: now), let next = nextSlide {
      fade(to: next, at: now)
    }
  }

  /// The time at which the next photo is due; nil while the slideshow waits for something else.
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
      let crossFade = CrossFade(placement: old, next: photos[index], progress: share)
      self.viewer?.crossFade = crossFade
    }
    var following = Slideshow(of: photos[index], seconds: show.seconds)
    following.failed = show.failed
    following.clock = .running(until: now.advanced(bySeconds: duration + show.seconds))
    following.chooseNext(after: index, in: PhotoCircle(photos, folderCount: folderCount))
    mode.show(following)
  }

  // MARK: - Cross-fades

  /// Removes the cross-fade if it is over, or if its photo no longer rests on the screen.
  mutating func settleCrossFade(at now: Instant) {
    let photo = current
    viewer?.settleCrossFade(to: photo, at: now)
  }

  /// The index of the photo that plays; during a cross-fade, the previous one.
  var playedIndex: Int? {
    guard let fade = viewer?.crossFade else { return currentIndex }
    return collection.index(of: fade.placement.photo)
  }

  /// Returns the placement of a photo that fades out behind the next one's frame.
  ///
  /// Inside the frame the photo stays opaque behind the next one; outside, it fades out by itself.
  /// So the two together are never darker than either.
  func fading(_ fade: CrossFade, behind frame: PixelRect, at now: Instant) -> Placement {
    var old = fade.placement
    old.frameIndex = animator.frameIndex(of: old.photo)
    old.outside = Placement.Outside(
      frame: frame, opacity: 1 - min(max(fade.progress.value(at: now), 0), 1))
    return old
  }
}
