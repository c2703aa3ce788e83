import Geometry
import TestSupport
import Testing
import WorkerProtocol

@testable import ImageFormats

@Suite struct EmbeddedPreviewsTests {
  static let small = image("gray.jpg")
  static let large = JPEGFile.flat(90, 60, 0x20C040)

  @Test(arguments: RawFile.allCases)
  func `the previews of a raw photo are found where each maker stores them`(kind: RawFile) throws {
    let file = kind.file(small: Self.small, large: Self.large, orientation: 6)

    let embedded = try #require(EmbeddedPreviews(ByteSource(file)))

    let picture = try #require(embedded.previews.last)
    #expect(Array(file[picture.bytes]) == Self.large)
    #expect([picture.width, picture.height] == [90, 60])
    #expect(embedded.isRaw)
    // RAF leaves these to its JPEG.
    #expect(embedded.orientation == (kind == .raf ? nil : Orientation(number: 6)))
    #expect(embedded.takenTime?.iso8601 == (kind == .raf ? nil : "2021-03-04T05:06:07"))
    let others = embedded.previews.dropLast()
    #expect(others.allSatisfy { Array(file[$0.bytes].prefix(Self.small.count)) == Self.small })
    #expect(others.isEmpty == [.oldNEF, .rw2, .raf].contains(kind))
  }

  @Test(arguments: RawFile.allCases)
  func `a truncated raw photo has the previews that are complete, or none`(kind: RawFile) {
    let file = kind.file(small: Self.small, large: Self.large)
    for count in 0..<file.count {
      let embedded = EmbeddedPreviews(ByteSource(Array(file.prefix(count))))
      for picture in embedded?.previews ?? [] {
        #expect(picture.bytes.upperBound <= count)
        #expect(file[picture.bytes].starts(with: [0xff, 0xd8, 0xff]))
      }
    }
  }

  @Test(arguments: RawFile.allCases)
  func `changed bytes never lead outside of the file`(kind: RawFile) {
    let seed: UInt64 = 0xa11
    var random = SeededGenerator(seed: seed)
    let file = kind.file(small: Self.small, large: Self.large)
    var reads = 0
    for _ in 0..<150 {
      var changed = file
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<file.count, using: &random)
        changed[place] =
          [0, 1, 0x7f, 0xff, .random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      let bytes = changed
      let source = ByteSource(count: bytes.count) { range in
        #expect(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        reads += 1
        return Array(bytes[range])
      }
      for picture in EmbeddedPreviews(source)?.previews ?? [] {
        #expect(picture.bytes.lowerBound >= 0 && picture.bytes.upperBound <= bytes.count)
      }
    }
    // Whatever the directories point at, reading ends.
    #expect(reads < 150 * 600)
  }

  @Test func `random bytes after every kind of header never trap`() {
    let seed: UInt64 = 0x7ead
    var random = SeededGenerator(seed: seed)
    let heads = ["II*\0", "MM\0*", "IIRO", "IIU\0", "FUJIFILMCCD-RAW ", "\0\0\0\u{18}ftypcrx "]
    for _ in 0..<1000 {
      let head = Array((heads.randomElement(using: &random) ?? "").utf8)
      let bytes = (0..<Int.random(in: 0..<300, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random) & .random(in: 0...255, using: &random)
      }
      _ = EmbeddedPreviews(ByteSource(head + bytes))
    }
  }

  @Test func `directories that point at themselves and at each other are read once`() throws {
    // A chain that ends where it began, with itself nested in itself.
    let loop: [UInt8] =
      Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x4a, 1, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0]

    let embedded = try #require(EmbeddedPreviews(ByteSource(loop)))

    #expect(embedded.previews.isEmpty && !embedded.isRaw)
  }

  @Test func `sensor data, an empty picture and other bytes are not previews`()
    throws
  {
    func pictures(_ jpeg: [UInt8], count: Int? = nil) -> Int? {
      let file = TIFFBuilder().file(
        TIFFBuilder.Directory([
          (0x201, 4, .pieces([jpeg])), (0x202, 4, .numbers([count ?? jpeg.count])),
        ]))
      return EmbeddedPreviews(ByteSource(file))?.previews.count
    }
    var lossless = Self.small
    var walk = JPEGSegments(lossless)
    while let segment = walk.next() {
      if segment.marker == 0xc0 { lossless[segment.contents.lowerBound - 3] = 0xc3 }
    }

    #expect(pictures(Self.small) == 1)
    #expect(pictures(lossless) == 0)
    #expect(pictures(Self.small, count: 0) == 0)
    #expect(pictures(Self.small, count: 0xffff_ffff) == 1)
    #expect(pictures(Array("no picture at all".utf8)) == 0)
    #expect(EmbeddedPreviews(ByteSource(Self.small)) == nil)
    #expect(EmbeddedPreviews(ByteSource([])) == nil)
  }

  // MARK: EXIF thumbnails

  @Test(arguments: [true, false])
  func `an EXIF thumbnail is found in either byte order`(isBigEndian: Bool) throws {
    let file = Self.large.insertingExif(thumbnail: Self.small, isBigEndian: isBigEndian)
    let exif = try #require(JPEGHeader(file)?.exif)

    let range = try #require(ExifThumbnail.range(in: file, exif: exif))

    #expect(Array(file[range]) == Self.small)
    // Without the second directory there is no thumbnail.
    #expect(ExifThumbnail.range(in: file, exif: exif.lowerBound..<exif.lowerBound + 20) == nil)
  }

  @Test func `a truncated EXIF block has its whole thumbnail or none`() throws {
    let file = Self.large.insertingExif(thumbnail: Self.small)
    let exif = try #require(JPEGHeader(file)?.exif)
    for end in exif.lowerBound...exif.upperBound {
      let range = ExifThumbnail.range(in: file, exif: exif.lowerBound..<end)
      let shorter = ExifThumbnail.range(
        in: Array(file.prefix(end)), exif: exif.lowerBound..<exif.upperBound)

      for found in [range, shorter].compactMap(\.self) {
        #expect(Array(file[found]) == Self.small && found.upperBound <= end)
      }
      #expect((range == nil) == (shorter == nil))
    }
    #expect(ExifThumbnail.range(in: file, exif: exif) != nil)
  }

  @Test func `an EXIF thumbnail with a wrong offset or length is ignored`() throws {
    let file = Self.large.insertingExif(thumbnail: Self.small)
    let exif = try #require(JPEGHeader(file)?.exif)
    for place in exif {
      for value: UInt8 in [0, 0xff] where file[place] != value {
        var changed = file
        changed[place] = value
        guard let range = ExifThumbnail.range(in: changed, exif: exif) else { continue }
        #expect(range.lowerBound >= exif.lowerBound && range.upperBound <= exif.upperBound)
        #expect(changed[range].starts(with: [0xff, 0xd8, 0xff]))
      }
    }
  }
}
