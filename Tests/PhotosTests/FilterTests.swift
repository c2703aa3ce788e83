import TestSupport
import Testing

@testable import Geometry
@testable import Photos

@Suite struct FilterTests {
  /// The photos that the filters of this suite are applied to.
  private static let photos: [(name: String, info: PhotoInfo)] = [
    ("Beach 1.jpg", .made(4000, 3000, bytes: 5_000_000, taken: "2024-05-01T12:30:00")),
    ("beach 2.HEIC", .made(3000, 4000, .heic, bytes: 2_000_000, taken: "2024-08-31T23:59:59")),
    ("not marked.png", .made(500, 500, .png, bytes: 900, taken: nil)),
    ("ÉTÉ.jpeg", .made(6000, 2000, bytes: 12_345_678, taken: "2023-12-31T00:00:00")),
    ("a:b-c.webp", .made(100, 200, .webp, bytes: 800_000, taken: "2024-09-01T00:00:00")),
    ("日本 5.tif", .made(800, 600, .tiff, bytes: 1 << 30, taken: "2024-02-29T08:00:00")),
  ]

  private static let metadata: [PhotoMetadata] = [
    .made("Canon EOS R5", "RF50mm F1.8", 800, 2.8, 50, 1 / 250, isPlaced: true),
    .made("Canon EOS R6", "Sigma 105mm Macro", 6400, 8, 105, 2),
    PhotoMetadata(),
    .made("Pixel 7", nil, 100, 1.85, 6.81, 1 / 2000, profile: "Display P3"),
  ]

  private static func album() -> Album {
    var album = Album()
    album.name(NameBatch(first: Photo.ID(0), folder: [], names: nameBlock(photos.map(\.name))))
    album.extend(by: photos.indices.map { Photo.ID($0) })
    for (number, photo) in photos.enumerated() {
      var info = photo.info
      info.metadata = number < metadata.count ? metadata[number] : PhotoMetadata()
      album.learn(InfoBlock([info]), of: [Photo.ID(number)])
    }
    album.mark([Photo.ID(1), Photo.ID(4)], true)
    return album
  }

  @Test(
    arguments: [
      ("", [0, 1, 2, 3, 4, 5]), ("   ", [0, 1, 2, 3, 4, 5]),
      // Words of the name.
      ("beach", [0, 1]), ("BEACH", [0, 1]), ("ea ch", [0, 1]), ("beach heic", [1]),
      ("name:1 beach", [0]), ("1 beach", [0, 1]), ("\"beach 1\"", [0]), ("\"beach 1", [0]),
      ("\"1 beach\"", []),
      ("été", [3]), ("ÉTÉ", [3]), ("日本", [5]), ("\"日本 5\"", [5]), ("xyz", []),
      ("\"\"", [0, 1, 2, 3, 4, 5]), ("a:b", nil), ("\"a:b\"", [4]), ("b-c", [4]),
      // Negations.
      ("not beach", [2, 3, 4, 5]), ("-beach", [2, 3, 4, 5]), ("!beach", [2, 3, 4, 5]),
      ("NOT beach", [2, 3, 4, 5]), ("not not beach", [0, 1]), ("not -beach", [0, 1]),
      ("not \"beach 1\"", [1, 2, 3, 4, 5]), ("-\"beach 1\"", [1, 2, 3, 4, 5]),
      ("beach -name:1", [1]), ("\"not\"", [2]), ("nothing", []), ("-\"\" beach", [0, 1]),
      // File types.
      ("type:heic", [1]), ("type:HEIC", [1]), ("type:heif", [1]), ("type:jpg", [0, 3]),
      ("type:jpeg,png", [0, 2, 3]), ("-type:jpeg", [1, 2, 4, 5]), ("Type:tif", [5]),
      // Dates.
      ("date:2024", [0, 1, 4, 5]), ("date:2024-05", [0]), ("date:2024-05-01", [0]),
      ("date:2024-5-1", [0]), ("date:2024-05..2024-08", [0, 1]), ("date:2024-05-02", []),
      ("date:2024-09..", [4]), ("date:..2023", [3]), ("date:2023..2024-02-29", [3, 5]),
      ("date:>2024-08", [4]), ("date:>=2024-08", [1, 4]), ("date:<2024", [3]),
      ("date:<=2024-02", [3, 5]), ("date:2023-12-31..2023-12-31", [3]), ("not date:2024", [2, 3]),
      ("date:may-2024", [0]), ("date:May 2024", [0]), ("date:1 May 2024", [0]),
      ("date:may 1, 2024 beach", [0]), ("date:jul2024", []), ("date:2023 photo", []),
      ("beach (date:May 2024 or date:Aug 2024)", [0, 1]), ("date:>=August 2024", [1, 4]),
      ("date:May 2024..Aug 2024 beach", [0, 1]), ("date:May 2024+", [0, 1, 4]),
      ("date:\"May 2024\"", [0]), ("-date:May 2024 beach", [1]),
      ("date:May 2024..April 2024", nil), ("date:1 Mai 2024", nil),
      // Sizes.
      ("size:5M+", [0, 3, 5]),
      ("size:>5M", [3, 5]), ("size:>=5M", [0, 3, 5]), ("size:<900", []), ("size:<=900", [2]),
      ("size:<1k", [2]), ("size:500kB..2MB", [1, 4]), ("size:1GiB..", [5]),
      ("size:..2m", [1, 2, 4]),
      ("size:>1.5M", [0, 1, 3, 5]), ("-size:>1M", [2, 4]), ("size:800000..800000", [4]),
      // Shapes and marks.
      ("landscape", [0, 3, 5]), ("portrait", [1, 4]), ("square", [2]), ("Square", [2]),
      ("-square", [0, 1, 3, 4, 5]), ("marked", [1, 4]), ("not marked", [0, 2, 3, 5]),
      // Alternatives and groups.
      ("beach or été", [0, 1, 3]), ("beach heic or png", [1, 2]), ("beach (heic or png)", [1]),
      ("not (beach or png)", [3, 4, 5]), ("-(beach or png) date:2024", [4, 5]),
      ("not(beach) or name:1", [0, 2, 3, 4, 5]), ("(beach or (png))", [0, 1, 2]),
      ("(beach or (png", nil), ("(", nil),
      // Words of the camera and the lens.
      ("canon", [0, 1]), ("PIXEL", [3]), ("macro canon", [1]), ("-canon", [2, 3, 4, 5]),
      ("name:canon", []), ("name:*.jpg", [0]), ("name:\"beach 1\"", [0]), ("name:\"*\"", []),
      ("()", [0, 1, 2, 3, 4, 5]),
      ("() beach", [0, 1]), ("\"or\"", []), ("\"b\"\"x\"", []),
      // Patterns.
      ("*.jpg", [0]), ("*.jp*g", [0, 3]), ("beach ?", []), ("\"beach \" ???????.?*", [0, 1]),
      ("beach ???????.???", [0]),
      ("be*2", [1]), ("???", [3]), ("*", [0, 1, 2, 3, 4, 5]), ("-*.png", [0, 1, 3, 4, 5]),
      ("path:beach", [0, 1]), ("path:*.tif", [5]),
      // Facts in the files.
      ("width:>4000", [3]), ("width:4000", [0]), ("height:..500", [2, 4]), ("mp:12", [0, 1, 3]),
      ("mp:<1", [2, 4, 5]), ("frames:1", [0, 1, 2, 3, 4, 5]), ("frames:>1", []),
      ("camera:canon", [0, 1]), ("camera:\"eos r5\"", [0]), ("camera:canon*6", [1]),
      ("camera:*", [0, 1, 3]), ("-camera:*", [2, 4, 5]), ("lens:macro", [1]), ("profile:p3", [3]),
      ("iso:>800", [1]), ("iso:800+", [0, 1]), ("iso:+", nil), ("iso:>800+", nil),
      ("iso:100..800+", nil), ("iso:800", [0]), ("iso:100..800", [0, 3]),
      ("-iso:>800", [0, 2, 3, 4, 5]),
      ("f:<2.8", [3]), ("f:2.8", [0]), ("f:<=2.8", [0, 3]), ("f:>2.8", [1]), ("f:<3", [0, 3]),
      ("mm:>50", [1]), ("mm:50", [0]), ("exposure:1/250", [0]), ("exposure:>1/100", [1]),
      ("exposure:<1/200", [0, 3]), ("exposure:2", [1]), ("gps", [0]), ("not gps", [1, 2, 3, 4, 5]),
      ("iso:>800 or f:<2.8 or gps", [0, 1, 3]), ("camera:canon (iso:>800 or gps)", [0, 1]),
      ("\"marked\"", [2]), ("marked type:webp", [4]), ("beach portrait date:2024", [1]),
    ] as [(String, [Int]?)])
  func `a filter shows the photos that match it`(text: String, numbers: [Int]?) throws {
    guard let numbers else {
      #expect(throws: FilterError.self) { try Filter(parsing: text) }
      return
    }
    var album = Self.album()
    album.show(only: try Filter(parsing: text))
    #expect(album.shown.map(\.index) == numbers)
    #expect(album.unknown.isEmpty)
  }

  private static let formats =
    "jpeg, png, gif, webp, tiff, heic, avif, raw, bmp, tga, jxl, jp2, svg, exr, fits, ico, psd, "
    + "pcx, dds, pnm, hdr, xcf, ras, xpm, film, live"

  @Test(arguments: [
    ("not", "character 1: a term is missing after 'not'"),
    ("cat not ", "character 5: a term is missing after 'not'"),
    ("cat -", "character 5: a term is missing after '-'"),
    ("! cat", "character 1: a term is missing after '!'"),
    (
      "datee:2024",
      """
      character 1: unknown field 'datee'. Try: name, path, type, date, \
      changed, size, width, height, mp, frames, length, keyword, title, caption, person, \
      camera, lens, profile, iso, f, mm, exposure, rating, label. Quote a word that contains ':'
      """
    ),
    (
      "cat type:jpgg",
      "character 10: unknown type 'jpgg'. Try: \(formats)"
    ),
    ("type:", "character 6: a type is missing. Try: \(formats)"),
    ("type:png,", "character 10: a type is missing. Try: \(formats)"),
    (
      "label:red,blu",
      """
      character 11: unknown label 'blu'. Try: red, yellow, green, blue, \
      purple, other, none
      """
    ),
    ("cat (dog or cow", "character 5: a ')' is missing"),
    ("date:", "character 6: a value is missing; try 2024-05.. or July 2019"),
    (
      "date:2024-13",
      "character 6: '2024-13' is not a date like 2024, July 2019, 2024-05-31, today, or 2w"
    ),
    (
      "date:2023-02-29",
      "character 6: '2023-02-29' is not a date like 2024, July 2019, 2024-05-31, today, or 2w"
    ),
    ("date:24", "character 6: '24' is not a date like 2024, July 2019, 2024-05-31, today, or 2w"),
    (
      "date:0000",
      "character 6: '0000' is not a date like 2024, July 2019, 2024-05-31, today, or 2w"
    ),
    (
      "date:９９９９",
      "character 6: '９９９９' is not a date like 2024, July 2019, 2024-05-31, today, or 2w"
    ),
    ("date:..", "character 6: a range needs a start or an end"),
    ("date:2024..2023", "character 6: '2024..2023' ends before it begins"),
    ("date:>", "character 6: '' is not a date like 2024, July 2019, 2024-05-31, today, or 2w"),
    ("size:5M", "character 6: '5M' means exactly that size; use >5M, <5M, or 5M+"),
    ("size:>5X", "character 6: '5X' is not a size like 800k, 5M, or 1.5GiB"),
    ("size:>", "character 6: '' is not a size like 800k, 5M, or 1.5GiB"),
    ("size:>-1", "character 6: '-1' is not a size like 800k, 5M, or 1.5GiB"),
    ("size:>1e9", "character 6: '1e9' is not a size like 800k, 5M, or 1.5GiB"),
    (
      "size:>99999999999999999999",
      "character 6: '99999999999999999999' is not a size like 800k, 5M, or 1.5GiB"
    ),
    ("size:2M..1M", "character 6: '2M..1M' ends before it begins"),
    ("or cat", "character 1: 'or' needs a term before it"),
    ("cat OR", "character 5: a term is missing after 'OR'"),
    ("(cat or) dog", "character 6: a term is missing after 'or'"),
    ("cat or or dog", "character 8: 'or' needs a term before it"),
    ("not or", "character 1: a term is missing after 'not'"),
    ("(-)", "character 2: a term is missing after '-'"),
    ("width:abc", "character 7: 'abc' is not a whole number"),
    ("width:", "character 7: a value is missing; try >4000 or 4000+"),
    ("camera:", "character 8: a value is missing; try canon or \"eos r5\""),
    ("f:x", "character 3: 'x' is not a number like 24 or 2.8"),
    ("exposure:1/0", "character 10: '1/0' is not a time like 1/250, 0.5, or 30"),
    ("iso:<1", "character 5: no photo has iso:<1"),
    ("width:<0", "character 7: no photo has width:<0"),
  ])
  func `the error of an invalid filter says what is wrong and where`(text: String, words: String) {
    #expect { try Filter(parsing: text) } throws: { ($0 as? FilterError)?.description == words }
  }

  @Test func `every prefix of a filter is valid, or has an error with a position`() {
    let text = "beach -\"a b\" not type:heic,png date:2024-05..2024-08 size:>=1.5GiB !square"
    for count in 0...text.count {
      do {
        _ = try Filter(parsing: String(text.prefix(count)))
      } catch {
        #expect((1...max(count, 1) + 1).contains(error.position), "\(text.prefix(count)): \(error)")
      }
    }
  }

  @Test func `a photo whose facts are unknown is listed as unknown until its file is read`() throws
  {
    var album = Album()
    album.name(
      NameBatch(first: Photo.ID(0), folder: [], names: nameBlock(["a.jpg", "b.png", "c.jpg", "d"])))
    album.extend(by: (0..<4).map { Photo.ID($0) })

    album.show(only: try Filter(parsing: "*.jpg -portrait"))
    #expect(album.shown.isEmpty)
    #expect(album.unknown.map(\.index) == [0, 2], "the others are out by their names")
    #expect(album.progress.map { [$0.known, $0.total] } == [2, 4])

    album.learn(InfoBlock([PhotoInfo.made(400, 300)]), of: [Photo.ID(2)])
    #expect(album.isStale)
    album.refresh()
    #expect(album.shown.map(\.index) == [2])
    #expect(album.unknown.map(\.index) == [0])

    album.learn(InfoBlock([nil]), of: [Photo.ID(0)])
    album.refresh()
    #expect(album.shown.map(\.index) == [0, 2], "what cannot be read is not portrait")
    #expect(album.progress == nil)
  }

  @Test func `the extension determines the file type until the file is read`() throws {
    var album = Album()
    album.name(
      NameBatch(
        first: Photo.ID(0), folder: [], names: nameBlock(["a.jpg", "b.heif", "c", "d.txt"])))
    album.extend(by: (0..<4).map { Photo.ID($0) })
    album.show(only: try Filter(parsing: "type:jpeg,heic"))
    #expect(album.shown.map(\.index) == [0, 1])
    #expect(album.unknown.isEmpty)

    album.learn(InfoBlock([PhotoInfo.made(1, 1, .png)]), of: [Photo.ID(0)])
    album.learn(InfoBlock([PhotoInfo.made(1, 1, .heic)]), of: [Photo.ID(2)])
    album.refresh()
    #expect(album.shown.map(\.index) == [1, 2])
  }
}

/// Photos that hold their films.
@Suite struct LivePhotoFilterTests {
  @Test(arguments: [
    ("type:film", [1, 2]), ("type:jpeg", [0, 1]), ("type:jpeg type:film", [1]),
    ("type:film -type:jpeg", [2]), ("-type:film", [0]), ("type:live", [1]), ("-type:live", [0, 2]),
    ("type:live,video", [1, 2]), ("type:LIVE -type:video", []),
  ])
  func `a photo that holds its film is found as both`(text: String, numbers: [Int]) throws {
    var album = Album()
    album.name(
      NameBatch(first: Photo.ID(0), folder: [], names: nameBlock(["a.jpg", "b.jpg", "c.mp4"])))
    album.extend(by: (0..<3).map { Photo.ID($0) })
    var live = PhotoInfo.made(4, 4)
    live.holdsFilm = true
    album.learn(
      InfoBlock([PhotoInfo.made(4, 4), live, PhotoInfo.made(4, 4, .film)]),
      of: (0..<3).map { Photo.ID($0) })
    let filter = try Filter(parsing: text)
    album.show(only: filter)
    #expect(album.shown.map(\.index) == numbers)
  }

  @Test func `a photo with its film beside it is live, but no other film and no raw file`() throws {
    var album = Album()
    let names = ["a.heic", "a.mov", "b.jpg", "b.cr2", "c.mov"]
    album.name(NameBatch(first: Photo.ID(0), folder: [], names: nameBlock(names)))
    album.extend(by: names.indices.map { Photo.ID($0) })
    let filter = try Filter(parsing: "type:live")
    album.show(only: filter)
    #expect(album.shown.map(\.index) == [0])
    #expect(album.unknown.map(\.index) == [2, 4], "they may hold their films")
    #expect(filter.description == "type:live")
    album.joinPairs(false)
    album.show(only: filter)
    #expect(album.shown.isEmpty, "each file is a photo of its own")
  }
}

/// Terms that are offered for plain words.
@Suite struct FilterSuggestionTests {
  private static func album() -> Album {
    var album = Album()
    let names = ["video 1.jpg", "Screenshot.png", "c.mp4", "d.heic", "d.mov"]
    album.name(NameBatch(first: Photo.ID(0), folder: [], names: nameBlock(names)))
    album.extend(by: names.indices.map { Photo.ID($0) })
    let infos = [
      PhotoInfo.made(4, 3, taken: "2019-07-14T10:00:00"), .made(4, 3, .png),
      .made(4, 3, .film), .made(4, 3, .heic, taken: "2020-01-01T10:00:00"), .made(4, 3, .film),
    ]
    album.learn(InfoBlock(infos), of: infos.indices.map { Photo.ID($0) })
    for (photo, stars) in [4, 0, 5, 2].enumerated() {
      album.updateRating(of: Photo.ID(photo), Rating(stars: stars))
    }
    return album
  }

  @Test(arguments: [
    ("video", "type:video finds 2; Tab takes it", "type:video"),
    ("cat -Videos", "type:video finds 2; Tab takes it", "cat -type:video"),
    ("live", "type:live finds 1; Tab takes it", "type:live"),
    ("heic", "type:heic finds 1; Tab takes it", "type:heic"),
    ("screenshot", "name:screenshot finds 1; Tab takes it", "name:screenshot"),
    ("unrated", "rating:0 finds 1; Tab takes it", "rating:0"),
    ("4 stars", "rating:4+ finds 2; Tab takes it", "rating:4+"),
    ("cat 2 stars", "rating:2+ finds 3; Tab takes it", "cat rating:2+"),
    ("july 2019", "date:july 2019 finds 1; Tab takes it", "date:july 2019"),
    ("14 July 2019", "date:14 july 2019 finds 1; Tab takes it", "date:14 july 2019"),
    ("2020", "date:2020 finds 1; Tab takes it", "date:2020"),
  ])
  func `a plain word that is a term offers it with its count`(
    text: String, message: String, completed: String
  ) {
    let album = Self.album()
    #expect(album.suggestion(for: text)?.message == message)
    #expect(album.completion(of: text)?.before == completed)
  }

  @Test(arguments: [
    "", "vide", "video ", "\"video", "name:video", "date:July 2019", "type:raw", "raw", "1999",
    "1080", "6 stars", "marked", "(video", "not",
  ])
  func `other words, and terms that find nothing, are not offered`(text: String) {
    #expect(Self.album().suggestion(for: text) == nil)
  }

  @Test func `what is not known yet is not counted`() {
    var album = Album()
    album.name(NameBatch(first: Photo.ID(0), folder: [], names: nameBlock(["a.jpg", "b.jpg"])))
    album.extend(by: [Photo.ID(0), Photo.ID(1)])
    #expect(album.suggestion(for: "unrated")?.message == "Tab takes rating:0")
    album.updateRating(of: Photo.ID(0), Rating(stars: 0))
    #expect(
      album.suggestion(for: "unrated")?.message == "rating:0 finds 1 so far; Tab takes it")
  }
}
