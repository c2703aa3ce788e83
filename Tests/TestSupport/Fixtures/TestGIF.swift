/// An animation in known colors, and the bytes of its GIF file.
package struct TestGIF: Sendable {
  /// A rectangle that is drawn over the previous frames.
  package struct Frame: Sendable {
    package var x = 0
    package var y = 0
    package var width: Int
    package var height: Int
    /// In hundredths of a second.
    package var delay = 10
    package var disposal = Disposal.keep
    /// 0xRRGGBB at a column and a row of the rectangle; nil is transparent.
    package var color: @Sendable (Int, Int) -> UInt32?

    /// Creates a frame of a rectangle with the given colors.
    package init(
      x: Int = 0, y: Int = 0, width: Int, height: Int, delay: Int = 10,
      disposal: Disposal = .keep, color: @escaping @Sendable (Int, Int) -> UInt32?
    ) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
      (self.delay, self.disposal, self.color) = (delay, disposal, color)
    }
  }

  /// The disposal of a frame's rectangle after its time (GIF89a, 23).
  package enum Disposal: UInt8, Sendable { case keep = 1, background, previous }

  package var width: Int
  package var height: Int
  package var frames: [Frame]
  /// The number of repetitions, 0 for endless ones; nil omits the block.
  package var repeats: Int?

  /// Creates an animation of the given frames.
  package init(width: Int, height: Int, frames: [Frame], repeats: Int? = 0) {
    (self.width, self.height) = (width, height)
    (self.frames, self.repeats) = (frames, repeats)
  }

  /// An animation in which each frame has one color.
  package static func film(
    _ colors: [UInt32], width: Int = 80, height: Int = 40, delay: Int = 10, repeats: Int? = 0
  ) -> TestGIF {
    let frames = colors.map { color in
      Frame(width: width, height: height, delay: delay) { _, _ in color }
    }
    return TestGIF(width: width, height: height, frames: frames, repeats: repeats)
  }

  /// The bytes of the file.
  package var bytes: [UInt8] {
    var bytes = Array("GIF89a".utf8) + Self.word(width) + Self.word(height) + [0, 0, 0]
    if let repeats {
      bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + Self.word(repeats) + [0]
    }
    for frame in frames { bytes += Self.bytes(of: frame) }
    return bytes + [0x3B]
  }

  /// The largest number of colors with which a code has eight bits, as many as a byte.
  private static let colorCount = 128

  private static func bytes(of frame: Frame) -> [UInt8] {
    // Number 0 is transparent.
    var palette: [UInt32] = [0]
    var data: [UInt8] = []
    for y in 0..<frame.height {
      for x in 0..<frame.width {
        // The code table is cleared before it grows beyond eight bits.
        if data.count % 101 == 0 { data.append(UInt8(colorCount)) }
        guard let color = frame.color(x, y) else {
          data.append(0)
          continue
        }
        let index = palette.dropFirst().firstIndex(of: color) ?? palette.count
        if index == palette.count { palette.append(color) }
        data.append(UInt8(index))
      }
    }
    data.append(UInt8(colorCount + 1))
    precondition(palette.count <= colorCount, "too many colours in one frame")
    palette += Array(repeating: 0, count: colorCount - palette.count)

    var bytes: [UInt8] = [0x21, 0xF9, 4, frame.disposal.rawValue << 2 | 1]
    bytes += word(frame.delay) + [0, 0]
    bytes += [0x2C] + word(frame.x) + word(frame.y) + word(frame.width) + word(frame.height)
    bytes.append(0x86)
    for color in palette { bytes += [16, 8, 0].map { UInt8(color >> $0 & 255) } }
    bytes.append(7)
    for start in stride(from: 0, to: data.count, by: 255) {
      let block = data[start..<min(start + 255, data.count)]
      bytes += [UInt8(block.count)] + block
    }
    return bytes + [0]
  }

  private static func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
}
