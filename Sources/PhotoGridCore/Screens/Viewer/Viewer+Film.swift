import Geometry
import Photos
import SceneModel

/// The line in an open film.
extension Viewer {
  /// How far a key goes in a playing film, in seconds.
  static let seekSeconds = 5.0

  /// Returns the line of the open film, laid out on the screen; nil if a photo is open, or nothing has
  /// been decoded.
  private func filmScale(in gallery: Gallery) -> FilmScale? {
    guard case .resting = phase, let film = gallery.playback(of: photo)?.film else { return nil }
    return FilmScale(film, columns: gallery.viewport.photoCells.columns)
  }

  /// Adds the line to the scene if it is visible.
  func drawProgress(into scene: inout Scene, in gallery: Gallery) {
    guard let playback = gallery.playback, playback.showsProgress,
      let scale = filmScale(in: gallery)
    else { return }
    let row = gallery.viewport.pictureCells.rows - 1
    guard row > 0 else { return }
    scene.tileCount = scene.placements.count
    let (time, played, rest) = scale.parts(at: playback.neededFrame)
    func label(_ text: String, at column: Int) -> Scene.Label {
      Scene.Label(text: text, at: column, row: row, gallery.viewport.metrics, opacity: 1)
    }
    var line = label(played, at: scale.track.lowerBound)
    line.isAccented = true
    let area = gallery.viewport.photoArea
    let height = gallery.viewport.metrics.cell.height
    // So that no text touches the picture.
    let gap = Scene.Label(
      text: "",
      frame: PixelRect(
        x: area.minX, y: Double(row - 1) * height, width: area.width, height: height),
      opacity: 1)
    scene.captions = [
      label(time, at: 0), line, label(rest, at: scale.track.lowerBound + CellText(played).width),
      gap,
    ]
  }

  /// Handles a mouse event on the line.
  ///
  /// - Returns: Whether the line has handled it.
  func pointOnProgress(_ event: MouseEvent, in gallery: inout Gallery, at now: Instant) -> Bool {
    guard let scale = filmScale(in: gallery) else {
      gallery.playback?.progress.release(at: now)
      return false
    }
    let cell = gallery.viewport.metrics.cell
    let isHeld = gallery.playback?.progress.isHeld == true
    switch event.kind {
    case .pressed(.left):
      let row = Int(event.position.y / cell.height)
      // Two rows are easier to hit than the one in which the line is drawn.
      guard row >= gallery.viewport.pictureCells.rows - 2, row > 0,
        gallery.viewport.photoArea.contains(event.position)
      else { return false }
      gallery.playback?.progress.hold()
    case .dragged(.left) where isHeld: break
    case .released(.left) where isHeld:
      gallery.playback?.progress.release(at: now)
    default: return false
    }
    gallery.playback?.seek(to: scale.frameIndex(atColumn: event.position.x / cell.width))
    return true
  }
}
