/// How a photo is looked at on the whole screen: how large, and which of its points in the middle.
package struct Magnification: Equatable, Sendable {
  package var scale = Scale.fit
  /// The photo's point in the middle of the screen, in fractions of the photo; where the photo
  /// would leave a part of the screen free for it, the nearest point that does not.
  package var center = PixelPoint(x: 0.5, y: 0.5)

  /// How large a photo is shown.
  package enum Scale: Equatable, Sendable {
    /// All of it, as large as the screen allows.
    case fit
    /// As wide as the screen.
    case width
    /// No part of the screen stays free.
    case fill
    /// So many pixels of the terminal for a pixel of the photo.
    ///
    /// Drawn by cells a pixel of the terminal is one as its cell size counts them, though a cell
    /// shows fewer samples: so 100 % is the same size whatever draws it.
    case factor(Double)
  }

  /// One pixel of the photo on one of the terminal: 100 %.
  package static let actualSize = Scale.factor(1)

  /// How large a photo can be shown at the most, except where it needs more to fill the screen.
  package static let largestFactor = 32.0

  /// A photo, and the screen that it is shown on.
  package struct Stage: Equatable, Sendable {
    /// The photo's size in pixels, not empty.
    package var photo: PixelSize
    /// The picture area.
    package var area: PixelRect
    /// The step to which a photo that fits the screen snaps.
    package var quantum: PixelSize

    /// A photo on a screen.
    package init(photo: PixelSize, area: PixelRect, quantum: PixelSize) {
      self.photo = photo
      self.area = area
      self.quantum = quantum
    }

    private var across: Double { area.width / photo.width }
    private var down: Double { area.height / photo.height }

    /// The factor at which the photo fits.
    package var fit: Double { min(across, down) }

    /// The factors that there are, not below a hair.
    ///
    /// A small photo goes down to 100 %, below its fit.
    package var factors: ClosedRange<Double> {
      let low = max(min(fit, 1), 1e-6)
      return low...max(Magnification.largestFactor, across, down, low)
    }

    /// The factor of a scale.
    package func factor(of scale: Scale) -> Double {
      switch scale {
      case .fit: fit
      case .width: across
      case .fill: max(across, down)
      case .factor(let factor): min(max(factor, factors.lowerBound), factors.upperBound)
      }
    }

    /// Whether some part of the photo in a frame is out of sight for lack of room.
    package func isExceeded(by frame: PixelRect) -> Bool {
      frame.width > area.width + quantum.width / 2
        || frame.height > area.height + quantum.height / 2
    }

    /// The frame of the whole photo of which a frame shows what fits its shape.
    ///
    /// Frames on whole quanta have not quite the photo's shape, and then a little of it is cut off.
    package func wholeFrame(showing frame: PixelRect) -> PixelRect {
      let factor = max(frame.width / photo.width, frame.height / photo.height)
      return PixelRect(center: frame.center, size: photo.scaled(by: factor))
    }

    /// A frame moved so that it leaves no part of the screen free that it could cover, and is in
    /// the middle where it cannot.
    package func settled(_ frame: PixelRect) -> PixelRect {
      func place(_ low: Double, _ side: Double, _ from: Double, _ room: Double) -> Double {
        side <= room ? from + (room - side) / 2 : min(max(low, from + room - side), from)
      }
      return PixelRect(
        x: place(frame.minX, frame.width, area.minX, area.width),
        y: place(frame.minY, frame.height, area.minY, area.height),
        width: frame.width, height: frame.height)
    }
  }

  /// A way to look at the whole photo.
  package init(scale: Scale = .fit, center: PixelPoint = PixelPoint(x: 0.5, y: 0.5)) {
    self.scale = scale
    self.center = center
  }

  /// How a photo is looked at whose whole frame is about there.
  package init(scale: Scale, showing frame: PixelRect, on stage: Stage) {
    let frame = stage.settled(frame)
    self.init(
      scale: scale,
      center: PixelPoint(
        x: (stage.area.center.x - frame.minX) / max(frame.width, .ulpOfOne),
        y: (stage.area.center.y - frame.minY) / max(frame.height, .ulpOfOne)))
  }

  /// The same with the middle that it has indeed.
  package func settled(on stage: Stage) -> Magnification {
    Magnification(scale: scale, showing: frame(on: stage), on: stage)
  }

  /// The frame of the whole photo, in pixels of the picture area; it may be larger than that.
  package func frame(on stage: Stage) -> PixelRect {
    let factor = stage.factor(of: scale)
    guard abs(factor - stage.fit) > stage.fit * 1e-9 else {
      return stage.area.wholePhoto(of: stage.photo, quantum: stage.quantum)
    }
    /// Without the rounding errors of a side that is to be exactly as long as the screen's.
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

  /// Whether the whole photo is as large as the screen allows, by whatever name.
  package func isFit(on stage: Stage) -> Bool {
    abs(stage.factor(of: scale) - stage.fit) <= stage.fit * 1e-9
  }

  /// Another scale at which a point of the screen shows what it shows now, if the edges allow it.
  ///
  /// - Parameters:
  ///   - scale: The scale to go to.
  ///   - point: In pixels of the picture area.
  ///   - frame: The frame of the whole photo as it is seen now.
  ///   - stage: The photo and the screen.
  /// - Returns: The way to look at it, its centre where the edges allow it.
  package static func scaled(
    to scale: Scale, keeping point: PixelPoint, of frame: PixelRect, on stage: Stage
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

  /// The scale some steps larger or smaller; fit and 100 % are not passed by but stopped at.
  ///
  /// - Parameters:
  ///   - steps: Negative to make smaller.
  ///   - ratio: How many times as large a step makes.
  ///   - stage: The photo and the screen.
  /// - Returns: The scale, which is the same where there is no further one.
  package func stepped(_ steps: Int, ratio: Double, on stage: Stage) -> Scale {
    let marks = [(stage.fit, Scale.fit), (1, Self.actualSize)]
    let isGrowing = steps > 0
    var factor = stage.factor(of: scale)
    var result = scale
    for _ in 0..<min(abs(steps), 100) {
      let next = factor * (isGrowing ? ratio : 1 / ratio)
      // A mark that is nearly reached is reached, rather than in a tiny step of its own.
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
