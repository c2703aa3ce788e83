/// The pixels of a terminal's screen on which pictures are drawn.
package struct PixelCanvas: Equatable, Sendable {
  /// The pixels of a cell.
  package let cellWidth: Int
  package let cellHeight: Int
  package let width: Int
  package let height: Int
  /// The color registers of a sixel picture.
  private let registers: Int
  /// Rows top to bottom: red, green, blue and alpha from the lowest byte on; 0 where no picture is
  /// shown.
  package private(set) var pixels: [UInt32]
  /// Messages about invalid pictures.
  package private(set) var faults: [String] = []
  /// The cells of each picture so far: column, row, columns, rows.
  package private(set) var pictures: [SIMD4<Int>] = []

  /// Creates the empty canvas of a screen.
  package init(columns: Int, rows: Int, cellWidth: Int, cellHeight: Int, registers: Int = 256) {
    self.registers = registers
    (self.cellWidth, self.cellHeight) = (cellWidth, cellHeight)
    (width, height) = (columns * cellWidth, rows * cellHeight)
    pixels = Array(repeating: 0, count: width * height)
  }

  /// The pixel at a place.
  package subscript(x: Int, y: Int) -> UInt32 { pixels[y * width + x] }

  /// Draws a sixel picture, given as its whole control string, with its corner at a cell.
  mutating func draw(sixels: [UInt8], column: Int, row: Int) {
    do throws(SixelPicture.Fault) {
      let picture = try SixelPicture(sixels, registers: registers)
      if picture.paintsBackground { faults.append("a picture that paints its background") }
      draw(picture.pixels, width: picture.width, column: column, row: row)
    } catch {
      faults.append("\(error)")
    }
  }

  /// Draws pixels with their corner at a cell; pixels of 0 leave the canvas unchanged.
  package mutating func draw(_ picture: [UInt32], width pictureWidth: Int, column: Int, row: Int) {
    let pictureHeight = picture.count / max(pictureWidth, 1)
    pictures.append(
      SIMD4(
        column, row, (pictureWidth + cellWidth - 1) / cellWidth,
        (pictureHeight + cellHeight - 1) / cellHeight))
    let (left, top) = (column * cellWidth, row * cellHeight)
    if left + pictureWidth > width || top + pictureHeight > height {
      faults.append("\(pictureWidth)x\(pictureHeight) at \(left), \(top) is not on the screen")
    }
    // Terminals that move the cursor to the line below would scroll.
    if top + pictureHeight > height - cellHeight {
      faults.append("a picture at \(left), \(top) reaches the last row")
    }
    for y in 0..<max(min(pictureHeight, height - top), 0) {
      for x in 0..<max(min(pictureWidth, width - left), 0) {
        let pixel = picture[y * pictureWidth + x]
        if pixel != 0 { pixels[(top + y) * width + left + x] = pixel }
      }
    }
  }

  /// Removes the pixels of some cells in a row, as text written there does.
  mutating func clear(columns: Range<Int>, row: Int) {
    let columns = columns.lowerBound * cellWidth..<columns.upperBound * cellWidth
    for y in row * cellHeight..<(row + 1) * cellHeight {
      for x in columns { pixels[y * width + x] = 0 }
    }
  }

  /// Records an error in a picture.
  mutating func note(fault: String) { faults.append(fault) }

  /// Forgets which pictures were drawn so far.
  package mutating func forgetPictures() { pictures = [] }
}
