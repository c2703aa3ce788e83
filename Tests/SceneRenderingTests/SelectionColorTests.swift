import Photos
import SceneModel
import Testing

@testable import SceneRendering

/// The colors of what is selected in panels: the ring's, with text that is legible on it.
struct SelectionColorTests {
  @Test(
    arguments: [
      (.full, nil, SelectionColors(text: 16, background: 75)),
      (.palette256, nil, SelectionColors(text: 16, background: 75)),
      (.palette16, nil, SelectionColors(text: 0, background: 12)),
      (.full, RGB(0, 0, 135), SelectionColors(text: 231, background: 18)),
      (.none, nil, nil),
    ] as [(ColorDepth, RGB?, SelectionColors?)])
  func `selected text is on the color of the ring`(
    depth: ColorDepth, accent: RGB?, colors: SelectionColors?
  ) {
    for background in [RGB.black, RGB(255, 255, 255)] {
      var appearance = Appearance(background: background)
      if let accent { appearance.accent = accent }
      #expect(appearance.selection(at: depth) == colors)
    }
  }
}
