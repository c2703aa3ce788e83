import Foundation
import Geometry
import PhotoGridCore
import Photos
import SceneModel

/// Measures the cost of each key typed into a filter or a search of a hundred thousand names.
enum FilterBenchmark {
  /// Prints the processor time of each key, including the next scene and the demands for pictures.
  ///
  /// Three keywords are in each photo, unless the argument is `no-keywords`.
  static func run(_ arguments: [String]) throws {
    guard arguments.isEmpty || arguments == ["no-keywords"] else {
      throw UsageError(message: "the only option is no-keywords")
    }
    print("\(count) names at 200x60, milliseconds a key: handled, next scene and demands")
    print("                                  keys    median       p99       max   shown at the end")
    for (title, setup, text) in cases {
      var session = Session(hasKeywords: arguments.isEmpty)
      session.type(setup)
      session.times = []
      session.type(text)
      // Type and delete: deleting widens the filter again.
      session.type(String(repeating: "\u{7F}", count: text.count - 1))
      let shown = session.browser.items.count
      let name = "\(title): \(text)".padding(toLength: 32, withPad: " ", startingAt: 0)
      print(
        name,
        String(
          format: "%5d %9.2f %9.2f %9.2f %9d", session.times.count, session.times.median,
          session.times.percentile(99), session.times.max() ?? 0, shown))
    }
  }

  private static let count = 100_000
  private static let cases = [
    ("filter", "", "fbeach 2024 jpg"), ("filter", "", "f-beach -type:heic"),
    ("filter, sorted", ",r", "fimg 99 4"), ("find", "", "/img 7777"),
    ("other letters", "", "fété"), ("facts", "", "fsize:>5M date:2024 -portrait"),
    ("camera", "", "fcanon eos"), ("folder", "", "frome trip"),
    ("keyword", "", "fkeyword:sunset"), ("find a keyword", "", "/sunset"),
  ]
  private static let keywords = [
    "sunset", "family", "Rome", "Été", "portrait of ann", "mountains", "night", "beach trip",
  ]

  /// The number of folders, cameras and lenses of the photos.
  private static let textCount = 40

  /// A browser that receives typed keys, and the time that each took.
  private struct Session {
    var browser = Browser(
      options: Browser.Options(), cells: CellSize(columns: 200, rows: 60), metrics: .standard)
    var times: [Double] = []
    private var now = Instant(seconds: 1)

    init(hasKeywords: Bool) {
      var random = SystemRandomNumberGenerator()
      let words = ["IMG", "beach", "Été", "holiday", "DSC", "日本", "Screenshot"]
      let names = (0..<count).flatMap { number -> [UInt8] in
        let word = words.randomElement(using: &random) ?? ""
        let year = Int.random(in: 2015...2025, using: &random)
        return Array("\(word)_\(year)_\(number)\(number % 5 == 0 ? ".HEIC" : ".jpg")".utf8) + [0]
      }
      let photos = (0..<count).map { Photo.ID($0) }
      var start = 0
      for first in stride(from: 0, to: count, by: count / textCount) {
        var end = start
        for _ in 0..<count / textCount { end = (names[end...].firstIndex(of: 0) ?? end) + 1 }
        let folder = Array("2019/\(first % 3 == 0 ? "Rome trip" : "Day") \(first)/".utf8)
        let batch = NameBatch(
          first: photos[first], folder: folder, names: Array(names[start..<end]))
        _ = browser.handle(.named(batch), at: now)
        start = end
      }
      _ = browser.handle(.found(photos), at: now)
      let infos = photos.map { photo in
        var metadata = PhotoMetadata()
        metadata.camera =
          "\(photo.index % 2 == 0 ? "Canon EOS" : "NIKON Z") \(photo.index % textCount)"
        metadata.lens = "\(photo.index % textCount) mm"
        if hasKeywords {
          // One of them is the photo's own.
          let (first, second) = (photo.index % 8, photo.index / 8 % 8)
          metadata.words = PhotoWords(
            keywords: [keywords[first], keywords[second], "number \(photo.index)"])
        }
        return PhotoInfo(
          size: PixelSize(width: 4000, height: Double(2000 + photo.index % 4000)),
          orientation: 1, format: .jpeg,
          stamp: FileStamp(
            byteCount: Int64(photo.index) * 100, modified: Int64(photo.index) * 1_000_000_000),
          taken: TakenTime(iso8601: "20\(10 + photo.index % 16)-05-01T12:00:00"), metadata: metadata
        )
      }
      _ = browser.handle(.filesRead(photos, InfoBlock(infos)), at: now)
      _ = browser.handle(.listed(ListingNotes()), at: now)
    }

    mutating func type(_ text: String) {
      for character in text {
        let key = character == "\u{7F}" ? Key.backspace : .character(character)
        let start = processorSeconds()
        _ = browser.handle(.key(key), at: now)
        let placements = browser.scene(at: now).placements.count + browser.demands.count
        times.append((processorSeconds() - start) * 1000)
        precondition(placements >= 0, "the results must be used, or they are not computed")
        now = now.advanced(bySeconds: 0.1)
      }
    }
  }
}
