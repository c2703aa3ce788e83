import Foundation

/// The content of an X server's screen, as `xwd` writes it: rows top to bottom.
struct Screenshot: Equatable {
  let width: Int
  let height: Int
  /// The pixels as 0xRRGGBB, `width * height` of them.
  let colors: [UInt32]

  /// Reads an X window dump (X11/XWDFile.h, version 7) of a true color screen.
  init?(xwd bytes: [UInt8]) {
    func field(_ index: Int) -> Int {
      bytes[index * 4..<index * 4 + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.count > 100, field(1) == 7 else { return nil }
    let start = field(0) + field(19) * 12
    let (width, height, stride) = (field(4), field(5), field(12))
    // 32 bits a pixel, or 24 where GLX is in use; least byte first on every such machine.
    let step = field(11) / 8
    guard field(7) == 0, step >= 3, stride >= width * step, bytes.count >= start + stride * height
    else { return nil }
    self.width = width
    self.height = height
    colors = [UInt32](unsafeUninitializedCapacity: width * height) { out, count in
      bytes.withUnsafeBufferPointer { bytes in
        var at = start
        for y in 0..<height {
          at = start + y * stride
          for x in 0..<width {
            out[y * width + x] =
              UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at])
            at += step
          }
        }
      }
      count = width * height
    }
  }

  /// The color of a pixel.
  subscript(x: Int, y: Int) -> UInt32 { colors[y * width + x] }

  /// The smallest rectangle with all pixels near a color; nil if there are none.
  func box(
    near color: UInt32, tolerance: Int, in area: PixelBox? = nil
  ) -> PixelBox? {
    var (left, top, right, bottom) = (Int.max, Int.max, -1, -1)
    let area = area ?? PixelBox(x: 0, y: 0, width: width, height: height)
    for y in max(area.y, 0)..<min(area.y + area.height, height) {
      for x in max(area.x, 0)..<min(area.x + area.width, width)
      where Self.areNear(self[x, y], color, tolerance) {
        (left, top) = (min(left, x), min(top, y))
        (right, bottom) = (max(right, x), max(bottom, y))
      }
    }
    guard right >= 0 else { return nil }
    return PixelBox(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  /// The share of an area's pixels that are near a color.
  func share(of color: UInt32, tolerance: Int, in area: PixelBox) -> Double {
    var count = 0
    for y in area.y..<area.y + area.height {
      for x in area.x..<area.x + area.width where Self.areNear(self[x, y], color, tolerance) {
        count += 1
      }
    }
    return Double(count) / Double(max(area.width * area.height, 1))
  }

  private static func areNear(_ one: UInt32, _ other: UInt32, _ tolerance: Int) -> Bool {
    if (one ^ other) & 0xFFFFFF == 0 { return true }
    func distance(_ shift: UInt32) -> Int {
      abs(Int(one >> shift & 255) - Int(other >> shift & 255))
    }
    return distance(0) <= tolerance && distance(8) <= tolerance && distance(16) <= tolerance
  }
}

/// An upright rectangle of whole pixels.
struct PixelBox: Equatable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  /// The largest distance between its edges and the other's.
  func distance(to other: PixelBox) -> Int {
    [
      x - other.x, y - other.y, x + width - other.x - other.width,
      y + height - other.y - other.height,
    ].map(abs).max() ?? 0
  }

  /// This rectangle, smaller by `margin` pixels on each side.
  func inset(by margin: Int) -> PixelBox {
    PixelBox(
      x: x + margin, y: y + margin, width: max(width - 2 * margin, 0),
      height: max(height - 2 * margin, 0))
  }
}
