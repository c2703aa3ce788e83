import CTerminalRestore
import PhotoGridCore

/// Writing frames: pictures, bar and panel.
extension TerminalSession {
  /// Whether the terminal has processed the last frame, so that the next one can be sent.
  package func canTakeFrame(at now: Instant) -> Bool {
    isOpen && !isGone && !isResigned && output.canTakeFrame(at: now)
  }

  /// Writes as many pending bytes as the terminal takes.
  package func writeOutput(at now: Instant) {
    guard isOpen, !isGone else { return }
    output.write(at: now)
  }

  /// Sets the panel that is shown over the pictures; nil is none.
  ///
  /// - Returns: The cells of the previous panel, if it was elsewhere. They are blank from the next
  ///   frame on, so pictures have to be drawn there again.
  @discardableResult
  package func setPanel(_ panel: Panel?) -> CellRect? {
    guard panel != self.panel else { return nil }
    let before = panelArea
    self.panel = panel
    drawnPanel = panel?.drawn(in: viewport.pictureCells)
    needsFrame = true
    return before == panelArea ? nil : before
  }

  /// Sends a frame: the changes of bar and panel, then the picture.
  ///
  /// All of it is one synchronized update (mode 2026), followed by a fence.
  ///
  /// - Parameters:
  ///   - picture: Sequences that draw in the picture area. They start with default colours, and must
  ///     not change the scroll region or character sets; cursor and colours are restored after them.
  ///   - uploads: Sequences that draw nothing, such as images or questions. They are sent before the
  ///     update, which terminals limit in time and size.
  ///   - now: The current time.
  /// - Returns: False if `canTakeFrame(at:)` does not allow a frame.
  @discardableResult
  package func present(_ picture: [UInt8], uploads: [UInt8] = [], at now: Instant) -> Bool {
    guard canTakeFrame(at: now) else { return false }
    capture?.limitSize()
    var frame: [UInt8] = []
    // Before the uploads: entering or clearing a screen may delete the images sent to it.
    if needsGround || needsEntry { frame += openScreen() }
    if options.usesTitle, title != shownTitle {
      frame += ControlBytes.title(title)
      shownTitle = title
    }
    frame += uploads
    frame += ControlBytes.beginUpdate
    if needsBlankPictures {
      frame += ControlBytes.erase(viewport.pictureCells, except: shownArea)
      needsBlankPictures = false
    }
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

  /// Makes the next frame start with a blank picture area, for a renderer that starts over.
  package func clearPictures() { needsBlankPictures = true }

  /// Sends sequences that draw nothing, after the last frame.
  func send(_ bytes: [UInt8]) {
    guard isOpen, !isGone, !isResigned else { return }
    output.append(bytes, at: TerminalDevice.now())
  }

  /// The number of bytes written so far.
  package var writtenByteCount: Int { output.writtenByteCount }
  /// The number of frames sent so far.
  package var frameCount: Int { output.frameCount }
  /// The most bytes of the next frame with which keys are still answered at once.
  package var byteBudget: Int { output.pace.byteBudget }
  /// The time in seconds from the last byte of a frame to the terminal's answer; nil without one.
  package var roundTrip: Double? { output.roundTrip }

  /// Makes the next frame start with a blank screen.
  package func redraw() {
    needsGround = true
    needsFrame = true
  }

  private func openScreen() -> [UInt8] {
    // ncurses enters the screen only if it has left it.
    if needsEntry { _ = curses.leave() }
    var bytes = curses.ground()
    if needsEntry {
      bytes += ControlBytes.modesOn(mouse: options.usesMouse)
      missingPixelAnswers = usesPixelMouse ? 1 : 0
      if options.usesTitle { bytes += ControlBytes.pushTitle }
      shownTitle = nil
      if usesPixelMouse { bytes += ControlBytes.pixelMouseOn }
      if inquiry.answers.knowsMode(.colorScheme) == true { bytes += ControlBytes.colorSchemeOn }
      needsEntry = false
      isEntered = true
      terminal_restore_set_screen_taken(1)
    }
    needsGround = false
    needsBlankPictures = false
    needsFrame = true
    shownArea = nil
    return bytes
  }

  private func drawChrome() -> [UInt8] {
    var bytes: [UInt8] = []
    if let shownArea, shownArea != panelArea { bytes += curses.release(shownArea) }
    bytes += curses.draw(bar: bar.runs(width: viewport.cells.columns), panel: drawnPanel)
    shownArea = panelArea
    needsFrame = false
    return bytes
  }
}
