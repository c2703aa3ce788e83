import TestSupport
import Testing

@testable import Geometry

struct GridColumnsTests {
  @Test(arguments: [
    ([GridColumns.Column.fixed(70), .adaptive(minimum: 40)], [70.0, 57, 57]),
    ([.flexible(minimum: 140), .adaptive(minimum: 70)], [140, 52]),
    ([.flexible(minimum: 50), .flexible(minimum: 120)], [108, 120]),
  ])
  func `the widths are exactly those of the published cases`(
    columns: [GridColumns.Column], widths: [Double]
  ) {
    let slots = GridColumns(columns).slots(width: 200, spacing: 8)

    #expect(slots.map(\.width) == widths)
  }

  @Test func `a grid that grows in the second run is centred by the first run's width`() {
    let slots = GridColumns([.flexible(minimum: 50), .flexible(minimum: 120)])
      .slots(width: 200, spacing: 8)

    #expect(slots.map(\.x) == [-12, 104])
  }

  @Test func `an adaptive column holds as many items as fit, and at least one`() {
    let columns = GridColumns([.adaptive(minimum: 100)])

    #expect(columns.widths(proposed: 99, spacing: 3).count == 1)
    #expect(columns.widths(proposed: 202, spacing: 3).count == 1)
    #expect(columns.widths(proposed: 203, spacing: 3) == [100, 100])
    #expect(columns.widths(proposed: 0, spacing: 3) == [0])
  }
}

struct GridLayoutTests {
  private func snapped(
    _ count: Int, columns: Int, minimum: Int = 18, labels: Bool = false,
    metrics: CellMetrics = .standard
  ) -> GridLayout {
    GridLayout(
      snapping: count, width: Double(columns) * metrics.cell.width,
      columns: GridColumns([.adaptive(minimum: Double(minimum) * metrics.cell.width)]),
      spacing: 1, metrics: metrics, hasLabels: labels)
  }

  @Test func `names are at the same distance from their tiles in all columns`() {
    for cell in [7.0, 9, 10, 13] {
      var metrics = CellMetrics(cell: PixelSize(width: cell, height: 2 * cell))
      metrics.placementUnit = .pixels
      for columns in stride(from: 30, through: 200, by: 7) {
        let layout = GridLayout(
          snapping: 40, width: Double(columns) * cell,
          columns: GridColumns([.adaptive(minimum: 12 * cell)]), spacing: 1, metrics: metrics,
          hasLabels: false, alignsText: true)
        let distances = (0..<layout.columnCount).map { index in
          let frame = layout.frame(at: index)
          return Double(metrics.columns(inside: frame).lowerBound) * cell - frame.minX
        }
        #expect(Set(distances).count == 1, "\(cell), \(columns): \(distances)")
        #expect(layout.frame(at: 0).minX >= 3)
        #expect(layout.frame(at: layout.columnCount - 1).maxX <= Double(columns) * cell - 3)
      }
    }
  }

  @Test func `columns of all kinds are aligned to quanta, a gap apart, and centred`() {
    var random = SeededGenerator(seed: 77)
    for _ in 0..<500 {
      let columns = GridColumns(
        (0..<Int.random(in: 1...5, using: &random)).map { _ in
          let width = Double.random(in: 10...400, using: &random)
          return switch Int.random(in: 0..<3, using: &random) {
          case 0: .fixed(width)
          case 1: .flexible(minimum: width, maximum: width * 2)
          default: .adaptive(minimum: width, maximum: width * 3)
          }
        } + [.fixed(Double.random(in: 10...400, using: &random))])
      let width = Double.random(in: 50...2000, using: &random)
      let exact = columns.slots(width: width, spacing: 10)

      let layout = GridLayout(
        snapping: exact.count * 2, width: width, columns: columns, spacing: 1, metrics: .standard,
        hasLabels: false)
      let frames = (0..<exact.count).map { layout.frame(at: $0) }

      #expect(layout.columnCount == exact.count)
      for (frame, slot) in zip(frames, exact) {
        let edges = [frame.minX, frame.minY, frame.maxX, frame.maxY].map { $0 / 10 }
        #expect(edges.allSatisfy { $0 == $0.rounded() }, "\(columns), \(frame)")
        #expect(frame.width == frame.height)
        #expect(frame.width <= max(slot.width, 10) && frame.width > slot.width - 10)
      }
      for (left, right) in zip(frames, frames.dropFirst()) {
        #expect(right.minX - left.maxX == 10, "\(columns)")
      }
      let before = (frames.first?.minX ?? 0) - (exact.first?.x ?? 0)
      let after = exact.last.map { $0.x + $0.width - (frames.last?.maxX ?? 0) } ?? 0
      #expect(abs(before - after) <= 20, "\(columns)")
    }
  }

  /// The tiles of a layout as letters, one character per placement step.
  private func drawing(of layout: GridLayout, width: Int, height: Int) -> String {
    var board = Array(repeating: Array(repeating: Character("."), count: width), count: height)
    for index in 0..<layout.count {
      let frame = layout.frame(at: index)
      let letter = Character(UnicodeScalar(UInt8(65 + index)))
      for y in Int(frame.minY / 10)..<min(Int(frame.maxY / 10), height) {
        for x in Int(frame.minX / 10)..<min(Int(frame.maxX / 10), width) {
          #expect(board[y][x] == ".")
          board[y][x] = letter
        }
      }
    }
    return board.map { String($0) }.joined(separator: "\n")
  }

  @Test
  func `tiles are squares of whole quanta, and the remaining width is split between the margins`() {
    let layout = snapped(5, columns: 16, minimum: 4)

    #expect(
      drawing(of: layout, width: 16, height: 11) == """
        ................
        .AAAA.BBBB.CCCC.
        .AAAA.BBBB.CCCC.
        .AAAA.BBBB.CCCC.
        .AAAA.BBBB.CCCC.
        ................
        .DDDD.EEEE......
        .DDDD.EEEE......
        .DDDD.EEEE......
        .DDDD.EEEE......
        ................
        """)
  }

  @Test func `tiles do not overlap, stay inside the width, and are found at their centres`() {
    let seed: UInt64 = 20_240_501
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      let columns = Int.random(in: 3...300, using: &random)
      let minimum = Int.random(in: 1...40, using: &random)
      let count = Int.random(in: 0...60, using: &random)
      let metrics = CellMetrics(
        cell: PixelSize(
          width: Double.random(in: 6...14, using: &random),
          height: Double.random(in: 14...28, using: &random)))
      let layout = snapped(
        count, columns: columns, minimum: minimum, labels: Bool.random(using: &random),
        metrics: metrics)
      let width = Double(columns) * metrics.cell.width
      let context: Comment = "seed \(seed): \(columns) columns of \(minimum), \(count) photos"

      for index in 0..<count {
        let frame = layout.frame(at: index)
        #expect(frame.minX >= metrics.placementStep.width - 1e-6, context)
        #expect(frame.maxX <= width - metrics.placementStep.width + 1e-6, context)
        #expect(frame.size == layout.frame(at: 0).size, context)
        #expect(layout.index(at: frame.center) == index, context)
        #expect(layout.indices(in: frame).contains(index), context)
        #expect(frame.maxY <= layout.contentHeight, context)
        for quanta in [
          frame.minX / metrics.placementStep.width, frame.minY / metrics.placementStep.height,
        ] {
          #expect(abs(quanta - quanta.rounded()) < 1e-6, context)
        }
        if index > 0 { #expect(!frame.intersects(layout.frame(at: index - 1)), context) }
        if let label = layout.labelFrame(at: index) {
          let row = label.minY / metrics.cell.height
          #expect(abs(row - row.rounded()) < 1e-6, context)
          #expect(label.minY >= frame.maxY + metrics.placementStep.height - 1e-6, context)
          let below = layout.frame(at: index + layout.columnCount)
          #expect(label.maxY <= below.minY - metrics.placementStep.height + 1e-6, context)
        }
      }
    }
  }

  @Test func `the exact layout has no margins and fills the width`() {
    let layout = GridLayout(
      exactly: 12, width: 2000, columns: GridColumns([.adaptive(minimum: 180)]),
      spacing: PixelSize(width: 10, height: 10))

    #expect(layout.frame(at: 0) == PixelRect(x: 0, y: 0, width: 191, height: 191))
    #expect(layout.frame(at: 11) == PixelRect(x: 201, y: 201, width: 191, height: 191))
  }

  @Test func `an empty grid has no rows, and no point is in a tile`() {
    let layout = snapped(0, columns: 80)

    #expect(layout.rowCount == 0)
    #expect(layout.contentHeight == 0)
    #expect(layout.index(at: PixelPoint(x: 50, y: 50)) == nil)
    #expect(layout.indices(in: PixelRect(x: 0, y: 0, width: 800, height: 400)).isEmpty)
  }
}
