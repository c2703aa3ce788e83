import SceneRendering
import TerminalIO

/// The ways to show pictures on a terminal.
enum PictureProtocol: String, CaseIterable, Sendable {
  /// The graphics protocol of kitty.
  case kitty
  /// Sixel graphics, as on DEC's VT340.
  case sixel
  case iterm
  /// Cells: glyphs in two colors.
  case cells

  func renderer(_ traits: PictureTraits) -> any SceneRenderer {
    switch self {
    case .kitty: Self.kittyRenderer(traits)
    case .sixel: SixelRenderer(traits)
    case .iterm: ITermRenderer(traits)
    case .cells:
      CellRenderer(glyphs: traits.glyphs, depth: traits.depth, appearance: traits.appearance)
    }
  }

  private static func kittyRenderer(_ traits: PictureTraits) -> any SceneRenderer {
    let objects = TransferObjects()
    // A random start avoids the IDs of other programs' images in the same terminal.
    let firstID = UInt32.random(in: 1...0xFF_FFFF)
    let handover: KittyHandover = { bytes, medium in
      switch medium {
      case .sharedMemory: objects.addSharedMemory(bytes)
      case .temporaryFile: objects.addFile(bytes)
      case .direct: nil
      }
    }
    return traits.isMultiplexed
      ? PlaceholderRenderer(traits, firstID: firstID, handover: handover)
      : KittyRenderer(traits, firstID: firstID, handover: handover)
  }
}
