import Geometry
import Photos
import TestSupport
import Testing

@testable import ImageFormats

/// XMP packets and orientations in the chunks of PNGs and WebPs.
@Suite struct ChunkContainerTests {
  private typealias Photos = PhotoContainerTests

  private static let key = "XML:com.adobe.xmp"

  /// A PNG with a packet in a chunk of some kind.
  private static func png(_ packet: [UInt8], _ kind: PNGFile.TextKind) -> [UInt8] {
    PNGFile.flat(3, 2, 0x102030, text: [(key, packet)], kind)
  }

  /// Whether each chunk has the length and the checksum that belong to its contents.
  private func isWhole(_ png: [UInt8]) -> Bool {
    let chunks = PNGFile.chunks(of: png)
    return png == PNGFile.signature + chunks.flatMap { PNGFile.chunk($0.name, $0.contents) }
      && chunks.last?.name == "IEND"
  }

  @Test func `a PNG's packet is found and replaced, in whatever chunk it is`() throws {
    let packet = Photos.packet("old", padding: 100)
    for kind: PNGFile.TextKind in [.plain, .compressed, .international, .internationalCompressed] {
      let old = Self.png(packet, kind)
      #expect(try PNGContainer(ByteSource(old)).xmp?.packet == packet)
      let (new, growth) = try Photos.put(Photos.packet("the new one"), into: old)
      #expect((growth == 0) == (kind == .international))
      #expect(isWhole(new))
      let texts = PNGFile.chunks(of: new).filter { $0.contents.starts(with: Self.key.utf8) }
      #expect(texts.map(\.name) == ["iTXt"])
    }
  }

  @Test func `chunks come before a PNG's picture, and old ones stay where they are`() throws {
    let bare = PNGFile.flat(3, 2, 0x102030, text: [])
    let (rated, _) = try Photos.put(Photos.packet("new"), into: bare)
    let turned = try Photos.turn(rated, to: 6)
    #expect(PNGFile.chunks(of: turned).map(\.name) == ["IHDR", "iTXt", "eXIf", "IDAT", "IEND"])
    #expect(isWhole(turned))
    // Some programs write their chunks after the picture.
    let late =
      Array(bare.dropLast(12))
      + PNGFile.chunk(
        "iTXt", Array("\(Self.key)\0\0\0\0\0".utf8) + Photos.packet("late"))
      + PNGFile.chunk("IEND", [])
    let (again, _) = try Photos.put(Photos.packet("new and longer"), into: late)
    #expect(PNGFile.chunks(of: again).map(\.name) == ["IHDR", "IDAT", "iTXt", "IEND"])
    #expect(isWhole(again))
  }

  @Test func `EXIF without an orientation grows, with Exif at its start or not`() throws {
    let block = TIFFBuilder().file(.init([(0x10f, 2, .bytes(Array("Maker\0".utf8)))]))
    for start in ["", "Exif\0\0"] {
      let chunk = PNGFile.chunk("eXIf", Array(start.utf8) + block)
      let bare = PNGFile.flat(3, 2, 0x102030, text: [])
      let old = bare[..<33] + chunk + bare[33...]
      let new = try Photos.turn(Array(old), to: 6)
      #expect(isWhole(new))
      let exif = try #require(PNGFile.chunks(of: new).first { $0.name == "eXIf" }?.contents)
      #expect(ExifFacts(exif[...]).orientation == Orientation(number: 6))
      #expect(PhotoMetadata(exif: exif).camera == PhotoMetadata(exif: block).camera)
    }
  }

  @Test func `a packet that expands without bound, and a damaged one, are refused`() throws {
    let bomb = Self.png([UInt8](repeating: 0x20, count: 17 << 20), .internationalCompressed)
    #expect(throws: ContainerFault.damaged) { try PNGContainer(ByteSource(bomb)).xmp }
    let bare = PNGFile.flat(3, 2, 0x102030, text: [])
    let chunk = PNGFile.chunk("iTXt", Array("\(Self.key)\0".utf8) + [9, 9, 9])
    let damaged = ByteSource(Array(bare[..<33] + chunk + bare[33...]))
    #expect(throws: ContainerFault.damaged) { try PNGContainer(damaged).xmp }
    #expect(throws: ContainerFault.damaged) {
      try PNGContainer(damaged).patch(xmp: Photos.packet("new"))
    }
  }

  /// The chunks of a WebP, whose length and padding are right.
  private func chunks(of webp: [UInt8]) throws -> [(name: String, contents: [UInt8])] {
    func number(_ at: Int) -> Int { webp[at..<(at + 4)].reversed().reduce(0) { $0 << 8 | Int($1) } }
    #expect(number(4) == webp.count - 8)
    var chunks: [(String, [UInt8])] = []
    var offset = 12
    while offset < webp.count {
      let end = offset + 8 + number(offset + 4)
      chunks.append(
        (
          String(decoding: webp[offset..<(offset + 4)], as: UTF8.self),
          Array(webp[(offset + 8)..<end])
        ))
      offset = end + end & 1
    }
    #expect(offset == webp.count)
    return chunks
  }

  @Test func `a WebP in the simple format becomes one in the extended format`() throws {
    for (name, alpha) in [("card.webp", 0), ("texture.webp", 0), ("alpha.webp", 0x10)] {
      let old = image(name)
      let before = try chunks(of: old)
      let size = HeaderSize(of: .webp, firstBytes: old)
      let (rated, _) = try Photos.put(Photos.packet("new!"), into: old)
      let new = try Photos.turn(rated, to: 6)
      let after = try chunks(of: new)
      let pictures = before.filter { $0.name.hasPrefix("VP8") && $0.name != "VP8X" }
      #expect(after.map(\.name) == ["VP8X"] + pictures.map(\.name) + ["EXIF", "XMP "])
      #expect(
        zip(after.dropFirst(), pictures).allSatisfy { $0.contents == $1.contents })
      #expect(after[0].contents[0] & 0x1c == 0x0c | alpha)
      #expect(
        HeaderSize(of: .webp, firstBytes: new).map { [$0.width, $0.height] }
          == size.map { [$0.width, $0.height] })
    }
  }

  @Test func `a WebP's chunks grow, with their padding, and an animation stays`() throws {
    let old = image("film.webp")
    let frames = try chunks(of: old).filter { $0.name == "ANMF" }.map(\.contents)
    #expect(frames.count > 1)
    var photo = old
    for length in 1...6 {
      let text = String(repeating: "x", count: 2500 * length + length)
      photo = try Photos.put(Photos.packet(text), into: photo).photo
      #expect(try chunks(of: photo).filter { $0.name == "ANMF" }.map(\.contents) == frames)
    }
    let block = TIFFBuilder().file(.init([(0x10f, 2, .bytes(Array("Maker\0".utf8)))]))
    let exif = Array("EXIF".utf8) + [UInt8(block.count), 0, 0, 0] + block
    var dated = image("card.webp") + exif
    dated[4...5] = [UInt8(truncatingIfNeeded: dated.count - 8), UInt8((dated.count - 8) >> 8)]
    let turned = try Photos.turn(dated, to: 6)
    let after = try #require(try chunks(of: turned).last)
    #expect(after.name == "EXIF")
    #expect(ExifFacts(after.contents[...]).orientation == Orientation(number: 6))
  }

  @Test func `bytes after a WebP stay, and a length beyond the file is refused`() throws {
    let old = image("card.webp") + [1, 2, 3]
    let (new, _) = try Photos.put(Photos.packet("new"), into: old)
    #expect(new.suffix(3) == [1, 2, 3])
    #expect(throws: ContainerFault.damaged) {
      try WebPContainer(ByteSource(Array(image("card.webp").dropLast())))
    }
  }
}
