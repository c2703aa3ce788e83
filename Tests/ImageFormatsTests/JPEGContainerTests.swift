import Geometry
import TestSupport
import Testing

@testable import ImageFormats

/// What else is in JPEGs, and has to stay right when a packet or an orientation is put in.
@Suite struct JPEGContainerTests {
  private typealias Photos = PhotoContainerTests

  private static let picture = image("card.jpg")
  private static let film = TestFilm.small("short.mp4")

  private static func main(_ packet: [UInt8]) -> [UInt8] {
    segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
  }

  private static func exif(_ block: [UInt8]) -> [UInt8] {
    segment(0xe1, Array("Exif\0\0".utf8) + block)
  }

  private static func maker(_ fields: [(tag: Int, type: Int, values: TIFFBuilder.Values)] = [])
    -> [UInt8]
  {
    TIFFBuilder().file(.init([(0x10f, 2, .bytes(Array("Maker\0".utf8)))] + fields))
  }

  @Test func `a new packet comes after JFIF and EXIF, and new EXIF after JFIF`() throws {
    let jfif = try #require(segments(of: Self.picture).first { $0.marker == 0xe0 })
    let (rated, _) = try Photos.put(Photos.packet("new"), into: Self.picture)
    #expect(JPEGHeader(rated)?.xmp?.lowerBound == jfif.contents.upperBound + 33)
    let turned = try Photos.turn(rated, to: 6)
    #expect(JPEGHeader(turned)?.exif?.lowerBound == jfif.contents.upperBound + 4)
    let (again, _) = try Photos.put(
      Photos.packet("new"), into: Photos.turn(Self.picture, to: 6))
    let header = try #require(JPEGHeader(again))
    #expect(header.xmp?.lowerBound == header.exif.map { $0.upperBound + 33 })
  }

  @Test func `an orientation is read and changed whatever the type of its field`() throws {
    for (type, order) in [(1, true), (3, true), (4, true), (6, false), (8, false), (9, false)] {
      let block = TIFFBuilder(isBigEndian: order).file(.init([(0x112, type, .numbers([6]))]))
      let old = Self.picture.inserting(Self.exif(block))
      #expect(try JPEGContainer(ByteSource(old)).orientation == Orientation(number: 6))
      #expect(ExifFacts(block[...]).orientation == Orientation(number: 6))
      let new = try Photos.turn(old, to: 8)
      #expect(zip(old, new).count { $0 != $1 } == 1)
      #expect(new.count == old.count)
      #expect(
        ExifFacts(new[try #require(JPEGHeader(new)?.exif)]).orientation == Orientation(number: 8))
    }
    // A field that is none becomes one in its place.
    let text = Self.picture.inserting(Self.exif(Self.maker([(0x112, 2, .bytes([0x36, 0]))])))
    #expect(try Photos.turn(text, to: 8).count == text.count)
  }

  @Test func `EXIF without the field keeps all others and its thumbnail`() throws {
    let second = TIFFBuilder.Directory([
      (0x103, 3, .numbers([6])), (0x201, 4, .pieces([Self.picture])),
      (0x202, 4, .numbers([Self.picture.count])),
    ])
    for order in [true, false] {
      let first = TIFFBuilder.Directory(
        [
          (0x10f, 2, .bytes(Array("Maker\0".utf8))), (0x132, 2, .bytes(Array("2020\0".utf8))),
          (0x8769, 4, .directories([.init([(0x9003, 2, .bytes(Array("2021\0".utf8)))])])),
        ], next: second)
      let old = Self.picture.inserting(
        Self.exif(TIFFBuilder(isBigEndian: order).file(first)))
      let new = try Photos.turn(old, to: 6)
      let header = try #require(JPEGHeader(new)?.exif)
      let reader = try #require(TIFFReader(exif: Array(new[header])))
      let main = try #require(reader.directory(at: reader.firstDirectory))
      #expect(reader.contents(main.entries[0x10f], atMost: 9) == Array("Maker\0".utf8))
      #expect(reader.contents(main.entries[0x132], atMost: 9) == Array("2020\0".utf8))
      #expect(reader.number(main.entries[0x112]) == 6)
      #expect(main.entries[0x8769] != nil)
      let thumbnail = try #require(ExifThumbnail.range(in: new, exif: header))
      #expect(Array(new[thumbnail]) == Self.picture)
    }
  }

  @Test func `of two EXIF segments the first one is changed, of two packets the last`() throws {
    let exifs = Self.exif(Self.maker([(0x112, 3, .numbers([3]))]))
    let packets = Self.main(Photos.packet("one")) + Self.main(Photos.packet("two", padding: 99))
    let old = Self.picture.inserting(exifs + exifs + packets)
    let turned = try Photos.turn(old, to: 6)
    #expect(turned.count == old.count && Array(turned.suffix(300)) == Array(old.suffix(300)))
    let (rated, growth) = try Photos.put(Photos.packet("three"), into: turned)
    #expect(growth == 0)
    #expect(rated.hasPart(Array("one".utf8)) && !rated.hasPart(Array("two".utf8)))
  }

  @Test func `a packet, and EXIF, that are too long for a segment are refused`() throws {
    let text = String(repeating: "x", count: 65_502 - Photos.packet("").count)
    let longest = Photos.packet(text)
    #expect(longest.count == 65_502)
    for old in [Self.picture, Self.picture.inserting(Self.main(Photos.packet("old")))] {
      try Photos.put(longest, into: old)
      #expect(throws: ContainerFault.large) {
        try JPEGContainer(ByteSource(old)).patch(xmp: Photos.packet(text + "x"))
      }
    }
    let filler = [UInt8](repeating: 0, count: 65_470)
    let full = Self.picture.inserting(Self.exif(Self.maker([(0x9c9c, 1, .bytes(filler))])))
    #expect(throws: ContainerFault.large) {
      try JPEGContainer(ByteSource(full)).patch(Orientation(number: 6))
    }
    // A block that goes on in a second segment cannot grow in the first.
    let split = Self.picture.inserting(
      Self.exif(Self.maker()) + Self.exif([UInt8](repeating: 7, count: 99)))
    #expect(throws: ContainerFault.large) {
      try JPEGContainer(ByteSource(split)).patch(Orientation(number: 6))
    }
    let (rated, _) = try Photos.put(Photos.packet("new"), into: split)
    #expect(
      JPEGHeader(rated)?.xmp.map { $0.lowerBound - 33 }
        == JPEGHeader(split)?.exif.map { $0.upperBound + 4 + 6 + 99 })
  }

  @Test func `an extended packet is joined if the main one names it`() throws {
    let name = "0123456789ABCDEF0123456789ABCDEF"
    let extended = (0..<1000).map { UInt8($0 % 251) }
    func part(_ range: Range<Int>, _ name: String) -> [UInt8] {
      func long(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
      }
      return segment(
        0xe1,
        Array("http://ns.adobe.com/xmp/extension/\0\(name)".utf8) + long(1000)
          + long(range.lowerBound) + extended[range])
    }
    func file(_ parts: [UInt8], _ main: String) -> [UInt8] {
      Self.picture.inserting(Self.main(Photos.packet(main)) + parts)
    }
    let names = [
      "xmpNote:HasExtendedXMP=\"\(name)\"",
      "<xmpNote:HasExtendedXMP>\(name)</xmpNote:HasExtendedXMP>",
    ]
    let other = String(name.reversed())
    let parts = part(400..<1000, name) + part(0..<100, other) + part(0..<400, name)
    for main in names {
      let old = file(parts, main)
      #expect(try JPEGContainer(ByteSource(old)).xmp?.extended == extended)
      // It is still there when the main packet has changed.
      let (new, _) = try Photos.put(
        Photos.packet(main + String(repeating: " more", count: 99)), into: old)
      #expect(try JPEGContainer(ByteSource(new)).xmp?.extended == extended)
    }
    #expect(try JPEGContainer(ByteSource(file(parts, "none"))).xmp?.extended == nil)
    let missing = file(part(400..<1000, name), names[0])
    #expect(try JPEGContainer(ByteSource(missing)).xmp?.extended == nil)
  }

  /// A JPEG with a gain map, and the index of both after the segments.
  private static func gainMapPhoto(
    before: [UInt8], after: [UInt8] = [], isBigEndian: Bool
  ) -> [UInt8] {
    let map = image("gray.jpg")
    func file(_ size: Int, _ offset: Int) -> [UInt8] {
      func long(_ number: Int) -> [UInt8] {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        return isBigEndian ? bytes : bytes.reversed()
      }
      let entries = [0x30000, size, 0, 0, 0, map.count, offset, 0].flatMap(long)
      let index = TIFFBuilder(isBigEndian: isBigEndian).file(
        .init([(0xb000, 7, .bytes(Array("0100".utf8))), (0xb002, 7, .bytes(entries))]))
      return picture.inserting(before + segment(0xe2, Array("MPF\0".utf8) + index) + after)
    }
    let size = file(0, 0).count
    // The offset counts from the index's header.
    return file(size, size - (2 + before.count + 8)) + map
  }

  /// Returns the pictures that the index of a photo leads to.
  private func pictures(of photo: [UInt8]) throws -> [[UInt8]] {
    var walk = JPEGSegments(photo)
    while let segment = walk.next() {
      guard segment.marker == 0xe2, photo[segment.contents].starts(with: Array("MPF\0".utf8))
      else { continue }
      let base = segment.contents.lowerBound + 4
      let reader = try #require(TIFFReader(ByteSource(photo), at: base))
      let field = try #require(
        reader.directory(at: reader.firstDirectory)?.entries[0xb002])
      let numbers = reader.numbers(
        TIFFReader.Entry(type: 4, count: field.byteCount / 4, offset: field.offset))
      return stride(from: 0, to: numbers.count, by: 4).map { entry in
        let start = numbers[entry + 2] == 0 ? 0 : base + numbers[entry + 2]
        return Array(photo[start..<(start + numbers[entry + 1])])
      }
    }
    return []
  }

  @Test(arguments: [true, false])
  func `a gain map is found by the index, whatever grows before or after it`(isBigEndian: Bool)
    throws
  {
    let small = Self.main(Photos.packet("old"))
    let exif = Self.exif(Self.maker())
    for (before, after) in [([], []), (small + exif, []), (exif, small), ([], exif + small)] {
      let old = Self.gainMapPhoto(before: before, after: after, isBigEndian: isBigEndian)
      let map = image("gray.jpg")
      #expect(try pictures(of: old) == [Array(old.dropLast(map.count)), map])
      let rated = try Photos.put(Photos.packet(String(repeating: "long", count: 99)), into: old)
      #expect(rated.growth > 0)
      #expect(try pictures(of: rated.photo) == [Array(rated.photo.dropLast(map.count)), map])
      let turned = try Photos.turn(old, to: 6)
      #expect(turned.count > old.count)
      #expect(try pictures(of: turned) == [Array(turned.dropLast(map.count)), map])
    }
  }

  @Test func `a preview after the picture, to which a maker note leads, is not moved`() throws {
    let note = Array("SONY DSC \0\0\0".utf8)
    func old(_ base: Int, _ packet: [UInt8], roomy: Bool = false) -> [UInt8] {
      func file(_ offset: Int) -> [UInt8] {
        let bytes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: offset >> $0) }
        return Self.picture.inserting(
          Self.exif(
            Self.maker([
              (0x112, 3, .numbers([1])),
              (0x8769, 4, .directories([.init([(0x927c, 7, .bytes(note + bytes))])])),
            ])) + packet)
      }
      let count = file(0).count
      return file(count - base) + image("gray.jpg")
    }
    let packet = Self.main(Photos.packet("old", padding: 200))
    for base in [0, 12] {
      let photo = old(base, packet)
      #expect(try Photos.put(Photos.packet("new, in place"), into: photo).growth == 0)
      try Photos.turn(photo, to: 6)
      let long = Photos.packet(String(repeating: "long", count: 99))
      for photo in [photo, old(base, [])] {
        #expect(throws: ContainerFault.immovable) {
          try JPEGContainer(ByteSource(photo)).patch(xmp: long)
        }
      }
    }
    // Without a preview the same notes are harmless.
    try Photos.put(Photos.packet("new"), into: old(99, []))
  }

  @Test func `a trailer whose offsets count from the start of the file is not moved`() throws {
    let old = Self.picture + Array("AXS!".utf8) + [UInt8](repeating: 0, count: 8)
    for change: (JPEGContainer) throws -> FilePatch in [
      { try $0.patch(xmp: Photos.packet("new")) }, { try $0.patch(Orientation(number: 6)) },
    ] {
      #expect(throws: ContainerFault.immovable) { try change(JPEGContainer(ByteSource(old))) }
    }
  }

  @Test func `the films of motion photos stay`() throws {
    for old in [
      MotionPhoto.google(Self.picture, Self.film), MotionPhoto.samsung(Self.picture, Self.film),
    ] {
      // Google's packet says where the film is.
      let packet =
        try JPEGContainer(ByteSource(old)).xmp.map {
          Array($0.packet.dropLast(20))
            + Array("<!-- \(String(repeating: "x", count: 999)) -->".utf8)
            + $0.packet.suffix(20)
        } ?? Photos.packet("new")
      let (new, growth) = try Photos.put(packet, into: old)
      #expect(growth > 0)
      for photo in [new, try Photos.turn(new, to: 6)] {
        let range = EmbeddedFilm.range(in: ByteSource(photo), format: .jpeg)
        #expect(range.map { Array(photo[$0]) } == Self.film)
      }
    }
  }

  @Test func `only headers are read`() throws {
    let head = Array(Self.picture[..<(try #require(JPEGHeader(Self.picture)?.scanStart))])
    let count = 300 << 20
    var read = 0
    let source = ByteSource(count: count) { range in
      read += range.count
      return range.map { $0 < head.count ? head[$0] : 0 }
    }
    let container = try JPEGContainer(source)
    _ = try container.patch(xmp: Photos.packet("new"))
    #expect(read < 64 << 10)
  }
}

/// Returns the segments of a JPEG before its end.
private func segments(of file: [UInt8]) -> [JPEGSegments.Segment] {
  var walk = JPEGSegments(file)
  var segments: [JPEGSegments.Segment] = []
  while let segment = walk.next() { segments.append(segment) }
  return segments
}
