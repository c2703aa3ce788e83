/// The zoom and position of a photo in the viewer.
package struct Magnification: Equatable, Sendable {
  package var scale = Scale.fit
  /// The photo's point in the middle of the screen, in fractions of the photo; where that would
  /// leave screen uncovered that the photo could cover, the nearest point that does not.
  package var center = PixelPoint(x: 0.5, y: 0.5)

  package enum Scale: Equatable, Sendable {
    /// The whole photo, as large as the screen allows.
    case fit
    /// As wide as the screen.
    case width
    /// Large enough to cover the whole screen.
    case fill
    /// A number of terminal pixels per photo pixel, along each side.
    ///
    /// When drawing in cells, the pixels of a cell count, although it displays fewer samples: 100 %
    /// is the same size with every renderer.
    case factor(Double)
  }

  /// 100 %: one terminal pixel per photo pixel.
  package static let actualSize = Scale.factor(1)

  /// The largest factor, unless the photo needs more to fill the screen.
  package static let maxFactor = 32.0

  /// A photo and the area that displays it.
  package struct PhotoInArea: Equatable, Sendable {
    package var photo: PixelSize
    package var area: PixelRect
    /// The step to which the frame of a photo at fit is aligned.
    package var placementStep: PixelSize

    package init(photo: PixelSize, area: PixelRect, placementStep: PixelSize) {
      self.photo = photo
      self.area = area
      self.placementStep = placementStep
    }

    private var across: Double { area.width / photo.width }
    private var down: Double { area.height / photo.height }

    /// The factor at which the whole photo fits the area.
    package var fit: Double { min(across, down) }

    /// The allowed factors, greater than zero.
    ///
    /// A small photo can shrink to 100 %, below its fit.
    package var factors: ClosedRange<Double> {
      let low = max(min(fit, 1), 1e-6)
      return low...max(Magnification.maxFactor, across, down, low)
    }

    /// Returns the factor of a scale; an explicit factor is clamped to `factors`.
    package func factor(of scale: Scale) -> Double {
      switch scale {
      case .fit: fit
      case .width: across
      case .fill: max(across, down)
      case .factor(let factor): min(max(factor, factors.lowerBound), factors.upperBound)
      }
    }

    /// Whether a photo with the given frame exceeds the area by more than half a placement step.
    package func isExceeded(by frame: PixelRect) -> Bool {
      frame.width > area.width + placementStep.width / 2
        || frame.height > area.height + placementStep.height / 2
    }

    /// Returns the frame of the whole photo when `frame` displays the part that fits its shape.
    ///
    /// A frame on whole placement steps does not have exactly the photo's shape, so a little of the
    /// photo is cut off.
    package func wholeFrame(showing frame: PixelRect) -> PixelRect {
      let factor = max(frame.width / photo.width, frame.height / photo.height)
      return PixelRect(center: frame.center, size: photo.scaled(by: factor))
    }

    /// Moves a frame so that it leaves no area uncovered that it could cover; along a side where it
    /// is smaller than the area, it is centered.
    package func settled(_ frame: PixelRect) -> PixelRect {
      func origin(_ low: Double, _ side: Double, _ from: Double, _ room: Double) -> Double {
        side <= room ? from + (room - side) / 2 : min(max(low, from + room - side), from)
      }
      return PixelRect(
        x: origin(frame.minX, frame.width, area.minX, area.width),
        y: origin(frame.minY, frame.height, area.minY, area.height),
        width: frame.width, height: frame.height)
    }
  }

  package init(scale: Scale = .fit, center: PixelPoint = PixelPoint(x: 0.5, y: 0.5)) {
    self.scale = scale
    self.center = center
  }

  /// Creates the magnification at which the whole photo's frame is nearest to the given one.
  package init(scale: Scale, showing frame: PixelRect, on stage: PhotoInArea) {
    let frame = stage.settled(frame)
    self.init(
      scale: scale,
      center: PixelPoint(
        x: (stage.area.center.x - frame.minX) / max(frame.width, .ulpOfOne),
        y: (stage.area.center.y - frame.minY) / max(frame.height, .ulpOfOne)))
  }

  /// Returns this magnification, with the point that is displayed in the middle as its center.
  package func settled(on stage: PhotoInArea) -> Magnification {
    Magnification(scale: scale, showing: frame(on: stage), on: stage)
  }

  /// Returns the frame of the whole photo, in pixels of the picture area; it can be larger than the
  /// area.
  package func frame(on stage: PhotoInArea) -> PixelRect {
    let factor = stage.factor(of: scale)
    guard abs(factor - stage.fit) > stage.fit * 1e-9 else {
      return stage.area.wholePhoto(of: stage.photo, placementStep: stage.placementStep)
    }
    /// Removes the rounding error of a side that should be exactly as long as the screen's.
    func side(_ length: Double, _ room: Double) -> Double {
      abs(length * factor - room) < 1e-6 ? room : length * factor
    }
    let size = PixelSize(
      width: side(stage.photo.width, stage.area.width),
      height: side(stage.photo.height, stage.area.height))
    let middle = stage.area.center
    return stage.settled(
      PixelRect(
        origin: PixelPoint(
          x: middle.x - center.x * size.width, y: middle.y - center.y * size.height),
        size: size))
  }

  /// Whether the whole photo is as large as the screen allows, even if `scale` is not `fit`.
  package func isFit(on stage: PhotoInArea) -> Bool {
    abs(stage.factor(of: scale) - stage.fit) <= stage.fit * 1e-9
  }

  /// Returns the magnification at another scale that keeps a point of the photo at its place on the
  /// screen, as far as the edges allow.
  ///
  /// - Returns: The magnification, with its center where the edges allow it.
  package static func scaled(
    to scale: Scale, keeping point: PixelPoint, of frame: PixelRect, on stage: PhotoInArea
  ) -> Magnification {
    let size = stage.photo.scaled(by: stage.factor(of: scale))
    let across = (point.x - frame.minX) / max(frame.width, .ulpOfOne)
    let down = (point.y - frame.minY) / max(frame.height, .ulpOfOne)
    return Magnification(
      scale: scale,
      showing: PixelRect(
        origin: PixelPoint(x: point.x - across * size.width, y: point.y - down * size.height),
        size: size),
      on: stage)
  }

  /// Returns the scale after zoom steps, which stop at fit and at 100 % on the way.
  ///
  /// - Returns: The new scale; the same factor if the limit is already reached.
  package func stepped(_ steps: Int, ratio: Double, on stage: PhotoInArea) -> Scale {
    let marks = [(stage.fit, Scale.fit), (1, Self.actualSize)]
    let isGrowing = steps > 0
    var factor = stage.factor(of: scale)
    var result = scale
    for _ in 0..<min(abs(steps), 100) {
      let next = factor * (isGrowing ? ratio : 1 / ratio)
      // Snap to a mark that is almost reached, rather than leave a tiny step for later.
      let margin = ratio.squareRoot().squareRoot()
      let passed = marks.filter { mark, _ in
        isGrowing
          ? mark > factor * (1 + 1e-9) && mark < next * margin
          : mark < factor * (1 - 1e-9) && mark > next / margin
      }
      let stop = isGrowing ? passed.min { $0.0 < $1.0 } : passed.max { $0.0 < $1.0 }
      result = stop?.1 ?? .factor(next)
      factor = stage.factor(of: result)
      result = abs(factor - stage.fit) <= stage.fit * 1e-9 ? .fit : .factor(factor)
    }
    return result
  }
}

/// Zooming and panning by keys, the wheel and drags, of an open photo and of photos side by side.
extension Magnification {
  /// The factor of a zoom step with a notch of the wheel.
  private static let wheelRatio = 2.0.squareRoot().squareRoot()

  /// Returns the magnification after some notches of the wheel.
  ///
  /// - Returns: The magnification; nil if the limit is already reached.
  package func zoomed(
    byNotches notches: Int, keeping point: PixelPoint, of frame: PixelRect, on stage: PhotoInArea
  ) -> Magnification? {
    let next = stepped(notches, ratio: Self.wheelRatio, on: stage)
    return next == scale ? nil : .scaled(to: next, keeping: point, of: frame, on: stage)
  }

  /// Returns the magnification after the photo was moved, no further than its edges.
  package func panned(by translation: PixelPoint, on stage: PhotoInArea) -> Magnification {
    Magnification(
      scale: scale, showing: frame(on: stage).offset(x: translation.x, y: translation.y), on: stage)
  }
}

extension Direction {
  /// The fraction of the screen, or of a pane, that a step pans by.
  private static let panFraction = 0.2

  /// Returns the photo's movement when panning in this direction: the opposite way.
  package func panTranslation(by distance: PixelSize) -> PixelPoint {
    switch self {
    case .left: PixelPoint(x: distance.width, y: 0)
    case .right: PixelPoint(x: -distance.width, y: 0)
    case .up: PixelPoint(x: 0, y: distance.height)
    case .down: PixelPoint(x: 0, y: -distance.height)
    }
  }

  /// Returns how far a photo moves after a number of steps of a key, in pixels.
  package func panTranslation(steps: Int, in area: PixelSize) -> PixelPoint {
    let share = Self.panFraction * Double(steps)
    return panTranslation(by: PixelSize(width: area.width * share, height: area.height * share))
  }
}

extension PixelRect {
  /// Returns the direction of a movement to another frame: −1, 0 or 1 along each axis, where less
  /// than a pixel is 0.
  package func direction(to other: PixelRect) -> PixelPoint {
    func sign(_ distance: Double) -> Double { abs(distance) < 1 ? 0 : distance < 0 ? -1 : 1 }
    return PixelPoint(x: sign(other.minX - minX), y: sign(other.minY - minY))
  }
}
