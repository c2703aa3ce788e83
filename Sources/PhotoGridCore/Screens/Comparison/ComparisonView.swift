/// The zoom and the center that the photos of a comparison share.
struct ComparisonView: Equatable, Sendable {
  /// The zoom of all photos.
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

    /// Creates the zoom that gives a photo a scale.
    init(_ scale: Magnification.Scale, on stage: Magnification.Stage) {
      switch scale {
      case .fit: self = .fit
      case .width: self = .width
      case .fill: self = .fill
      case Magnification.actualSize: self = .actualSize
      case .factor: self = .relative(stage.factor(of: scale) / stage.fit)
      }
    }

    /// Returns the scale of a photo at this zoom.
    func scale(on stage: Magnification.Stage) -> Magnification.Scale {
      switch self {
      case .fit: .fit
      case .width: .width
      case .fill: .fill
      case .actualSize: Magnification.actualSize
      case .relative(let factor): .factor(factor * stage.fit)
      }
    }
  }

  /// Returns the magnification of a pane's photo.
  func magnification(
    of pane: ComparisonPane, on stage: Magnification.Stage
  ) -> Magnification {
    let scale = zoom.scale(on: stage)
    return Magnification(
      scale: pane.ownZoom == 1 ? scale : .factor(stage.factor(of: scale) * pane.ownZoom),
      center: center.offset(by: pane.ownOffset))
  }

  /// Changes the view so that a pane's photo gets a magnification; the others show the same part.
  mutating func follow(
    _ magnification: Magnification, of pane: ComparisonPane, on stage: Magnification.Stage
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
    _ view: ComparisonView, for magnification: Magnification, on stage: Magnification.Stage
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
