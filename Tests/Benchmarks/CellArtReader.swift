import Geometry
import Photos
import SceneRendering

/// Decodes rows of block glyphs with colors of any depth to pixels, 8 by 16 per cell.
struct CellArtReader {
  private var pixels: [UInt8]
  private let size: CellSize
  private var row = 0
  private var column = 0
  private var foreground = white
  private var background = RGB.black
  private var isInverse = false

  /// Returns the picture that a terminal with a black background shows.
  static func bitmap(of bytes: [UInt8], size: CellSize) -> Bitmap {
    var reader = CellArtReader(size: size)
    reader.read(String(decoding: bytes, as: UTF8.self))
    return Bitmap(
      width: size.columns * 8, height: size.rows * 16, pixels: reader.pixels, isOpaque: true)
  }

  private init(size: CellSize) {
    self.size = size
    pixels = Array(repeating: 0, count: size.columns * size.rows * 128 * 4)
  }

  private mutating func read(_ text: String) {
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\u{1B}":
        scalars = scalars.dropFirst()
        let parameters = scalars.prefix { $0.value < 0x40 }
        scalars = scalars.dropFirst(parameters.count)
        if scalars.popFirst() == "m" { select(String(parameters)) }
      case "\n": (row, column) = (row + 1, 0)
      case "\r": column = 0
      default:
        draw(scalar)
        column += 1
      }
    }
  }

  private mutating func select(_ parameters: String) {
    var codes = parameters.split(separator: ";").compactMap { Int($0) }[...]
    if codes.isEmpty { codes = [0] }
    while let code = codes.popFirst() {
      switch code {
      case 0: (foreground, background, isInverse) = (Self.white, .black, false)
      case 7: isInverse = true
      case 27: isInverse = false
      case 39: foreground = Self.white
      case 49: background = .black
      case 38, 48:
        let color: RGB
        if codes.first == 5, codes.count >= 2 {
          color = Self.palette(codes[codes.startIndex + 1])
          codes = codes.dropFirst(2)
        } else {
          let channels = codes.dropFirst().prefix(3).map { UInt8(clamping: $0) }
          codes = codes.dropFirst(4)
          guard channels.count == 3 else { return }
          color = RGB(channels[0], channels[1], channels[2])
        }
        if code == 38 { foreground = color } else { background = color }
      case 30...37: foreground = Self.palette(code - 30)
      case 40...47: background = Self.palette(code - 40)
      case 90...97: foreground = Self.palette(code - 82)
      case 100...107: background = Self.palette(code - 92)
      default: break
      }
    }
  }

  private static let white = RGB(255, 255, 255)

  /// Returns a color of xterm's palette.
  private static func palette(_ index: Int) -> RGB {
    func level(_ step: Int) -> UInt8 { step == 0 ? 0 : UInt8(55 + 40 * step) }
    switch index {
    case 0..<16:
      let color = sixteen[index]
      return RGB(UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255))
    case 16..<232:
      let position = index - 16
      return RGB(level(position / 36), level(position / 6 % 6), level(position % 6))
    default:
      let gray = UInt8(clamping: 8 + 10 * (index - 232))
      return RGB(gray, gray, gray)
    }
  }

  private static let sixteen = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]

  private mutating func draw(_ scalar: Unicode.Scalar) {
    guard row < size.rows, column < size.columns else { return }
    guard let ink = Self.ink[scalar] else {
      preconditionFailure("U+\(String(scalar.value, radix: 16)) is no block glyph")
    }
    for y in 0..<16 {
      for x in 0..<8 {
        let share = ink[y * 8 + x]
        let color = mix(isInverse ? 1 - share : share)
        let at = ((row * 16 + y) * size.columns * 8 + column * 8 + x) * 4
        (pixels[at], pixels[at + 1], pixels[at + 2]) = (color.red, color.green, color.blue)
        pixels[at + 3] = 255
      }
    }
  }

  /// Whether one glyph covers exactly what the other one leaves.
  static func areInverse(_ one: Character, _ other: Character) -> Bool {
    guard let one = one.unicodeScalars.first.flatMap({ ink[$0] }),
      let other = other.unicodeScalars.first.flatMap({ ink[$0] })
    else { return false }
    return zip(one, other).allSatisfy { abs($0 + $1 - 1) < 0.01 }
  }

  /// Returns the color of a pixel, of which a share shows the foreground.
  private func mix(_ share: Float) -> RGB {
    func mix(_ one: UInt8, _ other: UInt8) -> UInt8 {
      UInt8((Float(one) * share + Float(other) * (1 - share)).rounded())
    }
    return RGB(
      mix(foreground.red, background.red), mix(foreground.green, background.green),
      mix(foreground.blue, background.blue))
  }

  /// The sides of the cell whose triangles to its middle a character covers.
  private typealias Sides = (left: Bool, top: Bool, right: Bool, bottom: Bool)

  /// Characters that chafa counts among the wedges.
  private static let triangles: [(Unicode.Scalar, Sides)] = [
    ("\u{1FB68}", (false, true, true, true)), ("\u{1FB69}", (true, false, true, true)),
    ("\u{1FB6A}", (true, true, false, true)), ("\u{1FB6B}", (true, true, true, false)),
    ("\u{1FB6C}", (true, false, false, false)), ("\u{1FB6D}", (false, true, false, false)),
    ("\u{1FB6E}", (false, false, true, false)), ("\u{1FB6F}", (false, false, false, true)),
    ("\u{1FB9A}", (false, true, false, true)), ("\u{1FB9B}", (true, false, true, false)),
  ]

  /// Returns the share of each pixel that the triangles of some sides cover.
  private static func shares(ofSides sides: Sides) -> [Float] {
    (0..<128).map { pixel in
      let covered = (0..<64).count { point in
        let x = (Double(pixel % 8) + (Double(point % 8) + 0.5) / 8) / 8
        let y = (Double(pixel / 8) + (Double(point / 8) + 0.5) / 8) / 16
        return y < x
          ? (y < 1 - x ? sides.top : sides.right) : (y < 1 - x ? sides.left : sides.bottom)
      }
      return Float(covered) / 64
    }
  }

  /// The share of each pixel that each glyph covers.
  private static let ink: [Unicode.Scalar: [Float]] = {
    var ink: [Unicode.Scalar: [Float]] = [:]
    for wedge in Wedge.all {
      let shares = (0..<128).map { pixel in
        let (x, y) = (Double(pixel % 8), Double(pixel / 8))
        return wedge.share(ofColumns: x / 8...(x + 1) / 8, rows: y / 16...(y + 1) / 16)
      }
      if let below = Wedge.scalar(wedge.index) { ink[below] = shares }
      if let above = Wedge.scalar(Wedge.inverse(of: wedge.index)) {
        ink[above] = shares.map { 1 - $0 }
      }
    }
    for (scalar, sides) in triangles { ink[scalar] = shares(ofSides: sides) }
    for glyphs in [GlyphSet.half, .quadrant, .sextant, .octant] {
      let units = glyphs.sampleHeights.reduce(0, +)
      var rowOfLine: [Int] = []
      var edge = 0
      for (row, height) in glyphs.sampleHeights.enumerated() {
        edge += height
        while Double(rowOfLine.count) + 0.5 < Double(16 * edge) / Double(units) {
          rowOfLine.append(row)
        }
      }
      for mask in 0...glyphs.fullMask {
        guard let scalar = glyphs.scalar(for: mask) else { continue }
        ink[scalar] = (0..<128).map { pixel in
          let column = pixel % 8 * glyphs.sampleColumns / 8
          let sample = rowOfLine[pixel / 8] * glyphs.sampleColumns + column
          return mask & 1 << UInt8(sample) != 0 ? 1 : 0
        }
      }
    }
    return ink
  }()
}
