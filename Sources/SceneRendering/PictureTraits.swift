import PhotoGridCore

/// The properties of a terminal that matter for drawing pictures.
package struct PictureTraits: Equatable, Sendable {
  /// How pictures get to the terminal by kitty's protocol.
  package var kittyMedium: KittyMedium
  /// Whether the terminal itself has responded to a query by kitty's protocol.
  package var hasKittyAnswered = false
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
