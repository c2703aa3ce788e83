import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// Editing titles and captions by the prompt.
@Suite struct TextStoryTests {
  /// A story of photos whose captions are known.
  private static func story(_ captions: String...) -> CullingStory {
    var story = CullingStory(photos: captions.count + 1)
    for (number, caption) in captions.enumerated() {
      var info = PhotoInfo.made(4, 3)
      info.metadata = PhotoMetadata()
      info.metadata?.words = PhotoWords(title: "A", caption: caption, keywords: ["k"])
      story.story.send(.filesRead([Photo.ID(number)], InfoBlock([info])))
    }
    return story
  }

  private static func caption(_ story: CullingStory, _ photo: Int) -> String {
    story.browser.album.text(.caption, of: Photo.ID(photo))
  }

  private static func edit(
    _ before: String, _ after: String, _ field: TextEdit.Field = .caption
  ) throws -> AnnotationEdit {
    .text(try #require(TextEdit(field, from: before, to: after)))
  }

  @Test func `a caption is edited, undone and done again, and its lines stay`() throws {
    var story = Self.story("Old harbor\nat night")
    story.keys("gC")
    let prompt = try #require(story.browser.prompt)
    #expect(prompt.label == "caption: " && prompt.line.text == "Old harbor ↵ at night")
    story.keys(", ↵ Genoa")
    story.press(.enter)
    let new = "Old harbor\nat night,\nGenoa"
    #expect(Self.caption(story, 0) == new)
    #expect(story.bar.left == "caption changed")
    #expect(story.open == [AnnotationTask(Photo.ID(0), try Self.edit("Old harbor\nat night", new))])
    let words = story.browser.album.words(of: Photo.ID(0))
    #expect(words?.title == "A" && words?.keywords == ["k"])
    story.write()
    story.keys("u")
    #expect(Self.caption(story, 0) == "Old harbor\nat night")
    #expect(story.bar.left == "Caption undone" && story.open.map(\.isUndo) == [true])
    story.write()
    story.press(.control("y"))
    #expect(Self.caption(story, 0) == new)
  }

  @Test func `a title is edited, and an empty line removes it`() throws {
    var story = Self.story("c")
    story.keys("gT!")
    story.press(.enter)
    #expect(story.browser.album.words(of: Photo.ID(0))?.title == "A!")
    story.write()
    story.keys("gT")
    story.press(.control("u"))
    story.press(.enter)
    #expect(story.open == [AnnotationTask(Photo.ID(0), try Self.edit("A!", "", .title))])
    #expect(story.bar.left == "title removed" && Self.caption(story, 0) == "c")
  }

  @Test func `marked photos get one caption, with a number for each`() throws {
    var story = Self.story("same {x}", "same {x}")
    story.keys("mlmgC")
    #expect(story.browser.prompt?.label == "caption for 2 photos: ")
    // Braces are those of fields.
    #expect(story.browser.prompt?.line.text == "same {{x}}")
    story.press(.control("u"))
    story.keys("Rome {n:2")
    #expect(story.browser.prompt?.validationError == "a } is missing")
    story.press(.enter)
    #expect(story.open.isEmpty)
    story.keys("} 1/2")
    story.press(.enter)
    #expect(story.bar.left == "2 photos: caption changed")
    #expect(
      story.open.map(\.edit) == [
        try Self.edit("same {x}", "Rome 01 1/2"), try Self.edit("same {x}", "Rome 02 1/2"),
      ])
    story.write()
    story.keys("u")
    #expect([0, 1].map { Self.caption(story, $0) } == ["same {x}", "same {x}"])
    #expect(story.bar.left == "2 captions undone")
  }

  @Test func `captions that differ are kept by an empty line, and removed by a space`() throws {
    var story = Self.story("one", "two")
    story.keys("mlmgC")
    let prompt = try #require(story.browser.prompt)
    #expect(prompt.line.text == "")
    #expect(prompt.note == "their captions differ; Enter keeps them, a space removes them")
    story.press(.enter)
    #expect(story.open.isEmpty && story.browser.prompt == nil)
    story.keys("gC ")
    story.press(.enter)
    #expect(story.open.map(\.edit) == [try Self.edit("one", ""), try Self.edit("two", "")])
  }

  @Test func `a field that a photo lacks, and a text that is too long, are not accepted`() {
    var story = Self.story("one", "two")
    story.keys("mlmgT")
    story.press(.control("u"))
    story.keys("{camera}")
    #expect(story.browser.prompt?.validationError?.hasSuffix("has no camera") == true)
    story.press(.control("u"))
    story.keys(String(repeating: "x", count: 121))
    #expect(story.browser.prompt?.validationError == "longer than 120 characters")
    story.press(.enter)
    #expect(story.open.isEmpty)
  }

  @Test func `the prompt waits for a caption that was not read`() {
    var story = Self.story("one")
    story.keys("GgC")
    #expect(story.browser.missingFacts == [Photo.ID(1)])
    story.keys("x")
    #expect(story.browser.prompt?.validationError == "reading 0 of 1…")
    story.press(.enter)
    #expect(story.open.isEmpty)
    story.press(.backspace)
    var info = PhotoInfo.made(4, 3)
    info.metadata = PhotoMetadata()
    info.metadata?.words = PhotoWords(caption: "late")
    story.story.send(.filesRead([Photo.ID(1)], InfoBlock([info])))
    #expect(story.browser.prompt?.line.text == "late")
    #expect(story.browser.prompt?.validationError == nil)
    story.press(.enter)
    #expect(story.open.isEmpty && story.bar.left == "Nothing changed")
  }

  @Test func `a photo whose caption cannot be written is read again`() {
    var story = Self.story("one")
    story.broken = [0]
    story.keys("gC two")
    story.press(.enter)
    story.write()
    #expect(story.browser.statusBar.notice?.text.contains("kept its old caption") == true)
    #expect(story.browser.album.facts(of: Photo.ID(0))?.hasMetadata == false)
  }
}
