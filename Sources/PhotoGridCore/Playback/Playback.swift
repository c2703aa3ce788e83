import Geometry
import Photos
import SceneModel

/// The playback of a video: the frame on the screen, and when the next one is due.
///
/// A frame that is not decoded in time delays playback, and is then shown for its full duration. Frames
/// whose time has passed before the screen could show them are skipped.
struct Playback: Equatable, Sendable {
  let photo: Photo.ID
  /// What moves in the photo.
  let motion: PhotoMotion
  /// The index of the frame on the screen.
  private(set) var frameIndex = 0
  /// The index of the frame to go to once it is decoded; nil if playback is where it should be.
  private(set) var pendingFrame: Int?
  /// Whether the playback advances with time.
  private(set) var isPlaying: Bool
  /// Whether the photo has ever played or been stepped; until then, only the first frame is needed.
  private(set) var hasStarted: Bool
  /// The frames in memory; nil until the first ones arrive.
  private(set) var frames: DecodedFrames?
  /// Whether the program's last frame is completely on the screen; over a slow connection it arrives in
  /// parts.
  var isFullyDrawn = true
  /// The line at the bottom of an open film.
  var progress = FilmProgress()
  /// The time at which the current frame ends; nil until it is displayed, and after a pause or
  /// step.
  private var end: Instant?
  /// The number of completed loops.
  private var finishedLoops = 0
  /// The number of frames to step, once they are decoded.
  private var pendingSteps = 0
  /// When playback starts automatically; nil if it has started, or if only a command starts it.
  private(set) var start: Instant?
  /// How fast it plays; the next photo plays at its usual speed.
  var speed = PlaybackSpeed.normal
  /// Whether the bar says that films have no sound.
  var mentionsSound = false
  /// Whether playback ends after the last frame, whatever the file says.
  private var playsOnce = false

  /// The longest delay that shortens the following frame, in seconds; a longer one means that the
  /// program was suspended or the photo was not visible.
  ///
  /// A film keeps its pace, even if a terminal draws only two of its frames a second.
  private var maxLateness: Double { film == nil ? 0.25 : 1 }

  /// Creates a playback at the first frame of a photo.
  ///
  /// - `start`: When it begins to play by itself; nil for at once.
  init(
    of photo: Photo.ID, _ motion: PhotoMotion = .frames, isPlaying: Bool, start: Instant? = nil
  ) {
    (self.photo, self.motion) = (photo, motion)
    self.isPlaying = isPlaying && start == nil
    hasStarted = self.isPlaying
    if isPlaying { self.start = start }
  }

  /// The timing of a film; nil for an animated image, and before a frame has arrived.
  var film: FilmTiming? { frames?.film }

  /// The time at which the next frame is due, or the line disappears; nil if it is unknown.
  var nextChange: Instant? {
    let frame = isFullyDrawn && !progress.isHeld ? nextFrameDue : nil
    return [frame, progress.nextChange].compactMap(\.self).min()
  }

  /// The time at which the next frame is due; nil if there is none or it is not decoded.
  private var nextFrameDue: Instant? {
    if let start { return start }
    return isPlaying && nextFrame.map(isThere) ?? false ? end : nil
  }

  /// Whether all frames were shown as often as they play.
  var isOver: Bool { frames != nil && nextFrame == nil }

  /// The index of the frame that is needed first.
  var neededFrame: Int { pendingFrame ?? frameIndex }

  /// Whether a film plays, rather than being paused or over.
  var isPlayingFilm: Bool { film != nil && isPlaying && !isOver }

  /// Whether the line of an open film is visible.
  var showsProgress: Bool { progress.isShown || hasStarted && (!isPlaying || isOver) }

  /// Adapts to where the photo is: on the whole screen, a film plays at once, and once.
  mutating func adapt(isOpen: Bool) {
    if isOpen { begin() }
    playsOnce = motion == .live || isOpen && motion == .film
    // A live photo is a photo again afterward.
    if motion == .live, isOver, isPlaying { self = Playback(of: photo, motion, isPlaying: false) }
  }

  /// Begins to play without waiting.
  private mutating func begin() {
    guard start != nil else { return }
    (start, isPlaying, hasStarted) = (nil, true, true)
  }

  /// Receives the frames in memory.
  mutating func take(_ frames: DecodedFrames, at now: Instant) {
    // If playback was waiting for this frame, the frame starts now.
    if let end, end < now, nextFrameDue == nil { self.end = now }
    self.frames = frames
    // A film can turn out to be shorter than it says.
    if let frame = pendingFrame, frame >= frames.frameCount {
      pendingFrame = max(frames.frameCount - 1, 0)
    }
    arrive()
  }

  /// Goes to the pending frame if it is decoded.
  private mutating func arrive() {
    guard let frame = pendingFrame, isThere(frame) else { return }
    (frameIndex, pendingFrame, end) = (frame, nil, nil)
  }

  /// Goes to a frame as soon as it is decoded; until then the present one stays.
  mutating func seek(to frameIndex: Int) {
    let last = max((frames?.frameCount ?? 1) - 1, 0)
    pendingFrame = min(max(frameIndex, 0), last)
    (hasStarted, start, end) = (true, nil, nil)
    (finishedLoops, pendingSteps) = (0, 0)
    arrive()
  }

  /// Goes forward by a number of seconds of a film, or back if it is negative, and shows the line.
  mutating func seek(by seconds: Double, at now: Instant) {
    guard let film else { return }
    seek(to: film.frameIndex(at: film.seconds(at: neededFrame) + seconds))
    progress.show(at: now)
  }

  /// Pauses or continues the playback; after the last frame, it starts over.
  mutating func toggle(at now: Instant) {
    if film != nil { progress.show(at: now) }
    let isOver = isOver
    isPlaying = !isPlaying || isOver
    hasStarted = true
    pendingSteps = 0
    (end, start) = (nil, nil)
    guard isOver else { return }
    seek(to: 0)
  }

  /// Pauses the playback and advances it by a number of frames, or goes back if it is negative.
  mutating func step(by count: Int) {
    isPlaying = false
    hasStarted = true
    (end, start) = (nil, nil)
    if count < 0 || film != nil { return seek(to: neededFrame + count) }
    pendingSteps = min(pendingSteps + count, 1000)
  }

  /// Advances to the frame that is due, once the previous one is completely drawn.
  mutating func advance(to now: Instant) {
    progress.settle(at: now)
    guard isFullyDrawn, !progress.isHeld else { return }
    if let start, start <= now { begin() }
    while pendingSteps > 0, isThere(followingIndex) {
      frameIndex = followingIndex
      pendingSteps -= 1
    }
    guard isPlaying, pendingFrame == nil, let duration = frames?.durations[frameIndex] else {
      return
    }
    var end = end ?? now.advanced(bySeconds: duration / speed.rawValue)
    while end <= now, let next = nextFrame, let duration = frames?.durations[next] {
      if next <= frameIndex { finishedLoops += 1 }
      frameIndex = next
      let isLate = now.seconds(since: end) > maxLateness
      end = (isLate ? now : end).advanced(bySeconds: duration / speed.rawValue)
    }
    self.end = end
  }

  /// The index of the next frame, regardless of loops; 0 after the last frame.
  private var followingIndex: Int {
    frameIndex + 1 < (frames?.frameCount ?? 1) ? frameIndex + 1 : 0
  }

  /// The index of the frame that playback advances to; nil after the last loop, or with only one
  /// frame.
  private var nextFrame: Int? {
    guard let frames, frames.frameCount > 1 else { return nil }
    let loops = playsOnce ? 1 : frames.loopCount
    if followingIndex == 0, let loops, finishedLoops + 1 >= loops { return nil }
    return followingIndex
  }

  private func isThere(_ frameIndex: Int) -> Bool { frames?.durations[frameIndex] != nil }

  /// The index of the frame to show; nil for the photo's own picture, until the frame is in memory.
  var shownFrame: Int? { isThere(frameIndex) ? frameIndex : nil }

  // MARK: - The bar

  /// The label of a film for the bar: "0:05 of 0:42", or "paused at 0:05 of 0:42"; nil before playback
  /// starts.
  var filmLabel: String? {
    guard let film, hasStarted else { return nil }
    let time = Information.length(film.seconds(at: neededFrame).rounded(.down))
    let position = film.isLengthKnown ? "\(time) of \(Information.length(film.length))" : time
    let parts = [
      isPlaying ? position : "paused at \(position)", speed == .normal ? nil : speed.label,
      mentionsSound ? "no sound" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: " · ")
  }

  /// Returns the label of an animated image for the bar: "12 frames", or "frame 3 of 12" while paused.
  func frameLabel(frameCount: Int) -> String {
    let shown = frames?.frameCount ?? frameCount
    if hasStarted, !isPlaying { return "frame \(frameIndex + 1) of \(shown)" }
    return shown < frameCount ? "\(shown) of \(frameCount) frames" : "\(frameCount) frames"
  }
}

/// The playback of the current photo.
extension Gallery {
  /// How long a film is selected before it plays in its tile, in seconds: decoding it takes a process.
  private static let restSeconds = 0.6

  /// The playback of a photo; nil if another photo is the current one, or nothing moves in it.
  func playback(of photo: Photo.ID) -> Playback? {
    playback.flatMap { $0.photo == photo ? $0 : nil }
  }

  /// Switches the playback to a photo; the same photo continues to play.
  ///
  /// - `isOpen`: Whether the photo is on the whole screen.
  mutating func follow(_ photo: Photo.ID?, isOpen: Bool, at now: Instant) {
    guard let photo, let motion = album.motion(of: photo) else { return playback = nil }
    if playback?.photo != photo || playback?.motion != motion {
      let waits = motion == .film && !isOpen
      // With reduced motion, the user starts the photo.
      playback = Playback(
        of: photo, motion, isPlaying: options.motion.travels && motion != .live,
        start: waits ? now.advanced(bySeconds: Self.restSeconds) : nil)
    }
    playback?.adapt(isOpen: isOpen)
    if isOpen, motion == .film, firstOpenFilm == nil { firstOpenFilm = photo }
    playback?.mentionsSound = photo == firstOpenFilm
  }
}
