import PhotoGridCore
import SceneRendering
import TerminalIO

/// Choosing how to draw, and changing it while drawing: the terminal answers when it likes.
extension BrowseLoop {
  /// A way to draw, and all that it depends upon.
  struct Drawing: Equatable {
    var pictures: PictureProtocol
    var traits: PictureTraits

    /// What draws so, and has drawn nothing yet.
    var renderer: any SceneRenderer { pictures.renderer(traits) }
  }

  /// Judges anew if the terminal has told something new.
  mutating func reconsider(at now: Instant) {
    guard terminal.isJudgementDue,
      !isJudged || evidence.answers != terminal.answers
        || evidence.measurement != terminal.measurement
    else { return }
    isJudged = true
    evidence.answers = terminal.answers
    evidence.measurement = terminal.measurement
    judge(at: now)
  }

  /// Goes back to cells where the way that was chosen does not work after all.
  mutating func noteFailure(at now: Instant) {
    guard let words = renderer.failure, drawing.pictures != .cells else { return }
    evidence.failure = (drawing.pictures, words)
    let line = "\(drawing.pictures.rawValue) pictures: \(words); cells instead"
    complaints.append(line)
    judge(at: now)
    tell(.told(line), at: now)
  }

  /// Tells once what one setting of the terminal would improve, when it has answered all it will,
  /// and leaves the keys untold once they were used.
  mutating func giveHints(at now: Instant) {
    hints.note(isOut: browser.outing != nil, isHelpOpen: browser.helpPage != nil)
    hints.wait(from: now)
    guard isJudged, !terminal.awaitsAnswers(at: now), hints.nextLook != nil else { return }
    let traits = TerminalTraits(evidence, configuration: configuration)
    if let words = hints.takeTerminalHint(traits, evidence) { tell(.told(words), at: now) }
  }

  private mutating func judge(at now: Instant) {
    let traits = TerminalTraits(evidence, configuration: configuration)
    let pictures = traits.pictures.value
    let next = Drawing(pictures: pictures, traits: traits.pictureTraits(for: pictures))
    terminal.usesPixelMouse = traits.hasPixelMouse.value
    let isCellSizeKept = terminal.viewport.metrics.cell == browser.viewport.metrics.cell
    if next != drawing {
      change(to: next)
    } else if !isCellSizeKept {
      renderer.invalidate()
      // What was drawn over is gone; pictures of another size lie elsewhere.
      if drawing.pictures != .cells { terminal.redraw() }
    }
    if Self.metrics(of: terminal, for: renderer) != browser.viewport.metrics { resize(at: now) }
  }

  /// Draws in another way from the next frame on; what is shown, and how it moves, stays.
  private mutating func change(to next: Drawing) {
    parting += renderer.farewell()
    // Cells are drawn over cells without a moment of nothing in between.
    if drawing.pictures != .cells || next.pictures != .cells { terminal.clearPictures() }
    drawing = next
    renderer = next.renderer
    renderer.mask = terminal.panelArea
    isFrameDue = true
  }
}
