import Geometry
import Testing

@testable import TerminalIO

struct PaneFocusTests {
  @Test func `without reports a key shows for a moment that the pane has the input`() {
    var focus = PaneFocus()
    #expect(!focus.isLikely(at: Instant(seconds: 1)))
    focus.begin(at: Instant(seconds: 1))
    #expect(focus.isLikely(at: Instant(seconds: 3.9)) && !focus.isLikely(at: Instant(seconds: 4.1)))
    focus.update([.key(.enter)], at: Instant(seconds: 9))
    #expect(focus.isLikely(at: Instant(seconds: 11)))
    focus.windowChanged()
    #expect(!focus.isLikely(at: Instant(seconds: 9)))
  }

  @Test func `reports say it for as long as it is so`() {
    var focus = PaneFocus()
    focus.update([.focusGained], at: Instant(seconds: 1))
    focus.windowChanged()
    #expect(focus.isLikely(at: Instant(seconds: 99)))
    focus.update([.focusLost], at: Instant(seconds: 100))
    #expect(!focus.isLikely(at: Instant(seconds: 100)))
    focus.update([.key(.enter)], at: Instant(seconds: 101))
    #expect(focus.isLikely(at: Instant(seconds: 101)))
  }
}
