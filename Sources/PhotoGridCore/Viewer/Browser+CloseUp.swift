/// Close-ups: sharp pictures of the visible part of a magnified photo.
extension Browser {
  /// The demand for a sharper picture of the open photo; nil if its fitted picture is sharp enough.
  var closeUpDemand: Demand? {
    guard let viewer, let stage = viewerIndex.flatMap(stage(of:)),
      let part = VisiblePart(of: viewer, on: stage, metrics: viewport.metrics)
    else { return nil }
    let photo = viewer.photo
    let orientation = orientation(of: photo)
    // Each frame of an animated photo is a picture of the whole.
    guard collection.frameCount(of: photo) == nil else {
      return part.frameSize(samplesPerPixel: viewport.metrics.samplesPerPixel)
        .map { Demand(photo: photo, size: orientation.turned($0), mode: .fit) }
    }
    guard let (needed, wanted) = part.regions else { return nil }
    guard (wanted.width, wanted.height) != stage.sides else {
      let size = stage.photo.scaled(by: 1 / Double(wanted.reduction))
      return Demand(photo: photo, size: orientation.turned(size), mode: .fit)
    }
    // Pictures are fetched upright, before the session's rotation.
    let back = orientation.inverse
    return Demand(
      photo: photo,
      region: Demand.Region(
        needed: needed.turned(back, in: stage.sides), wanted: wanted.turned(back, in: stage.sides)))
  }
}
