import Geometry
import Photos
import SceneModel

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

  /// Returns the line for a frame in three parts: the time, the part that was played, with a knob
  /// at its end, and the rest, with the length.
  func parts(at frameIndex: Int) -> (time: String, played: String, rest: String) {
    let time = Information.length(film.seconds(at: frameIndex).rounded(.down))
    let share = Double(frameIndex) / Double(max(film.frameCount - 1, 1))
    let past = min(Int((share * Double(track.count)).rounded()), track.count - 1)
    return (
      " " + String(repeating: " ", count: max(total.count - time.count, 0)) + time + " ",
      String(repeating: "━", count: past) + "●",
      String(repeating: "─", count: track.count - 1 - past) + " \(total) "
    )
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
    let (time, played, rest) = scale.parts(at: frameIndex)
    func label(_ text: String, at column: Int) -> Scene.Label {
      Scene.Label(text: text, at: column, row: row, gallery.viewport.metrics, opacity: 1)
    }
    var line = label(played, at: scale.track.lowerBound)
    line.isAccented = true
    scene.captions = [
      label(time, at: 0), line, label(rest, at: scale.track.lowerBound + CellText(played).width),
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
      // Two rows are easier to hit than the one in which the line is drawn.
      guard row >= gallery.viewport.pictureCells.rows - 2, row > 0 else { return false }
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
