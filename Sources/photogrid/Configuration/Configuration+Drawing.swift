import PhotoGridCore
import SceneRendering

extension Configuration {
  /// The options for drawing pictures; nil leaves a choice to the terminal's capabilities.
  struct Drawing {
    /// The protocol for pictures.
    var pictures: PictureProtocol?
    /// The glyphs that cells are drawn with.
    var glyphs: GlyphSet?
    /// The number of colours.
    var colors: ColorDepth?
    /// The colour of the background.
    var background: RGB?
    /// The colour of the ring around the selection.
    var accent: RGB?
    /// The colour of the rings around marked tiles.
    var markColor: RGB?

    /// Applies an option of this group.
    mutating func apply(_ option: OptionValue) throws(OptionError) {
      switch option.name {
      case .protocol:
        pictures = try option.choice(
          [("auto", nil)] + PictureProtocol.allCases.map { ($0.rawValue, Optional($0)) })
      case .symbols:
        glyphs = try option.choice([
          ("half", .half), ("quadrant", .quadrant), ("sextant", .sextant), ("octant", .octant),
          ("ascii", .ascii),
        ])
      case .colors:
        colors = try option.choice([
          ("full", .full), ("256", .palette256), ("16", .palette16), ("none", ColorDepth.none),
        ])
      case .theme:
        background = try option.choice([
          ("auto", nil), ("dark", RGB.black), ("light", RGB(255, 255, 255)),
        ])
      case .accent: accent = try option.color()
      case .markColor: markColor = try option.color()
      default: break  // options of other groups
      }
    }
  }
}
