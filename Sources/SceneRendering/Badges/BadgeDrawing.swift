import Geometry
import Glibc
import Photos
import SceneModel

/// Draws badges pixel by pixel: shapes with smooth edges over transparent ground.
struct BadgeDrawing {
  private let width: Int
  private let height: Int
  /// Premultiplied: red, green, blue and alpha, 0 to 1.
  private var pixels: [SIMD4<Float>]

  static let gold = RGB(255, 204, 0)
  /// The red of a rejected photo's cross.
  static let cross = RGB(255, 105, 97)

  private init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    pixels = Array(repeating: .zero, count: width * height)
  }

  static func bitmap(
    of part: BadgePictures.Part, width: Int, height: Int, opacity: Double = 1
  ) -> Bitmap {
    var drawing = BadgeDrawing(width: max(width, 1), height: max(height, 1))
    switch part {
    case .shade(let color): drawing.cover(color) { _ in Badges.rejectedShade }
    case .rating(let stars, let isRejected, let star, let below):
      // Steeper than a straight line, so that the shade has no visible beginning.
      drawing.cover(.black) { 0.62 * $0 * (2 - $0) }
      drawing.addRating(
        stars: stars, isRejected: isRejected, star: Double(star), below: Double(below))
    case .label(let color): drawing.addDot(color)
    case .text(let text): drawing.addText(text)
    }
    return drawing.bitmap(opacity: Float(opacity))
  }

  private func bitmap(opacity: Float) -> Bitmap {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pixels.count * 4)
    for pixel in pixels {
      let scaled = pixel * (opacity * 255)
      for channel in 0..<4 { bytes.append(UInt8(scaled[channel].rounded())) }
    }
    return Bitmap(width: width, height: height, pixels: bytes, isOpaque: false)
  }

  // MARK: - Shapes

  /// Covers all rows with a color, by a function of the place between the upper edge, 0, and the lower
  /// one, 1.
  private mutating func cover(_ color: RGB, _ share: (Double) -> Double) {
    let ink = SIMD4(Float(color.red), Float(color.green), Float(color.blue), 255) * (1 / 255)
    for y in 0..<height {
      let alpha = Float(share((Double(y) + 0.5) / Double(height)))
      for x in 0..<width { pixels[y * width + x] = ink * alpha }
    }
  }

  /// Fills a shape, given by the distance of a point from its edge in pixels, negative inside.
  private mutating func fill(
    _ frame: PixelRect, _ color: RGB, alpha: Float = 1, distance: (Double, Double) -> Double
  ) {
    let ink = SIMD4(Float(color.red), Float(color.green), Float(color.blue), 255) * (1 / 255)
    let columns =
      Int(frame.minX.rounded(.down))..<max(Int(frame.maxX.rounded(.up)), Int(frame.minX))
    let rows = Int(frame.minY.rounded(.down))..<max(Int(frame.maxY.rounded(.up)), Int(frame.minY))
    for y in rows.clamped(to: 0..<height) {
      for x in columns.clamped(to: 0..<width) {
        let covered = 0.5 - distance(Double(x) + 0.5, Double(y) + 0.5)
        let share = Float(covered.clamped(to: 0...1)) * alpha
        guard share > 0 else { continue }
        pixels[y * width + x] = ink * share + pixels[y * width + x] * (1 - share)
      }
    }
  }

  private mutating func addRating(stars: Int, isRejected: Bool, star: Double, below: Double) {
    let margin = max((star / 3).rounded(), 2)
    let center = Double(height) - below - margin - star / 2
    if isRejected {
      let (x, half) = (margin + star / 2, star * 0.34)
      for side in [-1.0, 1] {
        addLine(
          from: (x - half, center - half * side), to: (x + half, center + half * side),
          width: star * 0.2, Self.cross)
      }
    }
    for number in 0..<stars {
      let x = margin + (Double(number) + 0.5) * star
      let frame = PixelRect(x: x - star, y: center - star, width: 2 * star, height: 2 * star)
      fill(frame, .black, alpha: 0.5) {
        Self.distanceFromStar($0 - x, $1 - center - 1, radius: star * 0.56)
      }
      fill(frame, Self.gold) { Self.distanceFromStar($0 - x, $1 - center, radius: star * 0.5) }
    }
  }

  /// Returns the distance from the edge of a star with five points around the origin.
  private static func distanceFromStar(_ x: Double, _ y: Double, radius: Double) -> Double {
    // By symmetry, in the half of a point that is on the right of the vertical axis.
    let sector = 2 * Double.pi / 5
    var angle = atan2(x, -y)
    angle -= (angle / sector).rounded() * sector
    let length = (x * x + y * y).squareRoot()
    let (u, v) = (length * abs(sin(angle)), length * cos(angle))
    // The edge from the point at (0, radius) to the inner corner.
    let inner = radius * 0.42
    let corner = (x: inner * sin(sector / 2), y: inner * cos(sector / 2))
    let edge = (x: corner.x, y: corner.y - radius)
    let size = (edge.x * edge.x + edge.y * edge.y).squareRoot()
    return (edge.x * (v - radius) - edge.y * u) / size
  }

  private mutating func addDot(_ color: RGB) {
    let (x, y) = (Double(width) / 2, Double(height) / 2)
    let frame = PixelRect(x: 0, y: 0, width: Double(width), height: Double(height))
    func distance(_ radius: Double) -> (Double, Double) -> Double {
      { (($0 - x) * ($0 - x) + ($1 - y) * ($1 - y)).squareRoot() - radius }
    }
    fill(frame, .black, alpha: 0.45, distance: distance(x - 0.5))
    fill(frame, color, distance: distance(x * 0.72))
  }

  private mutating func addLine(
    from start: (x: Double, y: Double), to end: (x: Double, y: Double), width: Double, _ color: RGB
  ) {
    let frame = PixelRect(
      x: min(start.x, end.x) - width, y: min(start.y, end.y) - width,
      width: abs(end.x - start.x) + 2 * width, height: abs(end.y - start.y) + 2 * width)
    let way = (x: end.x - start.x, y: end.y - start.y)
    let square = way.x * way.x + way.y * way.y
    fill(frame, color) { x, y in
      let along = (x - start.x) * way.x + (y - start.y) * way.y
      // A line without length is a dot: 0 / 0 is clamped to 0.
      let share = (along / square).clamped(to: 0...1)
      let (u, v) = (x - start.x - share * way.x, y - start.y - share * way.y)
      return (u * u + v * v).squareRoot() - width / 2
    }
  }

  // MARK: - Text

  /// The width of a character and the space behind it, in widths of a stroke's unit.
  private static let advance = 5.7

  /// Returns a sixth of a character's height on a plate.
  private static func unit(ofPlate height: Double) -> Double { height * 0.52 / 6 }

  static func width(of text: String, height: Double) -> Double {
    let unit = unit(ofPlate: height)
    return (Double(text.count) * advance * unit - 1.7 * unit + height * 0.8).rounded(.up)
  }

  private mutating func addText(_ text: String) {
    let size = PixelSize(width: Double(width), height: Double(height))
    let radius = size.height / 2
    fill(PixelRect(origin: .zero, size: size), .black, alpha: 0.6) { x, y in
      let nearest = min(max(x, radius), max(size.width - radius, radius))
      return ((x - nearest) * (x - nearest) + (y - radius) * (y - radius)).squareRoot() - radius
    }
    let unit = Self.unit(ofPlate: size.height)
    var left = size.height * 0.4
    for character in text {
      for stroke in Self.strokes[character] ?? [] {
        let points = stroke.map {
          (x: left + Double($0.x) * unit, y: size.height * 0.24 + Double($0.y) * unit)
        }
        for (start, end) in zip(points, points.dropFirst()) {
          addLine(from: start, to: end, width: max(unit * 1.1, 1), RGB(255, 255, 255))
        }
      }
      left += Self.advance * unit
    }
  }

  /// The strokes of each character, on a grid of 4 by 6.
  private static let strokes: [Character: [[(x: Int, y: Int)]]] = [
    "R": "06 00 30 41 42 33 03;23 46", "A": "06 20 46;14 34", "W": "00 16 22 36 40",
    "L": "00 06 46", "I": "20 26", "V": "00 26 40", "E": "40 00 06 46;03 33",
    "0": "10 30 41 45 36 16 05 01 10", "1": "11 20 26;16 36", "2": "01 10 30 41 42 06 46",
    "3": "00 40 23 33 44 45 36 16 05", "4": "36 30 04 44", "5": "40 00 03 33 44 45 36 06",
    "6": "30 10 01 05 16 36 45 44 33 03", "7": "00 40 16",
    "8": "10 30 41 42 33 13 02 01 10;13 04 05 16 36 45 44 33",
    "9": "43 13 02 01 10 30 41 45 36 16", "×": "02 46;42 06", "k": "00 06;32 04;14 36",
    ":": "22 22;25 25", "C": "41 30 10 01 05 16 36 45", "O": "10 30 41 45 36 16 05 01 10",
    "P": "06 00 30 41 42 33 03", "Y": "00 23 40;23 26",
  ].mapValues { (text: String) in
    text.split(separator: ";").map { stroke in
      stroke.split(separator: " ").map { point in
        let digits = Int(point) ?? 0
        return (x: digits / 10, y: digits % 10)
      }
    }
  }
}

/// A badge by cells: a few glyphs in a corner of a tile.
struct BadgeLine: Equatable {
  let text: String
  let color: RGB
  /// The cells, in one row.
  let cells: CellRect
  /// How far the badge has faded in, 0 to 1.
  let opacity: Double

  /// The opacity of the shade behind badges: gold is legible on it over white, too.
  static let shade = 0.6

  /// Returns the badges of a placement that have room in its tile.
  static func lines(of placement: Placement, _ metrics: CellMetrics) -> [BadgeLine] {
    guard let badges = placement.badges else { return [] }
    let frame = placement.frame
    let columns = metrics.columns(inside: frame)
    let (top, bottom) = (
      (frame.minY - 0.01) / metrics.cell.height, (frame.maxY + 0.01) / metrics.cell.height
    )
    guard top.isFinite, bottom.isFinite, abs(top) < 20_000, abs(bottom) < 20_000 else { return [] }
    // A name is in the last row of text.
    let end = Int(bottom.rounded(.down)) - (badges.isAboveName ? 1 : 0)
    let rows = Int(top.rounded(.up))..<max(end, Int(top.rounded(.up)))
    guard let first = rows.first, let last = rows.last else { return [] }
    var lines: [BadgeLine] = []
    func put(_ left: (String, RGB), _ right: String, row: Int) {
      var free = columns
      for (text, color, isLeft) in [
        (left.0, left.1, true), (right, RGB(255, 255, 255), false),
      ] where !text.isEmpty {
        let width = CellText(text).width
        guard width < free.count else { continue }
        let start = isLeft ? free.lowerBound : free.upperBound - width
        lines.append(
          BadgeLine(
            text: text, color: color,
            cells: CellRect(columns: start..<start + width, rows: row..<row + 1),
            opacity: placement.badgeOpacity))
        if isLeft { free = start + width..<free.upperBound }
      }
    }
    let rating =
      badges.isRejected
      ? ("✕", BadgeDrawing.cross)
      : (String(repeating: "★", count: badges.stars), BadgeDrawing.gold)
    let label = badges.label.map { ("●", $0) } ?? ("", .black)
    let isOneRow = first == last
    put(isOneRow && rating.0.isEmpty ? label : rating, badges.note, row: last)
    if !isOneRow { put(label, badges.countText, row: first) }
    return lines
  }
}

extension Layer {
  /// Returns the layers that shade a tile behind its badges by cells, and carry their glyphs.
  static func shades(
    behind placement: Placement, on grid: SampleGrid, opacity: Double, backdrop: RGB
  ) -> [Layer] {
    guard placement.badges != nil else { return [] }
    var shades: [Layer] = []
    func shade(_ frame: PixelRect, _ color: RGB, _ share: Double, _ line: BadgeLine? = nil) {
      guard var layer = Layer(shading: frame, color, opacity: opacity * share, on: grid) else {
        return
      }
      layer.badge = line
      shades.append(layer)
    }
    if placement.shade > 0 { shade(placement.frame, backdrop, placement.shade) }
    for line in BadgeLine.lines(of: placement, grid.metrics) {
      shade(
        line.cells.frame(cell: grid.metrics.cell), .black, BadgeLine.shade * placement.badgeOpacity,
        line)
    }
    return shades
  }
}
