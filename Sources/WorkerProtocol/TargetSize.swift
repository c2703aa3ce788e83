import PhotoGridCore

/// The longest side of a decoded picture, in pixels.
package let longestSide = 8192

/// The size in whole pixels to which a photo is decoded for a frame; at least 1 by 1.
///
/// The photo keeps its shape to within a pixel and is never scaled up. Both sides of the wire
/// compute it, so that a picture's sides tell whether it satisfies a wish. The photo's size is the
/// one after orientation, in pixels; the whole photo fits inside of the frame, or covers it.
package func targetSize(
  of photo: PixelSize, in frame: PixelSize, mode: ContentMode
) -> (width: Int, height: Int) {
  guard photo.width >= 1, photo.height >= 1 else { return (1, 1) }
  let across = frame.width / photo.width
  let down = frame.height / photo.height
  let wanted =
    switch mode {
    case .fit: min(across, down)
    case .fill: max(across, down)
    }
  let scale = min(wanted, 1, Double(longestSide) / max(photo.width, photo.height))
  func side(_ length: Double) -> Int {
    let scaled = (length * scale).rounded()
    return scaled.isFinite ? Int(max(1, min(scaled, Double(longestSide)))) : 1
  }
  return (side(photo.width), side(photo.height))
}
