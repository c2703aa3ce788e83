@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import Testing

/// A session with `--choose`, which is there to choose photos for another program.
struct ChoiceTests {
  private static func story() -> Story {
    var story = Story(photos: 5)
    story.browser.gallery.options.keys.bindChooseKey()
    return story
  }

  @Test func `the bar says all the time how to choose and to cancel, and names the photo`() {
    var story = Self.story()
    let words = "Enter chooses · Space marks several · q cancels · photo "
    #expect(story.bar.left == words + "0")
    story.keys(" ")
    #expect(story.bar.left == words + "1" && story.bar.right.contains("1 marked"))
    story.keys("e")
    story.wait(1)
    #expect(story.bar.left == "Enter chooses · m marks several · q cancels · photo 1")
    story.keys("i+")
    #expect(story.bar.left.hasPrefix("Enter chooses"))
    story.send(.key(.enter))
    #expect(story.effects == [.choose([Photo.ID(0)])])
  }

  @Test func `a message comes before it, and a first session says nothing else`() {
    var story = Self.story()
    story.keys("gx")
    #expect(story.bar.left == "gx does nothing here. ? shows the keys.")
    story.wait(2)
    var facts = story.facts
    facts.hint = "? lists all keys"
    #expect(story.browser.bar(facts, at: story.now).left.hasPrefix("Enter chooses"))
  }
}
