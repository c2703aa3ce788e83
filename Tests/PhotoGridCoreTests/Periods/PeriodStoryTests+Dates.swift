@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import TestSupport
import Testing

/// Dates that arrive late, and strange ones.
extension PeriodStoryTests {
  // MARK: - Dates that arrive

  @Test func `months appear as dates become known, and the selected one stays`() throws {
    var world = PeriodStory([1] + Array(repeating: 3, count: 19), isRead: false)
    #expect(world.story.browser.collection.missingFacts.isEmpty, "nobody asked for dates")
    world.zoom("zo")
    #expect(world.labels == ["Not read yet · 58"])
    #expect(world.story.browser.collection.missingFacts.count == 58)
    #expect(world.story.bar.right.contains("0 of 58 read"))
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
    world.story.browser.gallery.collection.listingNotes = nil
    world.zoom("zo")
    world.story.send(.found((5..<20).map { Photo.ID($0) }))
    world.story.send(.found((20..<30).map { Photo.ID($0) }))
    #expect(world.periods?.items.count == 1 && world.story.browser.nextChange != nil)
    world.story.wait(0.4)
    #expect(world.periods?.items.count == 2)
    world.story.wait(1)
    #expect(world.labels.last == "Not read yet · 25")
  }

  @Test(arguments: [
    ("zo", "2020-04", "January 2020"), ("zo", "2022-07", "January 2024"),
    ("zo", "2019", "January 2020"), ("zo", "2030", "January 2024"), ("zo", "2024", "January 2024"),
    ("zozo", "2021-12", "2020"), ("zozo", "2022-06-30", "2020"), ("zozo", "2022", "2024"),
    ("zozo", "2023", "2024"), ("zozo", "2020-12", "2020"),
  ])
  func `gt selects the month or year that is fewer days away`(
    keys: String, typed: String, name: String
  ) {
    // Photos of January 2020 and of January 2024.
    var world = PeriodStory([2] + Array(repeating: 0, count: 47) + [2])
    world.zoom("zo")
    if keys == "zozo" { world.zoom("zo") }
    world.story.keys("gt" + typed)
    world.press(.enter)
    #expect(world.selected == name)
  }

  // MARK: - Bad input

  @Test func `strange dates have their tiles, and a hundred thousand photos of a day one`() throws {
    var world = PeriodStory([], undated: 0)
    let count = 100_000
    world.story.send(.found((0..<count).map { Photo.ID($0) }))
    let taken = ["1000-01-01T00:00:00", "9999-12-31T23:59:60", nil, "2030-06-01T00:00:00"]
    world.story.send(
      .filesRead(
        (0..<count).map { photo in
          let date = photo < taken.count ? taken[photo] : "2020-02-29T12:00:00"
          return (Photo.ID(photo), PhotoInfo.made(4, 3, taken: date))
        }))
    world.zoom("zo")
    #expect(world.labels.count == 5)
    #expect(world.labels.first == "January 1000 · 1", "all as short as the longest has to be")
    #expect(world.labels.last == "No date · 1")
    #expect(world.periods?.period(at: 1)?.count == 99_996)
    world.zoom("zo")
    #expect(
      world.labels.map { $0.split(separator: " ")[0] } == ["1000", "2020", "2030", "9999", "No"])
    for _ in 0..<2 { world.press(.enter) }
    #expect(world.periods == nil)
  }

  @Test func `a date that cannot be is none`() {
    for taken in ["0000-00-00T00:00:00", "2020-13-01T00:00:00", "nonsense", ""] {
      #expect(TakenTime(iso8601: taken) == nil)
    }
  }
}
