import PhotoGridCore

/// The sizes of the images that show a placement.
extension KittyRenderer {
  /// Returns the images that show a placement at rest, pixel for pixel.
  ///
  /// There is one, or several beside each other if sending a single image would take too long.
  func exactSpecs(for visible: KittyView.VisiblePlacement, in view: KittyView) -> [KittySpec] {
    var frame = visible.frame.roundedToPixels
    var crop = visible.crop
    let area = view.areaFrame
    if frame.width > area.width + 1 || frame.height > area.height + 1 {
      // Only the visible part of a photo that is larger than the screen.
      guard let part = frame.intersection(area)?.roundedToPixels else { return [] }
      crop = part.crop(showing: crop, in: frame)
      frame = part
    }
    let spec = KittySpec(
      subject: visible.subject, region: crop, width: Int(frame.width), height: Int(frame.height),
      border: .zero)
    guard visible.subject.isPhoto, !store.transport.medium.isLocal,
      spec.pixelCount > KittyLimits.pixelsPerPiece
    else {
      // Two cells for a large image, so that a border of one cell remains at half the size.
      let isLarge = spec.pixelCount > KittyLimits.pixelsPerPiece
      var whole = spec
      whole.border = view.border(cells: isLarge ? 2 : 1)
      return [whole]
    }
    return pieces(of: spec, in: frame, view: view)
  }

  /// Cuts an image along the boundaries of cells.
  private func pieces(of spec: KittySpec, in frame: PixelRect, view: KittyView) -> [KittySpec] {
    let limit = Double(KittyLimits.pixelsPerPiece)
    let rows = max((limit.squareRoot() / view.cell.height).rounded(.down), 1)
    let columns = max((limit / (rows * view.cell.height) / view.cell.width).rounded(.down), 1)
    func cuts(_ start: Double, _ end: Double, step: Double) -> [Double] {
      var places = [start]
      var next = ((start / step).rounded(.down) + 1) * step
      while next.rounded() < end {
        places.append(next.rounded())
        next += step
      }
      return places + [end]
    }
    let across = cuts(frame.minX, frame.maxX, step: columns * view.cell.width)
    let down = cuts(frame.minY, frame.maxY, step: rows * view.cell.height)
    let border = view.border(cells: 1)
    var result: [KittySpec] = []
    for (top, bottom) in zip(down, down.dropFirst()) {
      for (left, right) in zip(across, across.dropFirst()) {
        let part = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
        var piece = spec
        piece.region = part.crop(showing: spec.region, in: frame)
        piece.width = Int(part.width)
        piece.height = Int(part.height)
        piece.border = Insets(
          left: left == frame.minX ? border.left : 0, top: top == frame.minY ? border.top : 0,
          right: right == frame.maxX ? border.right : 0,
          bottom: bottom == frame.maxY ? border.bottom : 0)
        result.append(piece)
      }
    }
    return result
  }

  /// Returns the image of a whole photo in one of a few sizes.
  ///
  /// The sizes are the size that fits the screen, a half of it, a quarter and so on. The smallest
  /// one of at least `density` is chosen; a smaller one if sending it would take too long, and none
  /// larger than the picture.
  func wholeSpec(for visible: KittyView.VisiblePlacement, in view: KittyView, density: Double)
    -> KittySpec
  {
    let screen = view.areaFrame.wholePhoto(
      of: visible.wholeSize, quantum: PixelSize(width: 1, height: 1)
    ).size
    var scale = 1.0
    while scale > 1 / 32, screen.width * scale / 2 >= 0.98 * density { scale /= 2 }
    let limit = Double(KittyLimits.pixelsPerPiece)
    while !store.transport.medium.isLocal, screen.width * screen.height * scale * scale > limit {
      scale /= 2
    }
    var (width, height) = (screen.width * scale, screen.height * scale)
    if let full = visible.picture?.full, Double(full.width) < width {
      (width, height) = (Double(full.width), Double(full.height))
    }
    return KittySpec(
      subject: visible.subject, region: .unit, width: max(Int(width.rounded()), 1),
      height: max(Int(height.rounded()), 1),
      border: view.border(cells: width * height > limit ? 2 : 1))
  }
}

extension KittySpec {
  /// Returns the image of a veil: one pixel.
  static func veil(_ alpha: UInt8) -> KittySpec {
    KittySpec(subject: .veil(alpha), region: .unit, width: 1, height: 1, border: .zero)
  }

  /// Whether the image contains all that a placement shows, within half a pixel.
  func covers(_ visible: KittyView.VisiblePlacement) -> Bool {
    let (across, down) = (0.5 / visible.wholeSize.width, 0.5 / visible.wholeSize.height)
    return region.minX <= visible.crop.minX + across && region.maxX >= visible.crop.maxX - across
      && region.minY <= visible.crop.minY + down && region.maxY >= visible.crop.maxY - down
  }

  /// Whether the image contains no more than a placement shows, within half a pixel.
  func isCut(to visible: KittyView.VisiblePlacement) -> Bool {
    let (across, down) = (0.5 / visible.wholeSize.width, 0.5 / visible.wholeSize.height)
    return region.minX >= visible.crop.minX - across && region.maxX <= visible.crop.maxX + across
      && region.minY >= visible.crop.minY - down && region.maxY <= visible.crop.maxY + down
  }
}
