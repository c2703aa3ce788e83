import Geometry
import SceneModel
import Testing

@testable import PhotoGridCore
@testable import Photos

/// The screen in words, as somebody who hears it follows it.
@Suite struct NarrationTests {
  /// A story, and what was said of it.
  private struct Listener {
    var story: Story
    private var last: Narration?

    init(_ story: Story) { self.story = story }

    /// The lines that are new, divided by slashes; what is typed has none after it.
    mutating func hear(followsKey: Bool = false) -> String {
      var facts = story.facts
      facts.name = story.current.map { "photo \($0).jpg" } ?? ""
      let narration = story.browser.narration(facts, panel: nil, at: story.now)
      defer { last = narration }
      let text = narration.text(after: last, followsKey: followsKey)
      return text.replacing("\r\n", with: "/").replacing("\u{8} \u{8}", with: "<")
    }

    mutating func press(_ key: Key) -> String {
      story.send(.key(key))
      return hear(followsKey: true)
    }

    /// What is said after each character of a text.
    mutating func type(_ text: String) -> String {
      text.map { press(.character($0)) }.joined()
    }
  }

  private static func listener() -> Listener {
    var listener = Listener(Story(names: (0..<9).map { "photo \($0).jpg" }))
    _ = listener.hear()
    return listener
  }

  @Test func `the first photo is named, and each move names another one`() {
    var listener = Listener(Story(names: (0..<9).map { "photo \($0).jpg" }))
    #expect(listener.hear() == "1 of 9, photo 0.jpg/")
    #expect(listener.hear() == "", "once")
    #expect(listener.press(.right) == "2 of 9, photo 1.jpg/")
    #expect(listener.press(.end) == "9 of 9, photo 8.jpg/")
    #expect(listener.press(.end) == "", "nothing changes")
  }

  @Test func `marks, ratings and opening are told with the photo or by their message`() {
    var listener = Self.listener()
    #expect(listener.press(.character("m")) == "1 marked/1 of 9, photo 0.jpg, marked/")
    #expect(listener.type(";4").hasSuffix("4 stars/"))
    #expect(listener.press(.right) == "2 of 9, photo 1.jpg/")
    #expect(listener.press(.enter) == "2 of 9, photo 1.jpg, open/")
    _ = listener.press(.escape)
    listener.story.wait(1)
    #expect(listener.hear(followsKey: true) == "2 of 9, photo 1.jpg/")
  }

  @Test func `a prompt says what can be typed, then each letter, then what was found`() {
    var listener = Self.listener()
    #expect(listener.press(.character("f")) == "Tab lists terms, 9 photos/filter: ")
    #expect(listener.type("photo") == "photo")
    #expect(listener.press(.backspace) == "<")
    #expect(listener.type("o 7") == "o 7")
    #expect(listener.press(.enter) == "/1 of 1, photo 7.jpg/")
  }

  @Test func `a list says its selected line, and a question itself`() {
    var listener = Self.listener()
    #expect(listener.press(.character(":")).hasSuffix("/:"))
    let heard = listener.type("reverse")
    #expect(heard.contains("everse"), "\(heard)")
    #expect(listener.press(.escape) == "/1 of 9, photo 0.jpg/")
    _ = listener.type("  ")
    #expect(listener.press(.character("d")) == "Trash 2 marked photos? d, y, Enter: yes, Esc: no/")
    #expect(listener.press(.escape) == "Nothing was trashed/")
  }

  @Test func `only letters, digits and punctuation are said`() {
    var listener = Self.listener()
    var heard = ""
    for key in "?jj" { heard += listener.press(.character(key)) }
    heard += listener.press(.escape) + listener.type("zo") + listener.press(.escape)
    #expect(heard.count > 100)
    let others = heard.filter { !$0.isASCII && !$0.isLetter && !$0.isNumber && !$0.isPunctuation }
    #expect(others == "")
  }
}
