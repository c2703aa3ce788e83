import SceneRendering

/// The ways to show pictures on a terminal.
enum PictureProtocol: String, CaseIterable, Sendable {
  case kitty, sixel, iterm, cells

  /// What draws this way on a terminal with the given traits.
  func renderer(_ traits: PictureTraits) -> any SceneRenderer {
    switch self {
    case .kitty, .sixel, .iterm, .cells:
      CellRenderer(glyphs: traits.glyphs, depth: traits.depth, appearance: traits.appearance)
    }
  }
}
