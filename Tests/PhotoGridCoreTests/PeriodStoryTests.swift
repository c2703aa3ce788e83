import TestSupport
import Testing

@testable import PhotoGridCore

/// Months and years, farther away than the photos: out, in, and in the middle.
@Suite struct PeriodStoryTests {
  init() { UTF8Locale.use() }

  // MARK: - Out and in

  @Test func `zo leads to months and to years, and Enter back to where one came from`() {
    var world = PeriodStory([7, 3, 40] + Array(repeating: 2, count: 15))
    world.story.keys("gm20G")
    world.story.wait(2)
    let (tile, scroll) = (
      world.story.tile(world.story.browser.selection), world.story.browser.grid.scroll.target
    )
    world.zoom("zo")
    #expect(world.selected == "March 2020")
    #expect(world.story.bar.right.hasPrefix("month 3/18 · 40 photos"))
    #expect(
      world.labels.prefix(3) == ["Jan 2020 · 7", "Feb 2020 · 3", "Mar 2020 · 40"]
        || world.labels.prefix(3) == ["January 2020 · 7", "February 2020 · 3", "March 2020 · 40"],
      "\(world.labels)")
    world.zoom("zo")
    #expect(world.selected == "2020" && world.labels == ["2020 · 68 photos", "2021 · 12 photos"])
    #expect(world.story.bar.right.hasPrefix("year 1/2 · 68 photos"))
    world.story.keys("zo")
    #expect(world.story.bar.left == "years are the farthest away")
    world.story.wait(2)
    world.press(.enter)
    #expect(world.selected == "March 2020")
    world.press(.enter)
    #expect(world.periods == nil && world.story.current == 19)
    #expect(world.story.tile(world.story.browser.selection) == tile)
    #expect(world.story.browser.grid.scroll.target == scroll)
  }

  @Test
  func `minus goes on to months where tiles are the smallest, and plus into the selected one`() {
    var world = PeriodStory([7, 3, 40, 300])
    var presses = 0
    while world.periods == nil, presses < 20 {
      world.zoom("-")
      presses += 1
    }
    #expect(world.story.browser.grid.style.enlargement == LayoutStyle.enlargements.lowerBound)
    #expect(world.periods?.periods.length == .month)
    world.zoom("-")
    #expect(world.periods?.periods.length == .year)
    world.zoom("+")
    #expect(world.selected == "January 2020")
    world.zoom("lll+")
    #expect(world.periods == nil && world.story.current == 50)
    #expect(world.story.browser.album.order.key == .taken, "a month has one place in this order")
  }

  @Test func `a count of minus stops at the smallest tiles`() {
    var world = PeriodStory([7, 3, 40])
    world.zoom("50-")
    #expect(world.periods == nil)
    world.zoom("-")
    #expect(world.periods != nil)
  }

  @Test func `Ctrl and the wheel lead a level at a time, however many notches a turn has`() {
    var world = PeriodStory(Array(repeating: 30, count: 30))
    world.zoom("99-")
    for _ in 0..<6 { world.story.mouse(.wheel(.down), 300, 300, .control) }
    #expect(world.periods?.periods.length == .month)
    world.story.wait(1)
    for _ in 0..<6 { world.story.mouse(.wheel(.down), 300, 300, .control) }
    #expect(world.periods?.periods.length == .year)
    world.story.wait(1)
    let year = world.center(1)
    for _ in 0..<6 { world.story.mouse(.wheel(.up), year.x, year.y, .control) }
    #expect(world.selected == "January 2021", "the one under the pointer")
    world.story.wait(1)
    let month = world.center(13)
    for _ in 0..<6 { world.story.mouse(.wheel(.up), month.x, month.y, .control) }
    #expect(world.periods == nil && world.story.current == 390)
    #expect(
      world.story.browser.grid.style.enlargement == LayoutStyle.enlargements.lowerBound,
      "the rest of the turn does not change the tiles")
  }

  @Test(arguments: ["", "gm", "gd", "gy", "gf", ",d", ",D", ",n"])
  func `a click goes into a month, whatever the order and the sections are`(keys: String) {
    var world = PeriodStory(Array(repeating: 40, count: 20), undated: 5)
    world.zoom(keys + "zo")
    let isReversed = keys == ",D"
    #expect(world.periods?.items.count == 21)
    let index = isReversed ? 19 - 4 : 4
    world.story.click(world.center(index))
    world.story.wait(1)
    #expect(world.periods == nil)
    #expect(world.story.current == 160)
    let tile = world.story.tile(world.story.browser.selection)
    #expect(tile.minY >= 0 && tile.minY < 100, "at the top")
    #expect(world.story.browser.viewer == nil)
    // Nothing of the order that was chosen is lost where the order was by date.
    #expect(world.story.browser.album.order == SortOrder(by: .taken, isReversed: isReversed))
  }

  @Test(arguments: LayoutStyle.Kind.allCases)
  func `months lead into every layout`(kind: LayoutStyle.Kind) {
    var world = PeriodStory(Array(repeating: 40, count: 20))
    world.story.browser.restyle(at: world.story.now) { $0.kind = kind }
    world.zoom("zo")
    world.zoom("6G")
    world.press(.enter)
    #expect(world.story.current == 200 && world.story.browser.grid.style.kind == kind)
    let tile = world.story.tile(world.story.browser.selection)
    #expect(tile.intersects(world.story.browser.viewport.pictureArea))
  }

  @Test func `Esc leads back, and leaves order and place as they were`() {
    var world = PeriodStory(Array(repeating: 40, count: 20))
    world.story.keys("300G")
    world.story.wait(2)
    let before = world.story.browser.grid
    world.zoom("zozo")
    world.zoom("G")
    world.press(.escape)
    #expect(world.selected == "August 2020", "the month that one came from")
    world.zoom("gg")
    world.press(.escape)
    #expect(world.periods == nil && world.story.current == 299)
    #expect(world.story.browser.grid.position == before.position)
    #expect(world.story.browser.album.order == .listed)
    #expect(world.story.browser.collection.missingFacts.isEmpty)
  }

  @Test func `another year leads to its first month`() {
    var world = PeriodStory(Array(repeating: 4, count: 30), undated: 3)
    world.zoom("zozo")
    #expect(
      world.labels == [
        "2020 · 48 photos", "2021 · 48 photos", "2022 · 24 photos", "No date · 3 photos",
      ])
    world.zoom("ll")
    world.press(.enter)
    #expect(world.selected == "January 2022")
    world.zoom("zo")
    world.zoom("G")
    world.press(.enter)
    #expect(world.selected == "No date")
    world.press(.enter)
    #expect(world.story.current == 120)
  }

  @Test func `keys for photos are refused, and others work`() {
    var world = PeriodStory([7, 3, 40])
    world.zoom("zo")
    for keys in ["d", "m", "v", "/", "t", "yy", "o", "r", "s", "gm", "gs", "}", "!", ",d", "u"] {
      world.story.keys(keys)
      #expect(world.story.bar.left.hasPrefix("that is for photos"), "\(keys)")
      #expect(world.story.browser.prompt == nil && world.story.effects.isEmpty)
    }
    world.story.keys("gt2020-02")
    world.story.press(.enter)
    #expect(world.selected == "February 2020")
    world.story.keys("?")
    #expect(world.story.browser.helpPage == 0)
    world.story.press(.escape)
    world.story.keys("R")
    world.story.press(.control("l"), .control("z"))
    #expect(world.story.effects == [.reload, .redraw, .suspend])
    world.story.effects = []
    world.story.keys("q")
    #expect(world.story.effects == [.quit] && world.periods != nil)
  }

  @Test func `with a filter months count what passes, while it is typed too`() {
    var world = PeriodStory([7, 3, 12])
    world.zoom("zo")
    world.story.keys("fp1")
    world.story.wait(0.1)
    // p1, and p10 to p19.
    #expect(world.periods?.items.count == 2)
    #expect(world.periods?.period(at: 1)?.count == 10)
    world.story.press(.enter)
    world.press(.enter)
    #expect(world.story.current == 1)
    world.zoom("zo")
    #expect(world.periods?.items.count == 2)
    world.story.keys("fx")
    world.story.wait(1)
    #expect(world.periods?.items.isEmpty == true && world.story.scene.placements.isEmpty)
    world.story.press(.escape)
    #expect(world.periods?.items.count == 2)
  }

  // MARK: - Motion

  @Test func `the screen of photos shrinks into its month, which grows out of it again`() throws {
    var world = PeriodStory([7, 3, 40])
    world.story.keys("gm")
    world.story.wait(2)
    let before = world.story.scene.placements
    world.story.keys("zo")
    #expect(world.story.scene.placements.filter { $0.opacity > 0 } == before, "nothing has changed")
    let tile = try #require(world.periods?.restingFrame(at: 0))
    let photo = try #require(before.first)
    var last = photo.frame
    for _ in 0..<20 {
      world.story.wait(1.0 / 60)
      guard let now = world.story.scene.placements.last(where: { $0.photo == photo.photo }) else {
        break
      }
      #expect(now.frame.width <= last.width + 1e-9)
      last = now.frame
    }
    world.story.wait(1)
    #expect(!world.story.browser.isAnimating(at: world.story.now))
    for frame in world.story.scene.placements.filter({ $0.photo == photo.photo }).map(\.frame) {
      #expect(tile.contains(frame.center))
    }
    world.story.send(.key(.enter))
    world.story.wait(1)
    #expect(world.story.scene.placements == before)
  }

  @Test(arguments: [0.02, 0.1, 0.2, 0.3])
  func `turned back in the middle, nothing jumps`(share: Double) {
    for (out, back) in [("zo", Key.escape), ("zo", .enter), ("zo", .character("+"))] {
      var world = PeriodStory(Array(repeating: 40, count: 20))
      world.story.keys("gm100G")
      world.story.wait(2)
      let before = world.story.scene.placements
      for keys in [out, out] {
        world.story.keys(keys)
        world.story.wait(share)
        let middle = visible(world)
        world.story.send(.key(back))
        #expect(isClose(middle, visible(world)), "\(back) after \(share)")
        world.story.wait(share / 2)
        let later = visible(world)
        world.story.keys(keys)
        #expect(isClose(later, visible(world)), "and out again")
        world.story.wait(1)
      }
      world.press(.escape)
      world.press(.escape)
      #expect(world.story.scene.placements == before)
    }
  }

  @Test func `two steps out at once go on from the picture of the first`() {
    var world = PeriodStory(Array(repeating: 40, count: 20))
    world.story.keys("zo")
    world.story.wait(0.15)
    let middle = visible(world)
    world.story.keys("zo")
    #expect(isClose(middle, visible(world)))
    world.story.wait(1)
    #expect(world.labels == ["2020 · 480 photos", "2021 · 320 photos"])
  }

  /// What is visible: the frames and opacities of photos, by photo.
  private func visible(_ world: PeriodStory) -> [Placement] {
    world.story.scene.placements.filter {
      $0.opacity > 0.01 && $0.photo != .unlisted
        && $0.frame.intersects(world.story.browser.viewport.pictureArea)
    }
  }

  private func isClose(_ some: [Placement], _ others: [Placement]) -> Bool {
    guard some.count == others.count else { return false }
    return some.allSatisfy { one in
      others.contains { other in
        one.photo == other.photo && abs(one.opacity - other.opacity) < 0.02
          && abs(one.frame.minX - other.frame.minX) + abs(one.frame.maxY - other.frame.maxY) < 1
      }
    }
  }

  @Test func `reduced motion fades, and none shows the months at once`() {
    var world = PeriodStory([7, 3, 40], motion: .reduced)
    let before = world.story.scene.placements
    world.story.keys("zo")
    world.story.wait(0.1)
    let frames = Set(before.map { "\($0.photo) \($0.frame)" })
    #expect(
      world.story.scene.placements.suffix(before.count).allSatisfy {
        frames.contains("\($0.photo) \($0.frame)")
      })
    world = PeriodStory([7, 3, 40], motion: .none)
    world.story.keys("zo")
    #expect(!world.story.browser.isAnimating(at: world.story.now) && world.labels.count == 3)
  }

  @Test func `a resize in the middle ends the zoom, and keeps the month in sight`() throws {
    var world = PeriodStory(Array(repeating: 4, count: 200))
    world.story.keys("700G")
    world.story.wait(2)
    world.story.keys("zo")
    world.story.wait(0.1)
    let selected = world.selected
    for (columns, rows) in [(40, 12), (200, 60), (3, 2), (0, 0), (80, 24)] {
      world.story.send(.resized(CellSize(columns: columns, rows: rows), .standard))
      _ = world.story.scene
      #expect(world.selected == selected)
    }
    let periods = try #require(world.periods)
    let area = world.story.browser.viewport.pictureArea
    #expect(area.contains(periods.restingFrame(at: periods.selection).center))
  }

  // MARK: - Dates that arrive

  @Test func `months appear as dates become known, and the selected one stays`() throws {
    var world = PeriodStory([1] + Array(repeating: 3, count: 19), isRead: false)
    #expect(world.story.browser.collection.missingFacts.isEmpty, "nobody asked for dates")
    world.zoom("zo")
    #expect(world.labels == ["Not read yet · 58"])
    #expect(world.story.browser.collection.missingFacts.count == 58)
    #expect(world.story.bar.right.contains("read 0 of 58"))
    for photo in (40..<58).reversed() { world.read(photo, month: (photo + 2) / 3) }
    world.story.wait(1)
    // p40 to p57 are of six months and a part of one; the others were not read.
    let months = try #require(world.periods?.items.count)
    #expect(months == 7)
    world.zoom("2G")
    let (name, top) = (world.selected, try #require(world.periods).restingFrame(at: 1).minY)
    for photo in (0..<40).reversed() {
      world.read(photo, month: (photo + 2) / 3)
      world.story.wait(0.1)
      #expect(world.selected == name)
    }
    world.story.wait(1)
    let periods = try #require(world.periods)
    #expect(periods.items.count == 20 && !world.labels.contains { $0.hasPrefix("Not") })
    let frame = periods.restingFrame(at: periods.selection)
    #expect(world.story.browser.viewport.pictureArea.contains(frame.center), "\(top)")
  }

  @Test func `until the user chooses a month, that of the photo that one came from is selected`() {
    var world = PeriodStory([5, 5, 5], isRead: false)
    world.story.keys("13G")
    world.zoom("zo")
    for photo in 0..<15 {
      world.read(photo, month: photo / 5)
      world.story.wait(0.4)
    }
    #expect(world.selected == "March 2020")
    world.press(.escape)
    #expect(world.story.current == 12)
  }

  @Test func `the photos on a tile stay while more become known`() throws {
    var world = PeriodStory([40], isRead: false)
    world.zoom("zo")
    for photo in 10..<14 { world.read(photo, month: 0) }
    world.story.wait(1)
    let first = try #require(world.periods?.period(at: 0)?.samples)
    #expect(Set(first) == Set((10..<14).map { Photo.ID($0) }))
    for photo in 14..<40 { world.read(photo, month: 0) }
    world.story.wait(1)
    #expect(world.periods?.period(at: 0)?.samples == first)
  }

  @Test func `photos that a listing finds later are counted together`() {
    var world = PeriodStory([5])
    world.story.browser.collection.listingNotes = nil
    world.zoom("zo")
    world.story.send(.found((5..<20).map { Photo.ID($0) }))
    world.story.send(.found((20..<30).map { Photo.ID($0) }))
    #expect(world.periods?.items.count == 1 && world.story.browser.nextChange != nil)
    world.story.wait(0.4)
    #expect(world.periods?.items.count == 2)
    world.story.wait(1)
    #expect(world.labels.last == "Not read yet · 25")
  }

  // MARK: - Pictures

  @Test func `a tile shows four photos from all over its month, at their size`() throws {
    var world = PeriodStory([40, 1, 2, 3], rows: 61)
    world.zoom("zo")
    let periods = try #require(world.periods)
    #expect(
      periods.period(at: 0)?.samples == [0, 10, 20, 30].map { Photo.ID($0) })
    #expect((0..<4).map { periods.period(at: $0)?.samples.count } == [4, 1, 2, 3])
    let demands = world.story.browser.demands
    #expect(demands.count == 10 && demands.allSatisfy { $0.place == .visible })
    #expect(demands.first?.photo == Photo.ID(0), "that of the selected month first")
    for demand in demands {
      let placement = try #require(world.story.scene.placements.last { $0.photo == demand.photo })
      #expect(demand.size.width >= placement.frame.width)
      #expect(world.story.browser.distanceFromViewport(demand.photo) == 0)
    }
  }

  // MARK: - Bad input

  @Test func `strange dates have their tiles, and a hundred thousand photos of a day one`() throws {
    var world = PeriodStory([], undated: 0)
    let count = 100_000
    world.story.send(.found((0..<count).map { Photo.ID($0) }))
    let taken = ["0001-01-01T00:00:00", "9999-12-31T23:59:60", nil, "2030-06-01T00:00:00"]
    world.story.send(
      .factsUpdated(
        (0..<count).map { photo in
          let date = photo < taken.count ? taken[photo] : "2020-02-29T12:00:00"
          return FactUpdate(Photo.ID(photo), FileFacts(.made(4, 3, taken: date)))
        }))
    world.zoom("zo")
    #expect(world.labels.count == 5)
    #expect(
      world.labels.first?.hasPrefix("Jan 1 ") == true
        || world.labels.first == "January 1 · 1 photo", "\(world.labels)")
    #expect(world.labels.last == "No date · 1 photo")
    #expect(world.periods?.period(at: 1)?.count == 99_996)
    world.zoom("zo")
    #expect(
      world.labels.map { $0.split(separator: " ")[0] } == ["1", "2020", "2030", "9999", "No"])
    for _ in 0..<2 { world.press(.enter) }
    #expect(world.periods == nil)
  }

  @Test func `a date that cannot be is none`() {
    for taken in ["0000-00-00T00:00:00", "2020-13-01T00:00:00", "nonsense", ""] {
      #expect(FileFacts(.made(4, 3, taken: taken)).takenDigits == 0)
    }
  }

  @Test func `without photos there are no months`() {
    var world = PeriodStory([])
    world.zoom("zo")
    #expect(world.periods == nil && world.story.bar.left.hasPrefix("there are no photos"))
  }

  @Test func `a folder can be left for another while months are shown`() {
    var folder = FolderStory()
    folder.keys("zo")
    #expect(folder.browser.mode.periods != nil && folder.browser.currentFolder == nil)
    folder.press(.backspace)
    #expect(folder.place == "r/", "further out are years")
    folder.story.send(
      .moved(FolderMove(from: Array("r/".utf8), to: Array("".utf8), .outOf(nil), photos: [])))
    #expect(folder.browser.mode.periods == nil)
  }

  // MARK: - Whatever happens

  @Test(arguments: seeds(1...60))
  func `whatever happens among months and years, the state is consistent`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let counts = (0..<Int.random(in: 1...40, using: &random)).map { _ in
      Int.random(in: 0...9, using: &random)
    }
    var world = PeriodStory(
      counts, undated: Int.random(in: 0...3, using: &random),
      isRead: Bool.random(using: &random), columns: 80, rows: 24,
      motion: MotionSetting.allCases[seed % MotionSetting.allCases.count])
    var periodSteps = 0
    for step in 0..<250 {
      let event = Self.event(&random, photos: world.story.browser.photos.count)
      for event in event { world.story.send(event) }
      if world.periods != nil { periodSteps += 1 }
      if let complaint = BrowserInvariantTests.complaint(about: world.story)
        ?? Self.complaint(about: world)
      {
        Issue.record("seed \(seed), step \(step): \(complaint) after \(event)")
        return
      }
      world.story.now = world.story.now.advanced(
        bySeconds: Double.random(in: 0...0.2, using: &random))
    }
    world.story.send(.mouse(MouseEvent(.released(.left), at: .zero)))
    world.story.wait(30)
    #expect(!world.story.browser.isAnimating(at: world.story.now), "seed \(seed)")
    if let due = world.story.browser.nextChange { #expect(due > world.story.now, "seed \(seed)") }
    #expect(periodSteps > 0, "seed \(seed)")
  }

  private static func event(_ random: inout SeededGenerator, photos: Int) -> [Event] {
    func keys(_ text: String) -> [Event] { text.map { .key(.character($0)) } }
    let point = PixelPoint(
      x: Double.random(in: 0...800, using: &random), y: Double.random(in: 0...480, using: &random))
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: return keys("zo")
    case 2:
      return keys(
        ["-", "+", "gm", "gn", ",d", "gt2021-3\r", "fp1\r", "9-"].randomElement(using: &random)
          ?? "-")
    case 3: return [.key([.enter, .escape, .backspace].randomElement(using: &random) ?? .enter)]
    case 4:
      let wheel: MouseEvent.Wheel = Bool.random(using: &random) ? .up : .down
      return [.mouse(MouseEvent(.wheel(wheel), at: point, modifiers: .control))]
    case 5:
      return [
        .mouse(MouseEvent(.pressed(.left), at: point)),
        .mouse(MouseEvent(.released(.left), at: point)),
      ]
    case 6:
      let date = CalendarDate(
        year: Int.random(in: 2018...2024, using: &random),
        month: Int.random(in: 1...12, using: &random), day: 3)
      let taken = Bool.random(using: &random) ? date.iso8601 + "T10:00:00" : nil
      let photo = Photo.ID(Int.random(in: 0..<max(photos, 1), using: &random))
      return [.factsUpdated([FactUpdate(photo, FileFacts(.made(4, 3, taken: taken)))])]
    default: return [BrowserInvariantTests.event(&random, photos: photos)]
    }
  }

  private static func complaint(about world: PeriodStory) -> String? {
    let browser = world.story.browser
    guard let grid = world.periods else {
      return browser.album.needsDates ? "dates are read for nothing" : nil
    }
    guard browser.viewer == nil, browser.current == nil else { return "a photo among months" }
    let periods = grid.periods
    if periods.items != grid.items { return "tiles of other months" }
    if grid.updateDue == nil {
      let count = grid.items.compactMap { periods[$0]?.count }.reduce(0, +)
      if count != browser.album.shown.count { return "\(count) photos in months" }
    }
    for item in grid.items {
      guard let period = periods[item], period.count > 0 else { return "a month of nothing" }
      if period.samples.count != period.sampleCount { return "too few photos on a tile" }
      if Set(period.samples).count != period.samples.count { return "a photo twice" }
    }
    if !grid.items.isEmpty, grid.selected == nil { return "no month is selected" }
    let limit = grid.grid.scrollLimit(in: browser.viewport)
    if grid.grid.scroll.target < 0 || grid.grid.scroll.target > limit {
      return "scrolled to \(grid.grid.scroll.target) of \(limit)"
    }
    return nil
  }
}
