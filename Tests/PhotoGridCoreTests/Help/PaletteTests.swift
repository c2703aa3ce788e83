import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// Finding and running commands by words.
@Suite(.traced) struct PaletteTests {
  init() { UTF8Locale.use() }

  private static let names = (0..<12).map { "photo \($0).jpg" }

  /// Types keys, and returns how many they are.
  private func type(_ text: String, in story: inout Story) -> Int {
    story.keys(text)
    story.press(.enter)
    return text.count + 1
  }

  private func titles(_ story: Story) -> [String] {
    story.browser.palette?.matches.map(\.title) ?? []
  }

  // MARK: - What a newcomer looks for

  @Test func `bursts are folded`() {
    var story = Story(names: Self.names)
    #expect(type(":burst", in: &story) <= 8)
    #expect(story.browser.album.hasStacks)
  }

  @Test func `near duplicates are shown`() {
    var story = Story(names: Self.names)
    #expect(type(":dupli", in: &story) <= 8)
    #expect(story.browser.album.order.key == .similar)
  }

  @Test func `the rotation is written into the file`() {
    var story = Story(names: Self.names)
    story.press(.enter)
    story.wait(1)
    story.keys(">")
    #expect(type(":write", in: &story) <= 8)
    #expect(story.effects == [.file([.turn([Photo.ID(0)], by: .quarterTurn)])])
  }

  @Test func `photos are grouped by month`() {
    var story = Story(names: Self.names)
    #expect(type(":month", in: &story) <= 8)
    #expect(story.browser.collection.grouping == .month)
  }

  @Test func `a date is gone to`() {
    let facts = (0..<12).map { number in
      PhotoInfo(
        size: PixelSize(width: 4, height: 3), orientation: 1, format: .jpeg, byteCount: 9,
        modified: 0, taken: "20\(10 + number)-07-14T10:00:00", isIncomplete: false)
    }
    var story = Story(names: Self.names, facts: facts)
    #expect(type(":2019-7", in: &story) <= 8)
    #expect(story.current == 9)
    story.keys("gg")
    _ = type(":goto jul 2013", in: &story)
    #expect(story.current == 3)
    _ = type(":12", in: &story)
    #expect(story.current == 11)
  }

  @Test func `a date may be relative to today, as in every other place for filters`() {
    let facts = ["2019-07-01", "2019-07-04", "2019-07-04"].map {
      PhotoInfo.made(4, 3, taken: $0 + "T10:00:00")
    }
    var story = Story(names: Array(Self.names.prefix(3)), facts: facts)
    story.send(.dayBegan(CalendarDate(year: 2019, month: 7, day: 4)))
    _ = type(":filter date:today", in: &story)
    #expect(story.shown == [1, 2])
    _ = type(":filter", in: &story)
    story.press(.escape)
    _ = type(":save today", in: &story)
    _ = type(":filter date:2019", in: &story)
    #expect(story.shown == [0, 1, 2])
    _ = type(":saved today", in: &story)
    #expect(story.shown == [1, 2])
    _ = type(":find date:3d..yesterday", in: &story)
    #expect(story.browser.palette == nil)
  }

  @Test func `two photos are compared`() {
    var story = Story(names: Self.names)
    #expect(type(":comp", in: &story) <= 8)
    #expect(story.browser.comparison?.panes.count == 2)
  }

  @Test func `photos were copied to a folder`() {
    var story = Story(names: Self.names)
    #expect(type(":copy", in: &story) <= 8)
    #expect(story.browser.prompt?.kind == .copy)
  }

  @Test func `the layout changes`() {
    var story = Story(names: Self.names)
    #expect(type(":layou", in: &story) <= 8)
    #expect(story.browser.grid.style.kind == .mosaic)
    #expect(type(":rows", in: &story) <= 8)
    #expect(story.browser.grid.style.kind == .rows)
  }

  @Test func `a range is marked`() {
    var story = Story(names: Self.names)
    #expect(type(":range", in: &story) <= 8)
    story.keys("llm")
    #expect(story.marked == [0, 1, 2])
  }

  @Test func `everything plays slowly`() {
    var story = Story(names: Self.names)
    #expect(type(":slow", in: &story) <= 8)
    #expect(story.browser.options.motion == .slow)
  }

  @Test(arguments: [
    ("delete", "Move to trash"), ("favourite", "Rate 5 stars"), ("favorite", "Rate 5 stars"),
    ("duplicates", "Put near duplicates together"), ("burst", "Fold bursts into stacks"),
    ("sort date", "Sort by date taken"), ("layout mosaic", "Layout: mosaic"),
    ("zs", "Fold bursts into stacks"), ("exif", "Photo info and histogram"),
    ("clipboard", "Copy the path"), ("rename", "Rename"), ("undo", "Undo the last change"),
    ("slidshow", "Start a slideshow; 3s shows each photo for 3 s"), ("trahs", "Move to trash"),
    ("random", "Shuffle"), ("captions", "Show names under the tiles"),
  ])
  func `a command is found by other words and with a typing error`(words: String, title: String) {
    var story = Story(names: Self.names)
    story.keys(":" + words)
    #expect(titles(story).first == title, "\(titles(story).prefix(4))")
  }

  /// The same in the help, without the palette.
  @Test(arguments: [
    ("burst", "zs"), ("duplic", "ga"), ("rotat", "W"), ("month", "gm"), ("date", "gt"),
    ("compare", "="), ("copy", "yc"), ("layout", "Tab"), ("range", "v"), ("slow", "A"),
  ])
  func `the search in the help has the key`(words: String, key: String) {
    var story = Story(names: Self.names)
    story.keys("?/" + words)
    let lines = story.browser.panel?.lines ?? []
    #expect(lines.contains { $0.hasPrefix(" \(key) ") }, "\(lines)")
  }

  // MARK: - The list

  @Test func `every command can be found, with its key`() {
    var story = Story(names: Self.names)
    story.keys(":")
    let items = story.browser.palette?.matches ?? []
    let hidden: Set<Command> = [.app(.showPalette), .app(.choose)]
    for command in KeyMap.commands where !hidden.contains(command) {
      let item = items.first { $0.action == .command(command, count: nil) }
      #expect(item != nil, "\(command.name)")
      let bound = KeyMap.standard[.grid].contains { $0.value == command }
      #expect(item?.keys.isEmpty == !bound, "\(command.name)")
    }
    #expect(items.filter { $0.obstacle == nil }.count > 80)
  }

  @Test func `what does not apply now is dimmed, says why and does nothing`() {
    var story = Story(names: Self.names)
    story.keys(":pan to the")
    #expect(story.bar.right == "only while a photo is open")
    let panel = story.browser.panel
    #expect(
      panel?.lines.first?.contains("Pan to the left edge – only while a photo is open") == true)
    story.press(.down)
    #expect(story.browser.panel?.spans.contains { $0.line == 0 && $0.style == .dimmed } == true)
    story.press(.up, .enter)
    #expect(story.browser.palette != nil && story.bar.right == "only while a photo is open")
    story.press(.escape)
    story.browser.gallery.options.isReadOnly = true
    story.keys(":delete")
    story.press(.enter)
    #expect(story.effects.isEmpty && story.bar.right == "turned off by --read-only")
  }

  @Test func `a click on a line runs it, the wheel scrolls, and a click beside the list closes it`()
  {
    var story = Story(names: Self.names)
    story.keys(":stars")
    story.click(onPanel: "Rate 3 stars")
    #expect(story.browser.palette == nil && story.browser.viewer == nil)
    #expect(story.effects.contains { if case .annotate = $0 { true } else { false } })

    story.keys(":")
    let first = story.browser.panel
    story.mouse(.wheel(.down), 300, 500)
    #expect(story.browser.panel?.lines.first == first?.lines[3])
    #expect(
      story.browser.panel?.lines.first == story.browser.palette.map { $0.matches[3].row(width: 72) }
    )
    #expect(story.browser.palette?.selection == 3, "it stays in sight")
    for _ in 0..<200 { story.mouse(.wheel(.down), 300, 500) }
    let last = story.browser.palette?.matches.last
    #expect(story.browser.panel?.lines.last == last?.row(width: 72))
    for _ in 0..<200 { story.mouse(.wheel(.up), 300, 500) }
    #expect(story.browser.panel?.lines == first?.lines)

    story.keys("fit to")
    story.click(onPanel: "Fit to width")
    #expect(story.browser.palette != nil && story.bar.right == "only while a photo is open")
    story.press(.control("u"))
    story.keys("filter")
    story.click(onPanel: "filter …")
    #expect(story.browser.palette?.line.text == "filter ", "its text is still to be typed")
    // The second click of a double click closes nothing.
    story.click(PixelPoint(x: 995, y: 5))
    story.click(PixelPoint(x: 995, y: 5))
    #expect(story.browser.palette == nil && story.browser.viewer == nil)
  }

  @Test func `it opens with what was run last, then with what the screen offers most`() {
    var story = Story(names: Self.names)
    story.keys(":")
    #expect(titles(story).prefix(2) == ["Open the photo or folder", "Find photos"])
    story.press(.escape)
    for line in ["group month", "2019-7", "no such", "filter photo 1*", "group month"] {
      _ = type(":" + line, in: &story)
      story.press(.escape)
    }
    story.keys(":")
    #expect(
      titles(story).prefix(3) == ["Group by month", "filter photo 1*", "Open the photo or folder"])
    #expect(titles(story).count { $0 == "Group by month" } == 1)
    story.press(.down, .enter)
    #expect(story.browser.album.isFiltered)
    story.press(.escape, .enter)
    story.wait(1)
    story.keys(":")
    #expect(titles(story).first == "Zoom to 100% or back")
    let states = story.browser.palette?.matches.map { $0.obstacle == nil } ?? []
    #expect(states == states.filter(\.self) + states.filter { !$0 }, "what cannot run comes last")
  }

  @Test func `what cannot run comes after what can, unless its name was typed in full`() {
    var story = Story(names: Self.names)
    story.keys(":zoom")
    let states = story.browser.palette?.matches.map { $0.obstacle == nil } ?? []
    #expect(states.contains(true) && states.contains(false))
    #expect(states == states.filter(\.self) + states.filter { !$0 })
    story.keys(" width")
    #expect(titles(story).first == "Fit to width")
    story.press(.control("u"))
    story.keys("zoom in")
    #expect(titles(story).first == "Zoom in")
  }

  @Test func `without a match it names the key that finds photos`() {
    var story = Story(names: Self.names)
    story.keys(":qqqqq")
    #expect(story.browser.panel?.lines.first?.hasPrefix("No command matches; f filters") == true)
    story.press(.escape, .enter)
    story.wait(1)
    story.keys(":qqqqq")
    #expect(story.browser.panel?.lines.first?.hasPrefix("No command matches  ") == true)
  }

  @Test func `toggles and choices show their state`() {
    var story = Story(names: Self.names)
    story.keys(":names under")
    #expect(story.browser.panel?.lines.first?.hasPrefix("○ Show names under the tiles") == true)
    story.press(.enter)
    story.keys(":names under")
    #expect(story.browser.panel?.lines.first?.hasPrefix("● Show names under the tiles") == true)
  }

  @Test func `Up recalls what was run before, Tab completes it`() {
    var story = Story(names: Self.names)
    _ = type(":by month", in: &story)
    _ = type(":by siz", in: &story)
    story.keys(":")
    story.press(.up)
    #expect(story.browser.palette?.line.text == "sort size")
    story.press(.up)
    #expect(story.browser.palette?.line.text == "group month")
    story.press(.control("u"))
    story.keys("layout m")
    story.press(.tab)
    #expect(story.browser.palette?.line.text == "layout mosaic")
    story.press(.enter)
    #expect(story.browser.grid.style.kind == .mosaic)
  }

  @Test func `the keys are those of the configuration`() throws {
    var story = Story(names: Self.names)
    try story.browser.gallery.options.keys.bind("X", to: .files(.trash))
    try story.browser.gallery.options.keys.bind("d", to: nil)
    try story.browser.gallery.options.keys.bind("Delete", to: nil)
    try story.browser.gallery.options.keys.bind(":", to: .files(.undo))
    story.press(.control("p"))
    story.keys("trash")
    #expect(story.browser.panel?.lines.first?.hasSuffix("  X") == true)
    story.press(.escape)
    story.keys(":")
    #expect(story.browser.palette == nil)
  }

  @Test func `commands take arguments`() {
    var story = Story(names: Self.names)
    _ = type(":filter (name:x", in: &story)
    #expect(story.browser.palette != nil && !story.bar.right.isEmpty, "an error is kept")
    story.press(.control("u"))
    #expect(type("filter photo 1*", in: &story) > 0)
    #expect(story.shown == [1, 10, 11] || story.browser.album.isFiltered)
    story.press(.escape)
    _ = type(":find 7", in: &story)
    #expect(story.current == 7)
    _ = type(":slideshow 2.5", in: &story)
    #expect(story.browser.slideshow?.seconds == 2.5)
    story.press(.escape)
    story.keys(":filter ty")
    story.press(.tab)
    #expect(story.browser.palette?.line.text == "filter type:")
  }

  @Test func `the palette works in every view`() {
    for open in ["", "\r", "=", "zo"] {
      var story = Story(names: Self.names)
      for key in open { story.press(key == "\r" ? .enter : .character(key)) }
      story.wait(1)
      story.keys(":")
      #expect(story.browser.palette != nil, "\(open)")
      story.keys("quit")
      story.press(.enter)
      #expect(story.effects == [.quit], "\(open)")
    }
  }

  // MARK: - Bad input

  @Test(arguments: [(100, 31), (40, 12), (20, 5), (5, 3), (1, 1)])
  func `long lines, control characters and pasted files stay in the line`(
    columns: Int, rows: Int
  ) {
    let texts = [
      String(repeating: "s ", count: 5000), String(repeating: "sort", count: 2500),
      String(repeating: "\u{1B}]0;x\u{7}\u{9B}31m\n\0", count: 1000),
      "שלום עולם \u{202E}evil\u{202C}", String(repeating: "e\u{301}\u{302}", count: 3000),
      "filter " + String(repeating: "(", count: 4000),
      "goto " + String(repeating: "9", count: 4000),
      "99999999999999999999", "-1", "slideshow inf", "stacks nan", "\u{FFFD}\u{0}",
    ]
    for text in texts {
      var story = Story(names: Self.names, columns: columns, rows: rows)
      story.keys(":")
      story.send(.pasted(text))
      for key in [Key.tab, .down, .pageDown, .end, .enter, .up, .pageUp, .enter] {
        story.press(key)
        let bar = story.bar
        let panel = story.browser.panel
        let shown = (panel?.lines ?? []) + [panel?.title ?? "", bar.right, bar.left]
        for line in shown {
          let isClean = line.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value)
          }
          #expect(isClean, "\(line.debugDescription)")
        }
        #expect((panel?.lines.count ?? 0) <= max(rows - 3, 1))
      }
      story.press(.escape)
      story.press(.escape)
    }
  }

  @Test func `the list keeps its size while the user types`() {
    var story = Story(names: Self.names)
    story.keys(":")
    let sizes = "sort size reversed xyz".map { key -> [Int] in
      story.keys(String(key))
      return story.browser.panel?.lines.map { CellText($0).width } ?? []
    }
    #expect(Set(sizes).count == 1)
  }
}

/// Saving filters by the palette, and showing photos by them.
@Suite struct NamedFilterTests {
  init() { UTF8Locale.use() }

  @Test func `a filter is saved, listed and shown again`() throws {
    var story = Story(names: ["a1.jpg", "b1.jpg", "a2.jpg"])
    story.keys("fa")
    story.press(.enter)
    story.keys(",N:save best-of-rome")
    story.press(.enter)
    let saved = NamedFilter(
      name: "best-of-rome", filter: "a", order: SortOrder(by: .name, isReversed: true),
      grouping: .none)
    #expect(story.effects.contains(.saveFilter(saved)))
    story.press(.escape)
    story.keys(",n")
    #expect(story.browser.album.shown.count == 3)
    story.keys(":best")
    #expect(story.browser.palette?.matches.first?.title == "@best-of-rome: a")
    story.press(.enter)
    #expect(story.browser.album.shown.map(\.index) == [2, 0])
    story.keys(":saved be")
    #expect(story.browser.palette?.matches.map(\.title) == ["@best-of-rome: a"])
  }

  @Test func `a saved filter has a tile before the photos, which is no photo`() {
    var story = Story(names: ["a1.jpg", "b1.jpg", "a2.jpg"])
    story.keys("fa")
    story.press(.enter)
    story.keys(":save rome")
    story.press(.enter)
    let photos = [0, 1, 2].map { Photo.ID($0) }
    let tile = FilterTile(
      Photo.ID(3), NamedFilter(name: "rome", filter: "a", order: .listed, grouping: .none))
    story.send(.filtersFound([tile]))
    #expect(story.browser.items == [photos[0], photos[2]], "hidden while a filter is active")

    story.press(.escape)
    story.wait(1)
    #expect(story.browser.items == [tile.item] + photos)
    #expect(story.browser.folderPreview(of: tile.item)?.samples == [photos[0], photos[2]])
    #expect(story.browser.missingPreviews.isEmpty, "it is no folder to read")
    story.keys("0h")
    #expect(story.browser.currentFilter == tile && story.browser.currentFolder == nil)
    #expect(story.current == nil && story.bar.right.contains("3 photos"))
    for (keys, answer) in [
      ("d", "This works on photos, not saved filters"), (";3", "Only photos can be rated"),
      (" ", "Only photos can be marked"),
    ] {
      story.effects = []
      story.keys(keys)
      #expect(story.effects.isEmpty && story.bar.left == answer)
    }
    story.keys("h")
    #expect(story.browser.album.marks.isEmpty && story.browser.currentFilter == tile)
    story.press(.enter)
    #expect(story.browser.items == [photos[0], photos[2]])
    story.press(.escape)
    #expect(story.browser.items == [tile.item] + photos)
  }

  @Test func `a name is needed, and something to save`() {
    var story = Story(names: ["a1.jpg"])
    story.keys(":save one two")
    story.press(.enter)
    #expect(story.browser.palette != nil, "not a name")
    story.press(.escape)
    story.keys(":save one")
    story.press(.enter)
    #expect(story.effects.isEmpty && story.browser.statusBar.notice != nil)
  }

  @Test(arguments: [
    NamedFilter(
      name: "best-of-rome", filter: "keyword:\"a b\" rating:>=3",
      order: SortOrder(by: .taken, isReversed: true), grouping: .day, folder: "/home/ann/My photos"),
    NamedFilter(name: "Été.2", filter: "", order: SortOrder(by: .random(seed: 0)), grouping: .none),
  ])
  func `a filter survives its line`(filter: NamedFilter) {
    #expect(NamedFilter(line: filter.line) == filter)
  }

  @Test(arguments: [
    "", "a", "a\tdate\tday\t/x", "a b\tdate\tday\t/x\t", "a\tcolor\tday\t/x\t",
    "a\tdate\tweek\t/x\t", "# a comment", "../x\tdate\tday\t/x\t",
  ])
  func `other lines are none`(line: String) {
    #expect(NamedFilter(line: line) == nil)
  }
}
