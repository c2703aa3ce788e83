import Geometry

/// The properties that terminals reported in earlier sessions, stored in
/// `$XDG_STATE_HOME/photogrid/terminals` as a line for each terminal.
///
/// The first frame is drawn before a terminal responds. The properties from the last session give
/// it the final geometry; the terminal is queried nevertheless.
struct TerminalMemory {
  /// The properties of a terminal that the geometry of a grid depends on.
  struct Entry: Equatable {
    /// Whether tiles are placed by pixels or by whole cells.
    var placementUnit: CellMetrics.PlacementUnit
    var cell: PixelSize
  }

  private(set) var entry: Entry?
  private let terminal: String
  private let file: StateFile?

  /// The most terminals to record; the oldest are dropped.
  private static let maxCount = 20

  init(_ environment: TerminalEnvironment) {
    // A tab ends the name in the file.
    terminal =
      ["TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION"]
      .map { PrintableText.from(environment[$0].utf8.prefix(40).map { $0 == 0x09 ? 0x20 : $0 }) }
      .joined(separator: " ")
      + (environment.multiplexer.map { " in \($0.rawValue)" } ?? "")
      + (environment.isRemote ? " remote" : "")
    file = StateFile("terminals", environment.variables)
    entry = Self.entries(file).first { $0.terminal == terminal }?.entry
  }

  /// Whether the terminal is not recorded, and can be; creates the folder for that.
  var isNew: Bool { entry == nil && file?.makeWritable() == true }

  /// Records the entry of this terminal, if it differs; errors are ignored.
  mutating func record(_ entry: Entry) {
    guard entry != self.entry, CellMetrics.isPlausible(entry.cell) else { return }
    self.entry = entry
    let others = Self.entries(file).filter { $0.terminal != terminal }
    let all = [(terminal, entry)] + others.prefix(Self.maxCount - 1)
    file?.replace(
      with: all.map { terminal, entry in
        let placementUnit = entry.placementUnit == .pixels ? "pixels" : "cells"
        return "\(entry.cell.width)x\(entry.cell.height)\t\(placementUnit)\t\(terminal)"
      })
  }

  private static func entries(_ file: StateFile?) -> [(terminal: String, entry: Entry)] {
    (file?.lines ?? []).compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 3, ["pixels", "cells"].contains(fields[1]) else { return nil }
      let sides = fields[0].split(separator: "x").compactMap { Double($0) }
      guard sides.count == 2 else { return nil }
      let cell = PixelSize(width: sides[0], height: sides[1])
      guard CellMetrics.isPlausible(cell) else { return nil }
      return (
        String(fields[2]),
        Entry(placementUnit: fields[1] == "pixels" ? .pixels : .cells, cell: cell)
      )
    }
  }
}
