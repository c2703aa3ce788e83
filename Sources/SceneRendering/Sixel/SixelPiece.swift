import Geometry

/// The pixels of a rectangle of cells as registers of a sixel picture.
struct SixelPiece {
  private(set) var width = 0
  private(set) var height = 0
  /// The registers of all pixels, row by row, in whole bands of six rows; transparent pixels have
  /// `ErrorDiffusion.transparent`.
  private(set) var registers: [UInt16] = []
  private(set) var palette = SixelPalette()
  /// The cells with transparent pixels, in runs of a row; they must be blank before the piece is
  /// drawn.
  private(set) var openCells: [CellRect] = []

  /// The most registers of a picture.
  private let limit: Int
  private var outline = PixelPiece()
  /// The registers of colors outside of photos, by their pixels.
  private var flat: [UInt32: UInt16] = [:]
  /// The new numbers of registers, by the numbers before unused ones were removed; 0 for unused
  /// ones.
  private var numbers: [UInt16] = []

  /// Creates a piece for pictures of at most `limit` registers.
  init(limit: Int) { self.limit = limit }

  /// The register of transparent pixels until unused registers are removed.
  private static let nothing = UInt16.max

  mutating func paint(
    _ rect: CellRect, of compositor: inout Compositor, with dither: inout PictureDither
  ) -> Bool {
    let grid = compositor.grid
    let (columns, rows) = (grid.sampleColumns(of: rect), grid.sampleRows(of: rect))
    let isSmallest = rect.half == nil
    let layers = compositor.layers.indices.filter {
      guard case .picture = compositor.layers[$0].paint else { return false }
      return compositor.layers[$0].intersects(columns: columns, rows: rows)
    }
    guard isSmallest || mayFit(layers, columns, rows, of: &compositor, with: &dither) else {
      return false
    }
    (width, height) = (columns.count, rows.count)
    registers.removeAll(keepingCapacity: true)
    registers.append(
      contentsOf: repeatElement(Self.nothing, count: width * ((height + 5) / 6 * 6)))
    palette = SixelPalette()
    for index in layers {
      draw(index, columns: columns, rows: rows, of: &compositor, with: &dither)
    }
    outline.paint(columns: columns, rows: rows, of: &compositor, .allButPictures)
    drawOutline()
    openCells = grid.runs(of: rect) { registers[$0] == Self.nothing }
    return removeUnused(isForced: isSmallest)
  }

  /// Whether there may be enough registers for all photos, apart from those of which only an edge
  /// is visible.
  private func mayFit(
    _ layers: [Int], _ columns: Range<Int>, _ rows: Range<Int>, of compositor: inout Compositor,
    with dither: inout PictureDither
  ) -> Bool {
    var count = 0
    for index in layers {
      let layer = compositor.layers[index]
      let shown = layer.columns.clamped(to: columns)
      guard shown.count > compositor.grid.columnsPerCell else { continue }
      count += dither.colorCount(
        ofLayer: index, rows: layer.rows.clamped(to: rows), of: &compositor)
      if count > limit + limit / 4 { return false }
    }
    return true
  }

  private mutating func draw(
    _ index: Int, columns: Range<Int>, rows: Range<Int>, of compositor: inout Compositor,
    with dither: inout PictureDither
  ) {
    let layer = compositor.layers[index]
    let (shown, base) = (layer.columns.clamped(to: columns), palette.colors.count)
    let width = width
    let colors = registers.withUnsafeMutableBufferPointer { registers in
      dither.draw(
        layer: index, columns: shown, rows: layer.rows.clamped(to: rows), of: &compositor
      ) { line, added, row in
        var offset = (row - rows.lowerBound) * width + shown.lowerBound - columns.lowerBound
        for register in line {
          registers[offset] =
            register == ErrorDiffusion.transparent ? Self.nothing : register &+ UInt16(base + added)
          offset &+= 1
        }
      }
    }
    palette.append(0..<colors.colors.count, of: colors)
  }

  /// Draws all that is in front of photos and outside of them.
  private mutating func drawOutline() {
    flat.removeAll(keepingCapacity: true)
    var last: (pixel: UInt32, register: UInt16) = (0, Self.nothing)
    for (index, pixel) in outline.pixels.enumerated() where pixel != PixelPiece.hole {
      if pixel != last.pixel { last = (pixel, register(of: pixel)) }
      registers[index] = last.register
    }
  }

  private mutating func register(of pixel: UInt32) -> UInt16 {
    guard pixel != 0 else { return Self.nothing }
    if let known = flat[pixel] { return known }
    let register = UInt16(palette.colors.count)
    let channels = SIMD4<Float>(
      Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255), 255)
    palette.append(0..<1, of: SixelPalette(CollectionOfOne(channels)))
    flat[pixel] = register
    return register
  }

  /// Removes registers that no pixel has.
  ///
  /// - Parameter isForced: Whether surplus registers are replaced by the nearest of the others.
  /// - Returns: Whether the rest are no more than a picture can have.
  private mutating func removeUnused(isForced: Bool) -> Bool {
    var isUsed = Array(repeating: false, count: palette.colors.count)
    for register in registers where register != Self.nothing { isUsed[Int(register)] = true }
    let used = palette.colors.indices.filter { isUsed[$0] }
    guard used.count <= limit || isForced else { return false }
    var kept = SixelPalette()
    numbers = Array(repeating: 0, count: palette.colors.count)
    for register in used {
      if kept.colors.count < limit {
        numbers[register] = UInt16(kept.colors.count)
        kept.append(register..<register + 1, of: palette)
      } else {
        numbers[register] = UInt16(kept.nearest(to: palette.colors[register]))
      }
    }
    palette = kept
    for (index, register) in registers.enumerated() {
      registers[index] =
        register == Self.nothing ? ErrorDiffusion.transparent : numbers[Int(register)]
    }
    return true
  }
}

extension SixelPalette {
  /// Returns the register nearest to a color; there must be at least one.
  fileprivate func nearest(to color: SIMD4<Int16>) -> Int {
    let distances = colors.map { other in
      let off = SIMD4<Int32>(truncatingIfNeeded: color &- other)
      return (off &* off).wrappedSum()
    }
    return distances.indices.min { distances[$0] < distances[$1] } ?? 0
  }
}

extension CellRect {
  /// The left half, or the upper half if it is one column wide; nil if it is a single cell.
  var half: CellRect? {
    var half = self
    if size.columns > 1 {
      half.size.columns = (size.columns + 1) / 2
    } else if size.rows > 1 {
      half.size.rows = (size.rows + 1) / 2
    } else {
      return nil
    }
    return half
  }
}
