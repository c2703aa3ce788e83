import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

@Suite(.traced) struct FilterStoryTests {
  private static let names = ["cat 1.jpg", "dog 2.png", "cat 3.jpg", "cow 4.jpg", "bat 5.jpg"]

  @Test func `a filter applies while it is typed, and the selection stays if its photo passes`() {
    var story = Story(names: Self.names)
    story.keys("llf")
    #expect(story.entry == "filter: |" && story.bar.right == "Tab lists terms · 5 photos")
    story.keys("at")
    #expect(story.shown == [0, 2, 4] && story.current == 2)
    #expect(story.bar.right.hasPrefix("3 of 5"))
    story.keys(" 5")
    #expect(story.shown == [4] && story.current == 4)
    story.press(.backspace, .backspace)
    #expect(story.shown == [0, 2, 4] && story.current == 2, "back where it was")

    story.press(.enter)
    #expect(story.bar.right.hasPrefix("2/3 of 5"))
    story.keys("l")
    #expect(story.current == 4)
    story.press(.escape)
    #expect(story.shown == [0, 1, 2, 3, 4] && story.current == 4)
    #expect(story.bar.right.hasPrefix("5/5"))
  }

  @Test func `a plain word that is a term says what the term finds, and Tab takes it`() {
    var story = Story(names: ["video 1.jpg", "b.mp4", "c.mov", "d.png"])
    story.keys("fvideo")
    #expect(story.shown == [0], "a word in names as long as Tab is not pressed")
    #expect(story.bar.right == "type:video finds 2; Tab takes it · 1 of 4 · 1 of 4 read")
    story.press(.tab)
    #expect(story.entry == "filter: type:video|" && story.shown == [1, 2])
    #expect(story.bar.right == "2 of 4")
    story.press(.control("u"), .escape)
    story.keys("/video")
    #expect(story.bar.right == "type:video finds 2; Tab takes it · 1/1")
    story.press(.control("u"))
    story.send(.pasted("video"))
    #expect(story.bar.right.hasPrefix("type:video finds 2"))
    story.press(.tab)
    #expect(story.entry == "/type:video|" && story.current == 1)
  }

  @Test func `Tab in an empty filter lists the terms`() {
    var story = Story(names: Self.names)
    story.keys("f")
    story.press(.tab)
    let panel = story.browser.panel
    #expect(panel?.title.hasSuffix(" terms") == true)
    #expect(panel?.lines.joined(separator: " ").contains("rating:") == true)
  }

  @Test func `tiles that pass a filter fly together, and the others fade`() {
    var story = Story(names: Self.names)
    story.wait(1)
    let before = story.tile(4)
    story.keys("fat 5")
    story.wait(0.1)
    let way = story.scene.placements.first { $0.photo == Photo.ID(4) }?.frame
    let ends = [before.minX, story.tile(0).minX].sorted()
    #expect(way.map { $0.minX > ends[0] && $0.minX < ends[1] } == true)
    #expect(story.scene.placements.count == 5, "the others are on their way out")
    story.wait(1)
    #expect(story.scene.placements.map(\.photo.index) == [4])
    #expect(story.scene.placements.first?.frame == story.tile(0))
  }

  @Test func `f edits the current filter, and Esc discards the edit`() {
    var story = Story(names: Self.names)
    story.keys("fcat")
    story.press(.enter)
    story.keys("f")
    #expect(story.entry == "filter: cat|")
    story.keys(" 3")
    #expect(story.shown == [2])
    story.press(.escape)
    #expect(story.shown == [0, 2])

    story.keys("f")
    story.press(.control("u"))
    #expect(story.shown.count == 5)
    story.press(.enter)
    #expect(story.shown.count == 5 && !story.browser.album.isFiltered)
  }

  @Test func `the terms before an invalid one apply, and the bar says what is wrong`() {
    var story = Story(names: Self.names)
    story.keys("fcat date:20")
    #expect(story.shown == [0, 2])
    #expect(story.explanation.contains("'20' is not a date"))
    story.press(.enter)
    #expect(story.entry != nil)
  }

  @Test func `if no photo passes, a panel says so, and nothing can be opened`() {
    var story = Story(names: Self.names)
    story.keys("fxyz")
    #expect(story.shown.isEmpty)
    #expect(story.browser.panel?.lines.first == "None of the 5 photos so far match 'xyz'.")
    story.press(.enter, .enter)
    story.keys("jGm n")
    #expect(story.browser.viewer == nil && story.marked.isEmpty)
    #expect(story.bar.right.hasPrefix("0 of 5"))
    story.press(.escape)
    #expect(story.shown.count == 5 && story.browser.panel == nil)
  }

  @Test func `photos whose facts are read in the background appear when they are known to pass`() {
    var story = Story(names: Self.names)
    story.keys("fdate:2024 *.jpg")
    story.press(.enter)
    #expect(story.shown.isEmpty)
    #expect(story.browser.collection.missingFacts.map(\.index) == [0, 2, 3, 4])
    #expect(story.bar.right.contains("1 of 5 read"))
    #expect(story.browser.panel?.title == "Nothing to show")

    func learn(_ number: Int, _ year: Int) -> Event {
      let info = PhotoInfo.made(2, 1, taken: "\(year)-05-01T00:00:00")
      return .filesRead([(Photo.ID(number), info)])
    }
    story.send(learn(3, 2024))
    #expect(story.shown.isEmpty, "not at every photo")
    story.wait(0.4)
    #expect(story.shown == [3])
    #expect(story.browser.collection.missingFacts.map(\.index) == [0, 2, 4])
    story.send(learn(0, 2024))
    story.send(learn(2, 2023))
    story.send(learn(4, 2024))
    #expect(story.shown == [0, 3, 4], "the last one lets all take effect at once")
    #expect(story.current == 3, "by identity")
    #expect(!story.bar.right.contains("read"))
  }

  @Test func `photos that are found later are filtered too`() {
    var browser = Browser(
      options: Browser.Options(), filter: try? Filter(parsing: "cat"),
      cells: CellSize(columns: 80, rows: 24), metrics: .standard)
    let now = Instant(seconds: 1)
    for (number, name) in ["cat a", "dog b", "cat c"].enumerated() {
      _ = browser.handle(
        .named(NameBatch(first: Photo.ID(number), folder: [], names: nameBlock([name]))), at: now)
      _ = browser.handle(.found([Photo.ID(number)]), at: now)
    }
    #expect(browser.items.map(\.index) == [0, 2])
    #expect(browser.scene(at: now).placements.count == 2)
  }

  @Test(arguments: [
    (",n", [4, 0, 2, 3, 1]), (",N", [1, 3, 2, 0, 4]), (",d", [3, 1, 0, 2, 4]),
    (",D", [0, 1, 3, 2, 4]), (",m", [4, 2, 0, 1, 3]), (",M", [3, 1, 0, 2, 4]),
    (",s", [0, 2, 4, 1, 3]), (",S", [3, 1, 0, 2, 4]), (",x", [0, 1, 2, 3, 4]),
  ])
  func `a comma and a letter sort, and the selection keeps its photo`(keys: String, order: [Int]) {
    var facts: [PhotoInfo] = [
      .made(1, 1, bytes: 5, modified: 30, taken: "2024-03-01T00:00:00"),
      .made(1, 1, bytes: 6, modified: 40, taken: "2024-02-01T00:00:00"),
      .made(1, 1, bytes: 5, modified: 20),
      .made(1, 1, bytes: 7, modified: 50, taken: "2024-01-01T00:00:00"),
      .made(1, 1, bytes: 5, modified: 10),
    ]
    for index in facts.indices { facts[index].metadata = PhotoMetadata() }
    var story = Story(names: Self.names, facts: facts)
    story.keys("ll")
    story.keys(keys)
    #expect(story.shown == order)
    #expect(story.current == 2)
    #expect(story.browser.collection.missingFacts.isEmpty)
  }

  @Test func `every random order is different`() {
    var story = Story(names: (0..<30).map { "\($0)" })
    story.keys(",r")
    let first = story.shown
    #expect(first != Array(0..<30) && first.sorted() == Array(0..<30))
    story.wait(1)
    story.keys(",R")
    #expect(story.shown != first)
    story.keys(",n")
    #expect(story.shown == Array(0..<30))
  }

  @Test func `sorting by date reads all dates first, and then moves all photos at once`() {
    var story = Story(names: Self.names)
    story.keys(",d")
    #expect(story.shown == [0, 1, 2, 3, 4])
    #expect(story.browser.collection.missingFacts.count == 5)
    for number in 0..<4 {
      var info = PhotoInfo.made(1, 1, taken: "2024-01-0\(9 - number)T00:00:00")
      info.metadata = PhotoMetadata()
      story.send(.filesRead([(Photo.ID(number), info)]))
    }
    #expect(story.shown == [0, 1, 2, 3, 4] && story.bar.right.contains("4 of 5 read"))
    story.send(.filesRead([(Photo.ID(4), nil)]))
    #expect(story.shown == [3, 2, 1, 0, 4])
    #expect(!story.bar.right.contains("read"))

    story.send(.filesChanged([Photo.ID(0)]))
    story.wait(3)
    #expect(
      story.browser.collection.missingFacts == [Photo.ID(0)],
      "a file that has changed is read again")
  }

  @Test func `Tab completes fields, formats and known cameras`() {
    var info = PhotoInfo.made(1, 1)
    info.metadata = .made("Canon EOS R5", nil, nil, nil, nil, nil)
    var other = info
    other.metadata?.camera = "Canon EOS R6"
    var story = Story(names: Self.names, facts: [info, other])
    story.keys("fcam")
    story.press(.tab)
    #expect(story.entry == "filter: camera:|")
    story.press(.tab)
    #expect(story.entry == "filter: camera:\"Canon EOS R|")
    #expect(story.explanation == "Canon EOS R5 · Canon EOS R6")
    story.keys("6")
    story.press(.tab)
    #expect(story.entry == "filter: camera:\"Canon EOS R6\" |")
    story.keys("ty")
    story.press(.tab)
    story.keys("png,he")
    story.press(.tab)
    #expect(story.entry == "filter: camera:\"Canon EOS R6\" type:png,heic|")
    story.press(.control("u"))
    story.keys("iso:")
    story.press(.tab)
    #expect(story.explanation == "iso:800+ or 100..400")
    story.press(.control("u"), .tab)
    let fields = "camera: · caption: · changed: · date: · exposure: · f: · frames: · gps"
    #expect(story.explanation.hasPrefix(fields))
    story.keys("zzz:")
    story.press(.tab)
    #expect(story.bar.right == "nothing to complete")
  }

  @Test func `a contradictory filter shows nothing, as no photo matches all of it`() {
    var story = Story(names: Self.names)
    story.keys("fcat -at")
    #expect(story.shown.isEmpty)
    #expect(story.browser.panel?.title == "Nothing to show")
  }

  @Test func `facts that only the file contains are read in the background, and kept`() {
    var story = Story(names: Self.names, facts: Self.names.map { _ in .made(2, 1) })
    story.keys("fiso:>800")
    story.press(.enter)
    #expect(story.shown.isEmpty && story.browser.collection.missingFacts.count == 5)
    var info = PhotoInfo.made(2, 1)
    for number in 0..<5 {
      info.metadata = .made(nil, nil, number * 500, nil, nil, nil)
      story.send(.filesRead([(Photo.ID(number), info)]))
    }
    #expect(story.shown == [2, 3, 4] && story.browser.collection.missingFacts.isEmpty)
    // A thumbnail has fewer facts about the same file.
    story.send(.filesRead([(Photo.ID(3), PhotoInfo.made(2, 1))]))
    #expect(story.shown == [2, 3, 4] && story.browser.collection.missingFacts.isEmpty)
  }
}
