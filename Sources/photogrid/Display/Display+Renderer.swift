import PhotoGridCore
import SceneRendering
import TerminalIO

/// Selecting a renderer, again whenever the terminal answers something new.
extension Display {
  /// A protocol with all properties of the terminal that its renderer depends on.
  struct Drawing: Equatable {
    /// How pictures reach the terminal.
    var pictures: PictureProtocol
    /// The properties of the terminal that matter for it.
    var traits: PictureTraits

    /// A renderer that has drawn nothing yet.
    var renderer: any SceneRenderer { pictures.renderer(traits) }
  }

  /// How the terminal is drawn on, by what is known about it.
  var traits: TerminalTraits { TerminalTraits(capabilities, configuration: configuration) }

  /// Selects the renderer again if the terminal has answered something new.
  ///
  /// - Parameter cell: The size of a cell in the last frame, in pixels.
  /// - Returns: Whether it was selected again, so that `metrics` may differ.
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

  /// Goes back to text cells if the renderer found that its protocol does not work.
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
    } else if terminal.viewport.metrics.cell != cell {
      renderer.invalidate()
      // Pictures are placed by cells: with cells of another size they are in the wrong places.
      if drawing.pictures != .cells { terminal.redraw() }
    }
  }

  /// Replaces the renderer from the next frame on; the scene and its motion continue.
  private mutating func change(to next: Drawing) {
    cleanupBytes += renderer.farewell()
    // Cells are drawn over cells without a blank screen in between.
    if drawing.pictures != .cells || next.pictures != .cells { terminal.clearPictures() }
    drawing = next
    renderer = next.renderer
    renderer.mask = terminal.panelArea
    isFrameDue = true
  }
}
