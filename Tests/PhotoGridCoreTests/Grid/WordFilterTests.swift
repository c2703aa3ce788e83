import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// Words of a filter, which are searched in everything that has words.
@Suite struct WordFilterTests {
  private static let paths = [
    "/home/ann/pictures/Rome trip/DSC1.jpg", "/home/ann/pictures/Rome trip/day 2/DSC2.jpg",
    "/home/ann/pictures/Berlin/DSC3.jpg", "/home/ann/pictures/rome.jpg",
    "/home/ann/pictures/IMG4.jpg",
  ]

  /// An album of the folder "pictures", in which nothing but names has been read.
  private static func album() -> Album {
    var album = Album()
    for batch in NameBatch.batches(of: paths.map { Array($0.utf8) }, first: Photo.ID(0)) {
      album.name(batch)
    }
    album.folder = Array("/home/ann/pictures/".utf8)
    album.extend(by: paths.indices.map { Photo.ID($0) })
    return album
  }

  private static func read(
    _ photo: Int, _ camera: String?, lens: String? = nil, in album: inout Album
  ) {
    var info = PhotoInfo.made(4, 3)
    var metadata = PhotoMetadata()
    (metadata.camera, metadata.lens) = (camera, lens)
    info.metadata = metadata
    album.learn(InfoBlock([info]), of: [Photo.ID(photo)])
  }

  @Test(arguments: [
    ("rome", [0, 1, 3]), ("ROME TRIP", [0, 1]), ("\"rome trip\"", [0, 1]), ("day", [1]),
    ("\"trip/day\"", [1]), ("pictures", []), ("ann", []), ("-rome", [2, 4]),
    ("name:rome", [3]), ("path:rome", [0, 1, 3]), ("path:ann", [0, 1, 2, 3, 4]),
    ("canon", [0, 2]), ("iphone", [1]), ("telephoto", [1]), ("rome canon", [0]),
    ("-canon -iphone", [3, 4]), ("name:canon", []), ("blue", [4]), ("blu", []),
    ("-blue", [0, 1, 2, 3]),
  ])
  func `a word is found in names, folders, cameras, lenses and labels`(
    text: String, numbers: [Int]
  ) throws {
    var album = Self.album()
    for (number, camera) in ["Canon EOS R5", "Apple iPhone 11", "Canon 70D", nil, nil].enumerated()
    {
      Self.read(number, camera, lens: number == 1 ? "Telephoto 2x" : nil, in: &album)
      album.updateRating(
        of: Photo.ID(number), Rating(stars: 0, label: number == 4 ? .blue : nil))
    }
    album.show(only: try Filter(parsing: text))
    #expect(album.shown.map(\.index) == numbers)
    #expect(album.unknown.isEmpty && album.missingRatings.isEmpty)
  }

  @Test func `names and folders are found before files are read, cameras after that`() throws {
    var album = Self.album()
    album.show(only: try Filter(parsing: "rome"))
    #expect(album.shown.map(\.index) == [0, 1, 3])
    #expect(album.unknown.map(\.index) == [2, 4], "their cameras may be called so")

    album.show(only: try Filter(parsing: "-nikon"))
    #expect(album.shown.count == 5, "as far as is known")
    Self.read(2, "Nikon Z 6", in: &album)
    #expect(album.isStale)
    album.refresh()
    #expect(album.shown.map(\.index) == [0, 1, 3, 4])
    album.show(only: try Filter(parsing: "nikon"))
    #expect(album.shown.map(\.index) == [2])
    #expect(album.unknown.map(\.index) == [0, 1, 3, 4])
    #expect(album.missingRatings.isEmpty, "no label is called so")
  }
}

/// What a prompt says, and where.
@Suite(.traced) struct FilterHelpStoryTests {
  private static let names = ["cat 1.jpg", "dog 2.png"]

  /// A story of photos whose files were read.
  private static func story(columns: Int = 100, rows: Int = 31) -> Story {
    var infos: [PhotoInfo] = [.made(4, 3), .made(4, 3)]
    for index in infos.indices {
      infos[index].metadata = PhotoMetadata()
      infos[index].metadata?.camera = ["Apple iPhone 11 Pro Max", "Apple iPhone 11 Pro"][index]
    }
    return Story(names: names, facts: infos, columns: columns, rows: rows)
  }

  @Test(arguments: [100, 40])
  func `an error shows the wrong part and the choices`(columns: Int) {
    var story = Self.story(columns: columns, rows: 12)
    story.keys("fcat typ:jpeg")
    #expect(story.explanation.contains("unknown field 'typ'"))
    guard let panel = story.browser.panel else {
      Issue.record("there is no box")
      return
    }
    #expect(panel.position == .bottom)
    #expect(panel.lines.prefix(2) == ["cat typ:jpeg", "    ^^^"])
    let text = panel.lines.joined(separator: " ")
    #expect(text.contains("exposure rating label"))
    #expect(panel.lines.allSatisfy { CellText($0).width <= columns - 4 && !$0.contains("…") })
    #expect(panel.lines.count <= 9, "all of it fits a terminal of 12 rows")
    story.press(.backspace, .backspace, .backspace, .backspace, .backspace, .backspace)
    let nothing = story.browser.panel
    #expect(nothing?.title == "Nothing to show" && nothing?.position == .middle)
    #expect(
      nothing?.lines == [
        "None of the 2 photos match 'cat ty'.", "No photo matches 'ty'.", "Esc clears the filter.",
      ])
  }

  @Test func `a group takes effect while it is typed, and Enter asks for its end`() {
    var story = Self.story()
    story.keys("f(dog or c")
    #expect(story.shown == [0, 1])
    story.keys("ow")
    #expect(story.shown == [1])
    #expect(story.bar.right == "a ')' is missing" && story.browser.panel == nil)
    story.press(.enter)
    #expect(story.entry == "filter: (dog or cow|")
    story.keys(")")
    story.press(.enter)
    #expect(story.entry == nil && story.shown == [1])
  }

  @Test func `completions are separated, and in a box if the bar has no room for them`() {
    var story = Self.story()
    story.keys("fcamera:")
    story.press(.tab)
    #expect(story.bar.right == "Apple iPhone 11 Pro · Apple iPhone 11 Pro Max")
    #expect(story.browser.panel == nil)
    story = Self.story(columns: 40, rows: 12)
    story.keys("fcamera:")
    story.press(.tab)
    #expect(story.browser.panel?.lines == ["Apple iPhone 11 Pro", "Apple iPhone 11 Pro Max"])
  }

  @Test func `a message that the bar has no room for is in a box`() {
    var story = Self.story(columns: 40, rows: 12)
    let text = "'a very long name.jpg' cannot be moved: there is no such folder"
    story.send(.notice(text))
    #expect(story.browser.panel?.lines.joined(separator: " ") == text)
    // Its time counts from its first frame.
    story.send(.drawn(isWhole: true))
    story.wait(6)
    story.send(.tick)
    #expect(story.browser.panel == nil)
  }
}
