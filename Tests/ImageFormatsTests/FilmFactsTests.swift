import Glibc
import Photos
import TestSupport
import Testing

@testable import ImageFormats

/// What the heads of films say.
@Suite struct FilmFactsTests {
  private func facts(_ bytes: [UInt8]) throws(FailureReason) -> FilmFacts {
    try FilmFacts(ByteSource(bytes))
  }

  @Test(arguments: [
    ("short.mp4", "H.264", 2.0), ("keys.mov", "H.264", 2), ("short.webm", "VP9", 2),
    ("short.avi", "MPEG-4", 1), ("fragments.mp4", "H.264", 2),
  ])
  func `size, codec and length are in every container`(
    name: String, codec: String, length: Double?
  ) throws {
    let bytes = TestFilm.small(name)
    let film = try facts(bytes)
    #expect(ImageFormat(firstBytes: bytes) == .film)
    #expect((film.width, film.height) == (64, 32))
    #expect(film.codec == codec && film.length == length)
  }

  @Test func `the time of MP4 is in UTC, and shown in the local zone`() throws {
    let film = try facts(TestFilm.small("short.mp4"))
    // 2023-07-08 09:10:11.
    #expect(film.taken == TakenTime(localSeconds: 1_688_807_411))
  }

  @Test func `a time of 64 bits is none, and does no harm`() throws {
    var bytes = TestFilm.small("short.mp4")
    let header = try #require(
      bytes.indices.first { bytes[$0...].starts(with: "mvhd".utf8) })
    // Version 1, and the time that it was made.
    bytes[header + 4] = 1
    for index in (header + 8)..<(header + 16) { bytes[index] = 0xb6 }
    bytes[header + 8] = 0
    #expect(try facts(bytes).taken == nil)
  }

  @Test func `a place is in the user's data`() throws {
    let film = try facts(TestFilm.small("place.mov"))
    #expect(film.location == PhotoMetadata.Location(latitude: 48.8566, longitude: 2.3522))
  }

  @Test func `camera, place and local time are in the keys of QuickTime`() throws {
    let film = try facts(TestFilm.small("keys.mov"))
    #expect(film.taken?.digits == 2022_0506_070809 && film.taken?.offset == 120)
    #expect(film.camera == "Apple iPhone 12")
    #expect(film.location == PhotoMetadata.Location(latitude: -33.8688, longitude: 151.2093))
  }

  @Test func `a film on its side has its upright size`() throws {
    var bytes = TestFilm.small("short.mp4")
    let header = try #require(
      bytes.indices.first { bytes[$0...].starts(with: "tkhd".utf8) })
    // The matrix of 90 degrees.
    let matrix: [Int32] = [0, 1 << 16, 0, -1 << 16, 0, 0, 0, 0, 1 << 30]
    bytes.replaceSubrange(
      (header + 44)..<(header + 80),
      with: matrix.flatMap { number in
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
      })
    let film = try facts(bytes)
    #expect((film.width, film.height) == (32, 64))
  }

  @Test func `sound alone is no film, and a film without its index is truncated`() {
    for (name, old, new) in [
      ("short.mp4", "vide", "soun"), ("short.avi", "vids", "auds"),
    ] {
      #expect(throws: FailureReason.soundOnly, "\(name)") {
        try facts(replacing(old, by: new, in: TestFilm.small(name)))
      }
    }
    #expect(throws: FailureReason.truncated) {
      try facts(replacing("moov", by: "free", in: TestFilm.small("short.mp4")))
    }
  }

  private func replacing(_ old: String, by new: String, in bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for place in bytes.indices where bytes[place...].starts(with: old.utf8) {
      bytes.replaceSubrange(place..<(place + old.utf8.count), with: new.utf8)
    }
    return bytes
  }

  @Test(arguments: ["short.mp4", "keys.mov", "short.webm", "short.avi", "fragments.mp4"])
  func `a film that is cut anywhere, or has any byte changed, never fails otherwise`(name: String) {
    let whole = TestFilm.small(name)
    var random = SeededGenerator(seed: 7)
    for count in 0..<whole.count {
      _ = try? facts(Array(whole[..<count]))
      var changed = whole
      changed[count] = UInt8.random(in: .min ... .max, using: &random)
      guard let film = try? facts(changed) else { continue }
      #expect((1...32_768).contains(film.width) && (1...32_768).contains(film.height))
      #expect(film.length.map { $0 > 0 && $0 < 1e7 } ?? true)
    }
  }
}
