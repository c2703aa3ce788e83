/// Close-ups: sharp pictures of the visible part of a magnified photo.
extension Gallery {
  /// Returns the demand for a sharper picture of a photo.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - view: The magnification of the photo.
  ///   - stage: The photo and the area that displays it.
  ///   - panDirection: The direction in which the photo last moved; see `Viewer.panDirection`.
  ///   - others: The number of other photos that are magnified beside it.
  ///   - isAhead: Whether the photo is not visible yet, so that only the needed region is demanded.
  /// - Returns: Nil if the fitted picture is sharp enough.
  func closeUpDemand(
    of photo: Photo.ID, _ view: Magnification, on stage: Magnification.PhotoInArea,
    panDirection: PixelPoint, beside others: Int = 0, isAhead: Bool = false
  ) -> Demand? {
    let orientation = orientation(of: photo)
    // A rotated picture is there twice, as it was fetched and as it is shown.
    let share = (options.pictureMemory - frameByteCount) / (1 + others)
    let memory = orientation == .upright ? share : share * 2 / 3
    let part = VisiblePart(
      of: view, on: stage, panDirection: panDirection, metrics: viewport.metrics, memory: memory)
    guard let part else { return nil }
    // Each frame of an animated photo, or of a film, is a picture of the whole.
    guard album.frameCount(of: photo) == nil, album.facts(of: photo)?.format != .film else {
      guard !isAhead else { return nil }
      return part.frameSize(samplesPerPixel: viewport.metrics.samplesPerPixel)
        .map { Demand(photo: photo, size: orientation.turned($0), mode: .fit) }
    }
    guard let (needed, most) = part.regions else { return nil }
    let wanted = isAhead ? needed : most
    guard (wanted.width, wanted.height) != stage.sides else {
      let (width, height) = wanted.sampleSize
      let size = PixelSize(width: Double(width), height: Double(height))
      return Demand(
        photo: photo, size: orientation.turned(size), mode: .fit,
        proximity: isAhead ? .neighbor : .visible)
    }
    // Pictures are fetched upright, before the session's rotation.
    let back = orientation.inverse
    var demand = Demand(
      photo: photo,
      region: Demand.Region(
        needed: needed.turned(back, in: stage.sides), wanted: wanted.turned(back, in: stage.sides)))
    if isAhead { demand.proximity = .neighbor }
    return demand
  }
}
