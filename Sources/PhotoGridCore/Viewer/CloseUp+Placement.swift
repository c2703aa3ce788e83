extension CloseUp {
  /// The picture of the part over the one of the whole photo, or in its place.
  ///
  /// - Parameters:
  ///   - whole: The placement of the whole photo, clipped to the screen.
  ///   - frame: The same before it was clipped.
  ///   - stage: The photo and the screen.
  /// - Returns: What to show, back to front.
  func placements(
    over whole: Placement, in frame: PixelRect, on stage: Magnification.Stage
  ) -> [Placement] {
    // Below that the fitted picture is as fine, and does not stop at an edge.
    guard let place = place(of: whole, in: frame, on: stage),
      let part = Self.overlap(place, whole.frame)
    else { return [whole] }
    let sharp = Placement(
      photo: whole.photo, frame: part,
      crop: PixelRect(
        x: max((part.minX - place.minX) / place.width, 0),
        y: max((part.minY - place.minY) / place.height, 0),
        width: min(part.width / place.width, 1), height: min(part.height / place.height, 1)),
      opacity: whole.opacity, region: region, orientation: whole.orientation)
    if part == whole.frame { return [sharp] }
    // Over each other, what shines through would be seen twice.
    return isOpaque && whole.opacity >= 1 ? [whole, sharp] : [whole]
  }

  /// Where the part is in the picture area; nil where the photo is no larger than at fit.
  private func place(
    of whole: Placement, in frame: PixelRect, on stage: Magnification.Stage
  ) -> PixelRect? {
    let full = stage.wholeFrame(showing: frame)
    let factor = full.width / stage.photo.width
    guard factor > stage.fit * 1.001 else { return nil }
    let orientation = whole.orientation
    let sides = orientation.inverse.turned(width: stage.sides.width, height: stage.sides.height)
    let rect = region.turned(orientation, in: sides).rect
    return PixelRect(
      x: full.minX + rect.minX * factor, y: full.minY + rect.minY * factor,
      width: rect.width * factor, height: rect.height * factor)
  }

  /// What of a place lies in a frame; nil if nothing does.
  private static func overlap(_ place: PixelRect, _ frame: PixelRect) -> PixelRect? {
    func overlap(_ low: Double, _ high: Double, _ start: Double, _ end: Double) -> (Double, Double)
    {
      // A hair of a pixel is a rounding error.
      (low < start + 1e-3 ? start : low, high > end - 1e-3 ? end : high)
    }
    let (left, right) = overlap(place.minX, place.maxX, frame.minX, frame.maxX)
    let (top, bottom) = overlap(place.minY, place.maxY, frame.minY, frame.maxY)
    guard left < right, top < bottom else { return nil }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }
}
