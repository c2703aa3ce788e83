import PseudoTerminal
import Testing

/// Photos side by side in the real program.
@Suite(.waiting) struct ComparisonTests {
  private static func boxes(_ screen: ScreenReader) -> [Box?] {
    [TestPhoto.red, TestPhoto.green, TestPhoto.blue].map { screen.box(of: $0) }
  }

  @Test func `marked photos are compared side by side, one is taken out, and the rest go home`()
    throws
  {
    let folder = try PhotoFolder(count: 6)
    let window = try folder.open("--symbols", "half", "--motion", "none")
    try window.waitForGrid(of: 6)
    let tile = try #require(window.screen.box(of: TestPhoto.red))

    window.type("   gg=")
    try window.wait(for: "three photos on the whole screen") { screen in
      let boxes = Self.boxes(screen).compactMap(\.self)
      return screen.bar.contains("comparing [1] 2 3") && boxes.count == 3
        && screen.box(of: TestPhoto.yellow) == nil
        && boxes.allSatisfy { $0.width > tile.width && $0.height > tile.height }
    }
    let boxes = Self.boxes(window.screen).compactMap(\.self)
    for (index, box) in boxes.enumerated() {
      let color = [TestPhoto.red, TestPhoto.green, TestPhoto.blue][index]
      #expect(window.screen.isFilled(box, with: color), "nothing lies over photo \(index)")
    }

    window.type("\t;4x")
    try window.wait(for: "the other two") { screen in
      screen.bar.contains("comparing 1 [3]") && screen.box(of: TestPhoto.green) == nil
    }
    window.type("n")
    try window.wait(for: "the next two") { screen in
      screen.bar.contains("comparing 3 [4]") && screen.box(of: TestPhoto.yellow) != nil
    }
    window.type("\u{1B}")
    try window.wait(for: "the grid") { screen in
      screen.box(of: TestPhoto.red) != nil && screen.box(of: TestPhoto.cyan) != nil
        && screen.bar.contains("4/6") && screen.bar.contains("2 marked")
    }
    try window.quit()
  }
}
