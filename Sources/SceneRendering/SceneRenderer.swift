import Geometry
import Photos
import SceneModel

/// Draws scenes on a terminal; one conforming type for each way to show pictures.
///
/// A renderer keeps track of the contents of the screen, and sends only the differences.
package protocol SceneRenderer {
  /// The unit of positions: whole cells or pixels.
  var placementUnit: CellMetrics.PlacementUnit { get }

  /// Returns the most picture pixels worth having for one screen pixel, in one direction.
  ///
  /// A renderer that draws pixels returns 1, one that draws by cells, of the given size in pixels,
  /// less.
  func samplesPerPixel(cell: PixelSize) -> Double

  /// The memory that a frame takes while it is drawn, in bytes for each pixel of the screen.
  var bytesPerPixel: Int { get }

  /// Cells that others draw, such as the help over the pictures; nil for none.
  ///
  /// They are left alone until the mask changes, and then drawn again.
  var mask: CellRect? { get set }

  /// Whether there is a text row below the picture area, where the terminal's cursor can go.
  var hasRowBelow: Bool { get set }

  /// The most bytes that a frame should have, because the line is slow.
  ///
  /// If more are needed, moving scenes are drawn more coarsely, and scenes at rest in several
  /// frames.
  var byteBudget: Int { get set }

  /// The text cells on the screen; nil if they are not known.
  ///
  /// When the program changes to another renderer, that one gets them, and need not clear the
  /// screen.
  var shownCells: ShownCells? { get set }

  /// Forgets the contents of the screen, so that the next frame is complete.
  ///
  /// Call it after a resize, and after the program was suspended.
  mutating func invalidate()

  /// Appends the bytes that make the terminal show a scene: none if it shows the scene already.
  ///
  /// - Parameters:
  ///   - scene: The scene to show.
  ///   - metrics: The size of a cell, and units that depend on it.
  ///   - content: Returns what can be shown of a placement now.
  ///   - bytes: The bytes of the frame, which may already have some.
  mutating func frame(
    for scene: Scene, metrics: CellMetrics, content: (Placement) -> TileContent,
    into bytes: inout FrameBytes)

  /// Whether another frame of the same scene will look better, because the last one had no room for
  /// all of it.
  var isUnfinished: Bool { get }

  /// Handles a response of the terminal to kitty's graphics commands: the text of an `APC`.
  mutating func handle(graphicsReply text: String)

  /// What a multiplexer does with commands for the terminal around it in the next frame.
  var passage: Passage { get set }

  /// When to draw a frame even if nothing has changed, because the terminal has not responded; nil
  /// if it has.
  var nextRetry: Instant? { get }

  /// When to draw a frame even if nothing has changed, because the terminal around a multiplexer may
  /// not have painted its pictures; nil if it has none.
  var nextRepaint: Instant? { get }

  /// Asks the terminal around a multiplexer about its pictures in the next frame, since it may be
  /// another one: about one of them, or about all.
  mutating func checkPictures(all: Bool)

  /// Returns the pictures that must be encoded as files before they can be drawn; each of them
  /// once.
  mutating func takeEncodings() -> [PictureEncoding]

  /// Receives the file of an encoded picture.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file; nil if the picture could not be encoded.
  ///   - encoding: The identifier of the `PictureEncoding`.
  mutating func receive(file: [UInt8]?, of encoding: UInt32)

  /// The reason why this renderer cannot work on this terminal, in printable text; nil if it can.
  var failure: String? { get }

  /// Returns the bytes that delete all images from the terminal, before the screen is left.
  mutating func cleanupBytes() -> [UInt8]
}

/// Defaults for renderers without these features.
extension SceneRenderer {
  package var bytesPerPixel: Int { 0 }

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

  package var passage: Passage {
    get { Passage() }
    set {}
  }

  package var nextRetry: Instant? { nil }
  package var nextRepaint: Instant? { nil }
  package mutating func checkPictures(all: Bool) {}
  package mutating func takeEncodings() -> [PictureEncoding] { [] }
  package mutating func receive(file: [UInt8]?, of encoding: UInt32) {}
  package mutating func cleanupBytes() -> [UInt8] { [] }
}

/// How a multiplexer treats commands for the terminal around it.
package struct Passage: Equatable, Sendable {
  /// Whether it passes them on; tmux drops them while it has to redraw its window.
  package var isOpen: Bool
  /// Whether the terminal's responses come back; tmux gives them to the pane that has the input.
  package var returnsResponses: Bool
  /// The time of the frame, since commands without a response are repeated.
  package var time: Instant

  package init(
    isOpen: Bool = true, returnsResponses: Bool = true, time: Instant = Instant(nanoseconds: 0)
  ) {
    self.isOpen = isOpen
    self.returnsResponses = returnsResponses
    self.time = time
  }
}

package struct FrameBytes: Equatable, Sendable {
  /// Sequences that draw nothing and may be long, such as pictures sent to the terminal.
  package var uploads: [UInt8] = []
  /// Sequences that draw, which the terminal should show all at the same time.
  package var picture: [UInt8] = []

  package init() {}

  package var isEmpty: Bool { uploads.isEmpty && picture.isEmpty }

  package mutating func removeAll() {
    uploads.reuse()
    picture.reuse()
  }
}

/// The properties of a terminal that matter for drawing pictures.
package struct PictureTraits: Equatable, Sendable {
  /// How pictures get to the terminal by kitty's protocol.
  package var kittyMedium: KittyMedium
  /// Whether the terminal itself has responded to a query by kitty's protocol.
  package var hasKittyAnswered = false
  /// Whether the terminal knows images that it need not keep on its disk (kitty's `N=1`); kitty before
  /// 0.48 rejects commands with that key.
  package var knowsTransientImages = false
  /// Whether the program runs in tmux, so that kitty's commands are wrapped, and pictures are shown
  /// by placeholder characters.
  package var isMultiplexed: Bool
  /// The number of colors that a sixel picture may define.
  package var sixelRegisters: Int
  /// The largest sixel picture that the terminal shows whole, in pixels; nil if it is unknown.
  package var sixelLimit: PixelSize?
  package var appearance: Appearance
  package var glyphs: GlyphSet
  package var depth: ColorDepth

  /// Creates traits; the defaults are for a terminal of which nothing is known.
  package init(
    kittyMedium: KittyMedium = .direct, isMultiplexed: Bool = false, sixelRegisters: Int = 256,
    sixelLimit: PixelSize? = nil, appearance: Appearance = Appearance(),
    glyphs: GlyphSet = .quadrant, depth: ColorDepth = .full
  ) {
    self.kittyMedium = kittyMedium
    self.isMultiplexed = isMultiplexed
    self.sixelRegisters = sixelRegisters
    self.sixelLimit = sixelLimit
    self.appearance = appearance
    self.glyphs = glyphs
    self.depth = depth
  }
}

/// How the pixels of a picture get to a terminal that speaks kitty's protocol.
package enum KittyMedium: String, CaseIterable, Sendable {
  /// In the control sequence itself, which works over any connection.
  case direct
  /// In a file that the terminal removes.
  case temporaryFile
  /// In a shared memory object that the terminal removes.
  case sharedMemory
}
