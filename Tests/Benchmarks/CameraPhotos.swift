import CTurboJPEG
import Foundation

/// JPEGs as cameras write them, made from the sample photos: grain, about two megabytes for 12
/// megapixels, and three of four with an EXIF thumbnail.
enum CameraPhotos {
  private static let thumbnail = (width: 160, height: 120)

  /// Makes different photos in a folder that is reused by the next run.
  ///
  /// - Parameters:
  ///   - count: The number of photos.
  ///   - samples: JPEGs to make them from.
  ///   - width: The width of the photos; 12 megapixels by default.
  ///   - height: The height of the photos.
  ///   - quality: The quality of the JPEGs.
  /// - Returns: Their paths.
  /// - Throws: If a sample cannot be read or a photo cannot be written.
  static func make(
    _ count: Int, from samples: [String], width: Int = 4000, height: Int = 3000,
    quality: Int32 = 88
  ) throws -> [String] {
    let folder = NSTemporaryDirectory() + "photogrid-bench-camera-\(width)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var sources: [Picture] = []
    return try (0..<count).map { index in
      let path = String(format: "%@/%04d.jpg", folder, index)
      guard !FileManager.default.fileExists(atPath: path) else { return path }
      if sources.isEmpty { sources = try samples.map(Picture.init(contentsOf:)) }
      guard !sources.isEmpty else { throw UsageError(message: "no sample photos") }
      let photo = sources[index % sources.count].resampled(
        width: width, height: height, shift: index / sources.count * 97)
      let small = photo.resampled(width: thumbnail.width, height: thumbnail.height, shift: 0)
      var file = try photo.grainy(seed: UInt64(index) + 1).encoded(quality: quality)
      if index % 4 != 3 {
        file.insert(contentsOf: exif(try small.encoded(quality: 80)), at: 2)
      }
      try Data(file).write(to: URL(fileURLWithPath: path), options: .atomic)
      return path
    }
  }

  /// Returns an EXIF segment whose second directory has a thumbnail.
  private static func exif(_ thumbnail: [UInt8]) -> [UInt8] {
    func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    func long(_ value: Int) -> [UInt8] { short(value >> 16) + short(value & 0xffff) }
    func entry(_ tag: Int, type: Int, _ value: [UInt8]) -> [UInt8] {
      short(tag) + short(type) + long(1) + value
    }
    let orientation = entry(0x112, type: 3, short(1) + [0, 0])
    let second = 8 + 2 + 12 + 4
    let offset = second + 2 + 3 * 12 + 4
    let block =
      Array("MM\0*".utf8) + long(8) + short(1) + orientation + long(second) + short(3)
      + entry(0x103, type: 3, short(6) + [0, 0]) + entry(0x201, type: 4, long(offset))
      + entry(0x202, type: 4, long(thumbnail.count)) + long(0) + thumbnail
    let contents = Array("Exif\0\0".utf8) + block
    return [0xff, 0xe1] + short(contents.count + 2) + contents
  }

  /// Pixels of three channels of 8 bits.
  private struct Picture {
    var width: Int
    var height: Int
    var pixels: [UInt8]

    init(contentsOf path: String) throws {
      let file = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
      let handle = tjInitDecompress()
      defer { tjDestroy(handle) }
      var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
      tjDecompressHeader3(handle, file, UInt(file.count), &width, &height, &sampling, &space)
      self.init(width: Int(width), height: Int(height))
      let result = tjDecompress2(
        handle, file, UInt(file.count), &pixels, width, 0, height, TJPF_RGB.rawValue, 0)
      guard width > 0, result == 0 else { throw UsageError(message: "\(path): no JPEG") }
    }

    init(width: Int, height: Int) {
      (self.width, self.height) = (width, height)
      pixels = Array(repeating: 0, count: width * height * 3)
    }

    /// Scales the picture by nearest neighbor; `shift` rolls it to the left.
    func resampled(width newWidth: Int, height newHeight: Int, shift: Int) -> Picture {
      var result = Picture(width: newWidth, height: newHeight)
      for y in 0..<newHeight {
        let row = y * height / newHeight * width
        for x in 0..<newWidth {
          let from = (row + (x * width / newWidth + shift) % width) * 3
          let to = (y * newWidth + x) * 3
          for channel in 0..<3 { result.pixels[to + channel] = pixels[from + channel] }
        }
      }
      return result
    }

    /// Adds the noise of a sensor.
    func grainy(seed: UInt64) -> Picture {
      var state = seed
      var result = self
      for index in result.pixels.indices {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let noise = Int(state >> 61) - 4 + Int(state >> 45 & 7) - 3
        result.pixels[index] = UInt8(clamping: Int(result.pixels[index]) + noise)
      }
      return result
    }

    func encoded(quality: Int32) throws -> [UInt8] {
      let handle = tjInitCompress()
      defer { tjDestroy(handle) }
      var bytes: UnsafeMutablePointer<UInt8>?
      var count: UInt = 0
      let result = tjCompress2(
        handle, pixels, Int32(width), 0, Int32(height), TJPF_RGB.rawValue, &bytes, &count,
        Int32(TJSAMP_420.rawValue), quality, 0)
      defer { tjFree(bytes) }
      guard result == 0, let bytes else { throw UsageError(message: "cannot write a JPEG") }
      return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
  }
}
