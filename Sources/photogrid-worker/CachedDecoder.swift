import ImageFormats
import PhotoGridCore
import WorkerProtocol

/// Decodes photos with the help of the thumbnails that were opened with them.
struct CachedDecoder {
  private var decoder = PhotoDecoder()
  var allowance: DecodeProtocol.Request.Allowance {
    get { decoder.allowance }
    set { decoder.allowance = newValue }
  }

  /// A picture of a photo that needed no decoding of the whole photo.
  struct Preview {
    var info: PhotoInfo
    /// A picture of at most the size that was requested.
    var picture: Bitmap
    /// Whether decoding the photo would give the same picture.
    var isFinal: Bool
  }

  func describe(_ photo: DeliveredFile) throws(FailureReason) -> PhotoInfo {
    try decoder.describe(photo)
  }

  /// The cached thumbnail of a photo, or else the preview embedded in its file, scaled for a frame.
  ///
  /// - Returns: Nil if the photo has neither.
  func preview(_ photo: DeliveredFile, _ frame: DecodeTarget) throws(FailureReason) -> Preview? {
    if let reason = photo.delivery.knownFailure { throw reason }
    if let found = try thumbnail(photo, frame) { return found }
    guard photo.delivery.isDecodable else { return nil }
    return try decoder.preview(photo, frame).map {
      Preview(info: $0.info, picture: $0.picture, isFinal: false)
    }
  }

  private func thumbnail(
    _ photo: DeliveredFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> Preview? {
    let stamp = try photo.stamp()
    var best: Preview?
    for file in photo.thumbnailFiles {
      // This thumbnail is no larger than the best one, and the following ones are smaller still.
      if let best, file.width <= best.picture.width { break }
      var recorded = file.info(of: stamp)
      // A thumbnail outlives a change of the sidecar, but not the date that was read from it.
      if !file.hasDate(of: stamp, hasSidecar: photo.delivery.hasSidecar) {
        if photo.delivery.isDecodable {
          recorded = nil
        } else if recorded?.taken?.source == .sidecar {
          recorded?.taken = nil
        }
      }
      guard recorded != nil || photo.delivery.isDecodable else { continue }
      let info = if let recorded { recorded } else { try decoder.describe(photo) }
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
    _ photo: DeliveredFile, _ region: PhotoRegion
  ) throws(FailureReason) -> (PhotoRegion, Bitmap) {
    try decoder.decode(photo, region)
  }

  /// Decodes frames of an animated photo, scaled for a frame on the screen and turned upright.
  func decode(
    _ range: FrameRange, of photo: DeliveredFile, _ frame: DecodeTarget
  ) throws(FailureReason) -> (PhotoInfo, FrameRun) {
    try decoder.decode(range, of: photo, frame)
  }

  /// Decodes a whole photo, scaled for a frame and turned upright, and a thumbnail if one can be
  /// stored.
  func decode(_ photo: DeliveredFile, _ frame: DecodeTarget) throws(FailureReason) -> DecodedPhoto {
    var frame = frame
    frame.needsThumbnail = photo.delivery.acceptsThumbnail
    frame.memory = allowance.memory
    return try decoder.decode(photo, frame)
  }

  /// What has to be stored after a photo was decoded; nil if nothing has.
  func storage(
    of decoded: DecodedPhoto, _ photo: DeliveredFile, replacing: Bool = false
  ) -> StorageRequest? {
    // An incomplete file may still be being copied.
    guard let (size, bitmap) = decoded.thumbnail, !decoded.info.isIncomplete else { return nil }
    return .thumbnail(
      number: photo.delivery.number, decoded.info, bitmap, size, replacing: replacing)
  }

  /// What has to be stored after a failure, if its cause is in the photo's bytes.
  func storage(of reason: FailureReason, _ photo: DeliveredFile) -> StorageRequest? {
    switch reason {
    case .notAnImage, .isVideo, .soundOnly, .truncated, .tooLarge, .tooManyFrames: break
    // A failing disk or a lack of memory can cause the same errors.
    case .decoder(let message):
      guard !message.containsText("memory"), photo.isReadable else { return nil }
    case .noPermission, .vanished, .isFolder, .isNamedPipe, .isSocket, .isDevice, .emptyFile,
      .fileTooLong, .needsMemory, .needsOtherDecoder, .needsFFmpeg, .unreadable:
      return nil
    }
    return photo.delivery.acceptsThumbnail ? .failure(number: photo.delivery.number, reason) : nil
  }

  /// Decodes a photo for a thumbnail of one size.
  ///
  /// - Returns: What has to be stored, and the facts with the hash of the picture.
  func decodeThumbnail(
    _ photo: DeliveredFile, _ size: ThumbnailSize
  ) throws(FailureReason) -> (StorageRequest, PhotoInfo) {
    let side = Double(size.side)
    var frame = DecodeTarget(size: PixelSize(width: side, height: side), mode: .fit)
    frame.needsThumbnail = true
    frame.memory = allowance.memory
    // The thumbnail of a smaller photo has a smaller size, but belongs into this size's folder.
    var decoded = try decoder.decode(photo, frame)
    decoded.thumbnail?.size = size
    guard let storage = storage(of: decoded, photo, replacing: true) else { throw .truncated }
    return (storage, decoded.info.hashed(decoded.picture))
  }
}

extension PhotoInfo {
  /// These facts with the hash of the photo's picture; without one if the file is incomplete.
  func hashed(_ picture: Bitmap) -> PhotoInfo {
    var info = self
    info.hash = DifferenceHash(picture)
    return info
  }
}
