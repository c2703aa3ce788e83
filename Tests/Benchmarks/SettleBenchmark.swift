import Foundation
import PseudoTerminal

/// Measures the time until all tiles on the screen show their photos, compared with timg and the
/// same photos at the same size.
enum SettleBenchmark {
  private static let runs = 5

  /// Prints both times and their ratio, in alternating runs.
  static func run(_ arguments: [String]) throws {
    guard let folder = arguments.first else {
      throw UsageError(message: "needs a folder of camera JPEGs")
    }
    // Ten columns of 18 cells, and as many rows as 59 text rows show, including a partial last one.
    let photos = try ProgramRun.photos(in: folder, atMost: 70)
    guard !photos.isEmpty else { throw UsageError(message: "\(folder): no JPEGs") }
    let linked = try ProgramRun.linkedFolder(of: photos, count: photos.count)
    defer { try? FileManager.default.removeItem(atPath: linked) }
    let names = (0..<photos.count).map { String(format: "%@/%07d.jpg", linked, $0) }

    print("\(photos.count) photos at 200x60, seconds, \(runs) runs of each in turn")
    print("photogrid: first picture, all settled; timg -pq --grid=10 --threads=2: end; ratio")
    var ratios: [Double] = []
    for _ in 0..<runs {
      let own = try settle(linked)
      let peer = try timg(names)
      ratios.append(own.settled / peer)
      print(
        String(format: "%8.3f %8.3f %8.3f %8.2f", own.first, own.settled, peer, own.settled / peer))
    }
    print(String(format: "median ratio %.2f", ratios.median))
  }

  private static func settle(_ folder: String) throws -> (first: Double, settled: Double) {
    let terminal = try PseudoTerminal(
      [ProgramRun.photogrid, folder], columns: ProgramRun.columns, rows: ProgramRun.rows,
      environment: ["XDG_CACHE_HOME": "/dev/null/none"])
    terminal.runUntilQuiet(forSeconds: 1.5, limit: 120)
    let chunks = terminal.chunks
    terminal.send("q")
    terminal.run(forSeconds: 5)
    let frames = ProgramRun.frameTimes(of: chunks)
    return (firstPicture(in: chunks) ?? frames.last ?? 0, ProgramRun.lastPictureChange(of: chunks))
  }

  /// Returns when more than the skeleton and the ring was visible, that is, more than a handful of
  /// colors.
  private static func firstPicture(in chunks: [PseudoTerminal.Chunk]) -> Double? {
    var screen = ScreenReader(columns: ProgramRun.columns, rows: ProgramRun.rows)
    for chunk in chunks {
      screen.feed(chunk.bytes)
      if Set(screen.cells.compactMap(\.background)).count > 8 { return Double(chunk.time) / 1e9 }
    }
    return nil
  }

  /// Returns when timg has written the same photos, in seconds since its start.
  static func timg(_ names: [String]) throws -> Double {
    let terminal = try PseudoTerminal(
      ["timg", "-pq", "--grid=10", "--threads=2", "-g200x60"] + names,
      columns: ProgramRun.columns, rows: ProgramRun.rows)
    terminal.run(forSeconds: 120) { terminal.status != nil }
    guard terminal.status == 0 else { throw UsageError(message: "timg failed; is it installed?") }
    return Double(terminal.chunks.last?.time ?? 0) / 1e9
  }
}
