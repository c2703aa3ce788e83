import TestSupport
import Testing

@testable import PhotoGridCore
@testable import Photos

/// Sections by rating.
@Suite struct RatingSectionTests {
  private func story(_ stars: [Int?], keys: String = "g*") -> Story {
    var story = Story(photos: stars.count, motion: .none)
    story.keys(keys)
    story.send(
      .ratingsUpdated(
        stars.enumerated().compactMap { photo, stars in
          stars.map { RatingUpdate(Photo.ID(photo), Rating(stars: $0)) }
        }))
    story.wait(10)
    return story
  }

  private func titles(_ story: Story) -> [String] {
    let collection = story.browser.collection
    return (0..<collection.sections.count).map {
      collection.heading(ofSection: $0, .english)
    }
  }

  @Test func `photos are in sections by their stars, the most first and rejected ones last`() {
    let story = story([0, 3, 5, -1, 3, 0, 1])
    #expect(story.shown == [2, 1, 4, 6, 0, 5, 3])
    #expect(
      titles(story) == [
        "★★★★★ 5 stars · 1 photo", "★★★ 3 stars · 2 photos", "★ 1 star · 1 photo",
        "Not rated · 2 photos", "✕ Rejected · 1 photo",
      ])
    #expect(story.bar.right.contains("by rating"))
  }

  @Test func `the order is reversed by rating too`() {
    let story = story([0, 3, 5, -1], keys: ",-g*")
    #expect(story.shown == [3, 0, 1, 2])
    #expect(titles(story).map { $0.prefix(1) } == ["✕", "N", "★", "★"])
  }

  @Test func `photos that are not read yet are at the end`() {
    let story = story([nil, 2, nil, 4])
    #expect(story.shown == [3, 1, 0, 2])
    #expect(titles(story).last == "Not read yet · 2 photos")
    #expect(story.browser.collection.missingRatings.map(\.index) == [0, 2])
  }

  @Test func `a photo that is rated goes into its section, and back with u`() {
    var story = story([0, 0, 3])
    story.keys("G;5")
    story.wait(1)
    #expect(story.current == 1 && story.shown == [1, 2, 0])
    #expect(titles(story).count == 3)
    story.keys("gg;2")
    story.wait(1)
    #expect(story.shown == [2, 1, 0])
    story.keys("gn")
    #expect(story.shown == [0, 1, 2] && titles(story).isEmpty)
  }

  @Test func `sections are gone to, and marked`() {
    var story = story([0, 3, 5, -1, 3])
    story.keys("gg}")
    #expect(story.current == 1)
    story.keys("gs")
    #expect(story.marked == [1, 4])
  }
}
