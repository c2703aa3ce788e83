import Foundation
import Photos

/// A folder of pictures to look at, each enlarged to twice its drawn size.
struct ContactSheet {
  private let folder: URL
  /// The largest size that is written, in pixels before enlarging; of larger pictures only the
  /// middle is.
  private static let most = (width: 640, height: 480)

  /// Creates a sheet and its folder.
  init(folder: String) throws {
    self.folder = URL(fileURLWithPath: folder)
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
  }

  /// Writes a picture as a PNG by libvips, or else as a pixel map.
  func write(_ bitmap: Bitmap, _ name: String) {
    let base = folder.appendingPathComponent(name.replacing(" ", with: "-"))
    let map = base.appendingPathExtension("ppm")
    guard (try? PixelMap.encode(enlarged(bitmap)).write(to: map)) != nil,
      PeerProgram.output(
        of: ["vips", "copy", map.path, base.appendingPathExtension("png").path]) != nil
    else { return }
    try? FileManager.default.removeItem(at: map)
  }

  /// Returns the picture, or its middle, with four pixels for each pixel.
  private func enlarged(_ bitmap: Bitmap) -> Bitmap {
    let (width, height) = (
      min(bitmap.width, Self.most.width), min(bitmap.height, Self.most.height)
    )
    let (left, top) = ((bitmap.width - width) / 2, (bitmap.height - height) / 2)
    var pixels = [UInt8](repeating: 255, count: width * height * 16)
    for y in 0..<height * 2 {
      for x in 0..<width * 2 {
        let from = ((top + y / 2) * bitmap.width + left + x / 2) * 4
        for channel in 0..<3 {
          pixels[(y * width * 2 + x) * 4 + channel] = bitmap.pixels[from + channel]
        }
      }
    }
    return Bitmap(width: width * 2, height: height * 2, pixels: pixels, isOpaque: true)
  }
}
