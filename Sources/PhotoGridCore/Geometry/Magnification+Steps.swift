/// Zooming and panning by keys, the wheel and drags, of an open photo and of photos side by side.
extension Magnification {
  /// The factor of a zoom step with a key: two steps double the size.
  private static let keyRatio = 2.0.squareRoot()
  /// The factor of a zoom step with a notch of the wheel.
  private static let wheelRatio = 2.0.squareRoot().squareRoot()

  /// Returns the magnification after a zoom command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - count: The number of steps of `larger` and `smaller`.
  ///   - stage: The photo and the screen; nil if the photo's size is unknown.
  /// - Returns: The magnification; nil for a step if the photo's size is unknown.
  func zoomed(_ command: Command.Zoom, _ count: Int, on stage: Stage?) -> Magnification? {
    var result = stage.map { settled(on: $0) } ?? self
    switch command {
    case .larger, .smaller:
      guard let stage else { return nil }
      let steps = command == .larger ? count : -count
      result.scale = result.stepped(steps, ratio: Self.keyRatio, on: stage)
    case .fit: result.scale = .fit
    case .actualSize: result.scale = Self.actualSize
    case .toggleActualSize: result.scale = scale == Self.actualSize ? .fit : Self.actualSize
    case .width: result.scale = scale == .width ? .fit : .width
    case .fill: result.scale = scale == .fill ? .fit : .fill
    }
    return result
  }

  /// Returns the magnification after some notches of the wheel.
  ///
  /// - Parameters:
  ///   - notches: The number of notches; negative to make the photo smaller.
  ///   - point: The point that stays in place, in pixels of the picture area.
  ///   - frame: The frame of the whole photo as it is displayed now.
  ///   - stage: The photo and the screen.
  /// - Returns: The magnification; nil if the limit is already reached.
  func zoomed(
    byNotches notches: Int, keeping point: PixelPoint, of frame: PixelRect, on stage: Stage
  ) -> Magnification? {
    let next = stepped(notches, ratio: Self.wheelRatio, on: stage)
    return next == scale ? nil : .scaled(to: next, keeping: point, of: frame, on: stage)
  }

  /// Returns the magnification after the photo was moved, no further than its edges.
  ///
  /// - Parameters:
  ///   - translation: The distance, in pixels.
  ///   - stage: The photo and the screen.
  /// - Returns: The magnification at the new place.
  func panned(by translation: PixelPoint, on stage: Stage) -> Magnification {
    Magnification(
      scale: scale, showing: frame(on: stage).offset(x: translation.x, y: translation.y), on: stage)
  }
}

extension Command.Zoom {
  /// The timing of the motion to the new scale.
  func timing(_ motion: MotionSetting) -> Timing {
    self == .larger || self == .smaller ? motion.zoomStep : motion.tap
  }
}

extension Direction {
  /// The fraction of the screen, or of a pane, that a step pans by.
  private static let panFraction = 0.2

  /// Returns how far a photo moves to show more of it in this direction, which is the opposite way.
  func panTranslation(by distance: PixelSize) -> PixelPoint {
    switch self {
    case .left: PixelPoint(x: distance.width, y: 0)
    case .right: PixelPoint(x: -distance.width, y: 0)
    case .up: PixelPoint(x: 0, y: distance.height)
    case .down: PixelPoint(x: 0, y: -distance.height)
    }
  }

  /// Returns how far a photo moves after a number of steps of a key, in pixels.
  func panTranslation(steps: Int, in area: PixelSize) -> PixelPoint {
    let share = Self.panFraction * Double(steps)
    return panTranslation(
      by: PixelSize(width: area.width * share, height: area.height * share))
  }
}

extension PixelRect {
  /// Returns the direction of a movement to another frame: −1, 0 or 1 along each axis, where less
  /// than a pixel is 0.
  func direction(to other: PixelRect) -> PixelPoint {
    func sign(_ distance: Double) -> Double { abs(distance) < 1 ? 0 : distance < 0 ? -1 : 1 }
    return PixelPoint(x: sign(other.minX - minX), y: sign(other.minY - minY))
  }
}
