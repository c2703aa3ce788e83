import Geometry
import PhotoGridCore
import SceneModel

/// What was written of the screen in words, for `--accessible`.
struct Narrator {
  /// The narration that was written last; nil before, and after another program had the terminal.
  var last: Narration?
  /// Whether the user has pressed a key since.
  var followsKey = false
  /// When the selected item is named even if its facts are not known; nil if it has been named.
  private(set) var due: Instant?

  /// The longest time that an item waits for its facts, or the first one for the end of the listing, in
  /// seconds.
  private static let patience = 0.5

  /// Records a narration, and returns the text to write.
  ///
  /// - Parameters:
  ///   - narration: The screen in words.
  ///   - isReading: Whether the facts of the selected item are still being read.
  ///   - now: The current time.
  /// - Returns: The text; empty if there is nothing new.
  mutating func text(of narration: Narration, isReading: Bool, at now: Instant) -> String {
    var narration = narration
    let isHeld = isReading && narration.hasOtherItem(than: last)
    due = isHeld ? due ?? now.advanced(bySeconds: Self.patience) : nil
    if let time = due {
      if now < time { narration.keepItem(of: last) } else { due = nil }
    }
    defer { (last, followsKey) = (narration, false) }
    return narration.text(after: last, followsKey: followsKey)
  }
}

/// Writing what has changed in words, in place of drawing it.
extension RunLoop {
  mutating func narrate(at now: Instant) {
    guard display.isFrameDue || narrator.due.map({ $0 <= now }) ?? false else { return }
    prepareFrame(at: now)
    let facts = barFacts
    let narration = browser.narration(
      facts, panel: chrome.inspector.panel(for: browser), at: clock.time(at: now))
    let isUnknown = browser.current != nil && facts.info == nil && facts.failure == nil
    let isInspecting = browser.inspectedPhoto.map { services.side.metadata(of: $0) == nil } ?? false
    let text = narrator.text(
      of: narration,
      isReading: isUnknown || isInspecting || browser.collection.listingNotes == nil, at: now)
    display.terminal.write(text)
    handle(.drawn(isWhole: true), at: now)
    display.isFrameDue = false
  }
}

extension LayoutStyle {
  /// Tiles below each other, so that all arrow keys go to the next item or the one before.
  var inOneColumn: LayoutStyle {
    var style = self
    (style.kind, style.growsToFit) = (.grid, false)
    style.columns = GridColumns([.fixed(18)])
    return style
  }
}
