import SceneRendering

/// The ways to show pictures on a terminal.
enum PictureProtocol: String, CaseIterable, Sendable {
  case kitty, sixel, iterm, cells

  /// What draws this way on a terminal with the given traits.
  func renderer(_ traits: TerminalTraits) -> any SceneRenderer {
    switch self {
    case .kitty:
      let pictures = PictureTraits(
        kittyMedium: .sharedMemory, isMultiplexed: traits.multiplexer == "tmux",
        glyphs: traits.glyphs.value, depth: traits.colors.value)
      // Other programs in the terminal have their images too.
      let firstID = UInt32.random(in: 1...0xFF_FFFF)
      let handover = PictureHandover()
      if pictures.isMultiplexed {
        return PlaceholderRenderer(pictures, firstID: firstID, handover: handover.give)
      }
      return KittyRenderer(pictures, firstID: firstID, handover: handover.give)
    case .sixel, .iterm, .cells:
      return CellRenderer(glyphs: traits.glyphs.value, depth: traits.colors.value)
    }
  }
}
