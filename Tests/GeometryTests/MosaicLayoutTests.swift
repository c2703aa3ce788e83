import TestSupport
import Testing

@testable import Geometry

struct MosaicLayoutTests {
  /// A segment at a vertical position in quanta, on a page of 30 by 30 quanta inside its margins.
  private enum Segment {
    case full(Int), half(Int), large(Int), small(Int)

    var frames: [[Int]] {
      switch self {
      case .full(let y): [[1, y, 30, 30]]
      case .half(let y): [[1, y, 15, 15], [17, y, 14, 15]]
      case .large(let y): [[1, y, 20, 10], [22, y, 9, 5], [22, y + 6, 9, 4]]
      case .small(let y): [[1, y, 10, 5], [1, y + 6, 10, 4], [12, y, 19, 10]]
      }
    }
  }

  private static let expected: [(segments: [Segment], height: Int)] = [
    ([], 0),
    ([.full(1)], 32),
    ([.half(1)], 17),
    ([.small(1)], 12),
    ([.large(1), .full(12)], 43),
    ([.small(1), .half(12)], 28),
    ([.large(1), .small(12)], 23),
    ([.large(1), .small(12), .full(23)], 54),
    ([.large(1), .small(12), .half(23)], 39),
    ([.large(1), .small(12), .half(23), .full(39)], 70),
    ([.large(1), .small(12), .half(23), .half(39)], 55),
    ([.large(1), .small(12), .half(23), .large(39)], 50),
    ([.large(1), .small(12), .half(23), .large(39), .full(50)], 81),
  ]

  @Test(arguments: 0...12)
  func `up to twelve photos have exactly the frames of their styles`(count: Int) {
    let layout = MosaicLayout(
      snapping: count, width: 320, pageHeight: 320, metrics: .standard)

    let quanta = (0..<count).map { index in
      let frame = layout.tiles.frame(at: index)
      return [frame.minX, frame.minY, frame.width, frame.height].map { Int($0 / 10) }
    }

    #expect(quanta == Self.expected[count].segments.flatMap(\.frames))
    #expect(layout.tiles.contentHeight == Double(Self.expected[count].height * 10))
  }

  @Test func `the exact layout has no margins, rounds distances and keeps fractions of heights`() {
    let layout = MosaicLayout(
      exactly: 8, width: 800, pageHeight: 500, spacing: PixelSize(width: 10, height: 10))

    let third = 500.0 / 3
    #expect(layout.tiles.frame(at: 0) == PixelRect(x: 0, y: 0, width: 533, height: third))
    #expect(layout.tiles.frame(at: 1) == PixelRect(x: 543, y: 0, width: 257, height: 83))
    #expect(
      layout.tiles.frame(at: 2) == PixelRect(x: 543, y: 93, width: 257, height: third - 83 - 10))
    #expect(layout.tiles.frame(at: 3).size == PixelSize(width: 267, height: 83))
    #expect(layout.tiles.frame(at: 5).minX == 277)
    #expect(layout.tiles.frame(at: 5).width == 523)
    #expect(layout.tiles.frame(at: 6).size == PixelSize(width: 400, height: 250))
    #expect(layout.tiles.frame(at: 7).size == PixelSize(width: 390, height: 250))
  }

  @Test func `segments follow each other in the order of their styles`() {
    for count in 0...200 {
      let styles = MosaicLayout.Style.segments(count: count)
      let layout = MosaicLayout(snapping: count, width: 320, pageHeight: 320, metrics: .standard)

      #expect(styles.reduce(0) { $0 + $1.photoCount } == count)
      var y = 10.0
      var index = 0
      for style in styles {
        #expect(layout.tiles.frame(at: index).minY == y, "\(count) photos, number \(index)")
        index += style.photoCount
        switch style {
        case .full: y += 310
        case .half: y += 160
        case .twoThirdsByOneThird, .oneThirdByTwoThirds: y += 110
        }
      }
      #expect(layout.tiles.contentHeight == (count > 0 ? y : 0))
    }
  }

  @Test
  func `tiles fill any screen with gaps of a placementStep, and each is found at its position`() {
    let seed: UInt64 = 31_415
    var random = SeededGenerator(seed: seed)
    for count in 0...200 {
      let metrics = CellMetrics(
        cell: PixelSize(
          width: Double.random(in: 6...14, using: &random),
          height: Double.random(in: 14...20, using: &random)))
      let width = Double(Int.random(in: 7...300, using: &random)) * metrics.cell.width
      let height = Double(Int.random(in: 1...90, using: &random)) * metrics.cell.height
      let placementStep = metrics.placementStep
      let context: Comment = "seed \(seed): \(count) photos in \(width) x \(height)"

      let snapped = TileLayout.mosaic(
        MosaicLayout(snapping: count, width: width, pageHeight: height, metrics: metrics))
      let exact = TileLayout.mosaic(
        MosaicLayout(exactly: count, width: width, pageHeight: height, spacing: placementStep))

      #expect(
        faults(of: snapped, gap: placementStep, margin: placementStep, width: width) == [], context)
      #expect(faults(of: exact, gap: placementStep, margin: .zero, width: width) == [], context)
      for index in 0..<count {
        let frame = snapped.frame(at: index)
        for quanta in [
          frame.minX / placementStep.width, frame.maxX / placementStep.width,
          frame.minY / placementStep.height,
          frame.maxY / placementStep.height,
        ] where abs(quanta - quanta.rounded()) > 1e-6 {
          Issue.record("\(frame) is off the quanta; \(context)")
        }
      }
    }
  }

  @Test(arguments: [-5, 0, 0.1, 10, 1e300, .infinity, .nan])
  func `impossible screen sizes still give finite tiles that are not empty`(side: Double) {
    let layout = MosaicLayout(snapping: 9, width: side, pageHeight: side, metrics: .standard)
    let spacing = PixelSize(width: side, height: side)
    let exact = MosaicLayout(exactly: 9, width: side, pageHeight: side, spacing: spacing)

    for tiles in [layout.tiles, exact.tiles] {
      #expect((0..<9).allSatisfy { !tiles.frame(at: $0).size.isEmpty })
      #expect(tiles.contentHeight.isFinite)
    }
  }

  @Test func `indices past the end have frames below it`() {
    let layout = MosaicLayout(snapping: 9, width: 320, pageHeight: 320, metrics: .standard)

    #expect(layout.tiles.frame(at: 9).minY >= layout.tiles.frame(at: 8).maxY)
    #expect(layout.tiles.frame(at: 17).minY >= layout.tiles.frame(at: 16).maxY)
    let empty = MosaicLayout(snapping: 0, width: 320, pageHeight: 320, metrics: .standard)
    #expect(empty.tiles.frame(at: 0) == layout.tiles.frame(at: 0))
    #expect(empty.tiles.index(at: PixelPoint(x: 20, y: 20)) == nil)
    #expect(empty.tiles.indices(in: PixelRect(x: 0, y: 0, width: 320, height: 320)).isEmpty)
  }

  @Test func `the visible tiles among many are found exactly`() {
    let layout = MosaicLayout(
      snapping: 1_001, width: 2000, pageHeight: 1200, metrics: .standard)
    var random = SeededGenerator(seed: 27)
    for _ in 0..<200 {
      let view = PixelRect(
        x: 0, y: Double.random(in: -1500...layout.tiles.contentHeight + 10, using: &random),
        width: 2000, height: 1200)

      let found = layout.tiles.indices(in: view)

      let visible = (0..<1_001).filter { layout.tiles.frame(at: $0).intersects(view) }
      #expect(visible.first == (found.isEmpty ? nil : found.lowerBound))
      #expect(visible.last == (found.isEmpty ? nil : found.upperBound - 1))
      let edge = PixelRect(x: 0, y: view.minY, width: 1, height: view.height)
      #expect(layout.tiles.indices(in: edge) == found, "a narrow view at the same height")
    }
  }
}
