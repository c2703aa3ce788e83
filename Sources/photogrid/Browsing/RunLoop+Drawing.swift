import PhotoGridCore
import PhotoLibrary
import TerminalIO

/// Drawing frames, and following the renderer.
extension RunLoop {
  /// Draws the frame that is due, if the terminal and the frame clock allow it.
  mutating func draw(at now: Instant) {
    guard let time = display.nextFrame(after: now), time <= now else { return }
    handle(.tick, at: now)
    let store = services.store
    if browser.slideshow != nil {
      // A photo that appears now waits for the next one, which may be ready already.
      services.setPictureDemands(of: browser, at: now)
      sendPreparedPictures(at: now)
    }
    store.play(browser.reelDemand, at: now)
    drawChrome(at: now)
    let index = library.index
    let scene = browser.scene(
      at: now, name: { PhotoName.printable(index[$0]) }, closeUp: { store.closeUp(of: $0) })
    let encodings = display.draw(scene, metrics: browser.viewport.metrics, at: now)
    services.pictureFiles.add(encodings, at: now)
    handle(.drawn(isWhole: !display.renderer.isUnfinished), at: now)
    display.isFrameDue = browser.isAnimating(at: now) || display.renderer.isUnfinished
    fallBackToCells(at: now)
  }

  /// Sets the bar, the title and the panel.
  private func drawChrome(at now: Instant) {
    let terminal = display.terminal
    terminal.showsBar = browser.statusBar.isVisible
    var facts = chrome.facts(for: browser, of: library, in: services.store)
    facts.hint = hints.tellsKeys ? browser.keyHint(usesMouse: configuration.session.usesMouse) : nil
    terminal.bar = browser.bar(facts, at: now)
    terminal.title = browser.title(facts)
    terminal.setPanel(browser.panel ?? chrome.inspector.panel(for: browser))
  }

  /// Draws text cells from now on if the renderer found that its protocol does not work.
  mutating func fallBackToCells(at now: Instant) {
    let cell = browser.viewport.metrics.cell
    guard let message = display.fallBackToCells(lastCell: cell) else { return }
    messages.append(message)
    adaptToRenderer(at: now)
    send(.told(message), at: now)
  }

  /// Lays out again if the renderer draws more or less finely than the one before.
  mutating func adaptToRenderer(at now: Instant) {
    if display.metrics != browser.viewport.metrics { resize(at: now) }
  }

  /// Shows a hint about the terminal when it has answered all that it will, and the hint about keys
  /// until they were used.
  mutating func giveHints(at now: Instant) {
    hints.note(isOut: browser.viewer != nil, isHelpOpen: browser.helpPage != nil)
    hints.wait(from: now)
    guard display.isRendererSelected, !display.terminal.awaitsAnswers(at: now),
      hints.nextLook != nil
    else { return }
    if let hint = hints.takeTerminalHint(display.traits, display.capabilities) {
      send(.told(hint), at: now)
    }
  }
}
