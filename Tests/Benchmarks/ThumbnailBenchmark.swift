import CTurboJPEG
import Foundation
import Geometry
import PseudoTerminal

/// Measures how soon every tile shows something, without and with the thumbnail cache, and the
/// total cost; compared with timg and with bare libjpeg-turbo.
enum ThumbnailBenchmark {
  private static let runs = 5
  private static let manyCount = 254

  /// Prints times of alternating runs, then processor times.
  static func run(_ arguments: [String]) throws {
    let sources = try photos(arguments)
    // Ten columns of 18 cells, and as many rows as 59 text rows show, including a partial last one.
    let count = min(70, sources.count)
    let linked = try ProgramRun.linkedFolder(of: sources, count: count)
    defer { try? FileManager.default.removeItem(atPath: linked) }
    let names = (0..<count).map { String(format: "%@/%07d.jpg", linked, $0) }
    let megabytes =
      try sources.prefix(count).map {
        try FileManager.default.attributesOfItem(atPath: $0)[.size] as? Double ?? 0
      }.mean / 1e6
    print(
      String(format: "%d photos of %.1f MB at 200x60, seconds, %d runs", count, megabytes, runs))
    print("no cache: first picture, in all tiles, settled; with the cache: the same; timg: end")
    var ratios: (shown: [Double], settled: [Double]) = ([], [])
    var warmTimes: [Double] = []
    for _ in 0..<runs {
      let cache = try Cache()
      let cold = try times(linked, count: count, cache)
      let warm = try times(linked, count: count, cache)
      let peer = try SettleBenchmark.timg(names)
      ratios.shown.append(cold.shown / peer)
      ratios.settled.append(cold.settled / peer)
      warmTimes.append(warm.shown)
      let columns = [
        cold.first, cold.shown, cold.settled, warm.first, warm.shown, warm.settled, peer,
      ]
      print(columns.map { String(format: "%8.3f", $0) }.joined())
    }
    print(
      String(
        format: "medians: in all tiles %.2f of timg's time, settled %.2f; with the cache %.3f s",
        ratios.shown.median, ratios.settled.median, warmTimes.median))
    try compareProcessorTimes(sources)
  }

  private static func photos(_ arguments: [String]) throws -> [String] {
    if let folder = arguments.first {
      let photos = try ProgramRun.photos(in: folder, atMost: manyCount)
      guard !photos.isEmpty else { throw UsageError(message: "\(folder): no JPEGs") }
      return photos
    }
    return try CameraPhotos.make(
      72, from: try ProgramRun.photos(in: "Assets/Photos", atMost: 100))
  }

  /// A folder for caches, which is empty at first.
  private final class Cache {
    let path = NSTemporaryDirectory() + "photogrid-bench-cache-\(getpid())"

    init() throws {
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  // MARK: - Times

  private static func times(
    _ folder: String, count: Int, _ cache: Cache
  ) throws -> (first: Double, shown: Double, settled: Double) {
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid, "--motion", "none", folder], columns: ProgramRun.columns,
      rows: ProgramRun.rows, environment: ["XDG_CACHE_HOME": cache.path])
    terminal.runUntilQuiet(forSeconds: 1.5, limit: 120)
    let chunks = terminal.chunks
    terminal.send("q")
    terminal.run(forSeconds: 5) { terminal.status != nil }
    let shown = TileWatch(count: count).times(in: chunks)
    return (shown.min() ?? 0, shown.max() ?? 0, ProgramRun.lastPictureChange(of: chunks))
  }

  // MARK: - Processor times

  private static func compareProcessorTimes(_ sources: [String]) throws {
    let linked = try ProgramRun.linkedFolder(of: sources, count: manyCount)
    defer { try? FileManager.default.removeItem(atPath: linked) }
    print("\(manyCount) photos, all in sight, until all are settled: seconds of CPU")
    print("libjpeg-turbo alone; photogrid keeping no thumbnails, keeping them, finding them")
    var ratios: [[Double]] = [[], [], []]
    for _ in 0..<3 {
      let cache = try Cache()
      let bare = try bareDecoding(sources)
      let private_ = try processorSeconds(linked, ["--private"], cache)
      let cold = try processorSeconds(linked, [], cache)
      let warm = try processorSeconds(linked, [], cache)
      for (index, own) in [private_, cold, warm].enumerated() { ratios[index].append(own / bare) }
      print(
        [bare, private_, cold, warm].map { String(format: "%8.2f", $0) }.joined())
    }
    let words = ratios.map { String(format: "%.2f", $0.median) }.joined(separator: ", ")
    print("median shares of libjpeg-turbo's: \(words)")
  }

  /// Returns the processor time of all processes of a run until nothing changed any more, in
  /// seconds.
  private static func processorSeconds(
    _ folder: String, _ options: [String], _ cache: Cache
  ) throws -> Double {
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid, "--cell", "8", "--motion", "none"] + options + [folder],
      columns: ProgramRun.columns, rows: ProgramRun.rows,
      environment: ["XDG_CACHE_HOME": cache.path])
    terminal.runUntilQuiet(forSeconds: 1.5, limit: 120)
    let processes = [terminal.process] + ProgramRun.descendants(of: terminal.process)
    let seconds = processes.reduce(0) { $0 + ProgramRun.processorSeconds(of: $1) }
    terminal.send("q")
    terminal.run(forSeconds: 5) { terminal.status != nil }
    return seconds
  }

  /// Returns the time to read each photo and decode it at an eighth of its size, and nothing else,
  /// in seconds.
  private static func bareDecoding(_ sources: [String]) throws -> Double {
    let handle = tjInitDecompress()
    defer { tjDestroy(handle) }
    var pixels: [UInt8] = []
    let start = photogrid_bench.processorSeconds()
    for index in 0..<manyCount {
      let file = try Data(contentsOf: URL(fileURLWithPath: sources[index % sources.count]))
      file.withUnsafeBytes { bytes in
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        tjDecompressHeader3(
          handle, start, UInt(bytes.count), &width, &height, &sampling, &space)
        (width, height) = ((width + 7) / 8, (height + 7) / 8)
        pixels.reserveCapacity(Int(width * height * 4))
        if pixels.count < Int(width * height * 4) {
          pixels = Array(repeating: 0, count: Int(width * height * 4))
        }
        tjDecompress2(
          handle, start, UInt(bytes.count), &pixels, width, 0, height, TJPF_RGBA.rawValue, 0)
      }
    }
    return photogrid_bench.processorSeconds() - start
  }
}

/// Finds when each tile of a grid first showed its photo.
///
/// A tile shows its photo when the colors of its cells are on average close to those at the end; a
/// tile without a picture has a single color.
private struct TileWatch {
  private let tiles: [[Int]]
  private static let nearness = 24.0

  /// Creates a watch over the visible tiles of the given number of photos.
  init(count: Int) {
    let rows = ProgramRun.rows - 1
    let area = CellMetrics.standard.size(of: CellSize(columns: ProgramRun.columns, rows: rows))
    let layout = LayoutStyle().snapped(count, in: area, metrics: .standard)
    let cell = CellMetrics.standard.cell
    tiles = (0..<count).compactMap { index in
      let frame = layout.frame(at: index)
      let columns = Int((frame.minX / cell.width).rounded(.up))..<Int(frame.maxX / cell.width)
      let lines =
        Int(
          (frame.minY / cell.height).rounded(.up))..<min(
          Int(frame.maxY / cell.height), rows)
      guard !columns.isEmpty, !lines.isEmpty else { return nil }
      return lines.flatMap { line in columns.map { line * ProgramRun.columns + $0 } }
    }
  }

  /// Returns the time from the start until each tile showed its photo, in seconds.
  func times(in chunks: [PseudoTerminal.Chunk]) -> [Double] {
    var final = ScreenReader(columns: ProgramRun.columns, rows: ProgramRun.rows)
    for chunk in chunks { final.feed(chunk.bytes) }
    var screen = ScreenReader(columns: ProgramRun.columns, rows: ProgramRun.rows)
    var times = [Double?](repeating: nil, count: tiles.count)
    for chunk in chunks {
      screen.feed(chunk.bytes)
      for (index, cells) in tiles.enumerated() where times[index] == nil {
        let present = cells.map { Self.color(of: screen.cells[$0]) }
        guard Set(present).count > 1 else { continue }
        let error = zip(present, cells).map { Self.distance($0, Self.color(of: final.cells[$1])) }
        if error.mean < Self.nearness { times[index] = Double(chunk.time) / 1e9 }
      }
    }
    return times.compactMap(\.self)
  }

  /// Returns the mean of a cell's two colors.
  private static func color(of cell: ScreenReader.Cell) -> SIMD3<Double> {
    func channels(_ color: UInt32?) -> SIMD3<Double> {
      let color = color ?? 0
      return SIMD3(Double(color >> 16), Double(color >> 8 & 255), Double(color & 255))
    }
    let background = channels(cell.background)
    return cell.glyph == " " ? background : (background + channels(cell.foreground)) / 2
  }

  private static func distance(_ left: SIMD3<Double>, _ right: SIMD3<Double>) -> Double {
    let difference = left - right
    return (abs(difference.x) + abs(difference.y) + abs(difference.z)) / 3
  }
}
