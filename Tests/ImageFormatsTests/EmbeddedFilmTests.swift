import Photos
import TestSupport
import Testing

@testable import ImageFormats

/// Where motion photos hold their films.
@Suite struct EmbeddedFilmTests {
  private static let film = TestFilm.small("short.mp4")
  private static let picture = image("card.jpg")

  private func film(in bytes: [UInt8], _ format: ImageFormat = .jpeg) -> [UInt8]? {
    EmbeddedFilm.range(in: ByteSource(bytes), format: format).map { Array(bytes[$0]) }
  }

  private static func jpeg(_ attributes: String, _ elements: String = "") -> [UInt8] {
    MotionPhoto.jpeg(picture, xmp: attributes, elements)
  }

  private static let offset = "GCamera:MicroVideoOffset=\"\(film.count)\""

  private static let photos: [(name: String, bytes: [UInt8], format: ImageFormat)] = [
    ("Pixel", MotionPhoto.google(picture, film), .jpeg),
    (
      "elements", jpeg("", MotionPhoto.directory(film: film.count, asElements: true)) + film,
      .jpeg
    ),
    (
      "gain map",
      jpeg("GCamera:MotionPhoto='1'", MotionPhoto.directory(film: film.count, gainMap: 50))
        + [UInt8](repeating: 7, count: 50) + film, .jpeg
    ),
    ("MicroVideo", jpeg("GCamera:MicroVideo=\"1\" \(offset)") + film, .jpeg),
    ("Samsung", MotionPhoto.samsung(picture, film), .jpeg),
    (
      "Samsung with XMP",
      MotionPhoto.jpeg(picture, xmp: "GCamera:MotionPhoto=\"1\"") + MotionPhoto.trailer(film),
      .jpeg
    ),
    ("HEIC", image("card.heic") + MotionPhoto.box("mpvd", film), .heic),
    ("Samsung's HEIC", image("card.heic") + MotionPhoto.trailer(film), .heic),
    (
      "HEIC with a trailer in a box",
      image("card.heic") + MotionPhoto.box("mpvd", film)
        + MotionPhoto.box("sefd", MotionPhoto.trailer([])), .heic
    ),
  ]

  @Test func `the film is found, whole`() throws {
    for photo in Self.photos {
      #expect(film(in: photo.bytes, photo.format) == Self.film, "\(photo.name)")
    }
  }

  @Test func `a photo without a film has none`() {
    for bytes in [Self.picture, Self.picture + Self.film, image("texture-420.jpg")] {
      #expect(film(in: bytes) == nil)
    }
    #expect(film(in: image("card.heic"), .heic) == nil)
    #expect(film(in: image("card.avif"), .avif) == nil)
    #expect(film(in: image("alpha.png"), .png) == nil)
    // The maker's name is not all.
    #expect(film(in: Array(MotionPhoto.samsung(Self.picture, []).dropLast(8))) == nil)
  }

  @Test func `a film that was switched off does not count`() {
    #expect(film(in: Self.jpeg("GCamera:MicroVideo=\"0\" \(Self.offset)") + Self.film) == nil)
    #expect(
      film(
        in: Self.jpeg("GCamera:MotionPhoto=\"0\"", MotionPhoto.directory(film: Self.film.count))
          + Self.film) == nil)
  }

  @Test(arguments: [
    "0", "1", "7", "-5", "99999999999999999999", "9223372036854775807", "9999999", "", "x",
  ])
  func `a length that leads elsewhere finds nothing`(length: String) {
    for elements in [false, true] {
      let directory = MotionPhoto.directory(film: 77, gainMap: 55, asElements: elements)
      for old in ["77", "55"] {
        let text = directory.replacing(old, with: length)
        #expect(film(in: Self.jpeg("GCamera:MotionPhoto=\"1\"", text) + Self.film) == nil)
      }
    }
    let bytes = Self.jpeg("GCamera:MicroVideo=\"1\" GCamera:MicroVideoOffset=\"\(length)\"")
    #expect(film(in: bytes + Self.film) == nil)
  }

  @Test func `a range that is a picture is no film`() {
    for other in [image("card.heic"), image("card.avif"), Self.picture, image("alpha.png")] {
      #expect(film(in: MotionPhoto.google(Self.picture, other)) == nil)
      #expect(film(in: MotionPhoto.samsung(Self.picture, other)) == nil)
      #expect(film(in: image("card.heic") + MotionPhoto.box("mpvd", other), .heic) == nil)
    }
    // The photo itself.
    let heic = image("card.heic")
    #expect(film(in: heic + MotionPhoto.box("mpvd", []), .heic) == nil)
  }

  @Test func `entries of a trailer that overlap or lead outside find nothing`() {
    let whole = MotionPhoto.samsung(Self.picture, Self.film)
    let entry = whole.count - 8 - 12
    for (place, number) in [
      (4, 0), (4, 1), (4, Int(UInt32.max)), (4, whole.count), (8, 0), (8, 7), (8, 23),
      (8, Int(UInt32.max)), (8, 1 << 20),
    ] {
      var bytes = whole
      for byte in 0..<4 { bytes[entry + place + byte] = UInt8(number >> (8 * byte) & 255) }
      #expect(film(in: bytes) == nil, "\(place) \(number)")
    }
  }

  @Test func `a photo that is cut anywhere, or has any byte changed, yields a film or nothing`() {
    var random = SeededGenerator(seed: 11)
    for photo in Self.photos {
      for count in 0..<photo.bytes.count {
        let cut = Array(photo.bytes[..<count])
        if let found = film(in: cut, photo.format) { #expect(found.count <= Self.film.count) }
        var changed = photo.bytes
        changed[count] = UInt8.random(in: .min ... .max, using: &random)
        guard let range = EmbeddedFilm.range(in: ByteSource(changed), format: photo.format) else {
          continue
        }
        #expect(range.lowerBound > 0 && range.upperBound <= changed.count)
        #expect(Array(changed[range]).dropFirst(4).starts(with: "ftyp".utf8))
      }
    }
  }

  @Test func `a JPEG that nothing says has a film is read at its head alone`() {
    var reads: [Range<Int>] = []
    let bytes = image("texture-420.jpg")
    let source = ByteSource(count: bytes.count) { range in
      reads.append(range)
      return Array(bytes[range])
    }
    #expect(EmbeddedFilm.range(in: source, format: .jpeg) == nil)
    #expect(reads.count == 1 && reads[0].lowerBound == 0)
  }
}
