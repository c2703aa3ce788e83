import Geometry
import Glibc
import PhotoLibrary
import Photos
import SceneModel
import SceneRendering
import TerminalIO

/// The terminal, its known properties, and the renderer that draws on it.
struct Display {
  let terminal: TerminalSession
  let configuration: Configuration
  /// The terminal's known properties.
  var capabilities: TerminalCapabilities
  /// Whether the terminal's responses have selected a renderer; until then cells are drawn.
  var isRendererSelected = false
  var drawing: Drawing { didSet { terminal.selection = drawing.selection } }
  /// Draws scenes, and remembers what the terminal shows.
  var renderer: any SceneRenderer
  var input = InputQueue()
  /// Whether the input waits until ratings are written.
  var holdsInput = false
  /// Escape sequences that remove the pictures of earlier renderers from the terminal.
  var cleanupBytes: [UInt8] = []
  /// Whether the screen may differ from the scene.
  var isFrameDue = true
  /// The terminal's responses in earlier sessions.
  var memory: TerminalMemory
  private let pictures: RotatedPictures
  /// The terminal around tmux as the renderer last saw it: whether tmux passes anything on, and how
  /// often the terminal has responded and changed.
  private var outer = (isOpen: true, responseCount: 0, changeCount: 0)
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
    terminal.selection = drawing.selection
    terminal.showsBar = configuration.session.showsBar
  }

  /// The size of cells, and the resolution of the current renderer.
  ///
  /// Until the terminal responds, the resolution is that of the renderer in the last session, so
  /// that no tile moves when a renderer is selected.
  var metrics: CellMetrics {
    var metrics = terminal.viewport.metrics
    if !isRendererSelected, configuration.drawing.pictures == nil,
      memory.entry?.placementUnit == .pixels
    {
      metrics.placementUnit = .pixels
      metrics.samplesPerPixel = 1
      return metrics
    }
    metrics.placementUnit = renderer.placementUnit
    metrics.samplesPerPixel = renderer.samplesPerPixel(cell: metrics.cell)
    metrics.frameBytesPerPixel = renderer.bytesPerPixel
    return metrics
  }

  // MARK: - Frames

  /// Returns the time of the next frame; nil if no frame is due, the window is hidden, or the terminal
  /// is still processing the last one.
  func nextFrame(after now: Instant) -> Instant? {
    isFrameDue && terminal.isVisible && terminal.canSendFrame(at: now)
      ? clock.deadline(after: now) : nil
  }

  /// Sends the difference between the screen and a scene.
  ///
  /// - Returns: Pictures that must be encoded as files before they can be drawn.
  mutating func draw(
    _ scene: Scene, metrics: CellMetrics, at now: Instant
  ) -> [PictureEncoding] {
    terminal.selectedLabel = scene.selectedLabel.map { metrics.cell(at: $0.frame.origin) }
    renderer.mask = terminal.panelArea
    renderer.hasRowBelow = terminal.viewport.hasBar
    renderer.byteBudget = terminal.byteBudget
    renderer.passage = Passage(
      isOpen: terminal.passesThrough, returnsResponses: terminal.receivesResponses(at: now),
      time: now)
    renderer.frame(
      for: scene, metrics: metrics,
      content: { [pictures] in
        pictures.content(of: $0, samplesPerPixel: metrics.samplesPerPixel)
      },
      into: &frame)
    // Last, so that pictures of earlier renderers stay until this frame has drawn over them.
    frame.picture += cleanupBytes
    cleanupBytes.removeAll()
    pictures.evictUnseen()
    // An empty frame is not sent, since the terminal would have to acknowledge it.
    if !frame.isEmpty || terminal.needsFrame {
      terminal.present(frame.picture, uploads: frame.uploads, at: now)
      frame.removeAll()
    }
    clock.frameWasDrawn(at: now)
    return renderer.takeEncodings()
  }

  /// Returns whether a mouse event is the press of a button on the panel.
  func isOnPanel(_ event: MouseEvent, cell: PixelSize) -> Bool {
    guard case .pressed = event.kind, let area = terminal.panelArea else { return false }
    let column = event.position.x / cell.width - Double(area.origin.column)
    let row = event.position.y / cell.height - Double(area.origin.row)
    return (0..<Double(area.size.columns)).contains(column)
      && (0..<Double(area.size.rows)).contains(row)
  }
}

/// Leaving the terminal to other programs, temporarily or at the end.
extension Display {
  mutating func suspend() {
    removePictures()
    terminal.suspend()
    renderer.invalidate()
  }

  mutating func run(_ command: ShellRun) {
    removePictures()
    command.run(in: terminal)
    renderer.invalidate()
  }

  /// Draws everything again, even if nothing has changed.
  mutating func redraw() {
    terminal.redraw()
    renderer.invalidate()
  }

  mutating func shutDown() {
    removePictures()
    recordTerminal()
    terminal.close()
  }

  /// Records the properties of the terminal that the first frame of the next session depends on.
  private mutating func recordTerminal() {
    guard isRendererSelected, configuration.keepsThumbnails,
      configuration.drawing.pictures == nil, capabilities.failure == nil,
      terminal.responses.isComplete, terminal.measurement.source != .assumption
    else { return }
    memory.record(
      TerminalMemory.Entry(placementUnit: renderer.placementUnit, cell: terminal.measurement.cell))
  }

  /// Makes the terminal session remove all pictures when it leaves the screen.
  private mutating func removePictures() {
    terminal.cleanupBytes = cleanupBytes + renderer.cleanupBytes()
    cleanupBytes = []
  }
}

/// The selection of a renderer, which is repeated for each new response of the terminal.
extension Display {
  /// A protocol with all properties of the terminal that its renderer depends on.
  struct Drawing: Equatable {
    /// How pictures reach the terminal.
    var pictures: PictureProtocol
    /// The properties of the terminal for that protocol.
    var traits: PictureTraits

    var renderer: any SceneRenderer { pictures.renderer(traits) }
    /// The colors of what is selected in panels: those of the ring around the selected tile.
    var selection: SelectionColors? { traits.appearance.selection(at: traits.depth) }
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
    let message = "\(drawing.pictures.rawValue) pictures: \(reason); drawing with characters"
    capabilities.failure = (drawing.pictures, reason)
    selectRenderer(lastCell: cell)
    return message
  }

  private mutating func selectRenderer(lastCell cell: PixelSize) {
    let traits = traits
    let pictures = traits.pictures.value
    let next = Drawing(pictures: pictures, traits: traits.pictureTraits(for: pictures))
    terminal.usesPixelMouse = traits.hasPixelMouse.value
    terminal.showsProgress = traits.showsProgress
    if terminal.machine == nil, capabilities.mayDragAndDrop,
      configuration.session.usesMouse(in: capabilities.environment)
    {
      terminal.machine = MachineID.ofThisComputer
    }
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

/// The pictures of a scene's placements, rotated as the user has rotated the photos.
///
/// The store has pictures without the user's rotations. A rotated picture is cached while it is on
/// the screen.
final class RotatedPictures {
  private let store: PhotoStore
  private var cache: [Key: Rotated] = [:]

  private struct Key: Hashable {
    var photo: Photo.ID
    var frameIndex: Int?
    var region: PhotoRegion?
    var orientation: Orientation
  }

  private struct Rotated {
    /// The picture before rotation.
    var source: Bitmap
    var picture: Mipmap
    var isSeen = true
  }

  init(_ store: PhotoStore) { self.store = store }

  /// Returns the picture for a placement; without a picture, a message or the mean color.
  ///
  /// If the store has the picture in several sizes, the size that the placement needs is returned,
  /// so that a tile looks the same before and after its photo was opened.
  func content(of placement: Placement, samplesPerPixel: Double) -> TileContent {
    guard placement.photo != .unlisted else { return .waiting(nil) }
    let content =
      placement.region.map { store.content(of: $0, of: placement.photo) }
      ?? store.content(
        of: placement.photo, frameIndex: placement.frameIndex,
        covering: placement.wholeSize(samplesPerPixel: samplesPerPixel))
    let orientation = placement.orientation
    guard orientation != .upright, case .picture(let picture) = content else { return content }

    let key = Key(
      photo: placement.photo, frameIndex: placement.frameIndex, region: placement.region,
      orientation: orientation)
    // Equal pixels share their memory, so comparing them costs nothing.
    if let known = cache[key], known.source == picture.full {
      cache[key]?.isSeen = true
      return .picture(known.picture)
    }
    var made = Mipmap(picture.full.turned(orientation))
    made.isComplete = picture.isComplete
    cache[key] = Rotated(source: picture.full, picture: made)
    return .picture(made)
  }

  /// Evicts pictures that `content(of:samplesPerPixel:)` has not returned since the last call.
  func evictUnseen() {
    guard !cache.isEmpty else { return }
    cache = cache.filter { $0.value.isSeen }
    for key in cache.keys { cache[key]?.isSeen = false }
    store.derivedByteCount = cache.values.reduce(0) { $0 + $1.picture.byteCount }
  }
}

extension Placement {
  /// Returns the size in samples of the whole photo at the placement's scale, before rotation.
  fileprivate func wholeSize(samplesPerPixel: Double) -> PixelSize {
    let size = PixelSize(
      width: frame.width / crop.width * samplesPerPixel,
      height: frame.height / crop.height * samplesPerPixel)
    return orientation.turned(size)
  }
}

extension Display: PolledService {
  var pollRequests: [pollfd] { terminal.pollRequests }

  /// Returns the time of the next frame, or an earlier deadline of the terminal; the current time
  /// while input waits to be handled.
  func nextDeadline(after now: Instant) -> Instant? {
    guard input.isEmpty || holdsInput else { return now }
    let mayRetry = !isFrameDue && terminal.passesThrough && terminal.receivesResponses(at: now)
    let retry = mayRetry ? renderer.nextRetry : nil
    let repaint = isFrameDue ? nil : renderer.nextRepaint
    return [terminal.nextDeadline, nextFrame(after: now), retry, repaint].compactMap(\.self).min()
  }

  /// Writes the rest of the last frame, adds what has arrived to `input`, and returns the signals.
  mutating func service(at now: Instant) -> [SignalEvent] {
    terminal.writeOutput(at: now)
    let signals = terminal.readSignals()
    // After a signal that stops the program, the input is for the shell.
    if signals.isEmpty { input.enqueue(terminal.readInput(at: now)) }
    checkOuterTerminal(at: now)
    return signals
  }

  /// Follows the responses of the terminal around tmux: its pictures are checked, and sent again if
  /// it is another one.
  private mutating func checkOuterTerminal(at now: Instant) {
    guard capabilities.environment.multiplexer == .tmux else { return }
    let isOpen = terminal.passesThrough
    let isRetryDue =
      isOpen && terminal.receivesResponses(at: now)
      && renderer.nextRetry.map { $0 <= now } ?? false
    let isRepaintDue = renderer.nextRepaint.map { $0 <= now } ?? false
    if isOpen != outer.isOpen || isRetryDue || isRepaintDue || !isOpen && terminal.needsFrame {
      isFrameDue = true
    }
    outer.isOpen = isOpen
    guard terminal.outerResponseCount != outer.responseCount else { return }
    let hasChanged = terminal.outerChangeCount != outer.changeCount
    outer.responseCount = terminal.outerResponseCount
    outer.changeCount = terminal.outerChangeCount
    renderer.checkPictures(all: hasChanged)
    isFrameDue = true
    // What failed may work in another terminal, or now that tmux passes it on.
    if hasChanged, capabilities.failure != nil {
      capabilities.failure = nil
      isRendererSelected = false
    }
  }
}
