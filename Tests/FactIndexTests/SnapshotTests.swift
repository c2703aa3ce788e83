import FactIndex
import Foundation
import Photos
import TestSupport
import Testing
import WorkerProtocol
import WorkerRuntime

/// What is recorded of a folder is there again in the next session, in the order of a listing.
@Suite struct SnapshotTests {
  private static func names(_ count: Int) -> [String] { (0..<count).map { "IMG_\($0).jpg" } }

  @Test(arguments: [1, 300, 9000])
  func `facts are those that were recorded, in the order of the listing`(count: Int) throws {
    let disk = IndexDisk()
    let names = Self.names(count)
    try disk.write(names)
    try disk.record(names.reversed())

    var contents = try #require(disk.contents(""))
    #expect(contents.count == count)
    for (place, name) in names.enumerated() {
      try #require(contents.name(place) == Array(name.utf8)[...])
      try #require(contents.index(of: Array(name.utf8)[...]) == place)
    }
    let info = contents.facts(count - 1).unpacked(texts: contents.pools)
    var expected = disk.entry(names[count - 1]).info
    expected.metadata?.aperture = Double(Float(2.8))
    #expect(info == expected)
  }

  @Test func `new facts replace older ones, and new photos are put in order`() throws {
    let disk = IndexDisk()
    let names = Self.names(800)
    try disk.write(names)
    try disk.record(names)
    try disk.write(["IMG_7.jpg", "IMG_7b.jpg"], length: 20)

    try disk.record(["IMG_7b.jpg", "IMG_7.jpg"].map { disk.entry($0, camera: "Leica") })

    let contents = try #require(disk.contents(""))
    #expect(contents.count == 801)
    let found = (0..<801).map { String(decoding: contents.name($0), as: UTF8.self) }
    #expect(found == Array(names[...7]) + ["IMG_7b.jpg"] + Array(names[8...]))
    for name in ["IMG_7.jpg", "IMG_7b.jpg"] { #expect(disk.facts(name)?.byteCount == 20) }
    #expect(disk.facts("IMG_250.jpg")?.byteCount == 10)
    let cameras = (6...9).map { contents.pools.camera.text(contents.facts($0).camera) }
    #expect(cameras == ["Canon A1", "Leica", "Leica", "Canon A1"])
  }

  @Test(arguments: 0..<30)
  func `nothing is known of a folder whose snapshot is damaged, and it can be recorded again`(
    seed: UInt64
  ) throws {
    let disk = IndexDisk()
    let names = Self.names(40)
    try disk.write(names + ["other/a.jpg"])
    try disk.record(names + ["other/a.jpg"])
    var random = SeededGenerator(seed: seed)
    let place = Int.random(in: 1..<(seed < 10 ? 40 : 2900), using: &random)
    let folder = "length(photos) > 1000"
    if seed % 3 == 0 {
      try disk.execute(
        "UPDATE folder SET photos = substr(photos, 1, \(place)) WHERE \(folder)")
    } else {
      // Whichever of the two bytes is there, the other one is damage.
      let byte = "substr(photos, \(place), 1)"
      try disk.execute(
        """
        UPDATE folder SET photos = CAST(substr(photos, 1, \(place - 1))
        || CASE WHEN \(byte) = x'7a' THEN x'00' ELSE x'7a' END
        || substr(photos, \(place + 1)) AS BLOB) WHERE \(folder)
        """)
    }

    #expect(disk.known("").isEmpty)
    #expect(disk.known("other/") == ["a.jpg"])
    try disk.record(names)
    #expect(disk.known("") == names.sorted())
  }

  /// A snapshot has the codes of formats: new formats come last, or the index needs another version.
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
}
