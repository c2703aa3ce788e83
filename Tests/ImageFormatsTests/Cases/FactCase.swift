import Geometry
import TestSupport
import Testing

@testable import ImageFormats

/// A file that says something in an odd way, and what is to be read from it.
struct FactCase: CustomTestStringConvertible, Sendable {
  /// The format, and the part of the file.
  let format: String
  let oddity: String
  /// The right value; nil if nothing is said.
  let value: String?
  /// The standard or the program by which the value is right.
  let authority: String
  /// Reads the value from the file.
  let read: @Sendable () -> String?

  init(
    _ format: String, _ oddity: String, _ value: String?, _ authority: String,
    _ read: @escaping @Sendable () -> String?
  ) {
    (self.format, self.oddity, self.value) = (format, oddity, value)
    (self.authority, self.read) = (authority, read)
  }

  var testDescription: String { "\(format): \(oddity)" }

  static let all: [FactCase] = dates + orientations + texts + films + names
}

@Suite struct FactCaseTests {
  @Test(arguments: FactCase.all)
  func `an odd file says what it says elsewhere`(row: FactCase) {
    #expect(row.read() == row.value, "\(row.authority)")
  }

  @Test func `the table is as long as it should be, and no row is there twice`() {
    #expect(FactCase.all.count >= 150)
    #expect(Set(FactCase.all.map(\.testDescription)).count == FactCase.all.count)
  }
}

/// The files of the table.
enum OddFile {
  typealias Field = (tag: Int, type: Int, values: TIFFBuilder.Values)

  /// An EXIF block with fields of its first directory and of the one for photos.
  static func exif(
    _ main: [Field], _ photo: [Field] = [], isBigEndian: Bool = false
  ) -> [UInt8] {
    let inner: [Field] =
      photo.isEmpty ? [] : [(0x8769, 4, .directories([TIFFBuilder.Directory(photo)]))]
    return Array("Exif\0\0".utf8)
      + TIFFBuilder(isBigEndian: isBigEndian).file(TIFFBuilder.Directory(main + inner))
  }

  /// What is read from a JPEG with metadata.
  static func jpeg(
    exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iptc: [UInt8]? = nil
  ) -> JPEGFacts? {
    var file = image("card.jpg")
    if let iptc {
      let resource =
        Array("Photoshop 3.0\08BIM".utf8) + [4, 4, 0, 0]
        + [24, 16, 8, 0].map { UInt8(iptc.count >> $0 & 255) } + iptc
      file = file.inserting(segment(0xed, resource))
    }
    if let xmp {
      file = file.inserting(segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp))
    }
    if let exif { file = file.inserting(segment(0xe1, exif)) }
    return JPEGHeader(file).map { JPEGFacts($0, in: file, latest: 2026_1231) }
  }

  /// A record of the IPTC.
  static func record(_ number: UInt8, _ value: [UInt8], set: UInt8 = 2) -> [UInt8] {
    [0x1c, set, number, UInt8(value.count >> 8), UInt8(value.count & 0xff)] + value
  }

  /// An XMP packet without `<?xpacket?>`, with attributes and elements of its description.
  static func packet(_ attributes: String, _ elements: String = "") -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
     xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
     xmlns:exif="http://ns.adobe.com/exif/1.0/"
     xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \(attributes)>\(elements)</rdf:Description>
    </rdf:RDF></x:xmpmeta>
    """
  }
}
