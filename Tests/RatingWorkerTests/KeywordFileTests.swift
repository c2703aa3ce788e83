import Foundation
import PhotoGridCore
import TestSupport
import Testing
import WorkerProtocol

@testable import RatingWorker

/// Writing keywords into sidecars and photos.
@Suite struct KeywordFileTests {
  private let folder = RatedFolder()

  private func edit(_ text: String) throws -> RatingEdit {
    .keywords(try #require(KeywordEdit(parsing: text)))
  }

  private func keywords(_ name: String) -> [String]? {
    XMPPacket(parsing: folder.bytes(name) ?? [])?.keywords
  }

  /// Writes a change, and returns its result.
  private func write(
    _ text: String, _ name: String = "a.jpg", isEmbedded: Bool = false
  ) throws -> (before: Rating?, failure: String?, reversals: [SidecarReversal]) {
    RatingFiles.write(try edit(text), ofPhoto: folder.path(name), isEmbedded: isEmbedded)
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
    _ = RatingFiles.write(
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

  @Test func `exiftool and exiv2 read what was written`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    #expect(try write("+Rome, +été").failure == nil)
    #expect(folder.output(of: "exiftool", "-s3", "-Subject", "a.jpg.xmp") == "Rome, été")
    let printed = folder.output(of: "exiv2", "-Pkv", "pr", "a.jpg.xmp")
    #expect(printed.contains("Xmp.dc.subject") && printed.contains("Rome, été"))
  }

  @Test func `a sidecar that is no XMP stays as it is`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let broken = Array("no XMP at all <".utf8)
    folder.write(broken, to: "a.jpg.xmp")
    #expect(try write("+Rome").failure == RatingFault.unreadableSidecar.message)
    #expect(folder.bytes("a.jpg.xmp") == broken)
  }

  @Test func `a request brings its keywords to the process`() throws {
    let request = RatingProtocol.Request(
      token: 7, path: Array("a.jpg".utf8), edit: try edit("+Rome, -été"))
    var reader = MessageReader<RatingProtocol.Request>()
    request.encoded().withUnsafeBytes { reader.append($0) }
    #expect(try reader.next() == request)
  }
}
