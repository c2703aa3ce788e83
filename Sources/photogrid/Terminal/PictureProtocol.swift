import SceneRendering
import TerminalIO

/// The ways to show pictures on a terminal.
enum PictureProtocol: String, CaseIterable, Sendable {
  case kitty, sixel, iterm, cells

  /// What draws this way on a terminal with the given traits.
  func renderer(_ traits: PictureTraits) -> any SceneRenderer {
    switch self {
    case .kitty:
      let objects = HandedObjects()
      return KittyRenderer(traits, firstID: .random(in: 1...0xFF_FFFF)) { bytes, medium in
        switch medium {
        case .sharedMemory: objects.addSharedMemory(bytes)
        case .temporaryFile: objects.addFile(bytes)
        case .direct: nil
        }
      }
    case .sixel, .iterm, .cells:
      return CellRenderer(
        glyphs: traits.glyphs, depth: traits.depth, appearance: traits.appearance)
    }
  }
}
