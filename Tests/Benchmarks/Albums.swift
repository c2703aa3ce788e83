import FactIndex
import Foundation
import Geometry
import PhotoGridCore
import Photos
import SceneModel
import WorkerProtocol
import WorkerRuntime

private let albumCount = 100_000

/// Prints the processor time to lay out 100,000 photos in every layout, and to find those on the screen.
func measureLayouts(_ arguments: Arguments) throws {
  let runs = 1000
  let screen = CellMetrics.standard.size(of: Stage.cells)
  let table = Table(
    "\(albumCount) photos at 200x60, the slowest of \(runs) runs",
    ["laid out ms", "all frames ms", "visible ones us", "neighbor us"], labels: 12)
  for kind in LayoutStyle.Kind.allCases {
    var style = LayoutStyle()
    style.kind = kind
    func make() -> TileLayout {
      style.snapped(albumCount, in: screen, metrics: .standard) { [1.5, 0.75, 1.78][$0 % 3] }
    }
    let layout = make()
    let limit = max(layout.contentHeight - screen.height, 0)
    var checksum = 0.0
    /// The slowest run, after one that is not counted, in milliseconds.
    func slowest(_ body: (Int) -> Void) -> Double {
      body(0)
      return (0..<runs).map { run in processorMilliseconds { body(run) } }.most
    }
    let laidOut = slowest { _ in checksum += make().contentHeight }
    // The program never needs all frames at once; measuring them shows that a layout defers no work.
    let allFrames = processorMilliseconds {
      for index in 0..<albumCount { checksum += layout.frame(at: index).maxX }
    }
    let found = slowest { run in
      let view = PixelRect(
        x: 0, y: limit * Double(run) / Double(runs), width: screen.width, height: screen.height)
      for index in layout.indices(in: view) where layout.frame(at: index).intersects(view) {
        checksum += Double(index)
      }
    }
    let neighbor = slowest { run in
      for direction in Direction.allCases {
        checksum += Double(layout.neighbor(of: albumCount / runs * run, in: direction) ?? 0)
      }
    }
    table.row(
      kind.rawValue,
      [laidOut, allFrames, found * 1000, neighbor / Double(Direction.allCases.count) * 1000])
    precondition(checksum.isFinite, "the results must be used, or they are not computed")
  }
}

/// Finds near duplicates among the hashes of 100,000 photos, joins files to pairs, and photos to stacks.
func measureSimilar(_ arguments: Arguments) throws {
  let table = Table("\(albumCount) photos, milliseconds", ["median", "max"])
  func report(_ name: String, note: () -> String = { "" }, _ body: () -> Void) {
    let times = (0..<5).map { _ in elapsed(body) * 1000 }
    table.row(name, [times.median, times.most], note: note())
  }
  let distance = NearDuplicates.usualDistance
  func random() -> UInt64 { .random(in: .min ... .max) }
  let unrelated = (0..<albumCount).map { _ in DifferenceHash(bits: random()) }
  // They differ in a few bits, ten by ten.
  let bursts = (0..<albumCount / 10).flatMap { _ in
    let first = random()
    return (0..<10).map { _ in
      DifferenceHash(bits: (0..<3).reduce(first) { bits, _ in bits ^ (1 << (random() % 64)) })
    }
  }
  for (name, hashes) in [("unrelated", unrelated), ("bursts of 10", bursts)] {
    var found = 0
    report(
      "near duplicates, \(name)",
      note: { "\(found) groups that differ in at most \(distance) bits" }
    ) { found = NearDuplicates.groups(of: hashes).count }
  }
  let all = photos(0..<albumCount)
  report("the names of JPEGs") { _ = album(["jpg"]) }
  report("the names of raw files and JPEGs") { _ = album(["cr2", "jpg"]) }
  for (title, extensions) in [("JPEGs", ["jpg"]), ("pairs", ["cr2", "jpg"])] {
    var album = album(extensions)
    report("listing \(title)", note: { "\(album.photos.count) tiles" }) {
      album.relist(photos(0..<albumCount))
    }
  }
  report("stacks") {
    _ = StackTable(all, within: 2) {
      StackTable.Shot(camera: UInt16($0.index % 3), time: Int64($0.index / 3 * 7 % 1_000_000))
    }
  }
}

/// An album that knows the names of files.
private func album(_ extensions: [String]) -> Album {
  var album = Album()
  let names = (0..<albumCount).flatMap { number -> [UInt8] in
    let end = extensions[number % extensions.count]
    return Array("IMG_\(number / extensions.count).\(end)".utf8) + [0]
  }
  album.name(NameBatch(first: Photo.ID(0), folder: Array("photos/".utf8), names: names))
  return album
}

/// Prints the processor time in which the index records facts, hashes and ratings of a folder's photos, and reads them.
func measureIndex(_ arguments: Arguments) throws {
  let count = try arguments.count(0, usually: 100_000)
  let scratch = try Scratch(inMemory: true)
  let original = scratch.file("original")
  // Of long ago, so that no file counts as being written.
  try Command.need(["truncate", "--size", "10", original])
  try age([original])
  let folder = try scratch.names(count, of: [original], "photos")
  let paths = try files(in: folder).map { Array($0.utf8) }
  let table = Table("\(count) photos, processor time in milliseconds", [""], labels: 44)
  for name in ["facts", "hashes", "ratings"] {
    let file = IndexFile(folder: Array(scratch.file(name).utf8))
    file.makeFolder()
    let writer = IndexWriter(file)
    let batches = stride(from: 0, to: count, by: 256).map {
      batch(of: name, paths[$0..<min($0 + 256, count)])
    }
    /// Reads a folder, and looks up what is known of each of its files.
    func read(_ title: String) throws {
      var found = 0
      let times = (0..<9).map { _ in
        processorMilliseconds {
          guard let contents = IndexReader(file)?.contents(ofFolder: Array("\(folder)/".utf8))
          else { return found = 0 }
          found = (0..<contents.count).count { index in
            let facts = contents.facts(index)
            let isHashed = facts.isHashKnown && contents.hash(index) != nil
            return facts.isKnown || isHashed || facts.rating != nil
          }
        }
      }
      guard found == count else { throw UsageError("\(found) of \(count) are known") }
      table.row(title, [times.median])
    }
    table.row(
      "recording \(name), 256 at once",
      [processorMilliseconds { for batch in batches { _ = try? writer.record(batch) } }])
    table.row("writing them at the end of the session", [processorMilliseconds { writer.close() }])
    try read("reading \(name)")
  }
}

/// What is recorded of some photos.
private func batch(of kind: String, _ paths: ArraySlice<[UInt8]>) -> PhotoBatch {
  let first = paths.first ?? []
  var photos = PhotoBatch(root: 0, folder: Array(first[..<first.nameStart]))
  var facts = InfoBlock()
  for path in paths {
    photos.append(path[path.nameStart...])
    guard let stamp = FileStamp(of: path) else { continue }
    var row = PackedInfo()
    switch kind {
    case "facts":
      var metadata = PhotoMetadata()
      (metadata.camera, metadata.lens, metadata.aperture) = ("Camera One", "Lens 35mm", 2.8)
      facts.append(
        PhotoInfo(
          size: PixelSize(width: 6000, height: 4000), orientation: 1, format: .jpeg, stamp: stamp,
          taken: TakenTime(iso8601: "2024-05-01T12:30:00"), metadata: metadata))
    case "hashes":
      let bits = path.reduce(UInt64(7)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
      row.stamp = stamp
      row.setHash(DifferenceHash(bits: bits))
      facts.append(row, hash: DifferenceHash(bits: bits))
    default:
      row.rating = Rating(stars: 3)
      facts.append(row, ratingStamp: 7)
    }
  }
  photos.facts = facts
  return photos
}

extension Browser {
  /// Types a text; returns the processor time of each key in milliseconds, with something to draw that is counted.
  fileprivate mutating func type(
    _ text: String, at now: inout Instant, count: (Browser) -> Int
  ) -> [Double] {
    text.map { character in
      let time = processorMilliseconds {
        _ = handle(.key(character == "\u{7F}" ? .backspace : .character(character)), at: now)
        precondition(count(self) >= 0, "the results must be used, or they are not computed")
      }
      now = now.advanced(bySeconds: 0.1)
      return time
    }
  }
}

/// Prints the processor time of opening the palette and of each key typed into it, with the list to draw.
func measurePalette(_ arguments: Arguments) throws {
  let table = Table("milliseconds a key at 200x60, with the list")
  for (title, texts) in [
    ("open", [":"]), ("words", [":delete", ":sort by date", ":fold bursts", ":favourite"]),
    ("typing errors", [":slidshow", ":compaer", ":xyzxyz"]),
    ("a line of 400 letters", [":" + String(repeating: "s g r ", count: 66)]),
  ] {
    let times = Array(repeating: texts, count: 20).joined().flatMap { text in
      var stage = Stage(Stage.kitty())
      stage.tell(.found(photos(0..<1000)), .listed(ListingNotes()))
      let keys = stage.browser.type(text, at: &stage.now) { $0.panel?.lines.count ?? 0 }
      // The first key of several opens it.
      return keys.count > 1 ? keys.dropFirst() : keys[...]
    }
    table.row(title, times.spread)
  }
}

/// Types into a filter or a search of 100,000 names, and deletes again, with the next scene and the demands for pictures.
func measureFiltering(_ arguments: Arguments) throws {
  let table = Table(
    "100,000 names at 200x60, milliseconds a key: handled, next scene and demands",
    Table.spread + ["keys", "shown at the end"])
  for (title, setup, text) in [
    ("filter", "", "fbeach 2024 jpg"), ("filter", "", "f-beach -type:heic"),
    ("filter, sorted", ",r", "fimg 99 4"), ("find", "", "/img 7777"),
    ("other letters", "", "fété"), ("facts", "", "fsize:>5M date:2024 -portrait"),
    ("camera", "", "fcanon eos"), ("folder", "", "frome trip"),
    ("keyword", "", "fkeyword:sunset"), ("find a keyword", "", "/sunset"),
  ] {
    var (browser, now) = (
      namedBrowser(hasKeywords: !arguments.has("no-keywords")), Instant(seconds: 1)
    )
    func type(_ text: String) -> [Double] {
      browser.type(text, at: &now) { [now] in $0.scene(at: now).placements.count + $0.demands.count
      }
    }
    _ = type(setup)
    // Deleting widens the filter again.
    let times = type(text + String(repeating: "\u{7F}", count: text.count - 1))
    table.row(
      "\(title): \(text)", times.spread + [Double(times.count), Double(browser.items.count)])
  }
}

/// A browser of many photos in forty folders, with forty cameras and lenses.
private func namedBrowser(hasKeywords: Bool) -> Browser {
  var browser = Browser(options: Browser.Options(), cells: Stage.cells, metrics: .standard)
  let (count, textCount, now) = (100_000, 40, Instant(seconds: 1))
  let words = ["IMG", "beach", "Été", "holiday", "DSC", "日本", "Screenshot"]
  let keywords = [
    "sunset", "family", "Rome", "Été", "portrait of ann", "mountains", "night", "beach trip",
  ]
  for first in stride(from: 0, to: count, by: count / textCount) {
    let names = (first..<first + count / textCount).flatMap { number -> [UInt8] in
      let (word, year) = (words.randomElement() ?? "", Int.random(in: 2015...2025))
      return Array("\(word)_\(year)_\(number)\(number % 5 == 0 ? ".HEIC" : ".jpg")".utf8) + [0]
    }
    let folder = Array("2019/\(first % 3 == 0 ? "Rome trip" : "Day") \(first)/".utf8)
    let batch = NameBatch(first: Photo.ID(first), folder: folder, names: names)
    _ = browser.handle(.named(batch), at: now)
  }
  let infos = (0..<count).map { number in
    var metadata = PhotoMetadata()
    metadata.camera = "\(number % 2 == 0 ? "Canon EOS" : "NIKON Z") \(number % textCount)"
    metadata.lens = "\(number % textCount) mm"
    if hasKeywords {
      // One of them is the photo's own.
      metadata.words = PhotoWords(
        keywords: [keywords[number % 8], keywords[number / 8 % 8], "number \(number)"])
    }
    return PhotoInfo(
      size: PixelSize(width: 4000, height: Double(2000 + number % 4000)), orientation: 1,
      format: .jpeg,
      stamp: FileStamp(byteCount: Int64(number) * 100, modified: Int64(number) * 1_000_000_000),
      taken: TakenTime(iso8601: "20\(10 + number % 16)-05-01T12:00:00"), metadata: metadata)
  }
  for event in [
    Event.found(photos(0..<count)), .filesRead(photos(0..<count), InfoBlock(infos)),
    .listed(ListingNotes()),
  ] { _ = browser.handle(event, at: now) }
  return browser
}
