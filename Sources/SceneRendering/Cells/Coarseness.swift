import Geometry

/// How coarsely moving scenes are drawn, so that their frames are short enough for the line.
///
/// Cells become blocks of one color, which takes a half to an eighteenth of the bytes. Colors
/// stay exact, since a wrong hue is more visible than a coarse shape. The size of a frame predicts
/// the size of the next one.
struct Coarseness: Equatable, Sendable {
  struct Block: Equatable, Sendable {
    var columns: Int
    var rows: Int
  }

  /// The levels from fine to coarse; nil stands for full detail.
  private static let levels: [Block?] = [
    nil, Block(columns: 1, rows: 1), Block(columns: 2, rows: 1), Block(columns: 4, rows: 2),
    Block(columns: 8, rows: 4), Block(columns: 16, rows: 8),
  ]

  private let depth: ColorDepth
  /// The index of the current level; 0 is full detail.
  private(set) var level = 0
  /// The recent size of frames, as a share of the size if the whole screen changed.
  private var activity = 1.0
  /// The size of pictures at rest, as a share of the size if each cell needed all bytes of `cost`.
  private var density = 1.0
  /// The bytes of the last frame of this movement at each level.
  private var taken: [Double]

  init(depth: ColorDepth) {
    self.depth = depth
    taken = Array(repeating: 0, count: Self.levels.count)
  }

  /// The blocks to draw; nil for full detail.
  var block: Block? { Self.levels[level] }

  /// Chooses the level of the next frame of a movement.
  ///
  /// - Parameters:
  ///   - cells: The number of cells on the screen.
  ///   - byteBudget: The most bytes that the frame should have.
  mutating func choose(cells: Int, byteBudget: Int) {
    let budget = Double(byteBudget)
    func expected(_ level: Int) -> Double {
      max(cost(level) * Double(cells) * activity, taken[level] * 0.8)
    }
    while level < Self.levels.count - 1, expected(level) > budget { level += 1 }
    // Finer only with room to spare (hysteresis), so that it does not flicker between two levels.
    while level > 0, expected(level - 1) < budget * 0.6 { level -= 1 }
  }

  /// Returns the finest blocks in which a number of cells at rest fit the budget, or else the
  /// coarsest.
  func block(for cells: Int, byteBudget: Int) -> Block? {
    let level = Self.levels.indices.dropFirst().first {
      cost($0) * Double(cells) <= Double(byteBudget)
    }
    return Self.levels[level ?? Self.levels.count - 1]
  }

  /// Records the size of a frame of the movement, on a screen with a number of cells.
  mutating func frameTook(byteCount: Int, cells: Int) {
    let share = Double(byteCount) / max(cost(level) * Double(cells), 1)
    taken[level] = Double(byteCount)
    activity = max(activity * 0.5 + share * 0.5, 0.02)
  }

  mutating func end() {
    level = 0
    activity = density
    taken = Array(repeating: 0, count: Self.levels.count)
  }

  /// Records the bytes that a number of cells took in full detail.
  mutating func stillFrameTook(byteCount: Int, cells: Int) {
    guard cells > 0 else { return }
    let share = Double(byteCount) / (cost(0) * Double(cells))
    // A full screen is representative, a few cells are not.
    let weight = min(Double(cells) / 500, 1)
    density += (min(share, 1) - density) * weight
    activity = density
  }

  /// Returns the bytes for each cell of a photo that has changed in all cells.
  private func cost(_ level: Int) -> Double {
    let color = depth == .full ? 17.0 : depth == .palette256 ? 11 : 5
    // Two colors and a glyph of three bytes, or one color for each row of a block, and spaces.
    guard let block = Self.levels[level] else { return 2 * color + 3 }
    return color / Double(block.columns) + 1
  }
}
