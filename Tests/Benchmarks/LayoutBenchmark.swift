import Foundation
import Geometry

/// Measures the layout of a hundred thousand photos, and finding those on the screen.
enum LayoutBenchmark {
  /// Prints the times for every layout, at 200 by 60 text cells.
  static func run(_ arguments: [String]) throws {
    guard arguments.isEmpty else { throw UsageError(message: "there are no options") }
    print("\(count) photos at \(cells.columns)x\(cells.rows), the slowest of \(runs) runs")
    print("layout    laid out ms   all frames ms   visible ones us   neighbor us")
    for (name, layout) in layouts { report(name, layout) }
  }

  private static let count = 100_000
  private static let runs = 1_000
  private static let cells = CellSize(columns: 200, rows: 60)
  private static let screen = CellMetrics.standard.size(of: cells)

  private static var layouts: [(name: String, layout: () -> TileLayout)] {
    [
      (
        "grid",
        {
          .grid(
            GridLayout(
              snapping: count, width: screen.width,
              columns: GridColumns([.adaptive(minimum: 180)]), spacing: 1, metrics: .standard,
              hasLabels: false))
        }
      ),
      (
        "mosaic",
        {
          .mosaic(
            MosaicLayout(
              snapping: count, width: screen.width, pageHeight: screen.height, metrics: .standard))
        }
      ),
      (
        "bento",
        {
          .bento(
            BentoLayout(
              snapping: count, width: screen.width, pageHeight: screen.height, metrics: .standard))
        }
      ),
      (
        "rows",
        {
          .rows(
            RowsLayout(
              snapping: count, width: screen.width, rowHeight: 180, metrics: .standard,
              ratio: { [1.5, 0.75, 1.78][$0 % 3] }))
        }
      ),
    ]
  }

  private static func report(_ name: String, _ make: () -> TileLayout) {
    let layout = make()
    let limit = max(layout.contentHeight - screen.height, 0)
    var checksum = 0.0
    let laidOut = slowest { _ in checksum += make().contentHeight }
    // The program never needs all frames at once; measuring them shows that a layout defers no
    // work.
    let start = processorSeconds()
    for index in 0..<count { checksum += layout.frame(at: index).maxX }
    let allFrames = processorSeconds() - start
    let found = slowest { run in
      let y = limit * Double(run) / Double(runs)
      let view = PixelRect(x: 0, y: y, width: screen.width, height: screen.height)
      for index in layout.indices(in: view) where layout.frame(at: index).intersects(view) {
        checksum += Double(index)
      }
    }
    let neighbor = slowest { run in
      let index = count / runs * run
      for direction in Direction.allCases {
        checksum += Double(layout.neighbor(of: index, in: direction) ?? 0)
      }
    }
    let columns = [
      name.padding(toLength: 8, withPad: " ", startingAt: 0),
      String(format: "%12.3f", laidOut * 1e3),
      String(format: "%15.3f", allFrames * 1e3),
      String(format: "%17.1f", found * 1e6),
      String(format: "%14.1f", neighbor / Double(Direction.allCases.count) * 1e6),
    ]
    print(columns.joined(separator: " "))
    precondition(checksum.isFinite, "the results must be used, or they are not computed")
  }

  /// Returns the time of the slowest run, in seconds, after one that is not counted.
  private static func slowest(_ body: (Int) -> Void) -> Double {
    body(0)
    return (0..<runs).map { run in
      let start = processorSeconds()
      body(run)
      return processorSeconds() - start
    }.max() ?? 0
  }
}
