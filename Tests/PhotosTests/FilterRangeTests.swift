import TestSupport
import Testing

@testable import Photos

/// Ranges of numbers in filters: times before 1970, and extreme numbers.
@Suite struct FilterRangeTests {
  private static func album(_ infos: [PhotoInfo]) -> Album {
    var album = Album()
    let names = infos.indices.map { "photo \($0).jpg" }
    album.name(NameBatch(first: Photo.ID(0), folder: [], names: nameBlock(names)))
    album.extend(by: infos.indices.map { Photo.ID($0) })
    for (number, info) in infos.enumerated() {
      album.learn(InfoBlock([info]), of: [Photo.ID(number)])
    }
    return album
  }

  @Test(arguments: [
    ("changed:<=1969", [0, 1]), ("changed:..1969", [0, 1]), ("changed:<1970", [0, 1]),
    ("changed:1969", [1]), ("changed:1969-07", [1]), ("changed:1960..1969", [0, 1]),
    ("changed:1961..1970", [1, 2]), ("changed:<1969", [0]), ("changed:<1960", []),
    ("changed:>1969", [2, 3]), ("changed:>=1969", [1, 2, 3]), ("changed:1961..", [1, 2, 3]),
    ("changed:>=0001", [0, 1, 2, 3]), ("changed:..9999", [0, 1, 2, 3]),
    ("-changed:<=1969", [2, 3]),
  ])
  func `times before 1970 are as good as any others`(text: String, numbers: [Int]) throws {
    // In the middle of July 1960, 1969, 1970 and 2024, so that the time zone does not matter.
    let times = [-298_684_800, -14_688_000, 16_848_000, 1_721_001_600]
    var album = Self.album(times.map { .made(4, 3, modified: $0) })
    album.show(only: try Filter(parsing: text))
    #expect(album.shown.map(\.index) == numbers)
  }

  @Test(arguments: [
    ("changed:1970..1969", "character 9: '1970..1969' ends before it begins"),
    ("width:..0", "character 7: no photo has width:..0"),
    ("rating:<0", "character 8: no photo has rating:<0"),
  ])
  func `ranges that no photo can be in are refused`(text: String, words: String) {
    #expect { try Filter(parsing: text) } throws: { ($0 as? FilterError)?.description == words }
  }

  @Test(arguments: [("rating:..3", [1, 2]), ("rating:<=0", [1]), ("rating:<4", [1, 2])])
  func `a rejected photo has no stars, not fewer than none`(text: String, numbers: [Int]) throws {
    var album = Self.album(Array(repeating: .made(4, 3), count: 4))
    for (photo, stars) in [Rating.rejected, 0, 3, 5].enumerated() {
      album.updateRating(of: Photo.ID(photo), Rating(stars: stars))
    }
    album.show(only: try Filter(parsing: text))
    #expect(album.shown.map(\.index) == numbers)
  }

  @Test(
    arguments: [
      ("length:>1min", [2, 3]), ("length:>1m", [2, 3]), ("length:90sec+", [2, 3]),
      ("length:1minute", [1]), ("length:1hour+", [3]), ("length:1h30mins", [3]),
      ("length:1:30", [2]), ("length:1m30", [2]), ("length:1:30:00", [3]),
    ] as [(String, [Int])])
  func `lengths have the units that people write`(text: String, numbers: [Int]) throws {
    var album = Self.album(
      [10, 60, 90, 5400].map {
        var info = PhotoInfo.made(4, 3, .film)
        info.length = $0
        return info
      })
    album.show(only: try Filter(parsing: text))
    #expect(album.shown.map(\.index) == numbers)
  }

  @Test(arguments: [
    "1mn", "1s1m", "min", "1:", ":30", "1:30m", "1m:30", "1234567", "1mins30h", "1x",
  ])
  func `other lengths are refused`(text: String) {
    #expect(throws: FilterError.self) { try Filter(parsing: "length:\(text)") }
  }

  // MARK: - Random texts

  private static let values = [
    "", "0", "1", "5", "9", "-1", "00", "0.", ".5", ".", "1.2.3", "0.0000000001", "999999999999",
    "9999999999999", String(repeating: "9", count: 400),
    "0.\(String(repeating: "0", count: 400))1", "1e308", "inf", "-inf", "nan", "∞", "٣", "５", "0/1",
    "1/0", "/", "1/", "1/2/3", "0.0000000001/999999999999", "999999999999/0.0000000001", "0k",
    "999999t", "999999999TiB", ".5M", "1ib", "0000", "0001", "1901", "1969", "1970", "1969-12-31",
    "1970-01-01", "2011-12-30", "2024-02-29", "2024-02-30", "9999", "9999-12-31", "99999-1-1",
    "2024-", "--", "july", "July 2019", "14 July 2019", "1min", "90+", "+", "+5",
  ]

  private static func term(_ random: inout SeededGenerator) -> String {
    let field = FilterQuantity.allCases.randomElement(using: &random)?.rawValue ?? ""
    func value() -> String { values.randomElement(using: &random) ?? "" }
    let sign = ["", "", "<", "<=", ">", ">=", "=", "<>"].randomElement(using: &random) ?? ""
    let ends = [value(), "\(value())..", "..\(value())", "\(value())..\(value())"]
    return "\(field):\(sign)\(ends.randomElement(using: &random) ?? "")"
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let links = [" ", " or ", " not ", " -", " (", ") ", "(", ")"]
    let terms = (0..<Int.random(in: 1...3, using: &random)).map { _ in term(&random) }
    return terms.dropFirst().reduce(terms[0]) { text, term in
      text + (links.randomElement(using: &random) ?? " ") + term
    }
  }

  /// An album of photos with the smallest and the largest facts, and with impossible ones.
  private static var extremes: Album {
    let times = [nil, "0001-01-01T00:00:00", "9999-12-31T23:59:60", "1969-12-31T23:59:59"]
    let numbers = [0, Double.leastNonzeroMagnitude, 1, 1e300, .infinity, .nan, -1]
    let whole = [Int.min, -1, 0, 1, Int(Int32.max) + 1, .max]
    var album = Self.album(
      numbers.indices.map { number in
        var info = PhotoInfo.made(
          number == 0 ? 0 : 1e9, number == 0 ? 0 : 1, bytes: whole[number % whole.count],
          modified: whole[number % whole.count], taken: times[number % times.count])
        info.metadata = .made(
          nil, nil, whole[number % whole.count], numbers[number], numbers[number], numbers[number])
        return info
      })
    for stars in Rating.rejected...5 {
      album.updateRating(of: Photo.ID(stars - Rating.rejected), Rating(stars: stars))
    }
    return album
  }

  @Test(arguments: 1...10)
  func `no random filter stops the program, and each photo passes it or its opposite`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let album = Self.extremes
    for _ in 0..<2000 {
      let text = Self.text(&random)
      guard let filter = try? Filter(parsing: text) else { continue }
      let again = try? Filter(parsing: filter.description)
      #expect(again?.expression == filter.expression, "seed \(seed): \(text)")
      let opposite = Filter(text: "", expression: filter.expression.opposite)
      let verdicts = [filter, opposite].map { album.photos(among: album.listing, passing: $0) }
      let passing = verdicts.flatMap { $0.passing.map(\.index) }
      #expect(passing.sorted() == album.listing.map(\.index), "seed \(seed): \(text)")
    }
  }
}
