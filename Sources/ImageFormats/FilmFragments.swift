/// The length of a film that was recorded in fragments, each of which describes its own pictures
/// (ISO/IEC 14496-12, 8.8).
struct FilmFragments {
  private let file: ByteSource
  /// The track of the pictures, and its units of time in a second.
  private let track: Int
  private let units: Double
  /// The length of a picture whose fragment does not say, in units.
  private let defaultDuration: Int

  /// The most boxes of a file, and the most pictures of a fragment, that are looked at.
  private static let (maxBoxes, maxPictures) = (20_000, 100_000)

  init(_ file: ByteSource, track: Int, units: Int, defaultDuration: Int) {
    self.file = file
    (self.track, self.units) = (track, Double(units))
    self.defaultDuration = defaultDuration
  }

  /// The length in seconds; nil if there are no fragments, or too many to look at.
  var length: Double? {
    var fragments: [Range<Int>] = []
    var indexed: (start: Double, end: Double)?
    var offset = 0
    for _ in 0..<Self.maxBoxes {
      guard let box = ISOBoxes(file: file).box(at: offset, in: 0..<file.count) else {
        return indexed.map { $0.end - $0.start } ?? length(of: fragments)
      }
      if box.type == "moof" { fragments.append(box.contents) }
      if box.type == "sidx", let part = indexedTime(box.contents) {
        indexed = (
          min(indexed?.start ?? part.start, part.start), max(indexed?.end ?? part.end, part.end)
        )
      }
      offset = box.contents.upperBound
    }
    return nil
  }

  /// Returns the times in seconds between which the pictures of a segment index are; nil if it is
  /// damaged.
  private func indexedTime(_ box: Range<Int>) -> (start: Double, end: Double)? {
    let at = box.lowerBound
    guard let version = file.bytes(at: at, count: 1)?[0],
      let scale = file.bigEndian(at: at + 8, bytes: 4), scale > 0,
      let first = file.bigEndian(at: at + 12, bytes: version == 0 ? 4 : 8),
      case let list = at + (version == 0 ? 22 : 30),
      let count = file.bigEndian(at: list, bytes: 2),
      let entries = file.bytes(at: list + 2, count: count * 12)
    else { return nil }
    let sum = stride(from: 4, to: entries.count, by: 12).reduce(0) { sum, at in
      sum + entries[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    return (Double(first) / Double(scale), (Double(first) + Double(sum)) / Double(scale))
  }

  private func length(of fragments: [Range<Int>]) -> Double? {
    guard let first = fragments.first, let last = fragments.last else { return nil }
    if let start = part(first)?.start, let end = part(last), let time = end.start {
      return Double(time - start + end.duration) / units
    }
    return fragments.reduce(0) { $0 + Double(part($1)?.duration ?? 0) } / units
  }

  /// Returns when the pictures of a fragment begin, if it says so, and how long they take, in units;
  /// nil if it has none.
  private func part(_ fragment: Range<Int>) -> (start: Int?, duration: Int)? {
    let boxes = ISOBoxes(file: file)
    for box in boxes.boxes(fragment) where box.type == "traf" {
      let parts = boxes.boxes(box.contents)
      guard let header = parts.first(where: { $0.type == "tfhd" })?.contents.lowerBound,
        let flags = file.bigEndian(at: header, bytes: 4),
        file.bigEndian(at: header + 4, bytes: 4) == track
      else { continue }
      var duration = defaultDuration
      if flags & 8 != 0 {
        let place = header + 8 + (flags & 1 != 0 ? 8 : 0) + (flags & 2 != 0 ? 4 : 0)
        duration = file.bigEndian(at: place, bytes: 4) ?? duration
      }
      let start = parts.first { $0.type == "tfdt" }.flatMap { box -> Int? in
        let at = box.contents.lowerBound
        guard let version = file.bytes(at: at, count: 1)?[0] else { return nil }
        return file.bigEndian(at: at + 4, bytes: version == 1 ? 8 : 4)
      }
      let runs = parts.filter { $0.type == "trun" }.map { run($0.contents, duration) }
      // No film is as long as a damaged header may say.
      return (start.flatMap { $0 < 1 << 53 ? $0 : nil }, runs.reduce(0) { min($0 + $1, 1 << 53) })
    }
    return nil
  }

  /// Returns how long the pictures of a run take, in units.
  private func run(_ box: Range<Int>, _ defaultDuration: Int) -> Int {
    let at = box.lowerBound
    guard let flags = file.bigEndian(at: at, bytes: 4),
      let declared = file.bigEndian(at: at + 4, bytes: 4)
    else { return 0 }
    let count = min(declared, Self.maxPictures)
    guard flags & 0x100 != 0 else { return count * defaultDuration }
    let list = at + 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
    // Each picture has a number of four bytes for each of these flags, of which the duration is first.
    let size = 4 * (flags >> 8 & 15).nonzeroBitCount
    let bytes = file.bytes(at: list, atMost: min(count * size, max(box.upperBound - list, 0))) ?? []
    return stride(from: 0, to: bytes.count - 3, by: size).reduce(0) { sum, at in
      sum + bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
  }
}
