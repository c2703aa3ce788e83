/// Sharpness: the part of a zoomed photo that is on the screen, at the resolution that it needs.
extension Browser {
  /// Up to so many samples a picture of a part is made larger than what is seen, to move about in:
  /// 32 MB.
  private static let roomySamples = 8 << 20
  /// The most samples of each frame of an animated photo: 8 MB.
  private static let frameSamples = 2 << 20
  /// More samples than a screen shows; what would need more is fetched at half the resolution.
  private static let mostSamples = 24 << 20
  /// The longest side of a picture, in samples.
  private static let longestSide = 8192
  /// What has to be there around what is seen, as a share of it on each side.
  private static let neededMargin = 0.125
  /// What is fetched around what is seen, as a share of it on each side.
  private static let wantedMargin = 0.5
  /// So much of that margin moves from the side that is left behind to the one ahead, as a share of
  /// what is seen.
  private static let aheadMargin = 0.25

  /// The wish for the photo on the screen where it is larger than its fitted picture is sharp for.
  var closeUpDemand: Demand? {
    guard let viewer, let stage = stage(of: viewer.index), !stage.area.size.isEmpty else {
      return nil
    }
    let factor = stage.factor(of: viewer.view.scale)
    guard factor > stage.fit * 1.001 else { return nil }
    let density = factor * viewport.metrics.samplesPerPixel
    let frame = viewer.view.frame(on: stage)
    let seen = PixelRect(
      x: (stage.area.minX - frame.minX) / factor, y: (stage.area.minY - frame.minY) / factor,
      width: stage.area.width / factor, height: stage.area.height / factor)
    /// What is seen, with a margin around it.
    func region(_ reduction: Int, margin: Double, ahead: PixelPoint = .zero) -> PhotoRegion? {
      let rect = PixelRect(
        x: seen.minX - (margin + ahead.x) * seen.width,
        y: seen.minY - (margin + ahead.y) * seen.height,
        width: seen.width * (1 + 2 * margin), height: seen.height * (1 + 2 * margin))
      return PhotoRegion(covering: rect, of: stage.photo, reduction: reduction)
    }
    func isTooLarge(_ region: PhotoRegion, _ most: Int) -> Bool {
      let (width, height) = region.sampleSize
      return max(width, height) > Self.longestSide || width * height > most
    }
    var reduction = 1
    while reduction < PhotoRegion.largestReduction,
      density * Double(reduction) * 2 <= 1
        || region(reduction, margin: Self.neededMargin).map({ isTooLarge($0, Self.mostSamples) })
          ?? false
    {
      reduction *= 2
    }
    let photo = photos[viewer.index]
    // Of an animated photo each frame is a picture of the whole.
    guard collection.frameCount(of: photo) == nil else {
      return frameDemand(of: photo, on: stage, reduction)
    }
    guard let needed = region(reduction, margin: Self.neededMargin) else { return nil }
    // What comes into sight is where the photo comes from.
    let ahead = PixelPoint(
      x: viewer.panDirection.x * Self.aheadMargin, y: viewer.panDirection.y * Self.aheadMargin)
    var wanted = region(reduction, margin: Self.wantedMargin, ahead: ahead) ?? needed
    if isTooLarge(wanted, Self.roomySamples) || !wanted.satisfies(needed) { wanted = needed }
    return demand(for: photo, on: stage, needed: needed, wanted: wanted)
  }

  /// The wish for frames of an animated photo, as fine as is needed and their number allows; nil
  /// where that is no finer than at fit.
  private func frameDemand(
    of photo: Photo.ID, on stage: Magnification.Stage, _ reduction: Int
  ) -> Demand? {
    func size(_ reduction: Int) -> PixelSize { stage.photo.scaled(by: 1 / Double(reduction)) }
    let sufficient = sequence(first: reduction) { $0 * 2 }.first {
      size($0).width * size($0).height <= Double(Self.frameSamples)
        && max(size($0).width, size($0).height) <= Double(Self.longestSide)
    }
    guard let sufficient,
      1 / Double(sufficient) > stage.fit * viewport.metrics.samplesPerPixel
    else { return nil }
    return Demand(
      photo: photo, size: orientation(of: photo).turned(size(sufficient)), mode: .fit)
  }

  /// The wish for a part of a photo as it is turned; for the whole where that is all of it.
  private func demand(
    for photo: Photo.ID, on stage: Magnification.Stage, needed: PhotoRegion, wanted: PhotoRegion
  ) -> Demand {
    let orientation = orientation(of: photo)
    guard (wanted.width, wanted.height) != stage.sides else {
      let size = stage.photo.scaled(by: 1 / Double(wanted.reduction))
      return Demand(photo: photo, size: orientation.turned(size), mode: .fit)
    }
    let back = orientation.inverse
    return Demand(
      photo: photo,
      part: Demand.Part(
        needed: needed.turned(back, in: stage.sides), wanted: wanted.turned(back, in: stage.sides)))
  }

  /// The picture of a part over the one of the whole, or in its place.
  ///
  /// - Parameters:
  ///   - closeUp: The picture of a part, if there is one.
  ///   - whole: The placement of the whole photo, clipped to the screen.
  ///   - frame: The same before it was clipped.
  /// - Returns: What to show, back to front.
  func placements(
    of closeUp: CloseUp?, over whole: Placement, in frame: PixelRect
  ) -> [Placement] {
    guard let closeUp, let index = viewer?.index, let stage = stage(of: index) else {
      return [whole]
    }
    let full = stage.wholeFrame(showing: frame)
    let factor = full.width / stage.photo.width
    // The fitted picture is as fine, and does not stop at an edge.
    guard factor > stage.fit * 1.001 else { return [whole] }
    let orientation = whole.orientation
    let sides = orientation.inverse.turned(width: stage.sides.width, height: stage.sides.height)
    let rect = closeUp.region.turned(orientation, in: sides).rect
    let place = PixelRect(
      x: full.minX + rect.minX * factor, y: full.minY + rect.minY * factor,
      width: rect.width * factor, height: rect.height * factor)
    func overlap(_ low: Double, _ high: Double, _ start: Double, _ end: Double) -> (Double, Double)
    {
      // A hair of a pixel is a rounding error.
      (low < start + 1e-3 ? start : low, high > end - 1e-3 ? end : high)
    }
    let seen = whole.frame
    let (left, right) = overlap(place.minX, place.maxX, seen.minX, seen.maxX)
    let (top, bottom) = overlap(place.minY, place.maxY, seen.minY, seen.maxY)
    guard left < right, top < bottom else { return [whole] }
    let part = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    let sharp = Placement(
      photo: whole.photo, frame: part,
      crop: PixelRect(
        x: max((left - place.minX) / place.width, 0), y: max((top - place.minY) / place.height, 0),
        width: min(part.width / place.width, 1), height: min(part.height / place.height, 1)),
      opacity: whole.opacity, region: closeUp.region, orientation: orientation)
    if part == seen { return [sharp] }
    // Over each other, what shines through would be seen twice.
    return closeUp.isOpaque && whole.opacity >= 1 ? [whole, sharp] : [whole]
  }
}

extension Magnification.Stage {
  /// The photo's sides in whole pixels.
  fileprivate var sides: (width: Int, height: Int) {
    (Int(photo.width.rounded()), Int(photo.height.rounded()))
  }
}
