import Foundation
import Geometry
import Photos
import WorkerProtocol

/// Measures the fidelity of the pictures that workers create for tiles, compared with
/// `vipsthumbnail`'s.
enum TileFidelity {
  /// The side of the square that tiles are fitted into, in pixels.
  private static let side = 196

  /// Prints the edge energy compared with vipsthumbnail's, and the signal-to-noise ratios to its
  /// output with and without linear light.
  static func measure(_ paths: [String], in folder: URL, sheet: ContactSheet?) throws {
    guard PeerProgram.isInstalled("vipsthumbnail") else {
      print("\ntiles: vipsthumbnail is not installed")
      return
    }
    print(
      "\ntiles of \(side) pixels: edge energy beside vipsthumbnail's, PSNR to it,"
        + " PSNR to it in linear light")
    // Other programs run before the worker starts: Foundation loses track of programs that end
    // while a longer one runs.
    let references = paths.map { path in
      [[], ["--linear"]].map { thumbnail(of: path, options: $0, in: folder) }
    }
    let worker = try PictureWorker()
    let frame = PixelSize(width: Double(side), height: Double(side))
    var lines: [Line] = []
    for (path, peers) in zip(paths, references) {
      let own = try worker.picture(path, .decode(frame, .fit))
      guard let own, let plain = peers[0], let linear = peers[1], own.size == plain.size else {
        print("  not decoded to the same size: \(path)")
        continue
      }
      let line = Line(own, plain, linear)
      print("  \(line)  " + (path as NSString).lastPathComponent)
      for (bitmap, name) in [
        (own, "photogrid"), (plain, "vipsthumbnail"), (linear, "vipsthumbnail linear"),
      ] {
        sheet?.write(bitmap, "tile \(lines.count + 1) \(name)")
      }
      lines.append(line)
    }
    print("  \(Line(meanOf: lines))  mean")
    try measureThumbnails(of: paths, beside: references, in: folder)
  }

  /// Prints the same of tiles that are made from thumbnails of 256 pixels, as at a second start.
  private static func measureThumbnails(
    of paths: [String], beside references: [[Bitmap?]], in folder: URL
  ) throws {
    print("\nthe same from thumbnails of 256 pixels")
    let worker = try PictureWorker()
    let cache = folder.appendingPathComponent("thumbnails").path
    try worker.useThumbnails(in: cache)
    let frame = PixelSize(width: Double(side), height: Double(side))
    var lines: [Line] = []
    for (path, peers) in zip(paths, references) {
      try worker.cacheThumbnail(path)
      let own = try worker.picture(path, .preview(frame, .fit))
      guard let own, let plain = peers[0], let linear = peers[1], own.size == plain.size else {
        print("  no thumbnail of that size: \(path)")
        continue
      }
      lines.append(Line(own, plain, linear))
      print("  \(Line(own, plain, linear))  " + (path as NSString).lastPathComponent)
    }
    print("  \(Line(meanOf: lines))  mean")
  }

  private static func thumbnail(of path: String, options: [String], in folder: URL) -> Bitmap? {
    let file = folder.appendingPathComponent("tile.ppm")
    try? FileManager.default.removeItem(at: file)
    // With a profile to export, it scales in Lab, which is not needed for photos in sRGB.
    let hasProfile = PeerProgram.hasProfile(path)
    let command =
      ["vipsthumbnail", path, "-s", "\(side)x\(side)"]
      + (hasProfile ? ["--export-profile", "srgb"] : [])
    _ = PeerProgram.output(of: command + options + ["-o", file.path])
    return (try? Data(contentsOf: file)).flatMap { PixelMap.decode([UInt8]($0)) }
  }

  /// The measures of a tile.
  private struct Line: CustomStringConvertible {
    var ratio: Double
    var plain: Double
    var linear: Double

    init(_ own: Bitmap, _ plain: Bitmap, _ linear: Bitmap) {
      let (own, plain, linear) = (own.planes, plain.planes, linear.planes)
      ratio = FloatPlane.luma(own).edgeEnergy / FloatPlane.luma(plain).edgeEnergy
      self.plain = PictureComparison.decibels(own, plain)
      self.linear = PictureComparison.decibels(own, linear)
    }

    init(meanOf lines: [Line]) {
      ratio = lines.map(\.ratio).mean
      plain = lines.map(\.plain).mean
      linear = lines.map(\.linear).mean
    }

    var description: String { String(format: "%.3f %5.2f %5.2f", ratio, plain, linear) }
  }
}

/// A worker that decodes one picture after the other, synchronously.
final class PictureWorker {
  private let descriptor: Int32
  private var process: pid_t = 0
  private var isGreeted = false
  private var reader = MessageReader<DecodeProtocol.Response>()

  /// Starts the worker that is in the same folder as this program.
  init() throws {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw UsageError(message: "no socket")
    }
    descriptor = ends[0]
    let worker = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("photogrid-worker").path
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_adddup2(&files, ends[1], 0)
    posix_spawn_file_actions_addclose(&files, ends[0])
    let name = strdup(worker)
    defer { free(name) }
    let code = posix_spawn(&process, worker, &files, nil, [name, nil], environ)
    close(ends[1])
    guard code == 0 else { throw UsageError(message: "cannot start \(worker)") }
  }

  deinit {
    // The worker ends when its connection is closed.
    close(descriptor)
    waitpid(process, nil, 0)
  }

  /// Reads and writes thumbnails below a folder from now on.
  func useThumbnails(in folder: String) throws {
    for size in ["normal", "large", "x-large", "xx-large"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(size)", withIntermediateDirectories: true)
    }
    send(.useThumbnails(ThumbnailAccess(folder: Array(folder.utf8), mayWrite: true)))
  }

  /// Stores a thumbnail of 256 pixels.
  func cacheThumbnail(_ path: String) throws { _ = try picture(path, .cacheThumbnail(.large)) }

  private func send(_ request: DecodeProtocol.Request) {
    let bytes = request.encoded(token: 1)
    write(descriptor, bytes, bytes.count)
  }

  /// Returns the picture that the worker makes of a photo; nil without one.
  func picture(_ path: String, _ work: DecodeProtocol.Request.Work) throws -> Bitmap? {
    let path = URL(fileURLWithPath: path).path
    send(.photo(path: Array(path.utf8), work))
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      // The worker sends a greeting before its answers.
      if !isGreeted { isGreeted = try reader.next(as: Hello.self) != nil }
      while isGreeted, let response = try reader.next() {
        switch response {
        case .decoded(_, let bitmap), .previewed(_, let bitmap): return bitmap
        case .failed, .noPreview, .thumbnailCached: return nil
        default: break
        }
      }
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { return nil }
      piece[..<count].withUnsafeBytes { reader.append($0) }
    }
  }
}
