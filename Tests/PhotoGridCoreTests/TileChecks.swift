import PhotoGridCore

/// Descriptions of the faults of tiles that should fill their content without overlap.
///
/// Every tile must have its neighbours exactly a gap away, or touch the content's edge.
func faults(of layout: TileLayout, gap: PixelSize, margin: PixelSize, width: Double) -> [String] {
  let frames = (0..<layout.count).map { layout.frame(at: $0) }
  guard let bottom = frames.map(\.maxY).max(), let right = frames.map(\.maxX).max() else {
    return layout.contentHeight == 0 ? [] : ["no photos, but \(layout.contentHeight) high"]
  }
  var faults: [String] = []
  func expect(_ isTrue: Bool, _ fault: @autoclosure () -> String) {
    if !isTrue { faults.append(fault()) }
  }
  func isNear(_ left: Double, _ right: Double) -> Bool { abs(left - right) < 1e-6 }

  expect(isNear(bottom + margin.height, layout.contentHeight), "the union ends at \(bottom)")
  expect(isNear(right + margin.width, width), "the union is \(right) wide")
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
      toRight == .infinity ? isNear(frame.maxX, right) : isNear(toRight, gap.width),
      "\(toRight) free at the right of \(index)")
    expect(
      toBottom == .infinity ? isNear(frame.maxY, bottom) : isNear(toBottom, gap.height),
      "\(toBottom) free below \(index)")
  }
  return faults
}
