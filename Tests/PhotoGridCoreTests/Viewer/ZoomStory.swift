@testable import Geometry
@testable import PhotoGridCore

extension Story {
  /// The visible part of the open photo, in pixels of the rotated photo.
  var seen: PixelRect {
    guard let out, let size = browser.size(of: out.photo) else { return .unit }
    return PixelRect(
      x: out.crop.minX * size.width, y: out.crop.minY * size.height,
      width: out.crop.width * size.width, height: out.crop.height * size.height)
  }

  /// Whether a part is the visible one, except for rounding errors.
  func sees(_ part: PixelRect) -> Bool {
    let seen = seen
    return abs(seen.minX - part.minX) < 1e-6 && abs(seen.minY - part.minY) < 1e-6
      && abs(seen.width - part.width) < 1e-6 && abs(seen.height - part.height) < 1e-6
  }

  /// The point of the photo under a point of the screen, in pixels of the photo.
  func photoPoint(at point: PixelPoint) -> PixelPoint {
    guard let out else { return .zero }
    let seen = seen
    return PixelPoint(
      x: seen.minX + (point.x - out.frame.minX) / out.frame.width * seen.width,
      y: seen.minY + (point.y - out.frame.minY) / out.frame.height * seen.height)
  }

  /// Drags from the middle by a step every 20 ms, twenty times, and releases.
  mutating func fling(by step: PixelPoint) {
    mouse(.pressed(.left), 500, 300)
    for number in 1...20 {
      now = now.advanced(bySeconds: 0.02)
      mouse(.dragged(.left), 500 + Double(number) * step.x, 300 + Double(number) * step.y)
    }
    mouse(.released(.left), 500 + 20 * step.x, 300 + 20 * step.y)
  }
}
