import Foundation
import PhotoGridCore
import WorkerProtocol

/// How true the pictures of tiles are that workers make, beside `vipsthumbnail`'s.
enum TileFidelity {
  /// The side of the square that tiles are fitted into, in pixels.
  private static let side = 196

  /// Prints edge energy beside vipsthumbnail's, and the signal-to-noise ratio to it.
  static func measure(_ paths: [String], in folder: URL, sheet: ContactSheet?) throws {
    guard PeerProgram.isInstalled("vipsthumbnail") else {
      print("\ntiles: vipsthumbnail is not installed")
      return
    }
    print("\ntiles of \(side) pixels, beside vipsthumbnail: edge energy, PSNR to it")
    var ratios: [Double] = []
    var decibels: [Double] = []
    let worker = try PictureWorker()
    for path in paths {
      let file = folder.appendingPathComponent("tile.ppm")
      _ = PeerProgram.output(
        of: [
          "vipsthumbnail", path, "-s", "\(side)x\(side)", "--export-profile", "srgb", "-o",
          file.path,
        ])
      guard let data = try? Data(contentsOf: file), let other = PixelMap.decode([UInt8](data)),
        let own = try worker.picture(
          path, PixelSize(width: Double(side), height: Double(side))),
        own.size == other.size
      else {
        print("not decoded to the same size: \(path)")
        continue
      }
      let (mine, theirs) =
        ([own, other].map { bitmap in
          (0..<3).map { FloatPlane(bitmap, channel: $0) }
        }).pair
      let ratio = FloatPlane.luma(mine).edgeEnergy / FloatPlane.luma(theirs).edgeEnergy
      let error = zip(mine, theirs).map { $0.squaredDifference(from: $1) }.mean
      ratios.append(ratio)
      decibels.append(PictureComparison.decibels(error))
      print(
        String(format: "  %.3f %5.2f  ", ratio, PictureComparison.decibels(error))
          + (path as NSString).lastPathComponent)
      if ratios.count == 1 {
        sheet?.write(own, "tile photogrid")
        sheet?.write(other, "tile vipsthumbnail")
      }
    }
    print(
      String(
        format:
          "tiles: edge energy %.3f of vipsthumbnail's (%.3f to %.3f), PSNR %.2f dB (least %.2f)",
        ratios.mean, ratios.min() ?? 0, ratios.max() ?? 0, decibels.mean, decibels.min() ?? 0))
  }
}

extension Array {
  /// The first two elements.
  fileprivate var pair: (Element, Element) { (self[0], self[1]) }
}

/// A worker that is asked for one picture after the other, and waited for.
final class PictureWorker {
  private let process = Process()
  private let descriptor: Int32
  private var reader = MessageReader<Response>()

  /// Starts the worker beside this program.
  init() throws {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw UsageError(message: "no socket")
    }
    descriptor = ends[0]
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("photogrid-worker")
    process.standardInput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    close(descriptor)
    process.terminate()
  }

  /// The whole photo in a frame; nil where it cannot be decoded.
  func picture(_ path: String, _ size: PixelSize) throws -> Bitmap? {
    let path = URL(fileURLWithPath: path).path
    let request = Request.decode(token: 1, path: Array(path.utf8), size: size, mode: .fit)
    let bytes = request.encoded()
    guard write(descriptor, bytes, bytes.count) == bytes.count else { return nil }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      while let response = try reader.next() {
        switch response {
        case .decoded(_, _, let bitmap): return bitmap
        case .failed: return nil
        default: break
        }
      }
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { return nil }
      piece[..<count].withUnsafeBytes { reader.append($0) }
    }
  }
}
