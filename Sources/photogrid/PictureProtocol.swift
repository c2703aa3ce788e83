import SceneRendering

/// The ways to show pictures on a terminal.
enum PictureProtocol: String, CaseIterable, Sendable {
  case kitty, sixel, iterm, cells

  /// What draws this way on a terminal with the given traits.
  func renderer(_ traits: TerminalTraits) -> any SceneRenderer {
    let traits = PictureTraits(glyphs: traits.glyphs.value, depth: traits.colors.value)
    return switch self {
    case .sixel: SixelRenderer(traits)
    case .iterm: ITermRenderer(traits)
    case .kitty, .cells: CellRenderer(glyphs: traits.glyphs, depth: traits.depth)
    }
  }
}
