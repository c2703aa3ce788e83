import TestSupport
import Testing

@testable import Geometry
@testable import PhotoGridCore
@testable import Photos
@testable import SceneModel

@Suite(.traced) struct InformationTests {
  init() { UTF8Locale.use() }

  static var known: Information {
    var information = Information(name: "lighthouse.jpg", folderPath: "holidays")
    information.info = PhotoInfo(
      size: PixelSize(width: 6000, height: 4000), orientation: 1, format: .jpeg,
      byteCount: 8_400_000, modified: 1_714_566_600, taken: "2024-05-01T12:30:00",
      isIncomplete: false)
    information.modified = "2024-05-02 08:00:00"
    information.date = PhotoDate(TakenTime(digits: 2024_0501_123000), from: .metadata)
    var metadata = PhotoMetadata()
    metadata.camera = "Canon EOS R5"
    metadata.lens = "RF24-105mm F4 L IS USM"
    metadata.exposureTime = 0.004
    metadata.aperture = 2.8
    metadata.sensitivity = 400
    metadata.focalLength = 35
    metadata.location = PhotoMetadata.Location(latitude: 48.8583, longitude: -2.2945)
    metadata.profile = "Display P3"
    information.metadata = metadata
    return information
  }

  /// A picture whose columns of pixels have these gray values.
  static func gray(_ values: [UInt8]) -> Mipmap {
    Mipmap(
      Bitmap(
        width: values.count, height: 1, pixels: values.flatMap { [$0, $0, $0, 255] },
        isOpaque: true))
  }

  private func text(_ information: Information, _ columns: Int, _ rows: Int, isPlain: Bool = false)
    -> String
  {
    information.texts(in: CellSize(columns: columns, rows: rows), isPlain: isPlain)
      .joined(separator: "\n")
  }

  @Test func `the raw files of a pair and the film of a live photo are named`() {
    var information = Information(name: "b.jpg", folderPath: "lib")
    information.rawFiles = ["b.CR2"]
    #expect(text(information, 36, 9).contains("raw file  b.CR2"))
    information.film = "b.MOV"
    #expect(text(information, 36, 9).contains("raw file  b.CR2\nvideo     b.MOV"))
  }

  @Test func `the video inside a photo is named, with its length once that is known`() {
    var information = Information(name: "b.jpg", folderPath: "lib")
    information.info = PhotoInfo.made(4, 4)
    #expect(!text(information, 36, 9).contains("video"))
    information.info?.holdsFilm = true
    #expect(text(information, 36, 9).contains("video     inside the photo"))
    information.metadata = PhotoMetadata()
    information.metadata?.filmLength = 2.9
    #expect(text(information, 36, 20).contains("video     inside the photo  0:03"))
  }

  @Test func `known facts are written as photographers write them`() {
    #expect(
      text(Self.known, 36, 21) == """
        taken     2024-05-01 12:30:00
        place     48.8583° N  2.2945° W
        camera    Canon EOS R5
        lens      RF24-105mm F4 L IS USM
        exposure  1/250 s  f/2.8  ISO 400
                  35 mm

        name      lighthouse.jpg
        folder    holidays
        size      6000×4000  24 MP  8.4 MB
        format    JPEG
        color     Display P3
        changed   2024-05-02 08:00:00
        """)
  }

  @Test func `the histogram fills the remaining room`() {
    var information = Self.known
    information.histogram = Histogram(
      Self.gray((0...255).flatMap { Array(repeating: UInt8($0), count: $0 < 128 ? 2 : 1) }))
    let lines = information.texts(in: CellSize(columns: 36, rows: 21), isPlain: false)
    #expect(lines.count == 13 + 1 + 6)
    #expect(lines.suffix(6).allSatisfy { $0.count == 36 })
    #expect(lines.last == String(repeating: "█", count: 36))
    let plain = information.texts(in: CellSize(columns: 36, rows: 21), isPlain: true)
    #expect(plain.allSatisfy { $0.utf8.allSatisfy { (0x20..<0x7f).contains($0) } }, "\(plain)")
    // With too little room it is left out rather than flattened.
    #expect(information.texts(in: CellSize(columns: 36, rows: 15), isPlain: false).count == 12)
  }

  @Test func `the panel fits in rooms of all sizes`() {
    var information = Self.known
    information.metadata?.lens = String(repeating: "漢字", count: 60)
    information.histogram = Histogram(Self.gray([0, 90, 200]))
    for columns in 1...44 {
      for rows in 1...24 {
        for isPlain in [false, true] {
          let room = CellSize(columns: columns, rows: rows)
          let panel = information.panel(in: room, isPlain: isPlain)
          let widths = panel.lines.map { CellText($0).width } + [CellText(panel.title).width]
          #expect(widths.allSatisfy { $0 <= columns }, "\(columns)x\(rows): \(panel)")
          #expect(panel.lines.count <= rows, "\(columns)x\(rows)")
        }
      }
    }
  }

  @Test func `labels and the histogram are dimmed, and the name of the panel is not`() {
    var information = Self.known
    information.histogram = Histogram(Self.gray([0, 90, 200]))
    let panel = information.panel(in: CellSize(columns: 36, rows: 21), isPlain: false)
    #expect(panel.title == "Information" && panel.spans.allSatisfy { $0.style == .dimmed })
    #expect(
      panel.spans.map(\.columns.upperBound) == Array(repeating: 10, count: 6)
        + [0] + Array(repeating: 10, count: 6) + [0] + Array(repeating: 36, count: 6))
  }

  @Test func `a small terminal shows the first facts`() {
    let small = text(Self.known, 20, 9)
    #expect(small.split(separator: "\n").count == 9)
    #expect(
      small.hasPrefix("2024-05-01 12:30:00\n48.8583° N\n2.2945° W\nCanon EOS R5\n"), "\(small)")
  }

  @Test func `unknown facts are left out, and appear once they are known`() {
    var information = Information(name: "a.jpg", folderPath: "~")
    #expect(text(information, 36, 21) == "camera    …\n\nname      a.jpg\nfolder    ~")
    information.metadata = PhotoMetadata()
    #expect(text(information, 36, 21) == "name      a.jpg\nfolder    ~\ncolor     sRGB assumed")
    information.failure = "not an image"
    #expect(text(information, 36, 21).hasPrefix("error     not an image\n"))
  }

  @Test func `an impossible date is left out`() {
    var information = Self.known
    information.date = TakenTime(iso8601: "9999-99-99T99:99:99").map {
      PhotoDate($0, from: .metadata)
    }
    #expect(!text(information, 36, 21).contains("9999"))
  }

  @Test(
    arguments: [
      (0.000125, "1/8000 s"), (0.004, "1/250 s"), (0.3334, "0.3 s"), (0.29, "1/3 s"),
      (0.8, "0.8 s"), (1.0, "1 s"), (2.5, "2.5 s"), (30.0, "30 s"), (1e-7, "1/10000000 s"),
    ] as [(Double, String)])
  func `exposure times are fractions or decimals of a second`(seconds: Double, words: String) {
    #expect(Information.exposureTime(seconds) == words)
  }

  @Test(
    arguments: [
      (2.8, 1, "2.8"), (8, 1, "8"), (0.95, 1, "1"), (-1.25, 2, "-1.25"), (0.00001, 5, "0.00001"),
      (.nan, 1, "?"), (.infinity, 1, "?"), (1e300, 1, "?"), (179.999999, 5, "180"),
    ] as [(Double, Int, String)])
  func `numbers are rounded and lose trailing zeros, and invalid ones are a question mark`(
    value: Double, decimals: Int, words: String
  ) {
    #expect(Information.number(value, decimals: decimals) == words)
  }

  // MARK: - Histogram

  @Test func `a histogram counts the pixels of each brightness`() {
    let histogram = Histogram(Self.gray([0, 0, 128, 255]))
    #expect(histogram.counts[0] == 2 && histogram.counts[128] == 1 && histogram.counts[255] == 1)
    #expect(histogram.counts.reduce(0, +) == 4)
  }

  @Test func `green counts as bright, blue as dark, and transparent pixels do not count`() {
    let histogram = Histogram(
      Mipmap(
        Bitmap(
          width: 3, height: 1, pixels: [0, 255, 0, 255, 0, 0, 255, 255, 0, 0, 0, 0],
          isOpaque: false)))
    #expect(histogram.counts.indices.filter { histogram.counts[$0] > 0 } == [19, 182])
  }

  @Test func `the columns of a histogram are drawn in eighths of a cell`() {
    // Four columns of 64 values: 8, 4, 1 and no pixels.
    let values = [0, 0, 0, 0, 0, 0, 0, 0, 70, 70, 70, 70, 140].map { UInt8($0) }
    let drawn = Histogram(Self.gray(values)).drawn(columns: 4, rows: 2, isPlain: false)
    // The column of black is cut to the height of the others.
    #expect(drawn == ["██  ", "██▄ "])
    #expect(
      Histogram(Self.gray(values)).drawn(columns: 4, rows: 2, isPlain: true) == ["##  ", "##: "])
  }

  @Test func `a picture of one tone has one column, and a transparent one has none`() {
    #expect(
      Histogram(Self.gray([0])).drawn(columns: 4, rows: 1, isPlain: true) == ["#   "])
    let clear = Mipmap(Bitmap(width: 1, height: 1, pixels: [0, 0, 0, 0], isOpaque: false))
    #expect(Histogram(clear).drawn(columns: 4, rows: 1, isPlain: true) == ["    "])
    #expect(Histogram(clear).heights(columns: 0).isEmpty)
  }
}

@Suite(.traced) struct MetadataTests {
  @Test func `text from files becomes printable and short`() {
    func text(_ string: String) -> String? { PhotoMetadata.text(Array(string.utf8)) }
    #expect(text("Canon\0garbage") == "Canon")
    #expect(text("  NIKON   D850  \0\0") == "NIKON D850")
    #expect(text("\u{1B}[2Jred\u{9B}31m\u{7}") == "?[2Jred?31m?")
    #expect(text("abc\u{202E}gpj") == "abc\u{FFFD}gpj")
    #expect(text("") == nil && text("\0x") == nil && text("   ") == nil)
    #expect(text(String(repeating: "x", count: 10_000))?.count == 120)
    let marks = "a" + String(repeating: "\u{301}", count: 10_000)
    #expect(text(marks)?.utf8.count ?? .max <= 480)
    #expect(PhotoMetadata.text([0xff, 0xfe, 0x41]) == "\u{FFFD}\u{FFFD}A")
  }

  @Test func `text that was made printable does not change when made printable again`() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...900, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      guard let text = PhotoMetadata.text(bytes) else { continue }
      #expect(PhotoMetadata.text(Array(text.utf8)) == text)
    }
  }

  @Test func `a camera's maker is named once`() {
    #expect(PhotoMetadata.camera(make: "Canon", model: "Canon EOS R5") == "Canon EOS R5")
    #expect(PhotoMetadata.camera(make: "NIKON CORPORATION", model: "NIKON D850") == "NIKON D850")
    #expect(PhotoMetadata.camera(make: "FUJIFILM", model: "X-T5") == "FUJIFILM X-T5")
    #expect(PhotoMetadata.camera(make: "Apple", model: nil) == "Apple")
    #expect(PhotoMetadata.camera(make: nil, model: nil) == nil)
  }

  @Test func `impossible coordinates are rejected`() {
    #expect(PhotoMetadata.Location(latitude: 90.1, longitude: 0) == nil)
    #expect(PhotoMetadata.Location(latitude: 0, longitude: -181) == nil)
    #expect(PhotoMetadata.Location(latitude: .nan, longitude: 0) == nil)
    #expect(PhotoMetadata.Location(latitude: -90, longitude: 180) != nil)
    #expect(PhotoMetadata.Location.degrees([48, 30, 36], isNegative: true) == -48.51)
    #expect(PhotoMetadata.Location.degrees([999, 0, 0], isNegative: false) == nil)
    #expect(PhotoMetadata.Location.degrees([48, 75, 0], isNegative: false) == nil)
    #expect(PhotoMetadata.Location.degrees([48, 30], isNegative: false) == nil)
    #expect(PhotoMetadata.Location.degrees([-1, 0, 0], isNegative: false) == nil)
  }

  @Test func `impossible settings of a camera are dropped`() {
    var metadata = PhotoMetadata()
    metadata.exposureTime = 0
    metadata.aperture = .infinity
    metadata.focalLength = -35
    metadata.sensitivity = 0
    #expect(metadata.checked == PhotoMetadata())
  }
}

/// The information panel in the browser.
@Suite(.traced) struct InformationStoryTests {
  @Test func `i opens and closes the panel, which follows the selection and the open photo`() {
    var story = Story(photos: 5)
    #expect(story.browser.inspectedPhoto == nil)
    story.keys("i")
    #expect(story.browser.inspectedPhoto == Photo.ID(0))
    story.keys("l")
    #expect(story.browser.inspectedPhoto == Photo.ID(1))
    story.send(.key(.enter))
    story.keys("n")
    #expect(story.browser.inspectedPhoto == Photo.ID(2))
    story.keys("?")
    #expect(story.browser.inspectedPhoto == nil, "the help lies over it")
    story.keys("?i")
    #expect(story.browser.inspectedPhoto == nil)
  }

  @Test func `the panel is hidden during a slideshow`() {
    var story = Story(photos: 5)
    story.keys("is")
    #expect(story.browser.inspectedPhoto == nil)
    story.keys("x")
    #expect(story.browser.inspectedPhoto == Photo.ID(0))
  }

  @Test func `the panel is at the right, unless it would hide the selected tile there`() throws {
    var story = Story(photos: 50, columns: 100, rows: 31)
    story.keys("i")
    let room = try #require(story.browser.viewport.informationSize)
    let panel = InformationTests.known.panel(in: room, isPlain: false)
    #expect(story.browser.position(of: panel) == .right)
    for _ in 0..<10 where story.browser.position(of: panel) == .right { story.keys("l") }
    #expect(story.browser.position(of: panel) == .left)
    story.send(.key(.enter))
    #expect(story.browser.position(of: panel) == .right)
  }

  @Test(arguments: [(80, 24, 36), (40, 12, 20), (20, 6, 16), (6, 4, 2)])
  func `the panel's room depends on the size of the terminal`(columns: Int, rows: Int, width: Int) {
    let story = Story(photos: 1, columns: columns, rows: rows)
    #expect(
      story.browser.viewport.informationSize == CellSize(columns: width, rows: rows - 3))
  }

  @Test(arguments: [(4, 10), (0, 0), (80, 3), (80, 1)])
  func `a terminal that is too small has no room for the panel`(columns: Int, rows: Int) {
    #expect(Story(photos: 1, columns: columns, rows: rows).browser.viewport.informationSize == nil)
  }
}

extension Information {
  /// Returns the lines of the panel as text.
  func texts(in room: CellSize, isPlain: Bool) -> [String] {
    lines(in: room, isPlain: isPlain).map { $0.dimmed + $0.text }
  }
}
