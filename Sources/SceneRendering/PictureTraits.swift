import PhotoGridCore

/// What drawing pictures has to know of the terminal.
package struct PictureTraits: Equatable, Sendable {
  /// How pictures of kitty's protocol get to the terminal.
  package var kittyMedium: KittyMedium
  /// Whether the terminal itself has answered to kitty's protocol.
  package var hasKittyAnswered = false
  /// Whether the terminal is behind tmux: kitty's commands are wrapped for it, and pictures are
  /// shown by placeholder characters.
  package var isMultiplexed: Bool
  /// How many colours a sixel picture may define.
  package var sixelRegisters: Int
  /// The largest sixel picture that is shown whole, in pixels; nil if nothing is known.
  package var sixelLimit: PixelSize?
  /// The colours around photos, which follow the terminal's background.
  package var appearance: Appearance
  /// The glyphs for what is drawn by cells.
  package var glyphs: GlyphSet
  /// The colours for what is drawn by cells.
  package var depth: ColorDepth

  /// Traits of a terminal of which nothing else is known.
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
  /// In the sequence itself: over any line.
  case direct
  /// In a file that the terminal removes.
  case temporaryFile
  /// In a shared memory object that the terminal removes.
  case sharedMemory
}
