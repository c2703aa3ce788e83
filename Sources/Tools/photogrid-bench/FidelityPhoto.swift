import Foundation
import PhotoGridCore

/// A photo at the pixels of whole cells, and what others are compared with.
struct FidelityPhoto {
  /// The photo's file.
  let path: String
  /// Its pixels, 8 by 16 to a cell.
  let bitmap: Bitmap
  /// Red, green and blue.
  let channels: [FloatPlane]
  /// The same, blurred by a cell's width.
  let blurred: [FloatPlane]
  /// Its luma.
  let luma: FloatPlane
  /// How far it is blurred, in pixels.
  let blur = cell.width

  /// The size of a cell in pixels.
  static let cell = PixelSize(width: 8, height: 16)

  /// A photo at the pixels of so many columns and the rows that go with them; nil where libvips
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

/// The photos that pictures are measured by.
enum FidelityPhotos {
  /// How many photos are measured.
  private static let count = 8
  /// Smaller photos would be enlarged, in pixels.
  private static let leastWidth = 1600

  /// The files of some folders, else of `$PHOTOGRID_TEST_PHOTOS`, else of the sample photos: of
  /// those that are large enough eight at even distances.
  static func paths(in folders: [String]) throws -> [String] {
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
      return isJPEG && (width ?? 0) >= leastWidth
    }
    guard large.count > count else { return large }
    return (0..<count).map { large[$0 * large.count / count] }
  }

  /// A photo as libvips scales it; nil if it cannot.
  static func decoded(_ path: String, width: Int, height: Int?, in folder: URL) -> Bitmap? {
    let file = folder.appendingPathComponent("decoded.ppm")
    try? FileManager.default.removeItem(at: file)
    let sides = height.map { ["--height", "\($0)", "--size", "force"] } ?? ["--height", "9999"]
    _ = PeerProgram.output(
      of: ["vips", "thumbnail", path, file.path, "\(width)", "--export-profile", "srgb"] + sides)
    return (try? Data(contentsOf: file)).flatMap { PixelMap.decode([UInt8]($0)) }
  }
}

/// Programs that others made.
enum PeerProgram {
  /// What a program writes to standard output; nil if it is not installed or fails.
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

  /// Whether a program is installed.
  static func isInstalled(_ name: String) -> Bool {
    output(of: ["sh", "-c", "command -v \(name)"]) != nil
  }
}
