import TestSupport
import Testing

@testable import PhotoGridCore

/// Key sequences that are unfinished or unknown.
@Suite(.traced) struct KeyHintTests {
  init() { UTF8Locale.use() }

  private static let names = (0..<12).map { "photo \($0).jpg" }

  @Test(arguments: ["yd", "gx", ",x", "yq", "5gx"])
  func `an unknown sequence does nothing, and the bar says so for a second`(keys: String) {
    for isInDetail in [false, true] {
      var story = Story(names: Self.names)
      if isInDetail { story.press(.enter) }
      story.wait(1)
      story.keys(keys)
      #expect(story.effects.isEmpty && story.browser.keyboard.reader.count == nil)
      #expect(story.bar.left == "\(keys.suffix(2)) does nothing here; ? shows the keys")
      story.wait(1.1)
      #expect(story.bar.left == "photo 0", "briefly")
    }
  }

  @Test func `Ctrl-c ends the program whatever was typed before it`() {
    var story = Story(names: Self.names)
    story.keys("g")
    story.press(.control("c"))
    #expect(story.effects == [.interrupt])
  }

  @Test func `a sequence that begins in a slideshow ends it and does nothing else`() {
    var story = Story(names: Self.names)
    story.keys("syd")
    #expect(story.browser.slideshow == nil && story.effects.isEmpty)
  }

  @Test func `half a second after the comma the bar lists the keys that may follow`() {
    for isInDetail in [false, true] {
      var story = Story(names: Self.names)
      if isInDetail { story.press(.enter) }
      story.wait(1)
      story.keys(",")
      #expect(story.browser.nextChange == story.now.advanced(bySeconds: 0.5))
      story.wait(0.45)
      #expect(story.bar.left == "photo 0")
      story.wait(0.1)
      #expect(
        story.bar.left
          == ",  n name · d date taken · m modified · s size · a similar first · * rating · r random · capitals reverse"
      )
      story.keys("N")
      #expect(story.bar.left == "sort: name, reversed" && story.shown.first == 11)
      #expect(story.browser.nextChange != nil, "the notice ends")
    }
  }

  @Test func `half a second after g the bar shows gg, and Esc cancels the sequence`() {
    var story = Story(names: Self.names)
    story.keys("Gg")
    story.wait(1)
    #expect(
      story.bar.left == "g  d by day · m by month · y by year · f by folder · * by rating"
        + " · n no sections · s mark section · t go to date · g first")
    story.press(.escape)
    #expect(story.bar.left == "photo 11" && story.browser.nextChange == nil)
    story.keys("d")
    #expect(story.effects == [.file([.trash([Photo.ID(11)])])])
  }

  @Test func `j and k scroll the help, and the mouse does not reach the grid beneath it`() {
    var story = Story(names: Self.names, columns: 80, rows: 24)
    story.keys("?")
    let first = story.browser.panel
    #expect(first?.title == "photogrid 1/2: ? or j for more keys")
    story.keys("j")
    #expect(story.browser.panel?.title == "photogrid 2/2: k back")
    story.keys("jk")
    #expect(story.browser.panel == first)

    let point = story.tile(1).center
    let before = (story.browser.grid.scroll, story.browser.selection)
    story.mouse(.wheel(.down), point.x, point.y)
    story.mouse(.wheel(.up), point.x, point.y, .control)
    story.mouse(.pressed(.right), point.x, point.y)
    story.mouse(.dragged(.right), point.x + 200, point.y)
    story.mouse(.released(.right), point.x + 200, point.y)
    #expect(story.marked.isEmpty && before == (story.browser.grid.scroll, story.browser.selection))
    #expect(story.browser.panel == first && story.browser.grid.style.enlargement == 0)
    story.click(point)
    #expect(story.browser.helpPage == nil && story.browser.viewer == nil)
  }
}
