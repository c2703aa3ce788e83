import Geometry

@testable import SceneRendering

/// A picture of an input: its first bytes are its sides and whether it is opaque, the others its
/// pixels, which repeat.
private func picture(_ bytes: [UInt8], sides: Int) -> PixelRaster? {
  guard bytes.count > 8 else { return nil }
  let (width, height) = (Int(bytes[0]) % sides + 1, Int(bytes[1]) % sides + 1)
  let isOpaque = bytes[2] & 1 == 1
  let source = bytes[8...]
  var pixels: [UInt8] = []
  pixels.reserveCapacity(width * height * 4)
  while pixels.count < width * height * 4 { pixels += source }
  pixels.removeLast(pixels.count - width * height * 4)
  for alpha in stride(from: 3, to: pixels.count, by: 4) {
    pixels[alpha] = isOpaque ? 255 : pixels[alpha] & 1 == 1 ? 255 : 0
  }
  return PixelRaster(width: width, height: height, pixels: pixels, isOpaque: isOpaque)
}

/// Encodes a picture as sixels, and reads it with the strict parser of the tests.
func fuzzSixel(_ bytes: [UInt8]) {
  guard let raster = picture(bytes, sides: 40) else { return }
  var encoder = SixelEncoder(registers: Int(bytes[3]) + 2)
  var output: [UInt8] = []
  let pixels = stride(from: 0, to: raster.pixels.count, by: 4).map { at in
    UInt32(raster.pixels[at]) | UInt32(raster.pixels[at + 1]) << 8
      | UInt32(raster.pixels[at + 2]) << 16 | UInt32(raster.pixels[at + 3]) << 24
  }
  pixels.withUnsafeBufferPointer {
    encoder.encode($0, width: raster.width, into: &output)
  }
  guard pixels.contains(where: { $0 >> 24 != 0 }) else { return require(output.isEmpty) }
  do throws(SixelPicture.Fault) {
    let read = try SixelPicture(output, registers: Int(bytes[3]) + 2)
    require(read.width == raster.width && read.height == raster.height, "another size")
    for (drawn, wanted) in zip(read.pixels, pixels) {
      require(drawn >> 24 == wanted >> 24, "another shape")
    }
  } catch {
    fail("\(error)")
  }
}

/// Writes a picture as a PNG file, and reads it with the strict parser of the tests.
func fuzzPNG(_ bytes: [UInt8]) {
  guard let raster = picture(bytes, sides: 40) else { return }
  let border = Insets(
    left: Int(bytes[4]) % 4, top: Int(bytes[5]) % 4, right: Int(bytes[6]) % 4,
    bottom: Int(bytes[7]) % 4)
  do {
    let read = try PNGReader(PNG.file(of: raster, border: border))
    let size = border.outset(width: raster.width, height: raster.height)
    require(read.width == size.width && read.height == size.height, "another size")
    for y in 0..<raster.height {
      for x in 0..<raster.width {
        let given = (y * raster.width + x) * 4
        let found = ((y + border.top) * read.width + x + border.left) * 4
        require(read.bytes[found + 3] == raster.pixels[given + 3], "another shape")
        guard raster.pixels[given + 3] == 255 else { continue }
        for channel in 0..<3 {
          let difference =
            Int(read.bytes[found + channel]) - Int(raster.pixels[given + channel])
          // One step more where a color was moved off the transparent one.
          require(abs(difference) <= PNG.tolerance + 1, "another colour")
        }
      }
    }
  } catch {
    fail("\(error)")
  }
}
