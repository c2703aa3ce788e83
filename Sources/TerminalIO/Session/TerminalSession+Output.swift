import Geometry
import SceneModel

/// Sending frames: pictures, bar and panel.
extension TerminalSession {
  /// Whether the terminal has processed the last frame, so that the next one can be sent.
  package func canSendFrame(at now: Instant) -> Bool {
    isOpen && !isDisconnected && !isTerminating && output.canSendFrame(at: now)
  }

  /// Writes as many pending bytes as the terminal accepts.
  package func writeOutput(at now: Instant) {
    guard isOpen, !isDisconnected else { return }
    output.write(at: now)
  }

  /// Sets the panel to show over the pictures; nil shows none.
  ///
  /// - Returns: The cells that the previous panel covered, if the new panel covers other cells;
  ///   else nil. They are blank from the next frame on, so pictures must be drawn there again.
  @discardableResult
  package func setPanel(_ panel: Panel?) -> CellRect? {
    guard panel != self.panel else { return nil }
    let before = panelArea
    self.panel = panel
    drawnPanel = panel?.drawn(in: viewport.pictureCells, lines: options.lines)
    needsFrame = true
    return before == panelArea ? nil : before
  }

  /// Sends a frame: the changes of the bar and the panel, then the picture.
  ///
  /// Both are in one synchronized update (mode 2026), which a fence follows (see `FrameOutput`).
  ///
  /// - Parameters:
  ///   - picture: Sequences that draw in the picture area. They start with default colors, and
  ///     must not change the scroll region or character sets; cursor and colors are restored after
  ///     them.
  ///   - uploads: Sequences that draw nothing, such as images or queries. They are sent before the
  ///     update, which terminals limit in time and size.
  ///   - now: The current time.
  /// - Returns: False if `canSendFrame(at:)` is false, so that nothing was sent.
  @discardableResult
  package func present(_ picture: [UInt8], uploads: [UInt8] = [], at now: Instant) -> Bool {
    guard canSendFrame(at: now) else { return false }
    capture?.limitSize()
    var frame: [UInt8] = []
    // Before the uploads: entering or clearing a screen may delete the images sent to it.
    if needsClear || needsEntry { frame += enterScreen() }
    if options.usesTitle, title != shownTitle {
      frame += ControlBytes.title(title)
      shownTitle = title
    }
    frame += uploads
    frame += ControlBytes.beginUpdate
    if needsFrame { frame += drawChrome() }
    if !picture.isEmpty {
      frame += ControlBytes.saveCursor
      frame += picture
      frame += ControlBytes.restoreCursor
    }
    frame += ControlBytes.endUpdate
    output.begin(frame, at: now)
    return true
  }

  /// Sends sequences that draw nothing, after the last frame.
  func send(_ bytes: [UInt8]) {
    guard isOpen, !isDisconnected, !isTerminating else { return }
    output.append(bytes, at: TerminalDevice.now())
  }

  /// The number of frames sent so far.
  package var frameCount: Int { output.frameCount }
  /// The most bytes that the next frame may have if keys are to be answered within 100 ms.
  package var byteBudget: Int { output.linkSpeed.byteBudget }

  /// Makes the next frame start with a blank screen.
  package func redraw() {
    needsClear = true
    needsFrame = true
  }

  /// Returns the bytes that enter the screen, if another program used the terminal, and clear it.
  private func enterScreen() -> [UInt8] {
    // ncurses enters the screen only if it has left it.
    if needsEntry { _ = curses.leave() }
    output.expectRedraw()
    var bytes = curses.enterAndClear()
    if needsEntry {
      bytes += ControlBytes.modesOn(mouse: options.usesMouse)
      pendingPixelMouseResponses = usesPixelMouse ? 1 : 0
      if options.usesTitle { bytes += ControlBytes.pushTitle }
      shownTitle = nil
      if usesPixelMouse { bytes += ControlBytes.pixelMouseOn }
      bytes += supportedModesOn()
      // Another program may have had the window while it was hidden or shown.
      isVisible = true
      if reportsVisibility { bytes += ControlBytes.visibilityOn + ControlBytes.visibilityQuery }
      needsEntry = false
      isEntered = true
      activeFeatures.insert(.screen)
    }
    bytes += entryQueries
    entryQueries = []
    needsClear = false
    needsFrame = true
    shownPanelArea = nil
    return bytes
  }

  /// Returns the bytes that draw what has changed in the bar and the panel.
  private func drawChrome() -> [UInt8] {
    var bytes: [UInt8] = []
    if let shownPanelArea, shownPanelArea != panelArea { bytes += curses.blank(shownPanelArea) }
    let runs = bar.runs(width: viewport.cells.columns)
    bytes += curses.draw(bar: runs, panel: drawnPanel, cursor: cursor(in: runs))
    shownPanelArea = panelArea
    needsFrame = false
    return bytes
  }

  /// Returns the cell of the text that is selected, where braille displays and screen readers look for it:
  /// in a list, in the line that is typed, under the tile, or the name in the bar.
  private func cursor(in bar: [TextRun]) -> CellPoint {
    if let panel = drawnPanel,
      let piece = panel.pieces.first(where: { $0.run.style == .selected })
    {
      let origin = panel.area.origin
      return CellPoint(column: origin.column + piece.run.column, row: origin.row + piece.row)
    }
    let caret = bar.first { $0.style == .caret }
    if caret == nil, drawnPanel == nil, let selectedLabel { return selectedLabel }
    return CellPoint(column: (caret ?? bar.first)?.column ?? 0, row: viewport.cells.rows - 1)
  }
}
