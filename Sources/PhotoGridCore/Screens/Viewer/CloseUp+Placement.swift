extension CloseUp {
  /// Returns the placements that show the close-up over the picture of the whole photo, or instead
  /// of it.
  ///
  /// - Parameters:
  ///   - whole: The placement of the whole photo, clipped to the screen.
  ///   - frame: The frame of that placement before it was clipped.
  ///   - stage: The photo and the screen.
  /// - Returns: The placements, from back to front.
  func placements(
    over whole: Placement, in frame: PixelRect, on stage: Magnification.Stage
  ) -> [Placement] {
    // At fit or smaller, the fitted picture is as sharp, and covers the whole photo.
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
    // A translucent close-up over the whole would be blended twice.
    return isOpaque && whole.opacity >= 1 ? [whole, sharp] : [whole]
  }

  /// Returns the close-up's frame in the picture area; nil if the photo is no larger than at fit.
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

  /// Returns the intersection of two frames, ignoring rounding errors; nil if it is empty.
  private static func overlap(_ place: PixelRect, _ frame: PixelRect) -> PixelRect? {
    func overlap(_ low: Double, _ high: Double, _ start: Double, _ end: Double) -> (Double, Double)
    {
      // Differences of less than 0.001 pixels are rounding errors.
      (low < start + 1e-3 ? start : low, high > end - 1e-3 ? end : high)
    }
    let (left, right) = overlap(place.minX, place.maxX, frame.minX, frame.maxX)
    let (top, bottom) = overlap(place.minY, place.maxY, frame.minY, frame.maxY)
    guard left < right, top < bottom else { return nil }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }
}
