import Geometry
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

/// Text rows over the tiles, as headings and the scrubber have them, in every way to draw.
struct CaptionTests {
  init() { UTF8Locale.use() }

  /// Two tiles, the first of them beneath a heading at the top and beside a short text, and perhaps an
  /// open photo that covers the left of both.
  private static func scene(size: PixelSize, cell: PixelSize, isOpen: Bool) -> Scene {
    var scene = Scene(
      size: size,
      placements: [
        .clipped(0, PixelRect(x: 0, y: 0, width: 8 * cell.width, height: 5 * cell.height)),
        .clipped(
          1, PixelRect(x: 9 * cell.width, y: 0, width: 5 * cell.width, height: 5 * cell.height)),
      ],
      ring: Scene.Ring(
        tile: PixelRect(x: 0, y: 0, width: 8 * cell.width, height: 5 * cell.height), opacity: 1))
    scene.tileCount = 2
    scene.captions = [
      Scene.Label(
        text: " May", frame: PixelRect(x: 0, y: 0, width: size.width, height: cell.height),
        opacity: 1, isHeading: true),
      Scene.Label(
        text: "Jul",
        frame: PixelRect(
          x: 10 * cell.width, y: 2 * cell.height, width: 3 * cell.width, height: cell.height),
        opacity: 1),
    ]
    if isOpen {
      scene.placements.append(
        .clipped(2, PixelRect(x: 0, y: 0, width: 3 * cell.width, height: 7 * cell.height)))
    }
    return scene
  }

  @Test func `a text that stands out has the color of the ring`() throws {
    let metrics = CellMetrics.standard
    var scene = Self.scene(
      size: metrics.size(of: CellSize(columns: 16, rows: 8)), cell: metrics.cell, isOpen: false)
    scene.captions[1].isAccented = true
    var renderer = CellRenderer(glyphs: .half, depth: .full)
    var screen = TerminalScreen(columns: 16, rows: 8)
    var bytes: [UInt8] = []
    renderer.frame(
      for: scene, metrics: metrics, content: { _ in .waiting(nil) }, into: &bytes)
    try screen.apply(bytes)

    #expect(screen[10, 2].foreground == .rgb(Appearance().accent))
    #expect(screen[1, 0].foreground == .rgb(Appearance().headingColor))
  }

  @Test(arguments: [false, true])
  func `by cells they are text on the background, and behind an open photo`(isOpen: Bool) throws {
    let metrics = CellMetrics.standard
    let scene = Self.scene(
      size: metrics.size(of: CellSize(columns: 16, rows: 8)), cell: metrics.cell, isOpen: isOpen)
    var renderer = CellRenderer(glyphs: .half, depth: .full)
    var screen = TerminalScreen(columns: 16, rows: 8)
    var bytes: [UInt8] = []
    renderer.frame(
      for: scene, metrics: metrics, content: { _ in .waiting(RGB(255, 0, 0)) }, into: &bytes)
    try screen.apply(bytes)

    #expect(
      (0..<16).map { screen[$0, 0].text }.joined().dropFirst(isOpen ? 3 : 0)
        == (isOpen ? "y            " : " May            "))
    #expect((3..<16).allSatisfy { screen[$0, 0].background == .standard })
    #expect((10..<13).map { screen[$0, 2].text }.joined() == "Jul")
    #expect(screen[3, 0].foreground == .rgb(Appearance().headingColor))
    // The tile is seen on.
    #expect(screen[9, 2].background == .rgb(RGB(255, 0, 0)))
  }

  @Test(arguments: [false, true])
  func `in kitty tiles leave them free, and an open photo does not`(isOpen: Bool) throws {
    var story = KittyStory(columns: 16, rows: 8, photos: (0..<3).map { SmoothPhoto($0) })
    let scene = Self.scene(size: story.area, cell: story.metrics.cell, isOpen: isOpen)
    try story.settle(scene)

    func text(_ row: Int, _ columns: Range<Int>) -> String {
      columns.map { story.screen.text[$0, row].text }.joined()
    }
    #expect(text(0, 0..<16) == (isOpen ? " May            " : " May            "))
    #expect(text(2, 10..<13) == "Jul")
    func isCovered(_ column: Int, _ row: Int) -> Bool {
      story.screen.placements.values.contains { $0.cells.contains(column: column, row: row) }
    }
    #expect((3..<16).allSatisfy { !isCovered($0, 0) } && isCovered(1, 0) == isOpen)
    #expect((10..<13).allSatisfy { !isCovered($0, 2) })
    #expect(isCovered(9, 2) && isCovered(13, 2) && isCovered(5, 1) && isCovered(11, 3))

    // What scrolls beneath is sent once.
    let uploads = story.screen.uploadCount
    for step in 1...8 {
      var moved = scene
      moved.isMoving = true
      for index in 0..<2 {
        moved.placements[index].frame = moved.placements[index].frame.offset(
          x: 0, y: -Double(step) * 3.7)
      }
      try story.show(moved)
      #expect(text(0, 3..<16) == "y            ", "step \(step)")
    }
    #expect(story.screen.uploadCount == uploads)
  }
}
