import Geometry
import ImageFormats
import TestSupport
import Testing

/// The orientations in photos and their sidecars.
@Suite struct StoredOrientationTests {
  private func stored(_ bytes: [UInt8], _ name: String) -> StoredOrientation? {
    StoredOrientation(ByteSource(bytes), name: Array(name.utf8))
  }

  static let turns: [(properties: [(String, UInt8)], number: Int)] = [
    ([], 1), ([("irot", 0)], 1), ([("irot", 1)], 8), ([("irot", 2)], 3), ([("irot", 3)], 6),
    ([("imir", 0)], 4), ([("imir", 1)], 2), ([("irot", 3), ("imir", 1)], 5),
    ([("imir", 1), ("irot", 3)], 7),
  ]

  @Test(arguments: turns)
  func `the properties of a HEIC are applied in their order`(
    properties: [(String, UInt8)], number: Int
  ) {
    let bytes = TurnedHEIC.file(properties.map { (type: $0.0, value: $0.1) })
    #expect(HEIFOrientation.read(ByteSource(bytes)).number == number)
    let found = stored(bytes, "a.heic")
    #expect(found?.format == .heic && found?.orientation.number == number)
    #expect(found?.container == nil)
  }

  @Test func `a HEIC that ends anywhere, or has any byte changed, traps nothing`() {
    let bytes = TurnedHEIC.file([(type: "irot", value: 3)])
    for count in bytes.indices {
      _ = HEIFOrientation.read(ByteSource(Array(bytes[..<count])))
      var changed = bytes
      changed[count] = 0xff
      _ = HEIFOrientation.read(ByteSource(changed))
    }
  }

  @Test(arguments: RawFile.allCases)
  func `a raw photo has an orientation that cannot be changed in it`(kind: RawFile) {
    // In some it is in the preview itself.
    let large = image("card.jpg").insertingExif(thumbnail: [], orientation: 6)
    let bytes = kind.file(small: image("card.jpg"), large: large, orientation: 6)
    let found = stored(bytes, "a.\(kind.suffix)")
    #expect(found?.format == .raw && found?.container == nil)
    #expect(found?.orientation == .quarterTurn)
  }

  @Test func `other formats are upright, and other files no photos`() {
    for name in ["card.gif", "card.bmp", "card.jxl", "card.jp2"] {
      let found = stored(image(name), name)
      #expect(found?.orientation == .upright && found?.container == nil)
    }
    #expect(stored(Array("text".utf8), "a.jpg") == nil)
    #expect(stored([], "a.jpg") == nil)
  }

  // MARK: - Sidecars

  private func document(_ description: String) -> [UInt8] {
    Array(
      ("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF"
        + " xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
        + description + "</rdf:RDF></x:xmpmeta>").utf8)
  }

  private static let tiff = "xmlns:tiff=\"http://ns.adobe.com/tiff/1.0/\""

  static let documents: [(description: String, number: Int?)] = [
    ("<rdf:Description \(tiff) tiff:Orientation=\"6\"/>", 6),
    ("<rdf:Description xmlns:t='http://ns.adobe.com/tiff/1.0/' t:Orientation='8'/>", 8),
    ("<rdf:Description \(tiff)><tiff:Orientation>3</tiff:Orientation></rdf:Description>", 3),
    ("<rdf:Description \(tiff)>\n<tiff:Orientation> 3 </tiff:Orientation></rdf:Description>", 3),
    ("<rdf:Description \(tiff) tiff:Orientation=\"0\"/>", nil),
    ("<rdf:Description \(tiff) tiff:Orientation=\"9\"/>", nil),
    ("<rdf:Description \(tiff) tiff:Orientation=\"\"/>", nil),
    ("<rdf:Description xmlns:tiff=\"http://example.com/\" tiff:Orientation=\"6\"/>", nil),
    ("<rdf:Description/>", nil),
  ]

  @Test(arguments: documents)
  func `a sidecar's orientation is read and set, and nothing else changes`(
    description: String, number: Int?
  ) throws {
    let bytes = document(description)
    #expect(XMPFacts(bytes, .sidecar).orientation?.number == number)
    for wanted in (1...8).map({ Orientation(number: $0) }) {
      let patch = SidecarOrientation.patch(bytes, wanted)
      // The prefix that it would need may stand for another namespace.
      guard let new = patch?.applied(to: bytes) else {
        #expect(description.contains("example.com"))
        continue
      }
      #expect(XMPFacts(new, .sidecar).orientation == wanted)
      #expect((patch?.isEmpty ?? false) == (number == wanted.number))
      let back = try #require(patch?.inverse(in: ByteSource(bytes)))
      #expect(back.applied(to: new) == bytes)
      #expect(new.count <= bytes.count + 80)
    }
  }

  @Test func `a new sidecar is XMP with the orientation alone`() {
    for orientation in (1...8).map({ Orientation(number: $0) }) {
      let new = SidecarOrientation.document(orientation)
      #expect(XMPFacts(new, .sidecar).orientation == orientation)
      #expect(SidecarOrientation.patch([], orientation)?.applied(to: []) == new)
    }
  }

  @Test func `what is not XMP is not changed, and a text that ends anywhere traps nothing`() {
    #expect(SidecarOrientation.patch(Array("text".utf8), .quarterTurn) == nil)
    let bytes = SidecarOrientation.document(.upright)
    for count in 1..<bytes.count {
      _ = SidecarOrientation.patch(Array(bytes[..<count]), .quarterTurn)
      _ = XMPFacts(Array(bytes[..<count]), .sidecar).orientation
    }
  }
}
