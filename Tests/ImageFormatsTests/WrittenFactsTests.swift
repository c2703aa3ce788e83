import ImageFormats
import Photos
import TestSupport
import Testing

/// What XMP, the records of the IPTC and texts of PNGs say about photos.
@Suite struct WrittenFactsTests {
  /// An XMP packet with some properties in a description, and others as its attributes.
  private static func packet(
    _ properties: String, _ attributes: String = "", dc: String = "dc"
  ) -> [UInt8] {
    Array(
      """
      <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
       <rdf:Description rdf:about="" xmlns:\(dc)="http://purl.org/dc/elements/1.1/"
        xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \(attributes)>
        \(properties)
       </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
      """.utf8)
  }

  private static func list(_ kind: String, _ items: String...) -> String {
    "<rdf:\(kind)>" + items.map { "<rdf:li>\($0)</rdf:li>" }.joined() + "</rdf:\(kind)>"
  }

  private static func text(_ bytes: [UInt8]?) -> String? {
    bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: ["dc", "purl"])
  func `titles, captions and keywords are found under any prefix`(dc: String) {
    let facts = XMPFacts(
      Self.packet(
        "<\(dc):subject>\(Self.list("Bag", "Rome", "&#xC9;t&#233; &amp; Meer"))</\(dc):subject>"
          + """
          <\(dc):title><rdf:Alt><rdf:li xml:lang="de">Titel</rdf:li>
          <rdf:li xml:lang="x-default">A title</rdf:li></rdf:Alt></\(dc):title>
          """
          + "<\(dc):description>\(Self.list("Alt", "<![CDATA[a < b]]>"))</\(dc):description>",
        dc: dc))
    #expect(facts.keywords?.map { Self.text($0) } == ["Rome", "Été & Meer"])
    #expect(Self.text(facts.title) == "A title" && Self.text(facts.caption) == "a < b")
  }

  @Test func `a picture of a HEIC or AVIF says when it was created`() {
    // 2019-07-04 10:11:12 in UTC.
    let seconds = 1_562_235_072
    let bytes = datedAVIF(UInt64(seconds + 2_082_844_800) * 1_000_000)
    #expect(HEIFDate.time(in: ByteSource(bytes)) == TakenTime(localSeconds: Int64(seconds)))
    for time in [0, 1, UInt64.max, UInt64(Int64.max)] {
      let found = HEIFDate.time(in: ByteSource(datedAVIF(time)))
      #expect(found == nil || found?.isPlausible == false)
    }
    for name in ["card.avif", "card.heic", "card.jpg"] {
      #expect(HEIFDate.time(in: ByteSource(image(name))) == nil)
    }
    // It counts if nothing else does.
    var written = WrittenFacts()
    written.property = TakenTime(localSeconds: Int64(seconds))
    #expect(written.taken(nil, latest: .max) == written.property)
    let unset = TakenTime(iso8601: "2000-01-01T00:00:00")
    #expect(written.taken(unset, latest: .max) == written.property)
    let exif = TakenTime(iso8601: "2018-01-02T03:04:05")
    #expect(written.taken(exif, latest: .max) == exif)
    var random = SeededGenerator(seed: 3)
    for count in bytes.indices {
      _ = HEIFDate.time(in: ByteSource(Array(bytes[..<count])))
      var changed = bytes
      changed[count] = UInt8.random(in: .min ... .max, using: &random)
      _ = HEIFDate.time(in: ByteSource(changed))
    }
  }

  @Test func `properties elsewhere, and of the same name in another namespace, do not count`() {
    let nested = """
      <xmp:History><rdf:Seq><rdf:li rdf:parseType="Resource"><dc:subject>\
      \(Self.list("Bag", "inner"))</dc:subject></rdf:li></rdf:Seq></xmp:History>
      <photoshop:subject>\(Self.list("Bag", "other"))</photoshop:subject>
      """
    #expect(XMPFacts(Self.packet(nested)).keywords == nil)
    #expect(XMPFacts(Self.packet("<dc:subject><rdf:Bag/></dc:subject>")).keywords == [])
  }

  @Test(arguments: [
    ("xmp:CreateDate=\"2017-03-04T05:06:07\"", "2017-03-04T05:06:07"),
    ("xmp:CreateDate=\"2017-03-04\" photoshop:DateCreated=\"2018-01\"", "2018-01"),
    (
      "photoshop:DateCreated=\"2018-01\" exif:DateTimeOriginal=\"2019-07-04T10:11:12.254+02:00\"",
      "2019-07-04T10:11:12.25+02:00"
    ),
    ("exif:DateTimeOriginal=\"2019-07-04T10:11Z\"", "2019-07-04T10:11:00+00:00"),
    ("exif:DateTimeOriginal=\"2019-07-04T10:11:12+99:00\"", "2019-07-04T10:11:12"),
    ("exif:DateTimeOriginal=\"2019-07-04T10:11:12-03:30\"", "2019-07-04T10:11:12-03:30"),
    ("exif:DateTimeOriginal=\"2019-13-04T10:11:12\" xmp:CreateDate=\"2016\"", "2016"),
    ("exif:DateTimeOriginal=\"\"", nil),
  ])
  func `the first of three dates that is valid counts`(attributes: String, date: String?) {
    #expect(XMPFacts(Self.packet("", attributes)).taken?.detailed == date)
    // As elements, too.
    let elements = attributes.split(separator: "\" ").map { pair in
      let parts = pair.split(separator: "=\"").map { $0.filter { $0 != "\"" } }
      return "<\(parts[0])>\(parts.count > 1 ? parts[1] : "")</\(parts[0])>"
    }
    #expect(XMPFacts(Self.packet(elements.joined())).taken?.detailed == date)
  }

  @Test func `what precedes the end of a truncated packet counts, and none is read forever`() {
    let whole = Self.packet(
      "<dc:subject>\(Self.list("Bag", "Rome", "Meer"))</dc:subject>",
      "xmp:CreateDate=\"2017-03-04T05:06:07\"")
    for count in whole.indices {
      let facts = XMPFacts(Array(whole.prefix(count)))
      #expect(["Rome", "Meer"].starts(with: facts.keywords?.map { Self.text($0) ?? "" } ?? []))
    }
    let many = (0..<10_000).map { "<rdf:li>keyword \($0)</rdf:li>" }.joined()
    var written = WrittenFacts()
    written.xmp = XMPFacts(
      Self.packet("<dc:subject><rdf:Bag>\(many)</rdf:Bag></dc:subject>"))
    #expect(written.words?.keywords.count == PhotoWords.maxKeywords)
    #expect(written.words.map { $0.record.count <= PhotoWords.maxBytes } == true)
  }

  @Test func `records of the IPTC are read in UTF-8 and in Windows-1252`() {
    func record(_ set: UInt8, _ number: UInt8, _ value: [UInt8]) -> [UInt8] {
      [0x1c, set, number, UInt8(value.count >> 8), UInt8(value.count & 0xff)] + value
    }
    let records =
      record(2, 5, Array("Title".utf8)) + record(2, 25, [0xc9, 0x74, 0xe9])
      + record(2, 25, Array("Meer".utf8)) + record(2, 120, Array("Été".utf8))
      + record(2, 55, Array("20190704".utf8)) + record(2, 60, Array("101112+0200".utf8))
    let facts = IPTCFacts(records[...])
    #expect(facts.keywords.map { Self.text($0) } == ["Été", "Meer"])
    #expect(Self.text(facts.title) == "Title" && Self.text(facts.caption) == "Été")
    #expect(facts.taken?.detailed == "2019-07-04T10:11:12+02:00")
    for count in records.indices { _ = IPTCFacts(records.prefix(count)) }
    #expect(IPTCFacts(record(2, 55, Array("20190704".utf8))[...]).taken?.detailed == "2019-07-04")
  }

  @Test(arguments: [
    ("Thu, 4 Jul 2019 10:11:12 +0200", "2019-07-04T10:11:12+02:00"),
    ("04 Jul 2019 10:11:12 GMT", "2019-07-04T10:11:12"), ("4 July 2019", "2019-07-04"),
    ("2019-07-04T10:11:12Z", "2019-07-04T10:11:12+00:00"),
    ("2019:07:04 10:11:12", "2019-07-04T10:11:12"), ("yesterday", nil), ("4 Jul", nil), ("", nil),
  ])
  func `a PNG says when it was created in many ways`(text: String, date: String?) {
    func chunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
      let count = contents.count
      return [0, 0, UInt8(count >> 8), UInt8(count & 0xff)] + Array(type.utf8) + contents
        + [0, 0, 0, 0]
    }
    let head =
      [0x89] + Array("PNG\r\n\u{1a}\n".utf8) + chunk("IHDR", Array(repeating: 0, count: 13))
    let key = Array("Creation Time\0".utf8)
    let plain = head + chunk("tEXt", key + text.utf8) + chunk("IDAT", [1])
    let other = head + chunk("iTXt", key + [0, 0, 0, 0] + text.utf8) + chunk("IDAT", [1])
    for file in [plain, other] {
      #expect(PNGDate.time(in: ByteSource(file))?.detailed == date)
      #expect(PNGDate.time(in: ByteSource(file))?.source == (date == nil ? nil : .text))
      for count in file.indices { _ = PNGDate.time(in: ByteSource(Array(file.prefix(count)))) }
    }
  }

  @Test func `the sidecar counts before the photo, property by property`() {
    var written = WrittenFacts()
    written.sidecar = XMPFacts(
      Self.packet("<dc:subject>\(Self.list("Bag", "beside"))</dc:subject>"), .sidecar)
    written.xmp = XMPFacts(
      Self.packet(
        "<dc:subject>\(Self.list("Bag", "in it"))</dc:subject>"
          + "<dc:title>\(Self.list("Alt", "Title"))</dc:title>"))
    #expect(written.words == PhotoWords(title: "Title", keywords: ["beside"]))
    // A sidecar without keywords hides those of the photo.
    written.sidecar = XMPFacts(Self.packet("<dc:subject><rdf:Bag/></dc:subject>"), .sidecar)
    #expect(written.words == PhotoWords(title: "Title"))
  }

  @Test func `the first source with a possible date counts`() {
    func time(_ text: String, _ source: TakenTime.Source) -> TakenTime? {
      var time = TakenTime(iso8601: text)
      time?.source = source
      return time
    }
    let all = [
      time("2019-07-04", .text), time("2018-01-01", .iptc), time("2017-01-01", .xmp),
      time("2016-01-01", .sidecar), time("2015-01-01", .exif),
    ]
    for place in all.indices {
      let rest = Array(all[...place])
      #expect(TakenTime.best(rest.shuffled(), latest: 2026_1125) == rest.last)
    }
    let unset = time("2000-01-01T00:00:00", .exif)
    #expect(TakenTime.best([unset, all[2]], latest: 2026_1125) == all[2])
    #expect(TakenTime.best([time("2026-11-27", .exif), all[2]], latest: 2026_1126) == all[2])
    #expect(TakenTime.best([unset], latest: 2026_1126) == unset)
  }
}
