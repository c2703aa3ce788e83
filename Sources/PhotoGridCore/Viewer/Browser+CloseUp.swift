/// Sharpness: the picture of the part of a magnified photo that is on the screen.
extension Browser {
  /// The demand for the photo on the screen where it is larger than its fitted picture is sharp for.
  var closeUpDemand: Demand? {
    guard let viewer, let stage = viewerIndex.flatMap(stage(of:)),
      let part = VisiblePart(of: viewer, on: stage, metrics: viewport.metrics)
    else { return nil }
    let photo = viewer.photo
    let orientation = orientation(of: photo)
    // Of an animated photo each frame is a picture of the whole.
    guard collection.frameCount(of: photo) == nil else {
      return part.frameSize(samplesPerPixel: viewport.metrics.samplesPerPixel)
        .map { Demand(photo: photo, size: orientation.turned($0), mode: .fit) }
    }
    guard let (needed, wanted) = part.regions else { return nil }
    guard (wanted.width, wanted.height) != stage.sides else {
      let size = stage.photo.scaled(by: 1 / Double(wanted.reduction))
      return Demand(photo: photo, size: orientation.turned(size), mode: .fit)
    }
    // Pictures are fetched upright, as the file has them.
    let back = orientation.inverse
    return Demand(
      photo: photo,
      region: Demand.Region(
        needed: needed.turned(back, in: stage.sides), wanted: wanted.turned(back, in: stage.sides)))
  }
}
