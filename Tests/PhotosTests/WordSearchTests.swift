import TestSupport
import Testing

@testable import Photos

/// Words that are typed into a filter, compared with a search of each photo by itself.
struct WordSearchTests {
  /// An album of random photos, and what they are called.
  private struct Library {
    /// What is known about a photo.
    struct Entry {
      var folder = ""
      var name = ""
      var words: PhotoWords?
      var camera: String?
      var isRead = false

      /// Whether any text of the photo contains a word.
      func has(_ word: [UInt8]) -> Bool {
        let texts =
          [name, folder, isRead ? camera : nil, words?.title, words?.caption].compactMap(\.self)
          + (words?.keywords ?? [])
        return texts.contains { PhotoNames.folded($0).hasPart(word) }
      }
    }

    var album = Album()
    var entries: [Entry] = []
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func text(_ lengths: ClosedRange<Int>) -> String {
      let letters = ["a", "b", "É", "é", "ß", "İ", "日", " ", "B"]
      return (0..<Int.random(in: lengths, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? ""
      }.joined()
    }

    private mutating func words() -> PhotoWords? {
      // Many photos share words, and many have none.
      if Bool.random(using: &random) { return entries.randomElement(using: &random)?.words }
      return PhotoWords(
        title: Bool.random(using: &random) ? text(0...4) : nil,
        caption: Bool.random(using: &random) ? text(0...4) : nil,
        keywords: (0..<Int.random(in: 0...3, using: &random)).map { _ in text(0...3) })
    }

    /// Finds a photo, with or without its file read.
    private mutating func addPhoto() {
      var entry = Entry(folder: "\(text(1...2))/", name: "\(text(1...5)).jpg")
      if Bool.random(using: &random) { entry.folder = entries.last?.folder ?? "" }
      entries.append(entry)
      name(entries.count - 1)
      album.extend(by: [Photo.ID(entries.count - 1)])
      if Bool.random(using: &random) { read(entries.count - 1) }
    }

    private mutating func name(_ index: Int) {
      album.name(
        NameBatch(
          first: Photo.ID(index), folder: Array(entries[index].folder.utf8),
          names: Array(entries[index].name.utf8) + [0]))
    }

    private mutating func read(_ index: Int) {
      entries[index].camera = ["Canon É", "ab", nil].randomElement(using: &random) ?? nil
      entries[index].words = words()
      entries[index].isRead = true
      var info = PhotoInfo.made(4, 3)
      // A file that has changed.
      info.stamp.modified = Int64.random(in: 1...1_000_000, using: &random)
      info.metadata = PhotoMetadata()
      info.metadata?.camera = entries[index].camera
      info.metadata?.words = entries[index].words
      album.learn(InfoBlock([info]), of: [Photo.ID(index)])
    }

    /// Finds, reads, changes or renames a photo.
    mutating func change() {
      guard let index = entries.indices.randomElement(using: &random),
        Int.random(in: 0...3, using: &random) > 0
      else { return addPhoto() }
      switch Int.random(in: 0...3, using: &random) {
      case 0: read(index)
      case 1:
        entries[index].words = words()
        album.setWords(entries[index].words?.record ?? [], of: Photo.ID(index))
      case 2:
        entries[index].name = text(1...5)
        name(index)
      default:
        entries[index].isRead = false
        album.expire(Photo.ID(index))
      }
      album.refresh()
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `a word that is typed and deleted is found in the photos that have it`(seed: UInt64) throws {
    var library = Library(seed: seed)
    for _ in 0..<30 { library.change() }
    for _ in 0..<40 {
      if Bool.random(using: &library.random) { library.change() }
      // The words of a filter, of which the last is typed and deleted.
      let typed = Array(library.text(1...6))
      let other = library.text(1...2)
      let isOther = Bool.random(using: &library.random)
      for length in Array(1...typed.count) + (1..<typed.count).reversed() {
        let words = [String(typed[..<length])] + (isOther ? [other] : [])
        let folded = words.map { PhotoNames.folded($0) }
        library.album.show(
          only: Filter(text: "", expression: .conjunction(folded.map { .test(.word($0)) })))
        let expected = library.entries.indices.filter { index in
          folded.allSatisfy { library.entries[index].has($0) }
        }
        #expect(library.album.shown.map(\.index) == expected, "\(words)")

        // What is remembered makes no difference to what may still pass, either.
        var fresh = library.album
        fresh.filtering.searches.forgetAll()
        fresh.refresh()
        #expect(fresh.shown == library.album.shown)
        #expect(fresh.unknown == library.album.unknown)
      }
    }
  }

  @Test func `a word in no part of a record is not found where two parts meet`() {
    var words = WordTable()
    words.set(
      PhotoWords(title: "sea", caption: "blue", keywords: ["rome", "summer"])?.record ?? [],
      of: Photo.ID(0))
    func has(_ word: [UInt8]) -> Bool {
      var result: [UInt8] = [FilterEvaluation.Verdict.fails]
      words.pass([Photo.ID(0)], &result, containing: word, where: [1])
      return result == [FilterEvaluation.Verdict.passes]
    }

    for word in ["rome", "ome", "summer", "sea", "blue", "e"] { #expect(has(Array(word.utf8))) }
    for word in ["rome summer", "romesummer", "summersea", "seablue", "sea blue"] {
      #expect(!has(Array(word.utf8)))
    }
    for (left, divider, right) in [("rome", UInt8(0x1f), "summer"), ("sea", 0x1e, "blue")] {
      #expect(!has(Array(left.utf8) + [divider] + right.utf8))
      #expect(!has(Array(left.utf8) + [divider]))
    }
  }

  @Test(arguments: [
    (WordField.keyword, "me", [0, 1]), (.keyword, "sum", [0]), (.keyword, "r*e", [0, 1]),
    (.keyword, "sea", []), (.keyword, "rome?summer", []), (.keyword, "*", [0, 1]),
    (.title, "se", [0]), (.title, "rome", [2]), (.title, "s?a", [0]), (.title, "sea*blue", []),
    (.caption, "b", [0, 1]), (.caption, "be", [1]), (.caption, "*e", [0]), (.caption, "sea", []),
  ])
  func `a part of the words is searched by itself`(
    field: WordField, text: String, numbers: [Int]
  ) {
    var words = WordTable()
    let all = [
      PhotoWords(title: "Sea", caption: "Blue", keywords: ["Rome", "summer"]),
      PhotoWords(caption: "beach", keywords: ["rome"]), PhotoWords(title: "Rome"), nil,
    ]
    for (number, record) in all.enumerated() {
      words.set(record?.record ?? [], of: Photo.ID(number))
    }
    let sought = FilterText(folded: Array(text.utf8), isGlob: Glob.isGlob(text))
    let photos = all.indices.map { Photo.ID($0) }
    var result = [UInt8](repeating: FilterEvaluation.Verdict.fails, count: photos.count)
    words.pass(photos, &result, where: [1, 1, 1, 1]) {
      field.matches(sought, $0, sought.folded.terminated)
    }
    #expect(result.indices.filter { result[$0] == FilterEvaluation.Verdict.passes } == numbers)
  }
}
