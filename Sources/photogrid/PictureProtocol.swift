import SceneRendering

/// The ways to show pictures on a terminal.
enum PictureProtocol: String, CaseIterable, Sendable {
  case kitty, sixel, iterm, cells

  /// What draws this way on a terminal with the given traits.
  func renderer(_ traits: TerminalTraits) -> any SceneRenderer {
    switch self {
    case .sixel:
      SixelRenderer(
        PictureTraits(glyphs: traits.glyphs.value, depth: traits.colors.value))
    case .kitty, .iterm, .cells:
      CellRenderer(glyphs: traits.glyphs.value, depth: traits.colors.value)
    }
  }
}
