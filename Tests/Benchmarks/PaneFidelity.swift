import Foundation
import Geometry
import Photos
import WorkerProtocol

/// Measures the pictures that the worker makes for panes of a comparison and for a whole screen,
/// beside one step of Lanczos from all pixels.
enum PaneFidelity {
  /// The areas that photos are fitted into, in pixels, on a screen of 1600 by 960.
  private static let areas: [(name: String, size: PixelSize)] = [
    ("whole screen", PixelSize(width: 1600, height: 960)),
    ("two panes", PixelSize(width: 796, height: 960)),
    ("three panes", PixelSize(width: 528, height: 960)),
    ("four panes", PixelSize(width: 796, height: 476)),
    ("six panes", PixelSize(width: 528, height: 476)),
    ("eight panes", PixelSize(width: 394, height: 476)),
  ]

  /// Prints for each area the mean of the signal-to-noise ratios, and the least with its photo.
  static func measure(_ paths: [String], in folder: URL) throws {
    guard PeerProgram.isInstalled("vips") else {
      print("\npanes: vips is not installed")
      return
    }
    print("\npanes: PSNR to one step of Lanczos: mean, least")
    // Other programs run before the worker starts, as for tiles.
    let photos = paths.compactMap { path in uprightSize(of: path).map { (path: path, size: $0) } }
    let references = areas.map { area in
      photos.map { reference(of: $0.path, size: $0.size, in: area.size, folder) }
    }
    let worker = try PictureWorker()
    for (area, references) in zip(areas, references) {
      var values: [(decibels: Double, name: String)] = []
      for (photo, reference) in zip(photos, references) {
        let own = try worker.picture(photo.path, .decode(area.size, .fit))
        guard let own, let reference, own.size == reference.size else {
          print("  not decoded to the same size: \(photo.path)")
          continue
        }
        values.append(
          (
            PictureComparison.decibels(own.planes, reference.planes),
            (photo.path as NSString).lastPathComponent
          ))
      }
      guard let least = values.min(by: { $0.decibels < $1.decibels }) else { continue }
      let mean = values.map(\.decibels).mean
      print(String(format: "  %5.2f %5.2f ", mean, least.decibels), area.name, "(\(least.name))")
    }
  }

  /// Returns the size of a photo; nil if vips cannot read it, or would not turn it as it says.
  private static func uprightSize(of path: String) -> PixelSize? {
    func field(_ name: String) -> Double? {
      PeerProgram.output(of: ["vipsheader", "-f", name, path]).flatMap {
        Double(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }
    guard let width = field("width"), let height = field("height"),
      field("orientation") ?? 1 == 1
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  private static func reference(
    of path: String, size photo: PixelSize, in area: PixelSize, _ folder: URL
  ) -> Bitmap? {
    let whole = folder.appendingPathComponent("whole.v").path
    let file = folder.appendingPathComponent("pane.ppm")
    try? FileManager.default.removeItem(at: file)
    _ = PeerProgram.output(
      of: PeerProgram.hasProfile(path)
        ? ["vips", "icc_transform", path, whole, "srgb", "--embedded"]
        : ["vips", "copy", path, whole])
    let target = targetSize(of: photo, in: area, mode: .fit)
    _ = PeerProgram.output(
      of: [
        "vips", "resize", whole, file.path, "\(Double(target.width) / photo.width)",
        "--vscale", "\(Double(target.height) / photo.height)", "--kernel", "lanczos3",
        "--gap", "0",
      ])
    return (try? Data(contentsOf: file)).flatMap { PixelMap.decode([UInt8]($0)) }
  }
}
