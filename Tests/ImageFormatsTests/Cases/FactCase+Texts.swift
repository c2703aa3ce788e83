import Geometry
import TestSupport

@testable import ImageFormats

/// Texts in all encodings, and orientations of all types.
extension FactCase {
  static let orientations: [FactCase] = validOrientations + invalidOrientations

  private static let types: [(number: Int, name: String)] = [
    (1, "BYTE"), (3, "SHORT"), (4, "LONG"), (6, "SBYTE"), (8, "SSHORT"), (9, "SLONG"),
  ]

  /// Orientation 6 as an integer of each type, in both byte orders.
  private static let validOrientations: [FactCase] = types.flatMap { type -> [FactCase] in
    [false, true].map { (isBigEndian: Bool) -> FactCase in
      let field: OddFile.Field = (0x112, type.number, .numbers([6]))
      let block = OddFile.exif([field], isBigEndian: isBigEndian)
      let order = isBigEndian ? "big" : "little"
      return FactCase(
        "JPEG, EXIF", "orientation of type \(type.name), \(order)-endian", "6", "exiftool, exiv2"
      ) {
        OddFile.jpeg(exif: block).map { "\($0.exif.orientation.number)" }
      }
    }
  }

  private static var odd: [(oddity: String, field: OddFile.Field)] {
    [
      ("of type ASCII", (0x112, 2, .bytes([0x36, 0]))), ("of 0", (0x112, 3, .numbers([0]))),
      ("of 9", (0x112, 3, .numbers([9]))), ("of 70,000", (0x112, 4, .numbers([70_000]))),
      ("of -1", (0x112, 9, .numbers([-1]))),
    ]
  }

  private static let invalidOrientations: [FactCase] = odd.map { row -> FactCase in
    let block = OddFile.exif([row.field])
    return FactCase("JPEG, EXIF", "orientation \(row.oddity)", "1", "Exif 2.3, 4.6.4") {
      OddFile.jpeg(exif: block).map { "\($0.exif.orientation.number)" }
    }
  }

  static let texts: [FactCase] =
    iptcTexts + exifTexts + models + comments + windowsTexts + packets + qualified + otherQualified
    + many

  /// Photos with 2,500 keywords, of which the first ones are kept.
  private static let many: [FactCase] = [
    FactCase(
      "JPEG, XMP", "2,500 keywords in an extended packet", "keyword 0, cut", "XMP part 3, 1.1.3"
    ) {
      let name = "0123456789ABCDEF0123456789ABCDEF"
      let items = (0..<2500).map { "<rdf:li>keyword \($0)</rdf:li>" }.joined()
      let whole = Array(
        OddFile.packet("", "<dc:subject><rdf:Bag>\(items)</rdf:Bag></dc:subject>").utf8)
      let note =
        "xmlns:xmpNote=\"http://ns.adobe.com/xmp/note/\" xmpNote:HasExtendedXMP=\"\(name)\""
      var file = image("card.jpg")
      // The parts may be in any order.
      for start in stride(from: 0, to: whole.count, by: 60_000) {
        let part = whole[start..<min(start + 60_000, whole.count)]
        let numbers = [whole.count, start].flatMap { number in
          [24, 16, 8, 0].map { UInt8(number >> $0 & 255) }
        }
        file = file.inserting(
          segment(
            0xe1, Array("http://ns.adobe.com/xmp/extension/\0".utf8) + name.utf8 + numbers + part))
      }
      let main = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + OddFile.packet(note).utf8
      file = file.inserting(segment(0xe1, main))
      return first(JPEGHeader(file).map { JPEGFacts($0, in: file) })
    },
    FactCase("JPEG, IPTC", "2,500 keywords", "keyword 0, cut", "exiftool") {
      first(
        OddFile.jpeg(
          iptc: (0..<2500).flatMap { OddFile.record(25, Array("keyword \($0)".utf8)) }))
    },
    FactCase("sidecar", "2,500 keywords", "keyword 0, cut", "exiftool") {
      let items = (0..<2500).map { "<rdf:li>keyword \($0)</rdf:li>" }.joined()
      var written = WrittenFacts()
      written.sidecar = XMPFacts(
        Array(OddFile.packet("", "<dc:subject><rdf:Bag>\(items)</rdf:Bag></dc:subject>").utf8))
      return written.words.map { "\($0.keywords[0])\($0.isCut ? ", cut" : "")" }
    },
  ]

  private static func first(_ facts: JPEGFacts?) -> String? {
    facts?.metadata.words.map { "\($0.keywords[0])\($0.isCut ? ", cut" : "")" }
  }

  /// "It’s 5 €" and "Sacré-Cœur" in Windows-1252.
  private static let price: [UInt8] = Array("It".utf8) + [0x92] + Array("s 5 ".utf8) + [0x80]
  private static let church: [UInt8] =
    Array("Sacr".utf8) + [0xe9] + Array("-C".utf8) + [0x9c] + Array("ur".utf8)
  private static let utf8Mark = OddFile.record(90, [0x1b, 0x25, 0x47], set: 1)

  private static let iptcTextsRows:
    [(oddity: String, marker: [UInt8], text: [UInt8], value: String)] = [
      ("Windows-1252 without a marker", [], price, "It’s 5 €"),
      ("Windows-1252 letters without a marker", [], church, "Sacré-Cœur"),
      ("UTF-8 without a marker", [], Array("Sacré-Cœur".utf8), "Sacré-Cœur"),
      ("UTF-8 with its marker", utf8Mark, Array("東京 €".utf8), "東京 €"),
      ("Windows-1252 marked as UTF-8", utf8Mark, church, "Sacré-Cœur"),
      ("Latin-1 letters", [], [0xc9, 0x74, 0xe9], "Été"),
      ("ASCII", [], Array("Rome".utf8), "Rome"),
      ("a byte that Windows-1252 lacks", [], [0x41, 0x81, 0x42], "A?B"),
    ]

  private static let iptcTexts: [FactCase] = iptcTextsRows.flatMap { (row) -> [FactCase] in
    let (oddity, marker, text, value) = row
    let fields: [(number: UInt8, name: String)] = [(5, "title"), (25, "keyword"), (120, "caption")]
    return fields.map { (number, field) -> FactCase in
      FactCase("IPTC, \(field)", oddity, value, "IIM 4.2, 1:90; exiftool -charset iptc=Latin") {
        words(OddFile.jpeg(iptc: marker + OddFile.record(number, text)))
      }
    }
  }

  /// All words of a photo.
  private static func words(_ facts: JPEGFacts?) -> String? {
    guard let words = facts?.metadata.words else { return nil }
    var parts: [String] = []
    if let title = words.title { parts.append(title) }
    if let caption = words.caption { parts.append(caption) }
    return (parts + words.keywords).joined(separator: "|")
  }

  private static let exifTextsRows: [(oddity: String, bytes: [UInt8], value: String?)] = [
    ("Windows-1252", church + [0], "Sacré-Cœur"),
    ("UTF-8", Array("Sacré-Cœur\0".utf8), "Sacré-Cœur"),
    ("UTF-8 in Japanese", Array("東京\0".utf8), "東京"),
    ("a camera's constant", Array("OLYMPUS DIGITAL CAMERA         \0".utf8), nil),
    ("spaces alone", Array("                \0".utf8), nil),
  ]

  private static let exifTexts: [FactCase] = exifTextsRows.map { (row) -> FactCase in
    let (oddity, bytes, value) = row
    return
      FactCase("JPEG, ImageDescription", oddity, value, "Exif 2.3, 4.6.4; not ASCII: as IPTC") {
        words(OddFile.jpeg(exif: OddFile.exif([(0x10e, 2, .bytes(bytes))])))
      }
  }

  private static let models: [FactCase] = [
    FactCase("JPEG, Model", "Windows-1252", "Caméra", "Exif 2.3, 4.6.4; not ASCII: as IPTC") {
      let model: [UInt8] = Array("Cam".utf8) + [0xe9] + Array("ra\0".utf8)
      return OddFile.jpeg(exif: OddFile.exif([(0x110, 2, .bytes(model))]))?.metadata.camera
    }
  ]

  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
      let two = [UInt8(unit >> 8), UInt8(unit & 255)]
      return isBigEndian ? two : two.reversed()
    }
  }

  private static let commentsRows: [(oddity: String, bytes: [UInt8], value: String?)] = [
    ("ASCII", Array("ASCII\0\0\0Rome".utf8), "Rome"),
    ("ASCII that is Windows-1252", Array("ASCII\0\0\0".utf8) + church, "Sacré-Cœur"),
    ("ASCII that is UTF-8", Array("ASCII\0\0\0Sacré-Cœur".utf8), "Sacré-Cœur"),
    ("UNICODE, little-endian", unicode + utf16("Sacré-Cœur", isBigEndian: false), "Sacré-Cœur"),
    ("UNICODE, big-endian", unicode + utf16("Sacré-Cœur", isBigEndian: true), "Sacré-Cœur"),
    ("UNICODE with a mark", unicode + utf16("\u{feff}東京", isBigEndian: true), "東京"),
    (
      "UNICODE in Cyrillic", unicode + utf16("Красная площадь", isBigEndian: true),
      "Красная площадь"
    ),
    ("JIS with escapes", jis + [0x1b, 0x24, 0x42, 0x45, 0x6c, 0x35, 0x7e, 0x1b, 0x28, 0x42], "東京"),
    ("JIS without escapes", jis + [0x45, 0x6c, 0x35, 0x7e], "東京"),
    ("no code", Array(repeating: 0, count: 8) + church, "Sacré-Cœur"),
    ("an unknown code", Array("NONSENSERome".utf8), nil),
    ("a code alone", Array("ASCII\0\0\0".utf8), nil),
    ("padded with zeros", Array("ASCII\0\0\0Rome\0\0\0\0".utf8), "Rome"),
    ("what a telephone notes", Array("ASCII\0\0\0filter: 0; fileterIntensity: 0.0".utf8), nil),
  ]

  private static let comments: [FactCase] = commentsRows.map { (row) -> FactCase in
    let (oddity, bytes, value) = row
    return
      FactCase("JPEG, UserComment", oddity, value, "Exif 2.3, 4.6.5") {
        words(OddFile.jpeg(exif: OddFile.exif([], [(0x9286, 7, .bytes(bytes))])))
      }
  }

  private static let unicode = Array("UNICODE\0".utf8)
  private static let jis = Array("JIS\0\0\0\0\0".utf8)

  private static let windowsTextsRows: [(oddity: String, tag: Int, text: String, value: String?)] =
    [
      ("XPTitle", 0x9c9b, "Sacré-Cœur\0", "Sacré-Cœur"), ("XPComment", 0x9c9c, "東京\0", "東京"),
      ("XPSubject", 0x9c9f, "Meer\0", "Meer"), ("XPKeywords", 0x9c9e, "Rome;Été\0", "Rome|Été"),
      ("XPTitle that is empty", 0x9c9b, "\0", nil),
    ]

  private static let windowsTexts: [FactCase] = windowsTextsRows.map { (row) -> FactCase in
    let (oddity, tag, text, value) = row
    return
      FactCase("JPEG, Windows' fields", oddity, value, "exiftool") {
        let bytes = utf16(text, isBigEndian: false)
        return words(
          OddFile.jpeg(exif: OddFile.exif([(tag, 1, .bytes(bytes))], isBigEndian: true)))
      }
  }

  /// A packet with the keyword "Sacré-Cœur" in each encoding.
  private static let packets: [FactCase] = {
    let list = "<dc:subject><rdf:Bag><rdf:li>Sacré-Cœur</rdf:li></rdf:Bag></dc:subject>"
    let text = OddFile.packet("", list)
    func declared(_ encoding: String) -> String {
      "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n" + text
    }
    func utf32(_ text: String, isBigEndian: Bool) -> [UInt8] {
      text.unicodeScalars.flatMap { scalar in
        let four = [24, 16, 8, 0].map { UInt8(scalar.value >> $0 & 255) }
        return isBigEndian ? four : four.reversed()
      }
    }
    func windows(_ text: String) -> [UInt8] {
      text.unicodeScalars.map { $0 == "œ" ? 0x9c : UInt8($0.value) }
    }
    let rows: [(String, [UInt8])] = [
      ("UTF-8", Array(text.utf8)), ("UTF-8 with a mark", [0xef, 0xbb, 0xbf] + Array(text.utf8)),
      ("UTF-8 that is declared", Array(declared("UTF-8").utf8)),
      ("UTF-16, little-endian", utf16("\u{feff}" + text, isBigEndian: false)),
      ("UTF-16, big-endian", utf16("\u{feff}" + text, isBigEndian: true)),
      ("UTF-16 without a mark", utf16(text, isBigEndian: false)),
      ("UTF-16 that is declared", utf16("\u{feff}" + declared("UTF-16"), isBigEndian: true)),
      ("UTF-32, little-endian", utf32("\u{feff}" + text, isBigEndian: false)),
      ("UTF-32, big-endian", utf32("\u{feff}" + text, isBigEndian: true)),
      ("Windows-1252 that is declared", windows(declared("windows-1252"))),
      ("Windows-1252 declared as ISO 8859-1", windows(declared("ISO-8859-1"))),
      ("Windows-1252 that is not declared", windows(text)),
      ("UTF-8 declared as UTF-16", Array(declared("UTF-16").utf8)),
    ]
    return rows.flatMap { (encoding, bytes) in
      [
        FactCase("sidecar", encoding, "Sacré-Cœur", "XML 1.0, appendix F") {
          XMPFacts(bytes, .sidecar).keywords.map { String(decoding: $0.joined(), as: UTF8.self) }
        },
        FactCase("JPEG, XMP", encoding, "Sacré-Cœur", "XML 1.0, appendix F") {
          words(OddFile.jpeg(xmp: bytes))
        },
      ]
    }
  }()

  /// The keyword "rome" with qualifiers.
  private static let qualifiedRows: [(form: String, item: String)] = [
    (
      "a resource",
      "<rdf:li rdf:parseType=\"Resource\"><rdf:value>rome</rdf:value><xmp:rank>1</xmp:rank></rdf:li>"
    ),
    (
      "a resource whose qualifier comes first",
      "<rdf:li rdf:parseType=\"Resource\"><xmp:rank>1</xmp:rank><rdf:value>rome</rdf:value></rdf:li>"
    ),
    (
      "a description",
      "<rdf:li><rdf:Description><rdf:value>rome</rdf:value><xmp:rank>1</xmp:rank></rdf:Description></rdf:li>"
    ),
    ("attributes", "<rdf:li rdf:value=\"rome\" xmp:rank=\"1\"/>"),
    (
      "a description's attributes",
      "<rdf:li><rdf:Description rdf:value=\"rome\" xmp:rank=\"1\"/></rdf:li>"
    ),
    (
      "a qualifier with a value of its own",
      "<rdf:li rdf:parseType=\"Resource\"><xmp:rank rdf:parseType=\"Resource\"><rdf:value>1</rdf:value></xmp:rank><rdf:value>rome</rdf:value></rdf:li>"
    ),
  ]

  private static let qualified: [FactCase] = qualifiedRows.map { (row) -> FactCase in
    let (form, item) = row
    return
      FactCase("XMP", "a keyword with a qualifier as \(form)", "rome", "XMP part 1, 7.8") {
        words(
          OddFile.jpeg(
            xmp: Array(
              OddFile.packet("", "<dc:subject><rdf:Bag>\(item)</rdf:Bag></dc:subject>").utf8)))
      }
  }

  private static let otherQualified: [FactCase] = [
    FactCase("XMP", "a date with a qualifier", "2016-05-01", "XMP part 1, 7.8") {
      let date =
        "<xmp:CreateDate rdf:parseType=\"Resource\"><rdf:value>2016-05-01</rdf:value>"
        + "<xmp:rank>1</xmp:rank></xmp:CreateDate>"
      return OddFile.jpeg(xmp: Array(OddFile.packet("", date).utf8))?.taken?.detailed
    },
    FactCase("XMP", "a title with a qualifier", "Title", "XMP part 1, 7.8") {
      let title =
        "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\" rdf:parseType=\"Resource\">"
        + "<rdf:value>Title</rdf:value><xmp:rank>1</xmp:rank></rdf:li></rdf:Alt></dc:title>"
      return words(OddFile.jpeg(xmp: Array(OddFile.packet("", title).utf8)))
    },
  ]
}
