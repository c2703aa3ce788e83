import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// The scrubber at the right edge, by which the pointer scrolls to any date.
@Suite struct ScrubberTests {
  /// Returns a story with a photo a day, for the given number of days from 1 January 2019 on, in
  /// sections by month.
  private func story(days: Int, motion: MotionSetting = .full) -> Story {
    var story = Story(photos: 0, columns: 100, rows: 31, motion: motion)
    let dates = (2019...2030).flatMap { year in
      (1...12).flatMap { month in
        (1...31).compactMap { CalendarDate(parsing: "\(year)-\(month)-\($0)") }
      }
    }.prefix(days)
    story.send(.found(dates.indices.map { Photo.ID($0) }))
    story.send(
      .filesRead(
        zip(dates.indices, dates).map {
          (Photo.ID($0), PhotoInfo.made(4, 3, taken: $1.iso8601 + "T10:00:00"))
        }))
    story.keys("gm")
    story.wait(5)
    return story
  }

  /// The visible rows of the scrubber, one per line: "3 2020".
  private func marks(_ story: Story) -> [String] {
    story.scene.captions.filter { $0.frame.minY > 0 }
      .sorted { ($0.frame.minY, $0.frame.minX) < ($1.frame.minY, $1.frame.minX) }
      .map { "\(Int($0.frame.minY / 20)) \($0.text)" }
  }

  @Test func `the scrubber is visible while the grid scrolls, and for a moment after`() {
    var story = story(days: 3 * 365)
    #expect(marks(story).isEmpty)
    story.mouse(.wheel(.down), 300, 300)
    #expect(!marks(story).isEmpty)
    story.wait(1.4)
    #expect(!marks(story).isEmpty)
    story.wait(0.2)
    #expect(marks(story).isEmpty && story.browser.nextChange == nil)
  }

  @Test func `years and months are spaced in proportion to their photos`() {
    var story = story(days: 365 + 100)
    story.keys("G")
    #expect(
      marks(story) == [
        "1  2019 ", "3  Feb ", "5  Mar ", "7  Apr ", "9  May ", "11  Jun ", "14  Aug ", "16  Sep ",
        "18  Oct ", "20  Nov ", "23  2020 ", "25  Feb ", "27  Mar ", "29 ←",
      ])
  }

  @Test func `few photos have no scrubber, and of many years only those that fit are shown`() {
    var few = story(days: 10)
    few.keys("}")
    few.mouse(.pressed(.left), 999, 300)
    #expect(marks(few).isEmpty && few.browser.grid.scrubber.heldAt == nil)
    var many = story(days: 12 * 365)
    many.keys("G")
    #expect(many.scene.captions.filter { $0.text.hasPrefix(" 20") }.count == 12)
    #expect(Set(many.scene.captions.map(\.frame.minY)).count == many.scene.captions.count)
  }

  @Test func `dragging shows any date in the same frame, with a bubble that names it`() throws {
    var story = story(days: 3 * 365)
    story.mouse(.pressed(.left), 999, 30)
    #expect(marks(story).contains("1  January 2019 "))
    for row in [5, 12, 20, 28, 9] {
      story.mouse(.dragged(.left), 700, Double(row) * 20 + 10)
      let index = Double(row - 1) / 28 * 3 * 365
      let seen = story.scene.placements.map(\.photo.index)
      #expect(seen.contains(Int(index)), "row \(row): \(seen)")
      #expect(seen.contains(story.browser.selection), "the selection stays in sight")
      let bubble = try #require(story.scene.captions.last)
      let top = try #require(story.scene.captions.first)
      #expect(Int(bubble.frame.minY / 20) == row && bubble.isHeading)
      #expect(top.text.contains(bubble.text.dropFirst().dropLast()))
      #expect(story.scene.isMoving)
    }
    story.wait(0.2)
    #expect(!story.scene.isMoving, "held still, it is drawn as finely as can be")
    story.mouse(.dragged(.left), 999, 5000)
    #expect(
      story.browser.grid.scroll.target
        == story.browser.grid.scrollLimit(in: story.browser.viewport))
    story.mouse(.dragged(.left), 999, -50)
    #expect(story.browser.grid.scroll.target == 0)
    story.mouse(.released(.left), 999, -50)
    #expect(story.browser.viewer == nil && !story.browser.isPointerDown)
    story.wait(2)
    #expect(marks(story).isEmpty)
  }

  @Test(arguments: ["grid", "mosaic", "bento", "rows"])
  func `every frame of a drag from end to end has something for each tile in sight`(
    layout: String
  ) throws {
    var story = story(days: 12 * 365)
    while story.browser.grid.style.kind.rawValue != layout { story.send(.key(.tab)) }
    story.wait(5)
    let steps = 120
    for step in -steps...steps {
      let y = 20 + (1 - abs(Double(step)) / Double(steps)) * 579
      story.mouse(step == -steps ? .pressed(.left) : .dragged(.left), 999, y)
      let drawn = Set(story.scene.placements.map(\.photo))
      let seen = story.browser.visibleTiles(at: story.now)
      #expect(!seen.isEmpty)
      let missing = seen.filter { !drawn.contains($0) }
      #expect(missing.isEmpty, "frame \(step): nothing for \(missing)")
      if step == 0 { #expect(seen.contains(Photo.ID(12 * 365 - 1)), "the end was reached") }
      story.wait(1.0 / 60)
    }
  }

  @Test func `a click on the scrubber scrolls, and one beside it opens a photo`() {
    var story = story(days: 3 * 365)
    story.click(PixelPoint(x: 999, y: 590))
    #expect(story.browser.grid.scroll.target > 0 && story.browser.viewer == nil)
    story.wait(3)
    let tile = story.tile(story.browser.selection)
    story.click(tile.center)
    #expect(story.browser.viewer != nil)
    story.wait(1)
    story.mouse(.pressed(.left), 999, 300)
    #expect(story.browser.grid.scrubber.heldAt == nil, "an open photo is what is dragged")
  }

  @Test func `a resize or a lost release ends a drag`() {
    for event: Event in [
      .resized(CellSize(columns: 80, rows: 24), .standard),
      .mouse(MouseEvent(.moved, at: .zero)),
    ] {
      var story = story(days: 3 * 365)
      story.mouse(.pressed(.left), 999, 300)
      #expect(story.browser.isPointerDown)
      story.send(event)
      #expect(!story.browser.isPointerDown)
    }
  }

  // MARK: - Without sections

  /// The texts of the scrubber of photos in an order, which a key chooses, without the arrow.
  private func texts(
    _ names: [String], _ infos: [PhotoInfo], keys: String, stars: [Int] = []
  ) -> [String] {
    var story = Story(names: names, facts: infos, columns: 60, rows: 17)
    for (photo, stars) in stars.enumerated() {
      story.send(.ratingsUpdated([RatingUpdate(Photo.ID(photo), Rating(stars: stars))]))
    }
    story.keys(keys)
    story.keys("ggG")
    return marks(story).filter { !$0.contains("←") }
  }

  private static let names = (0..<300).map { number in
    "\(["Apple", "berry", "Cherry"][number / 100]) \(100 + number % 100).jpg"
  }

  @Test func `without sections it says letters and names, and never a part of a number`() {
    #expect(
      texts(Self.names, [], keys: ",n") == [
        "1  A ", "3  apple 142 ", "6  B ", "8  berry 150 ", "11  C ", "13  cherry 157 ",
      ])
    let camera = (0..<300).map { "IMG_\(1000 + $0).JPG" }
    #expect(texts(camera, [], keys: ",N").prefix(3) == ["1  I ", "3  img_1257 ", "5  img_1214 "])
    let long = (0..<300).map { "\(["A", "B"][$0 / 150]) photo of 2024-06-\(1000 + $0).jpg" }
    #expect(texts(long, [], keys: ",n") == ["1  A ", "8  B "], "no part of a number")
  }

  @Test func `by size it says sizes, by date dates, by rating stars, and in no order numbers`() {
    let infos = (0..<300).map { number in
      var info = PhotoInfo.made(
        4, 3, taken: "20\(10 + number / 100)-0\(1 + number % 100 / 12)-05T10:00:00")
      info.stamp.byteCount = Int64(number + 1) * 100_000
      return info
    }
    #expect(texts(Self.names, infos, keys: ",s").prefix(2) == ["1  100 kB ", "3  4.3 MB "])
    #expect(
      texts(Self.names, infos, keys: ",d").prefix(4) == [
        "1  2010 ", "3  Apr ", "6  2011 ", "8  May ",
      ])
    #expect(
      texts(Self.names, infos, keys: ",*", stars: (0..<300).map { 5 - $0 / 100 })
        == ["1  ★★★★★ ", "6  ★★★★ ", "11  ★★★ "])
    #expect(texts(Self.names, infos, keys: ",r").prefix(2) == ["1  1 ", "3  43 "])
  }

  @Test func `dragging it names the photo by which the order is`() throws {
    var story = Story(names: Self.names, facts: [], columns: 60, rows: 17)
    story.mouse(.pressed(.left), 599, 150)
    let bubble = try #require(story.scene.captions.last)
    // The middle of row 7 of 14 is that of the photos.
    #expect(bubble.isHeading && bubble.text == " berry 128.jpg ")
    #expect(story.scene.placements.map(\.photo.index).contains(128))
    #expect(story.browser.grid.scrubber.heldAt == 150)
    story.mouse(.dragged(.left), 599, 5000)
    #expect(
      story.browser.grid.scroll.target
        == story.browser.grid.scrollLimit(in: story.browser.viewport))
  }

  @Test func `photos in subfolders are found by the names of these`() {
    var story = Story(photos: 0, columns: 60, rows: 17)
    story.browser.gallery.collection.show(folder: Array("/lib/".utf8))
    for (number, folder) in ["/lib/", "/lib/Rome trip/", "/lib/Summer in Copenhagen/"].enumerated()
    {
      let photos = (number * 100..<number * 100 + 100).map { Photo.ID($0) }
      story.send(
        .named(
          NameBatch(
            first: photos[0], folder: Array(folder.utf8),
            names: nameBlock(photos.map { "DSC\($0.index).jpg" }))))
      story.send(.found(photos))
    }
    story.send(.listed(ListingNotes()))
    story.keys("G")
    let texts = marks(story)
    #expect(texts.first == "1  D " && texts.contains("6  Rome trip "))
    #expect(texts.contains("11  Summe…nhagen "), "\(texts)")
  }

  @Test(arguments: seeds(1...20))
  func `with random sections, rows and items map to each other`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var sections = Sections()
    for year in 0..<Int.random(in: 1...40, using: &random) {
      sections.append(
        repeatElement(
          .date(CalendarDate(year: 2000 + year, month: 3)),
          count: Int.random(in: 1...500, using: &random)))
    }
    let rows = Int.random(in: 3...80, using: &random)
    let scale = try #require(ScrubberScale(itemCount: sections.itemCount, rowCount: rows))
    #expect(scale.item(at: 0) == 0 && scale.item(at: 1) == sections.itemCount - 1)
    for row in 1..<rows {
      let item = scale.item(atRow: row)
      #expect((0..<sections.itemCount).contains(item))
      #expect(scale.item(at: scale.share(atRow: Double(row))) == item)
      if sections.itemCount > rows { #expect(abs(scale.row(ofItem: item) - row) <= 1) }
    }
    let marks = scale.texts { item in
      guard case .date(let date) = sections[sections.section(ofItem: item)].key else {
        return ScrubberScale.Mark()
      }
      return ScrubberScale.Mark(main: "\(date.year)", minor: "March")
    }
    #expect(marks.first?.row == 1 && marks.allSatisfy { (1..<rows).contains($0.row) })
    #expect(Set(marks.map(\.row)).count == marks.count)
    #expect(ScrubberScale(itemCount: 0, rowCount: 30) == nil)
    #expect(ScrubberScale(itemCount: 9, rowCount: 2) == nil)
  }
}
