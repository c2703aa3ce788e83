import Foundation
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import AnnotationWorker

/// Writing keywords into sidecars and photos.
@Suite struct KeywordFileTests {
  private let folder = RatedFolder()

  private func edit(_ text: String) throws -> AnnotationEdit {
    .keywords(try #require(KeywordEdit(parsing: text)))
  }

  private func keywords(_ name: String) -> [String]? {
    XMPPacket(parsing: folder.bytes(name) ?? [])?.keywords
  }

  /// Writes a change, and returns its result.
  private func write(
    _ text: String, _ name: String = "a.jpg", isEmbedded: Bool = false
  ) throws -> AnnotationFiles.Outcome {
    AnnotationFiles.write(try edit(text), ofPhoto: folder.path(name), isEmbedded: isEmbedded)
  }

  @Test func `keywords of a sidecar change, and everything else stays`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let old = RatedFolder.sidecar("xmp:Rating=\"4\"")
    folder.write(old, to: "a.xmp")
    let result = try write("+Meer, -rome")
    #expect(result.failure == nil && result.before?.stars == 4)
    #expect(keywords("a.xmp") == ["été", "Meer"])
    let packet = try #require(XMPPacket(parsing: folder.bytes("a.xmp") ?? []))
    #expect(packet.rating == "4" && packet.properties.contains { $0.value == "one & two" })
    // A change of nothing writes nothing.
    let bytes = folder.bytes("a.xmp")
    #expect(try write("+MEER, -rome").failure == nil && folder.bytes("a.xmp") == bytes)
    // And undone, the sidecar is byte for byte what it was.
    _ = AnnotationFiles.write(
      try edit("-Meer, +Rome"), ofPhoto: folder.path("a.jpg"), isEmbedded: false,
      undoing: result.reversals)
    #expect(folder.bytes("a.xmp") == old)
  }

  @Test func `a new sidecar gets the keywords of the photo, and hides removed ones`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    _ = folder.output(
      of: "exiftool", "-overwrite_original", "-IPTC:Keywords=one", "-IPTC:Keywords=two", "a.jpg")
    let photo = folder.bytes("a.jpg")
    #expect(try write("+three, -one").failure == nil)
    #expect(keywords("a.jpg.xmp") == ["two", "three"] && folder.bytes("a.jpg") == photo)
    #expect(try write("-two, -three").failure == nil)
    #expect(keywords("a.jpg.xmp") == [])
  }

  @Test(arguments: ["card.jpg", "alpha.png", "card.tif"])
  func `keywords are written into a photo if ratings are`(picture: String) throws {
    let name = "a" + picture.drop { $0 != "." }
    folder.write(RatedFolder.picture(picture), to: name)
    #expect(try write("+Rome, +été & <Meer>", name, isEmbedded: true).failure == nil)
    #expect(folder.names == [name])
    #expect(
      folder.output(of: "exiftool", "-s3", "-XMP-dc:Subject", name) == "Rome, été & <Meer>")
    #expect(try write("-rome", name, isEmbedded: true).failure == nil)
    #expect(folder.output(of: "exiftool", "-s3", "-XMP-dc:Subject", name) == "été & <Meer>")
  }

  // MARK: - People

  @Test(arguments: ["card.jpg", "alpha.png", "card.tif"])
  func `people are written beside keywords, and undone byte for byte`(picture: String) throws {
    let name = "a" + picture.drop { $0 != "." }
    folder.write(RatedFolder.picture(picture), to: name)
    let bytes = folder.bytes(name)
    let added = try write("+Rome, +person:Anna Lee, +person:Zoë", name, isEmbedded: true)
    #expect(added.failure == nil)
    func people() -> String {
      folder.output(of: "exiftool", "-s3", "-XMP-iptcExt:PersonInImage", name)
    }
    #expect(people() == "Anna Lee, Zoë")
    #expect(folder.output(of: "exiftool", "-s3", "-XMP-dc:Subject", name) == "Rome")
    #expect(try write("-person:anna lee", name, isEmbedded: true).failure == nil)
    #expect(people() == "Zoë")
    folder.write(bytes ?? [], to: name)
    try changeAndUndo(["+Rome, +person:Anna Lee", "-person:Anna Lee"], name, isEmbedded: true)
    #expect(folder.bytes(name) == bytes)
  }

  @Test func `a new sidecar gets the people of the photo, whose faces stay`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    _ = folder.output(
      of: "exiftool", "-overwrite_original", "-XMP-iptcExt:PersonInImage=Anna",
      "-XMP-mwg-rs:RegionName=Ben", "-XMP-mwg-rs:RegionType=Face", "a.jpg")
    let photo = folder.bytes("a.jpg")
    #expect(try write("+person:Carla").failure == nil)
    #expect(folder.bytes("a.jpg") == photo)
    let packet = XMPPacket(parsing: folder.bytes("a.jpg.xmp") ?? [])
    #expect(packet?.items(of: .people) == ["Anna", "Carla"] && packet?.keywords == nil)
    #expect(try write("+person:Carla", isEmbedded: true).failure == nil)
    #expect(folder.output(of: "exiftool", "-s3", "-XMP-mwg-rs:RegionName", "a.jpg") == "Ben")
  }

  // MARK: - Undo

  /// Changes the keywords of a photo, then undoes the changes from the last to the first.
  private func changeAndUndo(_ edits: [String], _ name: String, isEmbedded: Bool) throws {
    var done: [(edit: KeywordEdit, reversals: [FileReversal])] = []
    for text in edits {
      let edit = try #require(KeywordEdit(parsing: text))
      let result = AnnotationFiles.write(
        .keywords(edit), ofPhoto: folder.path(name), isEmbedded: isEmbedded)
      #expect(result.failure == nil && !result.reversals.isEmpty, "\(text): \(result)")
      done.append((edit.reversed, result.reversals))
    }
    for (edit, reversals) in done.reversed() {
      let result = AnnotationFiles.write(
        .keywords(edit), ofPhoto: folder.path(name), isEmbedded: isEmbedded, undoing: reversals)
      #expect(result.failure == nil && result.reversals == [])
    }
  }

  @Test(arguments: ["card.jpg", "alpha.png", "card.tif"])
  func `undone keywords leave a photo byte for byte as it was`(picture: String) throws {
    let name = "a" + picture.drop { $0 != "." }
    folder.write(RatedFolder.picture(picture), to: name)
    _ = folder.output(
      of: "exiftool", "-overwrite_original", "-XMP-dc:Subject=Rome",
      "-XMP-dc:Title=\(String(repeating: "long title ", count: 3000))", name)
    let bytes = folder.bytes(name)
    try changeAndUndo(["+Meer", "-rome, +été", "+one, +two, +three"], name, isEmbedded: true)
    #expect(folder.bytes(name) == bytes && folder.names == [name])
  }

  @Test func `undone keywords leave photo and sidecar as they were if both are written`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let sidecar = RatedFolder.sidecar("xmp:Rating=\"4\"")
    folder.write(sidecar, to: "a.jpg.xmp")
    let photo = folder.bytes("a.jpg")
    try changeAndUndo(["+Meer", "-rome"], "a.jpg", isEmbedded: true)
    #expect(folder.bytes("a.jpg.xmp") == sidecar && folder.bytes("a.jpg") == photo)
  }

  @Test func `a photo that another program has changed since keeps what that wrote`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let result = try write("+Meer", isEmbedded: true)
    _ = folder.output(of: "exiftool", "-overwrite_original", "-XMP-dc:Title=new", "a.jpg")
    _ = AnnotationFiles.write(
      try edit("-Meer"), ofPhoto: folder.path("a.jpg"), isEmbedded: true,
      undoing: result.reversals)
    #expect(folder.output(of: "exiftool", "-s3", "-Title", "a.jpg") == "new")
    #expect(folder.output(of: "exiftool", "-s3", "-Subject", "a.jpg") == "")
  }

  // MARK: - Layout

  @Test(arguments: SidecarText.all)
  func `keywords change one place of a sidecar, and undone nothing`(sidecar: SidecarText) throws {
    guard let packet = XMPPacket(parsing: sidecar.bytes) else { return }
    let properties = packet.properties(without: .keywords)
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    folder.write(sidecar.bytes, to: "a.jpg.xmp")
    try changeAndUndo(["+Meer & <mehr>", "-Rome, +two", "-two"], "a.jpg", isEmbedded: false)
    #expect(folder.bytes("a.jpg.xmp") == sidecar.bytes)
    #expect(try write("+Meer & <mehr>").failure == nil)
    let new = try #require(folder.bytes("a.jpg.xmp"))
    let read = try #require(XMPPacket(parsing: new))
    #expect(
      read.keywords?.last == "Meer & <mehr>" && read.properties(without: .keywords) == properties)
    guard ListText(sidecar.bytes, .keywords) != nil, !sidecar.text.contains("<!DOCTYPE") else {
      return
    }
    // What was added is in one place.
    let start = zip(new, sidecar.bytes).prefix { $0 == $1 }.count
    let end = zip(new.reversed(), sidecar.bytes.reversed()).prefix { $0 == $1 }.count
    #expect(start + end >= sidecar.bytes.count - 2, "\(String(decoding: new, as: UTF8.self))")
  }

  @Test func `keywords are added in the layout of the others`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    _ = folder.output(
      of: "exiftool", "-XMP-dc:Subject=Rome", "-XMP-dc:Subject=été", "-XMP-dc:Title=A", "a.jpg.xmp")
    let old = String(decoding: folder.bytes("a.jpg.xmp") ?? [], as: UTF8.self)
    #expect(try write("+Meer, -Rome").failure == nil)
    let new = String(decoding: folder.bytes("a.jpg.xmp") ?? [], as: UTF8.self)
    #expect(
      new
        == old.replacing("    <rdf:li>Rome</rdf:li>\n", with: "").replacing(
          "<rdf:li>été</rdf:li>", with: "<rdf:li>été</rdf:li>\n    <rdf:li>Meer</rdf:li>"))
  }

  @Test func `ten thousand keywords stay`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let many = (0..<10_000).map { "<rdf:li>word \($0)</rdf:li>" }.joined()
    let text = String(decoding: RatedFolder.sidecar("xmp:Rating=\"4\""), as: UTF8.self)
      .replacing("<rdf:li>Rome</rdf:li>", with: many)
    folder.write(Array(text.utf8), to: "a.jpg.xmp")
    let result = try write("+Meer, -word 7")
    #expect(result.failure == nil)
    let words = try #require(keywords("a.jpg.xmp"))
    #expect(words.count == 10_001 && words.last == "Meer" && !words.contains("word 7"))
    _ = AnnotationFiles.write(
      try edit("-Meer, +word 7"), ofPhoto: folder.path("a.jpg"), isEmbedded: false,
      undoing: result.reversals)
    #expect(keywords("a.jpg.xmp")?.count == 10_001)
  }

  @Test func `exiftool and exiv2 read what was written`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    #expect(try write("+Rome, +été").failure == nil)
    #expect(folder.output(of: "exiftool", "-s3", "-Subject", "a.jpg.xmp") == "Rome, été")
    let printed = folder.output(of: "exiv2", "-Pkv", "pr", "a.jpg.xmp")
    #expect(printed.contains("Xmp.dc.subject") && printed.contains("Rome, été"))
  }

  @Test func `what exiftool and exiv2 write is read`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    _ = folder.output(
      of: "exiftool", "-overwrite_original", "-XMP-dc:Subject=Rome", "-XMP-dc:Subject=été", "a.jpg")
    #expect(EmbeddedXMP.keywords(ofPhoto: folder.path("a.jpg")) == ["Rome", "été"])
    _ = folder.output(of: "exiv2", "-M", "set Xmp.dc.subject XmpBag Meer", "a.jpg")
    #expect(EmbeddedXMP.keywords(ofPhoto: folder.path("a.jpg")).contains("Meer"))
  }

  @Test func `a sidecar of 50 MB stays as it is`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let padding = [UInt8](repeating: 0x20, count: 50 << 20)
    let old = RatedFolder.sidecar("xmp:Rating=\"4\"") + padding
    folder.write(old, to: "a.jpg.xmp")
    #expect(try write("+Rome").failure == AnnotationFault.largeSidecar.message)
    #expect(folder.bytes("a.jpg.xmp")?.count == old.count)
  }

  @Test func `a sidecar that is no XMP stays as it is`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let broken = Array("no XMP at all <".utf8)
    folder.write(broken, to: "a.jpg.xmp")
    #expect(try write("+Rome").failure == AnnotationFault.unreadableSidecar.message)
    #expect(folder.bytes("a.jpg.xmp") == broken)
  }

  @Test func `a request brings its keywords to the process`() throws {
    let request = AnnotationProtocol.Request(
      path: Array("a.jpg".utf8), edit: try edit("+Rome, -été"))
    var reader = MessageReader<AnnotationProtocol.Request>()
    request.encoded().withUnsafeBytes { reader.feed($0) }
    #expect(try reader.next() == request)
  }
}
