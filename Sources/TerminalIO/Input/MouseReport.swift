import Geometry
import SceneModel

/// A mouse report as xterm's protocols encode it (`ctlseqs`, "Mouse Tracking").
struct MouseReport: Equatable, Sendable {
  /// Button, modifiers and motion as bits: 1 and 2 the button, 4 Shift, 8 Alt, 16 Ctrl, 32 motion,
  /// 64 a wheel.
  var code: Int
  /// The column, from 0: in cells, or in pixels of the text area in mode 1016.
  ///
  /// It may lie outside of the terminal when a drag leaves the window.
  var x: Int
  /// The row, from 0, in the unit of `x`.
  var y: Int
  /// Whether a button was released rather than pressed.
  var isRelease: Bool

  init(code: Int, x: Int, y: Int, isRelease: Bool) {
    self.code = code
    self.x = x
    self.y = y
    self.isRelease = isRelease
  }

  /// Parses an SGR report (modes 1006 and 1016) after `CSI`: `<code;x;y`, then `M` for a press or
  /// `m` for a release.
  init?(sgr bytes: [UInt8]) {
    guard bytes.first == UInt8(ascii: "<"), let final = bytes.last,
      final == UInt8(ascii: "M") || final == UInt8(ascii: "m")
    else { return nil }
    let fields = bytes.dropFirst().dropLast()
      .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard fields.count == 3, let code = Self.number(fields[0]), code >= 0,
      let x = Self.number(fields[1]), let y = Self.number(fields[2])
    else { return nil }
    self.init(code: code, x: x - 1, y: y - 1, isRelease: final == UInt8(ascii: "m"))
  }

  /// Parses a report in the oldest format after `CSI M`: three bytes, each 32 higher than its
  /// value.
  ///
  /// Positions are in cells, from 1, and a release does not name its button.
  init?(legacy bytes: [UInt8]) {
    guard bytes.count == 3, bytes.allSatisfy({ $0 >= 32 }) else { return nil }
    let code = Int(bytes[0]) - 32
    self.init(
      code: code, x: Int(bytes[1]) - 33, y: Int(bytes[2]) - 33,
      isRelease: code & 0b1110_0011 == 3)
  }

  /// Returns the event that the report describes.
  ///
  /// - Parameter held: The button that was pressed last, for releases that do not name their
  ///   button.
  /// - Returns: The kind of the event; nil if the program does not use it.
  func kind(held: MouseEvent.Button) -> MouseEvent.Kind? {
    let isMotion = code & 32 != 0
    guard code & 128 == 0, code < 256 else { return nil }
    if code & 64 != 0 {
      // xterm sends releases for the horizontal wheel, kitty does not.
      guard !isRelease, !isMotion else { return nil }
      let wheels: [MouseEvent.Wheel] = [.up, .down, .left, .right]
      return .wheel(wheels[code & 3])
    }
    let buttons: [MouseEvent.Button] = [.left, .middle, .right]
    let button = code & 3 < 3 ? buttons[code & 3] : nil
    if isRelease { return .released(button ?? held) }
    guard let button else { return isMotion ? .moved : nil }
    return isMotion ? .dragged(button) : .pressed(button)
  }

  var modifiers: MouseEvent.Modifiers {
    var modifiers: MouseEvent.Modifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    return modifiers
  }

  /// Parses a decimal number; larger magnitudes become a million.
  ///
  /// It is negative if the pointer has left the window at the top or left.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    let isNegative = digits.first == UInt8(ascii: "-")
    let digits = isNegative ? digits.dropFirst() : digits
    guard !digits.isEmpty else { return nil }
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = min(value * 10 + Int(digit - UInt8(ascii: "0")), 1_000_000)
    }
    return isNegative ? -value : value
  }
}

extension Viewport {
  /// Creates the viewport of a window.
  ///
  /// A window without columns or rows, as some terminals report it, becomes 80 by 24 cells. The
  /// viewport has at most 1000 columns, 500 rows, and 300,000 cells, more than small text on an 8K
  /// screen, so that a false report does not take the memory of the pictures.
  ///
  /// - Parameters:
  ///   - window: The window's size.
  ///   - cell: The size of a cell in pixels.
  package init(_ window: WindowSize, cell: PixelSize) {
    let isKnown = window.cells.columns > 0 && window.cells.rows > 0
    let columns = min(window.cells.columns, 1000)
    self.init(
      cells: isKnown
        ? CellSize(columns: columns, rows: min(window.cells.rows, 500, 300_000 / columns))
        : CellSize(columns: 80, rows: 24),
      metrics: CellMetrics(cell: cell))
  }

  /// Returns the middle of a cell in pixels; a cell outside counts as the nearest one inside.
  func center(ofColumn column: Int, row: Int) -> PixelPoint {
    metrics.center(
      of: CellPoint(
        column: min(max(column, 0), cells.columns - 1), row: min(max(row, 0), cells.rows - 1)))
  }

  /// Returns the middle of a pixel; a pixel outside counts as the nearest one inside.
  func center(ofPixelAt x: Int, y: Int) -> PixelPoint {
    let size = metrics.size(of: cells)
    return PixelPoint(
      x: min(max(Double(x), 0), size.width - 1) + 0.5,
      y: min(max(Double(y), 0), size.height - 1) + 0.5)
  }
}
