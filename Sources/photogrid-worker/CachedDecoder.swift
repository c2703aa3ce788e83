import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// Decoding with the thumbnail cache before it, where there is one.
struct CachedDecoder {
  private let decoder = PhotoDecoder()
  private var cache: ThumbnailCache?

  /// What is at hand of a photo without decoding it.
  struct Glimpse {
    var info: PhotoInfo
    /// Not larger than asked for.
    var picture: Bitmap
    /// Whether decoding would show nothing else.
    var isFinal: Bool
  }

  /// From now on uses the thumbnails of a folder.
  mutating func use(_ access: ThumbnailAccess) { cache = ThumbnailCache(access) }

  /// What the head of a photo's file tells.
  func describe(_ path: [UInt8]) throws(FailureReason) -> PhotoInfo { try decoder.describe(path) }

  /// What is at hand of a photo, scaled for a frame: its thumbnail, else the small picture in its
  /// file.
  func glimpse(_ path: [UInt8], _ frame: Frame) throws(FailureReason) -> Glimpse? {
    if let found = try thumbnail(path, frame) { return found }
    return try decoder.preview(path, frame).map {
      Glimpse(info: $0.info, picture: $0.picture, isFinal: false)
    }
  }

  private func thumbnail(_ path: [UInt8], _ frame: Frame) throws(FailureReason) -> Glimpse? {
    guard let cache, let photo = ThumbnailCache.Photo(path, try PhotoFile.status(of: path)) else {
      return nil
    }
    if let reason = cache.failure(of: photo) { throw reason }
    var best: Glimpse?
    for found in cache.thumbnails(of: photo, for: frame) {
      let file = found.thumbnail
      // Too small already, and those after it are smaller still.
      if let best, file.width <= best.picture.width { break }
      let told = file.info(of: photo)
      let info = if let told { told } else { try decoder.describe(path) }
      let size = (width: Int(info.size.width), height: Int(info.size.height))
      // Of another shape it is not the photo as this program shows it.
      guard file.width <= size.width, file.height <= size.height,
        PreviewFit.hasShape(of: size, (file.width, file.height)), let bitmap = file.bitmap
      else { continue }
      let target = frame.targets(for: info.size).picture
      let isFinal = file.width >= target.width && file.height >= target.height
      let picture = bitmap.reduced(
        to: (min(target.width, bitmap.width), min(target.height, bitmap.height)))
      best = Glimpse(info: info, picture: picture, isFinal: isFinal)
      if isFinal { break }
    }
    return best
  }

  /// A part of the photo, and what of it the picture covers: at least what was asked for.
  func decode(
    _ path: [UInt8], _ region: PhotoRegion
  ) throws(FailureReason) -> (PhotoRegion, Bitmap) {
    try decoder.decode(path, region)
  }

  /// Frames of an animated photo, scaled for a frame on the screen and turned upright.
  func decode(
    _ range: FrameRange, of path: [UInt8], _ frame: Frame
  ) throws(FailureReason) -> (PhotoInfo, FrameRun) {
    try decoder.decode(range, of: path, frame)
  }

  /// The whole photo, scaled for a frame and turned upright.
  ///
  /// Call `keep` when it is on its way.
  func decode(_ path: [UInt8], _ frame: Frame) throws(FailureReason) -> DecodedPhoto {
    var frame = frame
    frame.keepsThumbnail = cache?.keeps ?? false
    return try decoder.decode(path, frame)
  }

  /// Keeps the thumbnail that came with a photo, unless there is one already.
  mutating func keep(_ photo: DecodedPhoto, _ path: [UInt8]) {
    _ = keep(photo, path, replacing: false)
  }

  private mutating func keep(
    _ decoded: DecodedPhoto, _ path: [UInt8], replacing: Bool
  ) -> ThumbnailOutcome? {
    // Of a file that is still being copied there will be more.
    guard let (size, bitmap) = decoded.thumbnail, !decoded.info.isIncomplete,
      let photo = ThumbnailCache.Photo(
        path,
        PhotoFile.Status(
          byteCount: decoded.info.byteCount, modified: decoded.info.modified))
    else { return nil }
    if !replacing, cache?.thumbnail(of: photo, size) != nil { return .wasThere }
    return cache?.keep(bitmap, of: photo, decoded.info, size)
  }

  /// Keeps why a photo cannot be shown, if that is the fault of its bytes.
  mutating func keep(_ reason: FailureReason, _ path: [UInt8]) {
    switch reason {
    case .notAnImage, .truncated, .tooLarge, .tooManyFrames: break
    // What a failing disk or a lack of memory makes of a photo sounds the same.
    case .decoder(let words):
      guard !words.hasPart("memory"), PhotoFile.isReadable(path) else { return }
    case .noPermission, .vanished, .isFolder, .isNamedPipe, .isSocket, .isDevice, .emptyFile,
      .fileTooLong, .unreadable:
      return
    }
    guard cache?.keeps ?? false, let status = try? PhotoFile.status(of: path),
      let photo = ThumbnailCache.Photo(path, status)
    else { return }
    // What was read from the cache is there.
    if cache?.failure(of: photo) == nil { cache?.keep(reason, of: photo) }
  }

  /// Sees to it that there is a thumbnail of a photo in one size.
  mutating func fill(
    _ path: [UInt8], _ size: ThumbnailSize
  ) throws(FailureReason) -> ThumbnailOutcome {
    let status = try PhotoFile.status(of: path)
    guard let cache, let photo = ThumbnailCache.Photo(path, status) else { return .refused(0) }
    if cache.thumbnail(of: photo, size) != nil { return .wasThere }
    if let reason = cache.failure(of: photo) { throw reason }
    if let refusal = cache.refusal(of: photo) { return refusal }
    let side = Double(size.side)
    var frame = Frame(size: PixelSize(width: side, height: side), mode: .fit)
    frame.keepsThumbnail = true
    let decoded: DecodedPhoto
    do {
      decoded = try decoder.decode(path, frame)
    } catch {
      keep(error, path)
      throw error
    }
    // A photo that is smaller has its thumbnail in a smaller size; here it is wanted in this one.
    var kept = decoded
    kept.thumbnail?.size = size
    guard let outcome = keep(kept, path, replacing: true) else { throw .truncated }
    return outcome
  }
}
