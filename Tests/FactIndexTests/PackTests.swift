import FactIndex
import Foundation
import Photos
import TestSupport
import Testing
import WorkerProtocol
import WorkerRuntime

/// Facts that were packed at the end of a session are the same as before, and in the order of a
/// listing.
@Suite struct PackTests {
  private static func names(_ count: Int) -> [String] { (0..<count).map { "IMG_\($0).jpg" } }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  @Test(arguments: [1, 300, 9000])
  func `packed facts are those that were recorded`(count: Int) throws {
    let disk = IndexDisk()
    let names = Self.names(count)
    try disk.write(names)
    try disk.record(names)
    var recorded = try #require(disk.contents(""))
    let before = names.map { recorded.fact(of: $0) }
    try disk.pack(names)

    var contents = try #require(disk.contents(""))
    #expect(contents.sortedCount == count)
    #expect(names.map { contents.fact(of: $0) } == before)
    for (place, name) in names.enumerated() {
      try #require(contents.index(of: Array(name.utf8)[...]) == place)
    }
    #expect(contents.stamp(0) == FileStamp(of: disk.folder.path("photos/\(names[0])")))
    let camera = contents.facts(0).camera
    #expect(contents.pools.camera.text(camera) == "Canon A1")
    #expect(try IndexWriter(disk.file).clear() == count)
  }

  @Test func `new facts replace packed ones, and are sorted once there are enough of them`() throws
  {
    let disk = IndexDisk()
    let names = Self.names(800)
    try disk.write(names)
    try disk.pack(names)
    try disk.write(["IMG_7.jpg", "IMG_7b.jpg"], length: 20)
    func record(_ names: [String]) throws {
      let writer = IndexWriter(disk.file)
      _ = try writer.record(names.map { disk.entry($0, camera: "Leica") })
      writer.close()
    }

    try record(["IMG_7.jpg", "IMG_7b.jpg"])
    #expect(disk.contents("")?.sortedCount == 800)
    for name in ["IMG_7.jpg", "IMG_7b.jpg"] { #expect(disk.facts(name)?.byteCount == 20) }
    #expect(disk.contents("")?.count == 801)

    let others = (0..<100).map { "IMG_\($0 + 100).jpg" }
    try disk.write(others, length: 20)
    try record(others)
    let contents = try #require(disk.contents(""))
    #expect(contents.sortedCount == 801 && contents.count == 801)
    let found = (0..<801).map { String(decoding: contents.name($0), as: UTF8.self) }
    #expect(found == Array(names[...7]) + ["IMG_7b.jpg"] + Array(names[8...]))
    #expect(disk.facts("IMG_150.jpg")?.byteCount == 20)
    #expect(disk.facts("IMG_250.jpg")?.byteCount == 10)
    let cameras = Set((0..<801).map { contents.facts($0).camera })
    let texts = contents.pools.camera
    #expect(cameras.compactMap { texts.text($0) }.sorted() == ["Canon A1", "Leica"])
  }

  @Test(arguments: 0..<30)
  func `a broken pack has no impossible facts`(seed: UInt64) throws {
    let disk = IndexDisk()
    let names = Self.names(40)
    try disk.write(names)
    try disk.pack(names)
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<8).map { _ in
      (
        Int.random(in: 0..<(seed < 10 ? 40 : 4000), using: &random),
        UInt8.random(in: 0...255, using: &random)
      )
    }
    let length = Int.random(in: 0...4000, using: &random)
    for (place, byte) in bytes {
      try disk.execute(
        """
        UPDATE pack SET photos = CAST(substr(photos, 1, \(place)) || x'\(Self.hexadecimal(byte))'
        || substr(photos, \(place + 2)) AS BLOB)
        """)
    }
    if seed % 3 == 0 { try disk.execute("UPDATE pack SET photos = substr(photos, 1, \(length))") }

    let contents = disk.contents("")
    for place in 0..<(contents?.count ?? 0) {
      let (name, facts) = (contents?.name(place) ?? [], contents?.facts(place) ?? PackedInfo())
      #expect(!name.isEmpty && !name.contains(0x2f) && !name.contains(0))
      #expect(facts.width > 0 && facts.height > 0 && facts.format != nil && facts.byteCount >= 0)
      #expect(facts.taken.map { TakenTime(bits: $0.bits) != nil } ?? true)
      #expect((0...1e8).contains(facts.aperture) && (0...1e8).contains(facts.exposureTime))
    }
    // Everything can be recorded and packed again.
    try disk.pack(names)
    #expect(disk.known("").count >= names.count)
  }

  /// A pack has the codes of formats: new formats come last, or the index needs another version.
  @Test func `formats have the codes of this version of the index`() {
    let names = ImageFormat.allCases.map(\.rawValue)
    #expect(
      names == [
        "jpeg", "png", "gif", "webp", "tiff", "heic", "avif", "raw", "bmp", "tga", "jxl", "jp2",
        "svg", "exr", "fits", "ico", "psd", "pcx", "dds", "pnm", "hdr", "xcf", "ras", "xpm",
        "film",
      ])
    #expect(ImageFormat.allCases.map(\.code) == (1...25).map { UInt8($0) })
  }

  @Test func `the packs of the folders recorded longest ago are removed first`() throws {
    let disk = IndexDisk()
    let folders = ["first", "second", "third", "fourth"]
    let names = folders.map { folder in (0..<5000).map { "\(folder)/\($0).jpg" } }
    for names in names { try disk.write(names) }
    for names in names[..<3] { try disk.pack(names) }
    // Recording a photo of the first folder again makes it the latest one.
    try disk.pack(["first/7.jpg"])
    let size = Int64(try Data(contentsOf: URL(fileURLWithPath: disk.database)).count)

    try disk.record(names[3], sizeLimit: size)

    #expect(folders.map { disk.known("\($0)/").count } == [5000, 0, 0, 5000])
    // No pack is left of a folder that is gone; one photo is in a new pack too.
    #expect(try IndexWriter(disk.file).clear() == 10_001)
    #expect(disk.known("first/").isEmpty)
  }

  @Test func `a writer that cannot pack keeps the facts`() throws {
    let disk = IndexDisk()
    let names = Self.names(300)
    try disk.write(names)
    try disk.record([names[0]])
    try disk.execute(
      """
      CREATE TRIGGER full BEFORE INSERT ON pack WHEN NOT NEW.new
      BEGIN SELECT RAISE(ABORT, 'disk full'); END
      """)

    try disk.pack(names)

    #expect(disk.known("") == names.sorted())
    #expect(disk.contents("")?.sortedCount == 0)
  }
}

extension IndexedFolder {
  /// Returns the facts of a file.
  fileprivate mutating func fact(of name: String) -> PackedInfo? {
    index(of: Array(name.utf8)[...]).map { facts($0) }
  }
}
