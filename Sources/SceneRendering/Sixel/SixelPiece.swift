import PhotoGridCore

/// The pixels of a rectangle of cells as registers of a sixel picture.
struct SixelPiece {
  private(set) var width = 0
  private(set) var height = 0
  /// Row by row, to whole bands of six rows; `ErrorDiffusion.transparent` where nothing shows.
  private(set) var registers: [UInt16] = []
  /// The registers' colours.
  private(set) var palette = SixelPalette()
  /// The cells, in runs of a row, in which not every pixel is opaque: they have to be blank before.
  private(set) var openCells: [CellRect] = []

  /// The most registers of a picture.
  private let limit: Int
  private var outline = PixelPiece()
  /// The registers of colours beside photos.
  private var flat: [UInt32: UInt16] = [:]
  /// Registers by their numbers before unused ones were left out; 0 for unused ones.
  private var numbers: [UInt16] = []

  /// A piece for a terminal with so many registers.
  init(limit: Int) { self.limit = limit }

  /// What stands for a pixel that shows nothing, until unused registers are left out.
  private static let nothing = UInt16.max

  /// Paints some cells of a scene.
  ///
  /// - Returns: Whether there are registers for all its colours; if not, a smaller rectangle has to
  ///   be painted.
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
    guard isSmallest || mayFit(layers, columns, of: &compositor, with: &dither) else {
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

  /// Whether there may be registers for all photos of which more than an edge shows.
  private func mayFit(
    _ layers: [Int], _ columns: Range<Int>, of compositor: inout Compositor,
    with dither: inout PictureDither
  ) -> Bool {
    var count = 0
    for index in layers {
      let shown = compositor.layers[index].columns.clamped(to: columns)
      guard shown.count > compositor.grid.columnsPerCell else { continue }
      count += dither.colorCount(ofLayer: index, of: &compositor)
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
      ) { line, row in
        var place = (row - rows.lowerBound) * width + shown.lowerBound - columns.lowerBound
        for register in line {
          registers[place] =
            register == ErrorDiffusion.transparent ? Self.nothing : register &+ UInt16(base)
          place &+= 1
        }
      }
    }
    palette.append(0..<colors.colors.count, of: colors)
  }

  /// Draws what is in front of photos and beside them.
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

  /// Leaves out registers that no pixel has.
  ///
  /// - Parameter isForced: Whether the last of too many registers become those closest to them.
  /// - Returns: Whether no more are left than a picture can have.
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
  /// The register closest to a colour; there must be one.
  fileprivate func nearest(to color: SIMD4<Int16>) -> Int {
    let distances = colors.map { other in
      let off = SIMD4<Int32>(truncatingIfNeeded: color &- other)
      return (off &* off).wrappedSum()
    }
    return distances.indices.min { distances[$0] < distances[$1] } ?? 0
  }
}

extension CellRect {
  /// The left half, or where it is one column wide the upper half; nil if it is one cell.
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
