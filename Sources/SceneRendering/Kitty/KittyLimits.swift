/// Limits of the work and the bytes of a frame, so that keys are answered quickly.
enum KittyLimits {
  /// The work for images in a frame, in scaled pixels: about three milliseconds.
  static let workPerFrame = 240_000
  /// The work for the most urgent image, if its subject has no image yet, nothing moves and the
  /// terminal is local.
  ///
  /// This is for a photo on the whole screen, which would otherwise take a dozen frames, and
  /// drawing it by cells in the meantime would take as long.
  static let workOfUrgentImage = 4_000_000
  /// The size in pixels above which images that are not urgent wait even if the terminal is local.
  ///
  /// This is for a photo on the whole screen whose picture is still too small: scaling it up would
  /// be in vain if the next photo or the sharp picture comes first.
  static let spareWithoutRest = 500_000
  /// The work of packing a pixel into a PNG.
  static let workOfPackedPixel = 5
  /// The work of an image without a photo.
  static let workOfFlat = 8_000
  /// The number of bytes in a frame after which no further image is sent: less than a tenth of a
  /// second on a line of 1 MB/s.
  static let bytesPerFrame = 64 << 10
  /// `bytesPerFrame` while something moves.
  static let bytesPerMovingFrame = 16 << 10
  /// The most placements of a scene; others are drawn by cells, since such small tiles take no
  /// fewer bytes as images.
  static let placements = 1000
  /// The size in pixels above which images are cut into pieces if they are sent in the stream,
  /// since nothing can be shown while an image is being sent.
  static let pixelsPerPiece = 60_000

  /// Returns how many pixels of images a line can take in half of a flight (of an opening photo).
  static func pixelsInFlight(byteBudget: Int) -> Double {
    // A frame has 40 ms of the line, a flight is 0.35 s long, and a pixel takes 1.3 bytes.
    Double(byteBudget) * (0.35 / 2 / 0.04) / 1.3
  }
}
