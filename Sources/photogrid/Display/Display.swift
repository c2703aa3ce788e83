import PhotoGridCore
import SceneRendering
import TerminalIO

/// The terminal, what is known about it, and the renderer that draws on it.
struct Display {
  /// The open terminal.
  let terminal: TerminalSession
  /// Options that override what the terminal answers.
  let configuration: Configuration
  /// What is known about the terminal so far.
  var capabilities: TerminalCapabilities
  /// Whether the terminal's answers have selected a renderer; until then it draws text cells.
  var isRendererSelected = false
  /// The protocol and the properties of the present renderer.
  var drawing: Drawing
  /// Draws scenes, and remembers what the terminal shows.
  var renderer: any SceneRenderer
  /// Bytes that remove from the terminal what earlier renderers left there.
  var cleanupBytes: [UInt8] = []
  /// Whether the screen may differ from the scene.
  var isFrameDue = true
  private let pictures: RotatedPictures
  private var clock = FrameClock(framesPerSecond: 60, origin: MonotonicClock.now)
  /// The buffers of a frame's bytes, which are used again for every frame.
  private var frame = FrameBytes()

  /// A display that draws text cells, which every terminal shows, until the terminal has answered.
  init(
    _ terminal: TerminalSession, capabilities: TerminalCapabilities, pictures: RotatedPictures,
    configuration: Configuration
  ) {
    self.terminal = terminal
    self.capabilities = capabilities
    self.pictures = pictures
    self.configuration = configuration
    let traits = TerminalTraits(capabilities, configuration: configuration)
    drawing = Drawing(pictures: .cells, traits: traits.pictureTraits(for: .cells))
    renderer = drawing.renderer
    terminal.showsBar = configuration.session.showsBar
  }

  /// The size of cells, and how finely the present renderer draws.
  var metrics: CellMetrics {
    var metrics = terminal.viewport.metrics
    metrics.grain = renderer.grain
    metrics.samplesPerPixel = renderer.samplesPerPixel(cell: metrics.cell)
    return metrics
  }

  // MARK: - Frames

  /// The time of the next frame; nil if none is due, or the terminal is still busy with the last.
  func nextFrame(after now: Instant) -> Instant? {
    isFrameDue && terminal.canSendFrame(at: now) ? clock.deadline(after: now) : nil
  }

  /// Sends the difference between the screen and a scene.
  ///
  /// - Returns: Pictures that have to be encoded as files before they can be drawn.
  mutating func draw(
    _ scene: Scene, metrics: CellMetrics, at now: Instant
  ) -> [PictureEncoding] {
    renderer.mask = terminal.panelArea
    renderer.hasRowBelow = terminal.viewport.hasBar
    renderer.byteBudget = terminal.byteBudget
    frame.removeAll()
    swap(&frame.uploads, &cleanupBytes)
    renderer.frame(
      for: scene, metrics: metrics, content: { [pictures] in pictures.content(of: $0) },
      into: &frame)
    pictures.forgetUnseen()
    // A frame without bytes is not sent, so that the terminal does not have to answer it.
    if !frame.isEmpty || terminal.needsFrame {
      terminal.present(frame.picture, uploads: frame.uploads, at: now)
    }
    clock.frameWasDrawn(at: now)
    return renderer.takeEncodings()
  }

  /// Whether a press of the mouse is on the panel, which covers photos.
  func isOnPanel(_ event: MouseEvent, cell: PixelSize) -> Bool {
    guard case .pressed = event.kind, let area = terminal.panelArea else { return false }
    let column = event.position.x / cell.width - Double(area.origin.column)
    let row = event.position.y / cell.height - Double(area.origin.row)
    return (0..<Double(area.size.columns)).contains(column)
      && (0..<Double(area.size.rows)).contains(row)
  }
}
