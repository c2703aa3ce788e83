@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel
import TestSupport
import Testing

/// Editing keywords by the prompt.
@Suite struct KeywordStoryTests {
  /// A story of three photos, of which the first two have been read.
  private static func story() -> CullingStory {
    var story = CullingStory(photos: 3)
    for (number, keywords) in [["Rome", "summer"], ["rome", "draft"]].enumerated() {
      var info = PhotoInfo.made(4, 3)
      info.metadata = PhotoMetadata()
      info.metadata?.words = PhotoWords(title: "A", keywords: keywords)
      story.story.send(.filesRead([Photo.ID(number)], InfoBlock([info])))
    }
    return story
  }

  private static func keywords(_ story: CullingStory, _ photo: Int) -> [String] {
    story.browser.album.words(of: Photo.ID(photo))?.keywords ?? []
  }

  private static func edit(_ text: String) throws -> AnnotationEdit {
    .keywords(try #require(KeywordEdit(parsing: text)))
  }

  @Test func `keywords of a photo are edited, undone and done again`() throws {
    var story = Self.story()
    story.keys("gk")
    #expect(story.browser.prompt?.line.text == "Rome, summer, ")
    #expect(story.browser.prompt?.label == "keywords: ")
    story.keys("dra")
    story.press(.tab)
    #expect(story.browser.prompt?.line.text == "Rome, summer, draft, ")
    story.press(.enter)
    #expect(Self.keywords(story, 0) == ["Rome", "summer", "draft"])
    #expect(story.open == [AnnotationTask(Photo.ID(0), try Self.edit("+draft"))])
    #expect(story.browser.album.words(of: Photo.ID(0))?.title == "A")
    story.write()
    story.keys("u")
    #expect(Self.keywords(story, 0) == ["Rome", "summer"])
    #expect(story.open == [AnnotationTask(Photo.ID(0), try Self.edit("-draft"), isUndo: true)])
    story.write()
    story.press(.control("y"))
    #expect(Self.keywords(story, 0) == ["Rome", "summer", "draft"])
  }

  @Test func `of many keywords the first are shown, and the prompt says so`() throws {
    var story = Self.story()
    var info = PhotoInfo.made(4, 3)
    info.metadata = PhotoMetadata()
    info.metadata?.words = PhotoWords(keywords: (0..<2500).map { "keyword \($0)" })
    story.story.send(.filesRead([Photo.ID(2)], InfoBlock([info])))
    story.keys("llgk")
    let prompt = try #require(story.browser.prompt)
    #expect(prompt.line.text.hasPrefix("keyword 0, keyword 1, "))
    #expect(prompt.note == "Only the first 100 keywords are shown; all others are kept")
    story.keys("Rome")
    story.press(.enter)
    #expect(story.open == [AnnotationTask(Photo.ID(2), try Self.edit("+Rome"))])
    // They are as many as before, of which not all are known.
    #expect(story.browser.album.words(of: Photo.ID(2))?.isCut == true)
    let words = try #require(PhotoWords(title: "A", keywords: ["a"], isCut: true))
    #expect(PhotoWords(record: words.record) == words)
  }

  @Test func `letters that are written in another way are no other keyword`() throws {
    var story = Self.story()
    var info = PhotoInfo.made(4, 3)
    info.metadata = PhotoMetadata()
    info.metadata?.words = PhotoWords(keywords: ["Zu\u{308}rich"])
    story.story.send(.filesRead([Photo.ID(2)], InfoBlock([info])))
    story.keys("llgk")
    story.press(.control("u"))
    story.keys("Z\u{fc}rich")
    story.press(.enter)
    #expect(story.open.isEmpty)
  }

  @Test func `marked photos share a line, and change only where they must`() throws {
    var story = Self.story()
    story.keys("mlmgk")
    #expect(story.browser.prompt?.line.text == "Rome, ")
    #expect(story.browser.prompt?.label == "keywords for 2 photos: ")
    story.press(.control("u"))
    story.keys("draft, new")
    story.press(.enter)
    #expect(Self.keywords(story, 0) == ["summer", "draft", "new"])
    #expect(Self.keywords(story, 1) == ["draft", "new"])
    #expect(
      story.open.map(\.edit) == [
        try Self.edit("+draft, +new, -Rome"), try Self.edit("+new, -Rome"),
      ])
  }

  @Test func `people without a face are edited beside the keywords, and faces stay`() throws {
    var story = Self.story()
    var info = PhotoInfo.made(4, 3)
    info.metadata = PhotoMetadata()
    info.metadata?.words = PhotoWords(keywords: ["sea"], faces: ["Anna"], named: ["Ben"])
    story.story.send(.filesRead([Photo.ID(2)], InfoBlock([info])))
    story.keys("llgk")
    #expect(story.browser.prompt?.line.text == "sea, person:Ben, ")
    story.keys("person:an")
    story.press(.tab)
    #expect(story.browser.prompt?.line.text == "sea, person:Ben, person:Anna, ")
    story.press(.control("u"))
    story.keys("Person: Zoë, sun")
    story.press(.enter)
    let edit = try #require(story.open.first?.edit)
    #expect(edit == (try Self.edit("+Person: Zoë, +sun, -sea, -person:Ben")))
    let words = story.browser.album.words(of: Photo.ID(2))
    #expect(words?.keywords == ["sun"] && words?.people == ["Anna", "Zoë"])
    story.write()
    story.keys("u")
    #expect(story.browser.album.words(of: Photo.ID(2))?.people == ["Anna", "Ben"])
  }

  @Test func `the prompt waits for keywords that were not read, unless something was typed`() {
    var story = Self.story()
    story.keys("Ggk")
    #expect(story.browser.prompt?.line.text == "")
    #expect(story.browser.missingFacts == [Photo.ID(2)])
    var info = PhotoInfo.made(4, 3)
    info.metadata = PhotoMetadata()
    info.metadata?.words = PhotoWords(keywords: ["late"])
    story.story.send(.filesRead([Photo.ID(2)], InfoBlock([info])))
    #expect(story.browser.prompt?.line.text == "late, ")
    story.press(.enter)
    #expect(story.open.isEmpty && Self.keywords(story, 2) == ["late"])
  }

  @Test func `a photo whose sidecar cannot be written is read again`() {
    var story = Self.story()
    story.broken = [0]
    story.keys("gknew")
    story.press(.enter)
    story.write()
    #expect(story.browser.statusBar.notice?.text.contains("kept its old keywords") == true)
    #expect(story.browser.album.facts(of: Photo.ID(0))?.hasMetadata == false)
  }

  @Test(arguments: [
    ("+rome,-draft, summer trip", "+rome, +summer trip, -draft"), ("rome, ROME", "+rome"),
    ("-a, +a", "+a"), (", ,", nil), ("-", nil), ("", nil),
  ])
  func `lists of keywords are parsed`(text: String, edit: String?) {
    #expect(KeywordEdit(parsing: text)?.text == edit)
  }
}
