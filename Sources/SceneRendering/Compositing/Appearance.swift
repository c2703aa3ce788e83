import PhotoGridCore

/// The colours that are not a photo's.
package struct Appearance: Equatable, Sendable {
  /// The terminal's background if it told; nil is drawn as if it were black.
  package var background: RGB?
  /// The colour of the selection's ring.
  package var accent: RGB

  /// Colours over the given background; the accent stands out on black and on white.
  package init(background: RGB? = nil, accent: RGB = RGB(64, 156, 255)) {
    self.background = background
    self.accent = accent
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

  /// The same with an accent that needs no dither at a depth: a line of dots is no ring.
  func reduced(to depth: ColorDepth) -> Appearance {
    var reduced = self
    switch depth {
    case .full, .palette256: break
    case .palette16:
      let nearest = CellColor.sixteen[Int(CellColor(accent, depth: depth).code)]
      reduced.accent = RGB(
        UInt8(nearest >> 16 & 255), UInt8(nearest >> 8 & 255), UInt8(nearest & 255))
    case .none: reduced.accent = contrast
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
