import PhotoGridCore

/// Conversions between the premultiplied colors of bitmaps and the plain colors of files.
enum Premultiplication {
  /// Multiplies the colors of RGBA pixels by their alpha, rounded to the nearest.
  ///
  /// - Returns: Whether every alpha is 255.
  static func multiply(_ pixels: inout [UInt8]) -> Bool {
    pixels.withUnsafeMutableBufferPointer { pixels in
      var isOpaque = true
      for place in stride(from: 0, to: pixels.count - 3, by: 4) {
        let alpha = Int(pixels[place + 3])
        if alpha == 255 { continue }
        isOpaque = false
        for channel in place..<(place + 3) {
          pixels[channel] = UInt8((Int(pixels[channel]) * alpha + 127) / 255)
        }
      }
      return isOpaque
    }
  }

  /// Returns the RGBA pixels of a bitmap, with their colors divided by their alpha.
  static func divided(_ bitmap: Bitmap) -> [UInt8] {
    var pixels = bitmap.pixels
    pixels.withUnsafeMutableBufferPointer { pixels in
      for place in stride(from: 0, to: pixels.count - 3, by: 4) {
        let alpha = Int(pixels[place + 3])
        if alpha == 255 || alpha == 0 { continue }
        for channel in place..<(place + 3) {
          pixels[channel] = UInt8(min(255, (Int(pixels[channel]) * 255 + alpha / 2) / alpha))
        }
      }
    }
    return pixels
  }
}
