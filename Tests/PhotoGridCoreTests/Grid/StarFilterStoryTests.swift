import TestSupport
import Testing

@testable import PhotoGridCore
@testable import Photos

/// Filters by stars with `;;`, and the reason why nothing is shown.
@Suite(.traced) struct StarFilterStoryTests {
  private static func story(_ camera: String? = nil) -> Story {
    let infos = (0..<4).map { _ -> PhotoInfo? in
      var info = PhotoInfo.made(4, 3)
      info.metadata = PhotoMetadata()
      info.metadata?.camera = camera
      return info
    }
    var story = Story(names: ["cat 1.jpg", "cat 2.jpg", "dog 3.jpg", "dog 4.jpg"], facts: infos)
    story.send(
      .ratingsUpdated(
        [0, 3, 3, 5].enumerated().map { RatingUpdate(Photo.ID($0), Rating(stars: $1)) }))
    return story
  }

  @Test func `two semicolons and a digit show photos of that many stars or more, and again all`() {
    var story = Self.story()
    story.keys(";;")
    #expect(story.bar.left.contains("1 to 5 stars or more"))
    story.keys("3")
    #expect(story.shown == [1, 2, 3] && story.bar.left.hasPrefix("Only 'rating:3+'"))
    story.keys(";;*")
    #expect(story.shown == [1, 2, 3])
    story.keys(";;0")
    #expect(story.shown == [0])
    story.keys(";;0")
    #expect(story.shown == [0, 1, 2, 3] && story.browser.album.filter == nil)
    story.keys(";;l")
    #expect(story.current == 1, "another key does what it does")
  }

  @Test func `stars narrow the filter that is there, and leave it`() {
    var story = Self.story()
    story.keys("fcat or dog")
    story.press(.enter)
    story.keys(";;3")
    #expect(story.shown == [1, 2, 3])
    story.keys(";;5")
    #expect(story.shown == [3])
    story.keys(";;5")
    #expect(story.shown == [0, 1, 2, 3])
    #expect(story.browser.album.filter?.text == "(cat or dog)")
  }

  @Test func `without a result the box says which part excludes all`() {
    var story = Self.story("Panasonic")
    story.keys("fcat iso:>800")
    #expect(story.browser.panel?.lines.contains("No photo matches 'iso:>800'.") == true)
    story.press(.control("u"))
    story.keys("cat 3")
    #expect(
      story.browser.panel?.lines.contains(
        "Each term matches some photos, but no photo matches all of them.") == true)
    story.press(.control("u"))
    story.keys("cat camera:panasnic")
    #expect(story.browser.panel?.lines.contains("No photo matches 'camera:\"panasnic\"'.") == true)
    story.press(.escape)
    #expect(story.browser.panel == nil)
  }
}
