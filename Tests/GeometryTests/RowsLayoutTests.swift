import TestSupport
import Testing

@testable import Geometry

struct RowsLayoutTests {
  /// Rows on a page of whole quanta of 10 pixels; widths and heights in quanta, margins included.
  private func rows(
    _ ratios: [Double?], width: Int, height: Int, window: Int? = nil, spacing: Int = 1
  ) -> RowsLayout {
    RowsLayout(
      snapping: ratios.count, width: Double(width * 10), rowHeight: Double(height * 10),
      spacing: spacing, metrics: .standard, windowHeight: window.map { Double($0 * 10) },
      ratio: { ratios[$0] })
  }

  /// The tiles as letters on a board of quanta.
  private func drawing(of layout: RowsLayout, width: Int) -> String {
    let height = Int(layout.contentHeight / 10)
    var board = Array(repeating: Array(repeating: Character("."), count: width), count: height)
    for index in 0..<layout.count {
      let frame = layout.frame(at: index)
      let letter = Character(UnicodeScalar(UInt8(65 + index)))
      for y in Int(frame.minY / 10)..<Int(frame.maxY / 10) {
        for x in Int(frame.minX / 10)..<Int(frame.maxX / 10) {
          #expect(board[y][x] == ".", "\(letter) lies on another tile")
          board[y][x] = letter
        }
      }
    }
    return board.map { String($0) }.joined(separator: "\n")
  }

  @Test func `rows of photos fill the width, and the last row has the usual height`() {
    let layout = rows([1.5, 1, 2, 0.5, 1.5, 1], width: 22, height: 4)

    #expect(
      drawing(of: layout, width: 22) == """
        ......................
        .AAAAAA.BBBB.CCCCCCCC.
        .AAAAAA.BBBB.CCCCCCCC.
        .AAAAAA.BBBB.CCCCCCCC.
        .AAAAAA.BBBB.CCCCCCCC.
        ......................
        .DD.EEEEEE.FFFF.......
        .DD.EEEEEE.FFFF.......
        .DD.EEEEEE.FFFF.......
        .DD.EEEEEE.FFFF.......
        ......................
        """)
  }

  @Test func `one photo more makes a row lower, and one less makes it higher`() {
    let layout = rows([1.5, 1.5, 1.5, 1, 1, 1, 1], width: 22, height: 5)

    #expect(
      drawing(of: layout, width: 22) == """
        ......................
        .AAAAAA.BBBBBB.CCCCCC.
        .AAAAAA.BBBBBB.CCCCCC.
        .AAAAAA.BBBBBB.CCCCCC.
        .AAAAAA.BBBBBB.CCCCCC.
        ......................
        .DDDD.EEEEE.FFFF.GGGG.
        .DDDD.EEEEE.FFFF.GGGG.
        .DDDD.EEEEE.FFFF.GGGG.
        .DDDD.EEEEE.FFFF.GGGG.
        ......................
        """)
  }

  @Test func `a panorama takes at most a row, and a narrow strip gets a visible tile`() {
    let layout = rows([1.5, 100, 0.01, 1.5, 1.5], width: 22, height: 6)

    #expect(
      drawing(of: layout, width: 22) == """
        ......................
        .AAAAAA.BBBBBBBBBBBBB.
        .AAAAAA.BBBBBBBBBBBBB.
        .AAAAAA.BBBBBBBBBBBBB.
        .AAAAAA.BBBBBBBBBBBBB.
        ......................
        .CC.DDDDDDDD.EEEEEEEE.
        .CC.DDDDDDDD.EEEEEEEE.
        .CC.DDDDDDDD.EEEEEEEE.
        .CC.DDDDDDDD.EEEEEEEE.
        .CC.DDDDDDDD.EEEEEEEE.
        ......................
        """)
  }

  @Test func `a single row is centred on the screen`() {
    let layout = rows([1.5, 1], width: 22, height: 4, window: 10)

    #expect(
      drawing(of: layout, width: 22) == """
        ......................
        ......................
        ......................
        .....AAAAAA.BBBB......
        .....AAAAAA.BBBB......
        .....AAAAAA.BBBB......
        .....AAAAAA.BBBB......
        ......................
        ......................
        ......................
        """)
  }

  // MARK: - Properties

  /// Shapes of all kinds: photos, panoramas, strips, and some that are not known or no shapes.
  private func shapes(_ count: Int, using random: inout SeededGenerator) -> [Double?] {
    (0..<count).map { _ in
      switch Int.random(in: 0..<20, using: &random) {
      case 0: Double.random(in: 3...200, using: &random)
      case 1: Double.random(in: 0.005...0.4, using: &random)
      case 2: [nil, 0, -1, .nan, .infinity][Int.random(in: 0..<5, using: &random)]
      case 3..<8: Double.random(in: 0.5...2.5, using: &random)
      case 8..<12: 2.0 / 3
      default: 1.5
      }
    }
  }

  /// Returns descriptions of the faults of rows.
  private func faults(of layout: RowsLayout, width: Double, margin: PixelSize, gap: PixelSize)
    -> [String]
  {
    let frames = (0..<layout.count).map { layout.frame(at: $0) }
    guard let last = frames.last else { return layout.contentHeight == 0 ? [] : ["not empty"] }
    var faults: [String] = []
    func expect(_ isTrue: Bool, _ fault: @autoclosure () -> String) {
      if !isTrue { faults.append(fault()) }
    }
    func isNear(_ left: Double, _ right: Double) -> Bool { abs(left - right) < 1e-6 }
    expect(isNear(last.maxY + margin.height, layout.contentHeight), "it ends at \(last.maxY)")
    for (index, frame) in frames.enumerated() {
      expect(frame.width > 0 && frame.height > 0, "\(index) is empty: \(frame)")
      expect(layout.index(at: frame.center) == index, "\(index) is not under its center")
      expect(layout.indices(in: frame).contains(index), "\(index) is not found in its frame")
      guard index > 0 else {
        expect(isNear(frame.minX, margin.width) && isNear(frame.minY, margin.height), "\(frame)")
        continue
      }
      let before = frames[index - 1]
      if isNear(frame.minY, before.minY) {
        expect(isNear(frame.height, before.height), "\(index) is not as high as its row")
        expect(isNear(frame.minX, before.maxX + gap.width), "\(index) is not beside the last")
      } else {
        expect(isNear(before.maxX, width - margin.width), "the row before \(index) is not full")
        expect(isNear(frame.minX, margin.width), "\(index) does not begin a row")
        expect(isNear(frame.minY, before.maxY + gap.height), "\(index) is not in the next row")
      }
    }
    expect(last.maxX <= width - margin.width + 1e-6, "the last row is too long")
    return faults
  }

  @Test(arguments: seeds(1...60))
  func `rows are full and even, and each tile is found at its position`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let shapes = shapes(Int.random(in: 0...700, using: &random), using: &random)
    let metrics = CellMetrics(
      cell: PixelSize(
        width: Double.random(in: 6...14, using: &random),
        height: Double.random(in: 14...20, using: &random)))
    let width = Double(Int.random(in: 12...300, using: &random)) * metrics.cell.width
    let height = Double.random(in: 10...400, using: &random)
    let spacing = Int.random(in: 0...3, using: &random)
    let placementStep = metrics.placementStep

    let snapped = RowsLayout(
      snapping: shapes.count, width: width, rowHeight: height, spacing: spacing, metrics: metrics,
      ratio: { shapes[$0] })
    let exact = RowsLayout(
      exactly: shapes.count, width: width, rowHeight: height, spacing: placementStep,
      ratio: { shapes[$0] })

    let gap = PixelSize(
      width: Double(spacing) * placementStep.width,
      height: Double(max(spacing, 1)) * placementStep.height)
    #expect(faults(of: snapped, width: width, margin: placementStep, gap: gap) == [])
    #expect(faults(of: exact, width: width, margin: .zero, gap: placementStep) == [])
    for index in shapes.indices {
      let frame = snapped.frame(at: index)
      for quanta in [
        frame.minX / placementStep.width, frame.maxX / placementStep.width,
        frame.minY / placementStep.height,
        frame.maxY / placementStep.height,
      ] where abs(quanta - quanta.rounded()) > 1e-6 {
        Issue.record("\(frame) is off the quanta")
      }
    }
  }

  @Test(arguments: seeds(1...20))
  func `tiles have their photos' shapes, and rows the usual height within limits`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let shapes = (0..<500).map { _ in Double.random(in: 0.5...2, using: &random) }
    let layout = RowsLayout(
      exactly: shapes.count, width: 2000, rowHeight: 200, spacing: PixelSize(width: 3, height: 3),
      ratio: { shapes[$0] })

    for (index, shape) in shapes.enumerated() {
      let frame = layout.frame(at: index)
      #expect(abs(frame.size.aspectRatio / shape - 1) < 1e-6)
      #expect((150...270).contains(frame.height))
    }
  }

  @Test(arguments: seeds(1...40))
  func `a layout that grew and changed equals one computed from the start`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var shapes: [Double?] = []
    let (width, height) = (Int.random(in: 20...200, using: &random), 8)
    var layout = rows([], width: width, height: height)

    for _ in 0..<30 {
      if Bool.random(using: &random) {
        let added = self.shapes(Int.random(in: 0...150, using: &random), using: &random)
        shapes += added
        layout.extend(by: added.count) { shapes[$0] }
      } else if !shapes.isEmpty {
        let changes = (0..<Int.random(in: 1...20, using: &random)).map { _ in
          let index = Int.random(in: shapes.indices, using: &random)
          return (index: index, ratio: Double.random(in: 0.1...5, using: &random))
        }
        for change in changes { shapes[change.index] = change.ratio }
        _ = layout.updateAspectRatios(changes)
      }
      #expect(layout == rows(shapes, width: width, height: height), "\(shapes.count) photos")
    }
  }

  @Test func `a shape that becomes known moves tiles sideways only in its block`() {
    var layout = RowsLayout(snapping: 1000, width: 1000, rowHeight: 150, metrics: .standard)
    let before = (0..<1000).map { layout.frame(at: $0) }

    let isOther = layout.updateAspectRatios([(index: 300, ratio: 0.7)])
    #expect(isOther)

    let moved = (0..<1000).filter {
      let frame = layout.frame(at: $0)
      return frame.minX != before[$0].minX || frame.size != before[$0].size
    }
    #expect((moved.first ?? 0) >= 290 && (moved.last ?? 1000) < 400, "\(moved)")
    #expect((0..<290).allSatisfy { layout.frame(at: $0) == before[$0] })
    let isSame = !layout.updateAspectRatios([(index: 300, ratio: 0.7), (index: 2000, ratio: 3)])
    #expect(isSame)
  }

  @Test(arguments: [-5, 0, 0.1, 10, 1e300, .infinity, .nan])
  func `impossible screen sizes still give tiles`(side: Double) {
    let layout = RowsLayout(snapping: 9, width: side, rowHeight: side, metrics: .standard)
    let exact = RowsLayout(
      exactly: 9, width: side, rowHeight: side, spacing: PixelSize(width: side, height: side))

    for layout in [layout, exact] {
      #expect((0..<12).allSatisfy { !layout.frame(at: $0).size.isEmpty })
      #expect(layout.contentHeight.isFinite)
      #expect(layout.indices(in: layout.frame(at: 4)).contains(4))
    }
  }

  @Test func `indices past the end have frames below it`() {
    let layout = rows(Array(repeating: 1.5, count: 9), width: 32, height: 6)

    #expect(layout.frame(at: 9).minY >= layout.frame(at: 8).maxY)
    #expect(layout.frame(at: 500).minY > layout.frame(at: 400).maxY)
    let empty = rows([], width: 32, height: 6)
    #expect(empty.frame(at: 0).origin == layout.frame(at: 0).origin)
    #expect(empty.index(at: PixelPoint(x: 20, y: 20)) == nil)
    #expect(empty.indices(in: PixelRect(x: 0, y: 0, width: 320, height: 320)).isEmpty)
  }

  @Test func `the visible tiles among many are found`() {
    var random = SeededGenerator(seed: 27)
    let shapes = shapes(1_001, using: &random)
    let layout = rows(shapes, width: 200, height: 15)
    for _ in 0..<200 {
      let view = PixelRect(
        x: 0, y: Double.random(in: -1500...layout.contentHeight + 10, using: &random),
        width: 2000, height: 1200)

      let found = layout.indices(in: view)

      let visible = (0..<1_001).filter { layout.frame(at: $0).intersects(view) }
      #expect(visible.allSatisfy { found.contains($0) })
      #expect(found.allSatisfy { layout.frame(at: $0).maxY >= view.minY - 10 })
      #expect(found.count <= visible.count + 80)
    }
  }
}
