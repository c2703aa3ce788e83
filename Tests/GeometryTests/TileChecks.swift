@testable import Geometry
import TestSupport
import Testing

/// Layouts of every kind, of random sizes.
struct EveryLayoutTests {
  @Test(arguments: LayoutStyle.Kind.allCases)
  func `tiles lie apart, inside of the content, and each is found at its position`(
    kind: LayoutStyle.Kind
  ) {
    let seed: UInt64 = 27_182
    var random = SeededGenerator(seed: seed)
    for count in 0...80 {
      let metrics = CellMetrics(
        cell: PixelSize(
          width: Double.random(in: 6...14, using: &random),
          height: Double.random(in: 14...20, using: &random)))
      let area = PixelSize(
        // On a narrower page a bento's tiles would be narrower than a placement step.
        width: Double(Int.random(in: 20...300, using: &random)) * metrics.cell.width,
        height: Double(Int.random(in: 1...90, using: &random)) * metrics.cell.height)
      var style = LayoutStyle()
      style.kind = kind
      let ratios = (0..<count).map { _ in Double.random(in: 0.3...3, using: &random) }
      let context: Comment = "seed \(seed): \(count) photos in \(area)"
      let snapped = style.snapped(count, in: area, metrics: metrics) { ratios[$0] }
      let exact = style.exact(count, in: area, metrics: metrics) { ratios[$0] }
      let isFull = kind == .mosaic
      for (layout, margin) in [(snapped, metrics.gap), (exact, .zero)] {
        let faults = faults(
          of: layout, gap: metrics.gap, margin: margin, width: area.width, isFull: isFull)
        #expect(faults == [], context)
      }
    }
  }
}

/// Descriptions of the faults of tiles that should lie apart in their content.
///
/// Every tile must have its neighbors at least a gap away; if the tiles should fill the content,
/// exactly a gap away, or touch the content's edge.
func faults(
  of layout: TileLayout, gap: PixelSize, margin: PixelSize, width: Double, isFull: Bool = true
) -> [String] {
  let frames = (0..<layout.count).map { layout.frame(at: $0) }
  guard let bottom = frames.map(\.maxY).max(), let right = frames.map(\.maxX).max() else {
    return layout.contentHeight == 0 ? [] : ["no photos, but \(layout.contentHeight) high"]
  }
  var faults: [String] = []
  func expect(_ isTrue: Bool, _ fault: @autoclosure () -> String) {
    if !isTrue { faults.append(fault()) }
  }
  func isNear(_ left: Double, _ right: Double) -> Bool { abs(left - right) < 1e-6 }

  func isAsFar(_ distance: Double, _ gap: Double) -> Bool {
    isFull ? isNear(distance, gap) : distance > gap - 1e-6
  }

  expect(
    isAsFar(layout.contentHeight - bottom, margin.height), "the union ends at \(bottom)")
  expect(isAsFar(width - right, margin.width), "the union is \(right) wide")
  for (index, frame) in frames.enumerated() {
    expect(!frame.size.isEmpty, "\(index) is empty: \(frame)")
    expect(frame.minX > margin.width - 1e-6, "\(index) is in the left margin")
    expect(frame.minY > margin.height - 1e-6, "\(index) is in the upper margin")
    expect(layout.index(at: frame.center) == index, "\(index) is not under its centre")
    expect(layout.indices(in: frame).contains(index), "\(index) is not found in its frame")
    expect(layout.labelFrame(at: index) == nil, "\(index) has a label")
    let inset = PixelRect(center: frame.center, size: frame.size.scaled(by: 1 - 1e-9))
    var toRight = Double.infinity
    var toBottom = Double.infinity
    for (other, tile) in frames.enumerated() where other != index {
      expect(!tile.intersects(inset), "\(index) and \(other) overlap")
      if tile.minY < inset.maxY, inset.minY < tile.maxY, tile.minX > frame.minX {
        toRight = min(toRight, tile.minX - frame.maxX)
      }
      if tile.minX < inset.maxX, inset.minX < tile.maxX, tile.minY > frame.minY {
        toBottom = min(toBottom, tile.minY - frame.maxY)
      }
    }
    expect(
      toRight == .infinity ? !isFull || isNear(frame.maxX, right) : isAsFar(toRight, gap.width),
      "\(toRight) free at the right of \(index)")
    expect(
      toBottom == .infinity
        ? !isFull || isNear(frame.maxY, bottom) : isAsFar(toBottom, gap.height),
      "\(toBottom) free below \(index)")
  }
  return faults
}
