/// A sixel picture, decoded to pixels by a parser that accepts only the parts of the specification
/// that our terminals need.
package struct SixelPicture: Equatable, Sendable {
  /// The width in pixels, from the raster attributes.
  package let width: Int
  package let height: Int
  /// Rows top to bottom: red, green, blue and alpha from the lowest byte on; 0 for pixels that were
  /// not drawn, alpha 255 elsewhere.
  package private(set) var pixels: [UInt32]
  /// The number of registers that were defined.
  package private(set) var colorCount = 0
  /// Whether pixels that are not drawn get the background color.
  package let paintsBackground: Bool

  /// Why bytes are not a valid picture, and where.
  package struct Fault: Error, CustomStringConvertible {
    /// The message.
    package let what: String
    /// The offset of the byte.
    package let place: Int
    package var description: String { "\(what) at byte \(place)" }
  }

  /// Parses a whole device control string, from its ESC P to its ESC \.
  ///
  /// - Parameters:
  ///   - bytes: Exactly one sequence.
  ///   - registers: The number of registers.
  /// - Throws: `Fault` for anything outside of the specification: a color above 100 percent, a
  ///   register without a definition, a pixel outside of the raster attributes.
  package init(_ bytes: some Collection<UInt8>, registers: Int = 256) throws(Fault) {
    var reader = Reader(bytes: ContiguousArray(bytes), registers: registers)
    try reader.expect("\u{1B}P")
    let isPlain = reader.bytes.dropFirst(2).first == UInt8(ascii: "q")
    let parameters = isPlain ? [] : try reader.numbers()
    guard parameters.count <= 3 else { throw reader.fault("parameters \(parameters)") }
    try reader.expect("q")
    // 1 leaves pixels that are not drawn.
    paintsBackground = parameters.count < 2 || parameters[1] != 1
    try reader.expect("\"")
    let raster = try reader.numbers()
    guard raster.count == 4, raster[0] == 1, raster[1] == 1, (1...32_767).contains(raster[2]),
      (1...32_767).contains(raster[3])
    else { throw reader.fault("raster attributes \(raster)") }
    (width, height) = (raster[2], raster[3])
    pixels = Array(repeating: 0, count: width * height)
    try reader.draw(into: &pixels, width: width, height: height)
    colorCount = reader.colors.count { $0 != 0 }
  }
}

extension SixelPicture {
  /// The position in the bytes, and the state of the drawing.
  private struct Reader {
    let bytes: ContiguousArray<UInt8>
    var place = 0
    /// The registers' colors; 0 if undefined.
    var colors: ContiguousArray<UInt32>

    init(bytes: ContiguousArray<UInt8>, registers: Int) {
      self.bytes = bytes
      colors = ContiguousArray(repeating: 0, count: registers)
    }

    func fault(_ what: String) -> Fault { Fault(what: what, place: place) }

    mutating func expect(_ text: String) throws(Fault) {
      guard bytes[min(place, bytes.count)...].starts(with: text.utf8) else {
        throw fault("no \(text.debugDescription)")
      }
      place += text.utf8.count
    }

    /// Parses numbers with semicolons between them.
    mutating func numbers() throws(Fault) -> [Int] {
      var numbers: [Int] = []
      while true {
        let start = place
        var number = 0
        while place < bytes.count, (0x30...0x39).contains(bytes[place]), place - start < 6 {
          number = number * 10 + Int(bytes[place] - 0x30)
          place += 1
        }
        guard place > start else { throw fault("no number") }
        numbers.append(number)
        guard place < bytes.count, bytes[place] == UInt8(ascii: ";") else { return numbers }
        place += 1
      }
    }

    mutating func draw(into pixels: inout [UInt32], width: Int, height: Int) throws(Fault) {
      var (x, y) = (0, 0)
      var color: UInt32 = 0
      while place < bytes.count {
        let byte = bytes[place]
        switch byte {
        case 63...126:
          place += 1
          try paint(byte, count: 1, color, &x, y, into: &pixels, width, height)
        case UInt8(ascii: "!"):
          place += 1
          let count = try numbers()
          guard count.count == 1, count[0] > 0, place < bytes.count,
            (63...126).contains(bytes[place])
          else { throw fault("a repetition of nothing") }
          let sixel = bytes[place]
          place += 1
          try paint(sixel, count: count[0], color, &x, y, into: &pixels, width, height)
        case UInt8(ascii: "#"):
          place += 1
          color = try select()
        case UInt8(ascii: "$"):
          place += 1
          x = 0
        case UInt8(ascii: "-"):
          place += 1
          (x, y) = (0, y + 6)
          guard y < height else { throw fault("a band below the picture") }
        case 0x1B:
          try expect("\u{1B}\\")
          guard place == bytes.count else { throw fault("something behind the end") }
          return
        default:
          throw fault("byte \(byte)")
        }
      }
      throw fault("no end")
    }

    /// Parses the color after a `#`, which is used from now on.
    private mutating func select() throws(Fault) -> UInt32 {
      let numbers = try numbers()
      guard numbers[0] < colors.count else { throw fault("register \(numbers[0])") }
      if numbers.count == 5 {
        guard numbers[1] == 2, numbers[2...].allSatisfy({ $0 <= 100 }) else {
          throw fault("colour \(numbers)")
        }
        // xterm, foot and mlterm cut fractions off.
        let channels = numbers[2...].map { UInt32($0 * 255 / 100) }
        colors[numbers[0]] = channels[0] | channels[1] << 8 | channels[2] << 16 | 0xFF00_0000
      } else if numbers.count > 1 {
        throw fault("colour \(numbers)")
      }
      guard colors[numbers[0]] != 0 else { throw fault("register \(numbers[0]) is not defined") }
      return colors[numbers[0]]
    }

    private func paint(
      _ sixel: UInt8, count: Int, _ color: UInt32, _ x: inout Int, _ y: Int,
      into pixels: inout [UInt32], _ width: Int, _ height: Int
    ) throws(Fault) {
      guard x + count <= width else { throw fault("column \(x + count) of \(width)") }
      var bits = sixel - 63
      while bits != 0 {
        let row = y + bits.trailingZeroBitCount
        guard row < height else { throw fault("row \(row) of \(height)") }
        guard color != 0 else { throw fault("a pixel without a colour") }
        for place in row * width + x..<row * width + x + count { pixels[place] = color }
        bits &= bits - 1
      }
      x += count
    }
  }
}
