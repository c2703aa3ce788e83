import PhotoGridCore

extension Scene.Ring.Meaning {
  /// Whether the ring is drawn at a place along one of its sides, in samples or pixels.
  ///
  /// The corners of a mark and the sides of a selection leave a gap between them, so that they can
  /// be distinguished without colours.
  func shows(at place: Int, of length: Int) -> Bool {
    let fromEnd = min(place, length - 1 - place)
    let corner = max(length / 5, 1)
    return switch self {
    case .selected: true
    case .marked: fromEnd < corner
    case .selectedAndMarked: fromEnd >= corner + max(length / 24, 1)
    }
  }
}
