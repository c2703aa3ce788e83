import Foundation
import Photos

/// Binary portable pixel maps: netpbm's P6, 8 bits a channel.
enum PixelMap {
  /// Encodes the colors of a bitmap as a file.
  static func encode(_ bitmap: Bitmap) -> Data {
    var bytes = Data("P6\n\(bitmap.width) \(bitmap.height)\n255\n".utf8)
    bytes.append(
      contentsOf: bitmap.pixels.indices.lazy.filter { $0 % 4 != 3 }.map { bitmap.pixels[$0] })
    return bytes
  }

  /// Decodes a file as an opaque bitmap; nil if it is not a pixel map.
  static func decode(_ bytes: [UInt8]) -> Bitmap? {
    var rest = bytes[...]
    func word() -> String {
      rest = rest.drop { $0 <= 32 }
      while rest.first == UInt8(ascii: "#") {
        rest = rest.drop { $0 != 10 }.drop { $0 <= 32 }
      }
      let word = rest.prefix { $0 > 32 }
      rest = rest.dropFirst(word.count)
      return String(decoding: word, as: UTF8.self)
    }
    guard word() == "P6", let width = Int(word()), let height = Int(word()), word() == "255",
      width > 0, height > 0, rest.count > width * height * 3
    else { return nil }
    let colors = Array(rest.dropFirst())
    var pixels = [UInt8](repeating: 255, count: width * height * 4)
    for pixel in 0..<width * height {
      for channel in 0..<3 { pixels[pixel * 4 + channel] = colors[pixel * 3 + channel] }
    }
    return Bitmap(width: width, height: height, pixels: pixels, isOpaque: true)
  }
}

extension Bitmap {
  /// Scales an opaque bitmap; each pixel is the mean of the pixels that it covers.
  func averaged(width newWidth: Int, height newHeight: Int) -> Bitmap {
    func shares(_ index: Int, of count: Int, over length: Int) -> [(Int, Double)] {
      let scale = Double(length) / Double(count)
      let (start, end) = (Double(index) * scale, Double(index + 1) * scale)
      return (Int(start)..<min(length, Int(end.rounded(.up)))).map {
        ($0, (min(end, Double($0 + 1)) - max(start, Double($0))) / scale)
      }
    }
    let columns = (0..<newWidth).map { shares($0, of: newWidth, over: width) }
    var result = [UInt8](repeating: 255, count: newWidth * newHeight * 4)
    for y in 0..<newHeight {
      let rows = shares(y, of: newHeight, over: height)
      for x in 0..<newWidth {
        var sum = SIMD3<Double>.zero
        for (row, rowShare) in rows {
          for (column, share) in columns[x] {
            let at = (row * width + column) * 4
            sum +=
              SIMD3(Double(pixels[at]), Double(pixels[at + 1]), Double(pixels[at + 2]))
              * (share * rowShare)
          }
        }
        for channel in 0..<3 {
          result[(y * newWidth + x) * 4 + channel] = UInt8(max(0, min(255, sum[channel].rounded())))
        }
      }
    }
    return Bitmap(width: newWidth, height: newHeight, pixels: result, isOpaque: true)
  }
}
