import Geometry
import Photos
import SceneModel

/// The playback of an animated photo or a film: the current frame and its end.
///
/// A frame that is not decoded in time delays playback, and is then shown for its full duration. Frames
/// whose time has passed before the screen could show them are skipped.
package struct Playback: Equatable, Sendable {
  /// The animated photo, or the film.
  package let photo: Photo.ID
  /// The index of the frame on the screen.
  package private(set) var frameIndex = 0
  /// The index of the frame to go to once it is decoded; nil if playback is where it should be.
  package private(set) var pendingFrame: Int?
  /// Whether the playback advances with time.
  package private(set) var isPlaying: Bool
  /// Whether the photo has ever played or been stepped; until then, only the first frame is needed.
  package private(set) var hasStarted: Bool
  /// The frames in memory; nil until the first ones arrive.
  package private(set) var animation: Animation?
  /// The time at which the current frame ends; nil until it is displayed, and after a pause or
  /// step.
  private var end: Instant?
  /// The number of completed loops.
  private var finishedLoops = 0
  /// The number of frames to step, once they are decoded.
  private var pendingSteps = 0
  /// When playback starts automatically; nil if it has started, or if only a command starts it.
  private(set) var start: Instant?
  var speed = PlaybackSpeed.normal
  /// Whether playback ends after the last frame, whatever the file says.
  var playsOnce = false

  /// The longest delay that shortens the following frame, in seconds; a longer one means that the
  /// program was suspended or the photo was not visible.
  ///
  /// A film keeps its pace, even if a terminal draws only two of its frames a second.
  private var maxLateness: Double { animation?.film == nil ? 0.25 : 1 }

  /// Creates a playback at the first frame of a photo.
  ///
  /// - `start`: When it begins to play by itself; nil for at once.
  package init(of photo: Photo.ID, isPlaying: Bool, start: Instant? = nil) {
    self.photo = photo
    self.isPlaying = isPlaying && start == nil
    hasStarted = self.isPlaying
    if isPlaying { self.start = start }
  }

  /// The time at which the next frame is due; nil if there is none or it is not decoded.
  package var nextChange: Instant? {
    if let start { return start }
    return isPlaying && nextFrame.map(isThere) ?? false ? end : nil
  }

  /// Whether all frames were shown as often as they play.
  package var isOver: Bool { animation != nil && nextFrame == nil }

  /// The index of the frame that is needed first.
  package var neededFrame: Int { pendingFrame ?? frameIndex }

  /// Begins to play without waiting.
  mutating func begin() {
    guard start != nil else { return }
    (start, isPlaying, hasStarted) = (nil, true, true)
  }

  /// Receives the frames in memory.
  package mutating func take(_ animation: Animation, at now: Instant) {
    // If playback was waiting for this frame, the frame starts now.
    if let end, end < now, nextChange == nil { self.end = now }
    self.animation = animation
    // A film can turn out to be shorter than it says.
    if let frame = pendingFrame, frame >= animation.frameCount {
      pendingFrame = max(animation.frameCount - 1, 0)
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
    let last = max((animation?.frameCount ?? 1) - 1, 0)
    pendingFrame = min(max(frameIndex, 0), last)
    (hasStarted, start, end) = (true, nil, nil)
    (finishedLoops, pendingSteps) = (0, 0)
    arrive()
  }

  /// Goes forward by a number of seconds of a film, or back if it is negative.
  mutating func seek(by seconds: Double) {
    guard let film = animation?.film else { return }
    seek(to: film.frameIndex(at: film.seconds(at: neededFrame) + seconds))
  }

  /// Pauses or continues the playback; after the last frame, it starts over.
  package mutating func toggle() {
    let isOver = isOver
    isPlaying = !isPlaying || isOver
    hasStarted = true
    pendingSteps = 0
    (end, start) = (nil, nil)
    guard isOver else { return }
    seek(to: 0)
  }

  /// Pauses the playback and advances it by a number of frames, or goes back if it is negative.
  package mutating func step(by count: Int) {
    isPlaying = false
    hasStarted = true
    (end, start) = (nil, nil)
    if count < 0 || animation?.film != nil { return seek(to: neededFrame + count) }
    pendingSteps = min(pendingSteps + count, 1000)
  }

  /// Advances to the frame that is due.
  package mutating func advance(to now: Instant) {
    if let start, start <= now { begin() }
    while pendingSteps > 0, isThere(followingIndex) {
      frameIndex = followingIndex
      pendingSteps -= 1
    }
    guard isPlaying, pendingFrame == nil, let duration = animation?.durations[frameIndex] else {
      return
    }
    var end = end ?? now.advanced(bySeconds: duration / speed.rawValue)
    while end <= now, let next = nextFrame, let duration = animation?.durations[next] {
      if next <= frameIndex { finishedLoops += 1 }
      frameIndex = next
      let isLate = now.seconds(since: end) > maxLateness
      end = (isLate ? now : end).advanced(bySeconds: duration / speed.rawValue)
    }
    self.end = end
  }

  /// The index of the next frame, regardless of loops; 0 after the last frame.
  private var followingIndex: Int {
    frameIndex + 1 < (animation?.frameCount ?? 1) ? frameIndex + 1 : 0
  }

  /// The index of the frame that playback advances to; nil after the last loop, or with only one
  /// frame.
  private var nextFrame: Int? {
    guard let animation, animation.frameCount > 1 else { return nil }
    let loops = playsOnce ? 1 : animation.loopCount
    if followingIndex == 0, let loops, finishedLoops + 1 >= loops { return nil }
    return followingIndex
  }

  private func isThere(_ frameIndex: Int) -> Bool { animation?.durations[frameIndex] != nil }
}

/// The playback of the current animated photo, or film.
struct Animator: Equatable, Sendable {
  /// The animated photo and its frame; nil if the current photo is not animated.
  private(set) var playback: Playback?
  /// Whether the program's last frame is completely on the screen; over a slow connection it
  /// arrives in parts.
  var isFullyDrawn = true
  /// The line at the bottom of an open film.
  private(set) var progress = FilmProgress()
  /// The first film that was open, about which the bar says that films have no sound; nil before it.
  private var firstFilm: Photo.ID?

  /// How long a film is selected before it plays in its tile, in seconds: decoding it takes a process.
  private static let restSeconds = 0.6

  /// How fast the current photo plays; the next one plays at its usual speed.
  var speed: PlaybackSpeed {
    get { playback?.speed ?? .normal }
    set { playback?.speed = newValue }
  }

  /// Switches to another photo; the same photo continues to play.
  ///
  /// - `photo`: The photo, with what moves in it; nil if the current photo does not move.
  /// - `isPlaying`: Whether a new photo plays by itself.
  /// - `isOpen`: Whether the photo is on the whole screen, where a film plays at once and once.
  mutating func follow(
    _ photo: (id: Photo.ID, motion: PhotoMotion)?, isPlaying: Bool, isOpen: Bool, at now: Instant
  ) {
    if playback?.photo != photo?.id {
      progress = FilmProgress()
      playback = photo.map {
        let waits = $0.motion == .film && !isOpen
        return Playback(
          of: $0.id, isPlaying: isPlaying && $0.motion != .live,
          start: waits ? now.advanced(bySeconds: Self.restSeconds) : nil)
      }
    }
    if isOpen {
      playback?.begin()
      if photo?.motion == .film, firstFilm == nil { firstFilm = photo?.id }
    }
    playback?.playsOnce = photo?.motion == .live || isOpen && photo?.motion == .film
    // A live photo is a photo again afterward.
    if photo?.motion == .live, playback?.isOver == true, playback?.isPlaying == true {
      playback = photo.map { Playback(of: $0.id, isPlaying: false) }
    }
  }

  /// Advances to the frame that is due, once the previous one is completely drawn.
  mutating func advance(to now: Instant) {
    progress.settle(at: now)
    if isFullyDrawn, !progress.isHeld { playback?.advance(to: now) }
  }

  // MARK: - Films

  /// The timing of a film that plays or is paused; nil for another photo, or before a frame has arrived.
  func film(of photo: Photo.ID) -> FilmTiming? {
    playback.flatMap { $0.photo == photo ? $0.animation?.film : nil }
  }

  /// Whether a film plays, rather than being paused or over.
  func isPlayingFilm(_ photo: Photo.ID) -> Bool {
    film(of: photo) != nil && playback?.isPlaying == true && playback?.isOver == false
  }

  /// Goes to another frame of the film.
  mutating func seek(to frameIndex: Int) { playback?.seek(to: frameIndex) }

  /// Goes forward by a number of seconds, or back if it is negative, and shows the line.
  mutating func seek(by seconds: Double, at now: Instant) {
    playback?.seek(by: seconds)
    progress.show(at: now)
  }

  /// Whether the line of an open film is visible.
  var showsProgress: Bool {
    progress.isShown || playback.map { $0.hasStarted && (!$0.isPlaying || $0.isOver) } ?? false
  }

  mutating func holdProgress() { progress.hold() }
  mutating func releaseProgress(at now: Instant) { progress.release(at: now) }

  /// Receives decoded frames of a photo; ignores other photos than the current one.
  mutating func receive(_ animation: Animation, of photo: Photo.ID, at now: Instant) {
    if playback?.photo == photo { playback?.take(animation, at: now) }
  }

  /// Plays or pauses the photo.
  mutating func toggle(at now: Instant) {
    playback?.toggle()
    if playback?.animation?.film != nil { progress.show(at: now) }
  }

  /// Pauses the photo and advances it by a number of frames, or goes back if it is negative.
  mutating func step(by count: Int) { playback?.step(by: count) }

  /// Ends the playback.
  mutating func stop() { playback = nil }

  /// The time at which the next frame is due, or the line disappears; nil if it is unknown.
  var nextChange: Instant? {
    let frame = isFullyDrawn && !progress.isHeld ? playback?.nextChange : nil
    return [frame, playback == nil ? nil : progress.nextChange].compactMap(\.self).min()
  }

  /// Returns the number of the frame displayed of a photo for a placement: 0 for the photo's own picture,
  /// and if the photo is not the current one.
  func frameIndex(of photo: Photo.ID) -> Int {
    guard let playback, playback.photo == photo else { return 0 }
    guard let animation = playback.animation, animation.film != nil else {
      return playback.frameIndex
    }
    return animation.durations[playback.frameIndex] == nil ? 0 : playback.frameIndex + 1
  }

  /// Returns a label of a film for the bar: "0:05 of 0:42", or "paused at 0:05 of 0:42".
  ///
  /// Nil if another photo plays, and before playback starts.
  func filmLabel(of photo: Photo.ID) -> String? {
    guard let film = film(of: photo), let playback, playback.hasStarted else { return nil }
    let time = Information.length(film.seconds(at: playback.neededFrame).rounded(.down))
    let position = film.isLengthKnown ? "\(time) of \(Information.length(film.length))" : time
    let parts = [
      playback.isPlaying ? position : "paused at \(position)",
      speed == .normal ? nil : speed.label, photo == firstFilm ? "no sound" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: " · ")
  }

  /// Returns a label for the bar: "12 frames", or "frame 3 of 12" while paused.
  func frameLabel(frameCount: Int) -> String {
    let shown = playback?.animation.map(\.frameCount) ?? frameCount
    if let playback, playback.hasStarted, !playback.isPlaying {
      return "frame \(playback.frameIndex + 1) of \(shown)"
    }
    return shown < frameCount ? "\(shown) of \(frameCount) frames" : "\(frameCount) frames"
  }
}
