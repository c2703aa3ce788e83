import Foundation
import Photos
import TestSupport
import Testing
import WorkerProtocol

@testable import AnnotationWorker

/// Reading and writing ratings in sidecars and photos.
@Suite struct AnnotationFileTests {
  // MARK: - Undo

  /// Changes the ratings of a photo, then undoes the changes from the last to the first.
  private func rateAndUndo(_ edits: [AnnotationEdit], _ name: String, isEmbedded: Bool = false) {
    let photo = folder.path(name)
    var done: [(edit: AnnotationEdit, reversals: [FileReversal])] = []
    for edit in edits {
      let result = AnnotationFiles.write(edit, ofPhoto: photo, isEmbedded: isEmbedded)
      #expect(result.failure == nil)
      done.append((edit.reversed(to: result.before ?? .none), result.reversals))
    }
    for (edit, reversals) in done.reversed() {
      let result = AnnotationFiles.write(
        edit, ofPhoto: photo, isEmbedded: isEmbedded, undoing: reversals)
      #expect(result.failure == nil && result.reversals == [])
    }
  }

  @Test(arguments: SidecarText.all.map(\.bytes) + [RatedFolder.sidecar("xmp:Rating=\"2\"")])
  func `undone ratings leave a sidecar byte for byte as it was`(bytes: [UInt8]) {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    folder.write(bytes, to: "a.jpg.xmp")
    guard XMPPacket(parsing: bytes) != nil else { return }
    rateAndUndo([.stars(4), .stars(4), .label(.red), .stars(-1), .label(nil)], "a.jpg")
    #expect(folder.bytes("a.jpg.xmp") == bytes && folder.names == ["a.jpg", "a.jpg.xmp"])
  }

  @Test func `undone ratings leave no sidecar where there was none, of a film neither`() {
    folder.write(RatedFolder.picture("card.heic"), to: "a.heic")
    folder.write(Array("a film".utf8), to: "a.mov")
    rateAndUndo([.stars(4), .label(.blue), .stars(0)], "a.heic")
    #expect(folder.names == ["a.heic", "a.mov"])
  }

  @Test func `a sidecar that another program has changed since keeps what that wrote`() {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    let photo = folder.path("a.jpg")
    let result = AnnotationFiles.write(.stars(4), ofPhoto: photo, isEmbedded: false)
    folder.write(RatedFolder.sidecar("xmp:Rating=\"4\""), to: "a.jpg.xmp")
    let undone = AnnotationFiles.write(
      .stars(0), ofPhoto: photo, isEmbedded: false, undoing: result.reversals)
    #expect(undone.failure == nil)
    let packet = XMPPacket(parsing: folder.bytes("a.jpg.xmp") ?? [])
    #expect(packet?.rating == "0")
    #expect(packet?.properties.contains { $0.path == "dc:subject[2]" } == true)
  }

  private let folder = RatedFolder()

  private func write(_ edit: AnnotationEdit, _ name: String, isEmbedded: Bool = false) -> String? {
    AnnotationFiles.write(edit, ofPhoto: folder.path(name), isEmbedded: isEmbedded).failure
  }

  private func rating(_ name: String) -> Rating {
    AnnotationFiles.rating(ofPhoto: folder.path(name))
  }

  @Test func `a new sidecar is read by exiftool and exiv2, and the photo stays as it is`() {
    let photo = RatedFolder.picture("card.jpg")
    folder.write(photo, to: "a.jpg")
    #expect(write(.stars(4), "a.jpg") == nil)
    #expect(write(.label(.green), "a.jpg") == nil)
    #expect(folder.bytes("a.jpg") == photo)
    #expect(folder.names == ["a.jpg", "a.jpg.xmp"])
    #expect(rating("a.jpg") == Rating(stars: 4, label: .green))
    #expect(
      folder.output(of: "exiftool", "-s3", "-XMP-xmp:Rating", "-XMP-xmp:Label", "a.jpg.xmp")
        == "4\nGreen")
    let exiv2 = folder.output(of: "exiv2", "-PXv", "-g", "Xmp.xmp", "a.jpg.xmp")
    #expect(exiv2.split(separator: "\n").sorted() == ["4", "Green"])
    #expect(write(.stars(-1), "a.jpg") == nil)
    #expect(folder.output(of: "exiftool", "-s3", "-Rating", "a.jpg.xmp") == "-1")
  }

  @Test func `what exiftool writes is read, in sidecars and in photos`() {
    for name in ["a.jpg", "b.jpg"] { folder.write(RatedFolder.picture("card.jpg"), to: name) }
    _ = folder.output(of: "exiftool", "-XMP-xmp:Rating=3", "-XMP-xmp:Label=Blue", "a.xmp")
    _ = folder.output(
      of: "exiftool", "-overwrite_original", "-XMP-xmp:Rating=5", "-XMP-xmp:Label=Red", "b.jpg")
    #expect(rating("a.jpg") == Rating(stars: 3, label: .blue))
    #expect(rating("b.jpg") == Rating(stars: 5, label: .red))
  }

  @Test func `everything else in a sidecar stays`() {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    folder.write(RatedFolder.sidecar("xmp:Rating=\"2\" xmp:Label=\"Winner\""), to: "a.xmp")
    #expect(rating("a.jpg") == Rating(stars: 2, label: .other))
    let before = folder.output(of: "exiftool", "-s", "-X", "-XMP:all", "--Rating", "a.xmp")
    #expect(write(.stars(5), "a.jpg") == nil)
    #expect(folder.names == ["a.jpg", "a.xmp"], "the sidecar that exists")
    #expect(rating("a.jpg") == Rating(stars: 5, label: .other))
    let after = folder.output(of: "exiftool", "-s", "-X", "-XMP:all", "--Rating", "a.xmp")
    func properties(_ text: String) -> [Substring] {
      text.split(separator: "\n").filter { !$0.contains("XMPToolkit") }
    }
    #expect(properties(after) == properties(before))
    #expect(after.contains("one &amp; two") && after.contains("été") && after.contains("Winner"))
    #expect(folder.bytes("a.xmp")?.starts(with: Array("<?xpacket".utf8)) == true)
  }

  @Test func `a sidecar counts more than the photo, property by property`() {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    _ = folder.output(
      of: "exiftool", "-overwrite_original", "-XMP-xmp:Rating=5", "-XMP-xmp:Label=Red", "a.jpg")
    folder.write(RatedFolder.sidecar("xmp:Rating=\"2\""), to: "a.xmp")
    #expect(rating("a.jpg") == Rating(stars: 2, label: .red))
    folder.write(RatedFolder.sidecar("xmp:Rating=\"1\" xmp:Label=\"\""), to: "a.jpg.xmp")
    #expect(rating("a.jpg") == Rating(stars: 1), "and a.jpg.xmp more than a.xmp")
    #expect(write(.label(nil), "a.jpg") == nil)
    #expect(rating("a.jpg") == Rating(stars: 1))
    #expect(write(.stars(0), "a.jpg") == nil)
    #expect(rating("a.jpg") == .none, "the photo's five stars do not come back")
  }

  @Test(arguments: ["jpg", "png", "tif"])
  func `a rating is written into a photo, whose picture stays`(kind: String) throws {
    let name = "a.\(kind)"
    folder.write(RatedFolder.picture(kind == "png" ? "texture.png" : "card.\(kind)"), to: name)
    let pixels = folder.output(of: "exiftool", "-s3", "-ImageSize", "-FileType", name)
    chmod("\(folder.folder.path)/\(name)", 0o640)
    #expect(write(.stars(3), name, isEmbedded: true) == nil)
    #expect(write(.label(.purple), name, isEmbedded: true) == nil)
    #expect(folder.names == [name])
    #expect(rating(name) == Rating(stars: 3, label: .purple))
    #expect(
      folder.output(of: "exiftool", "-s3", "-XMP-xmp:Rating", "-XMP-xmp:Label", name)
        == "3\nPurple")
    #expect(folder.output(of: "exiftool", "-s3", "-ImageSize", "-FileType", name) == pixels)
    var status = stat()
    #expect(stat("\(folder.folder.path)/\(name)", &status) == 0 && status.st_mode & 0o777 == 0o640)
  }

  @Test func `photos that cannot hold XMP get sidecars, and existing sidecars are kept up to date`()
  {
    folder.write(RatedFolder.picture("card.gif"), to: "a.gif")
    #expect(write(.stars(3), "a.gif", isEmbedded: true) == nil)
    #expect(folder.names == ["a.gif", "a.gif.xmp"])
    folder.write(RatedFolder.picture("card.jpg"), to: "b.jpg")
    folder.write(RatedFolder.sidecar("xmp:Rating=\"2\""), to: "b.xmp")
    #expect(write(.stars(4), "b.jpg", isEmbedded: true) == nil)
    #expect(rating("b.jpg") == Rating(stars: 4))
    #expect(folder.output(of: "exiftool", "-s3", "-XMP-xmp:Rating", "b.jpg") == "4")
    #expect(folder.output(of: "exiftool", "-s3", "-XMP-xmp:Rating", "b.xmp") == "4")
  }

  @Test func `the film of a live photo is rated with it, one beside a JPEG is not`() {
    for name in ["a.heic", "b.HEIC"] { folder.write(RatedFolder.picture("card.heic"), to: name) }
    folder.write(RatedFolder.picture("card.jpg"), to: "c.jpg")
    for name in ["a.mov", "b.MOV", "c.mov"] { folder.write(Array("a film".utf8), to: name) }
    folder.write(RatedFolder.sidecar(""), to: "b.xmp")
    for name in ["a.heic", "b.HEIC", "c.jpg"] { #expect(write(.stars(3), name) == nil) }
    #expect(
      folder.names == [
        "a.heic", "a.heic.xmp", "a.mov", "a.mov.xmp", "b.HEIC", "b.MOV", "b.xmp", "c.jpg",
        "c.jpg.xmp", "c.mov",
      ])
    for name in ["a.heic", "a.mov", "b.HEIC", "b.MOV", "c.jpg"] {
      #expect(rating(name) == Rating(stars: 3), "\(name)")
    }
    #expect(folder.bytes("a.mov") == Array("a film".utf8))
    // Another program's broken sidecar of the film does not keep the photo from its rating.
    folder.write(Array("<".utf8), to: "a.mov.xmp")
    #expect(write(.stars(5), "a.heic") == nil)
    #expect(rating("a.heic").stars == 5 && folder.bytes("a.mov.xmp") == Array("<".utf8))
  }

  // MARK: - Bad input

  /// Sidecars that are not XMP.
  static let broken: [(name: String, bytes: [UInt8])] = {
    var random = SeededGenerator(seed: 7)
    let noise = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
    let whole = RatedFolder.sidecar("xmp:Rating=\"2\"")
    let bomb = """
      <!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">\
      <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;">]>\
      <x:xmpmeta xmlns:x="adobe:ns:meta/">&d;</x:xmpmeta>
      """
    return [
      ("random bytes", noise), ("cut", Array(whole.prefix(whole.count / 2))),
      ("entities", Array(bomb.utf8)), ("a text", Array("five stars".utf8)),
      ("other XML", Array("<a><b/></a>".utf8)), ("zeros", [UInt8](repeating: 0, count: 1000)),
      ("deep", Array(String(repeating: "<a>", count: 100_000).utf8)),
      ("large", [UInt8](repeating: 0x20, count: 17 << 20)),
    ]
  }()

  @Test(arguments: 0..<8)
  func `a sidecar that is not XMP is not touched`(number: Int) {
    let (name, bytes) = Self.broken[number]
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    folder.write(bytes, to: "a.jpg.xmp")
    #expect(rating("a.jpg") == .none)
    let failure = write(.stars(3), "a.jpg")
    #expect(failure?.contains("sidecar") == true, "\(name): \(failure ?? "written")")
    #expect(folder.bytes("a.jpg.xmp") == bytes)
    #expect(folder.names == ["a.jpg", "a.jpg.xmp"])
  }

  @Test(arguments: [
    ("99", 0), ("five", 0), ("-1", -1), ("3.0", 3), ("4.5", 4), ("", 0), ("1e400", 0),
  ])
  func `odd ratings are read as none, and replaced`(text: String, stars: Int) {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    folder.write(RatedFolder.sidecar("xmp:Rating=\"\(text)\""), to: "a.jpg.xmp")
    #expect(rating("a.jpg").stars == stars)
    #expect(write(.stars(2), "a.jpg") == nil)
    #expect(rating("a.jpg").stars == 2)
  }

  @Test func `links are followed, pipes and folders refused, and permissions kept`() throws {
    folder.write(RatedFolder.picture("card.jpg"), to: "a.jpg")
    folder.write(RatedFolder.sidecar(""), to: "elsewhere")
    chmod("\(folder.folder.path)/elsewhere", 0o604)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.folder.path)/a.jpg.xmp", withDestinationPath: "elsewhere")
    #expect(write(.stars(1), "a.jpg") == nil)
    #expect(rating("a.jpg").stars == 1)
    var status = stat()
    #expect(lstat("\(folder.folder.path)/a.jpg.xmp", &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat("\(folder.folder.path)/elsewhere", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o604)

    folder.write(RatedFolder.picture("card.jpg"), to: "b.jpg")
    mkfifo("\(folder.folder.path)/b.jpg.xmp", 0o600)
    #expect(rating("b.jpg") == .none)
    #expect(write(.stars(1), "b.jpg") == AnnotationFault.irregularSidecar.message)
    folder.write(RatedFolder.picture("card.jpg"), to: "c.jpg")
    mkdir("\(folder.folder.path)/c.jpg.xmp", 0o700)
    #expect(write(.stars(1), "c.jpg") != nil)
    #expect(write(.stars(1), "missing.jpg") == "no such file or folder")
  }

  @Test func `photos of random bytes have no rating`() {
    var random = SeededGenerator(seed: 3)
    let heads: [[UInt8]] = [
      [0xff, 0xd8, 0xff, 0xe1],
      Array("\u{89}PNG\r\n\u{1a}\n".unicodeScalars.map { UInt8($0.value) }),
      [0x49, 0x49, 0x2a, 0], Array("RIFF    WEBPVP8 ".utf8), Array("GIF89a".utf8),
      [0, 0, 0, 0x18] + Array("ftypheic".utf8),
    ]
    for number in 0..<200 {
      let head = heads[number % heads.count]
      let rest = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) }
      folder.write(head + rest, to: "a.jpg")
      #expect(rating("a.jpg") == .none)
    }
  }
}
