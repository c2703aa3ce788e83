import Photos
import TestSupport

@testable import ImageFormats

/// Films with XMP, in fragments, and with pixels that are not square; and names of raw photos.
extension FactCase {
  static let films: [FactCase] = packets + otherPackets + fragments + shapes

  // MARK: - XMP

  private static let id: [UInt8] = [
    0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
  ]
  private static let packet = Array(
    OddFile.packet(
      "xmp:CreateDate=\"2016-05-01\"",
      "<dc:subject><rdf:Bag><rdf:li>Rome</rdf:li></rdf:Bag></dc:subject>"
    ).utf8)

  private typealias Change = @Sendable ([UInt8]) -> [UInt8]

  private static let placements: [(format: String, place: String, name: String, change: Change)] = [
    ("MP4", "in a box after the film", "short.mp4", { $0 + MotionPhoto.box("uuid", id + packet) }),
    (
      "MP4", "in a box before the film", "short.mp4",
      { film in
        let start = ISOBoxes(file: ByteSource(film)).boxes(0..<film.count)[0].contents.upperBound
        return film[..<start] + MotionPhoto.box("uuid", id + packet) + film[start...]
      }
    ),
    (
      "MP4", "after a box of another kind", "short.mp4",
      {
        $0 + MotionPhoto.box("uuid", Array(repeating: 7, count: 40))
          + MotionPhoto.box("uuid", id + packet)
      }
    ),
    (
      "QuickTime", "in the user's data", "keys.mov",
      { adding(MotionPhoto.box("udta", MotionPhoto.box("XMP_", packet)), toMovieOf: $0) }
    ),
    (
      "MP4", "in the user's data", "short.mp4",
      { adding(MotionPhoto.box("udta", MotionPhoto.box("XMP_", packet)), toMovieOf: $0) }
    ),
  ]

  private static let packets: [FactCase] =
    placements.map { row -> FactCase in
      let (format, place, name, change) = row
      return FactCase(format, "XMP \(place)", "Rome", "XMP part 3, 1.2; exiftool") {
        let film = try? FilmFacts(ByteSource(change(TestFilm.small(name))))
        return film?.xmp.keywords.map { String(decoding: $0.joined(), as: UTF8.self) }
      }
    }

  private static let otherPackets: [FactCase] = [
    FactCase("MP4", "a box that names no XMP", nil, "exiftool") {
      let film = TestFilm.small("short.mp4") + MotionPhoto.box("uuid", Array(id.prefix(10)))
      return (try? FilmFacts(ByteSource(film)))?.xmp.keywords.map { "\($0.count)" }
    },
    FactCase("MP4", "the date in XMP if the film has none", "2016-05-01", "exiftool") {
      var bytes = TestFilm.small("short.mp4") + MotionPhoto.box("uuid", id + packet)
      guard let header = bytes.indices.first(where: { bytes[$0...].starts(with: "mvhd".utf8) }),
        header + 16 <= bytes.count
      else { return nil }
      bytes.replaceSubrange((header + 8)..<(header + 16), with: Array(repeating: 0, count: 8))
      guard let film = try? FilmFacts(ByteSource(bytes)) else { return nil }
      let stamp = FileStamp(byteCount: 1, modified: 0)
      return PhotoInfo(film, stamp: stamp, sidecar: XMPFacts(), latest: .max).taken?.detailed
    },
  ]

  /// Adds a box to the index of a film.
  private static func adding(_ box: [UInt8], toMovieOf film: [UInt8]) -> [UInt8] {
    guard
      let movie = ISOBoxes(file: ByteSource(film)).boxes(0..<film.count).first(where: {
        $0.type == "moov"
      })?.contents
    else { return [] }
    return film[..<(movie.lowerBound - 8)] + MotionPhoto.box("moov", film[movie] + box)
      + film[movie.upperBound...]
  }

  // MARK: - Fragments

  private static func long(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// The head of a film in fragments, with a number of 10,240 units in a second.
  private static let head: [UInt8] = {
    let film = TestFilm.small("fragments.mp4")
    let boxes = ISOBoxes(file: ByteSource(film)).boxes(0..<film.count)
    let first = boxes.first { $0.type == "moof" || $0.type == "sidx" }
    return Array(film[..<((first?.contents.lowerBound ?? 8) - 8)])
  }()

  /// A fragment of a track.
  private static func fragment(
    _ track: Int, start: Int?, header flags: Int = 0, _ fields: [UInt8] = [], run: [UInt8]
  ) -> [UInt8] {
    let time = start.map { MotionPhoto.box("tfdt", long(0) + long($0)) } ?? []
    return MotionPhoto.box(
      "moof",
      MotionPhoto.box("mfhd", long(0) + long(1))
        + MotionPhoto.box(
          "traf",
          MotionPhoto.box("tfhd", long(0x20000 | flags) + long(track) + fields) + time
            + MotionPhoto.box("trun", run)))
  }

  private static func index(_ first: Int, _ durations: [Int]) -> [UInt8] {
    MotionPhoto.box(
      "sidx",
      long(0) + long(1) + long(10_240) + long(first) + long(0) + [0, 0]
        + [UInt8(durations.count >> 8), UInt8(durations.count & 255)]
        + durations.flatMap { long(100) + long($0) + long(0) })
  }

  private static let plain = long(0) + long(5)
  private static let twoDurations = long(0x100) + long(2) + long(5120) + long(10_240)

  private static let fragmentsRows: [(oddity: String, bytes: [UInt8], value: String?)] = [
    ("as ffmpeg writes it", TestFilm.small("fragments.mp4"), "2.0"),
    (
      "the length of each picture in its run", head + fragment(1, start: 0, run: twoDurations),
      "1.5"
    ),
    (
      "one length of pictures in a fragment",
      head + fragment(1, start: 0, header: 8, long(2048), run: plain), "1.0"
    ),
    (
      "two fragments with times",
      head + fragment(1, start: 0, header: 8, long(2048), run: plain)
        + fragment(1, start: 102_400, header: 8, long(2048), run: plain), "11.0"
    ),
    (
      "two fragments without times",
      head + fragment(1, start: nil, header: 8, long(2048), run: plain)
        + fragment(1, start: nil, run: twoDurations), "2.5"
    ),
    (
      "a fragment of sound",
      head + fragment(1, start: 0, header: 8, long(2048), run: plain)
        + MotionPhoto.box("mdat", [0, 0]) + index(0, [10_240, 5120]), "1.5"
    ),
    ("an index of segments", head + index(0, [10_240, 10_240, 1024]), "2.1"),
    ("an index for each segment", head + index(0, [10_240]) + index(10_240, [20_480]), "3.0"),
    ("no fragment", head, nil),
    (
      "a fragment that is cut off",
      Array((head + fragment(1, start: 0, run: twoDurations)).dropLast(6)), nil
    ),
  ]

  private static let fragments: [FactCase] = fragmentsRows.map { (row) -> FactCase in
    let (oddity, bytes, value) = row
    return
      FactCase("MP4 in fragments", oddity, value, "ISO/IEC 14496-12, 8.8 and 8.16.3; ffprobe") {
        (try? FilmFacts(ByteSource(bytes)))?.length.map { "\($0)" }
      }
  }

  // MARK: - AVI

  /// An AVI of 64 by 32 pixels with an aspect ratio.
  private static func avi(_ across: Int, _ down: Int, _ columns: Int = 64, _ rows: Int = 32)
    -> [UInt8]
  {
    func little(_ number: Int, _ count: Int = 4) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    func chunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
      Array(type.utf8) + little(contents.count) + contents
    }
    let stream =
      Array("strl".utf8)
      + chunk(
        "strh",
        Array("vidsMJPG".utf8) + Array(repeating: 0, count: 12)
          + little(1) + little(25) + little(0) + little(50) + Array(repeating: 0, count: 20))
      + chunk(
        "strf",
        little(40) + little(64) + little(32) + little(1, 2) + little(24, 2)
          + Array("MJPG".utf8) + Array(repeating: 0, count: 20))
      + chunk(
        "vprp",
        Array(repeating: 0, count: 20) + little(down, 2) + little(across, 2)
          + little(columns) + little(rows) + little(1))
    let header = Array("hdrl".utf8) + chunk("LIST", stream)
    let body = Array("AVI ".utf8) + chunk("LIST", header)
    return chunk("RIFF", body)
  }

  private static let shapesRows: [(oddity: String, bytes: [UInt8], value: String)] = [
    ("pixels of 4:3", avi(8, 3), "85x32"), ("square pixels", avi(2, 1), "64x32"),
    ("narrow pixels", avi(1, 1), "32x32"), ("no ratio", avi(0, 0), "64x32"),
    ("a ratio of another size", avi(4, 3, 720, 576), "68x32"),
    ("an impossible ratio", avi(60_000, 1), "64x32"),
  ]

  private static let shapes: [FactCase] = shapesRows.map { (row) -> FactCase in
    let (oddity, bytes, value) = row
    return
      FactCase("AVI", "vprp with \(oddity)", value, "OpenDML AVI 4.0; ffprobe") {
        (try? FilmFacts(ByteSource(bytes))).map { "\($0.width)x\($0.height)" }
      }
  }

  // MARK: - Names

  static let names = [
    "pef", "PEF", "srw", "nrw", "rwl", "3fr", "sr2", "srf", "gpr", "fff", "erf", "kdc", "dcr",
    "mef", "mos", "iiq", "cr2", "cr3", "nef", "arw", "dng", "orf", "rw2", "raf",
  ].map { ending in
    FactCase("raw", "a name that ends with .\(ending)", "image", "exiftool, LibRaw") {
      Array("a.\(ending)".utf8).withUnsafeBufferPointer { name in
        switch ImageFileExtension.kind(of: name) {
        case .image: "image"
        case .noExtension, .other: nil
        }
      }
    }
  }
}
