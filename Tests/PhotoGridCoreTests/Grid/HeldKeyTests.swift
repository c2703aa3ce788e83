import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore

/// Keys that repeat faster than the grid scrolls.
@Suite struct HeldKeyTests {
  @Test(arguments: seeds(1...24))
  func `the selected tile is on the screen in every frame while keys are held`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var story = Story(
      photos: 600, columns: .random(in: 40...140, using: &random),
      rows: .random(in: 16...50, using: &random))
    story.keys(["", "gf", "t", "c"].randomElement(using: &random) ?? "")
    story.wait(1)
    for key in ["j", "l", "k", "j", "k"] {
      // A frame takes from 4 ms to half a second.
      let frame = [0.004, 0.016, 0.1, 0.5].randomElement(using: &random) ?? 0.016
      for _ in 0..<30 {
        let isScrolling = !story.browser.grid.scroll.isOver(at: story.now)
        story.keys(key)
        let end = story.now.advanced(bySeconds: .random(in: 0.01...0.06, using: &random))
        repeat {
          let share = visibleShare(of: story)
          // A single step scrolls as smoothly as before.
          if share < (isScrolling ? 0.999 : 0.249) {
            Issue.record("seed \(seed), \(key), frames of \(frame) s: \(share) is visible")
            return
          }
          story.now = story.now.advanced(bySeconds: frame)
          story.send(.tick)
        } while story.now < end
      }
      story.wait(1)
      #expect(visibleShare(of: story) > 0.999)
    }
  }

  /// The share of the selected tile's height that is on the screen.
  private func visibleShare(of story: Story) -> Double {
    let grid = story.browser.grid
    let tile = grid.layout.frame(at: story.browser.gallery.selection)
      .offset(x: 0, y: -grid.scroll.value(at: story.now))
    let height = story.browser.viewport.pictureSize.height
    return (min(tile.maxY, height) - max(tile.minY, 0)) / tile.height
  }
}
