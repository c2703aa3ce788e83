/// The part of a magnified photo that is on the screen, and which pictures make it sharp.
struct VisiblePart {
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

  /// The photo and the screen.
  let stage: Magnification.Stage
  /// What is seen, in pixels of the photo.
  private let seen: PixelRect
  /// How many samples of the terminal a pixel of the photo takes.
  private let density: Double
  /// See `Viewer.panDirection`.
  private let panDirection: PixelPoint

  /// The part of an open photo that is seen; nil where the picture of the photo at fit is as sharp.
  init?(of viewer: Viewer, on stage: Magnification.Stage, metrics: CellMetrics) {
    guard !stage.area.size.isEmpty else { return nil }
    let factor = stage.factor(of: viewer.view.scale)
    guard factor > stage.fit * 1.001 else { return nil }
    let frame = viewer.view.frame(on: stage)
    self.stage = stage
    density = factor * metrics.samplesPerPixel
    panDirection = viewer.panDirection
    seen = PixelRect(
      x: (stage.area.minX - frame.minX) / factor, y: (stage.area.minY - frame.minY) / factor,
      width: stage.area.width / factor, height: stage.area.height / factor)
  }

  /// The region that must be sharp, and the one to fetch, which has a margin to move about in; nil
  /// where nothing of the photo is seen.
  var regions: (needed: PhotoRegion, wanted: PhotoRegion)? {
    let reduction = reduction
    guard let needed = region(reduction, margin: Self.neededMargin) else { return nil }
    // What comes into sight is where the photo comes from.
    let ahead = PixelPoint(
      x: panDirection.x * Self.aheadMargin, y: panDirection.y * Self.aheadMargin)
    let wanted = region(reduction, margin: Self.wantedMargin, ahead: ahead) ?? needed
    let isWantedFetched =
      !Self.isTooLarge(wanted, Self.roomySamples) && wanted.satisfies(needed)
    return (needed, isWantedFetched ? wanted : needed)
  }

  /// The size of an animated photo's frames, as fine as is needed and their number allows; nil where
  /// that is no finer than at fit.
  func frameSize(samplesPerPixel: Double) -> PixelSize? {
    let sufficient = sequence(first: reduction) { $0 * 2 }.first {
      let size = size($0)
      return size.width * size.height <= Double(Self.frameSamples)
        && max(size.width, size.height) <= Double(Self.longestSide)
    }
    guard let sufficient, 1 / Double(sufficient) > stage.fit * samplesPerPixel else { return nil }
    return size(sufficient)
  }

  /// The whole photo reduced, in samples.
  private func size(_ reduction: Int) -> PixelSize {
    stage.photo.scaled(by: 1 / Double(reduction))
  }

  /// Into how many pixels of the photo a sample goes on each axis: a power of two, as small as the
  /// terminal shows and memory allows.
  private var reduction: Int {
    var reduction = 1
    while reduction < PhotoRegion.largestReduction,
      density * Double(reduction) * 2 <= 1
        || region(reduction, margin: Self.neededMargin).map({
          Self.isTooLarge($0, Self.mostSamples)
        }) ?? false
    {
      reduction *= 2
    }
    return reduction
  }

  /// What is seen, with a margin around it, in shares of what is seen.
  private func region(
    _ reduction: Int, margin: Double, ahead: PixelPoint = .zero
  ) -> PhotoRegion? {
    let rect = PixelRect(
      x: seen.minX - (margin + ahead.x) * seen.width,
      y: seen.minY - (margin + ahead.y) * seen.height,
      width: seen.width * (1 + 2 * margin), height: seen.height * (1 + 2 * margin))
    return PhotoRegion(covering: rect, of: stage.photo, reduction: reduction)
  }

  private static func isTooLarge(_ region: PhotoRegion, _ most: Int) -> Bool {
    let (width, height) = region.sampleSize
    return max(width, height) > longestSide || width * height > most
  }
}

extension Magnification.Stage {
  /// The photo's sides in whole pixels.
  var sides: (width: Int, height: Int) {
    (Int(photo.width.rounded()), Int(photo.height.rounded()))
  }
}
