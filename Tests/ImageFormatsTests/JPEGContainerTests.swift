import PhotoGridCore
import TestSupport
import Testing

@testable import ImageFormats

/// XMP packets and orientations in JPEGs.
@Suite struct JPEGContainerTests {
  private static let picture = image("card.jpg")
  private static let app0 = segment(0xe0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])

  private static func packet(_ text: String, padding: Int = 0) -> [UInt8] {
    Array(
      """
      <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>\
      \(text)</x:xmpmeta>\(String(repeating: " ", count: padding))<?xpacket end='w'?>
      """.utf8)
  }

  private static func main(_ packet: [UInt8]) -> [UInt8] {
    segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
  }

  @Test func `a packet is put into a photo without one, after EXIF, and taken out again`() throws {
    let old = Self.picture.insertingExif(thumbnail: Self.picture)
    let container = try JPEGContainer(ByteSource(old))
    #expect(try container.xmp == nil)
    let packet = Self.packet("new")
    let patch = try container.patch(xmp: packet)
    let new = try #require(patch.applied(to: old))
    #expect(
      PhotoContainers.isPatched(ByteSource(new), from: ByteSource(old), by: patch, xmp: packet))
    let header = try #require(JPEGHeader(new))
    let (exif, xmp) = (try #require(header.exif), try #require(header.xmp))
    #expect(xmp.lowerBound - 33 == exif.upperBound)
    #expect(try #require(patch.inverse(in: ByteSource(old))).applied(to: new) == old)
  }

  @Test func `a packet with room is changed in place`() throws {
    let old = Self.picture.inserting(Self.main(Self.packet("old", padding: 100)))
    let patch = try JPEGContainer(ByteSource(old)).patch(xmp: Self.packet("new and longer"))
    #expect(patch.growth == 0)
    let new = try #require(patch.applied(to: old))
    let stored = try #require(try JPEGContainer(ByteSource(new)).xmp)
    #expect(XMPPadding.isSame(stored.packet, Self.packet("new and longer")))
  }

  @Test func `an orientation is changed in place, added to a directory, or put into a new segment`()
    throws
  {
    let tagged = Self.picture.insertingExif(thumbnail: Self.picture, orientation: 3)
    let other = TIFFBuilder().file(
      .init([(0x10f, 2, .bytes(Array("Maker\0".utf8))), (0x132, 2, .bytes(Array("2020".utf8)))]))
    let untagged = Self.picture.inserting(segment(0xe1, Array("Exif\0\0".utf8) + other))
    for old in [Self.picture, tagged, untagged] {
      let container = try JPEGContainer(ByteSource(old))
      #expect(container.orientation == (old == tagged ? Orientation(number: 3) : nil))
      let patch = try container.patch(Orientation(number: 6))
      let new = try #require(patch.applied(to: old))
      #expect(
        PhotoContainers.isPatched(
          ByteSource(new), from: ByteSource(old), by: patch, Orientation(number: 6)))
      #expect(
        ExifFacts(new[try #require(JPEGHeader(new)?.exif)]).orientation == Orientation(number: 6))
      #expect(try #require(patch.inverse(in: ByteSource(old))).applied(to: new) == old)
    }
  }
}
