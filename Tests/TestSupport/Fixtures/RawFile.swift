/// Files like those of cameras, with JPEG previews where each maker stores them, but without real
/// sensor data.
package enum RawFile: CaseIterable, Sendable {
  case cr2, cr3, nef, oldNEF, arw, dng, orf, newORF, rw2, raf

  /// The extension of such files.
  package var suffix: String {
    switch self {
    case .oldNEF: "nef"
    case .newORF: "orf"
    default: "\(self)"
    }
  }

  private typealias Directory = TIFFBuilder.Directory

  /// A lossless JPEG, which is how some files store sensor data, and never a preview.
  private static let sensorData: [UInt8] =
    [0xff, 0xd8] + segment(0xc3, [14, 0x20, 0, 0x20, 0, 2, 1, 0x11, 0, 2, 0x11, 0])
    + segment(0xda, [2, 1, 0, 2, 0, 1, 0, 0]) + Array(repeating: 7, count: 200) + [0xff, 0xd9]

  private static func time(_ text: String) -> Directory {
    Directory([(0x9003, 2, .bytes(Array(text.utf8) + [0]))])
  }

  /// A file with a small and a large preview; some kinds have only the large one.
  package func file(small: [UInt8], large: [UInt8], orientation: Int = 1) -> [UInt8] {
    let exif: (tag: Int, type: Int, values: TIFFBuilder.Values) = (
      0x8769, 4, .directories([Self.time("2021:03:04 05:06:07")])
    )
    let turned: (tag: Int, type: Int, values: TIFFBuilder.Values) = (
      0x112, 3, .numbers([orientation])
    )
    func jpeg(_ bytes: [UInt8]) -> [(tag: Int, type: Int, values: TIFFBuilder.Values)] {
      [(0x201, 4, .pieces([bytes])), (0x202, 4, .numbers([bytes.count]))]
    }
    func strip(
      _ bytes: [UInt8], _ compression: Int
    ) -> [(tag: Int, type: Int, values: TIFFBuilder.Values)] {
      [
        (0x103, 3, .numbers([compression])), (0x111, 4, .pieces([bytes])),
        (0x117, 4, .numbers([bytes.count])),
      ]
    }
    let sensor = Directory([(0x106, 3, .numbers([32803]))] + strip(Self.sensorData, 7))
    switch self {
    case .cr2:
      var builder = TIFFBuilder()
      builder.gap = Array("CR".utf8) + [2, 0, 0, 0, 0, 0]
      return builder.file(
        Directory(
          strip(large, 6) + [turned, exif],
          next: Directory(jpeg(small), next: Directory(strip(Self.sensorData, 6)))))
    case .nef:
      var builder = TIFFBuilder()
      builder.isBigEndian = true
      // The first directory is a small picture without compression.
      return builder.file(
        Directory([
          (0xfe, 4, .numbers([1])), (0x106, 3, .numbers([2])),
          (0x111, 4, .pieces([Array(repeating: 9, count: 60)])), turned, exif,
          (0x14a, 4, .directories([Directory(jpeg(large)), sensor, Directory(jpeg(small))])),
        ]))
    case .oldNEF:
      let note =
        Array("Nikon\0".utf8) + [2, 0x10, 0, 0]
        + TIFFBuilder(isBigEndian: true).file(
          Directory([(0x11, 4, .directories([Directory(jpeg(large))]))]))
      let exif = Directory([
        (0x9003, 2, .bytes(Array("2021:03:04 05:06:07\0".utf8))), (0x927c, 7, .bytes(note)),
      ])
      var builder = TIFFBuilder()
      builder.isBigEndian = true
      return builder.file(
        Directory([
          turned, (0x8769, 4, .directories([exif])), (0x14a, 4, .directories([sensor])),
        ]))
    case .arw:
      return TIFFBuilder().file(
        Directory(
          jpeg(large) + [turned, exif, (0x14a, 4, .directories([sensor]))],
          next: Directory(jpeg(small))))
    case .dng:
      return TIFFBuilder().file(
        Directory([
          (0xfe, 4, .numbers([1])), turned, exif, (0xc612, 1, .numbers([1, 4, 0, 0])),
          (
            0x14a, 4,
            .directories([
              Directory([(0x106, 3, .numbers([34892]))] + strip(Self.sensorData, 7)),
              Directory(strip(large, 7)), Directory(strip(small, 7)),
            ])
          ),
        ]))
    case .orf, .newORF:
      // Offsets in the note count from its beginning.
      let head =
        self == .orf
        ? Array("OLYMPUS\0II".utf8) + [3, 0] : Array("OM SYSTEM\0\0\0II".utf8) + [4, 0]
      func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
      }
      let inner = head.count + 2 + 12 + 4
      let picture = inner + 2 + 24 + 4
      let note =
        head + number(1, 2) + number(0x2020, 2) + number(13, 2) + number(1, 4) + number(inner, 4)
        + number(0, 4) + number(2, 2) + number(0x101, 2) + number(4, 2) + number(1, 4)
        + number(picture, 4) + number(0x102, 2) + number(4, 2) + number(1, 4)
        + number(large.count, 4) + number(0, 4) + large
      let exif = Directory([
        (0x9003, 2, .bytes(Array("2021:03:04 05:06:07\0".utf8))), (0x927c, 7, .bytes(note)),
      ])
      var builder = TIFFBuilder()
      builder.head = Array((self == .orf ? "IIRO" : "IIRS").utf8)
      return builder.file(
        Directory(
          [turned, (0x8769, 4, .directories([exif]))], next: Directory(jpeg(small))))
    case .rw2:
      var builder = TIFFBuilder()
      builder.head = Array("IIU\0".utf8)
      return builder.file(Directory([(0x2e, 7, .bytes(large)), turned, exif]))
    case .raf:
      let start = 160
      let head =
        Array("FUJIFILMCCD-RAW 0201FF129502".utf8) + Array(repeating: 0, count: 56)
        + [0, 0, 0, UInt8(start)]
        + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: large.count >> $0) }
      return head + Array(repeating: 0, count: start - head.count) + large + [1, 2, 3]
    case .cr3:
      return Self.cr3(small: small, large: large, orientation)
    }
  }

  private static func cr3(small: [UInt8], large: [UInt8], _ orientation: Int) -> [UInt8] {
    func long(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    func box(_ kind: String, _ contents: [UInt8]) -> [UInt8] {
      long(contents.count + 8) + Array(kind.utf8) + contents
    }
    let facts = TIFFBuilder().file(Directory([(0x112, 3, .numbers([orientation]))]))
    let times = TIFFBuilder().file(time("2021:03:04 05:06:07"))
    let thumbnail = box("THMB", Array(repeating: 0, count: 16) + small)
    let identity = Array(repeating: UInt8(0x85), count: 16)
    func movie(offset: Int) -> [UInt8] {
      let table =
        box("stsd", [0, 0, 0, 0]) + box("stsz", long(0) + long(0) + long(1) + long(large.count))
        + box("co64", long(0) + long(1) + long(0) + long(offset))
      let track = box("trak", box("mdia", box("minf", box("stbl", table))))
      return box(
        "moov",
        box("uuid", identity + box("CMT1", facts) + box("CMT2", times) + thumbnail) + track)
    }
    let head = box("ftyp", Array("crx ".utf8) + long(1) + Array("crx isom".utf8))
    let preview = box(
      "uuid", identity + Array(repeating: 0, count: 8) + box("PRVW", [0, 1] + small))
    let offset = head.count + movie(offset: 0).count + preview.count + 8
    return head + movie(offset: offset) + preview + box("mdat", large + sensorData)
  }
}
