import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

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
      world.labels.prefix(3) == ["January 2020 · 7", "February 2020 · 3", "March 2020 · 40"])
    world.zoom("zo")
    #expect(world.selected == "2020" && world.labels == ["2020 · 68 photos", "2021 · 12 photos"])
    #expect(world.story.bar.right.hasPrefix("year 1/2 · 68 photos"))
    world.story.keys("zo")
    #expect(world.story.bar.left == "Cannot zoom out further")
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

  @Test func `a click on the label of a month goes into it`() {
    var world = PeriodStory(Array(repeating: 40, count: 20))
    world.zoom("zo")
    let index = world.labels.firstIndex { $0.hasPrefix("May 2020") }
    guard let index else {
      Issue.record("no label: \(world.labels)")
      return
    }
    world.story.click(world.story.scene.labels[index].frame.center)
    world.story.wait(1)
    #expect(world.periods == nil && world.story.current == 160)
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
    world.story.browser.gallery.changeLayout(at: world.story.now) {
      $0.restyle(in: $1) { $0.kind = kind }
    }
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
      #expect(world.story.bar.left.hasPrefix("This works only on photos"), "\(keys)")
      #expect(world.story.browser.prompt == nil && world.story.effects.isEmpty)
    }
    world.story.keys("gt2020-02")
    world.story.press(.enter)
    #expect(world.selected == "February 2020")
    world.story.keys("?")
    #expect(world.story.browser.help == Help())
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

  @Test func `without photos there are no months`() {
    var world = PeriodStory([])
    world.zoom("zo")
    #expect(world.periods == nil && world.story.bar.left.hasPrefix("No photos to group"))
  }

  @Test func `a folder can be left for another while months are shown`() {
    var folder = FolderStory()
    folder.keys("zo")
    #expect(folder.browser.periods != nil && folder.browser.currentFolder == nil)
    folder.press(.backspace)
    #expect(folder.place == "r/", "further out are years")
    folder.story.send(
      .moved(FolderMove(from: Array("r/".utf8), to: Array("".utf8), .outOf(nil), photos: [])))
    #expect(folder.browser.periods == nil)
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
    #expect(demands.count == 10 && demands.allSatisfy { $0.proximity == .visible })
    #expect(demands.first?.photo == Photo.ID(0), "that of the selected month first")
    for demand in demands {
      let placement = try #require(world.story.scene.placements.last { $0.photo == demand.photo })
      #expect(demand.size.width >= placement.frame.width)
      #expect(world.story.browser.distanceFromViewport(demand.photo) == 0)
    }
  }
}
