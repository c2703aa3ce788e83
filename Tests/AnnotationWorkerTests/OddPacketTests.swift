import Photos
import TestSupport
import Testing

@testable import AnnotationWorker

/// Ratings in packets and sidecars that are written in unusual ways.
@Suite struct OddPacketTests {
  private let folder = RatedFolder()

  private static let text = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
     xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4" xmp:Label="Green"/></rdf:RDF>
    </x:xmpmeta>
    """

  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    ("\u{feff}" + text).utf16.flatMap { unit in
      let two = [UInt8(unit >> 8), UInt8(unit & 255)]
      return isBigEndian ? two : two.reversed()
    }
  }

  @Test(arguments: [
    ("UTF-8", Array(text.utf8)),
    ("UTF-16, little-endian", utf16(text, isBigEndian: false)),
    ("UTF-16, big-endian", utf16(text, isBigEndian: true)),
    ("ISO 8859-1", Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n".utf8) + text.utf8),
  ])
  func `a sidecar in any encoding has a rating`(encoding: String, bytes: [UInt8]) {
    let path = folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    folder.write(bytes, to: "a.xmp")
    #expect(AnnotationFiles.rating(ofPhoto: path) == Rating(stars: 4, label: .green), "\(encoding)")
  }

  @Test func `films have ratings and keywords, in a box or in the user's data`() {
    let id: [UInt8] = [
      0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf,
      0xac,
    ]
    let film = TestFilm.small("short.mp4") + MotionPhoto.box("uuid", id + Self.text.utf8)
    let path = folder.write(film, to: "a.mp4")
    #expect(AnnotationFiles.rating(ofPhoto: path) == Rating(stars: 4, label: .green))
    #expect(
      AnnotationFiles.rating(ofPhoto: folder.write(TestFilm.small("short.mp4"), to: "b.mp4"))
        == .none)
  }

  @Test(arguments: ["a.XMP", "a.jpg.XMP"])
  func `a sidecar in upper case is changed, and no second one is made`(name: String) throws {
    let path = folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    folder.write(RatedFolder.sidecar("xmp:Rating=\"2\""), to: name)
    #expect(AnnotationFiles.rating(ofPhoto: path).stars == 2)
    let result = AnnotationFiles.write(.stars(5), ofPhoto: path, isEmbedded: false)
    #expect(result.failure == nil && result.before?.stars == 2)
    #expect(folder.names == ["a.jpg", name].sorted())
    #expect(AnnotationFiles.rating(ofPhoto: path).stars == 5)
  }
}
