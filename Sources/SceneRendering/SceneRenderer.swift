import PhotoGridCore

/// Draws scenes on a terminal; one conforming type for each way to show pictures.
///
/// It keeps track of the contents of the screen, and sends only what differs.
package protocol SceneRenderer {
  /// The unit of positions: whole cells or pixels.
  var grain: CellMetrics.Grain { get }

  /// How many samples a pixel's length of picture takes at the finest, for cells of a size.
  func samplesPerPixel(cell: PixelSize) -> Double

  /// Cells drawn by others, such as the help over the pictures; they are left alone, and
  /// drawn again once they are given back.
  var mask: CellRect? { get set }

  /// Whether a text row is free below the picture area, where the terminal's cursor can go.
  var hasRowBelow: Bool { get set }

  /// Bytes that a frame should not pass, because the line is slow: what moves is drawn more coarsely
  /// then, and what stands still is drawn in several frames.
  var byteBudget: Int { get set }

  /// The text cells on the screen, which the next renderer takes over instead of clearing it; nil
  /// if they are not known.
  var shownCells: ShownCells? { get set }

  /// Forgets what the screen shows, so that the next frame is complete: after a resize, after the
  /// program was suspended.
  mutating func invalidate()

  /// Appends the bytes that make the terminal show a scene: none if it shows it already.
  ///
  /// `content` returns what can be shown of a placement now.
  mutating func frame(
    for scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout FrameBytes)

  /// Whether the next frame will show the same scene better, because not all fitted into the last.
  var isUnfinished: Bool { get }

  /// Handles a response of the terminal to graphics: the text of an `APC`.
  mutating func handle(graphicsReply text: String)

  /// Pictures that have to become files before they can be drawn; each is named once.
  mutating func takeEncodings() -> [PictureEncoding]

  /// Receives an encoded picture; nil if it could not be encoded.
  mutating func receive(file: [UInt8]?, of encoding: UInt32)

  /// Why this renderer cannot work on this terminal; printable.
  var failure: String? { get }

  /// Returns the bytes that delete all images from the terminal, before the screen is left.
  mutating func cleanupBytes() -> [UInt8]
}

extension SceneRenderer {
  package var hasRowBelow: Bool {
    get { true }
    set {}
  }

  package var shownCells: ShownCells? {
    get { nil }
    set {}
  }

  package var isUnfinished: Bool { false }
  package var failure: String? { nil }
  package mutating func handle(graphicsReply text: String) {}
  package mutating func takeEncodings() -> [PictureEncoding] { [] }
  package mutating func receive(file: [UInt8]?, of encoding: UInt32) {}
  package mutating func cleanupBytes() -> [UInt8] { [] }
}

/// The bytes of one frame.
package struct FrameBytes: Equatable, Sendable {
  /// Sequences that draw nothing and may be long: pictures on their way to the terminal.
  package var uploads: [UInt8] = []
  /// Sequences that draw, to be shown all at once.
  package var picture: [UInt8] = []

  /// No bytes.
  package init() {}

  /// Whether there is nothing to write.
  package var isEmpty: Bool { uploads.isEmpty && picture.isEmpty }

  /// Empties both, keeping their room.
  package mutating func removeAll() {
    uploads.removeAll(keepingCapacity: true)
    picture.removeAll(keepingCapacity: true)
  }
}
