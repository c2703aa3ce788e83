import PhotoGridCore

/// What shows scenes on a terminal; one for each way to draw pictures there.
///
/// It remembers what the terminal shows and holds, and says the difference in bytes.
package protocol SceneRenderer {
  /// What tiles have to be placed by so that they are drawn where the layout puts them.
  var grain: CellMetrics.Grain { get }

  /// How many samples a pixel's length of picture takes at the finest, for cells of a size.
  func samplesPerPixel(cell: PixelSize) -> Double

  /// Cells that somebody else draws, such as help over the pictures; they are left alone, and
  /// drawn again once they are given back.
  var mask: CellRect? { get set }

  /// Whether a text row is free below the picture area, where the terminal's cursor can go.
  var hasRowBelow: Bool { get set }

  /// Bytes that a frame should not pass, because the line is slow: what moves is drawn more coarsely
  /// then, and what stands still is drawn in several frames.
  var byteBudget: Int { get set }

  /// Forgets what the screen shows, so that the next frame is complete: after a resize, after the
  /// program was suspended.
  mutating func invalidate()

  /// Appends the bytes that make the terminal show a scene: none if it shows it already.
  ///
  /// `content` says what there is to show of a placement at the moment.
  mutating func frame(
    for scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout FrameBytes)

  /// Whether the next frame will show the same scene better, because not all fitted into the last.
  var isUnfinished: Bool { get }

  /// Takes what the terminal answered to the graphics it was sent: the text of an `APC`.
  mutating func take(graphicsReply text: String)

  /// Pictures that have to become files before they can be drawn; each is named once.
  mutating func takeEncodings() -> [PictureEncoding]

  /// Takes a picture as a file, by the number of its encoding; nil if none could be made.
  mutating func take(file: [UInt8]?, of encoding: UInt32)

  /// Why this way does not work on this terminal after all; printable words.
  var failure: String? { get }

  /// What takes everything from the terminal that it was given, before the screen is left.
  mutating func farewell() -> [UInt8]
}

extension SceneRenderer {
  package var hasRowBelow: Bool {
    get { true }
    set {}
  }

  package var isUnfinished: Bool { false }
  package var failure: String? { nil }
  package mutating func take(graphicsReply text: String) {}
  package mutating func takeEncodings() -> [PictureEncoding] { [] }
  package mutating func take(file: [UInt8]?, of encoding: UInt32) {}
  package mutating func farewell() -> [UInt8] { [] }
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
