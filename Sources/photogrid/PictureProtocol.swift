import SceneRendering

/// The ways to show pictures on a terminal.
enum PictureProtocol: String, CaseIterable, Sendable {
  case kitty, sixel, iterm, cells

  /// What draws this way on a terminal with the given traits.
  func renderer(_ traits: TerminalTraits) -> any SceneRenderer {
    switch self {
    case .kitty:
      let pictures = PictureTraits(
        kittyMedium: .sharedMemory, glyphs: traits.glyphs.value, depth: traits.colors.value)
      let handover = PictureHandover()
      return KittyRenderer(pictures, firstID: .random(in: 1...0xFF_FFFF)) { bytes, medium in
        handover.give(bytes, by: medium)
      }
    case .sixel, .iterm, .cells:
      return CellRenderer(glyphs: traits.glyphs.value, depth: traits.colors.value)
    }
  }
}
