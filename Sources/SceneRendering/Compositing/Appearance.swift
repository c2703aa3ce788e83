import PhotoGridCore

/// The colours that are not a photo's.
package struct Appearance: Equatable, Sendable {
  /// The terminal's background; nil if unknown, which is drawn as black.
  package var background: RGB?
  /// The colour of the selection's ring.
  package var accent: RGB
  /// The colour of the rings around marked tiles.
  package var mark = RGB(255, 159, 10)
  /// Whether blocks come from a font, and may end short of the cell's edges: a pattern and its
  /// inverse in exchanged colours then differ, and which of them is seen must not depend on what was
  /// drawn before.
  package var hasFontBlocks = false
  /// Whether the terminal's upper half block leaves a row of pixels free above it, as that of DejaVu
  /// in xterm does, so that a known background would be a line across photos.
  package var hasShortUpperBlock = false
  /// Whether the terminal draws wedges, the parts of a cell below and above slanted lines, itself.
  package var hasWedges = false

  /// Colours over the given background; those of rings stand out on black and on white, and from
  /// each other.
  package init(background: RGB? = nil, accent: RGB = RGB(64, 156, 255)) {
    self.background = background
    self.accent = accent
  }

  /// The colour of a ring.
  package func color(of meaning: Scene.Ring.Meaning) -> RGB {
    switch meaning {
    case .selected, .selectedAndMarked: accent
    case .marked: mark
    }
  }

  /// What shows where no photo is.
  package var backdrop: RGB { background ?? .black }

  /// Whether ink is darker than the background.
  package var isLight: Bool { backdrop.luma > 127 }

  /// The tone of a tile that has no picture: close to the background.
  package var quietTone: RGB { contrast.blended(over: backdrop, share: isLight ? 0.08 : 0.12) }

  /// The colour of words on `quietTone`.
  package var wordColor: RGB { contrast.blended(over: backdrop, share: 0.7) }

  /// The colour of labels: dim, and legible on black and on white alike where nothing is known.
  package var labelColor: RGB { contrast.blended(over: backdrop, share: 0.55) }

  /// The colour of headings, and of what lies over tiles.
  package var headingColor: RGB { contrast.blended(over: backdrop, share: 0.85) }

  /// The same with colours of rings that need no dither at a depth: a line of dots is no ring.
  func reduced(to depth: ColorDepth) -> Appearance {
    var reduced = self
    // A palette's colours are chosen for whole samples.
    reduced.hasWedges = hasWedges && depth == .full
    switch depth {
    case .full, .palette256: break
    case .palette16:
      func nearest(_ color: RGB) -> RGB {
        let nearest = CellColor.sixteen[Int(CellColor(color, depth: depth).code)]
        return RGB(UInt8(nearest >> 16 & 255), UInt8(nearest >> 8 & 255), UInt8(nearest & 255))
      }
      reduced.accent = nearest(accent)
      reduced.mark = nearest(mark)
    case .none:
      reduced.accent = contrast
      // Without colours, dots tell a mark from the selection.
      reduced.mark = contrast.blended(over: backdrop, share: 0.5)
    }
    return reduced
  }

  private var contrast: RGB { isLight ? .black : RGB(255, 255, 255) }
}

extension RGB {
  /// Brightness as the eye weighs the channels, 0 to 255 (ITU-R BT.601).
  package var luma: Double {
    0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)
  }
}
