import Geometry
import PhotoGridCore
import Photos
import PseudoTerminal
import SceneModel

@testable import SceneRendering

/// A browser that is drawn on a model of a terminal sixty times a second, while every tile is
/// watched.
///
/// The colors on the screen are read from the bytes that the renderer sends. A tile in sight must
/// show its picture as bright as the scene says, and it must not get darker and lighter in turn
/// while one thing happens.
struct GestureFilm {
  /// A way to draw pictures.
  enum Way: CaseIterable { case kitty, kittyInStream, placeholders, cells, quadrants, sixel, iTerm }

  private(set) var browser: Browser
  private(set) var now = Instant(seconds: 100)
  /// What was seen that must not be, with its time.
  private(set) var faults: [String] = []
  /// The names of the files, by number.
  let names: [String]
  private var renderer: any SceneRenderer
  private let metrics: CellMetrics
  private var kitty: KittyScreen
  private var reader: ScreenReader
  private let isKitty: Bool
  private let pictures = NamedPictures()
  private let photos: [SmoothPhoto]
  private let mipmaps: [Mipmap]
  private var orders: [PictureEncoding] = []
  private var courses: [Photo.ID: Course] = [:]
  private var start = Instant(seconds: 100)
  private var title = ""
  private var mayTurn = false
  /// The number of samples that were compared.
  private(set) var sampleCount = 0

  /// How a tile's brightness changes during one motion.
  private struct Course {
    var share: Double
    var isRising: Bool?
  }

  static let background = RGB(250, 250, 250)
  private static let columns = 60
  private static let rows = 24
  private static let cell = (width: 5, height: 10)

  init(_ way: Way, photos count: Int = 40, motion: MotionSetting = .full) {
    let appearance = Appearance(background: Self.background)
    let traits = PictureTraits(
      kittyMedium: way == .kitty ? .sharedMemory : .direct, isMultiplexed: way == .placeholders,
      appearance: appearance, glyphs: .half)
    isKitty = [.kitty, .kittyInStream, .placeholders].contains(way)
    switch way {
    case .kitty, .kittyInStream:
      renderer = KittyRenderer(traits, firstID: 7, handover: pictures.give)
    case .placeholders:
      renderer = PlaceholderRenderer(traits, firstID: 7, handover: pictures.give)
    case .cells: renderer = CellRenderer(glyphs: .half, depth: .full, appearance: appearance)
    case .quadrants:
      renderer = CellRenderer(glyphs: .quadrant, depth: .full, appearance: appearance)
    case .sixel: renderer = SixelRenderer(traits)
    case .iTerm: renderer = ITermRenderer(traits)
    }
    var metrics = CellMetrics(
      cell: PixelSize(width: Double(Self.cell.width), height: Double(Self.cell.height)))
    metrics.placementUnit = renderer.placementUnit
    self.metrics = metrics
    kitty = KittyScreen(columns: Self.columns, rows: Self.rows, cell: Self.cell)
    kitty.isWrapped = way == .placeholders
    kitty.storage = pictures.take
    reader = ScreenReader(columns: Self.columns, rows: Self.rows + 1)
    reader.canvas = PixelCanvas(
      columns: Self.columns, rows: Self.rows + 1, cellWidth: Self.cell.width,
      cellHeight: Self.cell.height)
    photos = (0..<count).map { SmoothPhoto($0, width: 80, height: 60) }
    mipmaps = photos.map(\.mipmap)
    names = (0..<count).map { "\(["cat", "dog", "cow"][$0 % 3]) \($0).jpg" }
    var options = Browser.Options()
    options.motion = motion
    browser = Browser(
      options: options, cells: CellSize(columns: Self.columns, rows: Self.rows + 1),
      metrics: metrics)
    send(.named(NameBatch(first: Photo.ID(0), folder: [], names: Self.block(names))))
    list((0..<count).map { Photo.ID($0) })
  }

  /// Adds photos or folders to the listing, and completes it.
  mutating func list(_ items: [Photo.ID]) {
    send(.found(items))
    for item in items where photos.indices.contains(item.index) {
      send(.filesRead([item], .measured(PixelSize(width: 4000, height: 3000))))
    }
    send(.listed(ListingNotes()))
  }

  static func block(_ names: [String]) -> [UInt8] { names.flatMap { Array($0.utf8) + [0] } }

  // MARK: - Events

  /// Begins another motion, from which on tiles are watched; if it interrupts another one, it takes
  /// over that one's momentum, so brightness `mayTurn`.
  mutating func begin(_ title: String, mayTurn: Bool = false) {
    (self.title, self.mayTurn, start, courses) = (title, mayTurn, now, [:])
  }

  mutating func send(_ event: Event) { _ = browser.handle(event, at: now) }

  mutating func keys(_ text: String) {
    for character in text { send(.key(.character(character))) }
  }

  mutating func mouse(_ kind: MouseEvent.Kind, _ x: Double, _ y: Double) {
    send(.mouse(MouseEvent(kind, at: PixelPoint(x: x, y: y))))
  }

  /// Draws sixty frames a second.
  mutating func play(_ seconds: Double) throws {
    let end = now.advanced(bySeconds: seconds)
    while now < end {
      now = now.advanced(bySeconds: 1.0 / 60)
      send(.tick)
      try drawFrame()
    }
  }

  /// Draws frames until nothing moves and nothing is missing.
  mutating func rest() throws {
    for _ in 0..<600 {
      try play(1.0 / 60)
      if !browser.isAnimating(at: now), !renderer.isUnfinished, orders.isEmpty { return }
    }
    faults.append("\(title): never at rest")
  }

  /// Moves the pointer from one point to another, with a frame for each step.
  mutating func drag(
    from start: (x: Double, y: Double), to end: (x: Double, y: Double), seconds: Double
  ) throws {
    mouse(.pressed(.left), start.x, start.y)
    let steps = Int(seconds * 60)
    for step in 1...steps {
      let share = Double(step) / Double(steps)
      try play(1.0 / 60)
      mouse(
        .dragged(.left), start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
    }
  }

  // MARK: - Frames

  private func content(of placement: Placement) -> TileContent {
    let number = placement.photo.index
    return mipmaps.indices.contains(number) ? .picture(mipmaps[number]) : .waiting(nil)
  }

  private mutating func drawFrame() throws {
    let scene = browser.scene(at: now)
    var bytes = FrameBytes()
    renderer.frame(for: scene, metrics: metrics, content: content(of:), into: &bytes)
    if isKitty {
      try kitty.apply(bytes)
      for reply in kitty.takeReplies() { renderer.handle(graphicsReply: reply) }
    } else {
      reader.feed(bytes.uploads)
      reader.feed(bytes.picture)
      drawInlineImages()
      orders += renderer.takeEncodings()
      // The encoder answers a frame later.
      for order in orders { renderer.receive(file: Self.file(of: order.bitmap), of: order.id) }
      orders = []
    }
    if !title.isEmpty { look(at: scene) }
  }

  /// A file in a format for these tests: the width and the pixels.
  private static func file(of bitmap: Bitmap) -> [UInt8] {
    [UInt8(bitmap.width & 255), UInt8(bitmap.width >> 8)] + bitmap.pixels
  }

  private mutating func drawInlineImages() {
    for image in reader.inlineImages {
      let width = Int(image.file[0]) | Int(image.file[1]) << 8
      let pixels = stride(from: 2, to: image.file.count, by: 4).map { place -> UInt32 in
        image.file[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
      }
      reader.canvas?.draw(pixels, width: width, column: image.column, row: image.row)
    }
    reader.forgetInlineImages()
  }

  // MARK: - What is seen

  /// The color on the screen at a pixel.
  private func seen(_ x: Int, _ y: Int) -> Pixel {
    let (column, row) = (x / Self.cell.width, y / Self.cell.height)
    if isKitty {
      var color = Self.background
      if let samples = try? kitty.text.samples(column, row, of: .half),
        case .rgb(let own) = samples[y % Self.cell.height * 2 / Self.cell.height]
      {
        color = own
      }
      return kitty.pixel(x, y, over: color)
    }
    if let pixel = reader.canvas?[x, y], pixel != 0 {
      return Pixel(Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255))
    }
    let cell = reader[column, row]
    let quadrant =
      (x % Self.cell.width * 2 / Self.cell.width)
      + (y % Self.cell.height * 2 / Self.cell.height) * 2
    let isInk = Self.ink[cell.glyph].map { $0 & 1 << quadrant != 0 } ?? false
    guard let color = isInk ? cell.foreground : cell.background else {
      return Self.background.pixel
    }
    return Pixel(Float(color >> 16), Float(color >> 8 & 255), Float(color & 255))
  }

  /// The quadrants of a cell that a glyph fills: upper left, upper right, lower left, lower right.
  private static let ink: [Character: Int] = [
    "█": 15, "▀": 3, "▄": 12, "▌": 5, "▐": 10, "▘": 1, "▝": 2, "▖": 4, "▗": 8, "▙": 13, "▛": 7,
    "▜": 11, "▟": 14, "▚": 9, "▞": 6,
  ]

  private mutating func look(at scene: Scene) {
    let placements = scene.placements
    let captions = scene.captions.compactMap { $0.cells(metrics) }
    let raised = scene.ring.flatMap { $0.isRaised ? $0.tile : nil }
    for (index, placement) in placements.enumerated() {
      let number = placement.photo.index
      guard photos.indices.contains(number) else { continue }
      let (frame, crop) = (placement.frame, placement.crop)
      for point in [(0.3, 0.3), (0.5, 0.5), (0.7, 0.35), (0.35, 0.7), (0.65, 0.65)] {
        let place = PixelPoint(
          x: frame.minX + frame.width * point.0, y: frame.minY + frame.height * point.1)
        let (x, y) = (Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
        guard (0..<Int(scene.size.width)).contains(x), (0..<Int(scene.size.height)).contains(y),
          !placements[(index + 1)...].contains(where: { $0.frame.isWithin(12, of: place) }),
          raised?.isWithin(16, of: place) != true,
          !captions.contains(where: {
            $0.contains(column: x / Self.cell.width, row: y / Self.cell.height)
          })
        else { continue }
        let own = photos[number].color(
          crop.minX + point.0 * crop.width, crop.minY + point.1 * crop.height)
        let isAlone = !placements[..<index].contains { $0.frame.isWithin(12, of: place) }
        check(placement, own, seen(x, y), at: place, isAlone: isAlone)
      }
    }
  }

  private mutating func check(
    _ placement: Placement, _ own: Pixel, _ seen: Pixel, at place: PixelPoint, isAlone: Bool
  ) {
    // Over others, a translucent picture is an approximation in some terminals.
    guard isAlone || placement.opacity > 0.99 else { return }
    sampleCount += 1
    let background = Self.background.pixel
    let way = own - background
    let share = Double(way.dot(seen - background) / way.dot(way))
    let rest = seen - background - way * Float(share)
    let colorError = Double(rest.dot(rest).squareRoot())
    let slack = 0.04 + 10 / Double(way.dot(way).squareRoot())
    if colorError > 16 || abs(share - placement.opacity) > slack {
      note(
        "\(placement.photo.index) at \(Int(place.x)), \(Int(place.y)) has \(share.rounded2) of its "
          + "color and an error of \(colorError.rounded2), not \(placement.opacity.rounded2)")
    }
    guard var course = courses[placement.photo] else {
      courses[placement.photo] = Course(share: placement.opacity)
      return
    }
    let change = placement.opacity - course.share
    if abs(change) > 0.01 {
      if !mayTurn, let isRising = course.isRising, isRising != (change > 0) {
        note("\(placement.photo.index) fades \(isRising ? "in, then out" : "out, then in")")
      }
      course = Course(share: placement.opacity, isRising: change > 0)
      courses[placement.photo] = course
    }
  }

  private mutating func note(_ fault: String) {
    let time = Int((now.seconds(since: start) * 1000).rounded())
    if faults.count < 12 { faults.append("\(title), \(time) ms: \(fault)") }
  }
}

extension PixelRect {
  /// Whether a point lies in the rectangle or less than a distance beside it.
  fileprivate func isWithin(_ distance: Double, of place: PixelPoint) -> Bool {
    place.x > minX - distance && place.x < maxX + distance && place.y > minY - distance
      && place.y < maxY + distance
  }
}

extension Double {
  fileprivate var rounded2: Double { (self * 100).rounded() / 100 }
}

extension Pixel {
  fileprivate static func - (left: Pixel, right: Pixel) -> Pixel {
    Pixel(left.red - right.red, left.green - right.green, left.blue - right.blue)
  }

  fileprivate static func * (pixel: Pixel, factor: Float) -> Pixel {
    Pixel(pixel.red * factor, pixel.green * factor, pixel.blue * factor)
  }

  fileprivate func dot(_ other: Pixel) -> Float {
    red * other.red + green * other.green + blue * other.blue
  }
}
