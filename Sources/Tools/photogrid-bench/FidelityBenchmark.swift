import Foundation
import PhotoGridCore
import SceneRendering

/// How true settled pictures are, beside those of chafa with the same glyphs.
///
/// Both get the same picture, and what they send is read back: every cell is drawn at 8 by 16
/// pixels, and compared with the photo.
enum FidelityBenchmark {
  /// Prints the squared errors of the photos in some folders.
  static func run(_ folders: [String]) throws {
    guard !folders.isEmpty else { throw UsageError(message: "name a folder of photos") }
    let photos = try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
        folder + "/" + $0
      }
    }
    let temporary = FileManager.default.temporaryDirectory
      .appendingPathComponent("photogrid-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: temporary) }

    print("mean squared error at \(bounds.columns)x\(bounds.rows) cells: photogrid, chafa, ratio")
    var errors = [(photogrid: [Double], chafa: [Double])](repeating: ([], []), count: sets.count)
    for path in photos {
      guard let photo = try picture(of: path, in: temporary) else {
        print("not decoded: \(path)")
        continue
      }
      var line = ""
      for (index, set) in sets.enumerated() {
        let own = error(of: ownRendering(of: photo, set.glyphs), against: photo)
        let other = error(of: try chafaRendering(of: photo, set, in: temporary), against: photo)
        errors[index].photogrid.append(own)
        errors[index].chafa.append(other)
        line += String(
          format: "%@ %7.1f %7.1f %.3f   ", set.glyphs.rawValue, own, other, own / other)
      }
      print(line + (path as NSString).lastPathComponent)
    }
    for (set, errors) in zip(sets, errors) where !errors.photogrid.isEmpty {
      let ratios = zip(errors.photogrid, errors.chafa).map { $0 / $1 }
      print(
        String(
          format: "%@: mean error %.1f, chafa %.1f, ratio %.4f; mean of ratios %.4f, worst %.4f",
          set.glyphs.rawValue, errors.photogrid.mean, errors.chafa.mean,
          errors.photogrid.mean / errors.chafa.mean, ratios.mean, ratios.max() ?? 0))
    }
  }

  private typealias Set = (glyphs: GlyphSet, symbols: String)

  private static let sets: [Set] = [
    (.half, "vhalf+space+solid"), (.quadrant, "quad+half+space+solid"),
    (.sextant, "sextant+quad+half+space+solid"),
  ]
  private static let bounds = CellSize(columns: 80, rows: 40)
  private static let cell = PixelSize(width: 8, height: 16)

  private static func ownRendering(of photo: Bitmap, _ glyphs: GlyphSet) -> Bitmap {
    var renderer = CellRenderer(glyphs: glyphs, depth: .full)
    let frame = PixelRect(origin: .zero, size: photo.size)
    let scene = Scene(
      size: photo.size, placements: [Placement(photo: Photo.ID(0), frame: frame, crop: .unit)])
    let bytes = renderer.text(of: scene, metrics: CellMetrics(cell: cell)) { _ in
      .picture(Mipmap(photo))
    }
    return CellArtReader.bitmap(of: bytes, size: cells(of: photo))
  }

  private static func chafaRendering(
    of photo: Bitmap, _ set: Set, in folder: URL
  ) throws -> Bitmap {
    let file = folder.appendingPathComponent("photo.ppm")
    try PixelMap.encode(photo).write(to: file)
    let size = cells(of: photo)
    let bytes = try output(
      of: "chafa",
      [
        "-f", "symbols", "--symbols", set.symbols, "-w", "9", "-c", "full", "--stretch",
        "--size", "\(size.columns)x\(size.rows)", file.path,
      ])
    return CellArtReader.bitmap(of: [UInt8](bytes), size: size)
  }

  private static func cells(of photo: Bitmap) -> CellSize {
    CellSize(columns: photo.width / Int(cell.width), rows: photo.height / Int(cell.height))
  }

  /// The photo, averaged to the pixels of the whole cells nearest its shape; nil if libvips cannot
  /// decode it.
  private static func picture(of path: String, in folder: URL) throws -> Bitmap? {
    let file = folder.appendingPathComponent("decoded.ppm")
    try? FileManager.default.removeItem(at: file)
    _ = try output(
      of: "vips",
      ["thumbnail", path, file.path, "4096", "--size", "down", "--export-profile", "srgb"])
    guard let data = try? Data(contentsOf: file), let decoded = PixelMap.decode([UInt8](data))
    else { return nil }
    let fitted = decoded.size.fitted(in: CellMetrics(cell: cell).size(of: bounds))
    return decoded.averaged(
      width: max(1, Int((fitted.width / cell.width).rounded())) * Int(cell.width),
      height: max(1, Int((fitted.height / cell.height).rounded())) * Int(cell.height))
  }

  private static func output(of tool: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data
  }

  /// The mean squared difference of the channels.
  private static func error(of drawn: Bitmap, against photo: Bitmap) -> Double {
    var sum = 0
    for index in photo.pixels.indices where index % 4 != 3 {
      let difference = Int(photo.pixels[index]) - Int(drawn.pixels[index])
      sum += difference * difference
    }
    return Double(sum) / Double(photo.width * photo.height * 3)
  }
}
