/// The frame header of a JPEG (ITU-T T.81, A.2 and B.2.2): baseline or progressive, gray or YCbCr,
/// 8 bits a sample.
struct JPEGFrame {
  let width: Int
  let height: Int
  /// Whether the coefficients are divided among several scans.
  let isProgressive: Bool
  /// The color components: brightness alone, or Y, Cb and Cr.
  private(set) var components: [Component] = []
  private(set) var columns = 0
  private(set) var rows = 0

  struct Component {
    /// Its identifier in scan headers.
    var number: UInt8
    /// The number of blocks in a row of an MCU.
    var across: Int
    /// The number of rows of blocks in an MCU.
    var down: Int
    var quantizationTable: UInt8
  }

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
          number: bytes[start], across: across, down: down, quantizationTable: bytes[start + 2]))
    }
    // A single component is stored block by block, whatever its sampling factors.
    if count == 1 { (components[0].across, components[0].down) = (1, 1) }
    // Components of RGB are identified by their letters.
    guard components.map(\.number) != Array("RGB".utf8),
      components.allSatisfy({ across % $0.across == 0 && down % $0.down == 0 })
    else { return nil }
    columns = (width + 8 * across - 1) / (8 * across)
    rows = (height + 8 * down - 1) / (8 * down)
  }

  /// The largest number of blocks in a row of an MCU, over all components.
  var across: Int { components.map(\.across).max() ?? 1 }
  /// The largest number of rows of blocks in an MCU, over all components.
  var down: Int { components.map(\.down).max() ?? 1 }

  /// The number of all blocks, including the padding of the last MCUs.
  var blockCount: Int {
    components.reduce(0) { $0 + columns * $1.across * rows * $1.down }
  }

  /// A block of an MCU, with its index among all blocks.
  ///
  /// All blocks are numbered component by component, and row by row in each.
  struct Block {
    /// The index of the component.
    var component: Int
    /// The index of the block in the first MCU.
    var start: Int
    /// The distance to the index in the next MCU of the row.
    var columnStep: Int
    /// The distance to the index in the next row of MCUs.
    var rowStep: Int
  }

  /// An MCU, by its row and column.
  struct MCU {
    private var row: Int
    private var column: Int
    private let columns: Int

    /// Creates the MCU with a number, counted row by row.
    init(_ number: Int, in frame: JPEGFrame) {
      (row, column) = number.quotientAndRemainder(dividingBy: frame.columns)
      columns = frame.columns
    }

    /// Returns the index of one of its blocks among all blocks.
    @inline(__always)
    func index(of block: Block) -> Int {
      block.start &+ row &* block.rowStep &+ column &* block.columnStep
    }

    @inline(__always)
    mutating func advance() {
      column &+= 1
      if column == columns { (row, column) = (row &+ 1, 0) }
    }
  }

  /// The blocks of an MCU in the order in which they are stored.
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

/// The header of a scan with all components of the frame (ITU-T T.81, B.2.3).
struct JPEGScan {
  /// The numbers of each component's Huffman tables for DC and AC coefficients.
  private(set) var codes: [(dc: UInt8, ac: UInt8)] = []
  /// The index of the first coefficient in the scan; 0 is the DC coefficient.
  let firstCoefficient: UInt8
  /// The index of the last coefficient in the scan.
  let lastCoefficient: UInt8
  /// The number of low bits that the previous scan left out; 0 in the first scan.
  let bitsBefore: UInt8
  /// The number of low bits that are left to later scans.
  let bitsAfter: UInt8

  /// Parses the contents of a scan header; nil if the scan lacks a component.
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
