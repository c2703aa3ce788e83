/// How the pictures of a JPEG's components are laid out in it (ITU-T T.81, A.2): for baseline and
/// progressive files of gray or YCbCr, 8 bits a sample.
struct JPEGFrame {
  /// In pixels.
  let width: Int
  let height: Int
  let isProgressive: Bool
  private(set) var components: [Component] = []
  /// MCUs side by side, and one below the other.
  private(set) var columns = 0
  private(set) var rows = 0

  struct Component {
    var number: UInt8
    /// Blocks of an MCU side by side, and one below the other.
    var across: Int
    var down: Int
    var stepTable: UInt8
  }

  /// Reads a frame header's contents; nil for what is of another kind, or wrong.
  init?(_ contents: ArraySlice<UInt8>, isProgressive: Bool) {
    let bytes = Array(contents)
    guard bytes.count >= 6, bytes[0] == 8 else { return nil }
    self.isProgressive = isProgressive
    height = Int(bytes[1]) << 8 | Int(bytes[2])
    width = Int(bytes[3]) << 8 | Int(bytes[4])
    let count = Int(bytes[5])
    guard width > 0, height > 0, count == 1 || count == 3, bytes.count == 6 + 3 * count else {
      return nil
    }
    for start in stride(from: 6, to: bytes.count, by: 3) {
      let (across, down) = (Int(bytes[start + 1] >> 4), Int(bytes[start + 1] & 15))
      guard (1...4).contains(across), (1...4).contains(down) else { return nil }
      components.append(
        Component(
          number: bytes[start], across: across, down: down, stepTable: bytes[start + 2]))
    }
    // One component alone is stored block by block, whatever its factors say.
    if count == 1 { (components[0].across, components[0].down) = (1, 1) }
    // Red, green and blue say so by their letters.
    guard components.map(\.number) != Array("RGB".utf8),
      components.allSatisfy({ across % $0.across == 0 && down % $0.down == 0 })
    else { return nil }
    columns = (width + 8 * across - 1) / (8 * across)
    rows = (height + 8 * down - 1) / (8 * down)
  }

  /// The most blocks of an MCU that a component has side by side, and one below the other.
  var across: Int { components.map(\.across).max() ?? 1 }
  var down: Int { components.map(\.down).max() ?? 1 }

  /// How many blocks there are in all, those that fill up the last MCUs too.
  var blockCount: Int {
    components.reduce(0) { $0 + columns * $1.across * rows * $1.down }
  }

  /// A block of an MCU, and where it is among all: those of each component, row by row, follow
  /// those of the one before.
  struct Block {
    var component: Int
    /// The place of the block in the first MCU.
    var start: Int
    /// How much further it is in the next MCU, and in the next row of them.
    var columnStep: Int
    var rowStep: Int
  }

  /// The blocks of an MCU in their order.
  var blocks: [Block] {
    var blocks: [Block] = []
    var start = 0
    for (number, component) in components.enumerated() {
      let width = columns * component.across
      for y in 0..<component.down {
        for x in 0..<component.across {
          blocks.append(
            Block(
              component: number, start: start + y * width + x, columnStep: component.across,
              rowStep: width * component.down))
        }
      }
      start += width * component.down * rows
    }
    return blocks
  }
}

/// What a scan's header says (ITU-T T.81, B.2.3), of scans that have all components.
struct JPEGScan {
  /// Which codes each component has: those for means and those for the other coefficients.
  private(set) var codes: [(mean: UInt8, detail: UInt8)] = []
  let firstCoefficient: UInt8
  let lastCoefficient: UInt8
  /// The bits that earlier scans have told, 0 if there were none; and the bits that later ones will.
  let bitsBefore: UInt8
  let bitsAfter: UInt8

  /// Reads a header; nil where it is not one of all components.
  init?(_ contents: ArraySlice<UInt8>, of frame: JPEGFrame) {
    let bytes = Array(contents)
    let count = frame.components.count
    guard bytes.count == 4 + 2 * count, Int(bytes[0]) == count else { return nil }
    for (index, component) in frame.components.enumerated() {
      guard bytes[1 + 2 * index] == component.number else { return nil }
      codes.append((bytes[2 + 2 * index] >> 4, bytes[2 + 2 * index] & 15))
    }
    firstCoefficient = bytes[1 + 2 * count]
    lastCoefficient = bytes[2 + 2 * count]
    bitsBefore = bytes[3 + 2 * count] >> 4
    bitsAfter = bytes[3 + 2 * count] & 15
  }
}
