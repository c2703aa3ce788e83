import Geometry
import Photos
import PseudoTerminal
import SceneModel
import SceneRendering
import Testing

/// A terminal with pictures, and a renderer that draws on it until a scene is complete.
struct PixelTerminal {
  /// Small, so that tests take little time, and not a multiple of a sixel's height.
  static let metrics: CellMetrics = {
    var metrics = CellMetrics(cell: PixelSize(width: 5, height: 10))
    metrics.placementUnit = .pixels
    return metrics
  }()

  var renderer: any SceneRenderer
  private(set) var screen: ScreenReader
  /// The bytes of each frame of the last scene.
  private(set) var frames: [[UInt8]] = []
  /// The pixels after each frame of the last scene.
  private(set) var film: [PixelCanvas] = []
  let area: CellSize
  private let blank: PixelCanvas

  /// Creates an empty terminal of the given size, with one more row for a bar.
  init(_ renderer: any SceneRenderer, columns: Int, rows: Int, registers: Int = 256) {
    self.renderer = renderer
    area = CellSize(columns: columns, rows: rows)
    screen = ScreenReader(columns: columns, rows: rows + 1)
    blank = PixelCanvas(
      columns: columns, rows: rows + 1, cellWidth: 5, cellHeight: 10, registers: registers)
    screen.canvas = blank
  }

  /// The pixels on the screen.
  var canvas: PixelCanvas { film.last ?? blank }

  /// The pictures that were drawn for the last scene: column, row, columns, rows.
  var pictures: [SIMD4<Int>] { screen.canvas?.pictures ?? [] }

  /// Draws frames of a scene until it is complete.
  mutating func show(
    _ scene: Scene, sourceLocation: SourceLocation = #_sourceLocation,
    content: (Placement) -> TileContent
  ) {
    frames = []
    film = []
    screen.canvas?.forgetPictures()
    repeat {
      drawFrame(scene, content: content)
    } while renderer.isUnfinished && frames.count < 200
    #expect(!renderer.isUnfinished, "no end", sourceLocation: sourceLocation)
    #expect(screen.canvas?.faults == [], sourceLocation: sourceLocation)
  }

  /// Draws one frame of a scene.
  mutating func drawFrame(_ scene: Scene, content: (Placement) -> TileContent) {
    var bytes = FrameBytes()
    renderer.frame(for: scene, metrics: Self.metrics, content: content, into: &bytes)
    #expect(bytes.uploads.isEmpty)
    frames.append(bytes.picture)
    screen.feed(bytes.picture)
    film.append(screen.canvas ?? blank)
  }

  /// Writes text to the screen, past the renderer.
  mutating func write(_ text: String) { screen.feed(text.utf8) }

  /// Draws a picture at a cell, as a decoder would.
  mutating func draw(_ pixels: [UInt32], width: Int, column: Int, row: Int) {
    screen.canvas?.draw(pixels, width: width, column: column, row: row)
    film[film.count - 1] = screen.canvas ?? blank
  }

  /// Returns the inline images since the last call.
  mutating func takeInlineImages() -> [InlineImage] {
    defer { screen.forgetInlineImages() }
    return screen.inlineImages
  }

  /// The size of the picture area in pixels.
  var size: PixelSize { Self.metrics.size(of: area) }

  /// A scene of the given placements.
  func scene(_ placements: [Placement], isMoving: Bool = false) -> Scene {
    Scene(size: size, placements: placements, isMoving: isMoving)
  }

  /// A placement with a frame in pixels.
  static func tile(
    _ photo: Int, _ x: Double, _ y: Double, _ width: Double, _ height: Double
  ) -> Placement {
    Placement(
      photo: Photo.ID(photo), frame: PixelRect(x: x, y: y, width: width, height: height),
      crop: .unit)
  }
}

/// Whether the channels of two colors differ by at most `most`.
func areClose(_ left: UInt32, _ right: UInt32, within most: Int) -> Bool {
  [0, 8, 16, 24].allSatisfy {
    abs(Int(left >> UInt32($0) & 255) - Int(right >> UInt32($0) & 255)) <= most
  }
}

/// A color as a pixel of a canvas.
func pixel(_ color: RGB) -> UInt32 {
  UInt32(color.red) | UInt32(color.green) << 8 | UInt32(color.blue) << 16 | 0xFF00_0000
}
