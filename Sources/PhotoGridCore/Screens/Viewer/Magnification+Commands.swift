import Geometry

extension Magnification {
  /// The factor of a zoom step with a key: two steps double the size.
  private static let keyRatio = 2.0.squareRoot()

  /// Returns the magnification after a zoom command.
  ///
  /// - Returns: The magnification; nil for a step if the photo's size is unknown.
  func zoomed(_ command: Command.Zoom, _ count: Int, on stage: PhotoInArea?) -> Magnification? {
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
}

extension Command.Zoom {
  func timing(_ motion: MotionSetting) -> Timing {
    self == .larger || self == .smaller ? motion.zoomStep : motion.tap
  }
}
