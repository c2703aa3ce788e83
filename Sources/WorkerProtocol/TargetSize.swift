import PhotoGridCore

/// The longest side of a decoded picture, in pixels.
package let longestSide = 8192

/// Returns the size, in whole pixels, to which a photo is decoded for a rectangle; at least 1 by 1.
///
/// The photo keeps its aspect ratio to within a pixel and is never scaled up. The program and its
/// workers both compute the size, so that the program can check whether a picture is large enough.
/// A photo of 6000 by 4000 pixels is decoded to 300 by 200 to fit a square of 300 pixels, and to
/// 450 by 300 to fill it.
///
/// - Parameters:
///   - photo: The size of the photo in pixels, turned upright by its orientation.
///   - frame: The size of the rectangle in pixels.
///   - mode: Whether the whole photo fits inside the rectangle, or fills it.
/// - Returns: The sides in pixels.
package func targetSize(
  of photo: PixelSize, in frame: PixelSize, mode: ContentMode
) -> (width: Int, height: Int) {
  guard photo.width >= 1, photo.height >= 1 else { return (1, 1) }
  let across = frame.width / photo.width
  let down = frame.height / photo.height
  let exact =
    switch mode {
    case .fit: min(across, down)
    case .fill: max(across, down)
    }
  let scale = min(exact, 1, Double(longestSide) / max(photo.width, photo.height))
  func side(_ length: Double) -> Int {
    let scaled = (length * scale).rounded()
    return scaled.isFinite ? Int(max(1, min(scaled, Double(longestSide)))) : 1
  }
  return (side(photo.width), side(photo.height))
}
