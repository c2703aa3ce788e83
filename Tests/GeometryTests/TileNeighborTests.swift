import TestSupport
import Testing

@testable import Geometry

struct TileNeighborTests {
  private func grid(_ count: Int, columns: Int, labels: Bool = false) -> TileLayout {
    .grid(
      GridLayout(
        snapping: count, width: Double(columns * 50 + 20),
        columns: GridColumns([.adaptive(minimum: 40)]), spacing: 1, metrics: .standard,
        hasLabels: labels))
  }

  private func mosaic(_ count: Int) -> TileLayout {
    .mosaic(MosaicLayout(snapping: count, width: 1000, pageHeight: 580, metrics: .standard))
  }

  private func rows(_ count: Int) -> TileLayout {
    .rows(
      RowsLayout(
        snapping: count, width: 1000, rowHeight: 160, metrics: .standard,
        ratio: { [1.5, 0.7, 1, 3, nil, 0.1, 9][$0 * 31 % 7] }))
  }

  private func bento(_ count: Int, _ pattern: Split) -> TileLayout {
    .bento(
      BentoLayout(
        snapping: count, width: 1000, pageHeight: 580, pattern: pattern, metrics: .standard))
  }

  private func walk(_ layout: TileLayout, from start: Int, _ direction: Direction) -> [Int] {
    var walked = [start]
    while let last = walked.last, walked.count <= layout.count,
      let next = layout.neighbor(of: last, in: direction)
    {
      walked.append(next)
    }
    return walked
  }

  /// The photos that can be reached from the first one.
  private func reached(in layout: TileLayout) -> Set<Int> {
    var reached: Set = [0]
    var open = [0]
    while let index = open.popLast() {
      for direction in Direction.allCases {
        if let next = layout.neighbor(of: index, in: direction), reached.insert(next).inserted {
          open.append(next)
        }
      }
    }
    return reached
  }

  /// Descriptions of the walks in one direction that never end, or that end before the edge.
  private func faultyWalks(in layout: TileLayout) -> [String] {
    let frames = (0..<layout.count).map { layout.frame(at: $0) }
    var faults: [String] = []
    for start in 0..<layout.count {
      for direction in Direction.allCases {
        let walked = walk(layout, from: start, direction)
        if walked.count > layout.count { faults.append("\(start) \(direction) never ends") }
        let end = frames[walked[walked.count - 1]]
        let isAtEdge =
          switch direction {
          case .left: !frames.contains { $0.maxX <= end.minX && $0.intersects(row(of: end)) }
          case .right: !frames.contains { $0.minX >= end.maxX && $0.intersects(row(of: end)) }
          case .up: !frames.contains { $0.maxY <= end.minY }
          case .down: !frames.contains { $0.minY >= end.maxY }
          }
        if !isAtEdge { faults.append("\(start) \(direction) ends early: \(walked)") }
      }
    }
    return faults
  }

  private func row(of frame: PixelRect) -> PixelRect {
    PixelRect(x: -1e6, y: frame.minY + 0.1, width: 2e6, height: frame.height - 0.2)
  }

  @Test(arguments: [1, 2, 5, 8], [false, true])
  func `in a grid the arrows go by rows and columns`(columns: Int, hasLabels: Bool) {
    for count in 0...30 {
      let layout = grid(count, columns: columns, labels: hasLabels)
      for index in 0..<count {
        let isFirst = index % columns == 0
        let isLast = (index + 1) % columns == 0 || index + 1 == count
        let isLastRow = index / columns == (count - 1) / columns
        #expect(layout.neighbor(of: index, in: .left) == (isFirst ? nil : index - 1))
        #expect(layout.neighbor(of: index, in: .right) == (isLast ? nil : index + 1))
        #expect(
          layout.neighbor(of: index, in: .up) == (index < columns ? nil : index - columns))
        #expect(
          layout.neighbor(of: index, in: .down)
            == (isLastRow ? nil : min(index + columns, count - 1)))
      }
    }
  }

  @Test func `in a grid of unequal columns the arrows stay in their row or column`() {
    let layout = TileLayout.grid(
      GridLayout(
        snapping: 9, width: 1000,
        columns: GridColumns([.fixed(100), .flexible(minimum: 300), .fixed(200)]), spacing: 1,
        metrics: .standard, hasLabels: false))

    #expect(walk(layout, from: 0, .down) == [0, 3, 6])
    #expect(walk(layout, from: 7, .up) == [7, 4, 1])
    #expect(walk(layout, from: 3, .right) == [3, 4, 5])
    #expect(walk(layout, from: 5, .left) == [5, 4, 3])
  }

  @Test func `in a mosaic the arrows lead to adjacent tiles`() {
    // 0 0 1 / 0 0 2 above 3 5 5 / 4 5 5 above 6 7
    let layout = mosaic(8)

    #expect(layout.neighbor(of: 0, in: .right) == 1)
    #expect(layout.neighbor(of: 1, in: .down) == 2)
    #expect(layout.neighbor(of: 2, in: .left) == 0)
    #expect(layout.neighbor(of: 2, in: .right) == nil)
    #expect(layout.neighbor(of: 2, in: .down) == 5)
    #expect(layout.neighbor(of: 0, in: .down) == 3)
    #expect(layout.neighbor(of: 3, in: .right) == 5)
    #expect(layout.neighbor(of: 5, in: .left) == 3)
    #expect(layout.neighbor(of: 4, in: .down) == 6)
    #expect(layout.neighbor(of: 5, in: .down) == 7)
    #expect(layout.neighbor(of: 7, in: .up) == 5)
    #expect(layout.neighbor(of: 7, in: .down) == nil)
    #expect(layout.neighbor(of: 0, in: .up) == nil)
  }

  @Test func `the arrows reach every tile, and stop only at the edges`() {
    let seed: UInt64 = 32_384
    var random = SeededGenerator(seed: seed)
    for count in 1...40 {
      let pattern = Split.random(using: &random)
      let layouts = [
        grid(count, columns: 6), mosaic(count), bento(count, pattern), rows(count),
      ]
      let named = Split.named.map { bento(count, $0.split) }
      for layout in layouts + named {
        let context: Comment = "seed \(seed): \(count) photos, \(pattern.text), \(layout)"
        #expect(reached(in: layout) == Set(0..<count), context)
        #expect(faultyWalks(in: layout) == [], context)
      }
    }
  }

  @Test func `an index out of range has no neighbours`() {
    for layout in [grid(0, columns: 3), mosaic(0), bento(0, .tray), mosaic(5), rows(0), rows(5)] {
      for direction in Direction.allCases {
        #expect(layout.neighbor(of: 5, in: direction) == nil)
        #expect(layout.neighbor(of: -1, in: direction) == nil)
      }
    }
  }
}
