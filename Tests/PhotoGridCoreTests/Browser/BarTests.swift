import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

/// What the bar keeps and what it drops as terminals get narrower.
struct BarTests {
  init() { UTF8Locale.use() }

  /// Three photos, of which two pass a filter, in the order of their dates.
  static func story() -> Story {
    let info = PhotoInfo.made(
      6000, 4000, bytes: 8_400_000, taken: "2024-05-01T12:30:00")
    var story = Story(
      names: ["IMG_2044.JPG", "IMG_2045.JPG", "sketch.png"],
      facts: [info, info, .made(300, 200, .png)])
    story.browser.gallery.collection.listingNotes = ListingNotes(skipped: 1)
    return story
  }

  /// Returns the bar as it looks, with a line for each width.
  static func lines(_ story: Story, _ widths: [Int]) -> [String] {
    var facts = story.facts
    facts.name = "IMG_2044.JPG"
    facts.folder = "~/Pictures/2024/Lofoten"
    facts.info = .made(6000, 4000, bytes: 8_400_000, taken: "2024-05-01T12:30:00")
    let bar = story.browser.bar(facts, at: story.now)
    return widths.map { bar.text(width: $0) }
  }

  @Test func `a filtered, sorted folder with marks`() {
    var story = Self.story()
    story.keys(",dftype:jpeg")
    story.press(.enter, .character("m"))
    #expect(
      Self.lines(story, [120, 80, 60, 40, 19]) == [
        " IMG_2044.JPG     1/2 of 3 · 1 marked · filter: type:jpeg · date taken · 6000×4000 · 8.4 MB"
          + " · 2024-05-01 · 1 other file ",
        " IMG_2…4.JPG  1/2 of 3 · 1 marked · filter: type:jpeg · date taken · 2024-05-01 ",
        " IMG_2044.JPG       1/2 of 3 · 1 marked · filter: type:jpeg ",
        " IMG_2044.JPG       1/2 of 3 · 1 marked ",
        "IMG_2044.JPG       ",
      ])
  }

  @Test func `a folder as listed`() {
    let story = Self.story()
    #expect(
      Self.lines(story, [120, 80, 60, 40, 20]) == [
        " IMG_2044.JPG  ~/Pictures/2024/Lofoten                             "
          + "1/3 · 6000×4000 · 8.4 MB · 2024-05-01 · 1 other file ",
        " IMG_2044.JPG  ~/Pi…foten  1/3 · 6000×4000 · 8.4 MB · 2024-05-01 · 1 other file ",
        " IMG_2044.JPG         1/3 · 6000×4000 · 8.4 MB · 2024-05-01 ",
        " IMG_2044.JPG          1/3 · 2024-05-01 ",
        " IMG_2044.JPG   1/3 ",
      ])
  }

  @Test func `an open photo, with its magnification and rating`() {
    var story = Self.story()
    story.browser.gallery.collection.learn([
      RatingUpdate(Photo.ID(0), Rating(stars: 4))
    ])
    story.press(.enter, .character("z"), .character("m"))
    #expect(
      Self.lines(story, [80, 40]) == [
        " IMG_2044.JPG    1/3 · ★★★★ · 100% · 1 marked · 6000×4000 · 8.4 MB · 2024-05-01 ",
        " IMG_2044.JPG            1/3 · 1 marked ",
      ])
  }

  @Test func `a name that is long gives way to the position`() {
    let bar = Bar(
      left: "A very long name of a photo from the holidays.jpg",
      parts: [
        Bar.Part("1/3", .essential), Bar.Part("★★★"), Bar.Part("6000×4000", .minor),
        Bar.Part("2024-05-01", .essential),
      ])
    #expect(bar.text(width: 60) == " A very long name… the holidays.jpg  1/3 · ★★★ · 2024-05-01 ")
    #expect(bar.text(width: 40) == " A very lo…lidays.jpg  1/3 · 2024-05-01 ")
    #expect(bar.text(width: 24) == " A very l…days.jpg  1/3 ")
  }

  @Test func `messages and prompts come first`() {
    var bar = Bar(
      left: "Sort: date taken", parts: [Bar.Part("1/3", .essential), Bar.Part("2024", .minor)])
    bar.isMessage = true
    #expect(bar.text(width: 40) == " Sort: date taken            1/3 · 2024 ")
    #expect(bar.text(width: 28) == " Sort: date taken       1/3 ")
    let entry = Bar.Entry(label: "filter: ", line: LineEditor("iso:800"))
    let prompt = Bar(left: "", right: "2 of 3", entry: entry)
    #expect(prompt.text(width: 40) == " filter: iso:800                 2 of 3 ")
    #expect(prompt.text(width: 20) == " filter: iso:800    ")
    #expect(prompt.runs(width: 40).map(\.style) == [.dimmed, .plain, .caret, .dimmed])
  }
}

extension Bar {
  /// The bar as it looks in a row of a width, in cells.
  fileprivate func text(width: Int) -> String {
    let row = runs(width: width).reduce(into: CellText("")) { row, run in
      row = CellText(row.padded(to: run.column) + run.text.string)
    }
    return row.padded(to: width)
  }
}
