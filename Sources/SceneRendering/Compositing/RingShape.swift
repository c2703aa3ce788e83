import PhotoGridCore

extension Scene.Ring.Meaning {
  /// Whether the ring is drawn at a position along one of its sides, in samples or pixels.
  ///
  /// A mark has only corners, and on a selected tile that is marked only the sides between them are
  /// drawn, so that they can be distinguished without colours:
  ///
  ///     selected ┌─────┐   marked ┌─   ─┐   both   ───
  ///              │     │                        │     │
  ///              └─────┘          └─   ─┘         ───
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
