import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

@Suite struct GridTests {
  private let viewport = Viewport(cells: CellSize(columns: 80, rows: 24))

  private func context(_ count: Int, at seconds: Double = 0) -> Grid.Context {
    var collection = PhotoCollection()
    collection.extend(by: (0..<count).map { Photo.ID($0) })
    return Grid.Context(
      items: GridItems(collection), viewport: viewport, motion: .full,
      now: Instant(seconds: seconds))
  }

  private func grid(in context: Grid.Context) -> Grid {
    var grid = Grid(style: LayoutStyle(), contentMode: .fill, viewport: viewport)
    grid.extend(isAtEnd: true, in: context)
    return grid
  }

  @Test func `the first photo is selected, and moving right continues in the next row`() {
    let context = context(20)
    var grid = grid(in: context)
    #expect(grid.selected == .photo(Photo.ID(0)))
    grid.move(.right, 6, in: context)
    #expect(grid.selected == .photo(Photo.ID(6)))
    grid.move(.left, 100, in: context)
    #expect(grid.selected == .photo(Photo.ID(0)))
    grid.move(.down, 100, in: context)
    #expect(grid.selected == .photo(Photo.ID(19)))
  }

  @Test func `a selected tile is visible once the scrolling is over`() {
    let context = context(200)
    var grid = grid(in: context)
    for index in [199, 3, 77, 150, -5, 500] {
      grid.select(index, in: context)
      let frame = grid.restingTileFrame(
        of: grid.selection(in: context.items), context.items, in: viewport)
      #expect(frame.minY >= 0 && frame.maxY <= viewport.pictureSize.height)
    }
  }

  @Test func `tiles fly from their old places to their new ones`() {
    let before = context(20)
    var grid = grid(in: before)
    let old = grid.tilePose(of: 7, in: before).frame
    let isOther = grid.restyle(in: before) { $0.kind = .mosaic }
    #expect(isOther && grid.tilePose(of: 7, in: before).frame == old)
    var after = before
    after.now = Instant(seconds: 10)
    grid.settle(at: after.now)
    #expect(!grid.isAnimating(at: after.now))
    #expect(grid.tilePose(of: 7, in: after).frame == grid.layout.frame(at: 7))
  }

  @Test(arguments: [0, 1, 7]) func `no tile is drawn whose item went while it moved`(count: Int) {
    let before = context(20)
    var grid = grid(in: before)
    _ = grid.restyle(in: before) { $0.kind = .mosaic }
    let after = context(count, at: 0.01)
    #expect(!grid.rearrangement.movingItems.isEmpty)
    #expect(grid.visibleIndices(in: after) == Array(0..<count))
    #expect(grid.snapshot(in: after).seen == (0..<count).map { .photo(Photo.ID($0)) })

    grid.settle(at: Instant(seconds: 10))
    #expect(grid.visibleIndices(in: after) == Array(0..<count))
  }

  @Test func `a change of style without effect on the layout moves nothing`() {
    let context = context(20)
    var grid = grid(in: context)
    let isOther = grid.restyle(in: context) { $0.pattern = .tray }
    #expect(!isOther && !grid.isAnimating(at: context.now))
  }
}
