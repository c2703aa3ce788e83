import Foundation
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import AnnotationWorker

/// Writing titles and captions into sidecars and photos.
@Suite struct TextFileTests {
  private let folder = RatedFolder()

  private func edit(
    _ before: String, _ after: String, _ field: TextEdit.Field = .caption
  ) throws -> TextEdit {
    try #require(TextEdit(field, from: before, to: after))
  }

  private func write(
    _ edit: TextEdit, _ name: String = "a.jpg", isEmbedded: Bool = false,
    undoing reversals: [FileReversal] = []
  ) -> AnnotationFiles.Outcome {
    AnnotationFiles.write(
      .text(edit), ofPhoto: folder.path(name), isEmbedded: isEmbedded, undoing: reversals)
  }

  private func description(_ name: String) -> String {
    folder.output(of: "exiftool", "-s3", "-XMP-dc:Description", name)
  }

  @Test(arguments: ["card.jpg", "alpha.png", "card.tif"])
  func `a caption is written into a photo, and undone byte for byte`(picture: String) throws {
    let name = "a" + picture.drop { $0 != "." }
    folder.write(RatedFolder.picture(picture), to: name)
    _ = folder.output(
      of: "exiftool", "-overwrite_original", "-XMP-dc:Subject=Rome", "-XMP-dc:Title=A", name)
    let bytes = folder.bytes(name)
    let first = try edit("", "été & <Meer>")
    let added = write(first, name, isEmbedded: true)
    #expect(added.failure == nil && folder.names == [name])
    #expect(description(name) == "été & <Meer>")
    let second = try edit("été & <Meer>", "two\nlines")
    let changed = write(second, name, isEmbedded: true)
    #expect(changed.failure == nil && description(name) == "two.lines")
    #expect(folder.output(of: "exiftool", "-s3", "-XMP-dc:Title", name) == "A")
    #expect(folder.output(of: "exiftool", "-s3", "-XMP-dc:Subject", name) == "Rome")
    _ = write(second.reversed, name, isEmbedded: true, undoing: changed.reversals)
    _ = write(first.reversed, name, isEmbedded: true, undoing: added.reversals)
    #expect(folder.bytes(name) == bytes)
  }

  /// A sidecar with a caption in two languages, and a title.
  private func sidecar(title: String) -> String {
    let list = """
      <dc:description><rdf:Alt>
           <rdf:li xml:lang="x-default">Old  harbor&#xD;
      at night</rdf:li>
           <rdf:li xml:lang="de">Alter Hafen</rdf:li>
          </rdf:Alt></dc:description><dc:title>\(title)</dc:title><dc:subject>
      """
    return String(decoding: RatedFolder.sidecar("xmp:Rating=\"4\""), as: UTF8.self)
      .replacing("<dc:subject>", with: list)
  }

  @Test func `texts in other languages, and all but the changed words, stay`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let old = sidecar(title: "<rdf:Alt><rdf:li xml:lang=\"it\">Porto</rdf:li></rdf:Alt>")
    folder.write(Array(old.utf8), to: "a.jpg.xmp")
    #expect(write(try edit("Old harbor\nat night", "Old harbor\nat noon")).failure == nil)
    // A title in another language is shown, and gets one in the default language before it.
    #expect(write(try edit("Porto", "Port", .title)).failure == nil)
    let title = "<rdf:li xml:lang=\"x-default\">Port</rdf:li><rdf:li xml:lang=\"it\">Porto"
    let new = old.replacing("at night", with: "at noon")
      .replacing("<rdf:li xml:lang=\"it\">Porto", with: title)
    #expect(folder.bytes("a.jpg.xmp") == Array(new.utf8))
  }

  @Test func `a sidecar whose languages the library would mix stays as it is`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let old = Array(sidecar(title: "Porto").utf8)
    folder.write(old, to: "a.jpg.xmp")
    let result = write(try edit("Porto", "Port", .title))
    #expect(result.failure == AnnotationFault.unverified.message)
    #expect(folder.bytes("a.jpg.xmp") == old)
  }

  @Test func `a removed caption stays away, though the photo has it elsewhere`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    _ = folder.output(
      of: "exiftool", "-overwrite_original", "-IPTC:Caption-Abstract=IPTC",
      "-EXIF:ImageDescription=EXIF", "a.jpg")
    let photo = folder.bytes("a.jpg")
    #expect(write(try edit("IPTC", "")).failure == nil)
    #expect(folder.bytes("a.jpg") == photo && folder.names == ["a.jpg", "a.jpg.xmp"])
    let texts = XMPPacket(parsing: folder.bytes("a.jpg.xmp") ?? [])?.items(of: .text(.caption))
    #expect(texts == [""])
  }

  @Test func `a caption that is not the one shown is kept`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let long = String(repeating: "word ", count: 1000)
    _ = folder.output(of: "exiftool", "-XMP-dc:Description=\(long)", "-XMP-dc:Title=B", "a.jpg.xmp")
    let old = folder.bytes("a.jpg.xmp")
    let shown = PhotoWords(caption: long)?.caption ?? ""
    #expect(write(try edit(shown, "new")).failure == AnnotationFault.otherText.message)
    #expect(write(try edit("A", "new", .title)).failure == AnnotationFault.otherText.message)
    #expect(folder.bytes("a.jpg.xmp") == old)
  }

  @Test(arguments: SidecarText.all)
  func `a caption changes one place of a sidecar, and undone nothing`(sidecar: SidecarText) throws {
    guard let packet = XMPPacket(parsing: sidecar.bytes) else { return }
    let (list, others) = (XMPList.text(.caption), packet.properties(without: .text(.caption)))
    let before = packet.alternatives(of: list)?.first?.text ?? ""
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    folder.write(sidecar.bytes, to: "a.jpg.xmp")
    let first = try edit(before, "Meer & <mehr>")
    let result = write(first)
    #expect(result.failure == nil)
    let new = try #require(folder.bytes("a.jpg.xmp"))
    let read = try #require(XMPPacket(parsing: new))
    #expect(read.alternatives(of: list)?.first?.text == "Meer & <mehr>")
    #expect(read.properties(without: list) == others)
    #expect(write(first.reversed, undoing: result.reversals).failure == nil)
    #expect(folder.bytes("a.jpg.xmp") == sidecar.bytes)
  }

  @Test func `a request brings its text to the process`() throws {
    for edit in [try edit("old", "new\nline"), try edit("", "A", .title)] {
      let request = AnnotationProtocol.Request(path: Array("a.jpg".utf8), edit: .text(edit))
      var reader = MessageReader<AnnotationProtocol.Request>()
      request.encoded().withUnsafeBytes { reader.feed($0) }
      #expect(try reader.next() == request)
    }
  }
}
