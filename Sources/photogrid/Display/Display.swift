import PhotoGridCore
import SceneRendering
import TerminalIO

/// The terminal, its known properties, and the renderer that draws on it.
struct Display {
  /// The open terminal.
  let terminal: TerminalSession
  /// Options that take precedence over the terminal's responses.
  let configuration: Configuration
  /// The terminal's known properties.
  var capabilities: TerminalCapabilities
  /// Whether the terminal's responses have selected a renderer; until then cells are drawn.
  var isRendererSelected = false
  /// The protocol and the properties of the current renderer.
  var drawing: Drawing
  /// Draws scenes, and remembers what the terminal shows.
  var renderer: any SceneRenderer
  /// Sequences that remove from the terminal what earlier renderers have left.
  var cleanupBytes: [UInt8] = []
  /// Whether the screen may differ from the scene.
  var isFrameDue = true
  /// The terminal's responses in earlier sessions.
  var memory: TerminalMemory
  private let pictures: RotatedPictures
  private var clock = FrameClock(framesPerSecond: 60, origin: MonotonicClock.now)
  /// The bytes of a frame, whose memory is reused for the next frame.
  private var frame = FrameBytes()

  /// Creates a display that draws cells, which every terminal shows, until the terminal responds.
  init(
    _ terminal: TerminalSession, capabilities: TerminalCapabilities, pictures: RotatedPictures,
    configuration: Configuration, memory: TerminalMemory
  ) {
    self.terminal = terminal
    self.memory = memory
    self.capabilities = capabilities
    self.pictures = pictures
    self.configuration = configuration
    let traits = TerminalTraits(capabilities, configuration: configuration)
    drawing = Drawing(pictures: .cells, traits: traits.pictureTraits(for: .cells))
    renderer = drawing.renderer
    terminal.showsBar = configuration.session.showsBar
  }

  /// The size of cells, and the resolution of the current renderer; until the terminal responds,
  /// that of the renderer it had in the last session, so that no tile moves when it is selected.
  var metrics: CellMetrics {
    var metrics = terminal.viewport.metrics
    if !isRendererSelected, configuration.drawing.pictures == nil,
      memory.entry?.grain == .pixels
    {
      metrics.grain = .pixels
      metrics.samplesPerPixel = 1
      return metrics
    }
    metrics.grain = renderer.grain
    metrics.samplesPerPixel = renderer.samplesPerPixel(cell: metrics.cell)
    return metrics
  }

  // MARK: - Frames

  /// The time of the next frame; nil if none is due, or the terminal still processes the last one.
  func nextFrame(after now: Instant) -> Instant? {
    isFrameDue && terminal.canSendFrame(at: now) ? clock.deadline(after: now) : nil
  }

  /// Sends the difference between the screen and a scene.
  ///
  /// - Parameters:
  ///   - scene: The scene to show.
  ///   - metrics: The size of cells for which it was laid out.
  ///   - now: The current time.
  /// - Returns: Pictures that have to be encoded as files before they can be drawn.
  mutating func draw(
    _ scene: Scene, metrics: CellMetrics, at now: Instant
  ) -> [PictureEncoding] {
    renderer.mask = terminal.panelArea
    renderer.hasRowBelow = terminal.viewport.hasBar
    renderer.byteBudget = terminal.byteBudget
    frame.removeAll()
    renderer.frame(
      for: scene, metrics: metrics,
      content: { [pictures] in
        pictures.content(of: $0, samplesPerPixel: metrics.samplesPerPixel)
      },
      into: &frame)
    // What an earlier renderer has left stays until this frame has drawn over it.
    frame.picture += cleanupBytes
    cleanupBytes.removeAll()
    pictures.evictUnseen()
    // A frame without bytes is not sent, so that the terminal does not have to reply.
    if !frame.isEmpty || terminal.needsFrame {
      terminal.present(frame.picture, uploads: frame.uploads, at: now)
    }
    clock.frameWasDrawn(at: now)
    return renderer.takeEncodings()
  }

  /// Whether a mouse button was pressed on the panel, which covers photos.
  func isOnPanel(_ event: MouseEvent, cell: PixelSize) -> Bool {
    guard case .pressed = event.kind, let area = terminal.panelArea else { return false }
    let column = event.position.x / cell.width - Double(area.origin.column)
    let row = event.position.y / cell.height - Double(area.origin.row)
    return (0..<Double(area.size.columns)).contains(column)
      && (0..<Double(area.size.rows)).contains(row)
  }
}
