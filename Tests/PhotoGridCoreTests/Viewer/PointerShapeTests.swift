@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import Testing

/// The shape of the pointer says what a press does.
struct PointerShapeTests {
  @Test func `a hand over tiles, a shape of its own over a photo, and a caret over a line`() {
    var story = Story(photos: 20, motion: .full, size: PixelSize(width: 4000, height: 3000))
    var shapes: [PointerShape] = []
    func look(_ story: Story) {
      let shape = story.browser.pointerShape
      if shapes.last != shape { shapes.append(shape) }
    }
    look(story)
    story.send(.key(.enter))
    story.wait(0.5)
    look(story)
    story.keys("z")
    story.wait(0.5)
    look(story)
    story.mouse(.pressed(.left), 500, 300)
    look(story)
    story.mouse(.dragged(.left), 400, 300)
    look(story)
    story.mouse(.released(.left), 400, 300)
    story.wait(1)
    look(story)
    for _ in 0..<2 {
      story.send(.key(.escape))
      story.wait(0.5)
      look(story)
    }
    for key in [Key.character("/"), .escape, .character("?")] {
      story.send(.key(key))
      look(story)
    }
    #expect(
      shapes == [
        .pointer, .zoomOut, .grab, .grabbing, .grab, .zoomOut, .pointer, .text, .pointer, .standard,
      ])
  }

  @Test func `the terminal's own shape where nothing is to be pressed`() {
    #expect(Story(photos: 0).browser.pointerShape == .standard)
  }
}
