import TestSupport
import Testing

@testable import PhotoGridCore

extension Story {
  /// The captions that are headings, without the rows of the scrubber.
  fileprivate var headings: [Scene.Label] {
    scene.captions.filter { $0.isHeading && $0.frame.minX == 0 }
  }
}

/// Sections in use: headings, going from one to the next, marks, and dates that arrive late.
@Suite struct SectionStoryTests {
  /// Returns a story with a number of photos of each month, named and dated in order.
  private func story(
    _ counts: [Int], grouping: String = "gm", columns: Int = 100, rows: Int = 31,
    motion: MotionSetting = .full
  ) -> Story {
    var story = Story(photos: 0, columns: columns, rows: rows, motion: motion)
    let months = counts.enumerated().flatMap { Array(repeating: $0, count: $1) }
    story.send(
      .named(
        NameBatch(
          first: Photo.ID(0), folder: [], names: nameBlock(months.indices.map { "p\($0)" }))))
    story.send(.found(months.indices.map { Photo.ID($0) }))
    let starts = counts.indices.map { counts[..<$0].reduce(0, +) }
    story.send(
      .factsUpdated(
        months.indices.map {
          learned($0, month: months[$0], day: $0 - starts[months[$0]] + 1)
        }))
    story.keys(grouping)
    story.wait(2)
    return story
  }

  /// A photo taken in the month of a number, from January 2020 on.
  private func learned(_ photo: Int, month: Int, day: Int = 1) -> FactUpdate {
    let date = CalendarDate(year: 2020 + month / 12, month: month % 12 + 1, day: min(day, 28))
    return FactUpdate(
      Photo.ID(photo), FileFacts(.made(4, 3, taken: date.iso8601 + "T10:00:00")))
  }

  private func texts(_ labels: [Scene.Label]) -> [String] {
    labels.map { String($0.text.dropFirst()) }
  }

  // MARK: - Headings

  @Test func `each section has a heading above its tiles, and the topmost one stays at the top`() {
    let story = story([7, 3, 40], rows: 61)
    #expect(texts(story.headings) == ["January 2020 · 7 photos"])
    #expect(
      texts(story.scene.labels) == ["February 2020 · 3 photos", "March 2020 · 40 photos"])
    let tops = (story.headings + story.scene.labels).map(\.frame.minY)
    #expect(tops[0] == 0 && tops[1] < story.tile(7).minY && tops[1] > story.tile(6).maxY)
    #expect(story.scene.tileCount == story.scene.placements.count)
    #expect(story.bar.right.contains("by month"))
  }

  @Test func `the next heading pushes the topmost one out`() throws {
    var story = story([7, 3, 40])
    let second = try #require(story.browser.grid.layout.sectioned?.heading(ofSection: 1))
    for (offset, top) in [(second.minY - 100, 0.0), (second.minY - 15, -5), (second.minY, 0)] {
      story.browser.grid.scroll.jump(to: offset)
      let caption = try #require(story.headings.first)
      #expect(caption.frame.minY == top)
      #expect(
        caption.text.contains(offset < second.minY ? "January" : "February"), "\(caption.text)")
    }
  }

  @Test func `a long heading is cut before its number, and control characters are harmless`() {
    var story = Story(
      names: ["\u{1B}[2Jevil" + String(repeating: "x", count: 200) + "/a.jpg"], columns: 40)
    story.keys("gf")
    story.wait(1)
    let text = story.headings.first?.text ?? ""
    #expect(text.hasPrefix(" ?[2Jevil") && text.hasSuffix("xx · 1 photo"), "\(text)")
    #expect(CellText(text).width <= 40)
  }

  @Test func `every layout shows sections`() {
    var story = story([7, 3, 40])
    for _ in LayoutStyle.Kind.allCases {
      story.send(.key(.tab))
      story.wait(1)
      #expect(story.browser.grid.layout.sectioned?.sectionCount == 3)
      #expect(story.headings.count == 1)
    }
  }

  // MARK: - Moving between sections

  @Test func `braces go from section to section, with counts`() {
    var story = story([7, 3, 40, 5, 60])
    for (keys, photo) in [
      ("}", 7), ("}", 10), ("l{", 10), ("{", 7), ("3}", 55), ("9}", 55), ("2{", 10), ("9{", 0),
    ] {
      story.keys(keys)
      story.wait(1)
      #expect(story.current == photo, "\(keys)")
    }
    story.keys("2}")
    story.wait(1)
    #expect(texts(story.headings) == ["March 2020 · 40 photos"])
    #expect(story.headings.first?.frame.minY == 0)
  }

  @Test func `without sections, braces and gs say how to group photos`() {
    var story = story([7], grouping: "gn")
    for keys in ["}", "{", "gs"] {
      story.keys(keys)
      #expect(story.bar.left.hasPrefix("no sections"))
    }
  }

  @Test(arguments: seeds(1...12))
  func `the selected tile is never beneath the heading`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var story = story(
      (0..<9).map { _ in Int.random(in: 1...30, using: &random) }, motion: .none)
    for _ in 0..<60 {
      let keys: [Key] = [
        .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .character("}"),
        .character("{"), .control("d"),
      ]
      if Bool.random(using: &random) {
        story.send(.key(keys.randomElement(using: &random) ?? .down))
      } else {
        story.mouse(.wheel(Bool.random(using: &random) ? .up : .down), 100, 100)
      }
      let tile = story.tile(story.browser.selection)
      #expect(tile.minY >= 20 && tile.maxY <= story.browser.viewport.pictureSize.height)
    }
  }

  @Test func `gt goes to a year, a month or a day, or to the nearest one`() {
    var story = story([7, 3, 40, 0, 60, 0, 0, 0, 0, 0, 0, 0, 2])
    for (typed, photo, isThen) in [
      ("2021", 110, true), ("2020-03", 10, true), ("2020-02-02", 8, true), ("2020-04", 50, false),
      ("1999", 0, false), ("2020-03-20", 29, true), ("2030-12-31", 111, false),
    ] {
      story.keys("gt" + typed)
      #expect(story.bar.right == "Enter goes there")
      story.send(.key(.enter))
      story.wait(0.1)
      #expect(story.current == photo, "\(typed)")
      #expect(story.bar.left.hasPrefix("nothing in") != isThen, "\(typed): \(story.bar.left)")
      story.wait(3)
    }
    story.keys("gt2020-13")
    #expect(story.bar.right.hasPrefix("a year, 2019"))
    story.press(.enter)
    #expect(story.browser.prompt != nil)
    story.press(.escape)
    #expect(story.current == 111 && story.browser.prompt == nil)
  }

  // MARK: - Marks

  @Test func `gs marks the section, or removes the marks if all are marked`() {
    var story = story([7, 3, 4])
    story.keys("}lm")
    #expect(story.marked == [8])
    story.keys("gs")
    #expect(story.marked == [7, 8, 9])
    story.keys("gs")
    #expect(story.marked == [])
  }

  @Test func `a click on a heading marks its section, and opens nothing`() throws {
    var story = story([7, 3, 40])
    let heading = try #require(story.scene.labels.first)
    story.click(heading.frame.center)
    #expect(story.marked == [7, 8, 9] && story.browser.viewer == nil)
    story.wait(1)
    story.mouse(.wheel(.down), 300, 300)
    story.wait(1)
    story.click(PixelPoint(x: 500, y: 10))
    #expect(story.marked == Array(0..<10), "the one at the top, with tiles beneath it")
    story.wait(1)
    story.click(PixelPoint(x: 500, y: 10))
    #expect(story.marked == [7, 8, 9])
  }

  @Test func `ranges and marks by mouse go across sections`() {
    var story = story([7, 3, 40], rows: 61)
    story.keys("5Gv")
    story.keys("}v")
    #expect(story.marked == [4, 5, 6, 7])
    story.wait(1)
    story.mouse(.pressed(.left), story.tile(11).center.x, story.tile(11).center.y, .alt)
    story.mouse(.released(.left), story.tile(11).center.x, story.tile(11).center.y, .alt)
    #expect(story.marked == Array(4...11))
  }

  // MARK: - Motion

  @Test func `another grouping moves each tile from its old frame, and none jumps`() {
    var story = story([7, 3, 40], grouping: "")
    for keys in ["gm", "gy", "gd", "gn"] {
      story.wait(1)
      let before = Dictionary(
        uniqueKeysWithValues: story.scene.placements.map { ($0.photo, $0.frame) })
      story.keys(keys)
      for placement in story.scene.placements {
        if let frame = before[placement.photo] { #expect(placement.frame == frame, "\(keys)") }
      }
      #expect(story.scene.isMoving)
    }
    story.wait(1)
    #expect(!story.browser.isAnimating(at: story.now) && story.headings.isEmpty)
  }

  @Test func `a photo opens from its tile below a heading, and closes into it`() throws {
    var story = story([7, 3, 40])
    story.keys("3}")
    story.wait(1)
    let tile = story.tile(story.browser.selection)
    story.press(.enter)
    #expect(story.out?.frame == tile)
    story.wait(1)
    #expect(story.scene.captions.isEmpty, "nothing lies over an open photo")
    // Dragged down and let go while it moves, it lands in its tile.
    story.mouse(.pressed(.left), 500, 200)
    for step in 1...20 {
      story.now = story.now.advanced(bySeconds: 0.016)
      story.mouse(.dragged(.left), 500, 200 + Double(step) * 10)
    }
    #expect(story.headings.count == 1)
    story.mouse(.released(.left), 500, 400)
    story.wait(8)
    #expect(story.browser.viewer == nil && story.tile(story.browser.selection) == tile)
  }

  @Test func `dates that arrive late do not move the selected tile`() {
    var story = Story(photos: 0)
    story.browser.collection.listingNotes = nil
    let count = 60
    story.send(
      .named(
        NameBatch(
          first: Photo.ID(0), folder: [], names: nameBlock((0..<count).map { "p\($0)" }))))
    story.keys("gm")
    story.send(.found((0..<count).map { Photo.ID($0) }))
    story.keys("30G")
    story.wait(1)
    let tile = story.tile(story.browser.selection)
    #expect(texts(story.headings) == ["Not read yet · 60 photos"])
    for number in 0..<count {
      story.send(.factsUpdated([learned(number, month: number / 10, day: number % 10 + 1)]))
      story.wait(0.05)
      #expect(story.current == 29)
      let now = story.tile(story.browser.selection)
      let limit = story.browser.grid.scrollLimit(in: story.browser.viewport)
      let offset = story.browser.grid.scroll.target
      // It scrolls by whole text rows, as far as there is content.
      #expect(abs(now.minY - tile.minY) <= 10 || offset == 0 || offset == limit)
    }
    story.send(.listed(ListingNotes()))
    story.wait(1)
    #expect(story.browser.collection.sections.count == 6)
    #expect(story.shown == Array(0..<count))
  }

  @Test func `until the first key press the first photo is selected, even if dates arrive late`() {
    var story = Story(photos: 0)
    story.browser = Browser(
      options: Browser.Options(), grouping: .month, cells: CellSize(columns: 100, rows: 31),
      metrics: .standard)
    story.send(.found((0..<60).map { Photo.ID($0) }))
    story.send(.listed(ListingNotes()))
    for number in (1..<60).reversed() {
      story.send(.factsUpdated([learned(number, month: number / 10)]))
      story.wait(0.1)
    }
    story.send(.factsUpdated([FactUpdate(Photo.ID(0), .unreadable)]))
    story.wait(1)
    #expect(story.current == 1 && story.browser.grid.scroll.target == 0)
    #expect(story.shown.last == 0)
  }

  @Test func `facts take effect together, a moment after they arrive`() {
    var story = Story(photos: 0)
    story.browser.collection.listingNotes = nil
    story.keys("gm")
    story.send(.found((0..<50).map { Photo.ID($0) }))
    story.send(.factsUpdated([learned(0, month: 3)]))
    #expect(story.browser.collection.sections.count == 1)
    story.wait(0.31)
    #expect(story.browser.collection.sections.count == 2)
  }

  // MARK: - Random events

  @Test(arguments: seeds(1...40))
  func `random events keep the sections consistent`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var story = story(
      (0..<Int.random(in: 1...20, using: &random)).map { _ in
        Int.random(in: 0...20, using: &random)
      },
      columns: 80, rows: 24, motion: MotionSetting.allCases[seed % MotionSetting.allCases.count])
    for step in 0..<200 {
      let event: Event
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        story.keys(["gd", "gm", "gy", "gf", "gn", "gs"].randomElement(using: &random) ?? "gm")
        event = .tick
      case 1: event = .key(.character(Bool.random(using: &random) ? "{" : "}"))
      case 2:
        let photo = Int.random(in: 0..<200, using: &random)
        event = .factsUpdated([learned(photo, month: Int.random(in: 0..<30, using: &random))])
      default:
        event = BrowserInvariantTests.event(&random, photos: story.browser.photos.count)
      }
      story.send(event)
      if let complaint = BrowserInvariantTests.complaint(about: story) ?? complaint(about: story) {
        Issue.record("seed \(seed), step \(step): \(complaint) after \(event)")
        return
      }
      story.now = story.now.advanced(bySeconds: Double.random(in: 0...0.2, using: &random))
    }
    story.send(.mouse(MouseEvent(.released(.left), at: .zero)))
    story.wait(30)
    #expect(!story.browser.isAnimating(at: story.now), "seed \(seed): never comes to rest")
  }

  private func complaint(about story: Story) -> String? {
    let collection = story.browser.collection
    let sections = collection.sections
    if collection.grouping == .none || collection.items.isEmpty {
      return sections.isEmpty && story.browser.grid.layout.sectioned == nil
        ? nil : "sections of nothing"
    }
    guard sections.itemCount == collection.items.count else { return "an item without a section" }
    guard story.browser.grid.layout.sectioned?.sectionCount == sections.count else {
      return "a layout of other sections"
    }
    if collection.album.order != collection.grouping.order(replacing: collection.album.order) {
      return "sections in another order"
    }
    let scene = story.scene
    if scene.tileCount > scene.placements.count { return "captions over nothing" }
    if story.headings.count > 1 { return "two headings at the top" }
    return nil
  }
}
