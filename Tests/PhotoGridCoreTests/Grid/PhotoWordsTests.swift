import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos

/// Titles, captions and keywords: their limits, and finding photos by them.
@Suite struct PhotoWordsTests {
  @Test(arguments: [
    PhotoWords(title: "A title", caption: "A caption", keywords: ["rome", "Été"]),
    PhotoWords(keywords: ["one"]), PhotoWords(caption: "only this"),
    PhotoWords(keywords: ["one"], faces: ["Anna", "Zoë"], named: ["Ben"]),
    PhotoWords(named: ["Ben"], isPeopleCut: true), PhotoWords(title: "A", faces: ["Anna"]),
  ])
  func `words survive their record`(words: PhotoWords?) throws {
    let words = try #require(words)
    #expect(PhotoWords(record: words.record) == words)
    for count in words.record.indices { _ = PhotoWords(record: words.record.prefix(count)) }
  }

  @Test func `words are printable, bounded and each once`() throws {
    let words = try #require(
      PhotoWords(
        title: Array("\u{1b}]52;c;x\u{7}\n title\u{202e}".utf8),
        caption: Array(repeating: 0x61, count: 100_000),
        keywords: [Array(" rome ".utf8), Array("Rome".utf8), [0x1f, 0x1e], [], [0xff, 0x41]]))
    #expect(words.title == "?]52;c;x? title\u{fffd}")
    #expect(words.caption?.count == 2000)
    #expect(words.keywords == ["rome", "??", "\u{fffd}A"])
    #expect(PhotoWords(title: [], caption: [0x20, 0x0a], keywords: [[0]]) == nil)
    #expect(PhotoWords(record: Array("\u{1b}[2Jx".utf8))?.keywords == ["?[2Jx"])
  }

  @Test func `a time keeps all that is known of it in 64 bits`() throws {
    for text in [
      "2024-05-01T12:30:00", "2024-05-01T12:30:00.07", "2024-05-01T12:30:00.99+14:00",
      "9999-12-31T23:59:60-14:00", "0001-01-01", "2024-05", "2024-05-01T00:00:00+00:00",
      "2024-05-01T12:30:00+05:45",
    ] {
      for source in TakenTime.Source.allCases {
        var time = try #require(TakenTime(iso8601: text))
        time.source = source
        #expect(time.detailed == text)
        #expect(TakenTime(bits: time.bits) == time)
        #expect(TakenTime(record: Array(time.record.utf8)) == time)
      }
    }
    #expect(TakenTime(bits: 2024_0501_123000) == TakenTime(iso8601: "2024-05-01T12:30:00"))
    var random = SystemRandomNumberGenerator()
    for _ in 0..<10_000 {
      let bits = Int64.random(in: .min...(.max), using: &random)
      if let time = TakenTime(bits: bits) { #expect(time.bits == bits) }
    }
  }

  @Test func `photos of one second are in the order of their fractions`() throws {
    var album = Album()
    album.extend(by: (0..<3).map { Photo.ID($0) })
    let infos = ["12.50", "12.07", "11.99"].map {
      PhotoInfo.made(4, 3, taken: "2024-05-01T12:30:\($0)")
    }
    album.learn(InfoBlock(infos), of: (0..<3).map { Photo.ID($0) })
    album.sort(by: SortOrder(by: .taken))
    #expect(album.shown.map(\.index) == [2, 1, 0])
  }

  /// An album of photos with words; those of the last photo have not been read.
  private static func album() -> Album {
    var album = Album()
    let words = [
      PhotoWords(title: "Opening", keywords: ["Rome", "family trip"]),
      PhotoWords(
        caption: "A birthday in Rome", keywords: ["ÉTÉ"], faces: ["Anna Lee"], named: ["Zoë"]),
      PhotoWords(keywords: ["Rome", "family trip"]), nil,
    ]
    let photos = (0..<5).map { Photo.ID($0) }
    for batch in NameBatch.batches(
      of: photos.map { Array("IMG\($0.index).jpg".utf8) }, first: photos[0])
    {
      album.name(batch)
    }
    album.extend(by: photos)
    let infos = words.map { words in
      var info = PhotoInfo.made(4, 3)
      info.metadata = PhotoMetadata()
      info.metadata?.words = words
      return info
    }
    album.learn(InfoBlock(infos), of: Array(photos.dropLast()))
    return album
  }

  @Test(arguments: [
    ("rome", [0, 1, 2]), ("keyword:rome", [0, 2]), ("keyword:\"family trip\"", [0, 2]),
    ("keyword:*trip", [0, 2]), ("keyword:family", [0, 2]), ("keyword:fam?", []),
    ("keyword:birthday", []), ("caption:rome", [1]), ("caption:*rome", [1]), ("title:open", [0]),
    ("title:rome", []), ("été", [1]), ("keyword:été", [1]), ("-keyword:rome", [1, 3]),
    ("rome -keyword:rome", [1]), ("opening", [0]), ("keyword:*", [0, 1, 2]),
    ("person:anna", [1]), ("person:zoë", [1]), ("person:*lee", [1]), ("zoë", [1]),
    ("person:rome", []), ("caption:anna", []), ("-person:anna", [0, 2, 3]),
  ])
  func `photos are found by their words`(text: String, numbers: [Int]) throws {
    var album = Self.album()
    let filter = try Filter(parsing: text)
    #expect(try Filter(parsing: filter.description).expression == filter.expression)
    album.show(only: filter)
    let shown = album.shown.map(\.index).filter { $0 < 4 }
    #expect(shown == numbers)
    #expect(album.unknown == [Photo.ID(4)] || filter.isEmpty)
  }

  @Test func `keywords in use complete the filter`() {
    let album = Self.album()
    #expect(album.keywordsInUse == ["Rome", "family trip", "ÉTÉ"])
    #expect(album.completion(of: "keyword:ro")?.before == "keyword:\"Rome\" ")
    #expect(
      album.completion(of: "keyword:")?.possibilities == ["Rome\"", "family trip\"", "ÉTÉ\""]
        || album.completion(of: "keyword:")?.possibilities.count == 3)
  }

  @Test func `people complete the filter`() {
    let album = Self.album()
    #expect(album.peopleInUse == ["Anna Lee", "Zoë"])
    #expect(album.completion(of: "person:a")?.before == "person:\"Anna Lee\" ")
    #expect(album.completion(of: "pers")?.before == "person:")
  }

  @Test func `the panel shows people, and that there are more`() {
    var information = Information(name: "a.jpg", folderPath: "~")
    information.metadata = PhotoMetadata()
    information.metadata?.words = PhotoWords(
      faces: ["Anna Lee"], named: ["Zoë"], isPeopleCut: true)
    let lines = information.texts(in: CellSize(columns: 42, rows: 20), isPlain: true)
    #expect(lines.first == "people    Anna Lee, Zoë, and more")
  }

  @Test func `words of a changed sidecar stay until they were read again`() throws {
    var album = Self.album()
    album.show(only: try Filter(parsing: "keyword:rome"))
    album.expireMetadata(of: Photo.ID(0))
    album.refresh()
    #expect(album.unknown.contains(Photo.ID(0)))
    #expect(album.words(of: Photo.ID(0))?.keywords == ["Rome", "family trip"])
    var info = PhotoInfo.made(4, 3)
    info.metadata = PhotoMetadata()
    album.learn(InfoBlock([info]), of: [Photo.ID(0)])
    album.refresh()
    #expect(album.shown.map(\.index) == [2] && album.words(of: Photo.ID(0)) == nil)
  }

  @Test func `a changed sidecar is read again at once, and its date changes the order`() throws {
    var info = PhotoInfo.made(4, 3)
    info.metadata = PhotoMetadata()
    func dated(_ year: Int?) -> PhotoInfo {
      var dated = info
      dated.taken = year.flatMap {
        TakenTime(record: Array("\($0)-03-04T05:06:07 sidecar".utf8))
      }
      return dated
    }
    var story = Story(names: ["a.jpg", "b.jpg"], facts: [dated(2017), dated(2016)])
    story.keys(",d")
    #expect(story.shown == [1, 0] && story.browser.missingFacts.isEmpty)
    for (year, order) in [(2015, [0, 1]), (nil, [1, 0])] {
      story.send(.sidecarsChanged([Photo.ID(0)]))
      #expect(story.browser.missingFacts.contains(Photo.ID(0)))
      story.send(.filesRead([(Photo.ID(0), dated(year))]))
      story.wait(6)
      #expect(story.shown == order && story.browser.missingFacts.isEmpty, "\(year ?? 0)")
    }
    story.keys(",l")
    story.send(.sidecarsChanged([Photo.ID(0)]))
    #expect(story.browser.missingFacts == [Photo.ID(0)], "whatever the order needs")
  }

  @Test func `the panel shows words and where a date is from`() throws {
    var information = Information(name: "a.jpg", folderPath: "~")
    var metadata = PhotoMetadata()
    metadata.words = PhotoWords(
      title: "Opening", caption: "A long caption of several words", keywords: ["rome", "summer"])
    information.metadata = metadata
    var time = try #require(TakenTime(iso8601: "2019-07-04T10:11:12.25+02:00"))
    time.source = .sidecar
    information.date = PhotoDate(time)
    let lines = information.texts(in: CellSize(columns: 42, rows: 20), isPlain: true)
    #expect(
      lines == [
        "title     Opening", "caption   A long caption of several words", "keywords  rome, summer",
        "", "taken     2019-07-04 10:11:12.25  +02:00", "          from its sidecar",
        "", "name      a.jpg", "folder    ~", "color     sRGB assumed",
      ])
  }
}
