import TestSupport
import Testing

@testable import PhotoGridCore
@testable import Photos

@Suite(.traced) struct FindStoryTests {
  private static let names = ["cat 1", "dog 2", "cat 3", "cow 4", "Cat 5", "dog 6"]

  @Test func `a search selects matches while it is typed, and n and N wrap around`() {
    var story = Story(names: Self.names)
    story.keys("l/")
    #expect(story.entry == "/|")

    story.keys("c")
    #expect(story.entry == "/c|")
    #expect(story.current == 2 && story.bar.right == "2/4")
    story.keys("o")
    #expect(story.current == 3 && story.bar.right == "1/1")
    story.press(.backspace)
    #expect(story.current == 2, "from where it began, not from where it has come to")
    story.keys("at")
    #expect(story.current == 2 && story.bar.right == "2/3")

    story.press(.enter)
    #expect(story.entry == nil)
    #expect(story.bar.right.contains("match 2/3"))
    story.keys("n")
    #expect(story.current == 4)
    story.keys("n")
    #expect(story.current == 0, "around the end")
    story.keys("N")
    #expect(story.current == 4)
    story.keys("2N")
    #expect(story.current == 0)
    story.keys("l")
    #expect(story.bar.right.contains("match –/3"))
    story.keys("N")
    #expect(story.current == 0)
    story.keys("ln")
    #expect(story.current == 2)
    #expect(story.shown == [0, 1, 2, 3, 4, 5], "nothing is hidden")
  }

  @Test func `Esc restores the previous selection and the previous search`() {
    var story = Story(names: Self.names)
    story.keys("/dog")
    story.press(.enter)
    #expect(story.current == 1)

    story.keys("/cow")
    #expect(story.current == 3)
    story.press(.escape)
    #expect(story.current == 1 && story.entry == nil)
    #expect(story.bar.right.contains("match 1/2"))

    story.press(.escape)
    #expect(!story.bar.right.contains("match"))
    story.keys("n")
    #expect(story.current == 1)
    #expect(story.bar.left == "/ finds photos; then n and N go from match to match")
  }

  @Test func `a search without a match keeps the selection and says so`() {
    var story = Story(names: Self.names)
    story.keys("ll/ca")
    #expect(story.current == 2)
    story.keys("x")
    #expect(story.current == 2 && story.bar.right == "no match yet", "cameras may be called so")
    story.press(.enter)
    #expect(story.bar.left == "No match for 'cax'")
    story.keys("n")
    #expect(story.current == 2 && story.bar.left == "No match for 'cax'")

    story.press(.escape)
    story.keys("/name:cax")
    #expect(story.bar.right == "no match")
    story.press(.enter)
    #expect(story.bar.left == "No match for 'name:cax'")
    story.keys("h")
    #expect(story.bar.left == "photo 1" && !story.bar.right.contains("match"))
  }

  @Test func `the error of a search is shown while it is typed, and Enter does not accept it`() {
    var story = Story(names: Self.names)
    story.keys("/type:x")
    #expect(story.explanation.contains("unknown type 'x'"))
    story.press(.enter)
    #expect(story.entry == "/type:x|")
    story.press(.control("u"))
    story.keys("cow")
    #expect(story.current == 3 && story.bar.right == "1/1")
  }

  @Test func `matches follow sorting, filtering and new photos`() {
    var story = Story(names: Self.names)
    story.keys("/cat")
    story.press(.enter)
    story.keys(",N")
    #expect(story.shown == [5, 1, 3, 4, 2, 0])
    #expect(story.bar.right.contains("match 3/3"))

    story.send(.named(NameBatch(first: Photo.ID(6), folder: [], names: nameBlock(["a cat"]))))
    story.send(.found([Photo.ID(6)]))
    story.wait(1)
    #expect(story.shown == [5, 1, 3, 4, 2, 0, 6])
    #expect(story.bar.right.contains("match 3/4"))
    story.keys("f-name:1")
    #expect(story.bar.right == "6 of 7")
    story.press(.enter)
    #expect(story.bar.right.contains("match"))
    #expect(story.current == 6, "the next one that is still there")
    story.keys("n")
    #expect(story.current == 4)
  }

  @Test func `Up and Down recall earlier searches`() {
    var story = Story(names: Self.names)
    for text in ["dog", "cow", "dog"] {
      story.keys("/" + text)
      story.press(.enter)
    }
    story.keys("/")
    story.press(.up)
    #expect(story.entry == "/dog|")
    #expect(story.current == 5)
    story.press(.up)
    #expect(story.entry == "/cow|" && story.current == 3)
    story.press(.up)
    #expect(story.entry == "/cow|", "what was entered twice is there once")
    story.press(.down, .down)
    #expect(story.entry == "/|")
  }

  @Test func `a paste goes into the prompt, and does nothing without one`() {
    var story = Story(names: Self.names)
    story.send(.pasted("q"))
    #expect(story.effects.isEmpty && story.current == 0)
    story.keys("/")
    story.send(.pasted("cow\n"))
    #expect(story.entry == "/cow |")
    #expect(story.current == 3)
  }

  @Test func `in a prompt keys are text, except Ctrl-z, Ctrl-l and Ctrl-c`() {
    var story = Story(names: Self.names)
    story.keys("/")
    story.keys("qGj!")
    #expect(story.entry == "/qGj!|" && story.effects.isEmpty)
    story.press(.control("z"), .control("l"), .control("c"))
    #expect(story.effects == [.suspend, .redraw, .interrupt])
    #expect(story.entry == "/qGj!|")
    story.press(.control("u"), .backspace)
    #expect(story.entry == nil, "deleting what is not there leaves")
  }

  @Test func `a search reads the files whose facts it needs`() {
    var story = Story(names: Self.names)
    story.keys("/landscape")
    #expect(story.browser.collection.missingFacts.map(\.index) == [0, 1, 2, 3, 4, 5])
    #expect(story.bar.right == "no match yet")
    let news: [(photo: Photo.ID, info: PhotoInfo?)] = (0..<6).map { number in
      (Photo.ID(number), PhotoInfo.made(number < 3 ? 1 : 2, number < 3 ? 2 : 1))
    }
    story.send(.filesRead(news))
    story.wait(1)
    #expect(story.bar.right == "–/3")
    #expect(story.browser.collection.missingFacts.isEmpty)
    story.press(.enter)
    story.keys("n")
    #expect(story.current == 3)
  }
}
