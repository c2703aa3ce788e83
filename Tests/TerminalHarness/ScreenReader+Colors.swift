/// Colors: SGR, and the terminal's palette.
extension ScreenReader {
  /// Changes the colors of the pen, as SGR does.
  mutating func style(_ numbers: [Int]) {
    var rest = numbers[...]
    while let number = rest.popFirst() {
      switch number {
      case 0: pen = Cell()
      case 38: pen.foreground = Self.color(&rest)
      case 48: pen.background = Self.color(&rest)
      case 39: pen.foreground = nil
      case 49: pen.background = nil
      case 7: swap(&pen.foreground, &pen.background)
      case 30...37: pen.foreground = Self.palette(number - 30)
      case 40...47: pen.background = Self.palette(number - 40)
      case 90...97: pen.foreground = Self.palette(number - 82)
      case 100...107: pen.background = Self.palette(number - 92)
      default: break
      }
    }
  }

  private static func color(_ rest: inout ArraySlice<Int>) -> UInt32? {
    switch rest.popFirst() {
    case 2:
      guard rest.count >= 3 else { return nil }
      let channels = rest.prefix(3).map { UInt32(clamping: $0) & 0xFF }
      rest = rest.dropFirst(3)
      return channels[0] << 16 | channels[1] << 8 | channels[2]
    case 5: return rest.popFirst().map { palette($0) }
    default: return nil
    }
  }

  /// xterm's 256 colors, as 0xRRGGBB.
  package static func palette(_ index: Int) -> UInt32 {
    let basic: [UInt32] = [
      0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
      0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]
    switch index {
    case 0..<16: return basic[index]
    case 16..<232:
      let levels: [UInt32] = [0, 95, 135, 175, 215, 255]
      let cube = index - 16
      return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6]
    default:
      let gray = UInt32(8 + 10 * min(max(index - 232, 0), 23))
      return gray << 16 | gray << 8 | gray
    }
  }
}
