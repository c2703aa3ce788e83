import Photos
import SceneModel

@testable import SceneRendering

/// Rendering: the screen in pixels.
extension KittyScreen {
  /// The screen in pixels, over a background: cells in block glyphs, then the placements by depth.
  func rendered(over background: RGB = .black) -> PixelMap {
    var map = PixelMap(
      width: columns * cell.width, height: rows * cell.height, filledWith: background.pixel)
    for row in 0..<rows {
      for column in 0..<columns {
        drawCell(column, row, background, &map)
        drawPlaceholder(column, row, &map)
      }
    }
    let order = placements.sorted {
      ($0.value.depth, $0.value.image, $0.key) < ($1.value.depth, $1.value.image, $1.key)
    }
    for (_, placement) in order { draw(placement, &map) }
    return map
  }

  private func drawCell(_ column: Int, _ row: Int, _ background: RGB, _ map: inout PixelMap) {
    guard let samples = try? text.samples(column, row, of: .half) else { return }
    for y in 0..<cell.height {
      guard case .rgb(let color) = samples[y * 2 / cell.height] else { continue }
      for x in 0..<cell.width {
        map[column * cell.width + x, row * cell.height + y] = color.pixel
      }
    }
  }

  /// The part of an image that a cell represents, if it is a placeholder.
  func placeholder(_ column: Int, _ row: Int) -> (image: UInt32, row: Int, column: Int)? {
    let cell = text[column, row]
    let scalars = Array(cell.text.unicodeScalars)
    guard scalars.count == 3, scalars[0] == "\u{10EEEE}", case .rgb(let color) = cell.foreground,
      let imageRow = Self.numerals[scalars[1]], let imageColumn = Self.numerals[scalars[2]]
    else { return nil }
    let id = UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
    return (id, imageRow, imageColumn)
  }

  private static let numerals: [Unicode.Scalar: Int] = Dictionary(
    uniqueKeysWithValues: Placeholders.marks.enumerated().compactMap { number, bytes in
      String(decoding: bytes, as: UTF8.self).unicodeScalars.first.map { ($0, number) }
    })

  private func drawPlaceholder(_ column: Int, _ row: Int, _ map: inout PixelMap) {
    for y in row * cell.height..<(row + 1) * cell.height {
      for x in column * cell.width..<(column + 1) * cell.width {
        guard let color = placeholderColor(x, y) else { return }
        map.blend(color, x: x, y: y)
      }
    }
  }

  /// The color of a pixel that a placeholder shows; nil without one.
  private func placeholderColor(_ x: Int, _ y: Int) -> Pixel? {
    guard let part = placeholder(x / cell.width, y / cell.height), let image = images[part.image],
      let size = virtual[part.image], part.row < size.rows, part.column < size.columns,
      // Terminals keep the image's aspect ratio, so it must fit its cells exactly.
      image.width == size.columns * cell.width, image.height == size.rows * cell.height
    else { return nil }
    return image[
      part.column * cell.width + x % cell.width, part.row * cell.height + y % cell.height]
  }

  /// Renders one pixel of the placements and placeholders, without block glyphs.
  func pixel(_ x: Int, _ y: Int, over background: RGB) -> Pixel {
    var map = PixelMap(width: 1, height: 1, filledWith: background.pixel)
    if let color = placeholderColor(x, y) { map.blend(color, x: 0, y: 0) }
    let order = placements.sorted {
      ($0.value.depth, $0.value.image, $0.key) < ($1.value.depth, $1.value.image, $1.key)
    }
    for (_, placement) in order
    where placement.cells.contains(column: x / cell.width, row: y / cell.height) {
      if let color = color(of: placement, x, y) { map.blend(color, x: 0, y: 0) }
    }
    return map[0, 0]
  }

  private func draw(_ placement: Placement, _ map: inout PixelMap) {
    let cells = placement.cells
    for y in cells.rows.lowerBound * cell.height..<cells.rows.upperBound * cell.height {
      for x in cells.columns.lowerBound * cell.width..<cells.columns.upperBound * cell.width {
        if let color = color(of: placement, x, y) { map.blend(color, x: x, y: y) }
      }
    }
  }

  /// The color of a placement at a pixel of the screen.
  private func color(of placement: Placement, _ x: Int, _ y: Int) -> Pixel? {
    let (cells, source) = (placement.cells, placement.source)
    let u =
      (Double(x - cells.origin.column * cell.width) + 0.5)
      / Double(cells.size.columns * cell.width)
    let v =
      (Double(y - cells.origin.row * cell.height) + 0.5) / Double(cells.size.rows * cell.height)
    return images[placement.image]?.interpolated(
      Double(source.x) + u * Double(source.width), Double(source.y) + v * Double(source.height))
  }
}
