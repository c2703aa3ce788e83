/// The line at the bottom of an open film that shows where it is, and on which the pointer goes to
/// another place.
///
/// It is visible while the film is paused, and for a moment after a key or the pointer has gone to
/// another place.
struct FilmProgress: Equatable, Sendable {
  /// The time at which the line disappears; nil while it is hidden or held.
  private var end: Instant?
  /// Whether the pointer holds the line.
  private(set) var isHeld = false

  /// How long the line stays, in seconds.
  private static let stay = 2.0

  /// Whether the line is visible while the film plays.
  var isShown: Bool { end != nil || isHeld }

  /// The time at which the line disappears unless something happens; nil while it is hidden or held.
  var nextChange: Instant? { end }

  mutating func show(at now: Instant) {
    if !isHeld { end = now.advanced(bySeconds: Self.stay) }
  }

  mutating func hold() { (isHeld, end) = (true, nil) }

  mutating func release(at now: Instant) {
    guard isHeld else { return }
    isHeld = false
    show(at: now)
  }

  /// Hides the line if that is due.
  mutating func settle(at now: Instant) {
    if let end, end <= now { self.end = nil }
  }
}

/// The text of the line, and the places on it.
struct FilmScale: Equatable, Sendable {
  let film: FilmTiming
  /// The columns of the part that stands for the whole film.
  let track: Range<Int>
  private let total: String

  /// The fewest columns of the track.
  private static let minTrack = 8

  /// Lays the line out in a row of some columns; nil if it does not fit, or the film does not say how
  /// long it is.
  init?(_ film: FilmTiming, columns: Int) {
    guard film.isLengthKnown else { return nil }
    self.film = film
    total = Information.length(film.length)
    let margin = total.count + 2
    track = margin..<max(columns - margin, margin)
    guard track.count >= Self.minTrack else { return nil }
  }

  /// Returns the line for a frame: the time, the track, and the length.
  func text(at frameIndex: Int) -> String {
    let time = Information.length(film.seconds(at: frameIndex).rounded(.down))
    let share = Double(frameIndex) / Double(max(film.frameCount - 1, 1))
    let past = min(Int((share * Double(track.count)).rounded()), track.count)
    return " " + String(repeating: " ", count: max(total.count - time.count, 0)) + time + " "
      + String(repeating: "━", count: past) + String(repeating: "─", count: track.count - past)
      + " \(total) "
  }

  /// Returns the frame at a distance from the left in columns.
  func frameIndex(atColumn column: Double) -> Int {
    let share = (column - Double(track.lowerBound)) / Double(track.count)
    return min(max(Int(share * Double(film.frameCount)), 0), film.frameCount - 1)
  }
}

/// The line in an open film.
extension Viewer {
  /// How far a key goes in a playing film, in seconds.
  static let seekSeconds = 5.0

  /// Returns the line of the open film, laid out on the screen; nil if a photo is open, or nothing has
  /// been decoded.
  private func filmScale(in gallery: Gallery) -> FilmScale? {
    guard case .resting = phase, let film = gallery.animator.film(of: photo) else { return nil }
    return FilmScale(film, columns: gallery.viewport.pictureCells.columns)
  }

  /// Adds the line to the scene if it is visible.
  func drawProgress(into scene: inout Scene, in gallery: Gallery) {
    guard gallery.animator.showsProgress, let scale = filmScale(in: gallery),
      let frameIndex = gallery.animator.playback?.neededFrame
    else { return }
    let row = gallery.viewport.pictureCells.rows - 1
    guard row > 0 else { return }
    scene.tileCount = scene.placements.count
    scene.captions = [
      Scene.Label(
        text: scale.text(at: frameIndex), at: 0, row: row, gallery.viewport.metrics, opacity: 1)
    ]
  }

  /// Handles a mouse event on the line.
  ///
  /// - Returns: Whether the line has handled it.
  func pointOnProgress(_ event: MouseEvent, in gallery: inout Gallery, at now: Instant) -> Bool {
    guard let scale = filmScale(in: gallery) else {
      gallery.animator.releaseProgress(at: now)
      return false
    }
    let cell = gallery.viewport.metrics.cell
    switch event.kind {
    case .pressed(.left):
      let row = Int(event.position.y / cell.height)
      guard row == gallery.viewport.pictureCells.rows - 1, row > 0 else { return false }
      gallery.animator.holdProgress()
    case .dragged(.left) where gallery.animator.progress.isHeld: break
    case .released(.left) where gallery.animator.progress.isHeld:
      gallery.animator.releaseProgress(at: now)
    default: return false
    }
    gallery.animator.seek(to: scale.frameIndex(atColumn: event.position.x / cell.width))
    return true
  }
}

/// How a film is played: as frames at a constant rate, each with an index from 0, whatever the times
/// of the frames in its file are.
///
/// An index therefore stands for a time, so that the program can jump to any of them.
package struct FilmTiming: Equatable, Sendable {
  /// The frames per second that are shown.
  package let rate: Double
  /// The number of frames; more than can be decoded if the container does not say how long it is.
  package private(set) var frameCount: Int
  /// Whether the length is known.
  package private(set) var isLengthKnown: Bool

  /// The highest rate that is shown; films with more are shown at a half or a quarter of theirs.
  private static let maxRate = 31.0
  /// The rate where the container says none.
  private static let usualRate = 30.0
  /// The length where the container says none, in seconds.
  private static let unknownLength = 6 * 3600.0
  /// The most frames.
  private static let maxFrameCount = 1 << 30

  /// The timing of a film with a length in seconds and a number of frames per second, each nil if
  /// its container does not say.
  package init(length: Double?, frameRate: Double?) {
    var rate = frameRate ?? Self.usualRate
    while rate > Self.maxRate { rate /= 2 }
    self.rate = max(rate, 0.1)
    let count = (length ?? Self.unknownLength) * self.rate
    // A length is rounded to the units of its container.
    frameCount = max(Int(min(count - 0.01, Double(Self.maxFrameCount)).rounded(.up)), 1)
    isLengthKnown = length != nil
  }

  /// The timing of the film that some facts are about; nil if they are a photo's.
  package init?(_ info: PhotoInfo) {
    guard info.format == .film else { return nil }
    self.init(length: info.length, frameRate: info.frameRate)
  }

  /// Ends the film before a frame that cannot be decoded.
  package mutating func end(at frameIndex: Int) {
    guard frameIndex < frameCount else { return }
    frameCount = max(frameIndex, 1)
    isLengthKnown = true
  }

  /// The length of the frames, in seconds.
  package var length: Double { Double(frameCount) / rate }

  /// Returns the time at which a frame begins, in seconds.
  package func seconds(at frameIndex: Int) -> Double { Double(frameIndex) / rate }

  /// Returns the index of the frame at a time in seconds, the first or last one for times outside.
  package func frameIndex(at seconds: Double) -> Int {
    min(max(Int((seconds * rate + 1e-6).rounded(.down)), 0), frameCount - 1)
  }
}
