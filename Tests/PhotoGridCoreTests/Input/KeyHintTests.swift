import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

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
      #expect(story.bar.left == "\(keys.suffix(2)) does nothing here. ? shows the keys.")
      story.wait(1.1)
      #expect(story.bar.left == "photo 0", "briefly")
    }
  }

  @Test(arguments: [
    ("", "w", "w: Fit to width, in an open photo; Enter opens one"),
    ("\r", "t", "t: Show names under the tiles, in the grid; Esc goes there"),
    ("=", "gd", "gd: Group by day, in the grid; Esc goes there"),
  ])
  func `a key of another view says where it works`(way: String, keys: String, words: String) {
    var story = Story(names: Self.names)
    for key in way { story.press(key == "\r" ? .enter : .character(key)) }
    story.wait(1)
    story.keys(keys)
    #expect(story.effects.isEmpty && story.bar.left == words)
  }

  @Test func `in an open photo Ctrl-c ends the program whatever was typed before it`() {
    var story = Story(names: Self.names)
    story.press(.enter)
    story.keys("g")
    story.press(.control("c"))
    #expect(story.effects == [.interrupt])
  }

  @Test func `a sequence that begins in a slideshow ends it and does nothing else`() {
    var story = Story(names: Self.names)
    story.keys("syd")
    #expect(story.browser.slideshow == nil && story.effects.isEmpty)
  }

  @Test func `a moment after the comma a panel lists the keys that may follow`() {
    for isInDetail in [false, true] {
      var story = Story(names: Self.names)
      if isInDetail { story.press(.enter) }
      story.wait(1)
      story.keys(",")
      #expect(story.browser.nextChange == story.now.advanced(bySeconds: 0.4))
      story.wait(0.35)
      #expect(story.browser.keyHints(at: story.now) == nil)
      story.wait(0.1)
      #expect(
        story.browser.keyHints(at: story.now)?.panel.lines == [
          ",n  Sort by name", ",d  Sort by date taken", ",m  Sort by date modified",
          ",s  Sort by file size", ",l  Sort videos by length", ",*  Sort by rating",
          ",r  Shuffle", ",N  Capitals reverse the order",
        ])
      story.keys("N")
      #expect(story.browser.keyHints(at: story.now) == nil && story.shown.first == 11)
    }
  }

  @Test func `the panel after g shows gg, and Esc cancels the sequence`() throws {
    var story = Story(names: Self.names)
    story.keys("Gg")
    story.wait(1)
    let panel = try #require(story.browser.keyHints(at: story.now)?.panel)
    #expect(panel.title == "g…" && panel.lines.contains("gg  Go to the first photo"))
    #expect(panel.lines.contains("gm  Group by month"))
    story.press(.escape)
    #expect(story.bar.left == "photo 11" && story.browser.nextChange == nil)
    story.keys("d")
    #expect(story.effects == [.file([.trash([Photo.ID(11)])])])
  }

  @Test func `the panel has the keys of the configuration, in columns if it is low`() throws {
    var story = Story(names: Self.names, columns: 100, rows: 9)
    try story.browser.gallery.options.keys.bind("gx", to: .files(.trash))
    story.keys("g")
    story.wait(1)
    let panel = try #require(story.browser.keyHints(at: story.now)?.panel)
    let lines = panel.lines.joined()
    #expect(lines.contains("gk") && lines.contains("gx  Move to trash"))
  }

  @Test func `a click on a line does what its keys do, and one beside the panel cancels`() throws {
    var story = Story(names: Self.names, columns: 160, rows: 12)
    story.keys("g")
    story.wait(1)
    #expect(story.browser.keyHints(at: story.now)?.panel.lines.first?.contains("   g") == true)
    story.click(onPanel: "gm  Group by month")
    #expect(story.browser.collection.grouping == .month)
    #expect(story.browser.keyHints(at: story.now) == nil && story.browser.viewer == nil)

    let order = story.browser.album.order
    story.keys(",")
    story.wait(1)
    story.click(onPanel: "Capitals reverse")
    #expect(story.browser.keyHints(at: story.now) != nil, "a note")
    let corner = PixelPoint(x: 1595, y: 5)
    story.click(corner)
    #expect(story.browser.keyHints(at: story.now) == nil)
    #expect(story.browser.album.order == order && story.browser.viewer == nil)
    story.keys("d")
    #expect(story.effects == [.file([.trash([Photo.ID(0)])])], "nothing is pending")
  }

  @Test func `the panel goes when a click opens a photo, where the keys begin no sequence`() {
    var story = Story(names: Self.names)
    story.keys("z")
    // Before the panel is shown.
    story.click(story.tile(2).center)
    story.wait(1)
    #expect(story.browser.viewer != nil && story.browser.keyHints(at: story.now) == nil)
  }

  @Test(arguments: KeyMap.View.allCases)
  func `in every view and room a panel has the keys that follow, or there is none`(
    view: KeyMap.View
  ) {
    for prefix in ["g", "z", ",", ";", "y", "q", ""] {
      for (columns, rows) in [(1, 1), (20, 5), (80, 24), (300, 2)] {
        let hints = KeyHints(
          after: prefix, in: view, of: .standard, room: CellSize(columns: columns, rows: rows))
        #expect(hints?.panel.lines.isEmpty != true)
      }
    }
  }

  @Test func `no panel appears if hints are off`() {
    var story = Story(names: Self.names)
    story.browser.gallery.options.showsHints = false
    story.keys("g")
    story.wait(2)
    #expect(story.browser.keyHints(at: story.now) == nil)
    story.keys("g")
    #expect(story.current == 0)
  }
}
