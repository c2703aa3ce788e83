import Geometry
import Photos
import SceneModel

/// A photo of a comparison, with its place on the screen.
///
/// The photo is visible where two frames overlap: a window, which moves between the tile and the
/// pane, and the frame of the whole photo behind it. So the photo is cropped in its tile, whole in
/// its pane, and never outside of the pane when it is magnified.
package struct ComparisonPane: Equatable, Sendable {
  package var photo: Photo.ID
  package var frame: PixelRect
  /// The window in which the photo is visible, with its opacity, in pixels of the picture area.
  var window: Animated<Pose>
  /// The frame of the whole photo, in pixels of the picture area.
  var whole: Animated<Pose>
  /// The magnification relative to the shared one; 1 if it is the same.
  var ownZoom = 1.0
  /// The distance of the center of the visible part from the shared center, in fractions of the
  /// photo.
  var ownOffset = PixelPoint.zero
  /// The direction in which the photo last moved; see `Viewer.panDirection`.
  var panDirection = PixelPoint.zero

  init(photo: Photo.ID, frame: PixelRect, window: Pose, whole: PixelRect) {
    self.photo = photo
    self.frame = frame
    self.window = Animated(window)
    self.whole = Animated(Pose(frame: whole, backdrop: 0))
  }

  /// Returns the photo with the pane as the area that displays it; nil until its size is known, and on
  /// screens too small for a pane, where a zoom relative to fit would be a division by zero.
  func stage(_ size: PixelSize?, placementStep: PixelSize) -> Magnification.PhotoInArea? {
    guard let size, !size.isEmpty, !frame.size.isEmpty else { return nil }
    return Magnification.PhotoInArea(photo: size, area: frame, placementStep: placementStep)
  }

  /// Whether the photo moves or fades.
  func isAnimating(at now: Instant) -> Bool { !window.isOver(at: now) || !whole.isOver(at: now) }

  /// Ends motions that are no longer visible.
  mutating func settle(tolerance: PixelSize, at now: Instant) {
    if window.value(at: now).isClose(to: window.target, tolerance: tolerance) {
      window.jump(to: window.target)
    }
    if whole.value(at: now).isClose(to: whole.target, tolerance: tolerance) {
      whole.jump(to: whole.target)
    }
  }

  /// Moves the window and the whole photo to new frames.
  mutating func move(window: Pose, whole: PixelRect, _ timing: Timing?, at now: Instant) {
    let whole = Pose(frame: whole, backdrop: 0)
    guard let timing else {
      self.window.jump(to: window)
      return self.whole.jump(to: whole)
    }
    self.window.retarget(to: window, timing, at: now)
    self.whole.retarget(to: whole, timing, at: now)
  }

  mutating func resetView() { (ownZoom, ownOffset, panDirection) = (1, .zero, .zero) }
}

extension PixelRect {
  /// Returns the frame of a whole photo that fills this rectangle and is centered in it; the
  /// rectangle itself if the photo's size is unknown.
  func wholeFrame(filledBy photo: PixelSize?) -> PixelRect {
    guard let photo, !photo.isEmpty else { return self }
    return PixelRect(
      center: center,
      size: photo.scaled(by: max(width / photo.width, height / photo.height)))
  }
}

extension Placement {
  /// Returns the part of the placement that is visible in a window; nil if no part is.
  func masked(by window: PixelRect) -> Placement? {
    guard let part = frame.intersection(window) else { return nil }
    var result = self
    result.crop = part.crop(showing: crop, in: frame)
    result.frame = part
    return result
  }
}

/// The division of the screen among the photos of a comparison.
struct ComparisonLayout: Equatable, Sendable {
  let frames: [PixelRect]

  /// Divides the screen into the number of rows with which the smallest photo is largest.
  init(_ sizes: [PixelSize?], in viewport: Viewport) {
    guard sizes.count > 1 else {
      // A single photo has the same area as in the viewer.
      frames = sizes.map { _ in viewport.photoArea }
      return
    }
    let divisions = (1...sizes.count).map { rows in
      Self.frames(sizes.count, rows: rows, in: viewport)
    }
    func smallest(_ frames: [PixelRect]) -> Double {
      zip(sizes, frames).map { size, frame in
        let photo = (size ?? PixelSize(width: 3, height: 2)).fitted(in: frame.size)
        return photo.width * photo.height
      }.min() ?? 0
    }
    var best = divisions[0]
    for frames in divisions.dropFirst() where smallest(frames) > smallest(best) * 1.001 {
      best = frames
    }
    frames = best
  }

  /// Divides the screen by the bento layout, into rows that differ by at most one photo.
  private static func frames(_ count: Int, rows: Int, in viewport: Viewport) -> [PixelRect] {
    let pattern = Split(
      (0..<rows).map { row in
        let length = count * (row + 1) / rows - count * row / rows
        return Split(Array(repeating: .leaf, count: length))
      })
    let layout = BentoLayout(
      snapping: count, width: viewport.photoArea.width, pageHeight: viewport.photoArea.height,
      pattern: pattern, metrics: viewport.metrics)
    return (0..<count).map(layout.tiles.frame(at:))
  }
}

/// The zoom and the center that the photos of a comparison share.
struct ComparisonView: Equatable, Sendable {
  var zoom = Zoom.fit
  /// The center of the visible parts, in fractions of each photo.
  var center = PixelPoint(x: 0.5, y: 0.5)

  /// A zoom that has the same meaning for photos of different sizes.
  enum Zoom: Equatable, Sendable {
    /// A zoom that shows the whole photo, fills the pane's width, fills the pane, or shows each
    /// pixel of the photo in a pixel of the terminal.
    case fit, width, fill, actualSize
    /// A zoom by a factor relative to fit.
    case relative(Double)

    init(_ scale: Magnification.Scale, on stage: Magnification.PhotoInArea) {
      switch scale {
      case .fit: self = .fit
      case .width: self = .width
      case .fill: self = .fill
      case Magnification.actualSize: self = .actualSize
      case .factor: self = .relative(stage.factor(of: scale) / stage.fit)
      }
    }

    func scale(on stage: Magnification.PhotoInArea) -> Magnification.Scale {
      switch self {
      case .fit: .fit
      case .width: .width
      case .fill: .fill
      case .actualSize: Magnification.actualSize
      case .relative(let factor): .factor(factor * stage.fit)
      }
    }
  }

  func magnification(
    of pane: ComparisonPane, on stage: Magnification.PhotoInArea
  ) -> Magnification {
    let scale = zoom.scale(on: stage)
    return Magnification(
      scale: pane.ownZoom == 1 ? scale : .factor(stage.factor(of: scale) * pane.ownZoom),
      center: center.offset(by: pane.ownOffset))
  }

  /// Changes the view so that a pane's photo gets a magnification; the others show the same part.
  mutating func follow(
    _ magnification: Magnification, of pane: ComparisonPane, on stage: Magnification.PhotoInArea
  ) {
    zoom =
      pane.ownZoom == 1
      ? Zoom(magnification.scale, on: stage)
      : .relative(stage.factor(of: magnification.scale) / pane.ownZoom / stage.fit)
    center = magnification.center.offset(by: pane.ownOffset, times: -1)
  }
}

extension ComparisonPane {
  /// Gives this photo alone a magnification, relative to the shared view.
  mutating func leave(
    _ view: ComparisonView, for magnification: Magnification, on stage: Magnification.PhotoInArea
  ) {
    let scale = view.zoom.scale(on: stage)
    ownZoom =
      magnification.scale == scale
      ? 1 : stage.factor(of: magnification.scale) / stage.factor(of: scale)
    ownOffset = magnification.center.offset(by: view.center, times: -1)
  }
}

extension PixelPoint {
  /// Returns this point moved by another point times a factor.
  func offset(by other: PixelPoint, times factor: Double = 1) -> PixelPoint {
    PixelPoint(x: x + other.x * factor, y: y + other.y * factor)
  }
}
