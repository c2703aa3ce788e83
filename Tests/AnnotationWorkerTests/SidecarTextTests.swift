import ImageFormats
import Photos
import TestSupport
import Testing

@testable import AnnotationWorker

/// What a new rating leaves of the sidecars that other programs wrote.
@Suite struct SidecarTextTests {
  private let folder = RatedFolder()

  private func write(_ edit: AnnotationEdit) -> String? {
    AnnotationFiles.write(edit, ofPhoto: folder.path("a.jpg"), isEmbedded: false).failure
  }

  private var text: String { String(decoding: folder.bytes("a.jpg.xmp") ?? [], as: UTF8.self) }

  private var rating: Rating { AnnotationFiles.rating(ofPhoto: folder.path("a.jpg")) }

  /// The rating and the label that a program reads in the sidecar.
  private func exifTool() -> String {
    folder.output(of: "exiftool", "-s3", "-f", "-XMP-xmp:Rating", "-XMP-xmp:Label", "a.jpg.xmp")
  }

  private func exiv2(_ property: String) -> String {
    folder.output(of: "exiv2", "-PXv", "-K", "Xmp.xmp.\(property)", "a.jpg.xmp")
  }

  @Test(arguments: SidecarText.all)
  func `a rating changes one place of a sidecar, and every other byte stays`(sidecar: SidecarText) {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    folder.write(sidecar.bytes, to: "a.jpg.xmp")
    let before = rating

    #expect(write(.stars(4)) == nil)
    let rated = SidecarText.replacing(sidecar.stars, in: sidecar.text)
    #expect(text.unicodeScalars.elementsEqual(rated.unicodeScalars), "\(text)")
    #expect(rating == Rating(stars: 4, label: before.label))

    #expect(write(.label(.green)) == nil)
    let labeled = SidecarText.replacing(sidecar.label, in: rated)
    #expect(text.unicodeScalars.elementsEqual(labeled.unicodeScalars), "\(text)")
    #expect(rating == Rating(stars: 4, label: .green))
    let (isForExifTool, isForExiv2) = (
      sidecar.readers.contains(.exifTool), sidecar.readers.contains(.exiv2)
    )
    #expect(!isForExifTool || exifTool() == "4\nGreen")
    #expect(!isForExiv2 || exiv2("Rating") == "4" && exiv2("Label") == "Green")

    #expect(write(.label(nil)) == nil)
    let opposite = SidecarText.Replacement(old: sidecar.label.new, new: sidecar.label.old)
    let cleared = SidecarText.replacing(sidecar.cleared ?? opposite, in: labeled)
    #expect(text.unicodeScalars.elementsEqual(cleared.unicodeScalars), "\(text)")
    #expect(rating == Rating(stars: 4))
    #expect(!isForExifTool || exifTool() == "4\n-")
    #expect(!isForExiv2 || exiv2("Label") == "")
  }

  @Test func `blanks around a rating and a label do not count`() {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    folder.write(SidecarText.blanks.bytes, to: "a.jpg.xmp")
    #expect(rating == Rating(stars: 3, label: .red))
    let attribute = SidecarText.lightroom.text.replacing(
      "xmp:Rating=\"2\"", with: "xmp:Rating=\"\t2 \"")
    folder.write(Array(attribute.utf8), to: "a.jpg.xmp")
    #expect(rating.stars == 2)
    #expect(write(.stars(4)) == nil)
    let lightroom = SidecarText.lightroom
    #expect(text == SidecarText.replacing(lightroom.stars, in: lightroom.text))
  }

  @Test func `what exiftool and exiv2 write keeps its layout`() {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    _ = folder.output(
      of: "exiftool", "-XMP-xmp:Rating=3", "-XMP-dc:Subject=Rome", "-XMP-dc:Title=été",
      "a.jpg.xmp")
    let old = text
    #expect(write(.stars(5)) == nil)
    #expect(
      text
        == SidecarText.replacing(.init(old: "<xmp:Rating>3<", new: "<xmp:Rating>5<"), in: old))
    _ = folder.output(of: "exiv2", "-M", "set Xmp.xmp.Rating 2", "a.jpg.xmp")
    let changed = text
    #expect(write(.stars(1)) == nil)
    let parts = changed.split(separator: "xmp:Rating", omittingEmptySubsequences: false)
    #expect(text.split(separator: "xmp:Rating", omittingEmptySubsequences: false).count == 2)
    #expect(parts.count == 2 && text.utf8.count == changed.utf8.count && rating.stars == 1)
  }

  /// Texts in encodings other than UTF-8, with the name of the encoding that they declare.
  static let encodings: [(name: String, encoding: String.Encoding)] = [
    ("ISO-8859-1", .isoLatin1), ("windows-1252", .windowsCP1252), ("UTF-16", .utf16BigEndian),
    ("UTF-16", .utf16LittleEndian), ("UTF-32", .utf32LittleEndian), ("US-ASCII", .ascii),
  ]

  @Test(arguments: 0..<6)
  func `a sidecar in another encoding becomes UTF-8, and undone what it was`(number: Int) throws {
    let (name, encoding) = Self.encodings[number]
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let letters = encoding == .ascii ? "Koln" : "Köln, été"
    let text = SidecarText.digiKam.text
      .replacing("<?xpacket begin=\"\u{FEFF}\"", with: "<?xpacket begin=\"\"")
      .replacing("Orte/Köln", with: letters)
    let declared = "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n" + text
    let bytes = Array(try #require(declared.data(using: encoding)))
    folder.write(bytes, to: "a.jpg.xmp")
    #expect(rating == Rating(stars: 1, label: .yellow))
    let result = AnnotationFiles.write(.stars(4), ofPhoto: folder.path("a.jpg"), isEmbedded: false)
    #expect(result.failure == nil)
    #expect(
      self.text
        == SidecarText.replacing(SidecarText.digiKam.stars, in: declared).replacing(
          name, with: "UTF-8"))
    #expect(
      folder.output(of: "exiftool", "-s3", "-XMP-digiKam:TagsList", "a.jpg.xmp")
        == letters + " & Umgebung")
    let keyword = try #require(KeywordEdit(parsing: "+Süden"))
    #expect(write(.keywords(keyword)) == nil)
    #expect(folder.output(of: "exiftool", "-s3", "-XMP-dc:Subject", "a.jpg.xmp") == "Süden")
    let next = AnnotationFiles.write(
      .keywords(keyword.reversed), ofPhoto: folder.path("a.jpg"), isEmbedded: false)
    #expect(next.failure == nil)
    folder.write(bytes, to: "a.jpg.xmp")
    let again = AnnotationFiles.write(.stars(4), ofPhoto: folder.path("a.jpg"), isEmbedded: false)
    _ = AnnotationFiles.write(
      .stars(1), ofPhoto: folder.path("a.jpg"), isEmbedded: false, undoing: again.reversals)
    #expect(folder.bytes("a.jpg.xmp") == bytes)
  }

  @Test func `a sidecar in an unknown encoding is left alone`() {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let bytes = Array(
      ("<?xml version=\"1.0\" encoding=\"x-klingon\"?>" + SidecarText.lightroom.text).utf8)
    folder.write(bytes, to: "a.jpg.xmp")
    #expect(write(.stars(4)) == AnnotationFault.unreadableSidecar.message)
    #expect(folder.bytes("a.jpg.xmp") == bytes)
  }

  @Test(arguments: [
    ("adobe:ns:meta/", "adobe:ns:mets/"), ("22-rdf-syntax-ns#", "22-rdf-syntax-ns"),
    ("rdf:RDF", "rdf:RDG"), ("x:xmpmeta", "x:xmpmetb"),
  ])
  func `a sidecar in which the library finds nothing loses nothing`(old: String, new: String) throws
  {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let parts = SidecarText.lightroom.text.split(separator: old, omittingEmptySubsequences: false)
    let damaged = parts.joined(separator: new)
    folder.write(Array(damaged.utf8), to: "a.jpg.xmp")
    if write(.stars(4)) == nil {
      #expect(text == SidecarText.replacing(SidecarText.lightroom.stars, in: damaged))
      #expect(rating.stars == 4)
    } else {
      #expect(text == damaged)
    }
  }

  @Test(arguments: seeds(1...60))
  func `a damaged sidecar stays as it is, or all but its rating does`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    for _ in 0..<20 {
      let sidecar = SidecarText.all.randomElement(using: &random) ?? .lightroom
      let bytes = Self.damaged(sidecar.bytes, &random)
      folder.write(bytes, to: "a.jpg.xmp")
      let edits: [AnnotationEdit] = [.stars(4), .stars(-1), .label(.green), .label(nil)]
      let edit = edits.randomElement(using: &random) ?? .stars(4)
      let failure = write(edit)
      let written = folder.bytes("a.jpg.xmp") ?? []
      guard failure == nil else {
        try #require(written == bytes, "\(failure ?? "")")
        continue
      }
      guard written != bytes else { continue }
      let change = try #require(XMPPacket.Change(edit))
      let name = change.name
      // Bytes that are not UTF-8 become characters that are.
      let document = try #require(XMPDocument(bytes))
      let (old, new) = (document.packet, XMPPacket(parsing: written))
      let properties = old.properties(without: name)
      try #require(try #require(new).properties(without: name) == properties)
      #expect(edit.applied(to: rating) == rating)
      let text = document.bytes
      guard XMPText(text)?.bytes(after: change, in: old) != nil else { continue }
      // No more than one place is another, so that the beginning and the end are the same.
      let common = zip(text, written).prefix { $0 == $1 }.count
      let end = zip(text.reversed(), written.reversed()).prefix { $0 == $1 }.count
      try #require(text.count - common - end < 200, "\(String(decoding: written, as: UTF8.self))")
    }
  }

  /// Bytes of which some are other ones, are missing, or are there twice.
  private static func damaged(
    _ bytes: [UInt8], _ random: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = bytes
    let marks = Array("<>\"'=/:& x\u{0}\u{E9}".utf8)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(place + Int.random(in: 1...40, using: &random), bytes.count)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = marks.randomElement(using: &random) ?? 0
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 3: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      default: bytes.insert(marks.randomElement(using: &random) ?? 0, at: place)
      }
    }
    return bytes
  }
}
