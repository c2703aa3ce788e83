import Geometry
import Photos
import PseudoTerminal
import SceneModel
import TestSupport
import Testing

@testable import SceneRendering

/// Terminals that take so few bytes a second that a frame rarely fits.
///
/// Whatever is still on its way, each tile shows its skeleton, or an earlier or a better picture of
/// itself: never the background, and never another photo.
struct SlowTerminalTests {
  init() { UTF8Locale.use() }

  /// How pictures reach the terminal.
  enum Way: CaseIterable {
    case cells, kitty, kittyInStream, sixel
  }

  /// Bytes that the terminal takes in a second.
  enum Line: CaseIterable {
    case fiftyKilobytes, twoHundredKilobytes, oneMegabyte, sleeping

    /// What a frame may have: 40 ms of the line, as the program measures it.
    func budget(_ random: inout SeededGenerator) -> Int {
      switch self {
      case .fiftyKilobytes: 4096
      case .twoHundredKilobytes: 8000
      case .oneMegabyte: 40_000
      case .sleeping: [4096, 8000, 40_000, .max].randomElement(using: &random) ?? .max
      }
    }
  }

  @Test(arguments: Way.allCases, Line.allCases)
  func `each tile shows itself at every moment, on its way to the screen and on it`(
    way: Way, line: Line
  ) throws {
    var random = SeededGenerator(seed: 16)
    var story = try SlowStory(way)
    for frame in story.frames(&random) {
      try story.show(frame, budget: line.budget(&random))
    }
    // Until everything is there; what is slow may take long, but has to get there.
    try story.settle(budget: line.budget(&random))
  }
}

/// A frame of the story: a scene, and how many photos are decoded by then.
private struct SlowFrame {
  var scene: Scene
  var decodedCount: Int
}

/// A grid that is filled, scrolled, and of which a photo is opened and closed.
private struct SlowStory {
  private var renderer: any SceneRenderer
  private let isSixel: Bool
  private var kitty: KittyScreen
  private var reader: ScreenReader
  private let pictures = NamedPictures()
  private var decoded: Set<Int> = []
  private var last: SlowFrame?
  private let order: [Int]

  private static let columns = 96
  private static let rows = 30
  private static let cell = (width: 4, height: 8)
  private static let photoCount = 24
  private static let background = RGB(250, 250, 250)

  private static let metrics: CellMetrics = {
    var metrics = CellMetrics(
      cell: PixelSize(width: Double(cell.width), height: Double(cell.height)))
    metrics.placementUnit = .pixels
    return metrics
  }()

  init(_ way: SlowTerminalTests.Way) throws {
    let traits = PictureTraits(
      kittyMedium: way == .kitty ? .sharedMemory : .direct,
      appearance: Appearance(background: Self.background), glyphs: .half)
    isSixel = way == .sixel
    switch way {
    case .cells:
      renderer = CellRenderer(
        glyphs: .half, depth: .full, appearance: Appearance(background: Self.background))
    case .kitty, .kittyInStream:
      renderer = KittyRenderer(traits, firstID: 7, handover: pictures.give)
    case .sixel: renderer = SixelRenderer(traits)
    }
    kitty = KittyScreen(columns: Self.columns, rows: Self.rows, cell: Self.cell)
    kitty.storage = pictures.take
    reader = ScreenReader(columns: Self.columns, rows: Self.rows + 1)
    reader.canvas = PixelCanvas(
      columns: Self.columns, rows: Self.rows + 1, cellWidth: Self.cell.width,
      cellHeight: Self.cell.height)
    var random = SeededGenerator(seed: 5)
    order = (0..<Self.photoCount).shuffled(using: &random)
  }

  // MARK: - Photos

  /// A photo in two brightnesses of a hue that no other photo has.
  private static let photos: [Mipmap] = (0..<photoCount).map { number in
    Mipmap(
      Bitmap(width: 240, height: 160) { x, y in
        // Much detail, so that it takes many bytes.
        shade(of: number, UInt32(truncatingIfNeeded: x &* 7919 ^ y &* 104_729) % 64)
      })
  }

  /// A color of a photo; the first three bits say which, the others are detail.
  private static func shade(of number: Int, _ detail: UInt32) -> RGB {
    func channel(_ level: Int) -> UInt8 { UInt8(30 + level * 80) + UInt8(detail / 4) }
    return RGB(channel(number % 3), channel(number / 3 % 3), channel(number / 9 % 3))
  }

  /// Whether a color may be a mixture of a photo's own, or is the skeleton's.
  private func isOwn(_ pixel: Pixel, of number: Int) -> Bool {
    let tone = Appearance(background: Self.background).quietTone
    func isNear(_ low: RGB, _ high: RGB) -> Bool {
      let slack: Float = isSixel ? 10 : 6
      return [
        (pixel.red, low.red, high.red), (pixel.green, low.green, high.green),
        (pixel.blue, low.blue, high.blue),
      ].allSatisfy { $0 >= Float($1) - slack && $0 <= Float($2) + slack }
    }
    return isNear(tone, tone) || isNear(Self.shade(of: number, 0), Self.shade(of: number, 63))
  }

  // MARK: - Scenes

  private static let size = PixelSize(
    width: Double(columns * cell.width), height: Double(rows * cell.height))

  private static func grid(scrolledBy distance: Double, isMoving: Bool = false) -> Scene {
    Scene(
      size: size,
      placements: (0..<photoCount).compactMap { number in
        let frame = PixelRect(
          x: Double(number % 4) * 95 + 2, y: Double(number / 4) * 65 + 2 - distance, width: 90,
          height: 60)
        guard frame.maxY > 0, frame.minY < size.height else { return nil }
        return Placement(photo: Photo.ID(number), frame: frame, crop: .unit, opacity: 1)
      }, isMoving: isMoving)
  }

  private static func opening(_ share: Double, isMoving: Bool = true) -> Scene {
    var scene = grid(scrolledBy: 65, isMoving: isMoving)
    let index = scene.placements.firstIndex { $0.photo == Photo.ID(9) } ?? 0
    var photo = scene.placements.remove(at: index)
    func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
    photo.frame = PixelRect(
      x: between(photo.frame.minX, 12), y: between(photo.frame.minY, 0),
      width: between(90, 360), height: between(60, 240))
    scene.placements.append(photo)
    return scene
  }

  /// The frames: the skeleton, photos one by one, a scroll, a photo opened and closed.
  func frames(_ random: inout SeededGenerator) -> [SlowFrame] {
    var frames = Array(
      repeating: SlowFrame(scene: Self.grid(scrolledBy: 0), decodedCount: 0), count: 3)
    for count in 0...Self.photoCount {
      for _ in 0...Int.random(in: 0...2, using: &random) {
        frames.append(SlowFrame(scene: Self.grid(scrolledBy: 0), decodedCount: count))
      }
    }
    func add(_ scene: Scene) {
      frames.append(SlowFrame(scene: scene, decodedCount: Self.photoCount))
    }
    for step in 1...10 { add(Self.grid(scrolledBy: Double(step) * 6.5, isMoving: true)) }
    for _ in 0..<4 { add(Self.grid(scrolledBy: 65)) }
    for step in 0...8 { add(Self.opening(Double(step) / 8)) }
    for _ in 0..<4 { add(Self.opening(1, isMoving: false)) }
    for step in (0...8).reversed() { add(Self.opening(Double(step) / 8)) }
    for _ in 0..<3 { add(Self.grid(scrolledBy: 65)) }
    return frames
  }

  // MARK: - The screen

  /// Draws a frame, and looks at the screen whenever the terminal has taken some bytes.
  mutating func show(_ frame: SlowFrame, budget: Int) throws {
    decoded = Set(order.prefix(frame.decodedCount))
    renderer.byteBudget = budget
    var bytes = FrameBytes()
    renderer.frame(
      for: frame.scene, metrics: Self.metrics,
      content: { [decoded] in
        decoded.contains($0.photo.index) ? .picture(Self.photos[$0.photo.index]) : .waiting(nil)
      }, into: &bytes)
    let isInPlace = last?.scene.placements.map(\.frame) == frame.scene.placements.map(\.frame)
    if isSixel {
      let all = bytes.uploads + bytes.picture
      // In place, tiles are right at any moment; what moves is shown in one synchronized update.
      let length = isInPlace ? 3000 : max(all.count, 1)
      for start in stride(from: 0, to: all.count, by: length) {
        reader.feed(all[start..<min(start + length, all.count)])
        try check(frame)
      }
    } else {
      var (uploads, picture) = (bytes, bytes)
      uploads.picture = []
      picture.uploads = []
      try kitty.apply(uploads)
      if let last, !bytes.uploads.isEmpty { try check(last) }
      try kitty.apply(picture)
      for reply in kitty.takeReplies() { renderer.handle(graphicsReply: reply) }
    }
    try check(frame)
    last = frame
  }

  /// Draws the last scene until nothing is missing.
  mutating func settle(budget: Int) throws {
    guard let last else { return }
    for _ in 0..<2000 {
      try show(last, budget: budget)
      if !renderer.isUnfinished { return }
    }
    throw KittyScreen.Wrong(what: "it never settles")
  }

  /// Compares the tiles on the screen with what they may show.
  private func check(_ frame: SlowFrame) throws {
    let placements = frame.scene.placements
    let map = isSixel ? readerPixels : kitty.rendered(over: Self.background)
    for (index, placement) in placements.enumerated() {
      let frame = placement.frame
      for share in [(0.2, 0.25), (0.5, 0.5), (0.8, 0.25), (0.3, 0.7), (0.75, 0.75)] {
        let x = Int(frame.minX + frame.width * share.0)
        let y = Int(frame.minY + frame.height * share.1)
        guard (0..<map.width).contains(x), (0..<Self.rows * Self.cell.height).contains(y),
          !placements[(index + 1)...].contains(where: { $0.frame.isNear(x, y) })
        else { continue }
        guard isOwn(map[x, y], of: placement.photo.index) else {
          throw KittyScreen.Wrong(
            what: "photo \(placement.photo.index) shows \(map[x, y]) at \(x), \(y)")
        }
      }
    }
  }

  /// The pixels of pictures over those of cells.
  private var readerPixels: PixelMap {
    var map = PixelMap(
      width: Self.columns * Self.cell.width, height: Self.rows * Self.cell.height,
      filledWith: Self.background.pixel)
    for y in 0..<map.height {
      for x in 0..<map.width {
        let pixel = reader.canvas?[x, y] ?? 0
        if pixel != 0 {
          map[x, y] = Pixel(
            Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255))
          continue
        }
        let cell = reader[x / Self.cell.width, y / Self.cell.height]
        let isUpper = y % Self.cell.height < Self.cell.height / 2
        let isInk = cell.glyph == "█" || cell.glyph == (isUpper ? "▀" : "▄")
        guard let color = isInk ? cell.foreground : cell.background else { continue }
        map[x, y] = Pixel(Float(color >> 16), Float(color >> 8 & 255), Float(color & 255))
      }
    }
    return map
  }
}

extension PixelRect {
  /// Whether a pixel lies in the rectangle or less than two cells beside it.
  fileprivate func isNear(_ x: Int, _ y: Int) -> Bool {
    let (x, y) = (Double(x), Double(y))
    return x > minX - 10 && x < maxX + 10 && y > minY - 18 && y < maxY + 18
  }
}
