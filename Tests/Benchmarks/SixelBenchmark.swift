import Foundation
import Geometry
import Photos
import PseudoTerminal
import SceneModel
import SceneRendering

/// Measures the cost and fidelity of a still picture that fills the screen as sixels, compared with
/// `img2sixel` (Debian's libsixel-bin) with the same pixels in its default quality.
///
/// Both sequences are decoded and compared with the original pixels.
enum SixelBenchmark {
  private static let area = CellSize(columns: 160, rows: 50)
  private static let metrics = CellMetrics(cell: PixelSize(width: 10, height: 20))
  private static let width = 1600
  private static let height = 1000
  private static let runs = 7

  /// Prints times, bytes and errors for the photos in some folders.
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

    print("a still of \(width)x\(height), medians of \(runs) runs; errors of a channel, 0 to 255")
    print("photogrid: all frames and the longest, ms of CPU; kB; mean absolute, squared error")
    print("img2sixel: ms of CPU, ms by the clock; kB; mean absolute, squared error")
    var results: [(own: Result, peer: Result)] = []
    for path in photos {
      guard let photo = try picture(of: path, in: temporary) else {
        print("not decoded: \(path)")
        continue
      }
      let own = try rendered(photo)
      var line = "photogrid " + own.line
      if let peer = try encodedByPeer(photo, in: temporary) {
        results.append((own, peer))
        line += "  img2sixel " + peer.line
      }
      print(line + "  " + (path as NSString).lastPathComponent)
    }
    guard !results.isEmpty else {
      print("img2sixel is not installed (Debian: libsixel-bin), so there is nothing beside it.")
      return
    }
    printShares(of: results)
  }

  private static func printShares(of results: [(own: Result, peer: Result)]) {
    func ratios(_ value: (Result) -> Double) -> String {
      let ratios = results.map { value($0.own) / max(value($0.peer), 1e-9) }
      return String(format: "%.2f, worst %.2f", ratios.median, ratios.max() ?? 0)
    }
    print("photogrid's share of img2sixel's, medians:")
    print("  CPU \(ratios(\.milliseconds)); bytes \(ratios(\.kilobytes))")
    print("  absolute error \(ratios(\.absolute)); squared error \(ratios(\.squared))")
  }

  private struct Result {
    var milliseconds: Double
    /// The longest frame, or the elapsed time.
    var other: Double
    var kilobytes: Double
    var absolute: Double
    var squared: Double

    var line: String {
      String(
        format: "%6.1f %6.1f %6.0f %6.2f %6.2f", milliseconds, other, kilobytes, absolute, squared)
    }
  }

  // MARK: - photogrid

  /// Draws a photo over a waiting tile, as when it has just been decoded, until everything has been
  /// sent.
  private static func rendered(_ photo: Bitmap) throws -> Result {
    let frame = PixelRect(origin: .zero, size: photo.size)
    let scene = Scene(
      size: photo.size, placements: [Placement(photo: Photo.ID(0), frame: frame, crop: .unit)])
    let picture = Mipmap(photo)
    var renderer = SixelRenderer(
      PictureTraits(sixelLimit: PixelSize(width: 4096, height: 4096)))
    var bytes = FrameBytes()
    /// Draws until everything has been sent; returns the milliseconds of each frame.
    func draw(_ content: TileContent, into all: inout [UInt8]) -> [Double] {
      var times: [Double] = []
      repeat {
        bytes.removeAll()
        let start = processorSeconds()
        renderer.frame(
          for: scene, metrics: metrics, content: { _ in content }, into: &bytes)
        times.append((processorSeconds() - start) * 1000)
        all += bytes.picture
      } while renderer.isUnfinished
      return times
    }
    var totals: [Double] = []
    var longest: [Double] = []
    var output: [UInt8] = []
    for _ in 0..<runs {
      var waiting: [UInt8] = []
      _ = draw(.waiting(nil), into: &waiting)
      output.removeAll(keepingCapacity: true)
      let times = draw(.picture(picture), into: &output)
      totals.append(times.reduce(0, +))
      longest.append(times.max() ?? 0)
    }
    let errors = errors(of: try pixels(of: output), against: photo)
    return Result(
      milliseconds: totals.median, other: longest.median, kilobytes: Double(output.count) / 1000,
      absolute: errors.absolute, squared: errors.squared)
  }

  // MARK: - img2sixel

  /// Encodes a photo with img2sixel; nil if it is not installed.
  private static func encodedByPeer(_ photo: Bitmap, in folder: URL) throws -> Result? {
    let input = folder.appendingPathComponent("photo.ppm")
    let output = folder.appendingPathComponent("photo.six")
    try PixelMap.encode(photo).write(to: input)
    var times: [Double] = []
    var clock: [Double] = []
    for _ in 0..<runs {
      guard let time = try MeasuredProcess.run(["img2sixel", "-o", output.path, input.path]) else {
        return nil
      }
      times.append(time.processor * 1000)
      clock.append(time.clock * 1000)
    }
    let bytes = [UInt8](try Data(contentsOf: output))
    let errors = errors(of: try pixels(of: bytes), against: photo)
    return Result(
      milliseconds: times.median, other: clock.median, kilobytes: Double(bytes.count) / 1000,
      absolute: errors.absolute, squared: errors.squared)
  }

  // MARK: - Pixels

  /// Returns the middle of a photo that is scaled to cover the area; nil if libvips cannot decode
  /// it.
  private static func picture(of path: String, in folder: URL) throws -> Bitmap? {
    let file = folder.appendingPathComponent("decoded.ppm")
    try? FileManager.default.removeItem(at: file)
    _ = try MeasuredProcess.run([
      "vips", "thumbnail", path, file.path, "\(width)", "--height", "\(height)", "--crop",
      // The word is libvips's.
      "centre", "--export-profile", "srgb",
    ])
    guard let data = try? Data(contentsOf: file), let photo = PixelMap.decode([UInt8](data)),
      photo.width == width, photo.height == height
    else { return nil }
    return photo
  }

  /// Returns the pixels that a terminal shows after some output.
  private static func pixels(of output: [UInt8]) throws -> [UInt32] {
    // One more row, for the bar.
    var screen = ScreenReader(columns: area.columns, rows: area.rows + 1)
    screen.canvas = PixelCanvas(
      columns: area.columns, rows: area.rows + 1, cellWidth: Int(metrics.cell.width),
      cellHeight: Int(metrics.cell.height))
    screen.feed(output)
    guard let canvas = screen.canvas, !canvas.pictures.isEmpty else {
      throw UsageError(message: "no pictures")
    }
    let faults = canvas.faults.filter { !$0.contains("background") }
    guard faults.isEmpty else { throw UsageError(message: faults.joined(separator: ", ")) }
    return Array(canvas.pixels[..<(width * height)])
  }

  private static func errors(
    of pixels: [UInt32], against photo: Bitmap
  ) -> (absolute: Double, squared: Double) {
    var (absolute, squared) = (0, 0)
    for index in pixels.indices {
      for channel in 0..<3 {
        let shown = Int(pixels[index] >> UInt32(channel * 8) & 255)
        let difference = shown - Int(photo.pixels[index * 4 + channel])
        absolute += abs(difference)
        squared += difference * difference
      }
    }
    let count = Double(pixels.count * 3)
    return (Double(absolute) / count, Double(squared) / count)
  }
}
