import Geometry
import Photos
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

/// Drawing with a limited number of bytes per frame.
struct SlowLineTests {
  init() { UTF8Locale.use() }

  private static let cells = CellSize(columns: 120, rows: 40)

  /// A photo of many colors in which no two samples are equal.
  private static let content: TileContent = {
    var random = SeededGenerator(seed: 31)
    let patches = (0..<12 * 8).map { _ in random.color() }
    return .picture(
      Mipmap(
        Bitmap(width: 480, height: 320) { x, y in
          random.color().blended(over: patches[y / 40 * 12 + x / 40], share: 0.4)
        }))
  }()

  /// A frame of a movement, with the photo at a position.
  private static func moving(_ step: Int) -> Scene {
    var scene = Scene.filled(columns: cells.columns, rows: cells.rows)
    scene.placements[0].frame = scene.placements[0].frame.offset(x: Double(step) * 7, y: 0)
    scene.isMoving = true
    return scene
  }

  private static let still = Scene.filled(columns: cells.columns, rows: cells.rows)

  private static func frame(_ scene: Scene, _ renderer: inout CellRenderer) -> [UInt8] {
    var bytes: [UInt8] = []
    renderer.frame(for: scene, metrics: .standard, content: { _ in content }, into: &bytes)
    return bytes
  }

  @Test(arguments: [ColorDepth.full, .palette256, .palette16], [12_000, 20_000, 60_000])
  func `frames of a movement shrink to the budget, and fill the screen`(
    depth: ColorDepth, budget: Int
  ) throws {
    var renderer = CellRenderer(glyphs: .sextant, depth: depth)
    renderer.byteBudget = budget
    var screen = TerminalScreen(columns: Self.cells.columns, rows: Self.cells.rows)
    var counts: [Int] = []
    for step in 0..<6 {
      let bytes = Self.frame(Self.moving(step), &renderer)
      try screen.apply(bytes)
      counts.append(bytes.count)
    }
    // One frame may turn out to be too fine.
    #expect(counts.count { $0 > budget * 5 / 4 } <= 1, "\(counts)")
    #expect(counts.allSatisfy { $0 < budget * 3 }, "\(counts)")
    // The photo has moved 35 pixels to the right: it covers every cell after the first few.
    let row = screen.cells[Self.cells.columns * 20..<Self.cells.columns * 21]
    #expect(row.dropFirst(8).allSatisfy { $0.background != .standard })
  }

  @Test func `a scene at rest is drawn in pieces, and ends up as if it were drawn at once`()
    throws
  {
    let budget = 15_000
    var renderer = CellRenderer(glyphs: .quadrant, depth: .full)
    renderer.byteBudget = budget
    var screen = TerminalScreen(columns: Self.cells.columns, rows: Self.cells.rows)
    var pieces = 0
    repeat {
      let bytes = Self.frame(Self.still, &renderer)
      try screen.apply(bytes)
      pieces += 1
      // A row is at most 120 cells of 45 bytes.
      #expect(bytes.count <= budget + 5_400)
    } while renderer.isUnfinished && pieces < 100
    #expect(pieces > 5)
    let isSame = screen == (try drawn(Self.still, glyphs: .quadrant) { _ in Self.content })
    #expect(isSame)
    #expect(Self.frame(Self.still, &renderer).isEmpty)
  }

  @Test func `new changes are drawn before unfinished ones`() throws {
    var renderer = CellRenderer(glyphs: .quadrant, depth: .full)
    renderer.byteBudget = 15_000
    var screen = TerminalScreen(columns: Self.cells.columns, rows: Self.cells.rows)
    var labelled = Self.still
    labelled.placements[0].frame.size.height -= 40
    try screen.apply(Self.frame(labelled, &renderer))
    let isUnfinished = renderer.isUnfinished
    #expect(isUnfinished)
    labelled.labels = [
      Scene.Label(
        text: "new", frame: PixelRect(x: 0, y: 38 * 20, width: 200, height: 20), opacity: 1)
    ]

    try screen.apply(Self.frame(labelled, &renderer))

    #expect(screen.cells[38 * Self.cells.columns].text == "n")
  }

  @Test func `after a coarsely drawn movement nothing coarse is left`() throws {
    var renderer = CellRenderer(glyphs: .sextant, depth: .full)
    renderer.byteBudget = 12_000
    var screen = TerminalScreen(columns: Self.cells.columns, rows: Self.cells.rows)
    for step in (0..<4).reversed() { try screen.apply(Self.frame(Self.moving(step), &renderer)) }
    var last: [UInt8]
    var frames = 0
    repeat {
      last = Self.frame(Self.still, &renderer)
      try screen.apply(last)
      frames += 1
    } while renderer.isUnfinished && frames < 100
    let isSame = screen == (try drawn(Self.still, glyphs: .sextant) { _ in Self.content })
    #expect(isSame)
  }

  /// The colors of a cell depend on the error of the cells before it.
  @Test(arguments: [ColorDepth.palette256, .palette16, .none])
  func `where a photo is uncovered, cells beside it have the same colors as if drawn at once`(
    depth: ColorDepth
  ) throws {
    let whole = try drawn(Self.still, glyphs: .quadrant, depth: depth) { _ in Self.content }
    for step in 0..<8 {
      var renderer = CellRenderer(glyphs: .quadrant, depth: depth)
      renderer.byteBudget = 200_000
      var screen = TerminalScreen(columns: Self.cells.columns, rows: Self.cells.rows)
      var covered = Self.still
      covered.placements.append(covered.placements[0])
      covered.placements[1].frame = PixelRect(
        x: 300 + 10 * Double(step), y: 200, width: 230, height: 150)
      try screen.apply(Self.frame(covered, &renderer))
      try screen.apply(Self.frame(Self.still, &renderer))
      #expect(!renderer.isUnfinished)
      let differing = screen.cells.indices.filter {
        screen.cells[$0].look != whole.cells[$0].look
      }
      #expect(differing.isEmpty, "step \(step)")
    }
  }
}
