import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// Decodes photos with the help of the thumbnail cache, if one is used.
struct CachedDecoder {
  private let decoder = PhotoDecoder()
  private var cache: ThumbnailCache?
  /// How much memory decoding may take for the present request, in bytes, as far as the photo's
  /// header announces it.
  var memory = DecodeProtocol.Request.plainMemory

  /// A picture of a photo that needed no decoding of the whole photo.
  struct Preview {
    var info: PhotoInfo
    /// A picture of at most the size that was requested.
    var picture: Bitmap
    /// Whether decoding the photo would give the same picture.
    var isFinal: Bool
  }

  /// Sets the thumbnail cache to use.
  mutating func use(_ access: ThumbnailAccess) { cache = ThumbnailCache(access) }

  /// The facts of a photo's file.
  func describe(_ path: [UInt8]) throws(FailureReason) -> PhotoInfo { try decoder.describe(path) }

  /// The cached thumbnail of a photo, or else the preview embedded in its file, scaled for a frame.
  ///
  /// - Returns: Nil if the photo has neither.
  func preview(_ path: [UInt8], _ frame: Frame) throws(FailureReason) -> Preview? {
    if let found = try thumbnail(path, frame) { return found }
    return try decoder.preview(path, frame).map {
      Preview(info: $0.info, picture: $0.picture, isFinal: false)
    }
  }

  private func thumbnail(_ path: [UInt8], _ frame: Frame) throws(FailureReason) -> Preview? {
    guard let cache, let photo = ThumbnailCache.Photo(path, try PhotoFile.status(of: path)) else {
      return nil
    }
    if let reason = cache.failure(of: photo) { throw reason }
    var best: Preview?
    for found in cache.thumbnails(of: photo, for: frame) {
      let file = found.thumbnail
      // This thumbnail is no larger than the best one, and the following ones are smaller still.
      if let best, file.width <= best.picture.width { break }
      let recorded = file.info(of: photo)
      let info = if let recorded { recorded } else { try decoder.describe(path) }
      let size = (width: Int(info.size.width), height: Int(info.size.height))
      // A thumbnail of another aspect ratio was cropped or turned by another program.
      guard file.width <= size.width, file.height <= size.height,
        PreviewFit.hasShape(of: size, (file.width, file.height)), let bitmap = file.bitmap
      else { continue }
      let target = frame.targets(for: info.size).picture
      let isFinal = file.width >= target.width && file.height >= target.height
      let picture = bitmap.reduced(
        to: (min(target.width, bitmap.width), min(target.height, bitmap.height)))
      best = Preview(info: info, picture: picture, isFinal: isFinal)
      if isFinal { break }
    }
    return best
  }

  /// Decodes a region of a photo.
  ///
  /// - Returns: The region that the picture covers, which contains the requested one.
  func decode(
    _ path: [UInt8], _ region: PhotoRegion
  ) throws(FailureReason) -> (PhotoRegion, Bitmap) {
    try decoder.decode(path, region)
  }

  /// Decodes frames of an animated photo, scaled for a frame on the screen and turned upright.
  func decode(
    _ range: FrameRange, of path: [UInt8], _ frame: Frame
  ) throws(FailureReason) -> (PhotoInfo, FrameRun) {
    try decoder.decode(range, of: path, frame)
  }

  /// Decodes a whole photo, scaled for a frame and turned upright.
  ///
  /// Call `cacheThumbnail(of:_:)` once the picture is sent.
  func decode(_ path: [UInt8], _ frame: Frame) throws(FailureReason) -> DecodedPhoto {
    var frame = frame
    frame.needsThumbnail = cache?.isWritable ?? false
    frame.memory = memory
    return try decoder.decode(path, frame)
  }

  /// Writes the thumbnail that was decoded with a photo, unless the cache has a valid one.
  mutating func cacheThumbnail(of photo: DecodedPhoto, _ path: [UInt8]) {
    _ = cacheThumbnail(of: photo, path, replacing: false)
  }

  private mutating func cacheThumbnail(
    of decoded: DecodedPhoto, _ path: [UInt8], replacing: Bool
  ) -> ThumbnailOutcome? {
    // An incomplete file may still be being copied.
    guard let (size, bitmap) = decoded.thumbnail, !decoded.info.isIncomplete,
      let photo = ThumbnailCache.Photo(
        path,
        PhotoFile.Status(
          byteCount: decoded.info.byteCount, modified: decoded.info.modified))
    else { return nil }
    if !replacing, cache?.thumbnail(of: photo, size) != nil { return .wasThere }
    return cache?.store(bitmap, of: photo, decoded.info, size)
  }

  /// Records in the cache why a photo cannot be shown, if the cause is in its bytes.
  mutating func cacheFailure(_ reason: FailureReason, _ path: [UInt8]) {
    switch reason {
    case .notAnImage, .truncated, .tooLarge, .tooManyFrames: break
    // A failing disk or a lack of memory can cause the same errors.
    case .decoder(let message):
      guard !message.containsText("memory"), PhotoFile.isReadable(path) else { return }
    case .noPermission, .vanished, .isFolder, .isNamedPipe, .isSocket, .isDevice, .emptyFile,
      .fileTooLong, .needsMemory, .unreadable:
      return
    }
    guard cache?.isWritable ?? false, let status = try? PhotoFile.status(of: path),
      let photo = ThumbnailCache.Photo(path, status)
    else { return }
    // The reason may have come from the cache.
    if cache?.failure(of: photo) == nil { cache?.store(reason, of: photo) }
  }

  /// Writes a thumbnail of a photo in one size, unless the cache has a valid one.
  mutating func fillCache(
    _ path: [UInt8], _ size: ThumbnailSize
  ) throws(FailureReason) -> ThumbnailOutcome {
    let status = try PhotoFile.status(of: path)
    guard let cache, let photo = ThumbnailCache.Photo(path, status) else { return .refused(0) }
    if cache.thumbnail(of: photo, size) != nil { return .wasThere }
    if let reason = cache.failure(of: photo) { throw reason }
    if let refusal = cache.refusal(of: photo) { return refusal }
    let side = Double(size.side)
    var frame = Frame(size: PixelSize(width: side, height: side), mode: .fit)
    frame.needsThumbnail = true
    frame.memory = memory
    let decoded: DecodedPhoto
    do {
      decoded = try decoder.decode(path, frame)
    } catch {
      cacheFailure(error, path)
      throw error
    }
    // The thumbnail of a smaller photo has a smaller size, but belongs into this size's folder.
    var resized = decoded
    resized.thumbnail?.size = size
    guard let outcome = cacheThumbnail(of: resized, path, replacing: true) else { throw .truncated }
    return outcome
  }
}
