import Geometry
import SceneModel

/// Draws scenes at rest by sixel pictures, and moving scenes by cells.
///
/// It sends only changed cells, and in one frame no more than can be encoded before the next.
package struct SixelRenderer: PieceRenderer {
  var screen: PixelScreen
  private var encoder: SixelEncoder
  private var piece: SixelPiece
  private var dither: PictureDither
  /// The largest picture that the terminal shows whole, in pixels.
  private let limit: PixelSize

  /// xterm's default limit.
  private static let usualLimit = PixelSize(width: 1000, height: 1000)

  /// The bytes for each pixel of the last piece; a photo with many details takes two.
  private var sentBytesPerPixel = 2.0

  package init(_ traits: PictureTraits) {
    screen = PixelScreen(traits)
    encoder = SixelEncoder(registers: traits.sixelRegisters)
    piece = SixelPiece(limit: encoder.colorLimit)
    dither = PictureDither(limit: encoder.colorLimit)
    limit = traits.sixelLimit ?? Self.usualLimit
  }

  /// What any piece takes, and the pictures whose palettes are kept.
  package var bytesPerPixel: Int { 16 }

  package private(set) var isUnfinished = false

  package mutating func invalidate() {
    screen.invalidate()
    // After a resize, photos are at other positions, so that their palettes would only take memory.
    piece = SixelPiece(limit: encoder.colorLimit)
    dither = PictureDither(limit: encoder.colorLimit)
  }

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
        Double(byteBudget - (bytes.count - start)) / sentBytesPerPixel)
      // At least a row of cells, so that every frame makes progress.
      guard let rect = screen.nextPiece(within: limit, atMost: Int(max(room, 1))),
        pixelCount == 0 || Double(screen.pixelCount(of: rect)) <= room
      else { return }
      let before = bytes.count
      send(rect, into: &bytes)
      pixelCount += piece.width * piece.height
      sentBytesPerPixel = max(
        Double(bytes.count - before) / Double(piece.width * piece.height), 0.1)
    }
  }

  /// Sends the pixels of a rectangle, or of a part of it if it has too many colors.
  private mutating func send(_ whole: CellRect, into bytes: inout [UInt8]) {
    var rect = screen.withinStrips(whole)
    while !screen.paint(rect, into: &piece, with: &dither), let half = rect.half { rect = half }
    screen.clear(piece.openCells, into: &bytes)
    bytes += "\u{1B}[\(rect.origin.row + 1);\(rect.origin.column + 1)H".utf8
    encoder.encode(piece, into: &bytes)
    screen.wasSent(rect)
  }
}
