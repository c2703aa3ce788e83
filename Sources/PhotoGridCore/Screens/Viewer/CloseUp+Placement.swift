import Geometry
import Photos
import SceneModel

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
    over whole: Placement, in frame: PixelRect, on stage: Magnification.PhotoInArea
  ) -> [Placement] {
    // At fit or smaller, the fitted picture is as sharp, and covers the whole photo.
    guard let target = targetFrame(of: whole, in: frame, on: stage),
      let part = Self.overlap(target, whole.frame)
    else { return [whole] }
    let sharp = Placement(
      photo: whole.photo, frame: part,
      crop: PixelRect(
        x: max((part.minX - target.minX) / target.width, 0),
        y: max((part.minY - target.minY) / target.height, 0),
        width: min(part.width / target.width, 1), height: min(part.height / target.height, 1)),
      opacity: whole.opacity, region: region, orientation: whole.orientation)
    if part == whole.frame { return [sharp] }
    // A translucent close-up over the whole would be blended twice.
    return isOpaque && whole.opacity >= 1 ? [whole, sharp] : [whole]
  }

  /// Returns the close-up's frame in the picture area; nil if the photo is no larger than at fit.
  private func targetFrame(
    of whole: Placement, in frame: PixelRect, on stage: Magnification.PhotoInArea
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
  private static func overlap(_ target: PixelRect, _ frame: PixelRect) -> PixelRect? {
    func overlap(_ low: Double, _ high: Double, _ start: Double, _ end: Double) -> (Double, Double)
    {
      // Differences of less than 0.001 pixels are rounding errors.
      (low < start + 1e-3 ? start : low, high > end - 1e-3 ? end : high)
    }
    let (left, right) = overlap(target.minX, target.maxX, frame.minX, frame.maxX)
    let (top, bottom) = overlap(target.minY, target.maxY, frame.minY, frame.maxY)
    guard left < right, top < bottom else { return nil }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }
}

/// The visible part of a magnified photo, and the pictures that make it sharp.
struct VisiblePart {
  /// The largest number of samples in a frame of an animated photo: 8 MB.
  private static let maxFrameSamples = 2 << 20
  /// The longest side of a picture, in samples.
  private static let maxSide = 8192
  /// The margin that must be available on each side, as a fraction of the visible part.
  private static let neededMargin = 0.125
  /// The margin to fetch on each side, as a fraction of the visible part.
  private static let wantedMargin = 0.5
  /// The part of `wantedMargin` moved from the trailing side to the leading one, as a fraction of
  /// the visible part.
  private static let aheadMargin = 0.25

  /// The photo and the screen.
  let stage: Magnification.PhotoInArea
  /// The visible part, in pixels of the photo.
  private let seen: PixelRect
  /// The terminal samples per photo pixel.
  private let density: Double
  /// The direction in which the photo last moved; see `Viewer.panDirection`.
  private let panDirection: PixelPoint
  /// The largest number of samples in a picture with a margin for panning.
  private let maxMarginSamples: Int
  /// The largest number of samples in any picture; a larger one is fetched at half the resolution.
  private let maxSamples: Int

  /// Creates the visible part of a magnified photo; nil if the picture at fit is sharp enough.
  ///
  /// - `memory`: The memory for pictures that this photo can share, in bytes.
  init?(
    of view: Magnification, on stage: Magnification.PhotoInArea, panDirection: PixelPoint,
    metrics: CellMetrics, memory: Int
  ) {
    guard !stage.area.size.isEmpty else { return nil }
    let factor = stage.factor(of: view.scale)
    guard factor > stage.fit * 1.001 else { return nil }
    let frame = view.frame(on: stage)
    self.stage = stage
    density = factor * metrics.samplesPerPixel
    self.panDirection = panDirection
    // A sixth and half of the memory: a sample has four bytes, and its mipmap a third more.
    (maxMarginSamples, maxSamples) = (memory / 32, memory * 3 / 32)
    seen = PixelRect(
      x: (stage.area.minX - frame.minX) / factor, y: (stage.area.minY - frame.minY) / factor,
      width: stage.area.width / factor, height: stage.area.height / factor)
  }

  /// The region that must be sharp, and the region to fetch, with a margin for panning; nil if
  /// nothing of the photo is visible.
  var regions: (needed: PhotoRegion, wanted: PhotoRegion)? {
    let reduction = reduction
    guard let needed = region(reduction, margin: Self.neededMargin) else { return nil }
    // The part that becomes visible is on the side that the photo moves away from.
    let ahead = PixelPoint(
      x: panDirection.x * Self.aheadMargin, y: panDirection.y * Self.aheadMargin)
    let wanted = region(reduction, margin: Self.wantedMargin, ahead: ahead) ?? needed
    let isWantedFetched =
      !Self.isTooLarge(wanted, maxMarginSamples) && wanted.satisfies(needed)
    return (needed, isWantedFetched ? wanted : needed)
  }

  /// Returns the size of an animated photo's frames, as fine as needed and as the limits allow; nil
  /// if that is no finer than at fit.
  func frameSize(samplesPerPixel: Double) -> PixelSize? {
    let sufficient = sequence(first: reduction) { $0 * 2 }.first {
      let size = size($0)
      return size.width * size.height <= Double(Self.maxFrameSamples)
        && max(size.width, size.height) <= Double(Self.maxSide)
    }
    guard let sufficient, 1 / Double(sufficient) > stage.fit * samplesPerPixel else { return nil }
    return size(sufficient)
  }

  /// Returns the size of the whole photo after reduction, in samples.
  private func size(_ reduction: Int) -> PixelSize { stage.photo.scaled(by: 1 / Double(reduction)) }

  /// The photo pixels per sample on each axis: a power of two, as small as the terminal can display
  /// and memory allows.
  private var reduction: Int {
    var reduction = 1
    while reduction < PhotoRegion.maxReduction,
      density * Double(reduction) * 2 <= 1
        || region(reduction, margin: Self.neededMargin).map({
          Self.isTooLarge($0, maxSamples)
        }) ?? false
    {
      reduction *= 2
    }
    return reduction
  }

  /// Returns the visible part with a margin, given as a fraction of it.
  private func region(_ reduction: Int, margin: Double, ahead: PixelPoint = .zero) -> PhotoRegion? {
    let rect = PixelRect(
      x: seen.minX - (margin + ahead.x) * seen.width,
      y: seen.minY - (margin + ahead.y) * seen.height,
      width: seen.width * (1 + 2 * margin), height: seen.height * (1 + 2 * margin))
    return PhotoRegion(covering: rect, of: stage.photo, reduction: reduction)
  }

  private static func isTooLarge(_ region: PhotoRegion, _ most: Int) -> Bool {
    let (width, height) = region.sampleSize
    return max(width, height) > maxSide || width * height > most
  }
}

extension Magnification.PhotoInArea {
  /// The photo's sides in whole pixels.
  var sides: (width: Int, height: Int) { (Int(photo.width.rounded()), Int(photo.height.rounded())) }
}

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
