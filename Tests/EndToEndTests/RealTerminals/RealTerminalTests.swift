import Geometry
import Testing

/// The program in terminal emulators on a virtual display, checked by the screen's content.
@Suite(.waiting) struct RealTerminalTests {
  /// An emulator and a way to show pictures in it.
  struct Way: Sendable, CustomTestStringConvertible {
    var emulator: RealTerminal.Emulator
    var pictures: String
    /// The unit to which tiles are aligned.
    var placementUnit: CellMetrics.PlacementUnit
    /// The tolerance of a channel: sixel has 101 steps a channel.
    var tolerance: Int
    /// The tolerance of an edge, in pixels.
    var slack = 1
    /// The least share of a tile that has its color.
    var share = 1.0
    var testDescription: String { "\(pictures) in \(emulator)" }
  }

  static let ways = [
    Way(emulator: .kitty, pictures: "cells", placementUnit: .cells, tolerance: 2),
    Way(emulator: .kitty, pictures: "kitty", placementUnit: .pixels, tolerance: 2),
    Way(emulator: .kitty, pictures: "auto", placementUnit: .pixels, tolerance: 2),
    Way(emulator: .xterm, pictures: "sixel", placementUnit: .pixels, tolerance: 4),
    Way(emulator: .xterm, pictures: "auto", placementUnit: .pixels, tolerance: 4),
    // Here the blocks come from a font: they have smooth edges and do not fill the cell.
    Way(
      emulator: .xterm, pictures: "cells", placementUnit: .cells, tolerance: 2, slack: 2,
      share: 0.95),
    Way(emulator: .xterm, pictures: "sixel", placementUnit: .pixels, tolerance: 3),
  ]

  @Test(
    "tiles are where the layout has them, zoom to the whole screen, and nothing is left",
    arguments: ways)
  func tour(_ way: Way) throws {
    let (columns, rows, count) = (90, 30, TestPhoto.palette.count)
    let photos = try PhotoFolder(count: count)
    let terminal = try RealTerminal(
      way.emulator, columns: columns, rows: rows,
      [
        "--protocol", way.pictures, "--symbols", "half", "--colors", "full", "--motion", "slow",
        photos.path,
      ])
    let last = TestPhoto.palette[count - 1]
    try #require(
      terminal.wait { $0.box(near: last, tolerance: way.tolerance) != nil } != nil,
      "\(terminal.state)")

    var metrics = CellMetrics(cell: try #require(terminal.cell, "no window"))
    metrics.placementUnit = way.placementUnit
    let viewport = Viewport(cells: CellSize(columns: columns, rows: rows), metrics: metrics)
    let layout = LayoutStyle().snapped(
      count, in: viewport.pictureSize, metrics: metrics, isCentered: true)
    func box(ofTile index: Int, in screen: Screenshot) -> PixelBox? {
      let area = terminal.box(of: layout.frame(at: index)).inset(by: -3)
      return screen.box(near: TestPhoto.palette[index], tolerance: way.tolerance, in: area)
    }
    func isInPlace(_ index: Int, in screen: Screenshot) -> Bool {
      let tile = terminal.box(of: layout.frame(at: index))
      return box(ofTile: index, in: screen).map { $0.distance(to: tile) <= way.slack } ?? false
    }
    func showsAllTiles(_ screen: Screenshot) -> Bool {
      (0..<count).allSatisfy { index in
        let tile = terminal.box(of: layout.frame(at: index)).inset(by: 2)
        return screen.share(of: TestPhoto.palette[index], tolerance: way.tolerance, in: tile)
          >= way.share
      }
    }
    // Before the terminal has responded, cells replace pictures: a little larger, and without
    // motion.
    var seen: Screenshot?
    let settled = terminal.wait { screen in
      seen = screen
      return showsAllTiles(screen) && (0..<count).allSatisfy { isInPlace($0, in: screen) }
    }
    let boxes = seen.map { screen in (0..<count).map { box(ofTile: $0, in: screen) } } ?? []
    try #require(
      settled != nil,
      "tiles at \(boxes), not \((0..<count).map { terminal.box(of: layout.frame(at: $0)) })")

    // A click on the second photo, which a press takes hold of on its way, so that it is seen there
    // however late a busy machine looks. If the press came too late, it closes the photo, and all is
    // done again.
    let target = terminal.box(of: layout.frame(at: 1))
    let screen = terminal.box(
      of: AspectRatioLayout(contentMode: .fit).childFrame(
        in: viewport.pictureArea, idealSize: PixelSize(width: 2, height: 1)))
    func fillsScreen(_ now: Screenshot) -> Bool {
      let box = now.box(near: TestPhoto.palette[1], tolerance: way.tolerance)
      let inside = screen.inset(by: Int(metrics.cell.height))
      return (box?.distance(to: screen) ?? .max) <= 1 + Int(metrics.placementStep.height)
        && now.share(of: TestPhoto.palette[1], tolerance: way.tolerance, in: inside) >= way.share
    }
    var (wasSeenOnItsWay, isWhole) = (false, false)
    for _ in 0..<5 where !(wasSeenOnItsWay && isWhole) {
      if isWhole {
        terminal.type("Escape")
        try #require(terminal.wait(until: showsAllTiles) != nil, "the grid did not come back")
      }
      let (x, y) = (target.x + target.width / 2, target.y + target.height / 2)
      terminal.point(at: x, y, "click", "1", "sleep", "0.5", "mousedown", "1")
      _ = Polling.until {
        guard let box = terminal.look()?.box(near: TestPhoto.palette[1], tolerance: way.tolerance)
        else {
          return false
        }
        wasSeenOnItsWay = box.width > target.width + 20 && box.width < screen.width - 20
        return wasSeenOnItsWay || box.distance(to: screen) <= Int(metrics.placementStep.height)
      }
      terminal.point(at: x, y, "mouseup", "1")
      let atRest = terminal.wait { fillsScreen($0) || showsAllTiles($0) }
      isWhole = atRest.map(fillsScreen) ?? false
      try #require(atRest != nil, "neither the photo fills the screen nor did the grid come back")
    }
    #expect(wasSeenOnItsWay, "the photo was not seen on its way")
    #expect(isWhole, "the photo does not fill the screen")

    terminal.type("Escape")
    #expect(terminal.wait(until: showsAllTiles) != nil, "the grid did not come back")
    terminal.type("q")
    let after = try #require(
      terminal.wait { $0.box(near: TestPhoto.palette[0], tolerance: way.tolerance) == nil })
    for color in TestPhoto.palette {
      #expect(after.box(near: color, tolerance: way.tolerance) == nil, "something is left")
    }
  }

  @Test(
    "a click is taken to the pixel, not to the cell",
    arguments: [RealTerminal.Emulator.kitty, .xterm])
  func click(_ emulator: RealTerminal.Emulator) throws {
    let (columns, rows, count) = (90, 30, TestPhoto.palette.count)
    let photos = try PhotoFolder(count: count)
    let terminal = try RealTerminal(
      emulator, columns: columns, rows: rows,
      [
        "--protocol", "cells", "--symbols", "half", "--colors", "full", "--motion", "none",
        photos.path,
      ])
    let last = TestPhoto.palette[count - 1]
    try #require(
      terminal.wait { $0.box(near: last, tolerance: 2) != nil } != nil, "\(terminal.state)")
    let metrics = CellMetrics(cell: try #require(terminal.cell, "no window"))
    let viewport = Viewport(cells: CellSize(columns: columns, rows: rows), metrics: metrics)
    let layout = LayoutStyle().snapped(
      count, in: viewport.pictureSize, metrics: metrics, isCentered: true)

    // Tiles begin in the middle of a row of text: half of such a cell belongs to a tile, half to
    // none.
    let (first, second) = (layout.frame(at: 1), layout.frame(at: 2))
    let edge = Int(first.minY.rounded())
    let place = (first.minY / metrics.cell.height).truncatingRemainder(dividingBy: 1)
    try #require(abs(place - 0.5) < 0.1)
    terminal.point(at: Int(first.center.x), edge - 4, "click", "1")
    terminal.point(at: Int(second.center.x), edge + 4, "click", "1")

    let opened = terminal.wait {
      ($0.box(near: TestPhoto.palette[2], tolerance: 2)?.width ?? 0) > Int(
        viewport.pictureSize.width) - 8
    }
    #expect(opened != nil, "the third photo is not on the whole screen")
  }
}
