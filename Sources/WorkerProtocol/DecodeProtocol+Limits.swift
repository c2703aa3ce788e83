import PhotoGridCore

/// The longest responses to a request, over all photos.
extension DecodeProtocol.Response {
  /// Returns the longest payload of a picture that fits or fills a frame, in bytes.
  package static func payloadLimit(size: PixelSize, mode: ContentMode) -> Int {
    min(longestPicture, maxPixels(size, mode) * 4) + longestHead
  }

  /// Returns the longest payload of the picture of a region, in bytes; its edges may be rounded
  /// outward.
  package static func payloadLimit(region: PhotoRegion) -> Int {
    // The worker rejects a region outside of the photo, so these bounds only avoid an overflow.
    func side(_ length: Int) -> Int {
      (min(max(length, 1), 1 << 20) - 1) / max(region.reduction, 1) + 3
    }
    return min(longestPicture, side(region.width) * side(region.height) * 4) + longestHead
  }

  /// Returns the longest payload of a run of frames, in bytes.
  package static func payloadLimit(frameCount: Int, size: PixelSize, mode: ContentMode) -> Int {
    let pixels = min(frameCount * maxPixels(size, mode) * 4, FrameRun.longest)
    return pixels + longestFrameHeads
  }

  /// Returns the longest payload of an encoded picture, in bytes; a PNG may be longer than the
  /// pixels.
  package static func payloadLimit(fileOf picture: Bitmap) -> Int {
    2 * picture.pixels.count + (64 << 10)
  }

  /// Returns the most pixels that `targetSize(of:in:mode:)` gives for a frame, over all shapes of
  /// photos.
  private static func maxPixels(_ size: PixelSize, _ mode: ContentMode) -> Int {
    func side(_ length: Double) -> Int {
      Int(min(max(length.rounded(.up), 1), Double(longestSide)))
    }
    return switch mode {
    case .fit: side(size.width) * side(size.height)
    case .fill: max(side(size.width), side(size.height)) * longestSide
    }
  }
}
