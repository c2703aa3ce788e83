import Geometry
import Photos

/// The facts in the head of a film's container: of MP4 and QuickTime (ISO/IEC 14496-12, QuickTime
/// File Format), of Matroska and WebM (RFC 9559), and of AVI.
///
/// Only the boxes with these facts are read, not the pictures, and a limited number of them.
package struct FilmFacts {
  package enum Container: Sendable { case mp4, matroska, avi }

  /// A transfer function of films with a high dynamic range, by its number (ITU-T H.273, table 3).
  package enum Transfer: Int, Sendable {
    /// PQ (SMPTE ST 2084).
    case perceptual = 16
    /// HLG (ARIB STD-B67).
    case hybrid = 18
  }

  package private(set) var container = Container.mp4
  /// The size of the upright picture, in pixels.
  package private(set) var (width, height) = (0, 0)
  /// The length, in seconds; nil if the container does not say.
  package private(set) var length: Double?
  /// The frames per second, on average; nil if the container does not say.
  package private(set) var frameRate: Double?
  /// When it was taken, on the camera's clock or else on this system's.
  package private(set) var taken: TakenTime?
  /// The name of the codec of the pictures.
  package private(set) var codec: String?
  /// How numbers stand for brightness; nil for the range of usual screens.
  package private(set) var transfer: Transfer?
  package private(set) var camera: String?
  package private(set) var location: PhotoMetadata.Location?
  /// The facts in the film's XMP packet; empty without a packet.
  package private(set) var xmp = XMPFacts()

  private let file: ByteSource
  private var (make, model): (String?, String?)

  /// The most boxes that are read at one level.
  private static let maxBoxes = 1000
  /// The most bytes of a text.
  private static let maxTextBytes = 256
  /// The longest side, in pixels.
  private static let maxSide = 32_768
  /// The seconds from 1904, from which the ISO base media format counts, to 1970.
  static let secondsBefore1970 = 2_082_844_800
  /// Cameras whose clock was never set write zeros, which are 1904, 1970 or 2001; in seconds since 1970.
  static let earliest = 978_400_000
  /// Longer films are taken for damaged headers, in seconds.
  private static let maxLength = 1e7

  /// Reads the head of a film.
  ///
  /// - Throws: `FailureReason` if it has no pictures, or the file ends before its head is complete.
  package init(_ file: ByteSource) throws(FailureReason) {
    self.file = file
    let head = file.bytes(at: 0, atMost: 12) ?? []
    if head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) {
      container = .matroska
      try readMatroska()
    } else if head.starts(with: "RIFF".utf8) {
      container = .avi
      try readAVI()
    } else {
      try readMP4()
    }
    guard (1...Self.maxSide).contains(width), (1...Self.maxSide).contains(height) else {
      throw .decoder("the picture size is missing")
    }
    camera = PhotoMetadata.camera(make: make, model: model)
    if let known = length, !(known > 0 && known < Self.maxLength) { length = nil }
    // A time between frames of less than a millisecond, or of more than ten seconds, is damaged.
    if let known = frameRate, !(known >= 0.1 && known <= 1000) { frameRate = nil }
  }

  private typealias Part = ISOBoxes.Box

  private func text(_ range: Range<Int>) -> String? {
    PhotoMetadata.text(
      file.bytes(at: range.lowerBound, count: min(range.count, Self.maxTextBytes)) ?? [])
  }

  /// Sets the time from seconds since 1970, as long as no other time is known.
  private mutating func setTaken(seconds: Int) {
    guard taken == nil, seconds > Self.earliest else { return }
    taken = TakenTime(localSeconds: Int64(seconds))
  }

  private mutating func setPlace(_ text: String?) {
    // ISO 6709: "+48.8566+002.3522+035.000/".
    guard location == nil, let text else { return }
    var numbers: [String] = []
    for character in text.prefix(40) {
      if character == "+" || character == "-" { numbers.append("") }
      guard !numbers.isEmpty, character != "/" else { break }
      numbers[numbers.count - 1].append(character)
    }
    guard numbers.count >= 2, let latitude = Double(numbers[0]), let longitude = Double(numbers[1])
    else { return }
    location = PhotoMetadata.Location(latitude: latitude, longitude: longitude)
  }

  /// The names of codecs, and the codes that containers have for them.
  private static let codecs: [(name: String, codes: [String])] = [
    ("H.264", ["avc1", "avc3", "H264", "X264", "x264", "V_MPEG4/ISO/AVC"]),
    ("HEVC", ["hvc1", "hev1", "dvh1", "dvhe", "HEVC", "V_MPEGH/ISO/HEVC"]),
    ("VP8", ["vp08", "VP80", "V_VP8"]), ("VP9", ["vp09", "VP90", "V_VP9"]),
    ("AV1", ["av01", "AV01", "V_AV1"]),
    ("MPEG-4", ["mp4v", "XVID", "xvid", "DIVX", "DX50", "FMP4", "V_MPEG4/ISO/ASP"]),
    ("MJPEG", ["jpeg", "mjpa", "mjpb", "MJPG", "mjpg", "V_MJPEG"]),
    ("ProRes", ["apcn", "apch", "apcs", "apco", "ap4h", "ap4x", "V_PRORES"]),
  ]

  private mutating func setCodec(_ code: String?) {
    codec = Self.codecs.first { $0.codes.contains(code ?? "") }?.name ?? code
  }

  // MARK: - MP4 and QuickTime

  private func boxes(_ range: Range<Int>) -> [Part] { ISOBoxes(file: file).boxes(range) }

  private func box(_ type: String, in parts: [Part]) -> Range<Int>? {
    parts.first { $0.type == type }?.contents
  }

  private mutating func readMP4() throws(FailureReason) {
    let all = boxes(0..<file.count)
    // A recording that was broken off has no index.
    guard let movie = box("moov", in: all) else { throw .truncated }
    let parts = boxes(movie)
    let scale = readMovieHeader(parts)
    var hasPictures = false
    for track in parts where track.type == "trak" && !hasPictures {
      let contents = boxes(track.contents)
      hasPictures = readTrack(contents, scale)
      if hasPictures, let extended = box("mvex", in: parts) {
        readFragments(contents, boxes(extended), scale)
      }
    }
    readTexts(parts)
    for extras in parts where extras.type == "udta" { readTexts(boxes(extras.contents)) }
    if let header = box("mvhd", in: parts),
      let created = number(at: header.lowerBound, ofTwo: 4, 4)
    {
      // Seconds since 1904, in UTC.
      setTaken(seconds: created - Self.secondsBefore1970)
    }
    guard hasPictures else { throw .soundOnly }
    if let packet = FilmXMP.packet(in: file) { xmp = XMPFacts(packet) }
  }

  /// Returns a number in a box whose fields before it have one size in version 0 and another one in
  /// version 1, where it has 8 bytes unless told otherwise.
  private func number(at start: Int, ofTwo old: Int, _ new: Int, bytes: Int = 8) -> Int? {
    guard let version = file.bytes(at: start, count: 1)?[0] else { return nil }
    return version == 1
      ? file.bigEndian(at: start + new, bytes: bytes) : file.bigEndian(at: start + old, bytes: 4)
  }

  /// Reads the length, and returns the units of time in a second.
  private mutating func readMovieHeader(_ parts: [Part]) -> Double? {
    guard let header = box("mvhd", in: parts)?.lowerBound,
      let version = file.bytes(at: header, count: 1)?[0],
      let units = file.bigEndian(at: header + (version == 1 ? 20 : 12), bytes: 4), units > 0
    else { return nil }
    if let duration = number(at: header, ofTwo: 16, 24), duration != 0xffff_ffff {
      length = Double(duration) / Double(units)
    }
    return Double(units)
  }

  /// Sets the length of a film in fragments from the header that may tell it, or else from the
  /// fragments of the pictures' track.
  ///
  /// - `extended`: The boxes that announce fragments.
  private mutating func readFragments(_ track: [Part], _ extended: [Part], _ scale: Double?) {
    if let header = box("mehd", in: extended)?.lowerBound,
      let duration = number(at: header, ofTwo: 4, 4), duration > 0, let scale
    {
      length = Double(duration) / scale
      return
    }
    guard let header = box("tkhd", in: track)?.lowerBound,
      let id = number(at: header, ofTwo: 12, 20, bytes: 4),
      let media = box("mdia", in: track).flatMap({ box("mdhd", in: boxes($0)) })?.lowerBound,
      let units = number(at: media, ofTwo: 12, 20, bytes: 4), units > 0
    else { return }
    let defaults = extended.first {
      $0.type == "trex" && file.bigEndian(at: $0.contents.lowerBound + 4, bytes: 4) == id
    }
    let duration = defaults.flatMap { file.bigEndian(at: $0.contents.lowerBound + 12, bytes: 4) }
    let fragments = FilmFragments(file, track: id, units: units, defaultDuration: duration ?? 0)
    if let whole = fragments.length { length = max(length ?? 0, whole) }
  }

  /// Reads a track; returns whether it is one of pictures.
  private mutating func readTrack(_ parts: [Part], _ scale: Double?) -> Bool {
    guard let media = box("mdia", in: parts).map(boxes),
      let handler = box("hdlr", in: media)?.lowerBound,
      file.bytes(at: handler + 8, count: 4)?.elementsEqual("vide".utf8) == true,
      let table = box("minf", in: media).map(boxes).flatMap({ box("stbl", in: $0) }).map(boxes),
      let entry = box("stsd", in: table)?.lowerBound,
      let code = file.bytes(at: entry + 12, count: 4),
      let (stored, rows) = pair(at: entry + 40, bytes: 2)
    else { return false }
    setCodec(PhotoMetadata.text(code))
    (width, height) = (stored, rows)
    let shape = readEntry(at: entry + 8)
    readRate(media, table)
    guard let header = box("tkhd", in: parts)?.lowerBound,
      let version = file.bytes(at: header, count: 1)?[0]
    else { return true }
    // The display matrix and the size to which the picture is stretched, in 1/65,536.
    let matrix = header + (version == 1 ? 52 : 40)
    if let (shown, tall) = pair(at: matrix + 36, bytes: 4), shown >> 16 > 0, tall >> 16 > 0 {
      (width, height) = (shown >> 16, tall >> 16)
    }
    if (width, height) == (stored, rows), let (across, down) = shape {
      // Pixels are not square, and the size to which the picture is stretched does not say so.
      width = Int((Double(width) * Double(across) / Double(down)).rounded())
    }
    if file.bigEndian(at: matrix, bytes: 4) == 0, file.bigEndian(at: matrix + 16, bytes: 4) == 0 {
      (width, height) = (height, width)
    }
    return true
  }

  /// Reads the boxes after the fields of a sample description; returns the sides of a pixel if it has any.
  private mutating func readEntry(at offset: Int) -> (Int, Int)? {
    // The fields of a description of pictures take 86 bytes.
    guard let length = file.bigEndian(at: offset, bytes: 4), length > 86 else { return nil }
    let parts = boxes((offset + 86)..<min(offset + length, max(file.count, offset + 86)))
    if let color = box("colr", in: parts)?.lowerBound,
      file.bytes(at: color, count: 3)?.elementsEqual("ncl".utf8) == true
    {
      transfer = file.bigEndian(at: color + 6, bytes: 2).flatMap(Transfer.init)
    }
    guard let shape = box("pasp", in: parts)?.lowerBound,
      let (across, down) = pair(at: shape, bytes: 4), (1...1000).contains(across),
      (1...1000).contains(down)
    else { return nil }
    return (across, down)
  }

  /// Divides the number of pictures by the length of their track; films in fragments say neither.
  private mutating func readRate(_ media: [Part], _ table: [Part]) {
    guard let header = box("mdhd", in: media)?.lowerBound,
      let version = file.bytes(at: header, count: 1)?[0],
      let units = file.bigEndian(at: header + (version == 1 ? 20 : 12), bytes: 4), units > 0,
      let duration = number(at: header, ofTwo: 16, 24), duration > 0,
      let sizes = box("stsz", in: table)?.lowerBound,
      let count = file.bigEndian(at: sizes + 8, bytes: 4), count > 0
    else { return }
    frameRate = Double(count) / (Double(duration) / Double(units))
  }

  private func pair(at offset: Int, bytes: Int) -> (Int, Int)? {
    guard let first = file.bigEndian(at: offset, bytes: bytes),
      let second = file.bigEndian(at: offset + bytes, bytes: bytes)
    else { return nil }
    return (first, second)
  }

  /// Reads the texts of the user's data, and those with keys of QuickTime.
  private mutating func readTexts(_ parts: [Part]) {
    for part in parts {
      switch part.type {
      // The © of Mac Roman is no UTF-8. Its length and language come before a text.
      case "\u{fffd}xyz": setPlace(text(part.contents.dropStart(4)))
      case "\u{fffd}mak": make = make ?? text(part.contents.dropStart(4))
      case "\u{fffd}mod": model = model ?? text(part.contents.dropStart(4))
      case "meta":
        // In MP4 it begins with a version.
        let isPlain =
          file.bytes(at: part.contents.lowerBound + 4, count: 4)?.elementsEqual("hdlr".utf8)
        readKeys(boxes(isPlain == true ? part.contents : part.contents.dropStart(4)))
      default: break
      }
    }
  }

  private mutating func readKeys(_ parts: [Part]) {
    guard let keys = box("keys", in: parts), let list = box("ilst", in: parts) else { return }
    let names = boxes(keys.dropStart(8)).map { text($0.contents) }
    let values = boxes(list)
    for value in values {
      // The type of a box is the number of its key, from 1.
      guard let number = file.bigEndian(at: value.contents.lowerBound - 4, bytes: 4),
        names.indices.contains(number - 1),
        let data = box("data", in: boxes(value.contents))?.dropStart(8)
      else { continue }
      switch names[number - 1] {
      case "com.apple.quicktime.creationdate"?:
        if let time = text(data).flatMap(TakenTime.init(iso8601:)), time.isPlausible {
          taken = time
        }
      case "com.apple.quicktime.make"?: make = make ?? text(data)
      case "com.apple.quicktime.model"?: model = model ?? text(data)
      case "com.apple.quicktime.location.ISO6709"?: setPlace(text(data))
      default: break
      }
    }
  }

  // MARK: - Matroska and WebM

  private typealias Element = (id: Int, contents: Range<Int>)

  /// The elements in a range, up to the first one of a type, which is the last one returned.
  private func elements(_ range: Range<Int>, until last: Int = -1) -> [Element] {
    var found: [Element] = []
    var offset = range.lowerBound
    while found.count < Self.maxBoxes, offset < range.upperBound, found.last?.id != last,
      let (id, start) = variable(at: offset, keepsMark: true),
      let (length, contents) = variable(at: start, keepsMark: false), contents <= range.upperBound
    {
      // An unknown length is that of the rest.
      let end = length.map { min($0, range.upperBound - contents) + contents } ?? range.upperBound
      found.append((id ?? 0, contents..<end))
      offset = end
    }
    return found
  }

  /// A number of 1 to 8 bytes, whose first bits tell how many (RFC 8794, 4); nil if all others are set.
  private func variable(at offset: Int, keepsMark: Bool) -> (value: Int?, end: Int)? {
    guard let first = file.bytes(at: offset, count: 1)?[0], first != 0 else { return nil }
    let count = first.leadingZeroBitCount + 1
    guard let whole = file.bigEndian(at: offset, bytes: count) else { return nil }
    let mask = (1 << (7 * count)) - 1
    let value = keepsMark ? whole : whole & mask
    return (!keepsMark && value == mask ? nil : value, offset + count)
  }

  private func number(_ element: Range<Int>) -> Int? {
    (1...8).contains(element.count)
      ? file.bigEndian(at: element.lowerBound, bytes: element.count) : nil
  }

  private mutating func readMatroska() throws(FailureReason) {
    guard let segment = elements(0..<file.count).first(where: { $0.id == 0x1853_8067 }) else {
      throw .truncated
    }
    // Pictures begin with the first cluster.
    let parts = elements(segment.contents, until: 0x1f43_b675)
    for part in parts where part.id == 0x1549_a966 { readSegmentInfo(elements(part.contents)) }
    let tracks = parts.filter { $0.id == 0x1654_ae6b }.flatMap { elements($0.contents) }
    guard !tracks.isEmpty else { throw .truncated }
    for track in tracks where track.id == 0xae && width == 0 {
      let fields = elements(track.contents)
      guard fields.contains(where: { $0.id == 0x83 && number($0.contents) == 1 }) else { continue }
      for field in fields {
        if field.id == 0x86 { setCodec(text(field.contents)) }
        if field.id == 0xe0 { readVideo(elements(field.contents)) }
        // The nanoseconds between two frames.
        if field.id == 0x23_e383, let time = number(field.contents), time > 0 {
          frameRate = 1e9 / Double(time)
        }
      }
    }
    guard codec != nil else { throw .soundOnly }
  }

  private mutating func readSegmentInfo(_ fields: [Element]) {
    func field(_ id: Int) -> Range<Int>? { fields.first { $0.id == id }?.contents }
    let nanoseconds = field(0x2a_d7b1).flatMap(number) ?? 1_000_000
    if let duration = field(0x4489), let bits = number(duration) {
      let units =
        duration.count == 4
        ? Double(Float(bitPattern: UInt32(clamping: bits))) : Double(bitPattern: UInt64(bits))
      length = units * Double(nanoseconds) / 1e9
    }
    // Nanoseconds since 2001, in UTC.
    if let date = field(0x4461).flatMap(number) {
      setTaken(seconds: date / 1_000_000_000 + 978_307_200)
    }
  }

  private mutating func readVideo(_ fields: [Element]) {
    func value(_ id: Int) -> Int? { fields.first { $0.id == id }.flatMap { number($0.contents) } }
    (width, height) = (value(0xb0) ?? 0, value(0xba) ?? 0)
    if let colors = fields.first(where: { $0.id == 0x55b0 }).map({ elements($0.contents) }) {
      let code = colors.first { $0.id == 0x55ba }.flatMap { number($0.contents) }
      transfer = code.flatMap(Transfer.init)
    }
    // In pixels, or as the ratio of the sides.
    let unit = value(0x54b2) ?? 0
    guard let shown = value(0x54b0), let rows = value(0x54ba),
      (1...Self.maxSide).contains(shown),
      (1...Self.maxSide).contains(rows)
    else { return }
    if unit == 0 { (width, height) = (shown, rows) }
    if unit == 3 { width = max(min(height, Self.maxSide) * shown / rows, 1) }
  }

  // MARK: - AVI

  /// The chunks in a range; a list is named by its own type.
  private func chunks(_ range: Range<Int>) -> [Part] {
    var found: [Part] = []
    var offset = range.lowerBound
    while found.count < Self.maxBoxes, range.upperBound - offset >= 8,
      let head = file.bytes(at: offset, atMost: 12), head.count >= 8
    {
      let isList = head.starts(with: "LIST".utf8) && head.count == 12
      let start = offset + (isList ? 12 : 8)
      let length = little(head[4..<8])
      let end = min(length, range.upperBound - offset - 8) + offset + 8
      let type = isList ? head[8..<12] : head[0..<4]
      found.append((String(decoding: type, as: UTF8.self), start..<max(start, end)))
      // The pictures follow.
      if isList, type.elementsEqual("movi".utf8) { break }
      offset = max(end + length & 1, start)
    }
    return found
  }

  private func little(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func readAVI() throws(FailureReason) {
    guard let header = box("hdrl", in: chunks(12..<max(file.count, 12))) else { throw .truncated }
    for stream in chunks(header) where stream.type == "strl" {
      let parts = chunks(stream.contents)
      guard let head = box("strh", in: parts).flatMap({ file.bytes(at: $0.lowerBound, count: 36) }),
        head.starts(with: "vids".utf8),
        let format = box("strf", in: parts).flatMap({ file.bytes(at: $0.lowerBound, count: 20) })
      else { continue }
      let (scale, rate) = (little(head[20..<24]), little(head[24..<28]))
      if rate > 0, scale > 0 {
        frameRate = Double(rate) / Double(scale)
        length = Double(little(head[32..<36])) * Double(scale) / Double(rate)
      }
      width = little(format[4..<8])
      height = abs(Int(Int32(truncatingIfNeeded: little(format[8..<12]))))
      if let shape = box("vprp", in: parts) { readShape(shape) }
      setCodec(PhotoMetadata.text(format[16..<20]))
      return
    }
    throw .soundOnly
  }

  /// Reads the aspect ratio of the picture, whose pixels need not be square (OpenDML AVI file format
  /// extensions, 4.0).
  private mutating func readShape(_ properties: Range<Int>) {
    guard let bytes = file.bytes(at: properties.lowerBound, count: 32) else { return }
    let (down, across) = (little(bytes[20..<22]), little(bytes[22..<24]))
    let (columns, rows) = (little(bytes[24..<28]), little(bytes[28..<32]))
    guard across > 0, down > 0, (1...Self.maxSide).contains(columns),
      (1...Self.maxSide).contains(rows), (1...Self.maxSide).contains(width)
    else { return }
    let pixel = Double(across * rows) / Double(down * columns)
    guard (0.1...10).contains(pixel) else { return }
    width = Int((Double(width) * pixel).rounded())
  }
}

extension Range<Int> {
  /// Returns the range without its first numbers.
  fileprivate func dropStart(_ count: Int) -> Range<Int> {
    Swift.min(lowerBound + count, upperBound)..<upperBound
  }
}

extension PhotoInfo {
  /// The facts of a film, and of the sidecar beside it.
  ///
  /// - `latest`: The day after which no film was taken, as digits: 20240501.
  package init(_ film: FilmFacts, stamp: FileStamp, sidecar: XMPFacts, latest: Int64) {
    var written = WrittenFacts()
    (written.sidecar, written.xmp) = (sidecar, film.xmp)
    var metadata = PhotoMetadata()
    (metadata.camera, metadata.location) = (film.camera, film.location)
    metadata.profile = film.codec
    metadata.words = written.words
    self.init(
      size: PixelSize(width: Double(film.width), height: Double(film.height)), orientation: 1,
      format: .film, stamp: stamp, taken: written.taken(film.taken, latest: latest),
      metadata: metadata)
    length = film.length
    frameRate = film.frameRate.map { ($0 * 100).rounded() / 100 }
  }
}
