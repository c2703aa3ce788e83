import PhotoGridCore
import PhotoLibrary
import TerminalIO

/// Drawing frames, and falling back to cells if a protocol fails.
extension RunLoop {
  /// Draws the frame that is due, if the terminal and the frame clock allow it.
  mutating func draw(at now: Instant) {
    guard let time = display.nextFrame(after: now), time <= now else { return }
    handle(.tick, at: now)
    let store = services.store
    if browser.slideshow != nil {
      // When a slide has appeared, the slideshow needs the next one, which may be decoded already.
      services.setPictureDemands(of: browser, at: now)
      sendPreparedPictures(at: now)
    }
    store.play(browser.animationDemand, at: now)
    drawChrome(at: now)
    let index = library.index
    let scene = browser.scene(
      at: now, name: { PhotoName.printable(index[$0]) }, closeUp: { store.closeUp(of: $0) })
    let encodings = display.draw(scene, metrics: browser.viewport.metrics, at: now)
    services.side.add(encodings, at: now)
    handle(.drawn(isWhole: !display.renderer.isUnfinished), at: now)
    display.isFrameDue = browser.isAnimating(at: now) || display.renderer.isUnfinished
    fallBackToCells(at: now)
  }

  /// Sets the bar, the title and the panel.
  private func drawChrome(at now: Instant) {
    let terminal = display.terminal
    terminal.showsBar = browser.statusBar.isVisible
    var facts = chrome.facts(for: browser, of: library, in: services.store)
    facts.hint = hints.showsKeys ? browser.keyHint : nil
    terminal.bar = browser.bar(facts, at: now)
    terminal.title = browser.title(facts)
    terminal.setPanel(
      browser.keyHints(at: now) ?? browser.panel ?? chrome.inspector.panel(for: browser))
  }

  /// Draws cells from now on if the renderer's protocol has failed.
  mutating func fallBackToCells(at now: Instant) {
    let cell = browser.viewport.metrics.cell
    guard let message = display.fallBackToCells(lastCell: cell) else { return }
    messages.append(message)
    adaptToRenderer(at: now)
    send(.notice(message), at: now)
  }

  /// Computes a new layout if the renderer's resolution differs from the previous one's.
  mutating func adaptToRenderer(at now: Instant) {
    if display.metrics != browser.viewport.metrics { resize(at: now) }
  }

  /// Updates the hint about keys, and shows the hint about the terminal once it has sent all
  /// responses.
  mutating func showHints(at now: Instant) {
    hints.update(isPhotoOpen: browser.viewer != nil, isHelpOpen: browser.help != nil)
    hints.scheduleCheck(from: now)
    guard display.isRendererSelected, !display.terminal.awaitsResponses(at: now),
      hints.nextCheck != nil
    else { return }
    if let hint = hints.takeTerminalHint(display.traits, display.capabilities) {
      send(.notice(hint), at: now)
    }
  }
}
