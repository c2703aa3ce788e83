import Photos

/// The colors that the terminal shows.
package enum ColorDepth: String, CaseIterable, Sendable {
  /// 24 bits: SGR 38;2 and 48;2.
  case full
  /// The 6 by 6 by 6 cube and the grays of xterm's 256 colors: SGR 38;5 and 48;5.
  case palette256
  /// The eight colors and their bright variants: SGR 30 to 37, 90 to 97 and their backgrounds.
  case palette16
  /// No colors: no SGR is sent.
  case none
}

/// A color of a cell, as it is sent to the terminal at a depth.
package struct CellColor: Equatable, Sendable {
  /// 0xRRGGBB, or an index into the palette, or 0x80000000 for the terminal's default color.
  let code: UInt32

  /// The terminal's default foreground or background: SGR 39 and 49.
  package static let standard = CellColor(code: 1 << 31)

  /// Creates the color at a depth that is closest to the given one.
  package init(_ color: RGB, depth: ColorDepth) {
    let packed = UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
    self.init(packed: packed, depth: depth)
  }

  /// Creates the color at a depth that is closest to 0xRRGGBB.
  init(packed: UInt32, depth: ColorDepth) {
    switch depth {
    case .full: self.init(code: packed)
    case .palette256: self.init(code: Self.nearestOf256(packed))
    case .palette16: self.init(code: Self.nearestOf16(packed))
    case .none: self = .standard
    }
  }

  init(code: UInt32) { self.code = code }

  /// Creates a color of a depth's palette from its index.
  init(index: Int) { self.init(code: UInt32(index)) }

  /// Returns a color as it looks at a depth: xterm's default of the nearest one; nil without colors.
  static func nearest(to color: RGB, depth: ColorDepth) -> RGB? {
    let code = CellColor(color, depth: depth).code
    return switch depth {
    case .full: color
    case .palette256: RGB(of256: Int(code))
    case .palette16: RGB(ofSixteen: Int(code))
    case .none: nil
    }
  }
}

extension CellColor {
  private static func nearestOf256(_ packed: UInt32) -> UInt32 {
    let (red, green, blue) = channels(packed)
    // The cube's levels are 0, 95, 135, 175, 215, 255.
    func step(_ channel: Int) -> Int {
      channel < 48 ? 0 : channel < 115 ? 1 : (channel - 35) / 40
    }
    func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
    let (redStep, greenStep, blueStep) = (step(red), step(green), step(blue))
    // The grays are 8, 18, 28, up to 238.
    let grayStep = max(0, min(23, (red + green + blue - 9) / 30))
    let gray = 8 + 10 * grayStep
    func error(_ r: Int, _ g: Int, _ b: Int) -> Int {
      (red - r) * (red - r) + (green - g) * (green - g) + (blue - b) * (blue - b)
    }
    let cubeError = error(level(redStep), level(greenStep), level(blueStep))
    return error(gray, gray, gray) < cubeError
      ? UInt32(232 + grayStep) : UInt32(16 + 36 * redStep + 6 * greenStep + blueStep)
  }

  private static func nearestOf16(_ packed: UInt32) -> UInt32 {
    let (red, green, blue) = channels(packed)
    var nearest = (index: 0, error: Int.max)
    for (index, candidate) in sixteen.enumerated() {
      let (r, g, b) = channels(candidate)
      let error = (red - r) * (red - r) + (green - g) * (green - g) + (blue - b) * (blue - b)
      if error < nearest.error { nearest = (index, error) }
    }
    return UInt32(nearest.index)
  }

  private static func channels(_ packed: UInt32) -> (red: Int, green: Int, blue: Int) {
    (Int(packed >> 16 & 255), Int(packed >> 8 & 255), Int(packed & 255))
  }

  /// xterm's defaults of the sixteen colors, as 0xRRGGBB; colors of most themes are close to
  /// them.
  static let sixteen: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]
}

extension RGB {
  /// Creates a color of the cube or one of the grays of xterm's 256, 16 to 255; nil for another
  /// number.
  init?(of256 number: Int) {
    guard (16...255).contains(number) else { return nil }
    let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
    if number >= 232 {
      let gray = UInt8(8 + 10 * (number - 232))
      self.init(gray, gray, gray)
    } else {
      let cube = number - 16
      self.init(levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
    }
  }

  /// Creates xterm's default of one of the sixteen colors, 0 to 15; nil for another number.
  package init?(ofSixteen number: Int) {
    guard CellColor.sixteen.indices.contains(number) else { return nil }
    let color = CellColor.sixteen[number]
    self.init(UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255))
  }
}
