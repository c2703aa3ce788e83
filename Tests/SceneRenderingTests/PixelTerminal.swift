import PhotoGridCore
import PseudoTerminal
import SceneRendering
import Testing

/// A terminal with pictures, and a renderer that draws on it until there is nothing left to do.
struct PixelTerminal {
  /// Small, so that tests take little time, and not a multiple of a sixel's height.
  static let metrics: CellMetrics = {
    var metrics = CellMetrics(cell: PixelSize(width: 5, height: 10))
    metrics.grain = .pixels
    return metrics
  }()

  var renderer: any SceneRenderer
  private(set) var screen: ScreenReader
  /// Bytes of each frame of the last scene.
  private(set) var frames: [[UInt8]] = []
  /// The pixels after each frame of the last scene.
  private(set) var film: [PixelCanvas] = []
  let area: CellSize
  private let blank: PixelCanvas

  /// An empty terminal of so many cells, and one row more for a bar.
  init(_ renderer: any SceneRenderer, columns: Int, rows: Int) {
    self.renderer = renderer
    area = CellSize(columns: columns, rows: rows)
    screen = ScreenReader(columns: columns, rows: rows + 1)
    blank = PixelCanvas(columns: columns, rows: rows + 1, cellWidth: 5, cellHeight: 10)
    screen.canvas = blank
  }

  /// The pixels on the screen.
  var canvas: PixelCanvas { film.last ?? blank }

  /// The pictures that were drawn for the last scene: column, row, columns, rows.
  var pictures: [SIMD4<Int>] { screen.canvas?.pictures ?? [] }

  /// Has the renderer draw a scene, frame by frame.
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

  /// Has the renderer draw one frame of a scene.
  mutating func drawFrame(_ scene: Scene, content: (Placement) -> TileContent) {
    var bytes = FrameBytes()
    renderer.frame(for: scene, metrics: Self.metrics, content: content, into: &bytes)
    #expect(bytes.uploads.isEmpty)
    frames.append(bytes.picture)
    screen.feed(bytes.picture)
    film.append(screen.canvas ?? blank)
  }

  /// Somebody else writes to the screen.
  mutating func write(_ text: String) { screen.feed(text.utf8) }

  /// Draws a picture as a decoder of its kind would.
  mutating func draw(_ pixels: [UInt32], width: Int, column: Int, row: Int) {
    screen.canvas?.draw(pixels, width: width, column: column, row: row)
    film[film.count - 1] = screen.canvas ?? blank
  }

  /// The inline images since this was called last.
  mutating func takeInlineImages() -> [InlineImage] {
    defer { screen.forgetInlineImages() }
    return screen.inlineImages
  }

  /// The size of the picture area in pixels.
  var size: PixelSize { Self.metrics.size(of: area) }

  /// A scene at rest of the given placements.
  func scene(_ placements: [Placement], isMoving: Bool = false) -> Scene {
    Scene(size: size, placements: placements, isMoving: isMoving)
  }

  /// A tile in pixels.
  static func tile(
    _ photo: Int, _ x: Double, _ y: Double, _ width: Double, _ height: Double
  ) -> Placement {
    Placement(
      photo: Photo.ID(photo), frame: PixelRect(x: x, y: y, width: width, height: height),
      crop: .unit)
  }
}

/// Whether two colours are as close as sixel's percents are, or nearly.
func areClose(_ left: UInt32, _ right: UInt32, within most: Int) -> Bool {
  [0, 8, 16, 24].allSatisfy {
    abs(Int(left >> UInt32($0) & 255) - Int(right >> UInt32($0) & 255)) <= most
  }
}

/// A pixel as a canvas has it.
func pixel(_ color: RGB) -> UInt32 {
  UInt32(color.red) | UInt32(color.green) << 8 | UInt32(color.blue) << 16 | 0xFF00_0000
}
