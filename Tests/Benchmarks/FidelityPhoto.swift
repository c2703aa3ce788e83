import Foundation
import Geometry
import Photos

/// A photo scaled to whole cells, with the planes that pictures are compared with.
struct FidelityPhoto {
  /// The photo's file.
  let path: String
  /// Its pixels, 8 by 16 to a cell.
  let bitmap: Bitmap
  /// Red, green and blue.
  let channels: [FloatPlane]
  /// The color planes, blurred by a cell's width.
  let blurred: [FloatPlane]
  /// Its luma.
  let luma: FloatPlane
  /// The standard deviation of the blur, in pixels.
  let blur = cell.width

  /// The size of a cell in pixels.
  static let cell = PixelSize(width: 8, height: 16)

  /// Creates a photo with a width in columns and the rows that its shape requires; nil if libvips
  /// cannot decode it.
  init?(_ path: String, columns: Int, in folder: URL) {
    let width = columns * Int(Self.cell.width)
    guard let whole = FidelityPhotos.decoded(path, width: width, height: nil, in: folder) else {
      return nil
    }
    let height = max(1, whole.height / Int(Self.cell.height)) * Int(Self.cell.height)
    guard
      let bitmap = FidelityPhotos.decoded(path, width: width, height: height, in: folder)
    else { return nil }
    self.path = path
    self.bitmap = bitmap
    channels = [0, 1, 2].map { FloatPlane(bitmap, channel: $0) }
    blurred = channels.map { $0.blurred(by: Self.cell.width) }
    luma = .luma(channels)
  }

  /// The picture area that it fills.
  var cells: CellSize {
    CellSize(
      columns: bitmap.width / Int(Self.cell.width), rows: bitmap.height / Int(Self.cell.height))
  }
}

/// The choice of photos to measure with.
enum FidelityPhotos {
  /// The least width of a photo, in pixels; smaller ones would be enlarged.
  private static let minWidth = 1600

  /// Returns some large enough photos at even distances, from some folders, else from
  /// `$PHOTOGRID_TEST_PHOTOS`, else from the sample photos.
  static func paths(in folders: [String], atMost count: Int) throws -> [String] {
    let usual = ProcessInfo.processInfo.environment["PHOTOGRID_TEST_PHOTOS"] ?? "Assets/Photos"
    let all = try (folders.isEmpty ? [usual] : folders).flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
        folder + "/" + $0
      }
    }
    let large = all.filter { path in
      let isJPEG = path.lowercased().hasSuffix(".jpg")
      let width = PeerProgram.output(of: ["vipsheader", "-f", "width", path])
        .flatMap {
          Int(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        }
      return isJPEG && (width ?? 0) >= minWidth
    }
    guard large.count > count else { return large }
    return (0..<count).map { large[$0 * large.count / count] }
  }

  /// Returns a photo scaled by libvips; nil if libvips cannot decode it.
  static func decoded(_ path: String, width: Int, height: Int?, in folder: URL) -> Bitmap? {
    let file = folder.appendingPathComponent("decoded.ppm")
    try? FileManager.default.removeItem(at: file)
    let sides = height.map { ["--height", "\($0)", "--size", "force"] } ?? ["--height", "9999"]
    _ = PeerProgram.output(
      of: ["vips", "thumbnail", path, file.path, "\(width)", "--export-profile", "srgb"] + sides)
    return (try? Data(contentsOf: file)).flatMap { PixelMap.decode([UInt8]($0)) }
  }
}

/// Running other programs for comparison.
enum PeerProgram {
  /// Returns the standard output of a program; nil if it is not installed or fails.
  static func output(of command: [String]) -> Data? {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? data : nil
  }

  /// Whether a photo has a color profile, according to vips.
  static func hasProfile(_ path: String) -> Bool {
    output(of: ["vipsheader", "-f", "icc-profile-data", path]) != nil
  }

  /// Whether a program is installed.
  static func isInstalled(_ name: String) -> Bool {
    output(of: ["sh", "-c", "command -v \(name)"]) != nil
  }
}
