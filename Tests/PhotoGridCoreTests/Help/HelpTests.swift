import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import SceneModel

/// The help: all keys, as they are bound, by task.
@Suite(.traced) struct HelpTests {
  init() { UTF8Locale.use() }

  /// The lines of all pages of the help.
  private func lines(
    _ keys: KeyMap = .standard, in view: KeyMap.View = .grid, columns: Int = 100, rows: Int = 31,
    matching text: String? = nil
  ) -> [String] {
    let layout = HelpLayout(
      keys: keys, view: view, room: CellSize(columns: columns, rows: rows - 1))
    return layout.pages(matching: text).flatMap(\.lines).map(\.text)
  }

  /// The first words of the lines, which are keys.
  private func keys(in lines: [String]) -> Set<String> {
    Set(lines.flatMap { $0.split(separator: " ").map(String.init) })
  }

  @Test(arguments: KeyMap.View.allCases)
  func `every command that has a key is in the help with one of its keys`(view: KeyMap.View) {
    let shown = keys(in: lines(in: view))
    for (command, bound) in Dictionary(grouping: KeyMap.standard[view], by: \.value) {
      #expect(bound.contains { shown.contains($0.key) }, "\(command.name)")
    }
  }

  @Test(arguments: KeyMap.View.allCases)
  func `no key has two commands in a view`(view: KeyMap.View) {
    let keys = KeyMap.entries(of: view).flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
    #expect(Set(keys) == Set(KeyMap.standard[view].keys))
  }

  @Test func `no key appears twice under a heading, and Ctrl-c and yy stand in one line each`() {
    for view in KeyMap.View.allCases {
      for section in KeyTable.topics.flatMap(\.sections) {
        let keys = section.lines.flatMap { line in
          line.gesture.map { [$0] } ?? line.entries.flatMap(\.keys).map { "\($0) \(line.views)" }
        }
        #expect(Set(keys).count == keys.count, "\(section.heading)")
      }
      for key in ["Ctrl-c", "yy"] {
        #expect(lines(in: view).count { keys(in: [$0]).contains(key) } == 1, "\(key)")
      }
    }
  }

  @Test func `every key is in a search for it`() {
    for view in KeyMap.View.allCases {
      for (key, command) in KeyMap.standard[view] {
        guard let entry = KeyMap.entry(of: command, in: view) else {
          Issue.record("\(command.name) has no entry")
          continue
        }
        let found = keys(in: lines(in: view, matching: entry.title))
        #expect(found.contains(key), "\(key): \(entry.title)")
      }
    }
  }

  @Test func `the help lists the keys as they are bound`() throws {
    var map = KeyMap.standard
    try map.bind("Ctrl-t", to: .grid(.toggleLabels))
    try map.bind("t", to: nil)
    try map.bind("e", to: .navigation(.open))
    let lines = lines(map)
    #expect(lines.contains { $0.contains("Ctrl-t") && $0.contains("Show names") })
    #expect(lines.contains { $0.contains("Enter e") })
    #expect(!lines.contains { $0.hasPrefix(" t ") })
    #expect(lines.count >= self.lines().count, "one changed key changes nothing else")
  }

  @Test(arguments: [(100, 30), (80, 24), (60, 16), (40, 12), (30, 8), (20, 5), (9, 3), (3, 2)])
  func `pages fit their terminal and show every line once`(columns: Int, rows: Int) {
    var story = Story(photos: 5, columns: columns, rows: rows)
    story.keys("?")
    var seen: [Panel] = []
    for _ in 0..<2000 {
      guard let panel = story.browser.panel else { break }
      #expect(panel.lines.count <= max(rows - 3, 1))
      #expect(panel.lines.allSatisfy { CellText($0).width <= max(columns - 4, 1) })
      if panel == seen.last { break }
      seen.append(panel)
      story.keys("j")
    }
    let all = HelpLayout(
      keys: .standard, view: .grid, room: story.browser.viewport.pictureCells)
    #expect(seen.count == all.pages(matching: nil).count)
    if columns >= 40 {
      let text = seen.flatMap(\.lines).joined(separator: "\n")
      for words in ["zs", "Culling mode", "Ctrl-p", ";x", "Move to trash"] {
        #expect(text.contains(words), "\(words)")
      }
    }
    story.keys("g")
    #expect(story.browser.panel == seen.first)
    story.press(.escape)
    #expect(story.browser.help == nil)
  }

  @Test func `the help opens on the page of the view`() {
    var story = Story(photos: 5)
    story.keys("?")
    #expect(story.browser.panel?.lines.contains { $0.contains("Move the selection") } == true)
    story.press(.escape, .enter)
    story.wait(1)
    story.keys("?")
    #expect(story.browser.panel?.lines.contains { $0.contains("next photo") } == true)
    story.press(.escape, .escape)
    story.wait(1)
    story.keys("=")
    story.wait(1)
    story.keys("?")
    #expect(story.browser.panel?.lines.contains { $0.contains("Pin this photo") } == true)
    story.press(.escape)
    story.keys("C?")
    #expect(story.browser.panel?.lines.contains { $0.contains("Culling mode") } == true)
  }

  @Test func `a search shows the lines that match, each with its keys`() {
    var story = Story(photos: 5)
    story.keys("?/burst")
    let found = story.browser.panel?.lines.joined(separator: "\n") ?? ""
    #expect(found.contains("zs") && found.contains("Fold bursts into stacks"))
    #expect(!found.contains("Move to trash"))
    #expect(story.bar.entry?.line.text == "burst")
    story.press(.enter)
    #expect(story.bar.entry == nil && story.browser.panel?.lines.isEmpty == false)
    story.press(.escape)
    #expect(story.browser.help?.search == nil && story.browser.help != nil)
    story.keys("/qqqq")
    #expect(story.browser.panel?.lines.contains { $0.hasPrefix("No key matches") } == true)
  }

  @Test func `j and k turn the pages, and the mouse does not reach the grid beneath`() {
    var story = Story(photos: 12, columns: 80, rows: 24)
    story.keys("?")
    let first = story.browser.panel
    story.keys("j")
    #expect(story.browser.panel != first)
    story.keys("k")
    #expect(story.browser.panel == first)

    let point = story.tile(1).center
    let before = (story.browser.grid.scroll, story.browser.selection)
    story.mouse(.pressed(.right), point.x, point.y)
    story.mouse(.dragged(.right), point.x + 200, point.y)
    story.mouse(.released(.right), point.x + 200, point.y)
    #expect(story.marked.isEmpty && before == (story.browser.grid.scroll, story.browser.selection))
    #expect(story.browser.panel == first && story.browser.grid.style.enlargement == 0)
    story.click(point)
    #expect(story.browser.help != nil && story.browser.viewer == nil, "on the panel")
    story.click(PixelPoint(x: 5, y: 5))
    #expect(story.browser.help == nil && story.browser.viewer == nil)
  }

  @Test func `the wheel turns the pages, and a click on a tab goes to its first page`() {
    var story = Story(photos: 12, columns: 80, rows: 24)
    let before = (story.browser.grid.scroll, story.browser.selection)
    story.keys("?")
    let first = story.browser.panel
    story.mouse(.wheel(.up), 400, 200)
    #expect(story.browser.panel == first)
    story.mouse(.wheel(.down), 400, 200)
    story.keys("k")
    #expect(story.browser.panel == first)

    for topic in KeyTable.topics {
      story.click(onPanel: " \(topic.title) ")
      let panel = story.browser.panel
      let tab = panel?.spans.first { $0.style == .selected }
      #expect(
        tab.map { CellText(panel?.lines[0] ?? "").cut(to: $0.columns).string } == " \(topic.title) "
      )
      let page = story.browser.help?.page ?? 0
      let pages = story.browser.helpLayout.pages(matching: nil)
      #expect(page == 0 || pages[page - 1].title != topic.title, "its first page")
    }
    story.keys("/burst")
    story.click(onPanel: " Files ")
    #expect(story.browser.help?.search == nil && story.bar.entry == nil)
    #expect(story.browser.panel?.lines.contains { $0.contains("Move to trash") } == true)
    #expect(before == (story.browser.grid.scroll, story.browser.selection))
    #expect(story.browser.viewer == nil)
  }

  @Test func `hostile text in the search stays in its line`() {
    var story = Story(photos: 5, columns: 20, rows: 5)
    story.keys("?/")
    story.send(.pasted(String(repeating: "\u{1B}[31mx\n", count: 2000)))
    let panel = story.browser.panel
    #expect(panel?.lines.allSatisfy { !$0.unicodeScalars.contains("\u{1B}") } == true)
    #expect(story.bar.entry?.line.text.unicodeScalars.contains("\u{1B}") == false)
  }
}
