import TestSupport
import Testing

@testable import Photos

/// Titles and captions as files have them, and as they are after a change.
@Suite struct WrittenTextTests {
  @Test(arguments: [
    ("", ""), (" two  words ", "two words"), ("a\r\nb", "a\nb"), ("a\rb\n\nc\n", "a\nb\n\nc"),
    ("\n\t a\u{b}b", "a b"), ("a \u{200D}\n b", "a\nb"), ("a\u{1B}[31m", "a?[31m"),
    ("\u{1F468}\u{200D}\u{1F469}", "\u{1F468}\u{1F469}"),
  ])
  func `a text is shown without what a terminal must not get`(text: String, shown: String) {
    #expect(WrittenText(Array(text.utf8), keepsLines: true).shown == shown)
    #expect(WrittenText(Array(shown.utf8), keepsLines: true).shown == shown)
    let line = shown.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
    #expect(WrittenText(Array(text.utf8), keepsLines: false).shown == line)
  }

  /// A stored text, the text that is typed, and what is stored then.
  static let changes = [
    ("two  words\r\nmore", "two words\nmore", "two  words\r\nmore"),
    ("two  words\r\nmore", "two words\nless", "two  words\r\nless"),
    ("two  words\r\nmore", "new two words\nmore", "new two  words\r\nmore"),
    ("two  words\r\nmore", "two words more", "two  words more"),
    ("two  words\r\nmore", "two\nmore", "two\r\nmore"),
    ("two  words\r\nmore", "two words\nmore\nlast", "two  words\r\nmore\nlast"),
    ("\u{1F468}\u{200D}\u{1F469} a", "\u{1F468}\u{1F469} b", "\u{1F468}\u{200D}\u{1F469} b"),
    ("a a a", "a a", "a a"), ("a", "", ""), ("", "a  b", "a b"), ("a\n", "a b", "a b"),
  ]

  @Test(arguments: changes)
  func `a change keeps all that is around it`(stored: String, typed: String, new: String) {
    let written = WrittenText(Array(stored.utf8), keepsLines: true)
    let bytes = written.replaced(by: typed)
    #expect(String(decoding: bytes, as: UTF8.self).unicodeScalars.elementsEqual(new.unicodeScalars))
  }

  @Test func `random texts become what is typed`() {
    var random = SeededGenerator(seed: 7)
    let parts = ["a", "b", " ", "  ", "\n", "\r\n", "é", "\u{200D}", "日", "\t"]
    for _ in 0..<2000 {
      func text() -> [UInt8] {
        let count = Int.random(in: 0...8, using: &random)
        return (0..<count).flatMap { _ in
          Array(parts.randomElement(using: &random)?.utf8 ?? "".utf8)
        }
      }
      let old = WrittenText(text(), keepsLines: true)
      let new = WrittenText(text(), keepsLines: true).shown
      let shown = WrittenText(old.replaced(by: new), keepsLines: true).shown
      #expect(shown == new, "\(old.shown.debugDescription)")
    }
  }

  @Test func `the words of a photo keep the lines of its caption, and show one`() {
    let words = PhotoWords(title: "A\nB", caption: " Old  harbor\r\n\r\nat Night ")
    #expect(words?.title == "A B" && words?.caption == "Old harbor at Night")
    #expect(words?.writtenCaption == "Old harbor\n\nat Night")
    #expect(words.flatMap { PhotoWords(record: $0.record) } == words)
    let long = PhotoWords(caption: String(repeating: "word\n", count: 1000))
    #expect(long?.writtenCaption?.unicodeScalars.count == 1999)
    #expect(long.flatMap { PhotoWords(record: $0.record) } == long)
  }

  @Test func `words on two lines of a caption are found together`() throws {
    var album = Album()
    album.name(NameBatch(first: Photo.ID(0), folder: [], names: Array("a.jpg".utf8) + [0]))
    album.extend(by: [Photo.ID(0)])
    var info = PhotoInfo.made(4, 3)
    info.metadata = PhotoMetadata()
    info.metadata?.words = PhotoWords(caption: "Old\nHarbor")
    album.learn(InfoBlock([info]), of: [Photo.ID(0)])
    #expect(album.text(.caption, of: Photo.ID(0)) == "Old\nHarbor")
    album.show(only: try Filter(parsing: "\"old harbor\""))
    #expect(album.shown.count == 1)
    album.show(only: try Filter(parsing: "caption:\"old harbor\""))
    #expect(album.shown.count == 1)
  }
}
