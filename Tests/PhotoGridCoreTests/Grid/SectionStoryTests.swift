@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import TestSupport
import Testing

extension Story {
  /// The headings at the top of the screen, without the rows of the scrubber.
  var headings: [Scene.Label] {
    scene.captions.filter { $0.isHeading && $0.frame.minY <= 0 }
  }
}

/// Sections in use: headings, going from one to the next, marks, and dates that arrive late.
@Suite struct SectionStoryTests {
  /// Returns a story with a number of photos of each month, named and dated in order.
  func story(
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
      .filesRead(
        months.indices.map {
          learned($0, month: months[$0], day: $0 - starts[months[$0]] + 1)
        }))
    story.keys(grouping)
    story.wait(2)
    return story
  }

  /// A photo taken in the month of a number, from January 2020 on.
  func learned(_ photo: Int, month: Int, day: Int = 1) -> (photo: Photo.ID, info: PhotoInfo?) {
    let date = CalendarDate(year: 2020 + month / 12, month: month % 12 + 1, day: min(day, 28))
    return (
      Photo.ID(photo), PhotoInfo.made(4, 3, taken: date.iso8601 + "T10:00:00")
    )
  }

  /// The texts of labels without the space that they begin with.
  func texts(_ labels: [Scene.Label]) -> [String] {
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
      story.browser.gallery.grid.scroll.jump(to: offset)
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
      #expect(story.bar.left == "Nothing is grouped. Press gd, gm, gy, gf, or g*.")
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
      ("1999", 0, false), ("2020-03-20", 29, true), ("March 2020", 10, true),
      ("2 feb 2020", 8, true), ("april-2020", 50, false), ("2030-12-31", 111, false),
    ] {
      story.keys("gt")
      #expect(story.bar.right == "2019, July 2019, or 2019-07-14")
      story.keys(typed)
      #expect(story.bar.right == "Enter goes there")
      story.send(.key(.enter))
      story.wait(0.1)
      #expect(story.current == photo, "\(typed)")
      #expect(story.bar.left.hasPrefix("No photos from") != isThen, "\(typed): \(story.bar.left)")
      story.wait(3)
    }
    story.keys("gt2020-13")
    #expect(story.bar.right == "2019, July 2019, or 2019-07-14")
    story.press(.enter)
    #expect(story.browser.prompt != nil)
    story.press(.escape)
    #expect(story.current == 111 && story.browser.prompt == nil)
  }

  @Test(arguments: [
    ("2020-02", 2, "No photos from February 2020. Showing the nearest one."),
    ("2022-06", 2, "No photos from June 2022. Showing the nearest one."),
    ("2022-07", 3, "No photos from July 2022. Showing the nearest one."),
    ("2024-11-30", 3, "No photos from Saturday, 30 November 2024. Showing the nearest one."),
  ])
  func `gt goes to the photo that is fewer days away, earlier or later`(
    typed: String, photo: Int, notice: String
  ) {
    // Photos of January 2020 and of December 2024.
    var story = story([3] + Array(repeating: 0, count: 58) + [2])
    story.keys("gt" + typed)
    story.press(.enter)
    #expect(story.current == photo && story.bar.left == notice)
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
}
