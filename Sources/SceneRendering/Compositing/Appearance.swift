import Photos
import SceneModel

/// The colors around photos, and the terminal's properties that matter for drawing them.
package struct Appearance: Equatable, Sendable {
  /// The terminal's background; nil if unknown: what fades then keeps its own color until it is
  /// invisible.
  package var background: RGB?
  package var accent: RGB
  package var mark = RGB(255, 159, 10)
  /// Whether blocks come from a font, and may end before the cell's edges.
  ///
  /// A pattern and its inverse in exchanged colors then look different, so the choice between them
  /// must not depend on what was drawn before.
  package var hasFontBlocks = false
  /// Whether the terminal's upper half block may leave a row of pixels free above it, so that the
  /// background would show as a line across photos; DejaVu's block in xterm and st does.
  package var hasShortUpperBlock = false
  /// Whether the terminal itself draws wedges, the parts of a cell below and above slanted lines,
  /// instead of taking them from a font.
  package var hasWedges = false
  /// The colors that flat parts have, as opposed to photos.
  private var depth = ColorDepth.full
  /// Whether a line of background separates a ring from the photos on both of its sides.
  ///
  /// Without colors, both consist of the same ink.
  private(set) var hasOutlinedRings = false

  /// Creates colors for the given background.
  ///
  /// The default colors of rings are distinct on black and on white, and from each other.
  package init(background: RGB? = nil, accent: RGB = RGB(64, 156, 255)) {
    self.background = background
    self.accent = accent
  }

  /// Returns the colors of a ring.
  func ink(of meaning: Scene.Ring.Meaning) -> RingInk {
    switch meaning {
    case .selected: RingInk(accent)
    case .marked: RingInk(sides: nil, joints: nil, corners: mark)
    case .selectedAndMarked where mark == accent:
      RingInk(sides: accent, joints: nil, corners: nil)
    case .selectedAndMarked: RingInk(sides: accent, joints: accent, corners: mark)
    case .stack: RingInk(outlineColor, isDotted: hasOutlinedRings)
    }
  }

  /// The color of the frame of an unfolded stack: gray, and therefore quieter than the selection's.
  private var outlineColor: RGB {
    depth == .none ? contrast : flat(contrast.blended(over: backdrop, share: 0.5))
  }

  /// The color to assume where no photo is, for the choice of colors beside photos.
  package var backdrop: RGB { background ?? .black }

  /// Returns a color of text as it looks at an opacity, 0 to 1.
  func faded(_ color: RGB, to opacity: Double) -> RGB {
    background.map { color.blended(over: $0, share: opacity) } ?? color
  }

  /// Whether the background is light, so that ink is darker.
  package var isLight: Bool { backdrop.luma > 127 }

  /// The tone of a tile that has no picture: close to the background.
  package var quietTone: RGB {
    flat(contrast.blended(over: backdrop, share: isLight ? 0.08 : 0.12))
  }

  /// The color of words on `quietTone`.
  package var wordColor: RGB { contrast.blended(over: backdrop, share: 0.7) }

  /// The color of labels: dim, and legible on black and on white if the background is unknown.
  package var labelColor: RGB { contrast.blended(over: backdrop, share: 0.55) }

  /// The color of headings, and of text over tiles.
  package var headingColor: RGB { contrast.blended(over: backdrop, share: 0.85) }

  /// Returns the same appearance, whose flat parts have colors that a depth has without dithering.
  ///
  /// A dithered ring would be a line of dots, and a dithered tone a checkerboard.
  func reduced(to depth: ColorDepth) -> Appearance {
    var reduced = self
    reduced.depth = depth
    // The colors of a palette are chosen for whole samples, not for their parts.
    reduced.hasWedges = hasWedges && depth == .full
    if depth == .none {
      reduced.hasOutlinedRings = true
      // A ring and a mark have different shapes.
      (reduced.accent, reduced.mark) = (contrast, contrast)
    } else {
      (reduced.accent, reduced.mark) = (reduced.flat(accent), reduced.flat(mark))
    }
    return reduced
  }

  /// Returns the color of a flat part, such as a tile without a picture: the nearest one that the
  /// depth has.
  func flat(_ color: RGB) -> RGB {
    let nearest = CellColor.nearest(to: color, depth: depth) ?? color
    // Among sixteen colors, a quiet tone is nearest to the background, and would be lost on it.
    guard depth == .palette16, nearest == CellColor.nearest(to: backdrop, depth: depth) else {
      return nearest
    }
    return RGB(ofSixteen: isLight ? 7 : 8) ?? nearest
  }

  /// Returns the colors of what is selected in panels, with the accent as the background; nil without
  /// colors.
  package func selection(at depth: ColorDepth) -> SelectionColors? {
    guard depth != .none else { return nil }
    let palette = depth == .palette16 ? depth : .palette256
    let ink: RGB = reduced(to: palette).accent.luma > 100 ? .black : RGB(255, 255, 255)
    func number(_ color: RGB) -> Int { Int(CellColor(color, depth: palette).code) }
    return SelectionColors(text: number(ink), background: number(accent))
  }

  private var contrast: RGB { isLight ? .black : RGB(255, 255, 255) }
}

/// The colors of the parts of each side of a ring; nil for a part that is not drawn.
///
/// By their shapes, rings can be distinguished without colors; in colors, all but those of marks are
/// closed:
///
///     selected ┌─────┐   marked ┌─   ─┐   both, without colors   ───
///              │     │                                         │     │
///              └─────┘          └─   ─┘                          ───
struct RingInk: Equatable {
  var sides: RGB?
  /// The color of the short parts between corners and sides.
  var joints: RGB?
  var corners: RGB?
  /// Whether it is a line of dots.
  var isDotted = false

  init(sides: RGB?, joints: RGB?, corners: RGB?) {
    (self.sides, self.joints, self.corners) = (sides, joints, corners)
  }

  /// Creates the ink of a closed ring in one color.
  init(_ color: RGB, isDotted: Bool = false) {
    self.init(sides: color, joints: color, corners: color)
    self.isDotted = isDotted
  }

  /// The color of most of what is drawn.
  var first: RGB { sides ?? corners ?? .black }

  /// Returns the color at a position along one of the sides, in samples or pixels; nil if the ring is
  /// not drawn there.
  func color(at index: Int, of length: Int) -> RGB? {
    let fromEnd = min(index, length - 1 - index)
    let corner = max(length / 5, 1)
    if isDotted, !index.isMultiple(of: 2) { return nil }
    if fromEnd < corner { return corners }
    return fromEnd < corner + max(length / 24, 1) ? joints : sides
  }
}

extension RGB {
  /// The brightness, with channels weighted as the eye perceives them, 0 to 255 (ITU-R BT.601).
  package var luma: Double {
    0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)
  }
}
