import PhotoGridCore
import SceneRendering
import TerminalIO

/// The selection of a renderer, which is repeated for each new response of the terminal.
extension Display {
  /// A protocol with all properties of the terminal that its renderer depends on.
  struct Drawing: Equatable {
    /// How pictures reach the terminal.
    var pictures: PictureProtocol
    /// The properties of the terminal for that protocol.
    var traits: PictureTraits

    /// Creates a renderer.
    var renderer: any SceneRenderer { pictures.renderer(traits) }
  }

  /// The choices for drawing, based on the current capabilities of the terminal.
  var traits: TerminalTraits { TerminalTraits(capabilities, configuration: configuration) }

  /// Selects the renderer again if new responses of the terminal have arrived.
  ///
  /// - Parameter cell: The size of a cell in the last frame, in pixels.
  /// - Returns: Whether the renderer was selected again, so that `metrics` may differ.
  mutating func updateCapabilities(lastCell cell: PixelSize) -> Bool {
    guard terminal.isReadyToDecide,
      !isRendererSelected || capabilities.responses != terminal.responses
        || capabilities.measurement != terminal.measurement
    else { return false }
    isRendererSelected = true
    capabilities.responses = terminal.responses
    capabilities.measurement = terminal.measurement
    selectRenderer(lastCell: cell)
    return true
  }

  /// Draws cells from now on if the renderer's protocol has failed.
  ///
  /// - Parameter cell: The size of a cell in the last frame, in pixels.
  /// - Returns: A message for the user; nil if the renderer works.
  mutating func fallBackToCells(lastCell cell: PixelSize) -> String? {
    guard let reason = renderer.failure, drawing.pictures != .cells else { return nil }
    let message = "\(drawing.pictures.rawValue) pictures: \(reason); cells instead"
    capabilities.failure = (drawing.pictures, reason)
    selectRenderer(lastCell: cell)
    return message
  }

  private mutating func selectRenderer(lastCell cell: PixelSize) {
    let traits = traits
    let pictures = traits.pictures.value
    let next = Drawing(pictures: pictures, traits: traits.pictureTraits(for: pictures))
    terminal.usesPixelMouse = traits.hasPixelMouse.value
    if next != drawing {
      change(to: next)
    } else if terminal.viewport.metrics.cell != cell, drawing.pictures != .kitty {
      // Pictures that were drawn for cells of another size must be drawn again. kitty's images are
      // only placed again.
      renderer.invalidate()
    }
  }

  /// Replaces the renderer from the next frame on, without interrupting animations.
  private mutating func change(to next: Drawing) {
    cleanupBytes += renderer.cleanupBytes()
    // The cells on the screen stay until the next renderer draws over them.
    let cells = renderer.shownCells
    drawing = next
    renderer = next.renderer
    renderer.shownCells = cells
    renderer.mask = terminal.panelArea
    isFrameDue = true
  }
}
