import PhotoGridCore

/// Shows scenes at rest by sixel pictures, and moving ones by cells.
///
/// Only what has changed is sent, and no more at once than is encoded between two frames.
package struct SixelRenderer: SceneRenderer {
  private var screen: PixelScreen
  private var encoder: SixelEncoder
  private var piece = PixelPiece()
  /// The largest picture that the terminal shows whole, in pixels.
  private let limit: PixelSize

  /// xterm's limit unless it is configured otherwise.
  private static let usualLimit = PixelSize(width: 1000, height: 1000)

  /// More colours than these in one picture cost bytes and time, and are not seen.
  private static let colorsOfPiece = 256

  /// What a pixel of the last piece took: two bytes in a photo with much detail.
  private var bytesPerPixel = 2.0

  /// A renderer that has shown nothing yet.
  package init(_ traits: PictureTraits) {
    screen = PixelScreen(traits)
    encoder = SixelEncoder(registers: min(traits.sixelRegisters, Self.colorsOfPiece))
    limit = traits.sixelLimit ?? Self.usualLimit
  }

  package var grain: CellMetrics.Grain { .pixels }

  package func samplesPerPixel(cell: PixelSize) -> Double { 1 }

  package var mask: CellRect? {
    get { screen.mask }
    set { screen.mask = newValue }
  }

  package var hasRowBelow: Bool {
    get { screen.hasRowBelow }
    set { screen.hasRowBelow = newValue }
  }

  package var byteBudget: Int {
    get { screen.byteBudget }
    set { screen.byteBudget = newValue }
  }

  package private(set) var isUnfinished = false

  package var shownCells: ShownCells? {
    get { screen.shownCells }
    set { screen.shownCells = newValue }
  }

  package mutating func invalidate() { screen.invalidate() }

  package mutating func frame(
    for scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout FrameBytes
  ) {
    guard !scene.isMoving else {
      screen.drawByCells(scene, metrics: metrics, content: content, into: &bytes.picture)
      isUnfinished = false
      return
    }
    _ = screen.prepare(scene, metrics: metrics, content: content)
    let mayFollow = screen.drawCells(
      of: scene, metrics: metrics, content: content, into: &bytes.picture)
    if mayFollow { sendPieces(into: &bytes.picture) }
    isUnfinished = screen.hasPending || screen.hasBacklog
  }

  private mutating func sendPieces(into bytes: inout [UInt8]) {
    let start = bytes.count
    var pixelCount = 0
    while true {
      let room = min(
        Double(PixelScreen.budget - pixelCount),
        Double(byteBudget - (bytes.count - start)) / bytesPerPixel)
      // At least a row of cells, so that it goes on.
      guard room > 0 || pixelCount == 0,
        let rect = screen.nextPiece(within: limit, atMost: Int(max(room, 1)))
      else { return }
      let before = bytes.count
      send(rect, into: &bytes)
      pixelCount += piece.pixels.count
      bytesPerPixel = max(Double(bytes.count - before) / Double(piece.pixels.count), 0.1)
    }
  }

  private mutating func send(_ rect: CellRect, into bytes: inout [UInt8]) {
    screen.paint(rect, into: &piece)
    screen.clear(piece.openCells, into: &bytes)
    bytes += "\u{1B}[\(rect.origin.row + 1);\(rect.origin.column + 1)H".utf8
    piece.pixels.withUnsafeBufferPointer {
      encoder.encode($0, width: piece.width, into: &bytes)
    }
    screen.wasSent(rect)
  }
}
