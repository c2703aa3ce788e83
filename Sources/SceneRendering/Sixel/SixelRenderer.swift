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

  /// What xterm shows at most if nobody tells.
  private static let usualLimit = PixelSize(width: 1000, height: 1000)

  /// More colours than these in one picture cost bytes and time, and are not seen.
  private static let colorsOfPiece = 256

  /// What a pixel of a photo with much detail takes.
  private static let bytesPerPixel = 2

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
    var budget = min(PixelScreen.budget, byteBudget / Self.bytesPerPixel)
    while budget > 0, let rect = screen.nextPiece(within: limit, atMost: budget) {
      screen.paint(rect, into: &piece)
      screen.clear(piece.openCells, into: &bytes)
      bytes += "\u{1B}[\(rect.origin.row + 1);\(rect.origin.column + 1)H".utf8
      piece.pixels.withUnsafeBufferPointer {
        encoder.encode($0, width: piece.width, into: &bytes)
      }
      screen.wasSent(rect)
      budget -= piece.width * piece.height
    }
  }
}
