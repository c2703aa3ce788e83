import Testing

@testable import PhotoGridCore

/// Zooming into a photo of 4000 by 3000 on a screen of 1000 by 600, where it fits at 20 %.
@Suite(.traced) struct ZoomStoryTests {
  /// A story with the first photo on the screen, at rest.
  static func opened(
    _ photos: Int = 20, size: PixelSize = PixelSize(width: 4000, height: 3000),
    motion: MotionSetting = .full
  ) -> Story {
    var story = Story(photos: photos, motion: motion, size: size)
    story.send(.key(.enter))
    story.wait(0.5)
    return story
  }

  // MARK: Scale

  @Test func `z shows the photo at 100 %, and z again fits it`() throws {
    var story = Self.opened()

    story.keys("z")
    story.wait(0.5)

    let out = try #require(story.out)
    #expect(out.frame == story.browser.viewport.pictureArea)
    #expect(story.seen == PixelRect(x: 1500, y: 1200, width: 1000, height: 600))
    #expect(!story.browser.isAnimating(at: story.now))
    story.keys("z")
    story.wait(0.5)
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
    #expect(story.out?.crop == .unit)
  }

  @Test func `w fits the width, f fills, 0 fits, = is 100 %`() {
    var story = Self.opened(size: PixelSize(width: 1500, height: 3000))
    let steps: [(String, PixelRect)] = [
      ("w", PixelRect(x: 0, y: 1050, width: 1500, height: 900)),
      ("=", PixelRect(x: 250, y: 1200, width: 1000, height: 600)),
      ("=", PixelRect(x: 250, y: 1200, width: 1000, height: 600)),
      ("f", PixelRect(x: 0, y: 1050, width: 1500, height: 900)),
      ("0", PixelRect(x: 0, y: 0, width: 1500, height: 3000)),
    ]

    for (key, seen) in steps {
      story.keys(key)
      story.wait(0.5)
      #expect(story.sees(seen), "after \(key): \(story.seen)")
    }
    #expect(story.out?.frame == PixelRect(x: 350, y: 0, width: 300, height: 600))
  }

  @Test func `zoom steps stop at fit and at 100 %, and end at 3200 % and at fit`() {
    var story = Self.opened()
    var percentages: [Int?] = []

    for _ in 0..<16 {
      story.keys("+")
      percentages.append(story.browser.percentage)
    }

    #expect(
      percentages == [
        28, 40, 57, 80, 100, 141, 200, 283, 400, 566, 800, 1131, 1600, 2263, 3200, 3200,
      ])
    story.keys("30-")
    #expect(story.browser.percentage == nil)
    #expect(story.browser.viewer?.view.scale == .fit)
  }

  @Test func `a small photo is enlarged to fit, and can be reduced to 100 %`() {
    var story = Self.opened(size: PixelSize(width: 40, height: 30))
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))

    story.keys("z")
    story.wait(0.5)
    #expect(story.out?.frame == PixelRect(x: 480, y: 285, width: 40, height: 30))
    #expect(story.browser.percentage == 100)
    story.keys("-")
    #expect(story.browser.percentage == 100)
    // All of it is visible, so there is nothing to pan.
    story.keys("l")
    #expect(story.browser.selection == 1)
  }

  @Test func `z on a photo of unknown size takes effect once its size is known`() {
    var story = Self.opened(size: .zero)
    story.keys("z++")
    #expect(story.out?.frame.size == PixelSize(width: 600, height: 600))
    #expect(story.browser.percentage == nil)

    story.send(.measured(Photo.ID(0), PixelSize(width: 4000, height: 3000)))
    story.wait(0.5)

    #expect(story.sees(PixelRect(x: 1500, y: 1200, width: 1000, height: 600)))
  }

  @Test func `the bar shows the scale, except at fit`() {
    var story = Self.opened()
    let facts = Bar.Facts(source: "x", name: "a.jpg", info: nil, failure: nil, loading: 0)
    #expect(story.browser.bar(facts, at: story.now).right == "1/20")

    story.keys("z")
    #expect(story.browser.bar(facts, at: story.now).right == "1/20 · 100 %")
    story.send(.key(.escape))
    story.send(.key(.escape))
    #expect(story.browser.bar(facts, at: story.now).right == "1/20")
  }

  // MARK: Motion

  @Test func `the point under the pointer stays there at every moment of a zoom`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)

    for (pointer, notches) in [
      (PixelPoint(x: 700, y: 200), 5), (PixelPoint(x: 300, y: 450), 3),
      (PixelPoint(x: 301, y: 449), -2),
    ] {
      let point = story.photoPoint(at: pointer)
      for _ in 0..<abs(notches) {
        story.mouse(.wheel(notches > 0 ? .up : .down), pointer.x, pointer.y)
        for _ in 0..<5 {
          let now = story.photoPoint(at: pointer)
          #expect(now.distance(to: point) < 1e-6, "\(now) instead of \(point)")
          story.now = story.now.advanced(bySeconds: 0.013)
        }
      }
    }
    #expect(story.browser.percentage == 283)
  }

  @Test func `the wheel during a zoom keeps the point that is under the pointer`() {
    var story = Self.opened()
    story.keys("zzz")
    story.wait(0.1)
    let pointer = PixelPoint(x: 520, y: 290)
    let point = story.photoPoint(at: pointer)

    story.mouse(.wheel(.up), pointer.x, pointer.y)

    for _ in 0..<10 {
      #expect(story.photoPoint(at: pointer).distance(to: point) < 1e-6)
      story.now = story.now.advanced(bySeconds: 0.013)
    }
  }

  @Test func `any key during a zoom continues without a jump`() throws {
    let keys: [Key] = "0zwf+-=>lJ".map { .character($0) } + [.escape, .enter]
    for key in keys {
      var story = Self.opened()
      story.keys("f")
      story.wait(0.5)
      story.keys("z")
      story.wait(0.17)
      let before = try #require(story.browser.currentPose(at: story.now)).frame

      story.send(.key(key))

      let after = try #require(story.browser.currentPose(at: story.now)).frame
      #expect(abs(after.minX - before.minX) < 1e-6, "\(key)")
      #expect(abs(after.maxY - before.maxY) < 1e-6, "\(key)")
    }
  }

  @Test func `a zoom enlarges by nearly equal factors in equal times`() throws {
    var story = Self.opened()
    story.keys("30+")
    var sizes: [Double] = []

    for _ in 0..<11 {
      sizes.append(try #require(story.browser.currentPose(at: story.now)).frame.width)
      story.now = story.now.advanced(bySeconds: 0.0075)
    }

    // From 800 to 128,000 the fastest tenth of a second multiplies by little more than the mean.
    let factors = zip(sizes.dropFirst(), sizes).map { $0 / $1 }
    #expect(factors.allSatisfy { $0 > 1 && $0 < 1.8 }, "\(factors)")
  }

  @Test func `with reduced motion or without motion a zoom is immediate`() {
    for motion in [MotionSetting.reduced, .none] {
      var story = Self.opened(motion: motion)
      story.keys("z")
      #expect(story.browser.viewer?.phase == .resting)
      #expect(story.sees(PixelRect(x: 1500, y: 1200, width: 1000, height: 600)))
      story.mouse(.wheel(.up), 500, 300)
      story.keys("l")
      #expect(story.browser.viewer?.phase == .resting)
      story.keys(">")
      #expect(!story.browser.isAnimating(at: story.now))
    }
  }

  // MARK: Panning

  @Test func `keys pan by a fifth of the screen, capitals to the edges, and none beyond them`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    let steps: [(String, Double, Double)] = [
      ("l", 1700, 1200), ("2j", 1700, 1440), ("h", 1500, 1440), ("k", 1500, 1320),
      ("L", 3000, 1320), ("l", 3000, 1320), ("J", 3000, 2400), ("j", 3000, 2400),
      ("H", 0, 2400), ("h", 0, 2400), ("K", 0, 0), ("k", 0, 0), ("l", 200, 0),
    ]

    for (keys, x, y) in steps {
      story.keys(keys)
      story.wait(0.5)
      #expect(story.sees(PixelRect(x: x, y: y, width: 1000, height: 600)), "\(keys): \(story.seen)")
      #expect(story.browser.selection == 0)
    }
  }

  @Test func `a photo does not move along an axis on which all of it is visible`() {
    var story = Self.opened(size: PixelSize(width: 4000, height: 300))
    story.keys("=")
    story.wait(0.5)

    story.keys("jjJ")
    story.wait(0.5)
    #expect(story.out?.frame == PixelRect(x: 0, y: 150, width: 1000, height: 300))
    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.dragged(.left), 450, 500)
    #expect(story.out?.frame == PixelRect(x: 0, y: 150, width: 1000, height: 300))
    #expect(story.sees(PixelRect(x: 1550, y: 0, width: 1000, height: 300)))
  }

  @Test func `h and l are previous and next at fit, n and BackSpace at any scale`() {
    var story = Self.opened()
    story.keys("ll")
    #expect(story.browser.selection == 2)
    story.keys("h")
    #expect(story.browser.selection == 1)
    story.keys("zlln")
    #expect(story.browser.selection == 2)
    story.send(.key(.backspace))
    #expect(story.browser.selection == 1)
  }

  @Test func `a drag of at least twenty points pans a zoomed photo up to its edges`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)

    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.dragged(.left), 512, 312)
    #expect(story.sees(PixelRect(x: 1500, y: 1200, width: 1000, height: 600)))
    story.mouse(.dragged(.left), 400, 350)
    #expect(story.sees(PixelRect(x: 1600, y: 1150, width: 1000, height: 600)))
    story.mouse(.dragged(.left), 5000, -5000)
    #expect(story.sees(PixelRect(x: 0, y: 2400, width: 1000, height: 600)))
    story.now = story.now.advanced(bySeconds: 0.3)
    story.mouse(.released(.left), 5000, -5000)
    story.wait(0.5)
    #expect(story.sees(PixelRect(x: 0, y: 2400, width: 1000, height: 600)))
    #expect(story.browser.viewer?.phase == .resting)
  }

  @Test func `a photo released in motion glides on at the same speed and slows down`() throws {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)

    story.fling(by: PixelPoint(x: -10, y: -5))

    var places = [story.seen.minX]
    for _ in 0..<30 {
      story.wait(0.016)
      places.append(story.seen.minX)
    }
    let steps = zip(places.dropFirst(), places).map { $0 - $1 }
    // 500 pixels a second at first.
    #expect(abs(steps[0] - 8) < 0.3, "\(steps)")
    #expect(zip(steps.dropFirst(), steps).allSatisfy { $0 <= $1 + 1e-9 }, "\(steps)")
    story.wait(3)
    #expect(story.browser.viewer?.phase == .resting)
    #expect(abs(story.seen.minX - (1700 + 500 * Timing.glideSeconds)) < 1)
  }

  @Test func `a glide stops at the edge, and continues along it`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    story.keys("L")
    story.wait(0.5)

    story.fling(by: PixelPoint(x: -10, y: -10))

    for _ in 0..<20 {
      #expect(abs(story.seen.minX - 3000) < 1e-6)
      story.wait(0.016)
    }
    #expect(story.seen.minY > 1500)
    story.wait(3)
    #expect(story.sees(PixelRect(x: 3000, y: story.seen.minY, width: 1000, height: 600)))
  }

  @Test func `a press stops a glide, and a drag continues from there without a jump`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    story.fling(by: PixelPoint(x: -10, y: 0))
    story.wait(0.1)
    let held = story.seen

    story.mouse(.pressed(.left), 500, 300)
    story.wait(0.3)
    #expect(story.seen == held)
    story.mouse(.dragged(.left), 540, 300)
    #expect(story.sees(PixelRect(x: held.minX - 40, y: held.minY, width: 1000, height: 600)))
  }

  @Test func `a photo caught in the middle of a zoom keeps its current size`() throws {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.2)
    let held = story.seen

    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.dragged(.left), 500, 340)
    #expect(abs(story.seen.width - held.width) < 1e-6)
    #expect(story.seen.minY < held.minY)
    story.now = story.now.advanced(bySeconds: 0.3)
    story.mouse(.released(.left), 500, 340)
    story.wait(1)
    #expect(abs(story.seen.width - held.width) < 1e-6)
    #expect(story.browser.percentage != 100)
  }

  @Test func `a photo caught at the very end of a zoom still reaches its target size`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.33)
    #expect(story.seen.width > 1000.1 && story.seen.width < 1030, "\(story.seen)")

    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.dragged(.left), 500, 340)
    story.now = story.now.advanced(bySeconds: 0.3)
    story.mouse(.released(.left), 500, 340)
    story.wait(0.5)

    #expect(abs(story.seen.width - 1000) < 1e-6)
    #expect(story.browser.viewer?.view.scale == Magnification.actualSize)
  }

  @Test func `a drag without a release leaves the photo where it is`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.dragged(.left), 400, 300)

    story.mouse(.moved, 100, 100)
    story.wait(1)

    #expect(story.sees(PixelRect(x: 1600, y: 1200, width: 1000, height: 600)))
    #expect(!story.browser.isPointerDown)
  }

  // MARK: Leaving

  @Test func `Esc leaves the zoom and then closes the photo, and Enter closes it at once`() {
    var story = Self.opened()
    story.keys("z++")
    story.wait(0.5)
    story.send(.key(.escape))
    story.wait(0.5)
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
    story.send(.key(.escape))
    story.wait(0.5)
    #expect(story.browser.viewer == nil)

    story.send(.key(.enter))
    story.keys("z")
    story.wait(0.5)
    story.send(.key(.enter))
    #expect(story.browser.viewer?.isClosing == true)
    story.wait(0.5)
    #expect(story.browser.viewer == nil)
  }

  @Test func `Esc during a drag ends only the drag`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    story.mouse(.pressed(.left), 500, 300)
    story.mouse(.dragged(.left), 400, 300)

    story.send(.key(.escape))
    story.wait(0.5)

    #expect(story.sees(PixelRect(x: 1600, y: 1200, width: 1000, height: 600)))
  }

  @Test func `a zoomed photo closes from its current position, and shrinks all the way`() throws {
    var story = Self.opened()
    story.keys("z++")
    story.wait(0.5)
    let seen = story.seen
    let home = story.tile(0)

    story.send(.key(.enter))

    #expect(story.sees(seen))
    var widths: [Double] = []
    while story.browser.viewer != nil {
      widths.append(try #require(story.browser.currentPose(at: story.now)).frame.width)
      let out = try #require(story.out)
      #expect(out.frame.width <= 1000 && out.frame.height <= 600)
      story.wait(1.0 / 60)
    }
    #expect(widths == widths.sorted(by: >))
    // It visibly shrinks over several frames, instead of disappearing at the end.
    #expect(widths.count { $0 < 1000 && $0 > home.width * 1.1 } >= 5, "\(widths)")
  }

  @Test func `a click on a zoomed photo does nothing, and a double click fits it`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    let point = PixelPoint(x: 300, y: 300)

    story.click(point)
    story.wait(1)
    #expect(story.browser.percentage == 100)

    story.click(point)
    story.now = story.now.advanced(bySeconds: 0.15)
    story.click(point)
    #expect(story.browser.percentage == nil)
    #expect(story.browser.viewer?.isClosing == false)
    story.wait(1)
    story.click(point)
    #expect(story.browser.viewer?.isClosing == true)
  }

  @Test func `a double click fits a photo that is still zooming in`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    let point = PixelPoint(x: 300, y: 300)

    story.keys("+")
    story.wait(0.05)
    story.click(point)
    #expect(story.browser.percentage == 141)
    story.now = story.now.advanced(bySeconds: 0.1)
    story.click(point)
    #expect(story.browser.percentage == nil)
    #expect(story.browser.viewer?.isClosing == false)
  }

  @Test func `at fit drags dismiss the photo or swipe to the next, also after a zoom`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.5)
    story.keys("z")
    story.wait(0.5)

    story.mouse(.pressed(.left), 500, 200)
    story.mouse(.dragged(.left), 500, 300)
    #expect(story.out?.frame.width ?? 800 < 800)
    story.send(.key(.escape))
    story.wait(4)
    story.mouse(.pressed(.left), 900, 300)
    story.mouse(.dragged(.left), 500, 310)
    #expect(story.scene.placements.map(\.photo) == [Photo.ID(1), Photo.ID(0)])
  }

  @Test func `the next photo keeps the scale if it is 100 % or fill, and fits after a zoom step`() {
    var story = Self.opened()
    story.keys("zlll")
    story.keys("n")
    #expect(story.sees(PixelRect(x: 2100, y: 1200, width: 1000, height: 600)))
    #expect(!story.browser.isAnimating(at: story.now))
    story.keys("fn")
    #expect(story.browser.viewer?.view.scale == .fill)
    story.keys("+n")
    #expect(story.browser.viewer?.view == Magnification())
  }

  @Test func `a resize keeps the centre and the scale`() {
    var story = Self.opened()
    story.keys("zlj")
    story.wait(0.5)
    #expect(story.sees(PixelRect(x: 1700, y: 1320, width: 1000, height: 600)))

    story.send(.resized(CellSize(columns: 50, rows: 16), .standard))
    #expect(story.sees(PixelRect(x: 1950, y: 1470, width: 500, height: 300)))

    story.send(.resized(CellSize(columns: 500, rows: 151), .standard))
    #expect(story.out?.frame == PixelRect(x: 500, y: 0, width: 4000, height: 3000))
  }

  @Test func `a resize during a zoom redirects it to its new target`() {
    var story = Self.opened()
    story.keys("z")
    story.wait(0.1)

    story.send(.resized(CellSize(columns: 50, rows: 16), .standard))
    story.wait(0.5)

    #expect(story.sees(PixelRect(x: 1750, y: 1350, width: 500, height: 300)))
  }

  // MARK: Rotating

  @Test func `a rotated photo has its sides swapped, on the screen and in its tile`() {
    var story = Self.opened()

    story.keys(">")
    story.wait(0.5)
    #expect(story.out?.frame == PixelRect(x: 270, y: 0, width: 450, height: 600))
    #expect(story.browser.orientation(of: Photo.ID(0)) == .quarterTurn)
    story.send(.key(.enter))
    story.wait(0.5)
    #expect(story.scene.placements[0].crop.width == 1)
    #expect(story.scene.placements[0].crop.height < 1)
    #expect(story.scene.placements[1].crop.width < 1)
    story.send(.key(.enter))
    story.wait(0.5)
    story.keys("<")
    story.wait(0.5)
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
    #expect(story.browser.collection.shapes.rotations.isEmpty)
  }

  @Test func `rotating and flipping keep the centre of the view`() {
    var story = Self.opened()
    story.keys("zlljj")
    story.wait(0.5)
    #expect(story.sees(PixelRect(x: 1900, y: 1440, width: 1000, height: 600)))

    // The centre is at 2400, 1740; after a turn to the right it is 3000 - 1740 from the left.
    story.keys(">")
    story.wait(0.5)
    #expect(story.sees(PixelRect(x: 760, y: 2100, width: 1000, height: 600)), "\(story.seen)")
    story.keys("|")
    story.wait(0.5)
    #expect(story.sees(PixelRect(x: 1240, y: 2100, width: 1000, height: 600)), "\(story.seen)")
    story.keys("_3>")
    story.wait(0.5)
    #expect(
      story.browser.collection.shapes.rotations == [
        Photo.ID(0): Orientation(number: 3).followed(by: .upright)
      ])
  }

  @Test func `rotating a photo animates its change of shape`() throws {
    var story = Self.opened()
    story.keys(">")
    #expect(story.out?.frame == PixelRect(x: 100, y: 0, width: 800, height: 600))
    story.wait(0.175)
    let middle = try #require(story.out).frame
    #expect(abs(middle.width - 625) < 5 && abs(middle.height - 600) < 1e-6)
  }
}

extension Story {
  /// The visible part of the open photo, in pixels of the rotated photo.
  var seen: PixelRect {
    guard let out, let size = browser.size(of: out.photo) else { return .unit }
    return PixelRect(
      x: out.crop.minX * size.width, y: out.crop.minY * size.height,
      width: out.crop.width * size.width, height: out.crop.height * size.height)
  }

  /// Whether a part is the visible one, except for rounding errors.
  func sees(_ part: PixelRect) -> Bool {
    let seen = seen
    return abs(seen.minX - part.minX) < 1e-6 && abs(seen.minY - part.minY) < 1e-6
      && abs(seen.width - part.width) < 1e-6 && abs(seen.height - part.height) < 1e-6
  }

  /// The point of the photo under a point of the screen, in pixels of the photo.
  func photoPoint(at point: PixelPoint) -> PixelPoint {
    guard let out else { return .zero }
    let seen = seen
    return PixelPoint(
      x: seen.minX + (point.x - out.frame.minX) / out.frame.width * seen.width,
      y: seen.minY + (point.y - out.frame.minY) / out.frame.height * seen.height)
  }

  /// Drags from the middle by a step every 20 ms, twenty times, and releases.
  mutating func fling(by step: PixelPoint) {
    mouse(.pressed(.left), 500, 300)
    for number in 1...20 {
      now = now.advanced(bySeconds: 0.02)
      mouse(.dragged(.left), 500 + Double(number) * step.x, 300 + Double(number) * step.y)
    }
    mouse(.released(.left), 500 + 20 * step.x, 300 + 20 * step.y)
  }
}
