import PhotoGridCore

/// How coarsely what moves is drawn, so that its frames are short enough for the line.
///
/// Cells become blocks of one colour, which takes a half to an eighteenth of the bytes; colours stay
/// as they are, since a wrong hue is seen sooner than a coarse shape. The size of a frame predicts the size of the next one.
struct Coarseness: Equatable, Sendable {
  /// One colour for so many cells across and down.
  struct Block: Equatable, Sendable {
    var columns: Int
    var rows: Int
  }

  /// From fine to coarse; nil is glyphs and colours in full.
  private static let levels: [Block?] = [
    nil, Block(columns: 1, rows: 1), Block(columns: 2, rows: 1), Block(columns: 4, rows: 2),
    Block(columns: 8, rows: 4), Block(columns: 16, rows: 8),
  ]

  private let depth: ColorDepth
  private(set) var level = 0
  /// What frames take, as a share of what they would if all of the screen changed.
  private var activity = 1.0
  /// What the pictures that stand on the screen took, as the same share: few colours take little.
  private var density = 1.0
  /// What the last frame of this movement took at each level.
  private var taken: [Double]

  /// Full detail at a depth, until something else is chosen.
  init(depth: ColorDepth) {
    self.depth = depth
    taken = Array(repeating: 0, count: Self.levels.count)
  }

  /// The blocks to draw; nil where nothing is coarse.
  var block: Block? { Self.levels[level] }

  /// Chooses for the next frame of a movement on a screen of so many cells.
  mutating func choose(cells: Int, byteBudget: Int) {
    let budget = Double(byteBudget)
    func expected(_ level: Int) -> Double {
      max(cost(level) * Double(cells) * activity, taken[level] * 0.8)
    }
    while level < Self.levels.count - 1, expected(level) > budget { level += 1 }
    // Finer only with room to spare, so that it does not flicker between two.
    while level > 0, expected(level - 1) < budget * 0.6 { level -= 1 }
  }

  /// The finest blocks in which so many cells at rest fit the budget, or else the coarsest.
  func block(for cells: Int, byteBudget: Int) -> Block? {
    let level = Self.levels.indices.dropFirst().first {
      cost($0) * Double(cells) <= Double(byteBudget)
    }
    return Self.levels[level ?? Self.levels.count - 1]
  }

  /// Records the size of a frame of the movement.
  mutating func frameTook(byteCount: Int, cells: Int) {
    let share = Double(byteCount) / max(cost(level) * Double(cells), 1)
    taken[level] = Double(byteCount)
    activity = max(activity * 0.5 + share * 0.5, 0.02)
  }

  /// Ends the movement: what stands still is drawn in full.
  mutating func end() {
    level = 0
    activity = density
    taken = Array(repeating: 0, count: Self.levels.count)
  }

  /// Records the size of so many cells in full.
  mutating func stillFrameTook(byteCount: Int, cells: Int) {
    guard cells > 0 else { return }
    let share = Double(byteCount) / (cost(0) * Double(cells))
    // A full screen is representative, a few cells are not.
    let weight = min(Double(cells) / 500, 1)
    density += (min(share, 1) - density) * weight
    activity = density
  }

  /// Bytes for a cell of a photo that has changed all over.
  private func cost(_ level: Int) -> Double {
    let color = depth == .full ? 17.0 : depth == .palette256 ? 11 : 5
    // Either two colours and a glyph of three bytes, or one for each row of a block, and spaces.
    guard let block = Self.levels[level] else { return 2 * color + 3 }
    return color / Double(block.columns) + 1
  }
}
