import Foundation

/// A library of ten years of JPEGs: two thirds are in one folder, the others in a folder for each
/// month; one in eight has no date.
///
/// The photos of a day are hard links to one file, so a million need no more space than ten
/// thousand.
struct LibraryTree {
  /// The folder to browse.
  let path: String
  /// The number of photos.
  let count: Int
  /// The number of photos of the first month.
  private(set) var firstMonthCount = 0
  /// Whether three keywords are in each photo.
  let hasKeywords: Bool

  private static let months = 120
  private static let days = 3600

  /// Makes a library.
  ///
  /// - Parameters:
  ///   - count: The number of photos.
  ///   - photo: A JPEG without EXIF, which gives all photos their pixels.
  ///   - hasKeywords: Whether three keywords are in each photo.
  ///   - base: A folder that does not exist yet.
  /// - Throws: If a file cannot be written.
  init(_ count: Int, of photo: [UInt8], hasKeywords: Bool = false, in base: String) throws {
    self.count = count
    self.hasKeywords = hasKeywords
    path = base + "/library"
    let originals = base + "/originals"
    var folders = [originals, path]
    folders += (0..<Self.months).map { Self.folder(month: $0, in: base + "/library") }
    for folder in folders {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    // Set to a time long ago, so that no file counts as being written.
    var times = [
      timeval(tv_sec: 1_500_000_000, tv_usec: 0), timeval(tv_sec: 1_500_000_000, tv_usec: 0),
    ]
    for day in 0..<Self.days {
      let file = "\(originals)/\(day).jpg"
      let words = hasKeywords ? Self.keywords(day: day) : []
      let dated = photo[..<2] + (Self.date(day: day).map(Self.exif) ?? []) + words + photo[2...]
      guard FileManager.default.createFile(atPath: file, contents: Data(dated)),
        utimes(file, &times) == 0
      else { throw UsageError(message: "\(file): \(String(cString: strerror(errno)))") }
    }
    for number in 0..<count {
      // Not in the order of their names or dates, as cards and synchronizing programs leave them.
      let index = number * 7919 % count
      let day = index * 7 % count * Self.days / count
      if day < Self.days / Self.months, Self.date(day: day) != nil { firstMonthCount += 1 }
      let isInMonth = number % 3 == 0
      let folder = isInMonth ? Self.folder(month: day * Self.months / Self.days, in: path) : path
      let name = String(format: "%@/IMG_%07d.jpg", folder, index)
      guard link("\(originals)/\(day).jpg", name) == 0 else {
        throw UsageError(message: "\(name): \(String(cString: strerror(errno)))")
      }
    }
  }

  /// The paths of all photos.
  var photos: [String] {
    var paths: [String] = []
    for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init()
    where name.hasSuffix(".jpg") {
      paths.append("\(path)/\(name)")
    }
    return paths
  }

  private static func folder(month: Int, in path: String) -> String {
    String(format: "%@/%04d-%02d", path, 2010 + month / 12, month % 12 + 1)
  }

  /// Returns when the photos of a day were taken, as EXIF writes it; nil for one day in eight.
  private static func date(day: Int) -> String? {
    guard day % 25 >= 3 else { return nil }
    return String(
      format: "%04d:%02d:%02d %02d:%02d:00", 2010 + day / 360, day % 360 / 30 + 1, day % 30 + 1,
      day % 24, day % 60)
  }

  /// Returns an XMP segment with three keywords, one of which only the photos of a day have.
  private static func keywords(day: Int) -> [UInt8] {
    let places = ["Rome", "Berlin", "home", "the sea", "mountains"]
    let items = [places[day % 5], "year \(day / 360)", "day \(day)"]
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/">\
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag>\
      \(items.map { "<rdf:li>\($0)</rdf:li>" }.joined())\
      </rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let contents = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet.utf8
    let count = contents.count + 2
    return [0xff, 0xe1, UInt8(count >> 8), UInt8(count & 255)] + contents
  }

  /// Returns an EXIF segment with a camera and a date.
  private static func exif(_ date: String) -> [UInt8] {
    func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    func long(_ value: Int) -> [UInt8] { short(value >> 16) + short(value & 0xffff) }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ offset: Int) -> [UInt8] {
      short(tag) + short(type) + long(count) + long(offset)
    }
    let model = Array("Camera One\0".utf8)
    let texts = 8 + 2 + 2 * 12 + 4
    let second = texts + model.count
    let block =
      Array("MM\0*".utf8) + long(8) + short(2) + entry(0x110, 2, model.count, texts)
      + entry(0x8769, 4, 1, second) + long(0) + model + short(1)
      + entry(0x9003, 2, 20, second + 18) + long(0) + Array(date.utf8) + [0]
    let contents = Array("Exif\0\0".utf8) + block
    return [0xff, 0xe1] + short(contents.count + 2) + contents
  }
}
